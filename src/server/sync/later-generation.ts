// Other processes of one database may open a generation (care/generations.ts). This one notices by a scope that was written
// in it, reads the generations again and starts what it was doing anew: a version of a later generation is never told
// under an earlier one, nor written over in it.
import type { GenerationRecord, ScopeRecord } from '../data/store.ts';

/** Each time another process would have had to open one more. */
const MOST_ATTEMPTS = 5;

/** A scope was last written in a generation that this process does not know of. Nothing was written. */
export class LaterGenerationError extends Error {
  constructor() {
    super('Another server has opened a generation.');
  }
}

/** Throws when the scope was last written in a later generation than this one, given by its index. */
export function refuseLater({ generation }: Pick<ScopeRecord, 'generation'>, current: number): void {
  if (generation > current) throw new LaterGenerationError();
}

/** The generation in which everything is written and told now. */
export function currentOf(generations: readonly GenerationRecord[]): GenerationRecord {
  return generations.at(-1) ?? { index: 0, nonce: '' };
}

/** Runs `work`, and again after reading the generations when it met a later one. */
export async function inCurrentGeneration<T>(read: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LaterGenerationError) || attempt >= MOST_ATTEMPTS) throw error;
      await read();
    }
}
