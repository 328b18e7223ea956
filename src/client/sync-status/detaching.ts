// Turning cloud sync off and on again on this device: the questions, the list of what will be removed, and the safety
// copy that is on disk before anything is removed. A lazy part. The operations are dropped by sync/exchange/engine.ts.
import { DAY_MS } from '#core/time.ts';
import { counted } from '#core/counted.ts';
import type { DetachedChanges, RowChange } from '#sync/replica/replica-types.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import { SAFETY_DAYS, type SafetyCopies, type SafetyCopy } from '../app/device.ts';
import { makeUnsent } from '../transfer/file-import.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { writeUnsent } from './unsent-file.ts';
import type { Answer } from '../dialogs/dialog-view.ts';
import type { DetachedView, SafetyCopyAction, SafetyCopyView } from './status-view.ts';
import { rowAndAbove } from '#sync/rows/ancestors.ts';

const MOST_NAMES = 200;
const ASK_AGAIN_MS = 2_000;
const FILE_NAME = 'Posthaste changes made while cloud sync was off.json';

type Part = DetachedView['parts'][number]['name'];

function momentText({ platform }: Program, at: number): string {
  return new Intl.DateTimeFormat(platform.locale(), { dateStyle: 'long', timeStyle: 'short' }).format(at);
}

// Turning it off

export function openDisable(program: Program): void {
  const waiting = program.engine.facts().pending.length;
  program.dialog.show({ type: 'disableSync', waiting, sending: false, error: null });
}

function disable(program: Program): void {
  const { engine } = program;
  const isOff = () => engine.facts().detached !== null;
  const say = () => {
    const type = program.dialog.get()?.type;
    if (type === 'disableSync') program.dialog.close();
    program.say('Cloud sync is off. Nothing leaves this device until you enable it.');
  };
  engine.detach();
  if (isOff()) say();
  else void untilTrue(program, isOff, () => engine.detach()).then(() => program.act(say));
}

/** Waits until another tab's work is visible here. Asks again in case that tab has closed. */
function untilTrue({ engine, platform }: Program, isTrue: () => boolean, ask: () => void): Promise<void> {
  return new Promise((resolve) => {
    let cancel: () => void = () => undefined;
    const stop = engine.state.subscribe(look);
    const again = () => {
      cancel = platform.after(ASK_AGAIN_MS, () => {
        ask();
        again();
        look();
      });
    };
    again();
    look();

    function look(): void {
      if (!isTrue()) return;
      stop();
      cancel();
      resolve();
    }
  });
}

/** Turns it off once everything has arrived; meanwhile the person may wait or cancel. */
function sendFirst(program: Program): void {
  const { engine } = program;
  program.dialog.show({
    type: 'disableSync',
    waiting: engine.facts().pending.length,
    sending: true,
    error: null,
  });
  const stop = engine.state.subscribe(() => program.act(look));
  engine.nudge();
  look();

  function look(): void {
    const dialog = program.dialog.get();
    if (dialog?.type !== 'disableSync' || !dialog.sending) {
      stop();
      return;
    }
    const waiting = engine.facts().pending.length;
    const state = engine.state.get();
    if (waiting === 0) {
      stop();
      disable(program);
      return;
    }
    const hasTrouble = state.type === 'onDevice' && state.trouble !== undefined;
    const isStuck = state.type === 'signedOut' || hasTrouble || (state.type === 'onDevice' && !state.online);
    const error =
      state.type === 'signedOut'
        ? 'You’ve been signed out. Sign in again to send them.'
        : hasTrouble
          ? 'The server isn’t accepting changes. Try again later.'
          : 'Can’t reach the server. Try again when you’re online.';
    if (isStuck) stop();
    if (isStuck || waiting !== dialog.waiting)
      program.dialog.show({ ...dialog, waiting, sending: !isStuck, error: isStuck ? error : null });
  }
}

// Turning it on

/** Equality of registers, which are plain data. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function partOf({ before, after }: RowChange): Part | null {
  if (before === undefined) return 'Created';
  if (after === undefined) return null;
  if (fieldOf(after, 'del') !== undefined && fieldOf(before, 'del') === undefined) return 'Deleted';
  const names = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
  const differing = [...names].filter((name) => !isSame(registersOf(before)[name], registersOf(after)[name]));
  if (differing.length === 0) return null;
  return differing.every((name) => name === 'place') ? 'Moved' : 'Changed';
}

const NAMED: ReadonlySet<Row['type']> = new Set(['task', 'list', 'label', 'labelGroup']);

function listNameOf(program: Program, row: Row): string | null {
  for (const at of rowAndAbove(row, (id) => program.replica.row(id)))
    if (at.type === 'list') return at === row ? null : nameOf(at) || 'Inbox';
  return null;
}

/** The list of what turning cloud sync on again removes. */
export function describeDetached(program: Program, { rows, at }: DetachedChanges): DetachedView {
  const found = new Map<Part, string[]>(
    (['Created', 'Changed', 'Moved', 'Deleted'] as const).map((part) => [part, []]),
  );
  const lists = new Map<string, number>();
  let others = 0;
  for (const change of rows) {
    const row = change.after ?? change.before;
    const part = partOf(change);
    if (row === undefined || part === null) continue;
    // What became of a mount became of its list.
    const subject = (row.type === 'mount' && program.replica.row(row.fields.of)) || row;
    if (!NAMED.has(subject.type)) {
      others += 1;
      continue;
    }
    const isPlaced = subject !== row && part === 'Created';
    found.get(isPlaced ? 'Moved' : part)?.push(nameOf(subject) || 'Untitled');
    const list = listNameOf(program, subject);
    if (list !== null) lists.set(list, (lists.get(list) ?? 0) + 1);
  }
  const state = program.engine.state.get();
  return {
    since: momentText(program, at),
    parts: [...found].flatMap(([name, items]) =>
      items.length === 0 ? [] : [{ name, count: items.length, items: items.slice(0, MOST_NAMES) }],
    ),
    others,
    lists: [...lists].map(([name, count]) => ({ name, count })),
    waiting: state.type === 'detached' ? state.waiting : 0,
  };
}

