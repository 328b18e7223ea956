// Lives through many seeds on all processors: hands out seeds in order to workers, gathers what they met, and stops at the
// first history that breaks a rule.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Hits, type Branch } from './hits.ts';

/** Seeds that a worker gets at a time. */
const PORTION = 25;
const MOST_WORKERS = 4;

/**
 * Plain ones (world.ts), those in which everything else happens as well (mixed.ts), those of several scopes (scopes.ts), and
 * those of several scopes with everything that befalls one (shared.ts).
 */
export type Kind = 'plain' | 'mixed' | 'scopes' | 'shared';

export interface Portion {
  readonly kind: Kind;
  readonly from: number;
  readonly count: number;
}

export interface BrokenSeed {
  readonly seed: number;
  readonly reason: string;
}

/** What one history met; a worker's answer to a portion. */
export interface PortionReport {
  readonly histories: readonly (readonly (readonly [Branch, number])[])[];
  readonly broken: BrokenSeed | null;
  /** What the worker holds in memory after it, with all that is not needed thrown away. */
  readonly heapBytes: number;
}

export interface CrewOptions {
  readonly kind?: Kind;
  readonly first: number;
  /** How many histories; may be Infinity when `isOver` ends it. */
  readonly count: number;
  readonly isOver?: () => boolean;
  readonly workers?: number;
  /** Called after each portion. */
  readonly onHeap?: (bytes: number) => void;
  /** Called after each history. */
  readonly onHistory?: (hits: Hits) => void;
}

export interface CrewReport {
  readonly done: number;
  readonly hits: Hits;
  readonly broken: BrokenSeed | null;
}

/** Every seed of the range that was begun is finished before this resolves. */
export async function runSeeds(options: CrewOptions): Promise<CrewReport> {
  const {
    kind = 'plain',
    first,
    count,
    isOver = () => false,
    onHistory = () => undefined,
    onHeap = () => undefined,
  } = options;
  const hits = new Hits();
  let next = first;
  let done = 0;
  let broken: BrokenSeed | null = null;

  function take(): Portion | null {
    const left = first + count - next;
    if (left <= 0 || broken !== null || isOver()) return null;
    const portion = { kind, from: next, count: Math.min(PORTION, left) };
    next += portion.count;
    return portion;
  }

  async function work(): Promise<void> {
    const worker = new Worker(new URL('./crew-worker.ts', import.meta.url), { execArgv: [] });
    try {
      for (let portion = take(); portion !== null; portion = take()) {
        worker.postMessage(portion);
        const [report] = (await once(worker, 'message')) as [PortionReport];
        for (const counts of report.histories) {
          const met = new Hits(counts);
          hits.add(met);
          done += 1;
          onHistory(met);
        }
        onHeap(report.heapBytes);
        broken ??= report.broken;
      }
    } finally {
      await worker.terminate();
    }
  }

  const workers = options.workers ?? Math.min(MOST_WORKERS, availableParallelism());
  await Promise.all(Array.from({ length: workers }, work));
  return { done, hits, broken };
}
