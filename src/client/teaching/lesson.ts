// Learning by doing: five steps on the person's own tasks, each of which is over once they did it. It makes no task,
// changes none, and blocks nothing. A lazy part.
import { readRecord } from '#core/json.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { isDone } from '#sync/rows/row-reading.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { builtInOf } from '../search/built-in.ts';
import type { LessonView } from './lesson-view.ts';
import { LESSON, type Cause, type KeysOf } from './part.ts';
import { over, type Step, type StepId, steps } from './steps.ts';

const OVER = 'over';
/** Delay of the announcement: the message of the command comes first. */
const SAID_AFTER_MS = 1_200;
/** The last words stay so long. */
const LEFT_MS = 20_000;
const NONE = 'No lesson is running.';

/** The steps that were learned; null: no lesson is under way. */
function read(text: string | null): readonly string[] | null {
  const { learnt } = readRecord(text) as { readonly learnt?: unknown };
  return Array.isArray(learnt) ? learnt.filter((id) => typeof id === 'string') : null;
}

export class Lesson {
  readonly #program: Program;
  readonly #keysOf: KeysOf;
  #learnt: readonly string[] | null;
  readonly #seen = new Set<StepId>();
  #isTicking = false;
  #isSaying = false;

  constructor(program: Program, keysOf: KeysOf) {
    this.#program = program;
    this.#keysOf = keysOf;
    this.#learnt = read(program.platform.preferences.get(LESSON));
    if (this.#learnt !== null && this.#current === null) this.#endLater();
  }

  get #current(): Step | null {
    return steps.find(({ id }) => this.#learnt?.includes(id) === false) ?? null;
  }

  /** The first task of somebody new is being written. */
  begin(): void {
    this.#keep([]);
    this.#sayStep(SAID_AFTER_MS);
  }

  /** Begins it, or says where it stands. */
  start(): CommandResult {
    if (this.#learnt === null || this.#current === null) this.#keep([]);
    this.#sayStep(0);
    return done;
  }

  /** A command ran. */
  ran(command: string, cause: Cause | null): void {
    if (this.#learnt === null) return;
    if (cause === 'palette') this.#seen.add('palette');
    const { place } = this.#program.workspace;
    if (place.type === 'list' && builtInOf(this.#program.replica.scope, place.id) === 'today')
      this.#seen.add('today');
  }

  apply(changes: readonly RowChange[]): void {
    if (this.#learnt === null) return;
    for (const { before, after } of changes) {
      // A task that repeats stays open: what was done is a row of its own.
      if (after?.type === 'completion' && !before) this.#seen.add('complete');
      if (after?.type !== 'task') continue;
      if (!nameOf(before) && nameOf(after)) this.#seen.add('add');
      if (after.fields.due && !fieldOf(before, 'due')) this.#seen.add('due');
      // Also where a finished task leaves the list at once.
      if (before && isDone(after) && !isDone(before)) this.#seen.add('complete');
    }
  }

  /** The view after a gesture, null without a lesson. Steps are over once the person has left the text. */
  settle(): LessonView | null {
    if (this.#learnt === null) return null;
    // A new line without a word was begun by leaving the one before.
    const isWriting = (this.#program.editor.title?.text ?? '') !== '';
    if (this.#seen.size > 0 && !this.#isTicking && !isWriting) {
      this.#isTicking = true;
      this.#program.later(() => this.#tick());
    }
    return this.#view();
  }

  skip(): CommandResult {
    const step = this.#current;
    if (this.#learnt === null) return refused(NONE);
    if (step === null) return announced('You did every step.');
    this.#learn([step.id]);
    return done;
  }

  end(): CommandResult {
    if (this.#learnt === null) return refused(NONE);
    this.#keep(null);
    return announced('Ended the lesson. The palette has it.');
  }

  /** What is left to say has been read by then. */
  #endLater(): void {
    const { platform } = this.#program;
    platform.after(LEFT_MS, () =>
      this.#program.act(() => {
        if (this.#learnt !== null && this.#current === null) this.#keep(null);
      }),
    );
  }

  #keep(learnt: readonly string[] | null): void {
    this.#learnt = learnt;
    this.#seen.clear();
    this.#program.platform.preferences.set(LESSON, learnt === null ? OVER : JSON.stringify({ learnt }));
  }

  #tick(): void {
    this.#isTicking = false;
    const seen = [...this.#seen];
    this.#seen.clear();
    if (this.#learnt !== null) this.#learn(seen);
  }

  #learn(ids: readonly StepId[]): void {
    const learnt = this.#learnt ?? [];
    const fresh = ids.filter((id) => !learnt.includes(id));
    if (fresh.length === 0) return;
    this.#keep([...learnt, ...fresh]);
    this.#sayStep(SAID_AFTER_MS);
    if (this.#current === null) this.#endLater();
  }

  #view(): LessonView {
    const step = this.#current;
    const total = steps.length;
    const all = [...steps, over].map(({ title, touch }) => ({ title, touch }));
    const { title, after, touch, keys } = step ?? over;
    const at = step === null ? total : steps.indexOf(step) + 1;
    return { at, total, title, after, touch, keys, isOver: step === null, all };
  }

  /** For screen readers: the lesson's strip takes no focus. What else is announced meanwhile is heard out first. */
  #sayStep(afterMs: number): void {
    if (this.#isSaying) return;
    this.#isSaying = true;
    const { platform, messages } = this.#program;
    const { n } = messages.announcement.get();
    platform.after(afterMs, () =>
      this.#program.act(() => {
        this.#isSaying = false;
        if (this.#learnt === null) return;
        if (messages.announcement.get().n === n) messages.announce(this.#words());
        else this.#sayStep(SAID_AFTER_MS);
      }),
    );
  }

  #words(): string {
    const { at, total, title, after, touch, keys, isOver } = this.#view();
    const isTouch = this.#program.platform.touch;
    const caps =
      isTouch || isOver ? [] : keys.flatMap((command) => this.#keysOf(command)[0]?.join(' ') ?? []);
    const place = isOver ? '' : `${at} of ${total}. `;
    return [`${place}${title}${caps.length > 0 ? `: ${caps.join(' or ')}` : ''}`, isTouch ? touch : after]
      .filter(Boolean)
      .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
      .join(' ');
  }
}
