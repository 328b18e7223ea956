// Tens of thousands of generated requests: whatever is sent, the server answers with a result or a clear refusal.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fuzz } from './api-bodies.ts';

const REQUESTS = 50_000;

describe('the API under nonsense', () => {
  test(`[API-16] ${REQUESTS} generated requests: none makes the server fail`, async () => {
    const { statuses } = await fuzz(20_261_120, REQUESTS);
    for (const [status, least] of [
      [200, 5_000],
      [404, 5_000],
      [409, 10],
      [422, 5_000],
    ] as const)
      assert.ok((statuses.get(status) ?? 0) > least, `${status}: ${JSON.stringify([...statuses])}`);
  });
});
