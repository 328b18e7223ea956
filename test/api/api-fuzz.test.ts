// Tens of thousands of generated requests: whatever is sent, the server answers with a result or a clear refusal.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fuzz } from './api-bodies.ts';

/** So many that none comes near the time in which a test counts as hanging, however busy the machine is. */
const PARTS = 5;
const REQUESTS = 3_000;

describe('the API under nonsense', () => {
  const given = new Map<number, number>();

  for (let part = 1; part <= PARTS; part += 1)
    test(`[API-16] ${REQUESTS} generated requests, ${part} of ${PARTS}: none makes the server fail`, async () => {
      const { statuses } = await fuzz(20_261_120 + part, REQUESTS);
      for (const [status, count] of statuses) given.set(status, (given.get(status) ?? 0) + count);
    });

  test('[API-16] all of them together are answered in every way', () => {
    for (const [status, least] of [
      [200, 1_500],
      [404, 1_500],
      [409, 3],
      [422, 1_500],
    ] as const)
      assert.ok((given.get(status) ?? 0) > least, `${status}: ${JSON.stringify([...given])}`);
  });
});
