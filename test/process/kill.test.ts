// The real server process, killed again and again while devices push (killed.ts).
import { describe, it } from 'node:test';
import { runKilled } from './killed.ts';

const ROUNDS = 50;

describe('a server that is killed', () => {
  it(`[SYNC-27] ${ROUNDS} times under load: nothing lost, nothing twice, soon back`, async () => {
    await runKilled({ rounds: ROUNDS, seed: 27 });
  });
});
