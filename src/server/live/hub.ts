// Tracks live connections by scope and by session, the version each was last told, and sends the next news: the rows when
// they are few and contiguous, else only that there is something to fetch.
// A connection here is anything that takes text; the WebSocket is in sockets.ts.
import type { Id } from '#core/ids.ts';
import { runLimits } from '#wire/macro-runs.ts';
import type { LiveMessage } from '#wire/live.ts';
import type { LiveHello, ScopeChanges } from '#wire/sync.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import { heardBy } from '../sync/readership.ts';
import type { Here } from '#wire/presence.ts';
import { askAnew, type Bus, type BusMessage } from './bus.ts';
import { OtherWrites, type OtherWritesPorts } from './other-writes.ts';
import { Presence, type PresencePorts } from './presence.ts';

/** Larger deltas are fetched: a compressed answer carries them better than a socket. */
const DELTA_BYTES = 8 * 1024;

export interface Listener {
  send(text: string): void;
  /** Ends the connection after what was sent. */
  end(reason: 'signed_out' | 'shutdown'): void;
}

interface Connection {
  actor: AccountActor;
  readonly listener: Listener;
  /** Last told version by scope; absent: none, so any change is a poke. */
  readonly told: Map<Id, number>;
}

interface Waiting {
  to: number;
  /** Contiguous and in order; undefined: a gap made rows useless. */
  deltas: ScopeChanges[] | undefined;
}

/** All live connections of this process. */
export interface Hub {
  /** Starts telling a connection about the scopes its actor may read. The result removes it. */
  add(actor: AccountActor, listener: Listener): Handle;
  countOf(account: number): number;
  size(): number;
  accounts(): ReadonlySet<number>;
  sessions(): ReadonlySet<Id>;
  /** Ends the connections of these sessions now. */
  endSessions(sessions: readonly Id[]): void;
  /** Updates the roles of every connection of an account, and reports scopes that are no longer readable. */
  refresh(account: number, rolesOf: (actor: AccountActor) => AccountActor): void;
  /** Ends every connection. */
  close(): void;
}

export interface Handle {
  hello(hello: LiveHello): Promise<void>;
  /** Where the person is in a shared list. */
  here(here: Here): void;
  remove(): void;
}

export interface HubPorts {
  readonly bus: Bus;
  /** Present version and generation of a scope; null: it does not exist. */
  readonly head: (scope: Id) => Promise<{ readonly version: number; readonly generation: string } | null>;
  /** Runs work after everything that arrived in this turn. */
  readonly nextTurn: (work: () => void) => void;
  readonly onError: (error: unknown) => void;
  /** For telling people of a shared list where the others are. */
  readonly presence: Omit<PresencePorts, 'publish' | 'node'>;
  /** For what other processes write. */
  readonly others: Pick<OtherWritesPorts, 'news' | 'versions'>;
}

/** Those who were connected to a server that leaves come back to the others within ten seconds, the fewer the sooner. */
const LONGEST_PAUSE_MS = 10_000;
const PAUSE_EACH_MS = 50;

const mayRead = (actor: AccountActor, scope: Id) => authorise(actor, { type: 'scope.read', scope }).allowed;

const text = (message: LiveMessage) => JSON.stringify(message);

const textOf = (changes: ScopeChanges) => text({ type: 'delta', changes });

/** The text of deltas, built once for all connections unless rows moved away: who may know where to decides then. */
function textsFor(deltas: readonly ScopeChanges[]): (actor: AccountActor) => readonly string[] {
  if (deltas.some(({ moved }) => moved !== undefined))
    return (actor) => deltas.map((changes) => textOf(heardBy(changes, (scope) => mayRead(actor, scope))));
  const texts = deltas.map(textOf);
  return () => texts;
}

/** The messages for one connection that was told `told`. */
function messagesFor(
  scope: Id,
  waiting: Waiting,
  texts: readonly string[],
  told: number | undefined,
): readonly string[] {
  const start = waiting.deltas?.findIndex(({ from }) => from === told) ?? -1;
  const following = start < 0 ? [] : texts.slice(start);
  const sizeBytes = following.reduce((sum, delta) => sum + Buffer.byteLength(delta), 0);
  if (following.length > 0 && sizeBytes <= DELTA_BYTES) return following;
  return [text({ type: 'poke', scope, to: waiting.to })];
}

class LiveHub implements Hub {
  readonly #ports: HubPorts;
  readonly #connections = new Set<Connection>();
  readonly #byScope = new Map<Id, Set<Connection>>();
  readonly #byAccount = new Map<number, Set<Connection>>();
  readonly #waiting = new Map<Id, Waiting>();
  readonly #presence: Presence;
  readonly #others: OtherWrites;
  /** When a run of a macro was announced last, by account: a device that connects afterwards hears of it. */
  readonly #runs = new Map<number, number>();
  #isScheduled = false;

