// Learning by doing: a list of practice tasks that complete themselves once the person has done what they say. It
// blocks nothing, and is removed unless the person keeps it; tasks that they added go to the Inbox. A lazy part.
import { readRecord } from '#core/json.ts';
import { listsRoot, type Id } from '#core/ids.ts';
import { completing } from '#sync/rows/completing.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import { isDone, isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { LessonView } from './lesson-view.ts';
import type { Cause, KeysOf } from './part.ts';
import { goneMark } from './lesson-cleanup.ts';
import { firstSteps, learntBy, type Step, type StepId, steps } from './steps.ts';

/** Progress of the lesson, stored on the device. */
interface Kept {
  readonly list: Id;
  /** The task of each step. */
  readonly tasks: Readonly<Partial<Record<StepId, Id>>>;
  readonly learnt: readonly StepId[];
}

export const LESSON = 'lesson';
export const OVER = 'over';
const NAME = 'Learn Posthaste';
/** Delay of the announcement: the message of the command comes first. */
const SAID_AFTER_MS = 1_200;
const NONE = 'No lesson is running. To start one, use “Learn the first five keys.”';

function read(text: string | null): Kept | null {
  const { list, tasks, learnt } = readRecord(text) as Partial<Kept>;
  return list && tasks && learnt ? { list, tasks, learnt } : null;
}

export class Lesson {
  readonly #program: Program;
  readonly #keysOf: KeysOf;
  #kept: Kept | null;
  readonly #seen = new Set<StepId>();
  #isTicking = false;
  #isSaying = false;

  constructor(program: Program, keysOf: KeysOf) {
    this.#program = program;
    this.#keysOf = keysOf;
    this.#kept = read(program.platform.preferences.get(LESSON));
  }

  get isRunning(): boolean {
    return this.#kept !== null;
  }

  /**
   * Steps that can be learned with the available input; a lesson begun by touch keeps its steps when a key is pressed,
   * and the reverse.
   */
  get #steps(): readonly Step[] {
    const kept = this.#kept;
    const hasKeys = kept === null ? !this.#program.platform.touch : kept.tasks.chord !== undefined;
    const hasChords = hasKeys && (this.#keysOf('go.today')[0]?.length ?? 0) > 1;
    return steps.filter(({ id }) => id !== 'chord' || hasChords);
  }

