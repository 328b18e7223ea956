// The command palette: what it lists for a query, steps that ask for a command's arguments, and running the choice.
// How well things match is ranking.ts, what was chosen before usage.ts.
import type { Id } from '#core/ids.ts';
import type { Argument, ArgumentValues } from './commands/command.ts';
import type { Command } from './commands/define.ts';
import { EVERY_LINK } from './commands/links.ts';
import { quoted } from './editor.ts';
import { fitName, fitTitle } from './fitting.ts';
import type { Program } from './program.ts';
import { FAILED, pickerKind, pickers } from './pickers/door.ts';
import type { MonthStep } from './pickers/month.ts';
import { answerRows, parentRows, taskRows } from './palette-rows.ts';
import type { PickedItem, PickerQuestion } from './pickers/question.ts';
import { type Prepared, prepare, rank, type Range } from './ranking.ts';
import { nameOf } from './row-facts.ts';
import type { WritableSignal } from './signal.ts';
import { isArchived } from '#sync/row-reading.ts';
import { Usage } from './usage.ts';
import type { PaletteItemView, PaletteView } from './view.ts';

const MOST = 50;
const LESSON_MS = 1_200;
const RECENT = 5;
const TASKS_FROM = 2;
const TASKS_RANKED = 150;
const UNDO_SHOWN = 20;
const FITS_SELECTION = 80;
const REMEMBERED = 250;
const PREFIX = 700;
/** From here on a command is meant, by its title or another word for it. */
const MEANT = 400;
const MOST_DIMMED = 3;
const BOOKMARKED = 40;

type Item = PickedItem;

interface Ranked {
  readonly item: Item;
  readonly score: number;
}

interface Asking {
  readonly command: Command;
  readonly values: ArgumentValues;
  /** Chips: the command, then what was answered. */
  readonly labels: readonly string[];
  readonly missing: readonly Argument[];
}

export interface PalettePorts {
  /** What is drawn; null while it is closed. */
  readonly view: WritableSignal<PaletteView | null>;
  readonly commands: ReadonlyMap<string, Command>;
  keysOf(command: string): readonly (readonly string[])[];
  run(id: string, args?: ArgumentValues): void;
}

export class Palette {
  readonly #program: Program;
  readonly #ports: PalettePorts;
  readonly #usage: Usage;
  #prepared: ReadonlyMap<string, Prepared> | null = null;
  readonly #view: WritableSignal<PaletteView | null>;
  #query = '';
  #asking: Asking | null = null;
  /** What answers, where words are read. */
  #question: PickerQuestion | null = null;
  /** The command chosen here last: its key is shown once it has run. */
  #chosen: string | null = null;
  #isInMonth = false;
  #items: readonly Item[] = [];
  #active = -1;

  constructor(program: Program, ports: PalettePorts) {
    this.#program = program;
    this.#ports = ports;
    this.#view = ports.view;
    this.#usage = new Usage(program.platform.preferences);
  }

  get isOpen(): boolean {
    return this.#view.get() !== null;
  }

  open(prefix: string): void {
    this.#asking = null;
    this.#question = null;
    this.#isInMonth = false;
    this.input(prefix);
  }

