// Learning by doing: a list of practice tasks that tick themselves when what they name is done. It holds nothing up, and is
// taken away again unless the person keeps it; what they wrote in it themselves goes to the Inbox. A lazy chunk.
import { readRecord } from '#core/json.ts';
import { listsRoot, type Id } from '#core/ids.ts';
import { completing } from '#sync/completing.ts';
import type { Action } from '#sync/operation.ts';
import type { RowChange } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
import { isDone, isTrashed, placeOf } from '#sync/row-reading.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, done, refused } from '../commands/define.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';
import type { LessonView } from './lesson-view.ts';
import type { Cause, KeysOf } from './door.ts';
import { goneMark } from './sweep.ts';
import { firstSteps, learntBy, type Step, type StepId, steps } from './steps.ts';

/** Where it stands, kept on the device. */
interface Kept {
  readonly list: Id;
  /** The task of each step. */
  readonly tasks: Readonly<Partial<Record<StepId, Id>>>;
  readonly learnt: readonly StepId[];
}

export const LESSON = 'lesson';
export const OVER = 'over';
const NAME = 'Learn Posthaste';
/** The answer to what was done is heard first. */
const SAID_AFTER_MS = 1_200;
const NONE = 'No lesson is under way. “Learn the first five keys” begins one.';

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

  /** What can be learnt with the keys that there are; a lesson begun by fingers keeps its steps when a key is pressed, and the reverse. */
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
    // No undo of it: the first thing that a learner takes back must be what they did themselves.
    const { verdicts } = program.change(make, `made the list ‘${NAME}’`, { undoable: false });
    if (verdicts[0] !== 'ok') return refused('The lesson cannot be made here.');
    this.#keep({ list, tasks, learnt: [] });
    program.sidebar.invalidate();
    program.open({ type: 'list', id: list });
    program.moveTo(tasks['move'] as Id);
    this.#sayStep(SAID_AFTER_MS);
    return done;
  }

  /** A command was done. */
  ran(command: string, cause: Cause | null): void {
    if (this.#kept === null) return;
    const learnt = learntBy(command);
    // Reopening is done by the same key.
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
      if (labels.some((field) => after.fields[field] === true && before?.fields[field] !== true))
        this.#seen.add('label');
    }
  }

  /** After every gesture: what is drawn, null without a lesson. What was done is ticked once the person has left the text. */
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
    if (step === null) return announced('Every step is done. Keep the list of the lesson or remove it.');
    this.#learn([step.id]);
    return done;
  }

  /** Takes the list away, or leaves it. */
  end(keeps: boolean): CommandResult {
    const kept = this.#kept;
    if (kept === null || !this.#exists(kept.list)) return refused(NONE);
    const program = this.#program;
    program.leaveText();
    this.#keep(null);
    if (keeps) return announced(`The lesson is over. Its list ‘${NAME}’ stays.`);
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
    const moved = own.length === 0 ? '' : ' What you wrote yourself is in the Inbox.';
    return announced(`The lesson is over and its list is in the trash.${moved}`);
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
    // What was completed and taken back is seen to be, until a later step is done. Nothing else that the person reopened is
    // touched: undo must find it as they left it.
    const isLater = !fresh.includes('undo') && !fresh.includes('complete') && kept.learnt.includes('undo');
    const ticked: readonly StepId[] = isLater ? ['complete', ...fresh] : fresh;
    const rows = ticked.flatMap((id) => program.replica.row(kept.tasks[id] ?? kept.list) ?? []);
    const open = rows.filter((row) => row.type === 'task' && !isDone(row) && !isTrashed(row));
    const ticks = completing(open, {
      at: program.replica.now(),
      zone: program.platform.zone(),
      children: null,
    });
    // Undo is for what the person did.
    if (ticks.length > 0) program.change(ticks, 'ticked a step of the lesson', { undoable: false });
    this.#sayStep(SAID_AFTER_MS);
  }

  /** The outermost of what the person wrote themselves. */
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

  /** Besides what goes to the Inbox there is nothing of the person's own in it, nor in the trash from it. */
  #isPure(kept: Kept, own: readonly Row[]): boolean {
    const { replica } = this.#program;
    const titles = new Map(this.#steps.map(({ id, title }) => [kept.tasks[id], title]));
    const isOurs = (row: Row) => titles.get(row.id) === nameOf(row) && !row.fields.notes && !isTrashed(row);
    const isNothing = (row: Row) =>
      row.type === 'task' && nameOf(row) === '' && !row.fields.notes && replica.children(row.id).length === 0;
    const held = [kept.list, ...Object.values(kept.tasks)].flatMap((id) => replica.children(id));
    return held.every((row) => isOurs(row) || own.includes(row) || isNothing(row));
  }

  /** Stands under one of these, and so would leave with it. */
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
        title: 'That is all you need to begin with.',
        after: 'The palette finds everything else, and the list of keys shows them all.',
        touch: 'Commands finds everything else.',
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

  /** For screen readers: the strip itself takes no focus. */
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
