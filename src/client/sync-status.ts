// Everything a person may want to know about where their changes are: the "Sync status" dialog as plain data.
import { counted } from '#core/counted.ts';
import { isHeld } from '#sync/detached.ts';
import type { RecoveredItem, ServerTrouble } from '#sync/ports.ts';
import type { SyncState } from '#sync/replica-types.ts';
import { registerStamp, type Row } from '#sync/row.ts';
import { describeOperation, reasonOf } from './describing.ts';
import { askDevices, deviceName, devicesView } from './devices.ts';
import type { Program } from './program.ts';
import { reapplyAction } from './reapply.ts';
import { RECOVERED_MS } from './settling.ts';
import { actionOf } from './unsent-actions.ts';
import type { DialogView } from './dialog-view.ts';
import type { RecoveredView, SyncStatusView } from './sync-view.ts';

const MOST_SHOWN = 50;
const MINUTE_MS = 60_000;

type Fact = SyncStatusView['facts'][number];

function troubleText(trouble: ServerTrouble, count: number): string {
  const why =
    trouble === 'full'
      ? 'The server has no room left and takes no changes until somebody makes some.'
      : 'The server cannot take changes at the moment.';
  if (count === 0) return why;
  const stay = count === 1 ? 'stays' : 'stay';
  return `${why} ${counted(count, 'change')} ${stay} on this device and ${count === 1 ? 'is' : 'are'} sent as soon as it can.`;
}

function headlineOf(state: SyncState, count: number): string {
  switch (state.type) {
    case 'synced':
      return 'Everything is on the server.';
    case 'local':
      return 'There is no account: this device has the only copy.';
    case 'loading':
      return 'Loading.';
    case 'onDevice':
      if (state.asking === true)
        return `Asking the server. ${count === 0 ? 'Nothing waits' : `${counted(count, 'change')} on this device wait${count === 1 ? 's' : ''}`} to be sent.`;
      if (state.trouble !== undefined) return troubleText(state.trouble, count);
      if (count === 0)
        return state.online ? 'Everything is on the server.' : 'Offline. Nothing waits to be sent.';
      return `${counted(count, 'change')} on this device ${state.online ? 'on the way to the server' : 'until the server can be reached'}.`;
    case 'unsaved':
      return state.failing
        ? `${counted(state.waiting, 'change')} in memory only: this device’s storage takes nothing.`
        : 'Saving.';
    case 'signedOut':
      return count === 0 ? 'Sign in again to sync.' : `Sign in again to sync ${counted(count, 'change')}.`;
    case 'outdated': {
      const what = count === 0 ? 'What you change' : counted(count, 'change');
      const stays = count > 1 ? 'stay' : 'stays';
      return state.which === 'server'
        ? `The server runs an older version of Posthaste. ${what} ${stays} on this device until it is updated.`
        : `This version of Posthaste is too old for the server. ${what} ${stays} on this device until you reload into the new one.`;
    }
    case 'volatile':
      return 'This browser keeps nothing here.';
    case 'detached':
      return `Cloud sync is off on this device: nothing is sent or fetched. ${state.made === 0 ? 'Nothing was changed' : `${counted(state.made, 'change')} made`} since.`;
  }
}

