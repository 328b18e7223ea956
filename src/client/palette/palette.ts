// The command palette: its query, the active item, the current step and its keys. The items come from everything.ts,
// the steps for a command's arguments from ask-step.ts; earlier choices are in usage.ts.
import { counted } from '#core/counted.ts';
import { nameOf } from '#sync/rows/row-reading.ts';
import type { ArgumentValues, CommandResult, KeyContext } from '../commands/command.ts';
import type { Command } from '../commands/define.ts';
import type { Program } from '../app/program.ts';
import type { MonthStep } from '../pickers/month.ts';
import { placeName } from '../keys/place-names.ts';
import type { WritableSignal } from '../app/signal.ts';
import type { PaletteItemView, PaletteView } from './palette-view.ts';
import { AskStep } from './ask-step.ts';
import type { KeyPlaces } from './command-source.ts';
import { Everything } from './everything.ts';
import type { Act, Item, Reach, Step } from './item.ts';
import { OwnNames } from './names.ts';
import { TaskSource } from './task-source.ts';
import { TaskStep } from './task-step.ts';
import { Usage } from './usage.ts';
import { WithinStep } from './within-step.ts';

const LESSON_MS = 1_200;
const REMEMBERED = 250;
const PROMPT = 'Type a command, a list or a task';

export interface PalettePorts {
  /** The palette's view; null while it is closed. */
  readonly view: WritableSignal<PaletteView | null>;
  readonly keysOf: (command: string) => readonly (readonly string[])[];
  /** As `keysOf`, without keys that do something else where the palette was opened. */
  readonly keysHere: (command: string) => readonly (readonly string[])[];
  /** The contexts in which a command has keys, with the first of them there as keycaps. */
  readonly placesOf: KeyPlaces['of'];
  /** The active contexts where the palette was opened. */
  readonly contexts: () => readonly KeyContext[];
  readonly run: (id: string, args?: ArgumentValues) => CommandResult;
}

export class Palette {
  readonly #program: Program;
  readonly #ports: PalettePorts;
  readonly #usage: Usage;
  readonly #view: WritableSignal<PaletteView | null>;
  readonly #reach: Reach;
  readonly #everything: Everything;
  #query = '';
  #step: Step | null = null;
  /** The last command chosen here: its key is shown once it has run. */
  #chosen: string | null = null;
  #isInMonth = false;
  #items: readonly Item[] = [];
  #active = -1;
  /** The person moved to the active item, so it has to stay active. */
  #isMoved = false;

  constructor(program: Program, ports: PalettePorts) {
    this.#program = program;
    this.#ports = ports;
    this.#view = ports.view;
    this.#usage = new Usage(program.platform.preferences);
    this.#reach = this.#createReach();
    const places: KeyPlaces = {
      of: (command) => ports.placesOf(command),
      now: () => ports.contexts(),
      say: (context) => placeName(context),
    };
    this.#everything = new Everything(this.#reach, places, () => this.#usage.recent(contextOf(program)));
  }

