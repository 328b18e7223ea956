// The times of what is sent, as the server reads them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createIdSource } from '#core/ids.ts';
import { effectiveTime } from '#server/sync/effective-time.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { ServerTime } from '#sync/exchange/server-time.ts';

const newId = createIdSource({ now: () => 1_000, random: (bytes) => void bytes.fill(7) });

function written(q: number, t: number, seenAt?: number): Operation {
  const action = { a: 'set', id: newId(), field: 'title', value: 'x' } as const;
  return { ...action, q, u: newId(), scope: newId(), t, b: 0, ...(seenAt === undefined ? {} : { seenAt }) };
}

/** The times that a server gives the operations, whose clock shows `now` when they arrive. */
function timesOf(time: ServerTime, operations: readonly Operation[], { clientNow = 0, now = 0 }): number[] {
  const request = { ...time.dated(operations, clientNow), schema: 1, device: newId(), ack: 0, cursors: {} };
  const actor = {
    type: 'account',
    account: 1,
    session: newId(),
    kind: 'web',
    personalScope: newId(),
    roles: new Map(),
  } as const;
  const ops = request.ops as Operation[];
  return ops.map((operation) =>
    effectiveTime({ actor, request, operations: [], arrivedAt: now }, operation, { now, lastStamp: 0 }),
  );
}

describe('[SYNC-170] the time of what is sent', () => {
  it('is after what its author had seen, whatever its clock says', () => {
    const time = new ServerTime();
    time.learn(100_000);
    const operations = [written(1, 500, 100_800), written(2, 900), written(3, 500, 100_200)];
    const sent = { clientNow: 1_000, now: 101_400 };
    assert.deepEqual(timesOf(time, operations, sent), [100_801, 100_900, 100_500]);
  });

  it('is after what its author had seen also where the server’s clock was taken to be behind that', () => {
    const time = new ServerTime();
    time.learn(100_000);
    const [over, other] = timesOf(time, [written(1, 900, 101_300), written(2, 900)], {
      clientNow: 1_000,
      now: 101_400,
    });
    assert.equal(over, 101_301);
    assert.equal(other, 100_900, 'no other one is younger for it');
  });

  it('is never in the future of the server', () => {
    const time = new ServerTime();
    time.learn(100_000);
    const year = 365 * 86_400_000;
    const sent = { clientNow: 1_000, now: 101_400 };
    assert.deepEqual(timesOf(time, [written(1, 900, 101_400 + year)], sent), [101_400]);
  });

  it('[SYNC-171] stays what it was when it is sent again, until a clock was set', () => {
    const time = new ServerTime();
    const operations = [written(1, 900)];
    const sent = { clientNow: 1_000, now: 101_900 };
    time.learn(100_000);
    assert.deepEqual(timesOf(time, operations, sent), [100_900]);
    time.learn(100_400);
    assert.deepEqual(timesOf(time, operations, sent), [100_900], 'the quicker answer does not count for it');
    assert.deepEqual(timesOf(time, [written(2, 900)], sent), [101_300], 'it does for others');
    time.learn(200_000);
    assert.deepEqual(timesOf(time, operations, { ...sent, now: 201_000 }), [200_900]);
    time.learn(200_050);
    time.forget([1]);
    assert.deepEqual(timesOf(time, operations, { ...sent, now: 201_050 }), [200_950]);
  });

  it('is left to the server where no answer has told its clock', () => {
    const { sentAt, ops } = new ServerTime().dated([written(1, 900, 5_000)], 1_000);
    assert.equal(sentAt, undefined);
    assert.deepEqual(Object.keys((ops as Operation[])[0] ?? {}).includes('seenAt'), false);
  });
});
