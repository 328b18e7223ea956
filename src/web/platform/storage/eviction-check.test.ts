// The record beside the database: read back as written, silent about what is not ours, exact about what was lost.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { createSentinel, type SentinelRecord } from './eviction-check.ts';
import { lossText } from './storage-loss.ts';

const id = '01900000-0000-7000-8000-000000000001' as Id;
const record: SentinelRecord = { store: id, waiting: 3, onlyHere: 0, savedAt: 5 };

function memory() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

describe('sentinel', () => {
  test('gives back what was written, per profile', () => {
    const storage = memory();
    const sentinel = createSentinel(storage, id);
    assert.equal(sentinel.read(), null);
    sentinel.write(record);
    assert.deepEqual(sentinel.read(), record);
    sentinel.forget();
    assert.equal(sentinel.read(), null);
  });

  test('what is not readable counts as nothing', () => {
    const storage = memory();
    const sentinel = createSentinel(storage, id);
    for (const text of ['{', '[]', '{"store":"no id"}']) {
      sentinel.write(record);
      for (const key of storage.values.keys()) storage.values.set(key, text);
      assert.equal(sentinel.read(), null);
    }
  });

  test('the loss is told in numbers', () => {
    assert.match(lossText(record, true) ?? '', /3 changes hadn’t synced/);
    assert.match(lossText({ ...record, waiting: 0 }, true) ?? '', /Everything was synced/);
    assert.match(lossText({ ...record, onlyHere: 4 }, false) ?? '', /3 tasks and lists were only here/);
    assert.equal(lossText({ ...record, onlyHere: 1 }, false), null);
  });
});
