// Asks for the missing arguments of a command, one after the other; answers are shown as chips before the field.
// pickers/ reads dates and the like, labels are offered as in their picker; the command does the change.
import type { Argument, ArgumentValues, Choosable } from '../commands/command.ts';
import type { Command } from '../commands/define.ts';
import { EVERY_LINK } from '../links/link-commands.ts';
import { quoted } from '../text/editor.ts';
import { fitName } from '../text/fitting.ts';
import { labelled } from '../labels/applying.ts';
import { labelChoices } from '../labels/choices.ts';
import { newLabel } from '../labels/creating.ts';
import { pickerKind, pickers } from '../pickers/lazy.ts';
import type { PickerQuestion } from '../pickers/question.ts';
import { type FoldedQuery, foldQuery, prepare, rankFolded } from '../search/ranking.ts';
import { newList } from '../outline/new-list.ts';
import { nameOf } from '../outline/row-facts.ts';
import { answering, byScore, hint, type Item, itemOf, type Ranked, type Reach, type Step } from './item.ts';
import { kindOfPlace, namesAbove } from './place-source.ts';
import { bookmarkRows, holdersHere, holderTest } from './rows.ts';
import { fieldOf } from '#sync/rows/row.ts';

const FAILED = 'Couldn’t load dates. Check your connection and try again.';

const MOST = 50;
/** Answers to these are found by what is typed. */
const TYPED: ReadonlySet<Argument['kind']> = new Set(['text', 'task', 'parent', 'item']);

export interface Asking {
  readonly command: Command;
  readonly values: ArgumentValues;
  /** Answers in the words that were typed or chosen, where these say more than the value. */
  readonly words: ArgumentValues;
  /** The command, then the answers so far. */
  readonly labels: readonly string[];
  readonly missing: readonly Argument[];
  readonly before: Step | null;
}

export class AskStep implements Step {
  readonly labels: readonly string[];
  readonly before: Step | null;
  readonly #reach: Reach;
  readonly #asking: Asking;
  readonly #argument: Argument;
  #question: PickerQuestion | null = null;
  /** What was typed for it last. */
  #query = '';

  private constructor(reach: Reach, asking: Asking, argument: Argument) {
    this.#reach = reach;
    this.#asking = asking;
    this.#argument = argument;
    this.labels = asking.labels;
    this.before = asking.before;
  }

  /** `values`: the given arguments. At least one is missing. */
  static begin(reach: Reach, command: Command, values: ArgumentValues): AskStep {
    const missing = command.args.filter(({ name }) => values[name] === undefined);
    const [argument] = missing as [Argument];
    const title = command.title.replace(/…$/, '');
    return new AskStep(
      reach,
      { command, values, words: {}, labels: [title], missing, before: null },
      argument,
    );
  }

  get prompt(): string {
    return this.#argument.prompt;
  }

  get question(): PickerQuestion | null {
    return this.#question;
  }

  /** Any text is an answer, even one that the command refuses. */
  get isText(): boolean {
    return this.#argument.kind === 'text' && !this.#argument.choices;
  }

  /** Answers are offered before anything is typed. */
  get isChosen(): boolean {
    return this.#argument.choices !== undefined || !TYPED.has(this.#argument.kind);
  }

  get command(): Command {
    return this.#asking.command;
  }

  /** The arguments given before it asked. */
  get values(): ArgumentValues {
    return this.#asking.values;
  }

  items(query: string): readonly Item[] {
    const items = this.#answers(query);
    return items.length > 0 ? items : [hint('Nothing has that name')];
  }

  #answers(query: string): readonly Item[] {
    const argument = this.#argument;
    const now = argument.kind === 'choice' ? this.command.choices?.(this.#reach.program) : undefined;
    const choices = now ?? argument.choices;
    if (choices) return this.#choices(choices, foldQuery(query));
    switch (argument.kind) {
      case 'text':
        return this.#text(query);
      case 'task':
        return this.#tasks(query);
      case 'parent':
        return this.#holders(query);
      case 'bookmark':
        return this.#bookmarks(foldQuery(query));
      case 'link':
        return this.#links(query);
      case 'list':
      case 'folder':
        return this.#lists(query, argument.kind === 'folder');
      case 'label':
        return this.command.isAboutTask ? this.#toggles(query) : this.#labels(query);
      case 'item':
        return this.#anything(query);
      case 'named':
        return this.#named(foldQuery(query));
      default:
        return this.#picked(query);
    }
  }

