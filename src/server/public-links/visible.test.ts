// The function that names visible fields, against a plain statement of what is visible, over random rows; and which tasks are shown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId } from '#core/ids.ts';
import { asRow, type Row, type TaskRow } from '#sync/rows/row.ts';
import { linkPermissions } from '#wire/public-links.ts';
import type { LinkActor } from '../access/authorise.ts';
import { mayOf } from './links.ts';
import { shownTasks, visibleFields } from './visible.ts';

const id = (name: string | number) => deriveId('visible', String(name));
const [SCOPE, LIST, LINK] = [id('scope'), id('list'), id('link')];

const visitorWith = (bits: number): LinkActor => {
  const may = mayOf(bits);
  return {
    type: 'link',
    link: LINK,
    scope: SCOPE,
    list: LIST,
    may: new Set(linkPermissions.filter((each) => may[each])),
  };
};

function rowOf(type: Row['type'], name: string, fields: Record<string, unknown>): Row {
  return asRow({
    id: id(name),
    type,
    scope: SCOPE,
    version: 1,
    fields,
    stamp: [1, 0, 1, 1],
    createdAt: 77,
    updatedAt: 78,
  });
}

const task = (name: string, parent: string, fields: Record<string, unknown> = {}) =>
  rowOf('task', name, { place: { parent: id(parent), key: `k-${name}` }, title: name, ...fields }) as TaskRow;

const label = (name: string, fields: Record<string, unknown>) => rowOf('label', name, { name, ...fields });
const labels = new Map(
  [
    label('red', { color: '#ff0000', visibility: 'shared' }),
    label('plain', {}),
    label('own', { visibility: 'private' }),
    label('trashed', { del: { at: 1, by: 1 } }),
    task('no label', 'list'),
  ].map((row) => [row.id, row]),
);

/** Registers with what is visible of each; null: nothing. */
const REGISTERS: readonly (readonly [string, unknown, Record<string, unknown> | null])[] = [
  ['notes', 'Warm things', { notes: 'Warm things' }],
  ['due', { on: '2027-01-02' }, { due: { on: '2027-01-02' } }],
  ['start', { on: '2027-01-01' }, { start: { on: '2027-01-01' } }],
  ['status', { done: 5 }, { isDone: true }],
  ['repeat', { value: 1, unit: 'days' }, { repeats: true }],
  ['series', { occ: 0, due: null, start: null, title: 'x' }, null],
  ['occ', 7, null],
  ['duration', 7, null],
  ['assignee', 7, null],
  ['origin', { from: 'x', messageId: 'x', at: 1 }, null],
  ['meta:x', 'x', null],
  ['notesDoc', { seed: id('seed'), state: 'x' }, null],
  ['inTheFuture', 'x', null],
];

describe('visible fields', () => {
  test('[PUBLIC-6] are those that are named, for every set of permissions and every mixture of registers', () => {
    for (let mixture = 0; mixture < 2 ** REGISTERS.length; mixture += 1) {
      const chosen = REGISTERS.filter((_, at) => (mixture & (1 << at)) !== 0);
      const fields = Object.fromEntries(chosen.map(([name, value]) => [name, value]));
      const visible = Object.assign({}, ...chosen.map(([, , shown]) => shown ?? {})) as object;
      const row = task('t', 'list', fields);
      const visitor = visitorWith(mixture % 32);
      const shown = visibleFields(visitor, { row, id: 'own', parent: 'above' }, (one) => labels.get(one));
      assert.deepEqual(shown, { id: 'own', parent: 'above', key: 'k-t', title: 't', ...visible });
    }
  });

  test('[PUBLIC-6] labels are shown by those links alone that show labels, and never private ones', () => {
    const names = ['red', 'plain', 'own', 'trashed', 'no label', 'unknown'];
    const carried = Object.fromEntries(names.map((name) => [`label:${id(name)}`, true]));
    const row = task('t', 'list', { ...carried, [`meta:x${id('red')}`]: 'x' });
    for (let bits = 0; bits < 32; bits += 1) {
      const { labels: found } = visibleFields(visitorWith(bits), { row, id: 'a', parent: null }, (one) =>
        labels.get(one),
      );
      const shown = [
        { name: 'red', color: '#ff0000' },
        { name: 'plain', color: '#777c85' },
      ];
      assert.deepEqual(found, mayOf(bits).labels ? shown : undefined);
    }
    const bare = visibleFields(
      visitorWith(31),
      { row: task('t', 'list'), id: 'a', parent: null },
      () => undefined,
    );
    assert.deepEqual(bare, { id: 'a', parent: null, key: 'k-t', title: 't' });
  });

  test('[PUBLIC-6] an empty title and empty notes are none', () => {
    const { title: _title, ...fields } = task('t', 'list', { notes: '' }).fields;
    const row = asRow({ ...task('t', 'list'), fields }) as TaskRow;
    const shown = visibleFields(visitorWith(0), { row, id: 'a', parent: null }, () => undefined);
    assert.deepEqual(shown, { id: 'a', parent: null, key: 'k-t', title: '' });
  });
});

describe('shown tasks', () => {
  const list = rowOf('list', 'list', { listType: 'list', place: { parent: SCOPE, key: 'a' } });
  const shown = (...rows: readonly Row[]) =>
    [...shownTasks(new Map(rows.map((row) => [row.id, row])), LIST).values()]
      .map(({ fields }) => fields.title ?? '')
      .toSorted((a, b) => (a < b ? -1 : 1));
  const TRASHED = { del: { at: 1, by: 1 } };
  const CLEARED = { status: { done: 1, cleared: 2 } };

  test('[PUBLIC-6] are those of the list that are not hidden, and under nothing that is', () => {
    const rows = [
      task('grandchild', 'child'),
      task('child', 'a'),
      task('a', 'list'),
      task('done', 'list', { status: { done: 1 } }),
      task('trashed', 'list', TRASHED),
      task('under trashed', 'trashed'),
      task('cleared', 'list', CLEARED),
      task('under cleared', 'cleared'),
      task('deep under cleared', 'under cleared'),
      task('of another list', 'other'),
      task('in a circle', 'also in a circle'),
      task('also in a circle', 'in a circle'),
      label('red', {}),
    ];
    const expected = ['a', 'child', 'done', 'grandchild'];
    assert.deepEqual(shown(list, ...rows), expected);
    assert.deepEqual(shown(...rows.toReversed(), list), expected);
  });

  test('[PUBLIC-6] are none when the list is in the trash or not there', () => {
    const trashed = rowOf('list', 'list', {
      listType: 'list',
      place: { parent: SCOPE, key: 'a' },
      ...TRASHED,
    });
    assert.deepEqual(shown(trashed, task('a', 'list')), []);
    assert.deepEqual(shown(task('a', 'list')), []);
  });
});
