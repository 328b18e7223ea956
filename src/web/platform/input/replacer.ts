// Runs expressions in a worker and ends it when one takes longer than it may; the next one gets a new worker.
import type { Replaced } from '#core/replace.ts';
import type { Replacer, ReplacerAnswer } from '#client/replacing/replacer.ts';
import type { ExpressionJob, ExpressionNews } from './expression-worker.ts';
import { EXPRESSION_WORKER, scriptUrl } from '../script-url.ts';
import { timers } from '../world.ts';

/** For a thousand titles or fewer; an expression that needs more would never end. */
const LIMIT_MS = 500;
/** Until the worker's script has come, and until it takes up a job. */
const LOADING_MS = 10_000;

/** One worker, as long as nothing has gone wrong with it. */
class Hand {
  readonly #worker = new Worker(scriptUrl(EXPRESSION_WORKER), { type: 'module', name: 'expressions' });
  readonly ready: Promise<boolean>;

  constructor() {
    this.ready = new Promise((resolve) => {
      const cancel = timers.after(LOADING_MS, () => resolve(false));
      const settle = (isReady: boolean) => {
        cancel();
        resolve(isReady);
      };
      this.#worker.addEventListener('message', () => settle(true), { once: true });
      this.#worker.addEventListener('error', () => settle(false), { once: true });
    });
  }

  /** Null when it took longer than it may, or broke. */
  run(job: ExpressionJob): Promise<readonly (Replaced | null)[] | null> {
    return new Promise((resolve) => {
      const listening = new AbortController();
      const { signal } = listening;
      const settle = (found: readonly (Replaced | null)[] | null) => {
        cancel();
        listening.abort();
        resolve(found);
      };
      let cancel = timers.after(LOADING_MS, () => settle(null));
      const hear = ({ data }: MessageEvent<ExpressionNews>) => {
        if (data === 'ready') return;
        if (data !== 'begun') return settle(data);
        // Its time begins with its work: a busy machine may let it wait before.
        cancel();
        cancel = timers.after(LIMIT_MS, () => settle(null));
      };
      this.#worker.addEventListener('message', hear, { signal });
      this.#worker.addEventListener('error', () => settle(null), { signal });
      this.#worker.postMessage(job);
    });
  }

  end(): void {
    this.#worker.terminate();
  }
}

/** The first run starts the worker, `close` ends it. Runs that take too long answer `slow`. */
export function openReplacer(): Replacer {
  let hand: Hand | null = null;
  const end = () => {
    hand?.end();
    hand = null;
  };
  return {
    async run(pattern, titles): Promise<ReplacerAnswer> {
      const mine = (hand ??= new Hand());
      if (!(await mine.ready)) {
        if (hand === mine) end();
        return { type: 'failed' };
      }
      const found = await mine.run({ pattern, titles });
      if (found !== null) return { type: 'done', found };
      if (hand === mine) end();
      return { type: 'slow' };
    },
    close: end,
  };
}