  constructor(ports: HubPorts) {
    this.#ports = ports;
    const { bus, presence, others, onError } = ports;
    const told = {
      lowest: (scope: Id, below: number) => this.#lowest(scope, below),
      found: (scope: Id, to: number, changes: ScopeChanges | null) =>
        this.#tell(scope, { to, deltas: changes ? [changes] : undefined }),
    };
    this.#others = new OtherWrites({ ...others, after: presence.after, onError }, told);
    const publish: PresencePorts['publish'] = (news) => bus.publish({ type: 'presence', news });
    this.#presence = new Presence({ ...presence, node: bus.node, publish: bus.isShared ? publish : null });
    ports.bus.subscribe((message) => {
      if (message.type === 'changed') this.#note(message);
      else if (message.type === 'ended') this.endSessions(message.sessions);
      else if (message.type === 'presence') this.#presence.heard(message.news);
      else if (message.type === 'runs') this.#announceRun(message.account);
      else if (message.type === 'calendars') this.#tellAccount(message.account, { type: 'calendars' });
      else if (message.type === 'plan') this.#tellAccount(message.account, { type: 'plan' });
      else if (message.type === 'missed') this.#lookForAll();
    });
  }

  add(actor: AccountActor, listener: Listener): Handle {
    const connection: Connection = { actor, listener, told: new Map() };
    this.#connections.add(connection);
    this.#byAccount.set(actor.account, this.#ofAccount(actor.account).add(connection));
    this.#follow(connection);
    for (const scope of actor.roles.keys()) this.#presence.enter(connection, scope);
    return {
      hello: (message) => this.#hello(connection, message),
      here: (message) => this.#presence.here(connection, message),
      remove: () => this.#remove(connection),
    };
  }

  countOf(account: number): number {
    return this.#ofAccount(account).size;
  }

  size(): number {
    return this.#connections.size;
  }

  accounts(): ReadonlySet<number> {
    return new Set(this.#byAccount.keys());
  }

  sessions(): ReadonlySet<Id> {
    return new Set([...this.#connections].map(({ actor }) => actor.session));
  }

  endSessions(sessions: readonly Id[]): void {
    const over = new Set(sessions);
    const ended = [...this.#connections].filter(({ actor }) => over.has(actor.session));
    for (const connection of ended) this.#end(connection, { reason: 'signed_out' });
  }

  refresh(account: number, rolesOf: (actor: AccountActor) => AccountActor): void {
    for (const connection of this.#ofAccount(account)) {
      const before = connection.actor;
      this.#unfollow(connection);
      connection.actor = rolesOf(before);
      this.#follow(connection);
      for (const scope of before.roles.keys()) {
        if (mayRead(connection.actor, scope)) continue;
        connection.told.delete(scope);
        this.#presence.leave(connection, scope, true);
        connection.listener.send(text({ type: 'left', scope }));
      }
      for (const scope of connection.actor.roles.keys())
        if (!before.roles.has(scope)) {
          this.#presence.enter(connection, scope);
          this.#introduce(connection, scope);
        }
    }
  }

  close(): void {
    const all = [...this.#connections];
    const hasOthers = this.#ports.bus.nodes().length > 1;
    const longest = Math.min(LONGEST_PAUSE_MS, PAUSE_EACH_MS * all.length);
    for (const connection of all) {
      const after = hasOthers ? { after: Math.floor(Math.random() * longest) } : {};
      this.#end(connection, { reason: 'shutdown', ...after });
    }
    this.#presence.close();
    this.#others.close();
  }

  #ofAccount(account: number): Set<Connection> {
    return this.#byAccount.get(account) ?? new Set();
  }

  #follow(connection: Connection): void {
    for (const scope of connection.actor.roles.keys()) {
      if (!mayRead(connection.actor, scope)) continue;
      this.#byScope.set(scope, (this.#byScope.get(scope) ?? new Set()).add(connection));
    }
  }

  #unfollow(connection: Connection): void {
    for (const scope of connection.actor.roles.keys()) {
      const set = this.#byScope.get(scope);
      set?.delete(connection);
      if (set?.size === 0) this.#byScope.delete(scope);
    }
  }

  #remove(connection: Connection): void {
    const { account } = connection.actor;
    this.#connections.delete(connection);
    const others = this.#ofAccount(account);
    others.delete(connection);
    if (others.size === 0) this.#byAccount.delete(account);
    this.#unfollow(connection);
    for (const scope of connection.actor.roles.keys()) this.#presence.leave(connection, scope);
  }

  #end(connection: Connection, why: Omit<LiveMessage & { type: 'bye' }, 'type'>): void {
    this.#remove(connection);
    connection.listener.send(text({ type: 'bye', ...why }));
    connection.listener.end(why.reason);
  }