  /** Asks for what a command was not given. */
  ask(command: Command, values: ArgumentValues): void {
    if (this.#chosen !== command.id) this.#chosen = null;
    const missing = command.args.filter(({ name }) => values[name] === undefined);
    this.#question = null;
    this.#isInMonth = false;
    this.#asking = { command, values, labels: [command.title.replace(/…$/, '')], missing };
    this.input('');
  }

  close(): void {
    this.#asking = null;
    this.#question = null;
    this.#isInMonth = false;
    this.#chosen = null;
    this.#view.set(null);
  }

  input(query: string): void {
    const preset = this.#query === '' ? this.#items.find(({ digit }) => digit === query) : undefined;
    if (this.#question !== null && preset) {
      preset.choose();
      return;
    }
    this.#query = query;
    this.#items = this.#asking ? this.#answers(this.#asking) : this.#find(query);
    this.#active = this.#items.findIndex(({ unavailable }) => unavailable === null);
    this.#show();
  }

  move(step: number): void {
    const last = this.#items.length - 1;
    if (last < 0) return;
    const single = Math.abs(step) === 1;
    const next = this.#active + step;
    // One by one the list goes round; pages stop at its ends.
    if (single && next > last) this.#active = 0;
    else if (single && next < 0) this.#active = last;
    else this.#active = Math.max(0, Math.min(last, next));
    this.#show();
  }

  accept(): void {
    // Where none can be chosen, the first says why.
    const item = this.#items[this.#active] ?? this.#items[0];
    if (item) this.#choose(item);
  }

  press(index: number): void {
    const item = this.#items[index];
    if (item) this.#choose(item);
  }

  get isInMonth(): boolean {
    return this.#view.get()?.month?.isFocused === true;
  }

  focusMonth(on: boolean): boolean {
    if (!this.#view.get()?.month) return false;
    this.#isInMonth = on;
    this.#show();
    return true;
  }

  stepInMonth(step: MonthStep): void {
    const text = this.#question?.stepped(this.#items[this.#active], step) ?? null;
    if (text !== null) this.input(text);
  }

  chooseDay(day: string): void {
    if (this.#question === null) return;
    this.input(this.#question.said(this.#items[this.#active], day));
    this.accept();
  }

  back(): boolean {
    if (this.#query !== '' || !this.#asking) return false;
    const { command, labels } = this.#asking;
    if (labels.length > 1) this.ask(command, {});
    else this.open('');
    return true;
  }

  #choose(item: Item): void {
    if (item.unavailable !== null) {
      this.#program.say(item.unavailable, { error: true, brief: true });
      return;
    }
    if (this.#question === null)
      this.#usage.record(item.id, this.#asking ? '' : this.#query, this.#program.replica.now());
    item.choose();
  }

  #show(): void {
    const { labels = [], missing = [] } = this.#asking ?? {};
    const items: readonly PaletteItemView[] = this.#items;
    const prompt = missing[0]?.prompt ?? 'Type a command, a list or a task';
    const about = this.#question === null ? null : this.#program.workspace.cursor;
    const month = this.#question?.month(this.#items[this.#active], this.#isInMonth) ?? null;
    const note = this.#items[this.#active]?.note ?? this.#question?.note ?? null;
    this.#view.set({
      query: this.#query,
      prompt,
      steps: labels,
      items,
      active: this.#active,
      note,
      about,
      month,
    });
  }

  #find(query: string): readonly Item[] {
    const scope = /^[>@#/]/.exec(query)?.[0] ?? '';
    const text = scope === '' ? query : query.slice(1);
    if (query.trim() === '') return this.#unasked();
    const ranked: Ranked[] = [];
    if (scope === '' || scope === '>') ranked.push(...this.#commands(text), ...this.#undos(text));
    if (scope === '' || scope === '@') ranked.push(...this.#places(text));
    if ((scope === '' || scope === '/') && text.trim().length >= TASKS_FROM)
      ranked.push(...this.#tasks(text));
    const best = this.#sort(ranked).slice(0, MOST - 2);
    if (scope === '@' && best.length > 0) return best;
    const all = [...best, ...this.#wayOut(scope === '#' ? query : text)];
    return all.length > 0 ? all : [this.#hint('Type at least two letters of a task')];
  }

  #sort(ranked: readonly Ranked[]): readonly Item[] {
    return ranked
      .toSorted(
        (a, b) =>
          b.score - a.score ||
          a.item.title.length - b.item.title.length ||
          (a.item.title < b.item.title ? -1 : 1),
      )
      .map(({ item }) => item);
  }

  /** Nothing typed: what was used last, what fits the task, then everything by group. */
  #unasked(): readonly Item[] {
    const seen = new Set<string>();
    const items: Item[] = [];
    const add = (command: Command | undefined, heading: string) => {
      const id = command ? `cmd.${command.id}` : '';
      if (!command?.inPalette || seen.has(id) || command.when(this.#program) !== null) return;
      seen.add(id);
      items.push(this.#commandItem(command, { heading, matches: [] }));
    };
    for (const id of this.#usage.recent(RECENT)) {
      if (id.startsWith('cmd.')) add(this.#ports.commands.get(id.slice(4)), 'Recent');
    }
    const { selection, cursor } = this.#program.workspace;
    const heading = selection.size > 1 ? `For ${selection.size} selected tasks` : 'For this task';
    const all = [...this.#ports.commands.values()];
    if (cursor !== null) for (const command of all) if (command.isAboutTask) add(command, heading);
    for (const command of all) add(command, command.group);
    return withHeadings(items);
  }

  #commands(text: string): Ranked[] {
    const found: Ranked[] = [];
    const dimmed: Ranked[] = [];
    const { cursor } = this.#program.workspace;
    const { commands } = this.#ports;
    this.#prepared ??= new Map([...commands].map(([id, command]) => [id, prepare(command)]));
    for (const command of commands.values()) {
      const prepared = this.#prepared.get(command.id);
      const hit = command.inPalette && prepared ? rank(text, prepared) : null;
      if (!hit) continue;
      const unavailable = command.when(this.#program);
      const fits = unavailable === null && cursor !== null && command.isAboutTask ? FITS_SELECTION : 0;
      const item = this.#commandItem(command, { heading: null, matches: hit.matches, unavailable });
      const ranked = { item, score: hit.score + fits + this.#habit(item.id) };
      if (unavailable === null || hit.score >= PREFIX) found.push(ranked);
      else if (hit.score >= MEANT) dimmed.push(ranked);
    }
    // Whoever looks for what cannot be done just now learns what to do first.
    return found.length > 0 ? found : dimmed.toSorted((a, b) => b.score - a.score).slice(0, MOST_DIMMED);
  }

  #commandItem(
    command: Command,
    found: { heading: string | null; matches: readonly Range[]; unavailable?: string | null },
  ): Item {
    const title = command.titleNow(this.#program);
    return {
      id: `cmd.${command.id}`,
      title,
      hint: command.group,
      keys: this.#ports.keysOf(command.id)[0] ?? [],
      unavailable: found.unavailable ?? null,
      heading: found.heading,
      // What matched may be another wording.
      matches: title === command.title ? found.matches : [],
      choose: () => {
        this.close();
        this.#chosen = command.id;
        this.#ports.run(command.id);
        this.#teach(command.id);
      },
    };
  }

  /** Shows the key of what was just chosen, a few times. */
  #teach(command: string): void {
    const keys = this.#ports.keysOf(command)[0];
    const { current } = this.#program.messages;
    if (!keys || this.isOpen || current?.tone === 'error' || !this.#usage.teaches(command)) return;
    const lesson = `Next time: ${keys.join(' ')}`;
    if (current) this.#program.messages.amend(lesson);
    else
      this.#program.messages.show(
        { text: lesson, undo: false, tone: 'info' },
        { shownMs: LESSON_MS, brief: true },
      );
  }

  #hint(title: string): Item {
    return {
      ...this.#item({ id: 'hint', title, hint: '', matches: [] }, () => undefined),
      unavailable: `${title}.`,
    };
  }

  #habit(id: string): number {
    const now = this.#program.replica.now();
    return this.#usage.score(id, now) + (this.#usage.remembers(this.#query, id, now) ? REMEMBERED : 0);
  }

  /** "Undo: completed ‘Plan launch’" takes back that and everything after it. */
  #undos(text: string): Ranked[] {
    return this.#program.undo.done.slice(0, UNDO_SHOWN).flatMap((group, later) => {
      const title = `Undo: ${group.label}`;
      const hit = later === 0 ? null : rank(text, prepare({ title, aliases: [] }));
      if (!hit) return [];
      const item = this.#item(
        { id: `undo.${group.id}`, title, hint: `and ${later} later`, matches: hit.matches },
        () => {
          this.close();
          for (let left = later; left >= 0; left -= 1) this.#ports.run('edit.undo');
        },
      );
      return [{ item, score: Math.min(hit.score, 450) - later }];
    });
  }

  #item(said: Pick<Item, 'id' | 'title' | 'hint' | 'matches'>, choose: () => void): Item {
    return { ...said, keys: [], unavailable: null, heading: null, choose };
  }

  #places(text: string): Ranked[] {
    const { sidebar } = this.#program;
    return [...sidebar.everything(), ...sidebar.bookmarkedTasks()].flatMap((row) => {
      const title = nameOf(row);
      const hit = rank(text, prepare({ title, aliases: isArchived(row) ? ['archived'] : [] }));
      if (!hit) return [];
      const type = row.fields.listType === 'folder' ? 'Folder' : 'List';
      const kind = row.type === 'task' ? 'Bookmark' : type;
      const path = this.#program.rowFacts.path(row);
      const said = {
        id: `list.${row.id}`,
        title,
        hint: path === '' ? kind : `${kind} in ${path}`,
        matches: hit.matches,
      };
      const item = this.#item(said, () => {
        this.close();
        this.#ports.run('go.list', { list: row.id });
      });
      const near = this.#program.workspace.facts.bookmarks.has(row.id) ? BOOKMARKED : 0;
      return [{ item, score: hit.score + near + this.#habit(item.id) }];
    });
  }

  #tasks(text: string): Ranked[] {
    const { workspace, search, replica, rowFacts } = this.#program;
    const ids = search.find(text, (id) => workspace.facts.isHidden(id), TASKS_RANKED);
    return ids.flatMap((id) => {
      const row = replica.row(id);
      const title = nameOf(row);
      const hit = rank(text, prepare({ title, aliases: [] }));
      if (!row) return [];
      const said = { id: `task.${id}`, title, hint: rowFacts.path(row), matches: hit?.matches ?? [] };
      const item = this.#item(said, () => {
        this.close();
        workspace.hideResults();
        this.#program.query = null;
        const list = workspace.listOf(id);
        if (list) this.#program.open({ type: 'list', id: list.id }, id);
        if (workspace.cursor === id) return;
        // It stands under something collapsed: focus on what is above it.
        const parent = workspace.parentOf(id);
        if (parent) this.#program.open({ type: 'task', id: parent }, id);
      });
      // A task is one of many: like words match below a command's title.
      return [{ item, score: (hit?.score ?? 300) - 150 + this.#habit(item.id) }];
    });
  }

  /** Never a dead end. */
  #wayOut(text: string): readonly Item[] {
    const title = fitTitle(text.trim()).text;
    if (title === '') return [];
    const create = { id: 'create.task', title: `Create task “${title}”`, hint: 'Inbox', matches: [] };
    const search = { id: 'search.tasks', title: `Search tasks for “${title}”`, hint: 'Search', matches: [] };
    return [
      this.#item(create, () => {
        this.close();
        this.#createTask(text.trim());
      }),
      this.#item(search, () => {
        this.close();
        this.#ports.run('search.for', { query: title });
      }),
    ];
  }

  #createTask(text: string): void {
    const id = this.#program.addToInbox(text);
    const name = quoted(nameOf(this.#program.replica.row(id)));
    this.#program.say(`Added ${name} to the Inbox.`, { undo: true });
  }

  #answers(asking: Asking): readonly Item[] {
    const [argument] = asking.missing;
    if (!argument) return [];
    if (argument.kind === 'text') return this.#textAnswer(argument);
    if (argument.kind === 'task' || argument.kind === 'parent') return this.#taskAnswers(argument);
    if (argument.choices) return this.#choiceAnswers(argument, asking.command);
    if (argument.kind === 'link') return this.#linkAnswers(argument);
    if (pickerKind(argument.kind) !== null) return this.#picked(argument);
    const wantsList = argument.kind === 'list';
    const ranked = answerRows(this.#program, argument.kind).flatMap(({ row, hint }): Ranked[] => {
      const title = nameOf(row);
      const hit = rank(this.#query, prepare({ title, aliases: [] }));
      if (!hit) return [];
      const said = { id: `${row.type}.${row.id}`, title, hint, matches: hit.matches };
      const item = this.#item(said, () => this.#answer(argument, row.id, title));
      return [{ item, score: hit.score + this.#habit(item.id) }];
    });
    const found = this.#query.trim() === '' ? ranked.map(({ item }) => item) : this.#sort(ranked);
    return [...found.slice(0, MOST - 1), ...(wantsList ? this.#newList(argument) : [])];
  }

  #choiceAnswers(argument: Argument, command: Command): readonly Item[] {
    const now = command.chosen(this.#program);
    return (argument.choices ?? []).flatMap(({ value, title }) => {
      const hit = rank(this.#query, prepare({ title, aliases: [] }));
      if (!hit) return [];
      const said = { id: `choice.${value}`, title, hint: value === now ? 'now' : '', matches: hit.matches };
      return [this.#item(said, () => this.#answer(argument, value, title))];
    });
  }

  /** What was typed, as the picker of such values reads it. */
  #picked(argument: Argument): readonly Item[] {
    const kind = pickerKind(argument.kind);
    const part = pickers.now;
    if (kind === null) return [];
    if (!part) {
      this.#awaitPickers(argument);
      return [this.#hint('One moment')];
    }
    this.#question ??= new part.PickerQuestion(this.#program, kind, {
      answer: (value, label) => this.#answer(argument, value, label),
      again: (active) => this.#reconsider(active),
    });
    return this.#question.items(this.#query);
  }

  #awaitPickers(argument: Argument): void {
    const then = (work: () => void) => () =>
      this.#program.act(() => {
        if (this.#asking?.missing[0] === argument) work();
      });
    pickers.load().then(
      then(() => this.input(this.#query)),
      then(() => {
        this.close();
        this.#program.say(FAILED, { error: true });
      }),
    );
  }

  /** Offers anew for the same words; a switch stays the active one. */
  #reconsider(active: string): void {
    this.input(this.#query);
    const index = this.#items.findIndex(({ id }) => id === active);
    if (index < 0) return;
    this.#active = index;
    this.#show();
  }

  #textAnswer(argument: Argument): readonly Item[] {
    const text = this.#query.trim();
    if (text === '') return [this.#hint(argument.name === 'name' ? 'Type a name' : 'Type something')];
    return [
      this.#item({ id: 'text', title: `“${text}”`, hint: argument.prompt, matches: [] }, () =>
        this.#answer(argument, text, text),
      ),
    ];
  }

  #taskAnswers(argument: Argument): readonly Item[] {
    const rowsOf = argument.kind === 'parent' ? parentRows : taskRows;
    const found = rowsOf(this.#program, this.#query, MOST);
    if (found.length === 0)
      return [this.#hint(this.#query.trim() === '' ? 'Type words of its title' : 'No task has these words')];
    return found.map(({ row, hint }) => {
      const said = { id: `task.${row.id}`, title: nameOf(row), hint, matches: [] };
      return this.#item(said, () => this.#answer(argument, row.id, nameOf(row)));
    });
  }

  #linkAnswers(argument: Argument): readonly Item[] {
    const { links } = this.#program;
    const items = links.flatMap(({ address, label }, index): Ranked[] => {
      const hit = rank(this.#query, prepare({ title: label, aliases: [address] }));
      if (!hit) return [];
      const hint = label === address ? '' : address;
      const matches = label === address ? hit.matches : [];
      const item = this.#item({ id: `link.${index}`, title: label, hint, matches }, () =>
        this.#answer(argument, address, label),
      );
      return [{ item, score: hit.score }];
    });
    if (this.#query.trim() !== '') return this.#sort(items).slice(0, MOST);
    const every = { id: 'link.all', title: `Open all ${links.length} links`, hint: '', matches: [] };
    return [
      ...items.slice(0, MOST - 1).map(({ item }) => item),
      this.#item(every, () => this.#answer(argument, EVERY_LINK, every.title)),
    ];
  }

  #newList(argument: Argument): readonly Item[] {
    const { text: name } = fitName(this.#query.trim());
    if (name === '') return [];
    const said = { id: 'create.list', title: `Create list “${name}”`, hint: 'New list', matches: [] };
    return [
      this.#item(said, () => {
        const { replica } = this.#program;
        const id: Id = replica.newId();
        const fields = { listType: 'list', name };
        const create = { a: 'create', id, type: 'list', fields, place: { parent: replica.scope } } as const;
        this.#program.change([create], `created list ${quoted(name)}`);
        this.#answer(argument, id, name);
      }),
    ];
  }

  #answer(argument: Argument, value: string, label: string): void {
    const asking = this.#asking;
    if (!asking) return;
    const values = { ...asking.values, [argument.name]: value };
    const missing = asking.missing.slice(1);
    if (missing.length === 0) {
      const isChosen = this.#chosen === asking.command.id;
      this.close();
      this.#ports.run(asking.command.id, values);
      if (isChosen) this.#teach(asking.command.id);
      return;
    }
    this.#question = null;
    this.#isInMonth = false;
    this.#asking = { ...asking, values, missing, labels: [...asking.labels, label] };
    this.input('');
  }
}

/** Only the first item under a heading carries it. */
function withHeadings(items: readonly Item[]): readonly Item[] {
  return items.map((item, index) =>
    items[index - 1]?.heading === item.heading ? { ...item, heading: null } : item,
  );
}
