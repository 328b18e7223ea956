// The search language at the keyboard: operators over real rows, what the line offers and says, and what is found.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, type Id } from '#core/ids.ts';
import { SCOPE } from './desk-engine.ts';
import type { Desk } from './desk.ts';
import { id, office } from './office.ts';
import { fieldOf } from '#sync/rows/row.ts';

function found(desk: Desk, query: string): string {
  desk.app.searchInput(query);
  return desk
    .rows()
    .map(({ title }) => title)
    .join(', ');
}

describe('the search language', () => {
  const table: Readonly<Record<string, string>> = {
    'in:work': 'Quarterly café report, Collect numbers',
    'list:reports -is:nested': 'Quarterly café report',
    'folder:Work is:nested': 'Collect numbers',
    'in:Work/Reports': 'Quarterly café report, Collect numbers',
    'in:"quarterly cafe report"': 'Collect numbers',
    'label:high': 'Quarterly café report',
    'label:Priority/High': 'Quarterly café report',
    'group:priority': 'Quarterly café report',
    'label:none is:open list:Inbox': 'Pay rent',
    'is:done': 'Buy milk, Archive the old one',
    'is:uncleared': 'Buy milk',
    'is:overdue': 'Collect numbers',
    'is:due': 'Quarterly café report, Collect numbers',
    'due:today': 'Quarterly café report',
    'due:<today OR start:"next week"': 'Collect numbers, Plant tulips',
    'is:future': 'Plant tulips',
    'is:snoozed is:bookmarked': 'Plant tulips',
    'has:link': 'Quarterly café report',
    'has:children': 'Quarterly café report',
    'meta:ticket=42': 'Collect numbers',
    'duration:<=30m': 'Quarterly café report',
    'cafe (report OR nothing)': 'Quarterly café report',
    '"old one"': '',
    '"old one" completed:today': 'Archive the old one',
    'is:open sort:title': 'Collect numbers, Pay rent, Plant tulips, Quarterly café report',
    'is:open sort:due-date limit:1': 'Collect numbers',
    'is:open has:due sort:due-desc': 'Quarterly café report, Collect numbers',
  };

  test('[SEARCH-10] [SEARCH-14] [FIND-10] finds by lists, labels, dates and what tasks are', () => {
    const desk = office();
    desk.press('/');
    for (const [query, expected] of Object.entries(table)) {
      const inOrder = (titles: string) =>
        /sort:/.test(query) ? titles : titles.split(', ').toSorted().join(', ');
      assert.equal(inOrder(found(desk, query)), inOrder(expected), query);
    }
  });

  test('[SEARCH-4] a hint is taken by Tab, and nothing is found meanwhile', () => {
    const desk = office();
    desk.press('/');
    desk.type('rent lable:x');
    const view = desk.app.view.search.get();
    assert.deepEqual(view?.problems, [
      { start: 5, end: 11, message: 'There’s no operator “lable:”.', hint: 'label:' },
    ]);
    assert.equal(desk.screen(), '');
    assert.equal(desk.press('Tab'), true);
    assert.equal(desk.app.view.search.get()?.query, 'rent label:x');
    assert.deepEqual(desk.app.view.search.get()?.put, { caret: 11, times: 1 });
    assert.deepEqual(desk.app.view.search.get()?.options.length, 3, 'the caret stands where the label goes');
    desk.app.searchInput('rent label:x');
    assert.match(desk.app.view.search.get()?.problems[0]?.message ?? '', /Nothing matches the name/);
    assert.equal(desk.press('Tab'), false, 'nothing more is offered: Tab moves the focus');
  });

  test('[SEARCH-4] nothing can be done to all tasks by a query that is not understood', () => {
    const desk = office();
    const before = JSON.stringify([...desk.replica.all()]);
    for (const query of ['titel:rent', 'due:foo', '-is:foo', 'rent OR lable:x']) {
      desk.press('/');
      desk.app.searchInput(query);
      assert.equal(desk.screen(), '', query);
      for (const command of ['selection.all', 'task.complete', 'task.delete', 'selection.clear'])
        desk.app.run(command);
      desk.press('Escape', 'Escape', 'Escape');
      assert.equal(JSON.stringify([...desk.replica.all()]), before, query);
    }
  });

  test('[FIND-9] operators and their values are completed', () => {
    const desk = office();
    const options = () => desk.app.view.search.get()?.options.map(({ text }) => text);
    desk.press('/');
    desk.type('lab');
    assert.deepEqual(options(), ['label:']);
    desk.press('Tab');
    assert.deepEqual(options(), ['High', 'Waiting', 'none']);
    desk.press('Alt+Down', 'Alt+Down', 'Alt+Up', 'Tab');
    assert.equal(desk.app.view.search.get()?.query, 'label:Waiting ');
    assert.equal(desk.screen(), '> Plant tulips');
    desk.app.searchInput('in:ga');
    desk.app.pressSearchOption(0);
    assert.equal(desk.app.view.search.get()?.query, 'in:Garden ');
    desk.app.searchInput('is:ove rent', 6);
    desk.press('Tab');
    assert.equal(desk.app.view.search.get()?.query, 'is:overdue rent');
    assert.equal(desk.app.view.search.get()?.put.caret, 11);
  });

  test('[SEARCH-7] a query is said in words, and what was found stands out', () => {
    const desk = office();
    desk.press('/');
    desk.type('rent');
    assert.equal(desk.app.view.search.get()?.explanation, null);
    assert.deepEqual(desk.rows()[0]?.found, [[4, 8]]);
    desk.app.searchInput('title:cafe is:due');
    assert.equal(
      desk.app.view.search.get()?.explanation,
      'tasks with “cafe” in the title, due today or earlier and not completed',
    );
    assert.deepEqual(desk.rows()[0]?.found, [[10, 14]]);
    desk.press('Escape', 'Escape');
    assert.deepEqual(desk.rows()[0]?.found, []);
  });

  test('[FIND-3] what comes to match while searching is added', () => {
    const desk = office();
    desk.press('/');
    desk.app.searchInput('label:waiting');
    const rent = desk.replica.children(inboxId(SCOPE))[0]?.id as Id;
    desk.replica.issue([{ a: 'set', id: rent, field: `label:${id('Waiting')}`, value: true }]);
    assert.equal(desk.screen(), '> Plant tulips\n  Pay rent');
  });

  test('[SEARCH-18] occurrences that were completed are found one by one, and nothing can be changed of them', () => {
    const desk = office();
    const task = id('Water the plants');
    const repeat = {
      value: 1,
      unit: 'days',
      metadata: null,
      from: 'due date',
      missed: 'skip',
      anchorDay: null,
    };
    desk.replica.issue([
      {
        a: 'create',
        id: task,
        type: 'task',
        fields: { title: 'Water the plants', due: { on: '2026-11-27' }, repeat },
        place: { parent: id('Garden') },
      },
    ]);
    desk.press('g t', '/');
    desk.app.searchInput('water');
    desk.press('Enter', 'Space');
    desk.timers.advance(60_000);
    desk.press('Space');
    assert.equal(fieldOf(desk.replica.row(task), 'occ'), 2);
    desk.press('/');
    desk.app.searchInput('is:complete water');
    assert.deepEqual(
      desk.rows().map(({ title, done, path }) => [title, done, path]),
      [
        ['Water the plants', true, 'Garden'],
        ['Water the plants', true, 'Garden'],
      ],
    );
    const days = new Set(desk.rows().map(({ due }) => due?.text));
    assert.equal(days.size, 2, 'each as it was then');
    desk.app.searchInput('water');
    assert.equal(desk.rows().length, 1, 'searches for words show the task only');
    desk.app.searchInput('completed:today in:garden');
    assert.equal(desk.rows().length, 2);
    const issued = [...desk.replica.all()].length;
    desk.press('Enter');
    for (const key of [
      'Space',
      'Enter',
      'Delete',
      'Tab',
      'F2',
      'd',
      'l',
      'x',
      'Mod+A',
      'Delete',
      'Space',
      'c',
      'b',
    ])
      desk.press(key);
    desk.press('Escape', 'Escape');
    assert.equal([...desk.replica.all()].length, issued);
    assert.equal(fieldOf(desk.replica.row(task), 'occ'), 2);
    desk.press('/');
    desk.app.searchInput('is:complete water');
    assert.equal(desk.rows().length, 2, 'they are there still');
    desk.app.run('edit.undo');
    assert.equal(desk.rows().length, 1, 'undoing a completion takes its record back');
    desk.replica.issue([{ a: 'set', id: task, field: `label:${id('High')}`, value: true }]);
    desk.app.searchInput('is:complete label:high water');
    assert.equal(desk.rows().length, 1);
    desk.replica.issue([{ a: 'place', id: task, place: { parent: id('Reports') } }]);
    desk.app.searchInput('is:complete in:reports water');
    assert.equal(desk.rows().length, 1);
    desk.press('Enter');
    desk.app.run('task.reveal');
    desk.replica.issue([{ a: 'delete', id: task }]);
    desk.press('/');
    desk.app.searchInput('is:complete water');
    assert.equal(desk.rows().length, 0, 'it lies in the trash with its task');
  });
});
