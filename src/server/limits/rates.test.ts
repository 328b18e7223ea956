// Figures given by an operator, and a limiter that outlives its process.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLimiter, defaultRates, parseRates } from './rates.ts';

function createManualClock() {
  const time = { wall: 1_800_000_000_000, monotonic: 1_000 };
  return {
    clock: { now: () => time.wall, monotonic: () => time.monotonic },
    time,
    pass(ms: number) {
      time.wall += ms;
      time.monotonic += ms;
    },
  };
}

describe('rates', () => {
  test('default, off and figures', () => {
    assert.equal(parseRates('default'), defaultRates);
    assert.deepEqual(parseRates('off'), {});
    assert.deepEqual(parseRates('listing=20/1m+400/2h, sign_up_ip=7/s'), {
      ...defaultRates,
      listing: [
        { count: 20, windowMs: 60_000 },
        { count: 400, windowMs: 7_200_000 },
      ],
      sign_up_ip: [{ count: 7, windowMs: 1_000 }],
    });
  });

  test('nonsense is named', () => {
    for (const text of [
      'on',
      'listing',
      'listing=',
      'listing=0/1m',
      'listing=5/1d',
      'nobody=5/1m',
      'toString=5/1m',
      'listing=1/1m=2',
    ])
      assert.equal(typeof parseRates(text), 'string', text);
  });

  test('with limits off everything passes', () => {
    const limiter = createLimiter({}, createManualClock().clock);
    for (let call = 0; call < 1_000; call += 1) assert.ok(limiter.take('sign_up_ip', 'a').allowed);
  });

  test('the wall clock set back five hours changes nothing', () => {
    const manual = createManualClock();
    const limiter = createLimiter(defaultRates, manual.clock);
    for (let call = 0; call < 10; call += 1) limiter.take('listing', 'a');
    manual.time.wall -= 5 * 3_600_000;
    assert.ok(!limiter.take('listing', 'a').allowed);
    manual.pass(60_000);
    assert.ok(limiter.take('listing', 'a').allowed);
  });

  test('a restart does not open the door', () => {
    const manual = createManualClock();
    const before = createLimiter(defaultRates, manual.clock);
    for (let call = 0; call < 10; call += 1) before.take('listing', 'a');
    const saved = before.save();
    manual.time.wall += 20_000;
    manual.time.monotonic = 7;
    const after = createLimiter(defaultRates, manual.clock);
    after.restore(saved);
    const refused = after.take('listing', 'a');
    assert.ok(!refused.allowed && refused.retryAfterMs === 40_000);
    manual.pass(40_000);
    assert.ok(after.take('listing', 'a').allowed);
  });

  test('a wall clock set back between two processes blocks no longer than the window', () => {
    const manual = createManualClock();
    const before = createLimiter(defaultRates, manual.clock);
    for (let call = 0; call < 10; call += 1) before.take('listing', 'a');
    const saved = before.save();
    manual.time.wall -= 3_600_000;
    const after = createLimiter(defaultRates, manual.clock);
    after.restore(saved);
    manual.pass(60_000);
    assert.ok(after.take('listing', 'a').allowed);
  });
});
