// Turning cloud sync off on this device and on again: the questions, the list of what goes, and the safety copy that is on
// the disk before anything goes. Loaded when wanted. Not here: dropping the operations (sync/engine.ts).
import { counted } from '#core/counted.ts';
import { placeOf } from '#sync/row-reading.ts';
import type { DetachedChanges, RowChange } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
import { SAFETY_DAYS, type SafetyCopies, type SafetyCopy } from './device.ts';
import { makeUnsent } from './file-import.ts';
import type { Program } from './program.ts';
import { nameOf } from './row-facts.ts';
import { writeUnsent } from './unsent-file.ts';
import type { DialogView } from './dialog-view.ts';
import type { DetachedView, SafetyCopyView } from './sync-view.ts';

const DAY_MS = 86_400_000;
const MOST_NAMES = 200;
const ASK_AGAIN_MS = 2_000;
const FILE_NAME = 'Posthaste changes made while cloud sync was off.json';

type Part = DetachedView['parts'][number]['name'];
type Asked = Extract<DialogView, { readonly type: 'disableSync' | 'enableSync' | 'safetyCopies' }>;

function momentText({ platform }: Program, at: number): string {
  return new Intl.DateTimeFormat(platform.locale(), { dateStyle: 'long', timeStyle: 'short' }).format(at);
}

// Turning it off

export function openDisable(program: Program): void {
  const waiting = program.engine.facts().pending.length;
  program.dialog.set({ type: 'disableSync', waiting, sending: false, error: null });
}

function disable(program: Program): void {
  const { engine } = program;
  const isOff = () => engine.facts().detached !== null;
  const say = () => {
    const type = program.dialog.get()?.type;
    if (type === 'disableSync') program.dialog.set(null);
    program.say('Cloud sync is off. Nothing leaves this device until you enable it.');
  };
  engine.detach();
  if (isOff()) say();
  else void untilTrue(program, isOff, () => engine.detach()).then(() => program.act(say));
}

/** What another tab does for this one is true once it is told here. It is asked again where that tab may have ended. */
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

/** Turns it off once everything has arrived; the person may go on or give up meanwhile. */
function sendFirst(program: Program): void {
  const { engine } = program;
  program.dialog.set({
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
        ? 'Your session is over: sign in again to send them.'
        : hasTrouble
          ? 'The server takes no changes now. Try again later.'
          : 'The server cannot be reached. Try again when you are online.';
    if (isStuck) stop();
    if (isStuck || waiting !== dialog.waiting)
      program.dialog.set({ ...dialog, waiting, sending: !isStuck, error: isStuck ? error : null });
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
  if (after.fields['del'] !== undefined && before.fields['del'] === undefined) return 'Deleted';
  const names = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
  const differing = [...names].filter((name) => !isSame(before.fields[name], after.fields[name]));
  if (differing.length === 0) return null;
  return differing.every((name) => name === 'place') ? 'Moved' : 'Changed';
}

const NAMED: ReadonlySet<Row['type']> = new Set(['task', 'list', 'label', 'labelGroup']);

function listNameOf(program: Program, row: Row): string | null {
  for (let at: Row | undefined = row; at !== undefined;) {
    if (at.type === 'list') return at === row ? null : nameOf(at) || 'Inbox';
    const place = placeOf(at);
    at = place === undefined ? undefined : program.replica.row(place.parent);
  }
  return null;
}

/** What turning cloud sync on again removes, as it is listed. */
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
    if (!NAMED.has(row.type)) {
      others += 1;
      continue;
    }
    found.get(part)?.push(nameOf(row) || 'Without a name');
    const list = listNameOf(program, row);
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
  const { exportedOf } = await import('./documents.ts');
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
  program.dialog.set({ type: 'enableSync', lost, busy: false, error: null });
}

/** Keeps a copy, and only when that is on the disk lets go. Says so when it cannot: then nothing has changed. */
async function enable(program: Program): Promise<void> {
  const show = (patch: { busy: boolean; error: string | null }) => {
    const dialog = program.dialog.get();
    if (dialog?.type === 'enableSync') program.act(() => program.dialog.set({ ...dialog, ...patch }));
  };
  show({ busy: true, error: null });
  try {
    const count = await keepAndAttach(program);
    program.act(() => {
      if (program.dialog.get()?.type === 'enableSync') program.dialog.set(null);
      const kept = ` A copy of the ${counted(count, 'change')} made meanwhile is kept for ${SAFETY_DAYS} days under “Safety copies”.`;
      program.say(`Cloud sync is on.${count === 0 ? '' : kept}`);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    show({
      busy: false,
      error: `No copy could be kept on this device (${reason}). Cloud sync stays off and nothing was removed.`,
    });
  }
}

async function download(program: Program): Promise<void> {
  const made = program.engine.detachedChanges();
  if (made === null) return;
  const { text } = await safetyCopyOf(program, made);
  program.act(() => program.platform.saveFile(FILE_NAME, 'application/json', text));
}

/** Returns how many changes were put aside. */
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
    // False when something was made while the copy was being written: then it is written again.
    if (engine.attach(made)) {
      // What was dropped cannot be taken back; on the disk both go in one step.
      program.undo.clear();
      const isOn = () => engine.facts().detached?.at !== made.at;
      await untilTrue(program, isOn, () => engine.attach(made, true));
      return made.operations.length;
    }
  }
}

// What was put aside

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
    .catch(() =>
      program.act(() => program.say('This device’s safety copies cannot be read.', { error: true })),
    );
}

async function showCopies(program: Program, safety: SafetyCopies): Promise<void> {
  const copies = (await safety.list()).map((copy) => copyView(program, copy));
  program.act(() => program.dialog.set({ type: 'safetyCopies', copies }));
}

export function openCopies(program: Program): void {
  withCopies(program, (safety) => showCopies(program, safety));
}

async function useCopy(
  program: Program,
  safety: SafetyCopies,
  { action, copy: id }: Readonly<Record<string, string>>,
): Promise<void> {
  const copy = (await safety.list()).find((other) => other.id === id);
  if (action === 'drop' && copy) await safety.drop(copy.id);
  if (action === 'download' && copy)
    program.act(() => program.platform.saveFile(FILE_NAME, 'application/json', copy.text));
  if (action === 'restore' && copy) {
    const { readAgain } = await import('./unsent-reading.ts');
    program.act(() => {
      program.dialog.set(null);
      makeUnsent(program, 'the safety copy', readAgain(copy.text, program.replica));
    });
    return;
  }
  await showCopies(program, safety);
}

/** What is pressed in the dialogs of this file. */
export function submit(program: Program, dialog: Asked, values: Readonly<Record<string, string>>): void {
  if (dialog.type === 'disableSync') {
    if (values['action'] === 'send') sendFirst(program);
    else disable(program);
  } else if (dialog.type === 'enableSync') {
    if (values['action'] === 'download') void download(program);
    else if (!dialog.busy) void enable(program);
  } else withCopies(program, (safety) => useCopy(program, safety, values));
}
