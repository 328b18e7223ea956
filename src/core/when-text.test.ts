// Dates in English by hand are those of the browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockWhereSaid, whenText } from './when-text.ts';

const DAY = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const MOMENT = { ...DAY, hour: 'numeric', minute: '2-digit' } as const;
const ZONES = ['Asia/Kathmandu', 'America/New_York', 'Europe/Berlin'];

test('dates are told as English tells them, moments by the clocks of where they were said', () => {
  const day = new Intl.DateTimeFormat('en-US', DAY);
  const moment = new Intl.DateTimeFormat('en-US', MOMENT);
  const zones = ZONES.map((zone) => ({
    zone,
    said: new Intl.DateTimeFormat('en-US', { ...MOMENT, timeZone: zone }),
  }));
  for (let at = Date.UTC(1900, 0, 1); at < Date.UTC(2300, 0, 1); at += 3_217_777_123) {
    const text = new Date(at).toISOString();
    const [on, local] = [text.slice(0, 10), text.slice(0, 16)];
    assert.equal(whenText({ on }, clockWhereSaid), day.format(at));
    assert.equal(whenText({ local }, clockWhereSaid), moment.format(at));
    for (const { zone, said } of zones) assert.equal(whenText({ at, zone }, clockWhereSaid), said.format(at));
  }
});