  #createReach(): Reach {
    const program = this.#program;
    const { keysHere, run } = this.#ports;
    const tasks = () => this.#tasks;
    return {
      program,
      get commands() {
        return program.commands;
      },
      names: new OwnNames(program),
      get tasks() {
        return tasks();
      },
      hasTask: () => this.#hasTask,
      keysOf: (command) => keysHere(command),
      acceptKeys: () => this.#ports.keysOf('palette.accept')[0] ?? [],
      choose: (command) => this.#run(command),
      ask: (command) => this.#askChosen(command),
      finish: (command, values, words) => this.#finish(command, values, words),
      run: (id, args) => run(id, args),
      close: () => this.close(),
      enter: (step, query) => this.#enter(step, query),
      look: (row) => this.#enter(new WithinStep(this.#reach, row)),
      again: (step, active) => this.#again(step, active),
      find: (query) => this.#everything.find(query),
      titleOf: (item) => this.titleOf(item),
      habit: (id) => this.#habit(id),
    };
  }

  #tasksMade: TaskSource | null = null;

  get #tasks(): TaskSource {
    return (this.#tasksMade ??= new TaskSource(this.#reach));
  }

  /** Where fingers touch the screen no cursor is shown: what is selected, written or asked about is meant, and nothing else. */
  get #hasTask(): boolean {
    const { editor, platform, workspace } = this.#program;
    if (workspace.cursor === null) return false;
    const isShown = !platform.touch || workspace.selection.size > 0 || editor.title !== null;
    return isShown || this.#step instanceof TaskStep;
  }

  get isOpen(): boolean {
    return this.#view.get() !== null;
  }

  open(prefix: string | null): void {
    this.#everything.refresh();
    if (prefix === null) this.#enter(TaskStep.begin(this.#reach, this.#everything));
    else this.#enter(null, prefix);
  }

  /** Asks for the missing arguments of a command. */
  ask(command: Command, values: ArgumentValues): void {
    if (this.#chosen !== command.id) this.#chosen = null;
    this.#everything.refresh();
    this.#enter(AskStep.begin(this.#reach, command, values));
  }

  #enter(step: Step | null, query = ''): void {
    // When the palette closes, the caret returns to its place in the title.
    if (!this.isOpen) this.#program.editor.holdCaret();
    this.#step = step;
    this.#isInMonth = false;
    this.#query = '';
    this.#items = [];
    this.input(query);
  }

  close(): void {
    this.#step = null;
    this.#isInMonth = false;
    this.#chosen = null;
    this.#items = [];
    this.#tasks.rest();
    this.#view.set(null);
  }

  input(query: string): void {
    this.#query = query;
    this.#list();
    this.#activateFirst();
    this.#show();
    if (this.#tasks.isRunning) this.#goOn(query, this.#step);
  }

  #list(): void {
    this.#tasks.rest();
    this.#items = (this.#step ?? this.#everything).items(this.#query);
  }

  /** Activates the first available item; else an unavailable one, before suggestions. */
  #activateFirst(): void {
    const first = this.#items.findIndex(({ unavailable }) => unavailable === null);
    const isMeant = first > 0 && leadsOn(this.#items[first]) && this.#items[0]?.id !== 'hint';
    this.#active = isMeant ? 0 : first;
    this.#isMoved = false;
  }

  /** Finds another portion of tasks after this frame. The active item stays where it is. */
  #goOn(query: string, step: Step | null): void {
    this.#program.later(() => {
      if (!this.isOpen || this.#query !== query || this.#step !== step || !this.#tasks.isRunning) return;
      const { revision } = this.#tasks;
      this.#tasks.goOn();
      if (revision !== this.#tasks.revision)
        this.#merge((step ?? this.#everything).collect?.() ?? this.#items);
      if (this.#tasks.isRunning) this.#goOn(query, step);
    });
  }

  #merge(found: readonly Item[]): void {
    const active = this.#items[this.#active];
    // A suggestion is no result: it goes behind results found meanwhile.
    if (!active || (leadsOn(active) && !this.#isMoved)) {
      this.#items = found;
      this.#activateFirst();
    } else {
      const kept = this.#items.slice(0, this.#active + 1);
      const ids = new Set(kept.map(({ id }) => id));
      this.#items = [...kept, ...found.filter(({ id }) => !ids.has(id))];
    }
    this.#show();
  }

  move(step: number): void {
    const last = this.#items.length - 1;
    if (last < 0) return;
    const single = Math.abs(step) === 1;
    const next = this.#active + step;
    // Single steps wrap around; pages stop at the ends.
    if (single && next > last) this.#active = 0;
    else if (single && next < 0) this.#active = last;
    else this.#active = Math.max(0, Math.min(last, next));
    this.#isMoved = true;
    this.#show();
  }

  accept(): void {
    // If none can be chosen, the first says why.
    const item = this.#items[this.#active] ?? this.#items[0];
    if (item) this.#choose(item);
  }

  /** As `accept`, then asks the same again while the targets stay the same. False if no picker is asking. */
  acceptAndStay(): boolean {
    const step = this.#step;
    if (this.#question === null || !(step instanceof AskStep)) return false;
    const { workspace } = this.#program;
    const about = workspace.targets().join(' ');
    this.accept();
    if (!this.isOpen && workspace.targets().join(' ') === about) this.ask(step.command, step.values);
    return true;
  }

  /** The other action on the active item. False when there is none. */
  second(): boolean {
    const item = this.#items[this.#active];
    if (!item?.second) return false;
    item.second.run();
    return true;
  }

  /** Goes into the active item, or completes the field with it. */
  refine(): void {
    this.#refining(this.#items[this.#active])?.run();
  }

  #refining(item: Item | undefined): Act | null {
    if (!item || item.id === 'hint') return null;
    if (this.#question !== null) return this.#completing(item);
    if (item.refine || this.#step instanceof TaskStep) return item.refine ?? null;
    const scope = this.#step === null ? (/^[>@#/]/.exec(this.#query)?.[0] ?? '') : '';
    const completed = scope + item.title;
    if (leadsOn(item) || completed === this.#query) return null;
    return { verb: 'complete', run: () => this.input(completed) };
  }

  /** Completes the field with the words of a picker's item. */
  #completing({ words }: Item): Act | null {
    if (words === undefined || words === this.#query) return null;
    return { verb: 'edit as text', run: () => this.input(words) };
  }

  press(index: number): void {
    const item = this.#items[index];
    if (item) this.#choose(item);
  }

  titleOf(item: string): string {
    return this.#everything.titleOf(item);
  }

  get #question(): Step['question'] {
    return this.#step?.question ?? null;
  }

  get isInMonth(): boolean {
    return this.#view.get()?.month?.isFocused === true;
  }

  /** Neither the field nor the cursor was touched. */
  get #isUntouched(): boolean {
    return this.#query === '' && !this.#isMoved;
  }

  /**
   * What the field or the cursor means. To a finger that has touched nothing, and in the month, that is nothing: the month is
   * that of the date set.
   */
  get #meant(): Item | undefined {
    const isOfDate = this.#program.platform.touch || this.#isInMonth;
    return isOfDate && this.#isUntouched ? undefined : this.#items[this.#active];
  }

  focusMonth(on: boolean): boolean {
    if (!this.#view.get()?.month) return false;
    this.#isInMonth = on;
    this.#show();
    return true;
  }

  stepInMonth(step: MonthStep): void {
    const from = this.#isUntouched ? undefined : this.#items[this.#active];
    const text = this.#question?.stepped(from, step) ?? null;
    if (text !== null) this.input(text);
  }

  chooseDay(day: string): void {
    const question = this.#question;
    if (question === null) return;
    this.input(question.said(this.#meant, day));
    this.accept();
  }

  back(): boolean {
    if (this.#query !== '' || this.#step === null) return false;
    this.#enter(this.#step.before);
    return true;
  }

  #choose(item: Item): void {
    if (item.unavailable !== null) {
      this.#program.say(item.unavailable || `${item.title}.`, { error: true, brief: true });
      return;
    }
    if (this.#question === null) this.#remember(item.id);
    item.choose();
  }

  #remember(id: string): void {
    const query = this.#step === null ? this.#query : '';
    const now = this.#program.replica.now();
    this.#usage.record(id, { query, context: contextOf(this.#program), now });
  }

  #askChosen(command: Command): void {
    this.#remember(`cmd.${command.id}`);
    this.#chosen = command.id;
    this.#enter(AskStep.begin(this.#reach, command, {}));
  }

  #run(command: Command): void {
    this.close();
    this.#chosen = command.id;
    this.#ports.run(command.id);
    this.#teach(command.id);
  }

  #finish(command: Command, values: ArgumentValues, words: ArgumentValues): void {
    const isChosen = this.#chosen === command.id;
    const step = this.#step;
    const query = this.#query;
    this.close();
    for (const part of this.#program.parts.hooks) part.asked?.(words);
    const { type } = this.#ports.run(command.id, values);
    if (type === 'refused' && step instanceof AskStep && step.isText && !this.isOpen) {
      // The refused input stays for correction, with the reason.
      this.#chosen = isChosen ? command.id : null;
      this.#enter(step, query);
    } else if (isChosen) this.#teach(command.id);
  }

  /** Shows the key of the chosen command, the first few times. */
  #teach(command: string): void {
    const keys = this.#ports.keysHere(command)[0];
    const { messages } = this.#program;
    if (!keys || this.isOpen || messages.current?.tone === 'error' || !this.#usage.teaches(command)) return;
    messages.teach(keys, LESSON_MS);
  }

  /** Lists the items again for the same query; an item that was toggled stays active. */
  #again(step: Step, active: string | null): void {
    if (this.#step !== step) return;
    this.input(this.#query);
    const index = this.#items.findIndex(({ id }) => id === active);
    if (index < 0) return;
    this.#active = index;
    this.#show();
  }

  #habit(id: string): number {
    const now = this.#program.replica.now();
    return this.#usage.score(id, now) + (this.#usage.remembers(this.#query, id, now) ? REMEMBERED : 0);
  }

  #show(): void {
    const step = this.#step;
    const question = this.#question;
    const item = this.#items[this.#active];
    const items: readonly PaletteItemView[] = this.#items;
    this.#view.set({
      query: this.#query,
      prompt: step?.prompt ?? PROMPT,
      steps: step?.labels ?? [],
      items,
      active: this.#active,
      note: [question?.note, item?.note].filter(Boolean).join(' ') || null,
      second: this.#acting(item?.second ?? null, 'palette.second'),
      stay: this.#acting(question === null ? null : STAY, 'palette.acceptAndStay'),
      refine: this.#acting(this.#refining(item), 'palette.refine'),
      about: question === null ? null : this.#program.workspace.cursor,
      subject: this.#subject(),
      isChosen: step?.isChosen === true,
      month: question?.month(this.#meant, this.#isInMonth) ?? null,
    });
  }

  /** Named where the row may be out of sight. */
  #subject(): string | null {
    if (!(this.#step instanceof AskStep) || !this.#step.command.isAboutTask) return null;
    const { replica, workspace } = this.#program;
    const [first, ...others] = workspace.targets();
    if (first === undefined) return null;
    return others.length === 0
      ? nameOf(replica.row(first)) || 'Untitled'
      : counted(others.length + 1, 'task');
  }

  #acting(act: Pick<Act, 'verb'> | null, command: string): PaletteView['second'] {
    return act && { verb: act.verb, keys: this.#ports.keysOf(command)[0] ?? [] };
  }
}

const STAY: Pick<Act, 'verb'> = { verb: 'accept and stay' };

/** A suggestion to create or search for the query; not a result. */
const leadsOn = (item: Item | undefined): boolean => item?.icon === 'plus' || item?.icon === 'search';

/** The current context, as far as it affects which commands are used there. */
function contextOf({ pane, workspace }: Program): string {
  if (pane !== 'outline') return pane;
  if (workspace.selection.size > 1) return 'tasks';
  return workspace.cursor === null ? 'empty' : 'task';
}
