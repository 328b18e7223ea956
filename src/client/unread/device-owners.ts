// Whose device is whose, as far as it matters here: which numbers are the person's own. The server says so; what it said is kept on
// the device, and what nobody but the person writes says it without a connection.
import { readRecord } from '#core/json.ts';
import type { Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import type { Whose } from './unread.ts';

const KEY = 'deviceOwners';
/** Of each kind; the newest are kept. */
const MOST_KEPT = 500;

/** What is kept; numbers belong to the server of this account. */
interface Kept {
  readonly account: number;
  readonly own: readonly number[];
  readonly others: readonly number[];
}

/** Types of rows that only their person writes, and that never move to anybody else. */
const OWN_TYPES: ReadonlySet<string> = new Set(['mine', 'setting', 'mount']);

function read(text: string | null, account: number): Kept {
  const { own = [], others = [], account: of } = readRecord(text) as Partial<Kept>;
  return of === account ? { account, own, others } : { account, own: [], others: [] };
}

export class DeviceOwners {
  readonly #program: Program;
  readonly #own: Set<number>;
  readonly #others: Set<number>;
  #device = 0;
  /** Asked about, and not known yet. */
  readonly unknown = new Set<number>();

  constructor(program: Program) {
    const { own, others } = read(program.platform.preferences.get(KEY), program.replica.account);
    this.#program = program;
    this.#own = new Set(own);
    this.#others = new Set(others);
  }

  /** Asks for the number of this device, which changes with its identity: before many rows are looked at. */
  refresh(): void {
    this.#device = this.#program.engine.facts().deviceNumber;
  }

  whose(device: number): Whose {
    if (device === this.#device || device === 0 || this.#own.has(device)) return 'own';
    if (this.#others.has(device)) return 'others';
    this.unknown.add(device);
    return 'unknown';
  }

  /** Who wrote a row of the person's own is the person. */
  notice(row: Row | undefined): void {
    if (row === undefined || row.scope !== this.#program.replica.scope || !OWN_TYPES.has(row.type)) return;
    // A private label may have been put on by somebody else, before it was private.
    const stamps = Object.entries(row.stamps ?? {}).filter(([register]) => !register.startsWith('label:'));
    for (const [, , device] of [row.stamp, ...stamps.map(([, stamp]) => stamp)]) {
      this.#own.add(device);
      this.unknown.delete(device);
    }
  }

  /** What the server said: of those that were asked about, the others are somebody else's. */
  learn(asked: Iterable<number>, own: readonly number[]): void {
    for (const device of own) this.#own.add(device);
    for (const device of asked) {
      this.unknown.delete(device);
      if (!this.#own.has(device)) this.#others.add(device);
    }
    const kept: Kept = {
      account: this.#program.replica.account,
      own: [...this.#own].slice(-MOST_KEPT),
      others: [...this.#others].slice(-MOST_KEPT),
    };
    this.#program.platform.preferences.set(KEY, JSON.stringify(kept));
  }
}
