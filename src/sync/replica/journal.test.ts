// What the journal keeps and lets go: by time, by number, group by group; and what of disk and memory wins.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Id } from '#core/ids.ts';
import { expiredEntries } from './journal-expiry.ts';
import { Journal } from './journal.ts';
import type { JournalEntry, StorageBatch } from './ports.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW = 200 * DAY_MS;
const idOf = (n: number) => `0193b3a0-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;
const device = idOf(1);

function entryOf(q: number, options: { at?: number; group?: number; count?: number } = {}): JournalEntry {
  const { at = NOW, group = q, count = 1 } = options;
  const operations = Array.from({ length: count }, (_, n) => ({
    a: 'delete' as const,
    id: idOf(90),
    q: q + n,
    u: idOf(1_000 + q + n),
    scope: idOf(2),
    t: at,
    b: 0,
    g: idOf(5_000 + group),
  }));
  return { device, q, operations, inverses: [] };
}

describe('the journal', () => {
  it('lets go of what is older than ninety days', () => {
    const entries = [entryOf(1, { at: NOW - 91 * DAY_MS }), entryOf(2, { at: NOW - 89 * DAY_MS })];
    assert.deepEqual(expiredEntries(entries, NOW), [[device, 1]]);
  });

  it('keeps the newest two thousand entries, and a group whole or not at all', () => {
    const single = Array.from({ length: 1_999 }, (_, n) => entryOf(10 + n, { at: NOW - 10 }));
    const pair = [entryOf(1, { at: NOW - 20, group: 1 }), entryOf(2, { at: NOW - 20, group: 1 })];
    assert.deepEqual(expiredEntries([...pair, ...single], NOW), [
      [device, 1],
      [device, 2],
    ]);
    assert.deepEqual(expiredEntries([pair[0] as JournalEntry, ...single], NOW), []);
  });

  it('keeps the newest group however large it is', () => {
    const large = Array.from({ length: 60 }, (_, n) => entryOf(1_000 * (n + 1), { group: 1, count: 500 }));
    const small = entryOf(1, { at: NOW - 5, group: 2 });
    assert.deepEqual(expiredEntries([small, ...large], NOW), [[device, 1]]);
  });

  it('what was written here wins over what is read later, and goes from the disk when its time has come', async () => {
    const saved: Omit<StorageBatch, 'meta'>[] = [];
    const timers: (() => void)[] = [];
    const stored = [entryOf(1, { at: 0 }), entryOf(2)];
    const journal = new Journal({
      storage: { journal: () => Promise.resolve(stored) },
      clock: { now: () => NOW, monotonic: () => 0 },
      timers: {
        after(_delayMs, work) {
          timers.push(work);
          return () => undefined;
        },
      },
      device: () => device,
      lane: () => 0,
      save: (batch) => void saved.push(batch),
    });
    const undo = { label: 'deleted', cursor: null, replaced: [] };
    journal.put([{ ...entryOf(2), undo }]);
    assert.equal(journal.all, null);
    const entries = await journal.read();
    assert.deepEqual(
      entries.map((entry) => [entry.q, entry.undo?.label]),
      [
        [1, undefined],
        [2, 'deleted'],
      ],
    );
    for (const work of timers) work();
    await import('./journal-expiry.ts');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(saved.at(-1), { journalRemove: [[device, 1]] });
    assert.equal((await journal.read()).length, 1);
  });
});
