// Lets housekeeping give way: between its steps everything that waits runs first, and a server that is told to stop does
// not wait for the rest.

/** Thrown by `rest` after `stop`; what was done until then stands. */
export class Interrupted extends Error {
  constructor() {
    super('Housekeeping was interrupted; it goes on at the next start.');
    this.name = 'Interrupted';
  }
}

export interface Pace {
  /** Resolves in a later turn of the event loop. Rejects with `Interrupted` after `stop`. */
  rest(): Promise<void>;
  stop(): void;
}

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