async function safetyCopyOf(
  { replica, platform }: Pick<Program, 'replica' | 'platform'>,
  made: DetachedChanges,
): Promise<SafetyCopy> {
  const { exportedOf } = await import('#core/formats/exported.ts');
  const until = replica.now();
  const changed = exportedOf(made.rows.flatMap(({ after }) => after ?? []));
  const { operations } = made;
  const text = writeUnsent(
    { scope: replica.scope, operations, recovered: [], changed },
    { email: platform.account.email, at: until },
  );
  return { id: String(made.at), from: made.at, until, count: operations.length, text };
}

export function openEnable(program: Program): void {
  const made = program.engine.detachedChanges();
  if (made === null) return;
  if (made.operations.length === 0) {
    void enable(program);
    return;
  }
  const lost = describeDetached(program, made);
  program.dialog.show({ type: 'enableSync', lost, busy: false, error: null });
}

/** Writes the safety copy, and removes changes only once it is on disk. If that fails, says so and changes nothing. */
async function enable(program: Program): Promise<void> {
  const show = (patch: { busy: boolean; error: string | null }) => {
    const dialog = program.dialog.get();
    if (dialog?.type === 'enableSync') program.act(() => program.dialog.show({ ...dialog, ...patch }));
  };
  show({ busy: true, error: null });
  try {
    const count = await keepAndAttach(program);
    program.act(() => {
      if (program.dialog.get()?.type === 'enableSync') program.dialog.close();
      const kept = ` A copy of the ${counted(count, 'change')} made while it was off is kept for ${SAFETY_DAYS} days under “Safety copies.”`;
      program.say(`Cloud sync is on.${count === 0 ? '' : kept}`);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    show({
      busy: false,
      error: `Couldn’t keep a copy on this device (${reason}). Cloud sync is still off, and nothing was removed.`,
    });
  }
}

async function download(program: Program): Promise<void> {
  const made = program.engine.detachedChanges();
  if (made === null) return;
  const { text } = await safetyCopyOf(program, made);
  program.act(() => program.platform.saveFile(FILE_NAME, 'application/json', text));
}

/** Returns how many changes were moved to the safety copy. */
async function keepAndAttach(program: Program): Promise<number> {
  const { engine, platform } = program;
  await program.undo.load();
  for (;;) {
    const made = engine.detachedChanges();
    if (made === null) return 0;
    if (made.operations.length > 0) {
      const safety = await platform.device.safetyCopies();
      await safety.keep(await safetyCopyOf(program, made));
    }
    // False if something was changed while the copy was written: then it is written again.
    if (engine.attach(made)) {
      // Dropped changes cannot be undone; on disk both happen in one step.
      program.undo.forget(() => true);
      const isOn = () => engine.facts().detached?.at !== made.at;
      await untilTrue(program, isOn, () => engine.attach(made, true));
      return made.operations.length;
    }
  }
}

// Safety copies

function copyView(program: Program, { id, from, until, count }: SafetyCopy): SafetyCopyView {
  const format = new Intl.DateTimeFormat(program.platform.locale(), {
    dateStyle: 'long',
    timeStyle: 'short',
  });
  const age = Math.floor((program.replica.now() - until) / DAY_MS);
  return {
    id,
    span: format.formatRange(from, Math.max(from, until)),
    count,
    daysLeft: Math.max(1, SAFETY_DAYS - age),
  };
}

function withCopies(program: Program, work: (safety: SafetyCopies) => Promise<void>): void {
  program.platform.device
    .safetyCopies()
    .then(work)
    .catch(() => program.act(() => program.say('Can’t read this device’s safety copies.', { error: true })));
}

async function showCopies(program: Program, safety: SafetyCopies): Promise<void> {
  const copies = (await safety.list()).map((copy) => copyView(program, copy));
  program.act(() => program.dialog.show({ type: 'safetyCopies', copies }));
}

export function openCopies(program: Program): void {
  withCopies(program, (safety) => showCopies(program, safety));
}

async function useCopy(
  program: Program,
  safety: SafetyCopies,
  { action, copy: id }: SafetyCopyAction,
): Promise<void> {
  const copy = (await safety.list()).find((other) => other.id === id);
  if (action === 'drop' && copy) await safety.drop(copy.id);
  if (action === 'download' && copy)
    program.act(() => program.platform.saveFile(FILE_NAME, 'application/json', copy.text));
  if (action === 'restore' && copy) {
    const { readAgain } = await import('./unsent-reading.ts');
    program.act(() => {
      program.dialog.close();
      makeUnsent(program, 'the safety copy', readAgain(copy.text, program.replica));
    });
    return;
  }
  await showCopies(program, safety);
}

/** Handles the actions of this file's dialogs. */
export function submit(
  program: Program,
  answer: Answer<'disableSync' | 'enableSync' | 'safetyCopies'>,
): void {
  if (answer.type === 'disableSync') {
    if (answer.action.action === 'send') sendFirst(program);
    else disable(program);
  } else if (answer.type === 'enableSync') {
    if (answer.action.action === 'download') void download(program);
    else if (!answer.dialog.busy) void enable(program);
  } else withCopies(program, (safety) => useCopy(program, safety, answer.action));
}
