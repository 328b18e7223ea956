// The loud line: what speaks, and that a day without sending is noticed by the clock that is passed in.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { type AlarmFacts, alarmOf } from './alarm.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 10, 27, 9);
const id = '01900000-0000-7000-8000-000000000001' as Id;
const operation: Operation = { q: 1, u: id, scope: id, t: START, b: 0, a: 'delete', id };

const known = (changed: Partial<AlarmFacts> = {}): AlarmFacts => ({
  state: { type: 'onDevice', waiting: 1, online: false },
  facts: { pending: [operation], heardAt: null, unsaved: 0 },
  notices: [],
  now: START,
  isSettled: true,
  ...changed,
});

describe('alarm', () => {
  test('being offline for less than a day is ordinary', () => {
    assert.equal(alarmOf(known({ now: START + 24 * HOUR - 1 })), null);
  });

  test('a day without sending while changes wait is said, with how long', () => {
    assert.match(alarmOf(known({ now: START + 24 * HOUR }))?.text ?? '', /Not synced for 24 hours/);
    const alarm = alarmOf(known({ now: START + 75 * HOUR }));
    assert.equal(alarm?.text, 'Not synced for 3 days. 1 change is only on this device.');
    assert.deepEqual(
      alarm.actions.map(({ command }) => command),
      ['application.sync', 'sync.download', 'application.syncStatus'],
    );
  });

  test('not before an answer could have come, and not when nothing waits', () => {
    assert.equal(alarmOf(known({ now: START + 75 * HOUR, isSettled: false })), null);
    const facts = { pending: [], heardAt: null, unsaved: 0 };
    assert.equal(alarmOf(known({ now: START + 75 * HOUR, facts })), null);
  });

  test('a session that ended offers signing in first', () => {
    const state = { type: 'signedOut', waiting: 1 } as const;
    assert.equal(alarmOf(known({ now: START + 75 * HOUR, state }))?.actions[0]?.command, 'account.signIn');
  });

  test('a disk that refuses speaks before anything that happened earlier', () => {
    const state = { type: 'unsaved', waiting: 2, failing: true } as const;
    const notices = [{ id: 'n', text: 'Something happened.', tone: 'warn' }] as const;
    assert.match(alarmOf(known({ state, notices }))?.text ?? '', /^2 changes not saved/);
    assert.equal(alarmOf(known({ notices }))?.text, 'Something happened.');
  });

  test('what was lost speaks before what went well, also when it happened later', () => {
    const notices = [
      { id: 'a', text: 'Written again.', tone: 'warn' },
      { id: 'b', text: 'Something is gone.', tone: 'danger' },
    ] as const;
    const alarm = alarmOf(known({ notices }));
    assert.equal(alarm?.text, 'Something is gone.');
    assert.deepEqual(alarm.actions.at(-1)?.args, { notice: 'b' });
  });

  test('a browser that keeps nothing says whether an account would help', () => {
    const common = { type: 'volatile', waiting: 0, online: true, signedOut: false, detached: false } as const;
    assert.equal(
      alarmOf(known({ state: { ...common, account: false } }))?.actions[0]?.command,
      'account.signUp',
    );
    assert.match(
      alarmOf(known({ state: { ...common, account: true } }))?.text ?? '',
      /go straight to the server/,
    );
  });
});
