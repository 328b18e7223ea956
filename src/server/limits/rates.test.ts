// Figures given by an operator, and a limiter that outlives its process.
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { ok } from '#core/result.ts';
import { LIMITS_FOLDER, openLimitJournal } from './journal.ts';
import { createLogger } from '../observe/log.ts';
import type { Counters } from './counters.ts';
import { createLimiter, defaultRates, parseRates } from './rates.ts';
import { SharedLimits } from './shared-limits.ts';
import { createWindows } from './window.ts';

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

  test('with limits off everything passes', async () => {
    const limiter = createLimiter({}, createManualClock().clock);
    for (let call = 0; call < 1_000; call += 1) assert.ok((await limiter.take('sign_up_ip', 'a')).allowed);
  });

  test('the wall clock set back five hours changes nothing', async () => {
    const manual = createManualClock();
    const limiter = createLimiter(defaultRates, manual.clock);
    for (let call = 0; call < 10; call += 1) await limiter.take('listing', 'a');
    manual.time.wall -= 5 * 3_600_000;
    assert.ok(!(await limiter.take('listing', 'a')).allowed);
    manual.pass(60_000);
    assert.ok((await limiter.take('listing', 'a')).allowed);
  });

  /** A folder that two limiters use one after the other; the first is not asked to end. */
  function kept(t: TestContext) {
    const folder = mkdtempSync(join(tmpdir(), 'posthaste-limits-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const manual = createManualClock();
    const open = () => {
      const { clock } = manual;
      return createLimiter(defaultRates, clock, {
        journal: openLimitJournal(folder, { clock, onFailure: (error) => assert.fail(String(error)) }),
      });
    };
    return { manual, open, files: () => readdirSync(join(folder, LIMITS_FOLDER)), folder };
  }

  test('[API-18] a crash does not open the door, nor does half a line', async (t) => {
    const { manual, open, files, folder } = kept(t);
    const before = open();
    for (let call = 0; call < 10; call += 1) await before.take('listing', 'a b\n');
    await before.take('sign_up_ip', '::1');
    await before.giveBack('sign_up_ip', '::1');
    for (const name of files())
      appendFileSync(join(folder, LIMITS_FOLDER, name), 'listing 1800000000000 caf%C3\nlisting 18');
    manual.time.wall += 20_000;
    manual.time.monotonic = 7;
    const after = open();
    const refused = await after.take('listing', 'a b\n');
    assert.ok(!refused.allowed && refused.retryAfterMs === 40_000);
    for (let call = 0; call < 5; call += 1) assert.ok((await after.take('sign_up_ip', '::1')).allowed);
    manual.pass(40_000);
    assert.ok((await open().take('listing', 'a b\n')).allowed);
  });

  test('a wall clock set back between two processes blocks no longer than the window', async (t) => {
    const { manual, open } = kept(t);
    const before = open();
    for (let call = 0; call < 10; call += 1) await before.take('listing', 'a');
    manual.time.wall -= 3_600_000;
    const after = open();
    manual.pass(60_000);
    assert.ok((await after.take('listing', 'a')).allowed);
  });

  test('what no window reaches any more is removed', async (t) => {
    const { manual, open, files } = kept(t);
    const limiter = open();
    for (let hour = 0; hour < 72; hour += 1) {
      await limiter.take('listing', 'a');
      await limiter.take('site_sign_up_address', 'a');
      manual.pass(3_600_000);
    }
    // This hour and the one before, today and yesterday.
    assert.ok(files().length <= 4, files().join());
  });

  /** Two limiters that count in one place, which can be out of reach. */
  function together() {
    const manual = createManualClock();
    const windows = createWindows(defaultRates.listing);
    const keys: string[] = [];
    const place = { isThere: true };
    const counters: Counters = {
      async take({ key }, list) {
        if (!place.isThere) throw new Error('It is out of reach.');
        keys.push(key);
        return windows.take(key, manual.time.monotonic, list);
      },
      async giveBack({ key }) {
        windows.giveBack(key);
      },
      guess: async () => 0,
      forget: async () => undefined,
      sit: async () => true,
      sweep: async () => undefined,
    };
    const logged: string[] = [];
    const log = createLogger({
      level: 'error',
      clock: manual.clock,
      write: (line) => void logged.push(line),
    });
    const open = (node: string) => {
      const sign = (text: string) => `${text.length} and more than enough of a digest`;
      const nodes = () => ['one', 'two', 'three'];
      const shared = new SharedLimits({ counters, node, nodes, clock: manual.clock, sign, log });
      return { shared, limiter: createLimiter(defaultRates, manual.clock, { shared }) };
    };
    return { manual, place, keys, logged, one: open('one'), two: open('two') };
  }

  test('[NODE-40] limiters that count together hold one limit, and hand on nothing that can be read', async () => {
    const { one, two, keys } = together();
    const taken = [];
    for (let call = 0; call < 12; call += 1)
      taken.push(await (call % 2 === 0 ? one : two).limiter.take('listing', '192.0.2.1'));
    assert.deepEqual(
      taken.map(({ allowed }) => allowed),
      Array.from({ length: 12 }, (_, call) => call < 10),
    );
    await one.limiter.giveBack('listing', '192.0.2.1');
    assert.ok((await two.limiter.take('listing', '192.0.2.1')).allowed);
    assert.ok(keys.every((key) => !key.includes('192')));
  });

  test('[NODE-41] out of reach of the counters each goes on by itself, up to its part of the limit', async () => {
    const { one, two, place, manual, logged } = together();
    for (let call = 0; call < 2; call += 1) await one.limiter.take('listing', 'a');
    place.isThere = false;
    const alone = async ({ limiter }: typeof one) => {
      let count = 0;
      while ((await limiter.take('listing', 'a')).allowed) count += 1;
      return count;
    };
    // A third of ten is three, of which one has used two.
    assert.deepEqual([await alone(one), await alone(two)], [1, 3]);
    assert.equal(logged.length, 2, 'each says so once');
    place.isThere = true;
    assert.equal((await two.limiter.take('listing', 'a')).allowed, false, 'it is asked again a second later');
    manual.pass(1_000);
    assert.ok((await two.limiter.take('listing', 'a')).allowed);
  });
});
