// Gives a list that stays encrypted a new key once somebody has left it, or this device’s person has a new account key: any device of a member does
// so, and the server takes the first. What the former member has read stays with them; what comes from then on they can't open.
import { memberId, type Id } from '#core/ids.ts';
import type { ListDesk } from './list-desk.ts';
import type { ListKeys } from './list-keys.ts';
import type { SealingHost } from '../ports.ts';

interface Ports {
  readonly scope: Id;
  readonly keys: ListKeys;
  readonly desk: ListDesk;
  readonly host: Pick<SealingHost, 'confirmed' | 'wake'>;
}

/** One device's watch over one list. */
export class ListWatch {
  readonly #ports: Ports;
  #isRunning = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Looks whether somebody has left. Does nothing while it runs. */
  start(): void {
    const { keys, desk, scope, host } = this.#ports;
    const isWanted = keys.isOutgrown || this.#hasFormer();
    const isDue = keys.walked.phase === 'sealed' && keys.sealer !== null && isWanted;
    if (this.#isRunning || !isDue) return;
    this.#isRunning = true;
    void desk.renew(scope).then((done) => {
      this.#isRunning = false;
      // What was done by another part of this device is heard with the next answer.
      if (done.ok) host.wake();
    });
  }

  #hasFormer(): boolean {
    const { keys, scope, host } = this.#ports;
    return Object.keys(keys.people?.members ?? {}).some((account) => {
      const row = host.confirmed(memberId(scope, Number(account)));
      return row?.type === 'member' && (row.fields.leftAt ?? null) !== null;
    });
  }
}
