// Where people are in shared lists: takes what their devices say, and tells the other members, in batches. All of it is in
// memory and worth nothing a moment later: it is never stored, logged or counted by list. Who may hear and say it is asked of
// `authorise` with each message.
import {
  mostSelected,
  presenceBeatMs,
  presenceLastsMs,
  presencePauseMs,
  type Here,
  type PresenceNews,
  type There,
  type Who,
} from '#wire/presence.ts';
import type { Id } from '#core/ids.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import { type PageKey, Room, type Told } from './presence-room.ts';

const BATCH_MS = 50;
/** More than that is told later instead: a little less than 15 KB a second for each connection. */
const BYTES_PER_MS = 14;
/** Places that were said again without a change wait so long for others: where nobody moves there is no hurry. */
const REPEATED_MS = 1_000;
const LONGEST_PAUSE_MS = 1_000;
const FRAME_BYTES = 60 * 1024;
/** Pages that are shown of one list, and of one connection. */
const MOST_PAGES = 200;
const MOST_PAGES_OF_ONE = 8;
/** Messages of one connection in a second; what is beyond is passed over. */
const MOST_MESSAGES = 50;
const SECOND_MS = 1_000;

/** A connection, as far as this needs it. */
export interface Peer {
  readonly actor: AccountActor;
  readonly listener: { send(text: string): void };
}

export interface PresencePorts {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Returns the cancellation. */
  readonly after: (delayMs: number, work: () => void) => () => void;
  /** Names this process to the others. */
  readonly node: string;
  /** Tells the other processes; null: there are none. */
  readonly publish: ((news: PresenceNews) => void) | null;
}

const nothing: Told = { who: [], gone: [] };

const mayRead = (actor: AccountActor, scope: Id) => authorise(actor, { type: 'scope.read', scope }).allowed;

type News = Pick<There, 'scope' | 'present'> & Told;

/** When a list may be told again after news of this size. */
const intervalOf = (bytes: number) => Math.max(BATCH_MS, bytes / BYTES_PER_MS);

/** The news as frames of a limited size, with how often devices are to say their places from now on. */
export function framesOf({ who, gone, ...of }: News): readonly string[] {
  const parts: string[][] = [];
  let [size, total] = [FRAME_BYTES, 0];
  for (const text of who.map((one) => JSON.stringify(one))) {
    if (size + text.length >= FRAME_BYTES) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(text);
    size += text.length + 1;
    total += text.length + 1;
  }
  const pause = Math.min(LONGEST_PAUSE_MS, Math.round(intervalOf(total)));
  const head = JSON.stringify({ type: 'there', ...of, ...(pause > presencePauseMs && { pause }) }).slice(
    0,
    -1,
  );
  const frame = (places: readonly string[], over: Told['gone']) =>
    `${head},"who":[${places.join()}],"gone":${JSON.stringify(over)}}`;
  return [frame(parts[0] ?? [], gone), ...parts.slice(1).map((places) => frame(places, []))];
}

/** The people of this process's connections, and of what other processes say. The hub tells it who comes and goes. */
export class Presence {
  readonly #ports: PresencePorts;
  readonly #rooms = new Map<Id, Room<Peer>>();
  /** When each other process was last heard. */
  readonly #nodes = new Map<string, number>();
  readonly #rates = new WeakMap<Peer, { from: number; count: number }>();
  #cancelSweep: (() => void) | null = null;

  constructor(ports: PresencePorts) {
    this.#ports = ports;
  }

  /** A connection may read the scope from now on. Nobody else is ever in a person's own scope. */
  enter(peer: Peer, scope: Id): void {
    const { account, personalScope } = peer.actor;
    if (scope === personalScope || !mayRead(peer.actor, scope)) return;
    const known = this.#rooms.get(scope);
    const room = known ?? new Room<Peer>();
    this.#rooms.set(scope, room);
    room.add(peer, account);
    if (!known) this.#publish(scope, room, { ...nothing, asks: true });
    if (room.hasCompany)
      for (const text of framesOf({ scope, present: room.present, who: room.all(), gone: [] }))
        peer.listener.send(text);
    this.#schedule(scope, room);
    this.#sweepLater();
  }

  /** A connection is gone, or may read the scope no longer (`isOut`): it hears nothing more, in this very moment. */
  leave(peer: Peer, scope: Id, isOut = false): void {
    const room = this.#rooms.get(scope);
    if (!room?.peers.has(peer)) return;
    room.remove(peer);
    if (isOut) {
      const gone = room.all().map(({ account, page }): PageKey => [account, page]);
      for (const text of framesOf({ scope, present: 0, who: [], gone })) peer.listener.send(text);
    }
    this.#schedule(scope, room);
  }

