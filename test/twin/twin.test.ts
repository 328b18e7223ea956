// Twins in random lives. `TWIN_LIVES=5000 node --test test/twin/twin.test.ts` runs as many as are asked for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { live } from './simulation.ts';

const LIVES = Number(process.env['TWIN_LIVES'] ?? 300);
const FIRST = Number(process.env['TWIN_SEED'] ?? 1);

describe('a twin in random lives', () => {
  test('[TWIN-1] [TWIN-2] files and account come into step, and nothing typed is lost, whatever was cut off', async () => {
    const sum = { lives: 0, edits: 0, crashes: 0, rounds: 0 };
    for (let seed = FIRST; seed < FIRST + LIVES; seed += 1) {
      try {
        const { edits, crashes, rounds } = await live(seed); // oxlint-disable-line no-await-in-loop
        sum.lives += 1;
        sum.edits += edits;
        sum.crashes += crashes;
        sum.rounds += rounds;
      } catch (error) {
        throw new Error(`TWIN_SEED=${seed} TWIN_LIVES=1 does it again`, { cause: error });
      }
    }
    if (process.env['TWIN_LIVES'] !== undefined) console.log(JSON.stringify(sum));
    assert.ok(sum.crashes > 0 && sum.edits > sum.lives);
  });
});
