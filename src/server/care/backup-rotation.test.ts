// Which backups are kept and which go.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { backupsToKeep } from './backup-rotation.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 5, 15, 12, 30);

describe('backup rotation', () => {
  it('thins out a year of hourly backups to 48 hours, 14 days and 5 weeks', () => {
    const all = Array.from({ length: 365 * 24 }, (_, n) => NOW - n * HOUR);
    const kept = [...backupsToKeep(all, NOW)].toSorted((a, b) => b - a);
    assert.deepEqual(kept.slice(0, 48), all.slice(0, 48));
    assert.ok(kept.length >= 60 && kept.length <= 48 + 14 + 8, String(kept.length));
    assert.ok(kept.every((time) => NOW - time <= 35 * DAY));
    assert.ok(NOW - (kept.at(-1) ?? NOW) > 27 * DAY, 'the oldest week is covered');
    const days = new Set(kept.map((time) => Math.floor(time / DAY)));
    for (let day = 0; day < 14; day += 1) assert.ok(days.has(Math.floor(NOW / DAY) - day), `day ${day}`);
  });

  it('comes to the same when it runs every hour', () => {
    let held: number[] = [];
    for (let hour = 60 * 24; hour >= 0; hour -= 1) {
      const now = NOW - hour * HOUR;
      held = [...backupsToKeep([...held, now], now)];
    }
    const all = Array.from({ length: 61 * 24 }, (_, n) => NOW - n * HOUR);
    assert.deepEqual(new Set(held), backupsToKeep(all, NOW));
  });

  it('keeps the newest however old, and needs none', () => {
    assert.deepEqual(backupsToKeep([NOW - 900 * DAY, NOW - 901 * DAY], NOW), new Set([NOW - 900 * DAY]));
    assert.deepEqual(backupsToKeep([], NOW), new Set());
  });
});
