// Who listens to what: live connections by scope and by session, what each was last told about a scope, and what it is
// told next – the rows when they are few and follow on, else only that there is something to fetch.
// Knows connections as things to send text to; the WebSocket is in sockets.ts.
import type { Id } from '#core/ids.ts';
import type { LiveHello, LiveMessage, ScopeChanges } from '#wire/sync.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { Bus, BusMessage } from './bus.ts';

/** Larger deltas are fetched: a socket should not carry what a compressed answer carries better. */
const DELTA_BYTES = 8 * 1024;

export interface Listener {
  send(text: string): void;
  /** Ends the connection after what was sent. */
  end(reason: 'signed_out' | 'shutdown'): void;
}

interface Connection {
  actor: AccountActor;
  readonly listener: Listener;
  /** Version last told, by scope; absent: nothing yet, so any change is a poke. */
  readonly told: Map<Id, number>;
}

interface Waiting {
  to: number;
  /** In order and each following on the one before; undefined when a gap made rows useless. */
  deltas: ScopeChanges[] | undefined;
}

export interface Hub {
  /** Starts telling a connection about the scopes its actor may read. The result forgets it. */
  add(actor: AccountActor, listener: Listener): Handle;
  countOf(account: number): number;
  size(): number;
  accounts(): ReadonlySet<number>;
  sessions(): ReadonlySet<Id>;
  /** Ends the connections of these sessions now. */
  endSessions(sessions: readonly Id[]): void;
  /** Gives every connection of an account its roles anew, and tells what is no longer readable. */
  refresh(account: number, rolesOf: (actor: AccountActor) => AccountActor): void;
  /** Ends every connection. */
  close(): void;
}

export interface Handle {
  hello(hello: LiveHello): Promise<void>;
  remove(): void;
}

export interface HubPorts {
  readonly bus: Bus;
  /** Version and generation of a scope now; null when it does not exist. */
  head(scope: Id): Promise<{ readonly version: number; readonly generation: string } | null>;
  /** Runs work after everything that arrived in this turn. */
  nextTurn(work: () => void): void;
  onError(error: unknown): void;
}

const text = (message: LiveMessage) => JSON.stringify(message);

/** The messages for one connection that was told `told`; the texts of deltas are made once for all connections. */
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

export function createHub(ports: HubPorts): Hub {
  const connectionsByScope = new Map<Id, Set<Connection>>();
  const connections = new Set<Connection>();
  const connectionsByAccount = new Map<number, Set<Connection>>();
  const waitingByScope = new Map<Id, Waiting>();
  let isScheduled = false;

  function follow(connection: Connection): void {
    for (const scope of connection.actor.roles.keys()) {
      if (!authorise(connection.actor, { type: 'scope.read', scope }).allowed) continue;
      let set = connectionsByScope.get(scope);
      if (!set) connectionsByScope.set(scope, (set = new Set()));
      set.add(connection);
    }
  }

  function unfollow(connection: Connection): void {
    for (const scope of connection.actor.roles.keys()) {
      const set = connectionsByScope.get(scope);
      set?.delete(connection);
      if (set?.size === 0) connectionsByScope.delete(scope);
    }
  }

  const ofAccount = (account: number) => connectionsByAccount.get(account) ?? new Set<Connection>();

  function add(connection: Connection): void {
    const { account } = connection.actor;
    connections.add(connection);
    connectionsByAccount.set(account, ofAccount(account).add(connection));
    follow(connection);
  }

  function remove(connection: Connection): void {
    const { account } = connection.actor;
    connections.delete(connection);
    const others = ofAccount(account);
    others.delete(connection);
    if (others.size === 0) connectionsByAccount.delete(account);
    unfollow(connection);
  }

  function end(connection: Connection, reason: 'signed_out' | 'shutdown'): void {
    remove(connection);
    connection.listener.send(text({ type: 'bye', reason }));
    connection.listener.end(reason);
  }

  function flush(): void {
    isScheduled = false;
    for (const [scope, waiting] of waitingByScope) {
      const texts = (waiting.deltas ?? []).map((changes) => text({ type: 'delta', changes }));
      for (const connection of connectionsByScope.get(scope) ?? []) {
        const told = connection.told.get(scope);
        if (told !== undefined && told >= waiting.to) continue;
        for (const message of messagesFor(scope, waiting, texts, told)) connection.listener.send(message);
        connection.told.set(scope, waiting.to);
      }
    }
    waitingByScope.clear();
  }

  function note({ scope, to, changes }: BusMessage & { readonly type: 'changed' }): void {
    if (!connectionsByScope.has(scope)) return;
    const waiting = waitingByScope.get(scope);
    if (!waiting) {
      waitingByScope.set(scope, { to, deltas: changes ? [changes] : undefined });
    } else {
      if (to <= waiting.to) return;
      // Rows that do not follow on what is waiting, or are not at hand, leave a gap that only fetching fills.
      if (changes && waiting.deltas?.at(-1)?.to === changes.from) waiting.deltas.push(changes);
      else waiting.deltas = undefined;
      waiting.to = to;
    }
    if (isScheduled) return;
    isScheduled = true;
    ports.nextTurn(flush);
  }

  function endSessions(sessions: readonly Id[]): void {
    const over = new Set(sessions);
    for (const connection of [...connections])
      if (over.has(connection.actor.session)) end(connection, 'signed_out');
  }

  ports.bus.subscribe((message) => {
    if (message.type === 'changed') note(message);
    else endSessions(message.sessions);
  });

  /** What the device holds, and a poke for every scope that has moved on since. */
  async function hello(connection: Connection, { cursors }: LiveHello): Promise<void> {
    for (const scope of connection.actor.roles.keys()) {
      if (!authorise(connection.actor, { type: 'scope.read', scope }).allowed) continue;
      const head = await ports.head(scope);
      if (!head || !connections.has(connection)) continue;
      const cursor = cursors[scope];
      const isCurrent = cursor?.generation === head.generation && cursor.version >= head.version;
      if (!isCurrent) connection.listener.send(text({ type: 'poke', scope, to: head.version }));
      connection.told.set(scope, Math.max(head.version, connection.told.get(scope) ?? 0));
    }
    for (const scope of Object.keys(cursors) as Id[])
      if (!authorise(connection.actor, { type: 'scope.read', scope }).allowed)
        connection.listener.send(text({ type: 'left', scope }));
  }

  return {
    add(actor, listener) {
      const connection: Connection = { actor, listener, told: new Map() };
      add(connection);
      return {
        hello: (message) => hello(connection, message),
        remove: () => remove(connection),
      };
    },
    countOf: (account) => ofAccount(account).size,
    size: () => connections.size,
    accounts: () => new Set(connectionsByAccount.keys()),
    sessions: () => new Set([...connections].map(({ actor }) => actor.session)),
    endSessions,
    refresh(account, rolesOf) {
      for (const connection of ofAccount(account)) {
        const before = connection.actor;
        unfollow(connection);
        connection.actor = rolesOf(before);
        follow(connection);
        for (const scope of before.roles.keys()) {
          if (authorise(connection.actor, { type: 'scope.read', scope }).allowed) continue;
          connection.told.delete(scope);
          connection.listener.send(text({ type: 'left', scope }));
        }
        for (const scope of connection.actor.roles.keys()) {
          if (before.roles.has(scope)) continue;
          ports
            .head(scope)
            .then((head) => {
              if (head && connections.has(connection))
                connection.listener.send(text({ type: 'poke', scope, to: head.version }));
            })
            .catch(ports.onError);
        }
      }
    },
    close() {
      for (const connection of [...connections]) end(connection, 'shutdown');
    },
  };
}
