// Runs expressions in a worker and ends it when one takes longer than it may; the next one gets a new worker.
import type { Replaced } from '#core/replace.ts';
import type { Replacer, ReplacerAnswer } from '#client/replacing/replacer.ts';
import type { ExpressionJob } from './expression-worker.ts';
import { BoundedWorker } from '../bounded-worker.ts';
import { EXPRESSION_WORKER } from '../script-url.ts';

/** For a thousand titles or fewer; an expression that needs more would never end. */
const LIMIT_MS = 500;

/** The first run starts the worker, `close` ends it. Runs that take too long answer `slow`. */
export function openReplacer(): Replacer {
  let hand: BoundedWorker<ExpressionJob, readonly (Replaced | null)[]> | null = null;
  const end = () => {
    hand?.end();
    hand = null;
  };
  return {
    async run(pattern, titles): Promise<ReplacerAnswer> {
      const mine = (hand ??= new BoundedWorker(EXPRESSION_WORKER, 'expressions'));
      if (!(await mine.ready)) {
        if (hand === mine) end();
        return { type: 'failed' };
      }
      const found = await mine.run({ pattern, titles }, LIMIT_MS);
      if (typeof found === 'object') return { type: 'done', found: found.answer };
      if (hand === mine) end();
      return { type: 'slow' };
    },
    close: end,
  };
}
