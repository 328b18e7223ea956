// When a device lets go of operations that wait on a server which was put back to an older state.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { createIdSource } from '#core/ids.ts';
import type { Action } from '../rows/operation.ts';
import { madeOf } from './parked.ts';
import type { RecoveredItem } from './ports.ts';
import { asRow, type Fields, type Row, type Stamp } from '../rows/row.ts';

const newId = createIdSource({ now: () => 1_000, random: (bytes) => randomFillSync(bytes) });
const scope = newId();
const id = newId();
const OFFSET = 500;
const MADE_AT = 100_000;

function item(action: Action, verdict: RecoveredItem['verdict'] = 'parked'): RecoveredItem {
  return { operation: { ...action, q: 7, u: newId(), scope, t: MADE_AT, b: 0 }, verdict, at: 0 };
}

/** The row as it came back, written long before; one register at another time. */
function row(register: string, at: number, fields: Fields = {}): Row {
  const stamp: Stamp = [1, 10, 2, 1];
  const stamps = { [register]: [9, at, 3, 4] as const };
  return asRow({ id, type: 'task', scope, version: 9, fields, stamp, stamps, createdAt: 1, updatedAt: 1 });
}

const made = (one: RecoveredItem, ...rows: Row[]) =>
  madeOf([one], { confirmed: (of) => rows.find((held) => held.id === of), offsetMs: OFFSET }).length === 1;

const title = { a: 'set', id, field: 'title', value: 'new' } as const;
const parent = newId();
const others: readonly (readonly [string, Action])[] = [
  ['del', { a: 'delete', id }],
  ['del', { a: 'restore', id }],
  ['status', { a: 'complete', id, occ: 0, at: 5, next: null }],
  ['occ', { a: 'reopen', id, occ: 0, previous: null }],
  ['notes', { a: 'note', id, seed: newId(), update: '', text: 'x' }],
  ['place', { a: 'place', id, place: { parent } }],
];

describe('parked operations', () => {
  it('stay while what they name is not there', () => {
    for (const [, action] of others) assert.equal(made(item(action)), false);
    assert.equal(made(item({ a: 'create', id, type: 'task', fields: {} })), false);
  });

  it('go when what they create is there', () => {
    assert.equal(made(item({ a: 'create', id, type: 'task', fields: {} }), row('title', 1)), true);
  });

  it('go when their value is there, or a later one; not while an older one stands', () => {
    assert.equal(made(item(title), row('title', 20, { title: 'old' })), false);
    assert.equal(made(item(title), row('title', 20, { title: 'new' })), true);
    assert.equal(made(item(title), row('title', MADE_AT + OFFSET, { title: 'later' })), true);
  });

  for (const [register, action] of others)
    it(`${action.a} goes when the server has made it, and not when only its target came back`, () => {
      const holder: Row = { ...row('name', 1), id: parent };
      assert.equal(made(item(action), row('title', MADE_AT * 2), holder), false);
      assert.equal(made(item(action), row(register, MADE_AT + OFFSET - 3, { notes: 'a x b' }), holder), true);
    });

  it('[SYNC-16] an edit of a note stays while a later one stands there without what it put in', () => {
    const edit = item({ a: 'note', id, seed: newId(), update: '', text: 'milk and bread' });
    assert.equal(made(edit, row('notes', MADE_AT * 2, { notes: 'milk and jam' })), false);
    assert.equal(made(edit, row('notes', MADE_AT * 2, { notes: 'oat milk and jam and bread' })), true);
  });

  it('[SYNC-29] what was brought back stays while a later text stands there without its words', () => {
    const fields = { title: 'new', notes: 'milk' };
    const offer = item({ a: 'reoffer', id, type: 'task', fields, at: 5, times: {}, createdAt: 1 });
    assert.equal(made(offer, row('notes', MADE_AT * 2, { title: 'new', notes: 'bread' })), false);
    assert.equal(made(offer, row('notes', MADE_AT * 2, { title: 'new', notes: 'oat milk' })), true);
  });

  it('a move stays while its new place is not there', () => {
    assert.equal(made(item({ a: 'place', id, place: { parent } }), row('place', MADE_AT * 2)), false);
  });

  it('what was refused for another reason is never let go of', () => {
    assert.equal(made(item(title, 'forbidden'), row('title', 20, { title: 'new' })), false);
  });
});
