// Makes housekeeping yield: between its steps all waiting work runs first, and a stopping server does not wait for the
// rest.

/** Thrown by `rest` after `stop`; earlier steps stand. */
export class Interrupted extends Error {
  constructor() {
    super('Housekeeping was interrupted. It continues at the next start.');
    this.name = 'Interrupted';
  }
}

/** Shared by the parts of housekeeping: each awaits `rest` between two steps. */
export interface Pace {
  /** Resolves in a later turn of the event loop. Rejects with `Interrupted` after `stop`. */
  rest(): Promise<void>;
  stop(): void;
}

/** A pace that rests for one `nextTurn`. */
export function createPace(nextTurn: (work: () => void) => void): Pace {
  let isStopped = false;
  return {
    async rest() {
      if (isStopped) throw new Interrupted();
      await new Promise<void>((resolve) => nextTurn(resolve));
      if (isStopped) throw new Interrupted();
    },
    stop() {
      isStopped = true;
    },
  };
}
