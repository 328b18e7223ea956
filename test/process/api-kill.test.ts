// The real server process, killed while programs write through the public API (api-killed.ts).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runApiKilled } from './api-killed.ts';

/** Few, because a start costs the most; `npm run soak` makes many. */
const ROUNDS = 2;

describe('an API whose server is killed', () => {
  test(`[API-21] ${ROUNDS} times while programs write: what was answered is there, once`, async () => {
    assert.ok((await runApiKilled({ rounds: ROUNDS, seed: 21 })) > 10 * ROUNDS);
  });
});
