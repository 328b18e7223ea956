// The dialog that plans a day: each task of today in turn, with the time that is left. What is drawn is web/dialogs/calendar/plan-day.tsx.
// A lazy part.
import { unreachable } from '#core/assert.ts';
import { blockLimits, blockRegister } from '#core/calendar/blocks.ts';
import { counted } from '#core/counted.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import { readDate, readDuration } from '#core/dates/phrase.ts';
import { english } from '#core/dates/vocabulary.ts';
import type { Id } from '#core/ids.ts';
import type { When } from '#core/when.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import type { BlockBook } from '../blocks/book.ts';
import { type Plan, readPlans } from '../blocks/plan.ts';
import { blockFor, blocksOf, isUndone, setBlock } from '../blocks/task-blocks.ts';
import { sayBlock } from '../blocks/words.ts';
import { inBatches } from '../commands/rows.ts';
import { completeRows } from '../commands/tasks.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { setMine } from '../outline/personal-fields.ts';
import { nameOf } from '../outline/row-facts.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import { sayWhen } from '../pickers/saying.ts';
import { snoozesOf } from '../pickers/when-picker.ts';
import type { PlanDayAction, PlanDayView, PlannedTaskView, PlannedTimeView } from './plan-view.ts';
import { lengthOf, Today } from './today.ts';
import { isOver, sayCapacity } from './words.ts';

export { followKept } from '../calendar/following.ts';
export { Today } from './today.ts';
export { sayCapacity } from './words.ts';

const MINUTE_MS = 60_000;

/** What became of a task. `minutes`: planned ones. */
interface Outcome {
  readonly type: 'planned' | 'tomorrow' | 'later' | 'completed';
  readonly minutes: number;
}

/** What a step changed: undone, the dialog is back at its task. */
interface Step {
  readonly at: number;
  readonly task: Id;
  readonly before: Outcome | undefined;
}

const COMMANDS: Readonly<Record<string, Exclude<PlanDayAction['action'], 'send'>>> = {
  'planning.plan': 'plan',
  'planning.at': 'at',
  'planning.tomorrow': 'tomorrow',
  'planning.later': 'later',
  'planning.estimate': 'estimate',
  'planning.complete': 'complete',
  'planning.skip': 'skip',
  'planning.back': 'back',
};

const TYPED: ReadonlySet<PlanDayView['step']> = new Set(['at', 'later', 'estimate']);

/** A guided pass over the tasks of today. */
export class PlanDayDialog implements OpenDialog {
  readonly type = 'planDay';
  readonly #program: Program;
  readonly #today: Today;
  readonly #tasks: readonly Id[];
  readonly #outcomes = new Map<Id, Outcome>();
  readonly #steps: Step[] = [];
  #step: PlanDayView['step'] = 'task';
  #at = 0;
  #said: PlanDayView['said'] = null;

  constructor(program: Program, today: Today) {
    this.#program = program;
    this.#today = today;
    this.#tasks = today.toPlan();
  }

  /** Nothing is to be planned. */
  get isEmpty(): boolean {
    return this.#tasks.length === 0;
  }