  /** What a device says. Passed over where its person may not read the list, or where nobody would hear it. */
  here(peer: Peer, { scope, page, leaves, sel, focus, field, n }: Here): void {
    const room = this.#rooms.get(scope);
    if (!room?.peers.has(peer) || !mayRead(peer.actor, scope) || this.#isTooMuch(peer)) return;
    const { account } = peer.actor;
    let isChange = true;
    if (leaves) room.end(account, page);
    else {
      const who: Who = { account, page, sel: sel.slice(0, mostSelected), focus, n, ...(field && { field }) };
      if (!room.hasCompany) return;
      if (!room.has(who) && (room.spots >= MOST_PAGES || room.pagesOf(peer) >= MOST_PAGES_OF_ONE)) return;
      isChange = room.put(who, { by: peer, node: null, at: this.#ports.now() });
    }
    this.#schedule(scope, room, isChange ? 0 : REPEATED_MS);
  }

  /** What another process says. */
  heard({ node, scope, accounts, who, gone, asks }: PresenceNews): void {
    if (node === this.#ports.node) return;
    const isNew = !this.#nodes.has(node);
    this.#nodes.set(node, this.#ports.now());
    if (isNew) for (const [own, room] of this.#rooms) this.#publish(own, room, { who: room.own(), gone: [] });
    const room = scope === null ? undefined : this.#rooms.get(scope);
    if (scope === null || room === undefined) return;
    room.setElsewhere(node, accounts);
    for (const [account, page] of gone) room.end(account, page);
    for (const one of who) room.put(one, { by: node, node, at: this.#ports.now() });
    if (asks && !isNew) this.#publish(scope, room, { who: room.own(), gone: [] });
    this.#schedule(scope, room);
  }

  close(): void {
    this.#cancelSweep?.();
    this.#rooms.clear();
  }

  #isTooMuch(peer: Peer): boolean {
    const now = this.#ports.now();
    const rate = this.#rates.get(peer);
    if (!rate || now - rate.from >= SECOND_MS) {
      this.#rates.set(peer, { from: now, count: 1 });
      return false;
    }
    rate.count += 1;
    return rate.count > MOST_MESSAGES;
  }

  #schedule(scope: Id, room: Room<Peer>, patienceMs = 0): void {
    const now = this.#ports.now();
    const at = Math.max(room.nextAt, now + patienceMs);
    if (room.planned !== null && room.planned.at <= at) return;
    room.planned?.cancel();
    const cancel = this.#ports.after(at - now, () => {
      room.planned = null;
      this.#flush(scope, room);
    });
    room.planned = { at, cancel };
  }

  #flush(scope: Id, room: Room<Peer>): void {
    const { isNews, present } = room;
    const { news, own } = room.take();
    if (own) {
      this.#publish(scope, room, own);
      room.nextAt = this.#ports.now() + BATCH_MS;
    }
    if (isNews) {
      const frames = framesOf({ scope, present, ...news });
      for (const { listener } of room.peers.keys()) for (const text of frames) listener.send(text);
      const bytes = frames.reduce((sum, { length }) => sum + length, 0);
      room.nextAt = this.#ports.now() + intervalOf(bytes);
    }
    if (room.peers.size === 0 && this.#rooms.get(scope) === room) this.#rooms.delete(scope);
  }

  #publish(scope: Id, room: Room<Peer>, { who, gone, asks }: Told & Pick<PresenceNews, 'asks'>): void {
    const { node, publish } = this.#ports;
    publish?.({
      node,
      scope,
      accounts: [...room.accounts],
      who: [...who],
      gone: gone.map(([account, page]) => [account, page]),
      ...(asks && { asks }),
    });
  }

  /** While anybody is connected to a shared list. */
  #sweepLater(): void {
    this.#cancelSweep ??= this.#ports.after(presenceBeatMs, () => {
      this.#cancelSweep = null;
      this.#sweep();
      if (this.#rooms.size > 0) this.#sweepLater();
    });
  }

  #sweep(): void {
    const { node, now, publish } = this.#ports;
    const before = now() - presenceLastsMs;
    const lost = [...this.#nodes].flatMap(([name, at]) => (at < before ? [name] : []));
    for (const name of lost) this.#nodes.delete(name);
    for (const [scope, room] of this.#rooms) {
      for (const name of lost) room.setElsewhere(name, []);
      room.expire(before);
      if (room.isNews) this.#schedule(scope, room);
    }
    publish?.({ node, scope: null, accounts: [], who: [], gone: [] });
  }
}
