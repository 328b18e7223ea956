// One tab at a time works on the device's data; the others wait and may take over. Handing over is asked for politely,
// so that the working tab writes everything first; a frozen one is passed by after a while.

const LOCK = 'posthaste.device';
const CHANNEL = 'posthaste.tabs';
const PATIENCE_MS = 3_000;

export interface Turn {
  /** Resolves when this tab's turn is over: another one took it. */
  readonly over: Promise<void>;
  /** Lets the next tab in. Call after everything is written. */
  end(): void;
}

export interface Tabs {
  /** This tab's turn if nobody else has it; null otherwise. */
  tryTurn(): Promise<Turn | null>;
  /** Asks the working tab to make room, and takes the turn by force when it does not answer. */
  takeTurn(): Promise<Turn>;
  /** Another tab asks for the turn: write everything, then end it. Returns the unsubscription. */
  onAsked(handOver: () => void): () => void;
}

/** Runs `then` with the lock, as long as the turn lasts. */
function withLock(options: LockOptions, onTurn: (turn: Turn | null) => void): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const held = navigator.locks.request(LOCK, options, (lock) => {
    if (!lock) {
      onTurn(null);
      return Promise.resolve();
    }
    onTurn({ over: over.promise, end: ended.resolve });
    return ended.promise;
  });
  return held.catch((error: unknown) => {
    // "AbortError": the lock was stolen, or we stopped waiting for it. Both are ends, not failures.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
    over.resolve();
  });
}

/** Without Web Locks (plain HTTP on a network) tabs cannot see each other; storage still refuses the older one. */
const soleTurn: Turn = { over: new Promise(() => {}), end: () => {} };

export function createTabs(): Tabs {
  if (!('locks' in navigator)) {
    return {
      tryTurn: () => Promise.resolve(soleTurn),
      takeTurn: () => Promise.resolve(soleTurn),
      onAsked: () => () => {},
    };
  }
  const channel = new BroadcastChannel(CHANNEL);

  const request = (options: LockOptions) =>
    new Promise<Turn | null>((resolve, reject) => {
      withLock(options, resolve).catch(reject);
    });

  async function takeTurn(): Promise<Turn> {
    channel.postMessage('make room');
    const patience = new AbortController();
    const impatient = setTimeout(() => patience.abort(), PATIENCE_MS);
    const polite = request({ signal: patience.signal });
    const stopped = new Promise<null>((resolve) => {
      patience.signal.addEventListener('abort', () => resolve(null));
    });
    const turn = (await Promise.race([polite, stopped])) ?? (await request({ steal: true }));
    clearTimeout(impatient);
    if (!turn) throw new Error('Impossible: a stolen lock was not given');
    return turn;
  }

  return {
    tryTurn: () => request({ ifAvailable: true }),
    takeTurn,
    onAsked(handOver) {
      const listener = (event: MessageEvent<unknown>) => {
        if (event.data === 'make room') handOver();
      };
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
  };
}
