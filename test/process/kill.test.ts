// The real server process, killed again and again while devices push (killed.ts).
import { describe, it } from 'node:test';
import { runKilled } from './killed.ts';

const ROUNDS = 25;
const SEED = 27;

describe('a server that is killed', () => {
  it(`[SYNC-27] ${ROUNDS} times under load, seed ${SEED}: nothing lost, nothing twice, soon back, and a log that does not grow`, async () => {
    await runKilled({ rounds: ROUNDS, seed: SEED });
  });
});