  get #current(): Step | null {
    return this.#steps.find(({ id }) => !this.#kept?.learnt.includes(id)) ?? null;
  }

  start(): CommandResult {
    if (this.#kept !== null && this.#exists(this.#kept.list)) {
      this.#program.open({ type: 'list', id: this.#kept.list });
      this.#sayStep(0);
      return done;
    }
    const program = this.#program;
    const { replica } = program;
    program.leaveText();
    this.#kept = null;
    const list = replica.newId();
    const tasks = Object.fromEntries(this.#steps.map(({ id }) => [id, replica.newId()]));
    const make: Action[] = [
      {
        a: 'create',
        id: list,
        type: 'list',
        fields: { listType: 'list', name: NAME },
        place: { parent: listsRoot(replica.scope) },
      },
      ...this.#steps.map(({ id, title }): Action => ({
        a: 'create',
        id: tasks[id] as Id,
        type: 'task',
        fields: { title },
        place: { parent: list },
      })),
    ];
    // No undo: the first thing that a learner undoes must be their own.
    const { verdicts } = program.change(make, `made the list ‘${NAME}’`, { undoable: false });
    if (verdicts[0] !== 'ok') return refused('Couldn’t create the lesson here.');
    this.#keep({ list, tasks, learnt: [] });
    program.sidebar.invalidate();
    program.open({ type: 'list', id: list });
    program.moveTo(tasks['move'] as Id);
    this.#sayStep(SAID_AFTER_MS);
    return done;
  }

  /** A command ran. */
  ran(command: string, cause: Cause | null): void {
    if (this.#kept === null) return;
    const learnt = learntBy(command);
    // Reopening uses the same key.
    const isOpen = learnt === 'complete' && !isDone(this.#program.workspace.cursorRow);
    if (learnt !== null && !isOpen) this.#seen.add(learnt);
    if (cause === 'palette') this.#seen.add('palette');
    if (cause === 'chord') this.#seen.add('chord');
  }

  apply(changes: readonly RowChange[]): void {
    if (this.#kept === null) return;
    const own = new Set(Object.values(this.#kept.tasks));
    for (const { before, after } of changes) {
      if (after?.type !== 'task') continue;
      if (!own.has(after.id) && !nameOf(before) && nameOf(after)) this.#seen.add('add');
      const labels = Object.keys(after.fields).filter((field) => field.startsWith('label:'));
      if (labels.some((field) => registersOf(after)[field] === true && registersOf(before)[field] !== true))
        this.#seen.add('label');
    }
  }

  /** The view after a gesture, null without a lesson. Completes steps once the person has left the text. */
  settle(): LessonView | null {
    if (this.#kept === null) return null;
    if (this.#program.engine.state.get().type === 'loading') return null;
    if (!this.#exists(this.#kept.list)) {
      this.#keep(null);
      return null;
    }
    if (this.#seen.size > 0 && !this.#isTicking && this.#program.editor.title === null) {
      this.#isTicking = true;
      this.#program.later(() => this.#tick());
    }
    return this.#view(this.#kept);
  }

  skip(): CommandResult {
    const step = this.#current;
    if (this.#kept === null) return refused(NONE);
    if (step === null) return announced('You did every step. Keep the lesson’s list or remove it.');
    this.#learn([step.id]);
    return done;
  }

  /** Removes the list, or keeps it. */
  end(keeps: boolean): CommandResult {
    const kept = this.#kept;
    if (kept === null || !this.#exists(kept.list)) return refused(NONE);
    const program = this.#program;
    program.leaveText();
    this.#keep(null);
    if (keeps) return announced(`Ended the lesson. Its list ‘${NAME}’ stays.`);
    const own = this.#ownTasks(kept);
    const isPure = this.#isPure(kept, own);
    const { place } = program.workspace;
    const isThere = place.type !== 'trash' && program.workspace.hasAncestorIn(place.id, new Set([kept.list]));
    if (isThere || (place.type === 'list' && place.id === kept.list))
      program.open({ type: 'list', id: program.workspace.inbox });
    const away: Action[] = own.map((row) => ({
      a: 'place',
      id: row.id,
      place: { parent: program.workspace.inbox },
    }));
    const elsewhere = Object.values(kept.tasks).filter((id) => this.#isAmong(id, own));
    const gone: Action[] = [...elsewhere, kept.list].map((id) => ({ a: 'delete', id }));
    program.change([...away, ...gone], 'ended the lesson');
    if (isPure) program.platform.preferences.set(LESSON, goneMark(kept.list));
    program.sidebar.invalidate();
    const moved = own.length === 0 ? '' : ' What you wrote is in the Inbox.';
    return announced(`Ended the lesson. Its list is in the trash.${moved}`);
  }

  #exists(list: Id): boolean {
    return this.#program.workspace.exists({ type: 'list', id: list });
  }

  #keep(kept: Kept | null): void {
    this.#kept = kept;
    this.#seen.clear();
    this.#program.platform.preferences.set(LESSON, kept === null ? OVER : JSON.stringify(kept));
  }

  #tick(): void {
    this.#isTicking = false;
    const learnt = [...this.#seen];
    this.#seen.clear();
    if (this.#kept !== null) this.#learn(learnt);
  }

  #learn(ids: readonly StepId[]): void {
    const kept = this.#kept;
    const fresh = this.#steps.flatMap(({ id }) =>
      ids.includes(id) && kept?.learnt.includes(id) === false ? [id] : [],
    );
    if (kept === null || fresh.length === 0) return;
    this.#keep({ ...kept, learnt: [...kept.learnt, ...fresh] });
    const program = this.#program;
    // A completion that was undone stays visible until a later step is done. Other tasks that the person reopened are
    // left alone: undo must find them unchanged.
    const isLater = !fresh.includes('undo') && !fresh.includes('complete') && kept.learnt.includes('undo');
    const ticked: readonly StepId[] = isLater ? ['complete', ...fresh] : fresh;
    const rows = ticked.flatMap((id) => program.replica.row(kept.tasks[id] ?? kept.list) ?? []);
    const open = rows.filter((row) => row.type === 'task' && !isDone(row) && !isTrashed(row));
    const ticks = completing(open, {
      at: program.replica.now(),
      zone: program.platform.zone(),
      children: null,
    });
    // Undo is for the person's own changes.
    if (ticks.length > 0) program.change(ticks, 'ticked a step of the lesson', { undoable: false });
    this.#sayStep(SAID_AFTER_MS);
  }

  /** The topmost tasks that the person added. */
  #ownTasks(kept: Kept): readonly Row[] {
    const practice = new Set(Object.values(kept.tasks));
    const own: Row[] = [];
    const open: Id[] = [kept.list];
    for (let parent = open.shift(); parent !== undefined; parent = open.shift()) {
      for (const row of this.#program.replica.children(parent)) {
        if (row.type !== 'task' || isTrashed(row)) continue;
        if (practice.has(row.id)) open.push(row.id);
        else if (nameOf(row) !== '' || row.fields.notes) own.push(row);
      }
    }
    return own;
  }

  /** Apart from tasks that go to the Inbox, it contains nothing of the person's own, and neither does the trash. */
  #isPure(kept: Kept, own: readonly Row[]): boolean {
    const { replica } = this.#program;
    const titles = new Map(this.#steps.map(({ id, title }) => [kept.tasks[id], title]));
    const isOurs = (row: Row) =>
      titles.get(row.id) === nameOf(row) && !fieldOf(row, 'notes') && !isTrashed(row);
    const isNothing = (row: Row) =>
      row.type === 'task' && nameOf(row) === '' && !row.fields.notes && replica.children(row.id).length === 0;
    const held = [kept.list, ...Object.values(kept.tasks)].flatMap((id) => replica.children(id));
    return held.every((row) => isOurs(row) || own.includes(row) || isNothing(row));
  }

  /** It is under one of these, and would be removed with it. */
  #isAmong(id: Id, rows: readonly Row[]): boolean {
    const row = this.#program.replica.row(id);
    const isLiving = row !== undefined && !isTrashed(row) && placeOf(row) !== undefined;
    return isLiving && this.#program.workspace.hasAncestorIn(id, new Set(rows.map((own) => own.id)));
  }

  #view({ list, learnt }: Kept): LessonView {
    const step = this.#current;
    const { place } = this.#program.workspace;
    const total = this.#steps.length;
    const isElsewhere =
      place.type === 'trash' ||
      (place.id !== list && !this.#program.workspace.hasAncestorIn(place.id, new Set([list])));
    const firsts = this.#steps.slice(0, firstSteps).every(({ id }) => learnt.includes(id));
    if (step === null)
      return {
        at: total,
        total,
        title: 'That’s all you need to start.',
        after: 'Everything else is in the palette, and the key list shows every key.',
        touch: 'Everything else is in the palette.',
        keys: ['palette.open', 'help.keys'],
        praise: null,
        isOver: true,
        isElsewhere,
      };
    const isPraised = firsts && learnt.length === firstSteps;
    return {
      at: Math.min(learnt.length + 1, total),
      total,
      title: step.title,
      after: step.after,
      touch: step.touch,
      keys: step.keys,
      praise: isPraised ? 'The first five are yours.' : null,
      isOver: false,
      isElsewhere,
    };
  }

  /** For screen readers: the lesson's strip takes no focus. */
  #sayStep(afterMs: number): void {
    if (this.#isSaying) return;
    this.#isSaying = true;
    const program = this.#program;
    program.platform.after(afterMs, () =>
      program.act(() => {
        this.#isSaying = false;
        if (this.#kept === null) return;
        const { at, total, title, after, touch, keys, praise, isOver } = this.#view(this.#kept);
        const isTouch = program.platform.touch;
        const caps = isTouch ? [] : keys.flatMap((command) => this.#keysOf(command)[0]?.join(' ') ?? []);
        const place = isOver ? '' : `${at} of ${total}. `;
        program.messages.announce(
          [
            praise,
            `${place}${title}${caps.length > 0 && !isOver ? `: ${caps.join(' or ')}` : ''}`,
            isTouch ? touch : after,
          ]
            .filter(Boolean)
            .map((sentence) => (/[.!?]$/.test(sentence ?? '') ? sentence : `${sentence}.`))
            .join(' '),
        );
      }),
    );
  }
}
