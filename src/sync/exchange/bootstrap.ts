// Reads scopes from the start, page by page, when the server says that a cursor alone is not enough: for a new device,
// or one that was away for too long. It runs beside the exchange of changes (sync-loop.ts), which goes on meanwhile:
// the cursor stays at the version V0 at which the reading began, so edits are sent and changes arrive as always, and
// the pages fill in the rows that have not changed since V0. The progress is stored with the rows of each page, so a
// restart reads on.
//
// Why rows that arrive both ways are right: a row is accepted unless a newer one is held, and a row that was purged
// since V0 never is. Where rows from before may be wrong (`replaces`), the first arrival of each row counts whatever
// its version, and at the end all rows that appeared in no page and no change are removed. Only this run knows which
// rows appeared: when the reading continued after a restart, the scope's digest decides at the end, and if it differs
// the scope is read once more. The rows stay visible all the time.
import type { Id } from '#core/ids.ts';
import type { ScopeChanges, SnapshotPlace } from '#wire/sync.ts';
import type {
  Clock,
  PartPage,
  Random,
  Reading,
  Timers,
  Transport,
  TransportAnswer,
  TransportFailure,
} from '../replica/ports.ts';
import type { DeviceReplica } from '../replica/replica.ts';
import { FIRST_PLACE, readingsOf } from './reading.ts';
import { keepOnly, receivePage } from './taking-in.ts';
import type { StoredRow } from '../rows/row.ts';
import type { SaveQueue } from '../replica/save-queue.ts';

/** Rows taken in at once, and how long that may go on before keys and frames have their turn. */
const SLICE_ROWS = 100;
const SLICE_MS = 8;
const LONGEST_BACKOFF_MS = 60_000;

export interface BootstrapPorts {
  readonly replica: DeviceReplica;
  readonly saves: SaveQueue;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  changed(): void;
  /** Exchanges changes soon. */
  wake(): void;
}

/** The state of a reading that only this run knows. */
interface Session {
  /** Rows that appeared since the first page, in pages and in changes. */
  readonly seen: Set<Id>;
  readonly gone: Set<Id>;
  /** Whether this run has read from the first page on. */
  readonly isWhole: boolean;
  /** A request for changes was sent after the last page. */
  isAsked: boolean;
  ahead: Promise<TransportAnswer<PartPage>> | null;
}

const newSession = (isWhole: boolean): Session => ({
  seen: new Set(),
  gone: new Set(),
  isWhole,
  isAsked: false,
  ahead: null,
});

export class Bootstraps {
  readonly #ports: BootstrapPorts;
  readonly #sessions = new Map<Id, Session>();
  #isRunning = false;
  #isClosed = false;
  #failures = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(ports: BootstrapPorts) {
    this.#ports = ports;
    for (const [scope, { next }] of this.#readings())
      this.#sessions.set(scope, newSession(next?.part === FIRST_PLACE.part && next.after === null));
  }

  /** Starts to read the scope from its first page, as stated in `readings`; restarts a running reading. */
  begin(scope: Id): void {
    this.#sessions.set(scope, newSession(true));
    this.wake();
  }

  /** The scope was answered completely, or may no longer be read. */
  end(scope: Id): void {
    this.#sessions.delete(scope);
  }

  /** Whether a changed row counts regardless of the held version. */
  replaces(row: StoredRow): boolean {
    const session = this.#sessions.get(row.scope);
    return session !== undefined && this.#reading(row.scope)?.replaces === true && !session.seen.has(row.id);
  }

  /** Changes of a scope were taken in. */
  noted({ scope, rows, gone, moved = [], to, digest }: ScopeChanges): void {
    const session = this.#sessions.get(scope);
    const reading = this.#reading(scope);
    if (session === undefined || reading === undefined) return;
    for (const { id } of rows) session.seen.add(id);
    for (const { id } of rows) session.gone.delete(id);
    for (const id of [...gone, ...moved.map(([id]) => id)]) session.gone.add(id);
    const { digest: _old, ...rest } = reading;
    const sum = digest === undefined ? {} : { digest: { version: to, sum: digest } };
    this.#ports.replica.setReading(scope, { ...rest, ...sum });
  }

  /** A request for changes is being sent. */
  asking(): void {
    for (const [scope, { next }] of this.#readings()) {
      const session = this.#sessions.get(scope);
      if (next === null && session !== undefined) session.isAsked = true;
    }
  }

  /** Its answer was taken in: ends readings that have all pages. Returns the scopes whose digest differs. */
  answered(changes: readonly ScopeChanges[]): readonly Id[] {
    const unequal: Id[] = [];
    for (const [scope, session] of this.#sessions) {
      const hasMore = changes.some(
        (change) => change.scope === scope && (change.more || change.rollback !== undefined),
      );
      if (session.isAsked && !hasMore && !this.#finish(scope, session)) unequal.push(scope);
    }
    return unequal;
  }

  /** Reads on, unless it is waiting after a failure. */
  wake(): void {
    if (this.#isRunning || this.#isClosed || this.#cancelTimer !== null) return;
    void this.#run();
  }

  /** Reads on at once, whatever failed before. */
  nudge(): void {
    this.#failures = 0;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
  }

  #readings(): readonly (readonly [Id, Reading])[] {
    return readingsOf(this.#ports.replica.meta);
  }

  #reading(scope: Id): Reading | undefined {
    return this.#ports.replica.meta.readings?.[scope];
  }

  #start(scope: Id, reading: Reading): void {
    this.#sessions.set(scope, newSession(true));
    this.#ports.replica.setReading(scope, reading);
    this.#ports.changed();
  }

