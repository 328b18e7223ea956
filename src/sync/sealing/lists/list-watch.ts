// Gives a list that stays encrypted a new key once somebody has left it, or this device’s person has a new account key: any device of a member does
// so, and the server takes the first. What the former member has read stays with them; what comes from then on they can't open.
import { memberId, type Id } from '#core/ids.ts';
import { isKnown, type StoredRow } from '../../rows/row.ts';
import type { ListDesk } from './list-desk.ts';
import type { ListKeys } from './list-keys.ts';
import type { SealingHost } from '../ports.ts';

interface Ports {
  readonly scope: Id;
  readonly keys: ListKeys;
  readonly desk: ListDesk;
  readonly host: Pick<SealingHost, 'confirmed' | 'held' | 'wake'>;
}

const hasLeft = (row: StoredRow): boolean =>
  isKnown(row) && row.type === 'member' && (row.fields.leftAt ?? null) !== null;

/** One device's watch over one list. */
export class ListWatch {
  readonly #ports: Ports;
  #isRunning = false;
  /** Somebody has left who may have come after this device read the directory. */
  #isNews: boolean | null = null;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Rows came. */
  note(rows: readonly StoredRow[]): void {
    if (rows.some(hasLeft)) this.#isNews = true;
  }

  /** Looks whether somebody has left. Does nothing while it runs. */
  start(): void {
    const { keys, host } = this.#ports;
    const isAtRest = keys.walked.phase === 'sealed' && keys.sealer !== null;
    if (this.#isRunning || !isAtRest) return;
    this.#isNews ??= host.held().some(hasLeft);
    if (!this.#isNews && !this.#isDue()) return;
    this.#isRunning = true;
    void this.#look().then((isDone) => {
      this.#isRunning = false;
      // What was done by another part of this device is heard with the next answer.
      if (isDone) host.wake();
    });
  }

  async #look(): Promise<boolean> {
    const { keys, desk, scope } = this.#ports;
    // Who came in by a link is in a directory that nobody tells this device of.
    if (this.#isNews === true && (await keys.refresh()).ok) this.#isNews = false;
    return this.#isDue() && (await desk.renew(scope)).ok;
  }

  #isDue(): boolean {
    return this.#ports.keys.isOutgrown || this.#hasFormer();
  }

  #hasFormer(): boolean {
    const { keys, scope, host } = this.#ports;
    return Object.keys(keys.people?.members ?? {}).some((account) => {
      const row = host.confirmed(memberId(scope, Number(account)));
      return row !== undefined && hasLeft(row);
    });
  }
}
