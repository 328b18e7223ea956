// What shared counters have to do, whatever they count in: several processes, each with a connection of its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Counters, Seats } from '#server/limits/counters.ts';
import { someId } from './store-samples.ts';

/** Whatever is counted here is counted of somebody new. */
const somebody = (rate = 'listing') => ({ rate, key: someId() });

const TEN = [{ count: 10, windowMs: 60_000 }];

/** The counters of three processes. */
export type Three = readonly [Counters, Counters, Counters];

/** Tests of them. */
export function countersContract(open: () => Three): void {
  test('[NODE-40] a limit holds exactly, however many processes count at once', async () => {
    const counted = somebody();
    const windows = [
      { count: 40, windowMs: 60_000 },
      { count: 25, windowMs: 3_600_000 },
    ];
    const all = open().flatMap((counters) =>
      Array.from({ length: 20 }, () => counters.take(counted, windows)),
    );
    const taken = await Promise.all(all);
    assert.equal(taken.filter(({ allowed }) => allowed).length, 25);
    const left = taken.flatMap((one) => (one.allowed ? [one.remaining] : [])).toSorted((a, b) => a - b);
    assert.deepEqual(left, [...Array(25).keys()]);
    for (const one of taken)
      if (!one.allowed)
        assert.ok(one.limit === 25 && one.retryAfterMs > 3_590_000 && one.retryAfterMs <= 3_600_000);
  });

  test('[NODE-40] what is left and until when is said of the window that is closest to its end', async () => {
    const [one, two] = open();
    const counted = somebody();
    const windows = [...TEN, { count: 200, windowMs: 3_600_000 }];
    const first = await one.take(counted, windows);
    assert.deepEqual(first, { allowed: true, limit: 10, remaining: 9, resetMs: 60_000 });
    const second = await two.take(counted, windows);
    assert.ok(
      second.allowed && second.remaining === 8 && second.resetMs <= 60_000 && second.resetMs > 50_000,
    );
    await one.giveBack(counted);
    const third = await one.take(counted, windows);
    assert.ok(third.allowed && third.remaining === 8);
  });

  test('[NODE-40] a window moves on: room comes back call by call', async () => {
    const [one, two] = open();
    const counted = somebody();
    const windows = [{ count: 2, windowMs: 80 }];
    for (const counters of [one, two]) assert.ok((await counters.take(counted, windows)).allowed);
    const started = performance.now();
    let taken = await one.take(counted, windows);
    while (!taken.allowed) {
      assert.ok(taken.retryAfterMs > 0 && taken.retryAfterMs <= 80 && performance.now() - started < 10_000);
      taken = await two.take(counted, windows);
    }
    // What is over by then counts no more, and is not kept.
    for (const counters of [one, two]) await counters.sweep();
    const other = await one.take(somebody(), windows);
    assert.ok(other.allowed && other.remaining === 1);
  });

  test('[NODE-42] tries of a password wait longer and longer, whichever process is asked', async () => {
    const counted = somebody('guesses');
    const [one, two, three] = open();
    const inTurn = (at: number) => (at % 3 === 0 ? one : at % 3 === 1 ? two : three);
    const waits = await Promise.all(Array.from({ length: 12 }, (_, at) => inTurn(at).guess(counted)));
    assert.equal(waits.filter((wait) => wait === 0).length, 10);
    for (const wait of waits) assert.ok(wait >= 0 && wait <= 1_000, String(wait));
    await two.giveBack(counted);
    assert.equal(await three.guess(counted), 0);
    await one.forget(counted);
    assert.equal(await two.guess(counted), 0);
  });

  test('[NODE-43] places of one account are counted over all processes, and those of a process that is gone are free', async () => {
    const all = open();
    const nodes = ['one', 'two', 'three'];
    const account = Math.floor(Math.random() * 2 ** 40);
    const ask = async (at: 0 | 1 | 2, count: number, of: Partial<Seats> = {}) =>
      await all[at].sit({ account, node: nodes[at] ?? '', count, most: 5, nodes, ...of });
    assert.deepEqual(
      [await ask(0, 2), await ask(1, 2), await ask(2, 2), await ask(2, 1)],
      [true, true, false, true],
    );
    assert.equal(await ask(0, 3), false);
    assert.equal(await ask(1, 1), true);
    assert.equal(await ask(0, 3), true);
    assert.equal(await ask(2, 4, { nodes: ['two', 'three'] }), true, 'the first is gone');
    assert.equal(await ask(1, 0), true);
    assert.equal(await ask(0, 1), true);
    assert.equal(await ask(0, 2), false);
    const other = { account: account + 1 };
    const found = await Promise.all([ask(0, 2, other), ask(1, 2, other), ask(2, 2, other)]);
    assert.equal(found.filter(Boolean).length, 2);
  });
}
