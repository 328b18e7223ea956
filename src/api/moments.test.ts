// Dates of the API against the platform's own printing, and there and back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseMoment } from '#wire/api/values.ts';
import { isoOf, isSame, shown } from './moments.ts';

describe('moments of the API', () => {
  test('are printed as Date prints them, before 1970 and after 9999 too', () => {
    let state = 1;
    const next = () => (state = (state * 48_271) % 2_147_483_647);
    const times = [
      0,
      -1,
      1,
      999,
      86_399_999,
      86_400_000,
      Date.UTC(1900, 0, 1),
      Date.UTC(9999, 11, 31),
      253_402_300_800_000,
    ];
    for (let more = 0; more < 20_000; more += 1) times.push(Math.round((next() - 1e9) * 1_000 + next() / 3));
    for (const ms of times) assert.equal(isoOf(ms), new Date(ms).toISOString());
  });

  test('are read with and without an offset', () => {
    for (const [text, iso] of [
      ['2026-11-27T17:00:00Z', '2026-11-27T17:00:00.000Z'],
      ['2026-11-27t17:00z', '2026-11-27T17:00:00.000Z'],
      ['2026-11-27 17:00:00.25', '2026-11-27T17:00:00.250Z'],
      ['2026-11-27T17:00:00.123456789+05:30', '2026-11-27T11:30:00.123Z'],
      ['2026-11-27T00:30:00-0100', '2026-11-27T01:30:00.000Z'],
    ] as const)
      assert.equal(isoOf(parseMoment(text) ?? 0), iso, text);
    for (const text of [
      '',
      '2026-11-27',
      '2026-02-30T00:00:00Z',
      '2026-11-27T24:00:00Z',
      '2026-11-27T17:60Z',
      '27.11.2026 17:00',
    ])
      assert.equal(parseMoment(text), null, text);
  });

  test('a floating time is shown on its own clock', () => {
    assert.deepEqual(shown({ local: '2026-11-27T17:00' }), { at: '2026-11-27T17:00:00.000Z', day: null });
    assert.ok(
      isSame(
        { at: Date.UTC(2026, 10, 27), zone: 'Europe/Berlin' },
        { at: Date.UTC(2026, 10, 27), zone: 'UTC' },
      ),
    );
    assert.ok(!isSame({ on: '2026-11-27' }, { at: Date.UTC(2026, 10, 27), zone: 'UTC' }));
  });
});
