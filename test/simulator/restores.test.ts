// Random histories in which the server's database is put back to older states, with every other fault there is.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterRestores, loadMutant } from './mutants.ts';
import { production } from './production.ts';
import { runRestoredHistory } from './restores.ts';

const GROUPS = 4;
const HISTORIES_PER_GROUP = 50;

describe('simulated restores', () => {
  for (let group = 0; group < GROUPS; group += 1) {
    const from = 1 + group * HISTORIES_PER_GROUP;
    it(`[SYNC-29] seeds ${from} to ${from + HISTORIES_PER_GROUP - 1} end with equal copies and nothing missing`, async () => {
      let restores = 0;
      for (let seed = from; seed < from + HISTORIES_PER_GROUP; seed += 1) {
        try {
          restores += (await runRestoredHistory(seed, production)).restores;
        } catch (error) {
          throw new Error(`Seed ${seed}: ${String(error)}`, { cause: error });
        }
      }
      assert.ok(restores >= HISTORIES_PER_GROUP / 2, `${restores} restores`);
    });
  }

  for (const name of afterRestores) {
    it(`[SYNC-31] ${name}: noticed`, async () => {
      const mutant = await loadMutant(name);
      const found: number[] = [];
      for (const seed of [4, 6, 9, 12]) {
        try {
          await runRestoredHistory(seed, mutant);
        } catch (error) {
          assert.ok(error instanceof assert.AssertionError, `seed ${seed} fails a check: ${String(error)}`);
          found.push(seed);
        }
      }
      assert.ok(found.length >= 2, `caught by the seeds ${found.join()} only`);
    });
  }
});
