// The figures of the limiter, to the millisecond.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createWindows } from './window.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const listing = [
  { count: 10, windowMs: MINUTE },
  { count: 200, windowMs: HOUR },
];

const acceptedOf = (results: readonly { readonly allowed: boolean }[]) =>
  results.filter(({ allowed }) => allowed).length;

describe('sliding windows', () => {
  test('ten pass, the eleventh is refused, and one passes again 60.000 s after the first', () => {
    const windows = createWindows(listing);
    const start = 5_000;
    for (let call = 0; call < 10; call += 1) assert.ok(windows.take('a', start + call).allowed);
    const refused = windows.take('a', start + 10);
    assert.deepEqual(refused, { allowed: false, limit: 10, retryAfterMs: MINUTE - 10 });
    assert.ok(!windows.take('a', start + MINUTE - 1).allowed);
    assert.ok(windows.take('a', start + MINUTE).allowed);
    assert.ok(!windows.take('a', start + MINUTE).allowed, 'the second of the ten is still inside');
    assert.ok(windows.take('a', start + MINUTE + 1).allowed);
  });

  test('exactly 200 pass within an hour, whatever is tried', () => {
    const windows = createWindows(listing);
    let accepted = 0;
    for (let now = 0; now < HOUR; now += 1_000) if (windows.take('a', now).allowed) accepted += 1;
    assert.equal(accepted, 200);
    assert.ok(windows.take('a', HOUR).allowed);
  });

  test('exactly 1,000 writes pass within an hour', () => {
    const windows = createWindows([
      { count: 60, windowMs: MINUTE },
      { count: 1_000, windowMs: HOUR },
    ]);
    let accepted = 0;
    for (let now = 0; now < HOUR; now += 500) if (windows.take('a', now).allowed) accepted += 1;
    assert.equal(accepted, 1_000);
  });

  test('refused calls are not counted', () => {
    const windows = createWindows([{ count: 2, windowMs: MINUTE }]);
    windows.take('a', 0);
    windows.take('a', 0);
    for (let now = 1; now < MINUTE; now += 100) assert.ok(!windows.take('a', now).allowed);
    assert.ok(windows.take('a', MINUTE).allowed);
  });

  test('a hundred calls at the edge: exactly ten pass', () => {
    const windows = createWindows(listing);
    const results = Array.from({ length: 100 }, () => windows.take('a', 42));
    assert.equal(acceptedOf(results), 10);
  });

  test('keys do not share', () => {
    const windows = createWindows([{ count: 1, windowMs: MINUTE }]);
    assert.ok(windows.take('a', 0).allowed);
    assert.ok(windows.take('b', 0).allowed);
    assert.ok(!windows.take('a', 0).allowed);
  });

  test('what remains is said, and peeking counts nothing', () => {
    const windows = createWindows(listing);
    assert.deepEqual(windows.take('a', 0), { allowed: true, limit: 10, remaining: 9, resetMs: MINUTE });
    assert.deepEqual(windows.peek('a', 1_000), { allowed: true, limit: 10, remaining: 8, resetMs: 59_000 });
    assert.deepEqual(windows.take('a', 1_000), { allowed: true, limit: 10, remaining: 8, resetMs: 59_000 });
  });

  test('a call taken back makes room', () => {
    const windows = createWindows([{ count: 1, windowMs: MINUTE }]);
    windows.take('a', 0);
    windows.giveBack('a');
    assert.ok(windows.take('a', 1).allowed);
    windows.giveBack('unknown');
  });

  test('saved and restored, the windows go on where they were', () => {
    const before = createWindows(listing);
    for (let call = 0; call < 10; call += 1) before.take('a', call);
    before.take('old', -2 * HOUR);
    const after = createWindows(listing);
    for (const entry of before.entries(100)) after.restore(entry);
    assert.deepEqual(after.entries(100), [{ key: 'a', times: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }]);
    assert.ok(!after.take('a', 100).allowed);
    assert.ok(after.take('a', MINUTE).allowed);
  });

  test('keys that fell silent are forgotten', () => {
    const windows = createWindows([{ count: 1, windowMs: 10 }]);
    for (let call = 0; call < 5_000; call += 1) windows.take(`key ${call}`, call);
    assert.ok(windows.entries(5_000).length <= 10);
  });
});
