// When installing is offered unasked.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { alarmOf } from '../sync-status/alarm.ts';
import { type InstallHistory, installOffers, isTimeToOffer } from './install.ts';

const DAY = 86_400_000;
const now = Date.UTC(2026, 10, 27, 9);
const known = (changed: Partial<InstallHistory> = {}): InstallHistory => ({
  way: 'ask',
  now,
  firstAt: now - 2 * DAY,
  wasOffered: false,
  ...changed,
});

describe('offering to install', () => {
  test('[INST-2] comes once, two days after the first opening, where something is gained', () => {
    assert.ok(isTimeToOffer(known()));
    assert.ok(isTimeToOffer(known({ way: 'share' })));
    assert.ok(!isTimeToOffer(known({ firstAt: now - 2 * DAY + 1 })));
    assert.ok(!isTimeToOffer(known({ firstAt: null })), 'nobody is met with it');
    assert.ok(!isTimeToOffer(known({ wasOffered: true })));
    for (const way of ['installed', 'dock', 'none'] as const) assert.ok(!isTimeToOffer(known({ way })), way);
  });

  test('[INST-2] is the last thing that the loud line says, and can be refused', () => {
    const offer = { id: 'o', ...installOffers.ask };
    const facts = { pending: [], heardAt: null, unsaved: 0 };
    const state = { type: 'synced' } as const;
    const alarm = (notices: Parameters<typeof alarmOf>[0]['notices']) =>
      alarmOf({ state, facts, notices, now, isSettled: true });
    const shown = alarm([offer]);
    assert.equal(shown?.tone, 'calm');
    assert.deepEqual(
      shown.actions.map(({ title, command }) => [title, command]),
      [
        ['Install', 'application.install'],
        ['Not now', 'notice.dismiss'],
      ],
    );
    assert.equal(alarm([offer, { id: 'w', text: 'Written again.', tone: 'warn' }])?.text, 'Written again.');
  });
});
