// What moves large trees in histories of several scopes (scopes.ts): the production mover, whose steps are taken when the history
// says so, and which ends in the middle of a move as a killed server does.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import type { Store } from '#server/data/store.ts';
import type { Exchange } from '#server/sync/exchange.ts';
import type { createMover, Mover } from '#server/moving/mover.ts';

/** Rows that move at once, and rows of a step: small, so that histories of few rows have large trees. */
export const MOST_MOVED = 3;
const STEP_ROWS = 2;
const MOST_STEPS = 10_000;

export interface MoverPorts {
  readonly createMover: typeof createMover;
  readonly exchange: Exchange;
  readonly store: Store;
  readonly newId: () => Id;
  /** Called for each step that was taken. */
  readonly stepped: () => void;
  /** Whether an error is one that the history made. */
  readonly isExpected: (error: unknown) => boolean;
}

export class ScopeMover {
  readonly #ports: MoverPorts;
  #mover: Mover;
  /** What a mover that rests waits for; those of killed ones wait for ever. */
  #goOn: (() => void) | null = null;
  #isRunning = false;

  constructor(ports: MoverPorts) {
    this.#ports = ports;
    this.#mover = this.#started();
  }

  /** One step of the move that is under way, or of the next one. */
  async step(): Promise<void> {
    const goOn = this.#goOn;
    this.#goOn = null;
    if (goOn !== null) goOn();
    else this.#run();
    await this.#rested();
  }

  /** The server ends in the middle, and another one takes its place. */
  kill(): boolean {
    const isInTheMiddle = this.#isRunning;
    this.#mover = this.#started();
    return isInTheMiddle;
  }

  /** Takes all steps there are. Returns false where a killed one still has a move for itself. */
  async finish(): Promise<boolean> {
    for (let step = 0; (await this.#ports.store.transfers()).length > 0; step += 1) {
      assert.ok(step < MOST_STEPS, 'a move ends');
      await this.step();
      if (!this.#isRunning) return (await this.#ports.store.transfers()).length === 0;
    }
    return true;
  }

  #run(): void {
    if (this.#isRunning) return;
    const mover = this.#mover;
    this.#isRunning = true;
    void mover.run().then(() => {
      if (mover === this.#mover) this.#isRunning = false;
    });
  }

  /** Resolves when nothing happens any more until somebody lets it. */
  async #rested(): Promise<void> {
    while (this.#isRunning && this.#goOn === null) await new Promise((resolve) => void setImmediate(resolve));
  }

  #started(): Mover {
    const { exchange, store } = this.#ports;
    this.#goOn = null;
    this.#isRunning = false;
    const mover: Mover = this.#ports.createMover({
      store,
      carry: async (request) => {
        const done = await exchange.carry(request);
        if (done.type === 'carried' && done.moved > 0) this.#ports.stepped();
        return done;
      },
      end: (request) => exchange.endCarrying(request),
      id: this.#ports.newId(),
      rows: STEP_ROWS,
      rest: () =>
        new Promise((resolve) => {
          if (mover === this.#mover) this.#goOn = resolve;
        }),
      onError: (error) => {
        if (!this.#ports.isExpected(error)) throw error;
      },
    });
    return mover;
  }
}
