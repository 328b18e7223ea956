// Bodies with texts that were made before: as JSON.stringify says them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bodyText, keepTextOf } from './kept-texts.ts';

describe('the text of a body', () => {
  test('is what JSON.stringify makes of it, the first time and again', () => {
    const [one, two, fleeting] = [{ title: 'ü "1"' }, { title: null, tags: [1, 'b'] }, { title: 'x' }];
    keepTextOf(one);
    keepTextOf(two);
    for (const body of [
      { success: true, tasks: [one, two, fleeting], lists: [], labels: [fleeting], next_cursor: null },
      { success: true, task: one, todo_item: one, warnings: undefined },
      { 'a "name"': 1, nested: { tasks: [one] } },
      {},
    ])
      for (const _again of [1, 2]) assert.equal(bodyText(body), JSON.stringify(body));
  });

  test('is made once of what is kept', () => {
    const task = { title: 'kept' };
    keepTextOf(task);
    const first = bodyText({ task });
    task.title = 'changed';
    assert.equal(bodyText({ task }), first);
  });
});
