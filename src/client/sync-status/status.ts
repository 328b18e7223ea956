// Everything about where changes are: the "Sync status" dialog as plain data.
import { counted } from '#core/counted.ts';
import { isHeld } from '#sync/replica/detached.ts';
import type { RecoveredItem, SyncTrouble } from '#sync/replica/ports.ts';
import type { SyncState } from '#sync/replica/replica-types.ts';
import { registersOf, registerStamp, type Row } from '#sync/rows/row.ts';
import { describeOperation, reasonOf } from './operation-text.ts';
import { askDevices, deviceName, devicesView } from './devices.ts';
import type { Program } from '../app/program.ts';
import { reapplyAction } from './recovered-replay.ts';
import { RECOVERED_MS } from './recovered-actions.ts';
import { actionOf } from './unsent-actions.ts';
import type { DialogView } from '../dialogs/dialog-view.ts';
import type { RecoveredView, SyncStatusView } from './status-view.ts';

const MOST_SHOWN = 50;
const MINUTE_MS = 60_000;

type Fact = SyncStatusView['facts'][number];

function troubleText(trouble: SyncTrouble, count: number): string {
  if (trouble === 'locked' && count === 0)
    return 'Your tasks are encrypted, and this device has no key yet. Run “Unlock with recovery code” to read them.';
  if (trouble === 'locked')
    return `Your tasks are encrypted, and this device has no key yet. Unlock it to send ${counted(count, 'change')}.`;
  const why =
    trouble === 'full'
      ? 'The server is full and can’t accept changes.'
      : 'The server isn’t accepting changes right now.';
  if (count === 0) return why;
  const stay = count === 1 ? 'stays' : 'stay';
  return `${why} ${counted(count, 'change')} ${stay} on this device until ${count === 1 ? 'it' : 'they'} can be sent.`;
}

function headlineOf(state: SyncState, count: number): string {
  switch (state.type) {
    case 'synced':
      return 'Everything is on the server.';
    case 'local':
      return 'You don’t have an account. This device has the only copy.';
    case 'loading':
      return 'Loading.';
    case 'onDevice':
      if (state.asking === true)
        return `Asking the server. ${count === 0 ? 'Nothing’s waiting' : `${counted(count, 'change')} on this device waiting`} to be sent.`;
      if (state.trouble !== undefined) return troubleText(state.trouble, count);
      if (count === 0) return state.online ? 'Everything is on the server.' : 'Offline. Everything’s synced.';
      return `${counted(count, 'change')} on this device ${state.online ? 'on the way to the server' : 'until you’re back online'}.`;
    case 'unsaved':
      return state.failing
        ? `${counted(state.waiting, 'change')} not saved. This device’s storage may be full.`
        : 'Saving.';
    case 'signedOut':
      return count === 0 ? 'Sign in again to sync.' : `Sign in again to sync ${counted(count, 'change')}.`;
    case 'outdated': {
      const what = count === 0 ? 'Your work' : counted(count, 'change');
      const stays = count > 1 ? 'stay' : 'stays';
      return state.which === 'server'
        ? `The server runs an older version of Posthaste. ${what} ${stays} on this device until it is updated.`
        : `This version of Posthaste is too old for the server. ${what} ${stays} on this device until you reload.`;
    }
    case 'volatile':
      return 'This browser blocks storage here.';
    case 'detached':
      return `Cloud sync is off on this device. ${state.made === 0 ? 'Nothing changed' : `${counted(state.made, 'change')} made`} since.`;
  }
}

