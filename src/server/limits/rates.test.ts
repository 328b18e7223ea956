// Figures given by an operator, and a limiter that outlives its process.
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { ok } from '#core/result.ts';
import { LIMITS_FOLDER, openLimitJournal } from './journal.ts';
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
    assert.deepEqual(parseRates('default'), ok(defaultRates));
    assert.deepEqual(parseRates('off'), ok({}));
    assert.deepEqual(
      parseRates('listing=20/1m+400/2h, sign_up_ip=7/s'),
      ok({
        ...defaultRates,
        listing: [
          { count: 20, windowMs: 60_000 },
          { count: 400, windowMs: 7_200_000 },
        ],
        sign_up_ip: [{ count: 7, windowMs: 1_000 }],
      }),
    );
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
      assert.equal(parseRates(text).ok, false, text);
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

  /** A folder that two limiters use one after the other; the first is not asked to end. */
  function kept(t: TestContext) {
    const folder = mkdtempSync(join(tmpdir(), 'posthaste-limits-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const manual = createManualClock();
    const open = () => {
      const { clock } = manual;
      return createLimiter(
        defaultRates,
        clock,
        openLimitJournal(folder, { clock, onFailure: (error) => assert.fail(String(error)) }),
      );
    };
    return { manual, open, files: () => readdirSync(join(folder, LIMITS_FOLDER)), folder };
  }

  test('[API-18] a crash does not open the door, nor does half a line', (t) => {
    const { manual, open, files, folder } = kept(t);
    const before = open();
    for (let call = 0; call < 10; call += 1) before.take('listing', 'a b\n');
    before.take('sign_up_ip', '::1');
    before.giveBack('sign_up_ip', '::1');
    for (const name of files())
      appendFileSync(join(folder, LIMITS_FOLDER, name), 'listing 1800000000000 caf%C3\nlisting 18');
    manual.time.wall += 20_000;
    manual.time.monotonic = 7;
    const after = open();
    const refused = after.take('listing', 'a b\n');
    assert.ok(!refused.allowed && refused.retryAfterMs === 40_000);
    for (let call = 0; call < 5; call += 1) assert.ok(after.take('sign_up_ip', '::1').allowed);
    manual.pass(40_000);
    assert.ok(open().take('listing', 'a b\n').allowed);
  });

  test('a wall clock set back between two processes blocks no longer than the window', (t) => {
    const { manual, open } = kept(t);
    const before = open();
    for (let call = 0; call < 10; call += 1) before.take('listing', 'a');
    manual.time.wall -= 3_600_000;
    const after = open();
    manual.pass(60_000);
    assert.ok(after.take('listing', 'a').allowed);
  });

  test('what no window reaches any more is removed', (t) => {
    const { manual, open, files } = kept(t);
    const limiter = open();
    for (let hour = 0; hour < 72; hour += 1) {
      limiter.take('listing', 'a');
      limiter.take('site_sign_up_address', 'a');
      manual.pass(3_600_000);
    }
    // This hour and the one before, today and yesterday.
    assert.ok(files().length <= 4, files().join());
  });
});
