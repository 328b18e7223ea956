// Rule PLACE-1 of docs/rules/tasks.md.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId, type Id } from '../ids.ts';
import { selectEntities, type ExportedEntity } from './exported.ts';

const PARENT = deriveId('parent');

function task(name: string, key: string): ExportedEntity {
  return { id: deriveId(name), type: 'task', createdAt: 0, parent: PARENT, key, fields: { title: name } };
}

const titles = (entities: readonly ExportedEntity[]) => entities.map((entity) => entity.fields['title']);

describe('selecting', () => {
  test('[PLACE-1] siblings are in byte order of their keys', () => {
    const tasks = [
      task('five', 'b00'),
      task('three', 'a1'),
      task('one', 'Zz'),
      task('four', 'aV'),
      task('two', 'a0'),
    ];
    assert.deepEqual(titles(selectEntities(tasks, { kind: 'account' }).entities), [
      'one',
      'two',
      'three',
      'four',
      'five',
    ]);
  });

  test('[PLACE-1] equal keys are ordered by id, whatever order they come in', () => {
    const tasks = ['a', 'b', 'c', 'd'].map((name) => task(name, 'a0'));
    const expected = tasks.map((one) => one.id).toSorted();
    const idsOf = (given: readonly ExportedEntity[]): Id[] =>
      selectEntities(given, { kind: 'account' }).entities.map((one) => one.id);
    assert.deepEqual(idsOf(tasks), expected);
    assert.deepEqual(idsOf(tasks.toReversed()), expected);
  });

  test('[PLACE-1] positions count from 0 among the siblings', () => {
    const tasks = [task('b', 'a1'), task('a', 'a0')];
    const { orders, roots } = selectEntities(tasks, { kind: 'account' });
    assert.deepEqual([orders.get(deriveId('a')), orders.get(deriveId('b'))], [0, 1]);
    assert.deepEqual(roots, [PARENT]);
  });
});