function offsetText(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  if (seconds < 2) return 'Same as the server’s';
  const size = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${size} ${ms > 0 ? 'behind' : 'ahead of'} the server’s. Edits are still ordered rightly.`;
}

function agoText(program: Program, at: number | null): string {
  if (at === null) return 'Not yet';
  const locale = program.platform.locale();
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at);
  const ago = program.replica.now() - at;
  return ago < MINUTE_MS ? `Just now (${exact})` : exact;
}

const PERSISTED = {
  granted: 'On this device’s disk; the browser promised to keep it',
  refused: 'On this device’s disk; the browser may clear it when space is short',
  unasked: 'On this device’s disk; the browser is asked to keep it once you add something',
  unknown: 'On this device’s disk; this browser does not say whether it keeps it',
} as const;

function storageFact(program: Program): Fact {
  const { storage, persisted } = program.platform.device.facts.get();
  const state = program.engine.state.get();
  if (state.type === 'unsaved' && state.failing)
    return { name: 'Storage', text: 'This device’s disk takes nothing now; it may be full', tone: 'bad' };
  if (storage === 'memory')
    return { name: 'Storage', text: 'Memory only: this browser refuses storage here', tone: 'bad' };
  return { name: 'Storage', text: PERSISTED[persisted], tone: persisted === 'granted' ? 'good' : 'plain' };
}

const DIGESTS = {
  equal: { text: 'This copy and the server’s are equal', tone: 'good' },
  different: { text: 'Different from the server’s: it is read again', tone: 'bad' },
  unknown: { text: 'Not compared since the last change', tone: 'plain' },
} as const;

function serverFacts(program: Program): readonly Fact[] {
  const { account } = program.platform;
  if (account.email === null) return [];
  const { heardAt, acked, digest, clockOffsetMs, deviceNumber, detached, pending } = program.engine.facts();
  const comparison =
    digest === 'equal' && pending.length > 0
      ? { ...DIGESTS.equal, text: 'This copy and the server’s are equal, but for what waits' }
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
      text: acked === 0 ? 'None yet' : `Number ${acked} of device ${deviceNumber}`,
      tone: 'plain',
    },
    { name: 'Comparison', ...comparison },
    { name: 'This device’s clock', text: offsetText(clockOffsetMs), tone: 'plain' },
  ];
}

/** Whose text stands, and since when. */
function writerText(program: Program, row: Row, field: string): string {
  const [, time, device] = registerStamp(row, field);
  const { deviceNumber } = program.engine.facts();
  const who = device === deviceNumber ? 'this device' : deviceName(program, device);
  const at = new Intl.DateTimeFormat(program.platform.locale(), { dateStyle: 'medium', timeStyle: 'short' });
  return `${who}, ${at.format(time)}`;
}

/** Both texts, where one took the other's place. */
function sidesOf(program: Program, { operation, verdict }: RecoveredItem): RecoveredView['sides'] {
  const mine = actionOf(operation);
  if (verdict !== 'superseded' || mine.a !== 'set') return null;
  const row = program.replica.row(mine.id);
  if (!row) return null;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const theirs = text(row.fields[mine.field]);
  return { mine: text(mine.value), theirs, by: writerText(program, row, mine.field) };
}

function keptText(program: Program, at: number): string {
  const day = new Intl.DateTimeFormat(program.platform.locale(), { dateStyle: 'medium' });
  return `Since ${day.format(at)}, kept until ${day.format(at + RECOVERED_MS)}`;
}

/** Refused changes as they are shown. */
function recoveredViews(program: Program): readonly RecoveredView[] {
  const { replica, engine } = program;
  return engine.recovered.get().map((item) => {
    const { what, about } = describeOperation(item.operation, replica);
    // Any id will do for looking whether it can be made again.
    const canApply = reapplyAction(replica, item, item.operation.id) !== null;
    const sides = sidesOf(program, item);
    const reason = sides ? 'Another text stands in its place.' : reasonOf(item);
    return { seq: item.operation.q, what, about, reason, canApply, sides, kept: keptText(program, item.at) };
  });
}

/** Asks what the other devices have, and shows it where the status is still open. */
export function readDevices(program: Program): void {
  void askDevices(program).then(() =>
    program.act(() => {
      if (program.dialog.get()?.type === 'sync') program.dialog.set(ledgerDialog(program, 'sync'));
    }),
  );
}

export function ledgerDialog(program: Program, shown: 'sync' | 'recovered'): DialogView {
  return shown === 'sync'
    ? { type: 'sync', status: syncStatusOf(program) }
    : { type: 'recovered', items: recoveredViews(program) };
}

function syncStatusOf(program: Program): SyncStatusView {
  const { engine, replica, platform } = program;
  const { pending, unsaved, detached } = engine.facts();
  const held = detached === null ? pending : pending.filter(({ q }) => isHeld(detached, q));
  const unsavedFact: readonly Fact[] =
    unsaved === 0 ? [] : [{ name: 'Not on the disk yet', text: counted(unsaved, 'change'), tone: 'wait' }];
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
