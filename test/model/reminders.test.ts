// Reminders as registers: what the one write path makes of devices that set, remove and dismiss at the same time, and the
// lossless document.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { exportedOf } from '#core/formats/exported.ts';
import { parseJson } from '#core/formats/json-check.ts';
import { documentToCreates } from '#core/formats/json-import.ts';
import { exportJson } from '#core/formats/json.ts';
import { inboxId, mineId, type Id } from '#core/ids.ts';
import { type Reminder, remindersIn, registerOf } from '#core/reminders.ts';
import { apply } from '#sync/rows/apply.ts';
import type { Action } from '#sync/rows/operation.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';
import { Table } from './table.ts';
import { fieldOf } from '#sync/rows/row.ts';

const SCOPE = '0193b3a0-0000-7000-8000-000000000001' as Id;
const TASK = '0193b3a0-0000-7000-8000-000000000009' as Id;
const MINE = mineId(SCOPE, TASK);

class Server {
  readonly table = new Table();
  version = 0;
  seq = 0;

  /** `seen`: the version that the author knew. */
  do(action: Action, by: { device: number; seen?: number; time: number }): string {
    this.seq += 1;
    const { device, time, seen = this.version } = by;
    const version = this.version + 1;
    const own = { device, seq: this.seq, base: seen, scope: SCOPE, account: 7 };
    const verdict = apply(this.table, action, { ...own, version, time });
    if (verdict === 'ok') this.version = version;
    return verdict;
  }

  get reminders(): readonly string[] {
    const row = this.table.row(MINE);
    return remindersIn(row?.type === 'mine' ? row : undefined)
      .map(({ register }) => register)
      .toSorted();
  }
}

const set = (reminder: Reminder): Action => ({
  a: 'set',
  id: MINE,
  field: registerOf(reminder),
  value: reminder,
});
const create = (reminder: Reminder): Action => ({
  a: 'create',
  id: MINE,
  type: 'mine',
  fields: { of: TASK, [registerOf(reminder)]: reminder },
});

describe('reminders as registers', () => {
  test('[SYNC-17] [REM-2] two devices that add their first reminder at the same time keep both', () => {
    const server = new Server();
    assert.equal(server.do(create({ before: 10 }), { device: 1, seen: 0, time: 100 }), 'ok');
    assert.equal(server.do(create({ before: 60 }), { device: 2, seen: 0, time: 50 }), 'ok');
    assert.deepEqual(server.reminders, ['remind:before-10', 'remind:before-60']);
  });

  test('[REM-2] one that was removed does not come back by an older write', () => {
    const server = new Server();
    server.do(create({ before: 10 }), { device: 1, time: 100 });
    const seen = server.version;
    const none: Action = { a: 'set', id: MINE, field: 'remind:before-10', value: null };
    assert.equal(server.do(none, { device: 1, time: 300 }), 'ok');
    assert.equal(server.do(set({ before: 10 }), { device: 2, seen, time: 200 }), 'superseded');
    assert.deepEqual(server.reminders, []);
    assert.equal(server.do(set({ before: 10 }), { device: 2, time: 400 }), 'ok');
  });

  test('[REM-2] whatever devices add at the same time is all there, each once', () => {
    const added = fc.array(
      fc.record({
        device: fc.integer({ min: 1, max: 4 }),
        before: fc.nat({ max: 20 }),
        time: fc.nat({ max: 1_000 }),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(added, (writes) => {
        const server = new Server();
        const begun = new Set<number>();
        for (const { device, before, time } of writes) {
          const action = begun.has(device) ? set({ before }) : create({ before });
          begun.add(device);
          server.do(action, { device, seen: 0, time });
        }
        const expected = new Set(writes.map(({ before }) => `remind:before-${before}`));
        assert.deepEqual(server.reminders, [...expected].toSorted());
      }),
      { seed: 30 },
    );
  });

  test('[REM-8] of two dismissals the later one stands, whichever arrives first', () => {
    for (const order of [
      [200, 300],
      [300, 200],
    ]) {
      const server = new Server();
      server.do(create({ before: 10 }), { device: 1, time: 100 });
      const seen = server.version;
      for (const [index, time] of order.entries()) {
        const dismissed: Action = { a: 'set', id: MINE, field: 'reminded', value: time };
        server.do(dismissed, { device: index + 2, seen, time });
      }
      assert.equal(fieldOf(server.table.row(MINE), 'reminded'), 300);
    }
  });

  test('[REM-1] only a reminder by its own name is one', () => {
    assert.equal(checkRegister('mine', 'remind:before-10', { before: 10 }), null);
    assert.equal(checkRegister('mine', 'remind:before-10', null), null);
    assert.equal(checkRegister('mine', 'remind:on-2026-11-27', { when: { on: '2026-11-27' } }), null);
    for (const [register, value] of [
      ['remind:before-10', { before: 11 }],
      ['remind:before-10', true],
      ['remind:before--1', { before: -1 }],
      ['remind:before-9999999', { before: 9_999_999 }],
      ['remind:on-2026-02-30', { when: { on: '2026-02-30' } }],
      [`remind:${'x'.repeat(300)}`, null],
    ] as const)
      assert.notEqual(checkRegister('mine', register, value), null, register);
    assert.notEqual(checkRegister('task', 'remind:before-10', { before: 10 }), null);
  });

  test('[REM-9] export and import carry them, and what was dealt with', () => {
    const inbox = inboxId(SCOPE);
    const kept = { 'remind:before-10': { before: 10 }, 'remind:at-5': { when: { at: 5, zone: 'UTC' } } };
    const base = { createdAt: 1, stamp: [1, 1, 1, 1] as const };
    const rows = [
      { ...base, id: inbox, type: 'list', fields: { place: { parent: SCOPE, key: 'a' }, listType: 'inbox' } },
      { ...base, id: TASK, type: 'task', fields: { place: { parent: inbox, key: 'a' }, title: 'Plan' } },
      { ...base, id: MINE, type: 'mine', fields: { of: TASK, reminded: 7, ...kept } },
    ] as const;
    const text = exportJson(exportedOf(rows), { kind: 'account' });
    const read = parseJson(text, { names: registerNames, check: checkRegister });
    assert.ok(read.ok);
    const makeId = () => '0193b3a0-0000-7000-8000-00000000000a' as Id;
    const creates = documentToCreates(read.value, { newIds: 'keep', makeId, scope: SCOPE });
    assert.deepEqual(creates.find(({ id }) => id === MINE)?.fields, { of: TASK, reminded: 7, ...kept });
    const broken = text.replace('{"before":10}', '{"before":11}');
    assert.equal(parseJson(broken, { names: registerNames, check: checkRegister }).ok, false);
  });
});
