// Queries over rows at hand, as a program that is not the app asks them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId, inboxId, labelsRoot, listsRoot, mineId, type Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import { RowTable } from '#sync/query/row-table.ts';
import { asRow, type Fields, type Row } from '#sync/rows/row.ts';
import { saidAt } from '../dates/said-at.ts';

const id = (name: string) => deriveId('row table', name);
const scope = id('scope');
const context = saidAt('Asia/Kathmandu');

function row(name: string, type: EntityType, fields: Fields, own: Id = id(name)): Row {
  const createdAt = context.now - 1_000;
  const stamp = [1, 0, 1, 1] as const;
  return asRow({ id: own, type, scope, version: 1, fields, stamp, createdAt, updatedAt: createdAt });
}

function rows(): Row[] {
  const under = (parent: Id) => ({ place: { parent, key: 'a' } });
  return [
    row('inbox', 'list', { listType: 'inbox', ...under(listsRoot(scope)) }, inboxId(scope)),
    row('Work', 'list', { listType: 'list', name: 'Work', ...under(listsRoot(scope)) }),
    row('red', 'label', { name: 'red', ...under(labelsRoot(scope)) }),
    row('call', 'task', { title: 'Call Zoë', due: { on: '2026-11-20' }, ...under(id('Work')) }),
    row('number', 'task', { title: 'Find the number', ...under(id('call')) }),
    row('paid', 'task', {
      title: 'Pay rent',
      status: { done: context.now },
      [`label:${id('red')}`]: true,
      ...under(inboxId(scope)),
    }),
    row('old', 'task', {
      title: 'Old',
      status: { done: context.now - 9, cleared: context.now - 5 },
      ...under(inboxId(scope)),
    }),
    row('gone', 'task', { title: 'Gone', del: { at: 1, by: 1 }, ...under(inboxId(scope)) }),
    row('below', 'task', { title: 'Below', ...under(id('gone')) }),
    row(
      'own',
      'mine',
      {
        of: id('number'),
        bookmarkedAt: 5,
        'block:a': { start: Date.UTC(2026, 10, 20, 16), minutes: 45, occ: 0 },
      },
      mineId(scope, id('number')),
    ),
  ];
}

describe('queries over rows at hand', () => {
  const table = new RowTable(scope, rows(), () => context);
  const find = (query: string) => table.find(table.ask(query));

  test('[SEARCH-1] [SEARCH-13] [SEARCH-14] rows, labels, dates and places answer as in the app', () => {
    assert.deepEqual(find('zoe'), [id('call')]);
    assert.deepEqual(find('in:work'), [id('call'), id('number')]);
    assert.deepEqual(find('is:due is:parent'), [id('call')]);
    assert.deepEqual(find('label:red'), [id('paid')]);
    assert.deepEqual(find('is:bookmarked is:nested'), [id('number')]);
    assert.deepEqual(find('sort:alphabetically-desc limit:2'), [id('paid'), id('number')]);
  });

  test('[CAL-59] time blocks are found by programs as well', () => {
    assert.deepEqual(find('block:today'), [id('number')]);
    assert.deepEqual(find('has:block block:tomorrow'), []);
  });

  test('what was cleared counts where the query asks for it, what is under the trash never', () => {
    assert.deepEqual(find('is:complete').toSorted(), [id('paid'), id('old')].toSorted());
    assert.deepEqual(find(''), [id('call'), id('number'), id('paid')]);
    assert.deepEqual(find('is:cleared'), [id('old')]);
  });

  test('[SEARCH-4] [SEARCH-15] what is not understood is said', () => {
    assert.equal(table.ask('is:overdeu').query.problems.length, 1);
    assert.equal(table.ask('in:nowhere').question.unknown.length, 1);
  });

  test('changes are taken over', () => {
    const kept = new RowTable(scope, rows(), () => context);
    const before = rows().find((one) => one.id === id('number'));
    const moved = row('number', 'task', {
      title: 'Find Zoë',
      place: { parent: inboxId(scope), key: 'b' },
    });
    kept.apply([{ id: id('number'), before, after: moved }]);
    assert.deepEqual(kept.find(kept.ask('zoe')).toSorted(), [id('call'), id('number')].toSorted());
    assert.deepEqual(kept.find(kept.ask('in:work')), [id('call')]);
    assert.deepEqual(kept.find(kept.ask('is:parent')), []);
    kept.apply([{ id: id('call'), before: rows()[3], after: undefined }]);
    assert.deepEqual(kept.find(kept.ask('zoe')), [id('number')]);
  });
});
