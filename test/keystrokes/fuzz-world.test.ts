// Random sequences in a world of everything. POSTHASTE_KEYS=10000 lives through so many; a seed that fails is said.
import { describe, test } from 'node:test';
import { liveThrough } from './fuzz-world.ts';

const SEQUENCES = Number(process.env['POSTHASTE_KEYS'] ?? 250);
const FIRST = Number(process.env['POSTHASTE_SEED'] ?? 1);

describe('random sequences in a world of everything', () => {
  test(`[OUT-30] ${SEQUENCES} of them: no failure, the focus and one cursor on what is there, and undo gives everything back`, async () => {
    for (let seed = FIRST; seed < FIRST + SEQUENCES; seed += 1) await liveThrough(seed);
  });
});