  /** False: the rows do not have the server's digest; the scope has to be read once more. */
  #finish(scope: Id, { seen, isWhole }: Session): boolean {
    const { replica, saves } = this.#ports;
    const reading = this.#reading(scope);
    if (reading?.replaces === true && isWhole) saves.add({ rowsRemove: keepOnly(replica, scope, seen) });
    const said = reading?.digest;
    const isKnown = said !== undefined && said.version === replica.meta.cursors[scope]?.version;
    const isEqual = isKnown && said.sum === replica.digestOf(scope);
    this.end(scope);
    replica.setReading(scope, null);
    saves.add({});
    this.#ports.changed();
    // Without a digest, and without knowing all rows that appeared, nobody knows which rows should be gone.
    return isEqual || (!isKnown && (isWhole || reading?.replaces !== true));
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      const open = this.#readings().find(([, { next }]) => next !== null);
      if (open === undefined || this.#isClosed) break;
      const failure = await this.#readPage(open[0], open[1].next as SnapshotPlace);
      if (failure !== null) {
        this.#isRunning = false;
        this.#comeBack(failure);
        return;
      }
      this.#failures = 0;
    }
    this.#isRunning = false;
  }

  /**
   * Whether the failure is the network's or a lost permission to read: the exchange of changes finds out and reports
   * it.
   */
  #comeBack(failure: TransportFailure): void {
    if (this.#isClosed) return;
    this.#failures += 1;
    const backoff = Math.min(LONGEST_BACKOFF_MS, 500 * 2 ** Math.min(this.#failures, 8));
    const wait = failure.type === 'busy' ? Math.max(failure.retryAfterMs, backoff) : backoff;
    this.#cancelTimer = this.#ports.timers.after(wait * (0.5 + this.#ports.random.fraction() / 2), () => {
      this.#cancelTimer = null;
      this.wake();
    });
    this.#ports.wake();
  }

  async #readPage(scope: Id, place: SnapshotPlace): Promise<TransportFailure | null> {
    const { transport, replica, saves } = this.#ports;
    const session = this.#sessions.get(scope);
    if (session === undefined) {
      replica.setReading(scope, null);
      return null;
    }
    const isCurrent = () => !this.#isClosed && this.#sessions.get(scope) === session;
    const answer = await (session.ahead ?? transport.snapshot(scope, place));
    session.ahead = null;
    if (!isCurrent()) return null;
    if (!answer.ok) return this.#refused(scope, place, answer.problem);
    const { rows, next, total, generation } = answer.value;
    // The server was restarted, and maybe restored to an older state: the exchange of changes finds out first, while
    // all held rows are still here.
    const isOther = generation !== undefined && generation !== replica.meta.cursors[scope]?.generation;
    if (isOther) return { type: 'offline' };
    // The next page is requested while this one is taken in.
    if (next !== null) session.ahead = transport.snapshot(scope, next);
    await this.#takeIn(rows, session, isCurrent);
    const reading = this.#reading(scope);
    if (!isCurrent() || reading === undefined) return null;
    const read = reading.read + rows.length;
    replica.setReading(scope, { ...reading, next, read, total: total ?? reading.total });
    saves.add({});
    this.#ports.changed();
    if (next === null) this.#ports.wake();
    // No page is taken in before the previous one is stored, so that little waits for the disk.
    await saves.tried();
    return null;
  }

  /** A place that the server does not know (it is another version) is replaced by the first one. */
  #refused(scope: Id, place: SnapshotPlace, failure: TransportFailure): TransportFailure | null {
    const reading = this.#reading(scope);
    const isOwn = failure.type === 'refused' && failure.code === 'invalid' && place.after !== null;
    if (!isOwn || reading === undefined) return failure;
    this.#start(scope, { ...reading, next: FIRST_PLACE, read: 0 });
    return null;
  }

  async #takeIn(rows: readonly StoredRow[], session: Session, isCurrent: () => boolean): Promise<void> {
    const { replica, saves, clock } = this.#ports;
    let began = clock.monotonic();
    for (let start = 0; start < rows.length; start += SLICE_ROWS) {
      if (start > 0 && clock.monotonic() - began > SLICE_MS) {
        await this.#breathe();
        began = clock.monotonic();
      }
      if (!isCurrent()) return;
      const slice = rows.slice(start, start + SLICE_ROWS).filter(({ id }) => !session.gone.has(id));
      saves.add({ rowsPut: receivePage(replica, slice, (row) => this.replaces(row), 'load') });
      for (const { id } of slice) session.seen.add(id);
    }
  }

  #breathe(): Promise<void> {
    const { timers } = this.#ports;
    return new Promise((resolve) => {
      if (timers.soon === undefined) timers.after(0, resolve);
      else timers.soon(resolve);
    });
  }
}
