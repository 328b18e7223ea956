// Opens a profile's copy of the data: the engine on this device's disk, on memory where the browser refuses a
// disk, and the notices about what happened to it since the last time. Not here: what is drawn, and which
// profile is current.
import { lateChecks } from './platform/late-checks.ts';
import { marked } from '#sync/replica/detached.ts';
import { createEngine, type ShareableEngine } from '#sync/exchange/engine.ts';
import type { Detached, DeviceMeta, DeviceStorage, Transport } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { keepDetachedMark, readDetachedMark } from './platform/storage/detached-mark.ts';
import { StorageTaken } from './platform/storage/device-database.ts';
import type { DeviceState } from './platform/account/device-port.ts';
import { BrowserStorage, type StorageEvent } from './platform/storage/indexeddb.ts';
import { type SmallStorage, smallStorage } from './platform/storage/local-storage.ts';
import { databaseName, type Profile } from './platform/account/profile.ts';
import { type Companions, meetCompanions } from './platform/companions.ts';
import { type Seat, takeSeat } from './platform/storage/tab-lock.ts';
import { createSentinel, keepSentinel, type Sentinel } from './platform/storage/eviction-check.ts';
import { clock, newId, pause, random, timers, whenIdle } from './platform/world.ts';

export interface Copy {
  readonly engine: Engine;
  readonly isVolatile: boolean;
  /** No other tab worked on this copy when it was opened: what is done once for all of them is done here. */
  readonly leads: boolean;
  /** Looks whether the disk is still there; fills it again when it was emptied. */
  probe(): void;
  /** Writes the last word about what is stored. Call when the engine is closed. */
  stop(): void;
}

export interface CopyPorts {
  readonly profile: Profile;
  readonly transport: Transport | null;
  readonly device: DeviceState;
  /** Another tab or a newer version works on this copy now. */
  readonly onTaken: (isNewer: boolean) => void;
  readonly small?: SmallStorage;
}

function freshMeta(profile: Profile, detached: Detached | null): DeviceMeta {
  const { binding, localScope } = profile;
  const account = binding?.account ?? 0;
  const scope = binding?.scope ?? localScope;
  // Versions of a copy without an account only have to grow.
  const cursors = account === 0 ? { [scope]: { generation: 'local', version: Date.now() } } : {};
  const fresh = { deviceNumber: 0, scope, account, seq: 0, acked: 0, cursors, clockOffsetMs: 0 };
  return marked({ device: newId(), ...fresh }, detached);
}

function markOf({ profile, small = smallStorage }: CopyPorts): Detached | null {
  return profile.binding ? readDetachedMark(small, profile.id) : null;
}

function engineOn(storage: DeviceStorage, ports: CopyPorts, lane: number): ShareableEngine {
  const { profile, transport } = ports;
  const { binding, localScope } = profile;
  const detached = markOf(ports);
  const identity = { scope: binding?.scope ?? localScope, account: binding?.account ?? 0, detached };
  return createEngine({ storage, transport, clock, timers, random, lane, checks: lateChecks }, identity);
}

interface OnDisk {
  readonly engine: Engine;
  readonly companions: Companions | null;
  readonly storage: BrowserStorage;
  /** The disk knew this copy. */
  readonly isKnown: boolean;
}

async function openOnDisk(ports: CopyPorts, seat: Seat | null): Promise<OnDisk> {
  const { profile, device, onTaken } = ports;
  const hasAccount = profile.binding !== null;
  const onEvent = (event: StorageEvent) => {
    import('./platform/notices.ts').then(
      ({ noticeOf }) => {
        const notice = noticeOf(event, hasAccount);
        if (notice) device.tell(notice);
      },
      (error: unknown) => console.warn('Couldn’t report what happened to the storage.', event, error),
    );
    if (event.type !== 'taken') return;
    if (companions && !event.isNewer) companions.fenced();
    else onTaken(event.isNewer);
  };
  let engine: ShareableEngine | null = null;
  let companions: Companions | null = null;
  let isKnown = false;
  const storage = new BrowserStorage({
    name: databaseName(profile.id),
    idle: whenIdle,
    now: () => Date.now(),
    contents: () => engine?.contents() ?? null,
    identity: () => freshMeta(profile, markOf(ports)),
    isOnlyCopy: !hasAccount,
    onEvent,
  });
  const open = storage.open.bind(storage);
  storage.open = async (part) => {
    const state = await open(part);
    isKnown = state !== null;
    return state;
  };
  engine = engineOn(storage, ports, seat?.lane ?? 0);
  companions = seat && meetCompanions(engine, seat);
  try {
    await companions?.met;
    await engine.open();
  } catch (error) {
    companions?.stop();
    storage.close();
    throw error;
  }
  return { engine, companions, storage, isKnown };
}

const TRIES = 3;
const PAUSE_MS = 400;

/** Some refusals pass: a database being deleted, a browser still starting. */
async function openPatiently(ports: CopyPorts, seat: Seat | null): Promise<OnDisk> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openOnDisk(ports, seat);
    } catch (error) {
      const isFinal = error instanceof StorageTaken || !('indexedDB' in globalThis);
      if (isFinal || tries === TRIES) throw error;
      await pause(PAUSE_MS * tries);
    }
  }
}

/** Says what a vanished database took with it. The record is then about the new one. */
function tellLoss(sentinel: Sentinel, { device, profile }: CopyPorts): void {
  const record = sentinel.read();
  if (record === null) return;
  import('./platform/storage/storage-loss.ts').then(
    ({ lossText }) => {
      const text = lossText(record, profile.binding !== null);
      if (text !== null) device.tell({ tone: 'danger', text });
    },
    (error: unknown) => console.warn('Couldn’t say what this browser has cleared.', record, error),
  );
}

export async function openCopy(ports: CopyPorts): Promise<Copy> {
  const sentinel = createSentinel(ports.small ?? smallStorage, ports.profile.id);
  const seat = await takeSeat(ports.profile.id);
  let opened: OnDisk;
  try {
    opened = await openPatiently(ports, seat);
  } catch (error) {
    seat?.leave();
    const known = sentinel.read() !== null;
    // A copy that exists nowhere else must not seem empty.
    if (error instanceof StorageTaken || (known && ports.profile.binding === null)) throw error;
    const { openInMemory } = await import('./memory-copy.ts');
    return openInMemory((storage) => engineOn(storage, ports, 0), {
      device: ports.device,
      isKnown: known,
      reason: error,
    });
  }
  const { engine, companions, storage, isKnown } = opened;
  if (!isKnown) tellLoss(sentinel, ports);
  ports.device.facts.set({ ...ports.device.facts.get(), storage: 'disk' });
  const stopSentinel = keepSentinel(engine, sentinel, {
    now: () => Date.now(),
    isOnlyCopy: ports.profile.binding === null,
  });
  const stopMark = keepDetachedMark(engine, ports.small ?? smallStorage, ports.profile.id);
  const stopAsking = engine.replica.subscribe((changes, cause) => {
    const isReal = cause === 'local' && changes.some(({ after }) => after?.type === 'task');
    if (isReal) ports.device.askToPersist();
  });
  return {
    engine,
    isVolatile: false,
    leads: seat === null || seat.part === 'leader',
    probe: () => void storage.probe(),
    stop() {
      stopAsking();
      stopSentinel();
      stopMark();
      companions?.stop();
      seat?.leave();
    },
  };
}
