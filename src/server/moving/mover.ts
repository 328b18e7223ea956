// Carries out moves of large trees between scopes. Their root has moved with its operation; this takes after it what is left
// behind, step by step, with room for everybody else between two of them. A server that starts goes on with what another
// one left, and of several servers one carries out a move at a time. A step itself is carrying.ts.
import type { Id } from '#core/ids.ts';
import type { LeftBehind, Store, TransferRecord } from '../data/store.ts';
import type { CarryRequest, TimedCarried } from './carrying.ts';

/** How often a server looks for moves that another one has left. */
export const LOOK_MS = 5_000;

/** Rows that move in a step at most. */
export const STEP_ROWS = 100;

/** How long a step is to hold up others. Not shorter: what a step costs however few rows move would be most of it. */
export const STEP_MS = 9;

/** Rows of the first step, and of one that is to be short on the slowest machine. */
const FEWEST_ROWS = 25;
/** How much more of them the next step moves at most. */
const GROWTH = 1.5;

/** Ids that are looked through at once for what is left behind. */
const LOOKED_THROUGH = 1_000;

export interface MoverPorts {
  readonly store: Pick<Store, 'transfers' | 'leftBehind'>;
  /** Carries out one step (Exchange.carry). */
  carry(request: CarryRequest): Promise<TimedCarried>;
  /** Removes a move that has ended (Exchange.endCarrying). */
  end(request: Omit<CarryRequest, 'parents' | 'rows'>): Promise<void>;
  /** This process. */
  readonly id: Id;
  /** About how many rows move in a step at most. */
  readonly rows: number;
  /** About how long a step is to take: its rows follow from how long the one before took. Absent: all are as large as may be. */
  readonly stepMs?: number;
  /** Resolves after about so many milliseconds, and not before what waits by then had its turn. */
  rest(ms: number): Promise<void>;
  onError?(error: unknown): void;
}

/** Carries out what is to be moved. */
export interface Mover {
  /** Looks for moves that nobody carries out, and carries them out. Resolves when none is left for this process. */
  run(): Promise<void>;
  /** Ends after the present step. */
  stop(): Promise<void>;
}

class Stopped extends Error {}

class RunningMover implements Mover {
  readonly #ports: MoverPorts;
  #running: Promise<void> | null = null;
  #isAskedAgain = false;
  #isStopped = false;
  /** Of the next step. */
  #rows: number;

  constructor(ports: MoverPorts) {
    this.#ports = ports;
    this.#rows = ports.stepMs === undefined ? ports.rows : Math.min(FEWEST_ROWS, ports.rows);
  }

  run(): Promise<void> {
    this.#isAskedAgain = true;
    this.#running ??= this.#work()
      .catch((error: unknown) => this.#ports.onError?.(error))
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #work(): Promise<void> {
    while (this.#isAskedAgain && !this.#isStopped) {
      this.#isAskedAgain = false;
      for (const transfer of await this.#ports.store.transfers()) await this.#carryOut(transfer);
    }
  }

  /** A move that fails is tried again when somebody runs this the next time. */
  async #carryOut(transfer: TransferRecord): Promise<void> {
    try {
      if (!(await this.#follow(transfer, [transfer.root]))) return;
      // Whatever happened to the tree meanwhile: the move is over when a look at everything finds nothing left behind.
      while (await this.#sweep(transfer));
      await this.#ports.end({ transfer: transfer.id, holder: this.#ports.id });
      // A root that moved on meanwhile has left a move of its own.
      this.#isAskedAgain = true;
    } catch (error) {
      if (!(error instanceof Stopped)) this.#ports.onError?.(error);
    }
  }

  /** Takes along what is beneath these. Returns false when the move is another process's, or over. */
  async #follow({ id }: TransferRecord, roots: readonly Id[]): Promise<boolean> {
    const { id: holder } = this.#ports;
    for (let parents = roots; parents.length > 0;) {
      if (this.#isStopped) throw new Stopped();
      const rows = this.#rows;
      const done = await this.#ports.carry({ transfer: id, holder, parents, rows });
      if (done.type !== 'carried') return false;
      ({ parents } = done);
      this.#learn(rows, done);
      // As long for the others as for this.
      await this.#ports.rest(done.tookMs);
    }
    return true;
  }

  /** A step that took too long is followed by a smaller one at once, and a quick one by a somewhat larger one. */
  #learn(asked: number, { moved, tookMs }: { readonly moved: number; readonly tookMs: number }): void {
    const { rows, stepMs } = this.#ports;
    // Of a step that did not move what it might have nothing can be learnt.
    if (stepMs === undefined || (moved < asked && tookMs <= stepMs)) return;
    const wanted = Math.round(asked * Math.min(GROWTH, stepMs / Math.max(tookMs, 1)));
    this.#rows = Math.min(rows, Math.max(FEWEST_ROWS, wanted));
  }

  /** Looks through the scope that is left. Returns whether there was anything to be taken along. */
  async #sweep(transfer: TransferRecord): Promise<boolean> {
    const { store } = this.#ports;
    let isAnything = false;
    for (let after: Id | null = null; ;) {
      if (this.#isStopped) throw new Stopped();
      const found: LeftBehind = await store.leftBehind(transfer.from, after, LOOKED_THROUGH);
      if (found.parents.length > 0) {
        isAnything = true;
        if (!(await this.#follow(transfer, found.parents))) throw new Stopped();
      }
      if (found.last === null) return isAnything;
      after = found.last;
      await this.#ports.rest(0);
    }
  }
}

/** Nothing moves before `run`. */
export function createMover(ports: MoverPorts): Mover {
  return new RunningMover(ports);
}
