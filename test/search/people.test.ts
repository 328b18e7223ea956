// Searching for tasks by who does them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId, listsRoot, memberId, mountId, type Id } from '#core/ids.ts';
import { explainQuery } from '#core/search/explain.ts';
import { parseQuery } from '#core/search/parse.ts';
import { asRow, type Fields, type Row } from '#sync/rows/row.ts';
import type { EntityType } from '#core/model.ts';
import { RowTable } from '#sync/query/row-table.ts';
import { saidAt } from '../dates/said-at.ts';

const ME = deriveId('me');
const SHARED = deriveId('shared');
const LIST = deriveId('list');

const row = (id: Id, type: EntityType, fields: Fields, scope = SHARED): Row =>
  asRow({ id, type, fields, scope, version: 1, stamp: [1, 1, 1, 1], createdAt: 1, updatedAt: 1 });

/** Tasks of Ann Lee, account 2, of Ben, account 1, who asks, of Zoë, who has left, and of nobody. */
function table(): RowTable {
  const member = (account: number, name: string, more: Fields = {}) =>
    row(memberId(SHARED, account), 'member', { account, name, joinedAt: 1, ...more });
  const task = (title: string, assignee?: number) =>
    row(deriveId(title), 'task', {
      title,
      place: { parent: LIST, key: `a${title}` },
      ...(assignee === undefined ? {} : { assignee }),
    });
  const rows = [
    row(LIST, 'list', { listType: 'list', name: 'Trip', place: { parent: listsRoot(SHARED), key: 'a0' } }),
    row(mountId(ME, LIST), 'mount', { of: LIST, place: { parent: listsRoot(ME), key: 'a1' } }, ME),
    member(1, 'Ben'),
    member(2, 'Ann Lee'),
    member(3, 'Zoë', { leftAt: 2 }),
    task('anns', 2),
    task('bens', 1),
    task('zoes', 3),
    task('free'),
    row(deriveId('comment'), 'comment', {
      text: 'x',
      author: 2,
      place: { parent: deriveId('free'), key: 'a0' },
    }),
  ];
  const made = new RowTable(ME, [], () => saidAt('UTC'), 1);
  made.apply(rows.map((after) => ({ id: after.id, before: undefined, after })));
  return made;
}

const names = ['anns', 'bens', 'zoes', 'free'];
const found = (query: string) => {
  const all = table();
  const ids = all.find(all.ask(query));
  return names.filter((name) => ids.includes(deriveId(name)));
};

describe('searching by person', () => {
  test('[SHARE-168] by the beginning of a name, me, none and any', () => {
    assert.deepEqual(found('assignee:ann'), ['anns']);
    assert.deepEqual(found('assignee:lee'), ['anns']);
    assert.deepEqual(found('assigned:@zoe'), ['zoes']);
    assert.deepEqual(found('assignee:me'), ['bens']);
    assert.deepEqual(found('assignee:none'), ['free']);
    assert.deepEqual(found('assignee:any'), ['anns', 'bens', 'zoes']);
    assert.deepEqual(found('-assignee:me'), ['anns', 'zoes', 'free']);
    assert.deepEqual(found('has:comments'), ['free']);
  });

  test('[SHARE-288] results are sorted by the name of who does them, and those of nobody come last', () => {
    const inOrder = (query: string) => {
      const all = table();
      return all.find(all.ask(query)).map((id) => names.find((name) => deriveId(name) === id));
    };
    assert.deepEqual(inOrder('sort:assignee'), ['anns', 'bens', 'zoes', 'free']);
    assert.deepEqual(inOrder('sort:person-desc'), ['zoes', 'bens', 'anns', 'free']);
  });

  test('[SHARE-168] a name that nobody has is said to be unknown', () => {
    assert.equal(table().ask('assignee:carl').question.unknown.length, 1);
    assert.equal(explainQuery(parseQuery('assignee:ann')), 'tasks assigned to ann');
  });
});