  collect(): readonly Item[] {
    const items = byScore(this.#reach.tasks.ranked()).slice(0, MOST);
    return items.length > 0 ? items.map((item) => this.#answering(item)) : [hint('No task has these words')];
  }

  #answer(value: string, label: string, said = value): void {
    const { command, values, labels, missing } = this.#asking;
    const given = { ...values, [this.#argument.name]: value };
    const words = { ...this.#asking.words, [this.#argument.name]: said };
    const [, ...left] = missing;
    const [next] = left;
    if (next === undefined) this.#reach.finish(command, given, words);
    else
      this.#reach.enter(
        new AskStep(
          this.#reach,
          { command, values: given, words, labels: [...labels, label], missing: left, before: this },
          next,
        ),
      );
  }

  #text(query: string): readonly Item[] {
    const text = query.trim();
    if (text === '') return [hint(this.#argument.name === 'name' ? 'Type a name' : 'Type something')];
    const choose = () => this.#answer(text, text);
    return [itemOf({ id: 'text', title: `“${text}”`, hint: this.prompt, choose })];
  }

  #choices(choices: readonly Choosable[], query: FoldedQuery): readonly Item[] {
    const now = this.command.chosen(this.#reach.program);
    return choices.flatMap(({ value, title }) => {
      const hit = rankFolded(query, prepare({ title, aliases: [] }));
      if (!hit) return [];
      const id = `choice.${value.replaceAll(/\s+/g, '-')}`;
      const choose = () => this.#answer(value, title);
      return [itemOf({ id, title, hint: value === now ? 'now' : '', matches: hit.matches, choose })];
    });
  }

  /** Choosing a found task answers the question instead of opening the task. */
  #answering(item: Item): Item {
    return answering(item, () => this.#answer(item.id.slice('task.'.length), item.title));
  }

  #tasks(query: string): readonly Item[] {
    if (query.trim() === '') return [hint('Type words from its title')];
    this.#reach.tasks.begin(foldQuery(query), query);
    return this.collect();
  }

  /** Tasks that the targets may go under; without a query, those on screen. */
  #holders(query: string): readonly Item[] {
    const { program, tasks } = this.#reach;
    if (query.trim() === '') {
      const here = holdersHere(program, MOST).map((row) => this.#answering(tasks.item(row, [])));
      return here.length > 0 ? here : [hint('Type words from its title')];
    }
    tasks.begin(foldQuery(query), query, { among: { key: 'parent', holds: holderTest(program) } });
    return this.collect();
  }

  #bookmarks(query: FoldedQuery): readonly Item[] {
    const { program } = this.#reach;
    const ranked = bookmarkRows(program).flatMap((row): Ranked[] => {
      const title = nameOf(row);
      const hit = rankFolded(query, prepare({ title, aliases: [], path: namesAbove(program, row) }));
      if (!hit) return [];
      const { icon } = kindOfPlace(row);
      const said = { id: `list.${row.id}`, title, hint: program.rowFacts.path(row), icon, kind: 'Places' };
      const choose = () => this.#answer(row.id, title);
      return [{ item: itemOf({ ...said, matches: hit.matches, choose }), score: hit.score }];
    });
    return query.text === '' ? ranked.map(({ item }) => item) : byScore(ranked).slice(0, MOST);
  }

  #links(query: string): readonly Item[] {
    const { links } = this.#reach.program;
    const folded = foldQuery(query);
    const ranked = links.flatMap(({ address, label }, index): Ranked[] => {
      const hit = rankFolded(folded, prepare({ title: label, aliases: [address] }));
      if (!hit) return [];
      const isBare = label === address;
      const said = { id: `link.${index}`, title: label, hint: isBare ? '' : address };
      const choose = () => this.#answer(address, label);
      return [{ item: itemOf({ ...said, matches: isBare ? hit.matches : [], choose }), score: hit.score }];
    });
    if (query.trim() !== '') return byScore(ranked).slice(0, MOST);
    const title = `Open all ${links.length} links`;
    const choose = () => this.#answer(EVERY_LINK, title);
    return [
      ...ranked.slice(0, MOST - 1).map(({ item }) => item),
      itemOf({ id: 'link.all', title, hint: '', choose }),
    ];
  }

  #lists(query: string, areFolders: boolean): readonly Item[] {
    const { program, habit } = this.#reach;
    const folded = foldQuery(query);
    const isEmpty = query.trim() === '';
    const ranked = program.sidebar.everything().flatMap((row): Ranked[] => {
      const listType = fieldOf(row, 'listType');
      if (listType === 'smart' && this.#argument.takesSmart !== true) return [];
      if ((listType === 'folder') !== areFolders) return [];
      const title = nameOf(row);
      const prepared = isEmpty ? null : prepare({ title, aliases: [], path: namesAbove(program, row) });
      const hit = prepared ? rankFolded(folded, prepared) : { score: 0, matches: [] };
      if (!hit) return [];
      const item = itemOf({
        id: `list.${row.id}`,
        title,
        hint: program.rowFacts.path(row),
        icon: kindOfPlace(row).icon,
        kind: 'Places',
        matches: hit.matches,
        choose: () => this.#answer(row.id, title),
      });
      return [{ item, score: hit.score + habit(item.id) }];
    });
    const found = isEmpty ? ranked.map(({ item }) => item) : byScore(ranked);
    return [...found.slice(0, MOST - 1), ...(areFolders ? [] : this.#newList(query))];
  }

  #newList(query: string): readonly Item[] {
    const { text: name } = fitName(query.trim());
    const { program } = this.#reach;
    if (name === '' || program.gate !== null) return [];
    const { replica } = program;
    const choose = () => {
      const create = newList(replica, name);
      program.change([create], `created list ${quoted(name)}`);
      this.#answer(create.id, name);
    };
    return [
      itemOf({ id: 'create.list', title: `Create list “${name}”`, hint: 'New list', icon: 'plus', choose }),
    ];
  }

  /** As in the label picker, with the effect of each on the tasks. */
  #toggles(query: string): readonly Item[] {
    const { program } = this.#reach;
    return labelChoices(program, labelled(program), query).map(
      ({ id, name, color, group, note, state, keys }) => {
        if (id === null) return this.#newLabel(name);
        return itemOf({
          id: `label.${id}`,
          title: name,
          hint: [group ?? '', note].filter((part) => part !== '').join(' · '),
          icon: 'label',
          kind: 'Labels',
          color,
          state,
          keys,
          choose: () => this.#answer(id, name),
        });
      },
    );
  }

  #newLabel(name: string): Item {
    const { program } = this.#reach;
    const choose = () => {
      const create = newLabel(program, name);
      program.change([create], `created label ${quoted(name)}`);
      this.#answer(create.id, name);
    };
    return itemOf({
      id: 'create.label',
      title: `Create label “${name}”`,
      hint: 'New label',
      icon: 'plus',
      choose,
    });
  }

