// Moves of single tasks between the sealed scope and others, as they are sent. Only a device with the key can open what leaves, and say what
// comes: that is done before such a move goes out, and what follows it is made for the scope that the task is in then.
import type { HeardVerdict, Operation } from '../../rows/operation.ts';
import type { DeviceKeys } from '../device-keys.ts';
import type { SealingHost, SealingServer } from '../ports.ts';
import type { ListWay } from '../scope-state.ts';
import { Homes } from './home.ts';
import { sendLists, type ListWalk } from './list-walk.ts';

/** Moves that go out together at most. */
const MOST_MOVES = 50;
/** How often rows that don't open are tried before their move is refused here: what waits behind it has to go on. */
const TRIES = 3;

interface Ports {
  readonly keys: DeviceKeys;
  readonly server: SealingServer;
  readonly host: Pick<SealingHost, 'scope' | 'confirmed' | 'row' | 'lists'>;
  readonly lists: Pick<ListWalk, 'open'>;
}

/** What of the queue can go out now. */
export interface Outgoing {
  readonly operations: readonly Operation[];
  /** Moves that are answered here. */
  readonly refused: readonly [q: number, verdict: HeardVerdict][];
}

/** `open`: out of the sealed scope; `await`: into it. */
interface Move {
  readonly operation: Operation;
  readonly way: ListWay;
}

/** Sees to moves between the sealed scope and others. */
export class Crossings {
  readonly #ports: Ports;
  /** How often a move was held back for rows that don't open, by its number. */
  readonly #held = new Map<number, number>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The beginning of the queue that can go out: all before the first of these moves, or the first ones, made ready. */
  async outgoing(queue: readonly Operation[]): Promise<Outgoing> {
    const homes = new Homes(this.#ports.host);
    const ways = queue.map((operation) => this.#wayOf(operation, homes));
    const first = ways.findIndex((way) => way !== null);
    if (first !== 0) return { operations: first < 0 ? queue : queue.slice(0, first), refused: [] };
    const moves: Move[] = [];
    for (const [at, way] of ways.slice(0, MOST_MOVES).entries()) {
      const operation = queue[at];
      if (way === null || operation === undefined) break;
      moves.push({ operation, way });
    }
    const said = await this.#say(Object.fromEntries(moves.map(({ operation: { id }, way }) => [id, way])));
    return said?.ok === true ? await this.#opened(moves) : { operations: [], refused: [] };
  }

  #say(ways: Readonly<Record<string, ListWay>>): ReturnType<typeof sendLists> {
    const { keys, server } = this.#ports;
    return sendLists({ keys, server }, ways);
  }

  async #opened(moves: readonly Move[]): Promise<Outgoing> {
    const operations: Operation[] = [];
    const refused: [number, HeardVerdict][] = [];
    for (const { operation, way } of moves) {
      const { id, q } = operation;
      const opened = way === 'open' ? await this.#ports.lists.open(id) : 'open';
      if (opened === 'open') {
        operations.push(operation);
        continue;
      }
      const tries = (this.#held.get(q) ?? 0) + 1;
      this.#held.set(q, tries);
      if (opened === 'stopped' || tries < TRIES) break;
      this.#held.delete(q);
      refused.push([q, 'forbidden']);
      await this.#say({ [id]: 'close' });
    }
    return { operations, refused };
  }

  /** Where an operation takes its task as far as the sealed scope goes; null: neither out of it nor into it. */
  #wayOf(operation: Operation, homes: Homes): ListWay | null {
    const { scope, lists } = this.#ports.host;
    const from = homes.next(operation);
    if (operation.a !== 'place') return null;
    const to = homes.of(operation.place.parent) ?? from;
    // Nothing is opened for a list that stays encrypted (lists/list-crossings.ts).
    if (from === to || [from, to].some((each) => lists.includes(each))) return null;
    if (from === scope) return 'open';
    return to === scope ? 'await' : null;
  }
}