function offsetText(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  if (seconds < 2) return 'Same as the server’s';
  const size = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${size} ${ms > 0 ? 'behind' : 'ahead of'} the server’s. Edits still stay in the right order.`;
}

function agoText(program: Program, at: number | null): string {
  if (at === null) return 'Not yet';
  const locale = program.platform.locale();
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
  const ago = program.replica.now() - at;
  return ago < MINUTE_MS ? `Just now (${exact})` : exact;
}

const PERSISTED = {
  granted: 'On this device’s disk. Your browser promised to keep it.',
  refused: 'On this device’s disk. Your browser may clear it if space runs low.',
  unasked: 'On this device’s disk. We’ll ask your browser to keep it once you add something.',
  unknown: 'On this device’s disk. This browser doesn’t say if it keeps it.',
} as const;

function storageFact(program: Program): Fact {
  const { storage, persisted } = program.platform.device.facts.get();
  const state = program.engine.state.get();
  if (state.type === 'unsaved' && state.failing)
    return { name: 'Storage', text: 'Can’t save to this device’s disk. It may be full.', tone: 'bad' };
  if (storage === 'memory')
    return { name: 'Storage', text: 'Memory only. This browser blocks storage here.', tone: 'bad' };
  return { name: 'Storage', text: PERSISTED[persisted], tone: persisted === 'granted' ? 'good' : 'plain' };
}

const DIGESTS = {
  equal: { text: 'This copy matches the server’s', tone: 'good' },
  different: { text: 'Differs from the server’s. Reading it again.', tone: 'bad' },
  unknown: { text: 'Not compared since the last change', tone: 'plain' },
} as const;

function serverFacts(program: Program): readonly Fact[] {
  const { account } = program.platform;
  if (account.email === null) return [];
  const { heardAt, acked, digest, clockOffsetMs, deviceNumber, detached, pending } = program.engine.facts();
  const comparison =
    digest === 'equal' && pending.length > 0
      ? { ...DIGESTS.equal, text: 'This copy matches the server’s, except what’s waiting' }
      : DIGESTS[digest];
  const off: readonly Fact[] =
    detached === null
      ? []
      : [{ name: 'Cloud sync', text: `Off since ${agoText(program, detached.at)}`, tone: 'wait' }];
  return [
    { name: 'Account', text: account.email, tone: 'plain' },
    ...off,
    {
      name: 'Last heard from the server',
      text: agoText(program, heardAt),
      tone: heardAt === null ? 'wait' : 'plain',
    },
    {
      name: 'Last change the server confirmed',
      text: acked === 0 ? 'None yet' : `Number ${acked} from device ${deviceNumber}`,
      tone: 'plain',
    },
    { name: 'Comparison', ...comparison },
    { name: 'This device’s clock', text: offsetText(clockOffsetMs), tone: 'plain' },
  ];
}

/** The author of the current text, and its time. */
function writerText(program: Program, row: Row, field: string): string {
  const [, time, device] = registerStamp(row, field);
  const { deviceNumber } = program.engine.facts();
  // What no server has numbered yet was written here, in another tab.
  const isHere = device === deviceNumber || device < 1;
  const who = isHere ? 'this device' : deviceName(program, device);
  const at = new Intl.DateTimeFormat(program.platform.locale(), { dateStyle: 'medium', timeStyle: 'short' });
  return `${who}, ${at.format(time)}`;
}

/** Both texts, if one replaced the other. */
function sidesOf(program: Program, { operation, verdict }: RecoveredItem): RecoveredView['sides'] {
  const mine = actionOf(operation);
  if (verdict !== 'superseded' || mine.a !== 'set') return null;
  const row = program.replica.row(mine.id);
  if (!row) return null;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const theirs = text(registersOf(row)[mine.field]);
  return { mine: text(mine.value), theirs, by: writerText(program, row, mine.field) };
}

function keptText(program: Program, at: number): string {
  const day = new Intl.DateTimeFormat(program.platform.locale(), { dateStyle: 'medium' });
  return `Since ${day.format(at)}, kept until ${day.format(at + RECOVERED_MS)}`;
}

/** Refused changes for the dialog. */
function recoveredViews(program: Program): readonly RecoveredView[] {
  const { replica, engine } = program;
  return engine.recovered.get().map((item) => {
    const { what, about } = describeOperation(item.operation, replica);
    // Only tests whether it can be replayed, so any id will do.
    const canApply = reapplyAction(replica, item, item.operation.id) !== null;
    const sides = sidesOf(program, item);
    const reason = sides ? 'The text has changed since.' : reasonOf(item);
    const list = item.list ?? null;
    const kept = keptText(program, item.at);
    return { seq: item.operation.q, what, about, list, reason, canApply, sides, kept };
  });
}

/** Asks for the state of the other devices, and redraws the status if it is still open. */
export function readDevices(program: Program): void {
  void askDevices(program).then(() =>
    program.act(() => {
      if (program.dialog.get()?.type === 'sync') program.dialog.show(syncStatusDialog(program, 'sync'));
    }),
  );
}

export function syncStatusDialog(program: Program, shown: 'sync' | 'recovered'): DialogView {
  return shown === 'sync'
    ? { type: 'sync', status: syncStatusOf(program) }
    : { type: 'recovered', items: recoveredViews(program) };
}

function syncStatusOf(program: Program): SyncStatusView {
  const { engine, replica, platform } = program;
  const { pending, unsaved, detached } = engine.facts();
  const held = detached === null ? pending : pending.filter(({ q }) => isHeld(detached, q));
  const unsavedFact: readonly Fact[] =
    unsaved === 0 ? [] : [{ name: 'Not saved to disk yet', text: counted(unsaved, 'change'), tone: 'wait' }];
  return {
    headline: headlineOf(engine.state.get(), held.length),
    facts: [...serverFacts(program), storageFact(program), ...unsavedFact],
    isOff: detached !== null,
    hasUnsent: pending.length > 0,
    unsentCount: held.length,
    unsent: held.slice(0, MOST_SHOWN).map((operation) => ({
      seq: operation.q,
      ...describeOperation(operation, replica),
    })),
    devices: devicesView(program),
    recovered: recoveredViews(program),
    notices: platform.device.notices.get(),
    kept: platform.device.kept,
    hasAccount: platform.account.email !== null,
  };
}