  #note({ scope, to, changes }: BusMessage & { readonly type: 'changed' }): void {
    if (!this.#byScope.has(scope)) return;
    if (to === askAnew) {
      this.#poke(scope);
      return;
    }
    if (changes === undefined && this.#ports.bus.isShared) {
      this.#others.note(scope, to);
      return;
    }
    const waiting = this.#waiting.get(scope);
    if (!waiting) {
      this.#waiting.set(scope, { to, deltas: changes ? [changes] : undefined });
    } else {
      if (to <= waiting.to) return;
      // Rows that are not contiguous with waiting ones, or not available, leave a gap that only fetching fills.
      if (changes && waiting.deltas?.at(-1)?.to === changes.from) waiting.deltas.push(changes);
      else waiting.deltas = undefined;
      waiting.to = to;
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#ports.nextTurn(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    for (const [scope, waiting] of this.#waiting) {
      const from = this.#lowest(scope, waiting.to);
      const isGap = from !== null && waiting.deltas?.some((delta) => delta.from === from) !== true;
      // Another process wrote in between: one read for all who were told less.
      if (isGap && this.#ports.bus.isShared) this.#others.note(scope, waiting.to);
      else this.#tell(scope, waiting);
    }
    this.#waiting.clear();
  }

  /** Tells everybody who was told less. */
  #tell(scope: Id, waiting: Waiting): void {
    const texts = textsFor(waiting.deltas ?? []);
    for (const connection of this.#byScope.get(scope) ?? []) {
      const told = connection.told.get(scope);
      if (told !== undefined && told >= waiting.to) continue;
      for (const message of messagesFor(scope, waiting, texts(connection.actor), told))
        connection.listener.send(message);
      connection.told.set(scope, waiting.to);
    }
  }

  #lowest(scope: Id, below: number): number | null {
    let lowest: number | null = null;
    for (const { told } of this.#byScope.get(scope) ?? []) {
      const version = told.get(scope);
      if (version !== undefined && version < below && version < (lowest ?? Infinity)) lowest = version;
    }
    return lowest;
  }

  /** Tells the account's devices that a run waits: after the rows that were written before it. */
  #announceRun(account: number): void {
    const now = this.#ports.presence.now();
    for (const [known, at] of this.#runs) if (at <= now - runLimits.waitMs) this.#runs.delete(known);
    this.#runs.set(account, now);
    this.#ports.nextTurn(() => this.#tellAccount(account, { type: 'runs' }));
  }

  #tellAccount(account: number, message: LiveMessage): void {
    for (const { listener } of this.#ofAccount(account)) listener.send(text(message));
  }

  #hasRun(account: number): boolean {
    return (this.#runs.get(account) ?? -Infinity) > this.#ports.presence.now() - runLimits.waitMs;
  }

  /** Compares all scopes with what was told of them; what is told next follows as usual. */
  #lookForAll(): void {
    this.#others.look([...this.#byScope.keys()]).catch((error: unknown) => {
      this.#ports.onError(error);
      for (const scope of this.#byScope.keys()) this.#poke(scope);
    });
  }

  #poke(scope: Id): void {
    for (const { listener } of this.#byScope.get(scope) ?? [])
      listener.send(text({ type: 'poke', scope, to: askAnew }));
  }

  /** Records the device's cursors, and pokes it for every scope that has changed since. */
  async #hello(connection: Connection, { cursors }: LiveHello): Promise<void> {
    for (const scope of connection.actor.roles.keys()) {
      if (!mayRead(connection.actor, scope)) continue;
      const head = await this.#ports.head(scope);
      if (!head || !this.#connections.has(connection)) continue;
      const cursor = cursors[scope];
      const isCurrent = cursor?.generation === head.generation && cursor.version >= head.version;
      if (!isCurrent) connection.listener.send(text({ type: 'poke', scope, to: head.version }));
      connection.told.set(scope, Math.max(head.version, connection.told.get(scope) ?? 0));
    }
    for (const scope of Object.keys(cursors) as Id[])
      if (!mayRead(connection.actor, scope)) connection.listener.send(text({ type: 'left', scope }));
    if (this.#hasRun(connection.actor.account)) connection.listener.send(text({ type: 'runs' }));
  }

  #introduce(connection: Connection, scope: Id): void {
    const { head, onError } = this.#ports;
    head(scope)
      .then((found) => {
        if (!found || !this.#connections.has(connection)) return;
        connection.listener.send(text({ type: 'poke', scope, to: found.version }));
      })
      .catch((error: unknown) => onError(error));
  }
}

/** A hub without connections, subscribed to the bus. */
export function createHub(ports: HubPorts): Hub {
  return new LiveHub(ports);
}