  get isTyping(): boolean {
    return TYPED.has(this.#step);
  }

  byKey(command: string): PlanDayAction | null {
    const action = COMMANDS[command];
    if (action === undefined || this.isTyping) return null;
    return this.#step === 'end' && action !== 'back' ? null : { action };
  }

  clearFilter(): boolean {
    if (this.isTyping) this.submit({ action: 'cancel' });
    else if (this.#step === 'task' && this.#outcomes.size > 0) this.submit({ action: 'end' });
    else return false;
    return true;
  }

  undo(): void {
    const last = this.#steps.pop();
    if (last === undefined) this.#say('There’s nothing to undo here.');
    else {
      this.#program.run('edit.undo');
      if (last.before === undefined) this.#outcomes.delete(last.task);
      else this.#outcomes.set(last.task, last.before);
      this.#at = last.at;
      this.#step = 'task';
      this.#say(this.#program.messages.current?.text ?? 'Undone.');
    }
    this.refresh();
  }

  submit(action: PlanDayAction): void {
    this.#said = null;
    this.#act(action);
    this.refresh();
  }

  leave(): void {
    // Each step is saved as it is taken.
  }

  refresh(): void {
    const { dialog } = this.#program;
    if (!dialog.isOf(this)) return;
    if (this.#step !== 'end') this.#goOn();
    dialog.show({ type: 'planDay', plan: this.#view() });
  }

  #act(action: PlanDayAction): void {
    switch (action.action) {
      case 'plan':
        this.#plan();
        return;
      case 'at':
      case 'later':
      case 'estimate':
        if (this.#step === 'task') this.#step = action.action;
        return;
      case 'send':
        this.#typed(action.text);
        return;
      case 'cancel':
        this.#step = 'task';
        return;
      case 'tomorrow': {
        const on = Temporal.PlainDate.from(this.#today.day).add({ days: 1 }).toString();
        this.#snooze({ on }, 'tomorrow');
        return;
      }
      case 'complete':
        this.#complete();
        return;
      case 'skip':
        this.#at += 1;
        return;
      case 'back':
        this.#step = 'task';
        this.#at = Math.max(0, this.#at - 1);
        return;
      case 'end':
        this.#step = 'end';
        this.#at = this.#tasks.length;
        return;
      default:
        unreachable(action);
    }
  }

  /** The task that it is about; undefined at the end. */
  #task(): Row | undefined {
    const id = this.#tasks[this.#at];
    return id === undefined ? undefined : this.#program.replica.row(id);
  }

  /** Tasks that somebody deleted for good meanwhile are passed over. */
  #goOn(): void {
    while (this.#at < this.#tasks.length && this.#task() === undefined) this.#at += 1;
    if (this.#at >= this.#tasks.length) this.#step = 'end';
  }

  #say(text: string, isError = false): void {
    this.#said = { text, isError };
  }

  /** Done with the task: the next one, and what undo has to know. */
  #settle(task: Row, outcome: Outcome): void {
    this.#steps.push({ at: this.#at, task: task.id, before: this.#outcomes.get(task.id) });
    this.#outcomes.set(task.id, outcome);
    this.#step = 'task';
    this.#at += 1;
  }

  #plan(): void {
    const task = this.#task();
    if (task === undefined || this.#step === 'end') return;
    const minutes = lengthOf(task) ?? blockLimits.usualMinutes;
    const gap = this.#today.gap(minutes);
    if (gap === null) this.#say(`${noGap(minutes)} Give it a time, or move it to tomorrow.`, true);
    else this.#place(task, { start: this.#today.start + gap * MINUTE_MS, minutes });
  }

  #place(task: Row, plan: Plan): void {
    const { replica } = this.#program;
    const held = blocksOf(this.#program, task);
    // What was left undone is moved, so that no plan of an earlier day stays behind.
    const missed = held.filter(isUndone).at(-1);
    if (missed === undefined && held.length >= blockLimits.perTask) {
      this.#say(`A task can have ${blockLimits.perTask} time blocks. Remove one first.`, true);
      return;
    }
    const block = blockFor(task, plan);
    const register = missed?.register ?? blockRegister(replica.newId());
    const name = this.#program.describe([task.id]);
    inBatches(this.#program, setBlock(this.#program, task, register, block), `planned time for ${name}`);
    const overlap = this.#today.overlap({ task, register, block });
    this.#say(`Planned ${name}: ${sayBlock(block, this.#program.moment())}.${overlap}`);
    this.#settle(task, { type: 'planned', minutes: block.minutes });
  }

  #snooze(when: When, type: 'tomorrow' | 'later'): void {
    const task = this.#task();
    if (task === undefined || this.#step === 'end') return;
    const { replica } = this.#program;
    const name = this.#program.describe([task.id]);
    const fields = { snooze: when, snoozeCount: snoozesOf(this.#program, task.id) + 1 };
    // It isn't done today: neither in a block that was planned a moment ago.
    const blocks = this.#today.blocks().filter(({ held }) => held.task.id === task.id);
    const removed = Object.fromEntries(blocks.map(({ held }) => [held.register, null]));
    inBatches(this.#program, setMine(replica, task.id, { ...fields, ...removed }), `snoozed ${name}`);
    this.#say(`Snoozed ${name} until ${sayWhen(when, this.#program.moment()).text}.`);
    this.#settle(task, { type, minutes: 0 });
  }

  #complete(): void {
    const task = this.#task();
    if (task === undefined || this.#step === 'end') return;
    completeRows(this.#program, [task]);
    this.#say(`Completed ${this.#program.describe([task.id])}.`);
    this.#settle(task, { type: 'completed', minutes: 0 });
  }

  #typed(text: string): void {
    const task = this.#task();
    if (task === undefined) return;
    if (this.#step === 'at') this.#atTime(task, text);
    else if (this.#step === 'later') this.#until(text);
    else if (this.#step === 'estimate') this.#estimate(task, text);
  }

  #atTime(task: Row, text: string): void {
    const [plan] = readPlans(this.#program, text).plans;
    if (plan === undefined) this.#say(`“${text}” isn’t a time, like “14:00 45m.”`, true);
    else this.#place(task, plan);
  }

  #until(text: string): void {
    const [reading] = readDate(text, phraseContext(this.#program, null), { vocabulary: english });
    const when = reading?.when ?? null;
    if (when === null) this.#say(`“${text}” isn’t a day, like “monday.”`, true);
    else if (sayWhen(when, this.#program.moment()).isPast)
      this.#say('That’s in the past. Pick a later time.', true);
    else this.#snooze(when, 'later');
  }

  #estimate(task: Row, text: string): void {
    const minutes = readDuration(text, { vocabulary: english });
    if (minutes === null) {
      this.#say(`“${text}” isn’t a length, like 45m.`, true);
      return;
    }
    const name = this.#program.describe([task.id]);
    const set: Action = { a: 'set', id: task.id, field: 'duration', value: minutes };
    inBatches(this.#program, [set], `set the duration of ${name}`);
    this.#steps.push({ at: this.#at, task: task.id, before: this.#outcomes.get(task.id) });
    this.#step = 'task';
    this.#say(`${name} takes ${sayDuration(minutes)}.`);
  }

  #view(): PlanDayView {
    const capacity = this.#today.capacity();
    const task = this.#step === 'end' ? undefined : this.#task();
    return {
      step: this.#step,
      position: task === undefined ? '' : `${this.#at + 1} of ${this.#tasks.length}`,
      task: task === undefined ? null : this.#taskView(task),
      times: this.#times(),
      capacity: { text: sayCapacity(capacity) || 'No working time is left today.', isOver: isOver(capacity) },
      summary: task === undefined ? this.#summary() : '',
      said: this.#said,
    };
  }

  #taskView(task: Row): PlannedTaskView {
    const { rowFacts } = this.#program;
    const length = lengthOf(task);
    const due = rowFacts.dueOf(task);
    const facts = [
      rowFacts.path(task),
      ...(due === null ? [] : [`due ${due.text}`]),
      length === null ? 'no duration' : sayDuration(length),
    ].filter((fact) => fact !== '');
    const minutes = length ?? blockLimits.usualMinutes;
    const gap = this.#today.gap(minutes);
    return {
      title: nameOf(task) || 'Untitled',
      note: (fieldOf(task, 'notes') ?? '').trim().split('\n', 1).join(),
      facts: facts.join(' · '),
      gap: gap === null ? noGap(minutes) : `Next free: ${this.#range(gap, gap + minutes)}`,
    };
  }

  #times(): readonly PlannedTimeView[] {
    const events = this.#today.events().map(({ thing, from, to }, at) => ({
      from: from ?? -1,
      view: {
        key: `event ${at}`,
        time: from === null ? 'All day' : this.#range(from, to),
        title: thing.event.title || 'Untitled',
        isBlock: false,
      },
    }));
    const blocks = this.#today.blocks().map(({ held: { register, task }, from, to }) => ({
      from,
      view: { key: register, time: this.#range(from, to), title: nameOf(task) || 'Untitled', isBlock: true },
    }));
    return [...events, ...blocks].toSorted((a, b) => a.from - b.from).map(({ view }) => view);
  }

  /** "14:00–14:45" */
  #range(from: number, to: number | null): string {
    const format = new Intl.DateTimeFormat(this.#program.platform.locale(), {
      timeStyle: 'short',
      timeZone: 'UTC',
    });
    const said = (minute: number) => format.format(minute * MINUTE_MS);
    return to === null || to === from ? said(from) : `${said(from)}–${said(to)}`;
  }

  #summary(): string {
    const all = [...this.#outcomes.values()];
    const of = (type: Outcome['type']) => all.filter((outcome) => outcome.type === type).length;
    const minutes = all.reduce((sum, outcome) => sum + outcome.minutes, 0);
    const parts = [
      of('planned') === 0 ? '' : `${counted(of('planned'), 'task')} planned for ${sayDuration(minutes)}`,
      of('tomorrow') === 0 ? '' : `${of('tomorrow')} moved to tomorrow`,
      of('later') === 0 ? '' : `${of('later')} moved to later`,
      of('completed') === 0 ? '' : `${of('completed')} completed`,
    ].filter((part) => part !== '');
    const left = this.#tasks.length - all.length;
    const done = parts.length === 0 ? 'Nothing was changed.' : `${parts.join(', ')}.`;
    const open = left === 0 ? '' : ` ${left} left as ${left === 1 ? 'it was' : 'they were'}.`;
    return `${done}${open}`;
  }
}

const noGap = (minutes: number): string =>
  `No gap of ${sayDuration(minutes)} is left in today’s working time.`;

/** Opens it. False: there is nothing to plan, and nothing opens. */
export function openPlanDay(program: Program, today: Today): boolean {
  const dialog = new PlanDayDialog(program, today);
  if (dialog.isEmpty) return false;
  program.leaveText();
  program.editor.flush();
  program.dialog.open(dialog);
  return true;
}

/** Today with all blocks of the person. */
export const todayWith = (program: Program, book: BlockBook): Today => new Today(program, book);
