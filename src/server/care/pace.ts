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

/** A pace that rests for one `nextTurn`. `mayGoOn`: whether this process still is the one to do it; absent: it always is. */
export function createPace(nextTurn: (work: () => void) => void, mayGoOn: () => boolean = () => true): Pace {
  let isStopped = false;
  const check = () => {
    if (isStopped || !mayGoOn()) throw new Interrupted();
  };
  return {
    async rest() {
      check();
      await new Promise<void>((resolve) => nextTurn(resolve));
      check();
    },
    stop() {
      isStopped = true;
    },
  };
}