  #labels(query: string): readonly Item[] {
    return labelChoices(this.#reach.program, [], query).flatMap(({ id, name, color, group }) => {
      if (id === null) return [];
      const said = { id: `label.${id}`, title: name, hint: group ?? '', icon: 'label', color } as const;
      return [itemOf({ ...said, kind: 'Labels', choose: () => this.#answer(id, name) })];
    });
  }

  #anything(query: string): readonly Item[] {
    if (query.trim() === '') return [hint('Type its name')];
    return this.#reach.find(query).map((item) => answering(item, () => this.#answer(item.id, item.title)));
  }

  #named(query: FoldedQuery): readonly Item[] {
    return this.#reach.names.all.flatMap(([name, id]) => {
      const title = this.#reach.titleOf(id);
      const hit = rankFolded(query, prepare({ title: name, aliases: [title] }));
      if (!hit) return [];
      const choose = () => this.#answer(id, title);
      return [
        itemOf({
          id: `named.${id}.${name.replaceAll(/\s+/g, '-')}`,
          title: name,
          hint: title,
          matches: hit.matches,
          choose,
        }),
      ];
    });
  }

  /** The picker's reading of the query. */
  #picked(query: string): readonly Item[] {
    const kind = pickerKind(this.#argument.kind);
    const part = pickers.now;
    if (kind === null) return [];
    if (!part) {
      this.#awaitPickers();
      return [hint('One moment')];
    }
    this.#query = query;
    this.#question ??= new part.PickerQuestion(this.#reach.program, kind, {
      answer: (value, label) => {
        const said = part.saidFor(this.#reach.program, kind, { query: this.#query, label, value });
        this.#answer(value, label, said);
      },
      acceptKeys: () => this.#reach.acceptKeys(),
      again: (active) => this.#reach.again(this, active),
      keysOf: (command) => this.#reach.keysOf(command)[0] ?? [],
      instead: (id, words) => {
        const command = this.#reach.commands.get(id);
        if (command) this.#reach.enter(AskStep.begin(this.#reach, command, {}), words);
      },
    });
    return this.#question.items(query);
  }

  #awaitPickers(): void {
    const { program } = this.#reach;
    // The field is open and takes text meanwhile.
    pickers.load().then(
      () => program.act(() => this.#reach.again(this, null)),
      () =>
        program.act(() => {
          this.#reach.close();
          program.say(FAILED, { error: true });
        }),
    );
  }
}
