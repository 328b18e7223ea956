// Importing into the open list instead of into lists of its own: shared lists, their labels, and what happens when the list goes away.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { labelScopes } from '#client/labels/label-scopes.ts';
import { isTrashed, nameOf } from '#sync/rows/row-reading.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import { Desk, given } from './desk.ts';
import { SCOPE } from './desk-engine.ts';

const backup = (count = 2) =>
  JSON.stringify({
    projects: [
      { id: 'p1', name: 'House', child_order: 1 },
      { id: 'p2', name: 'Paint', parent_id: 'p1', child_order: 2, description: 'About' },
      { id: 'p3', name: 'Trip', child_order: 3 },
    ],
    sections: [],
    labels: [{ id: 'l1', name: 'errand' }],
    items: Array.from({ length: count }, (_, at) => ({
      id: `i${at}`,
      content: `Task ${at}`,
      project_id: at % 2 === 0 ? 'p2' : 'p3',
      child_order: at,
      priority: 4,
      labels: ['errand'],
    })),
    notes: [],
  });

function rehearse(desk: Desk, name: string, text: string) {
  desk.sources = [given(name, text)];
  desk.app.run('file.import');
  return desk.rehearsed();
}

/** Turns the line on or off. */
async function toggle(desk: Desk, id: string) {
  const at = (await desk.rehearsed()).rows.findIndex((row) => row.id === id);
  desk.app.answer('rehearsal', { action: 'toggle', index: at });
  return desk.rehearsed();
}

function rowOf(desk: Desk, name: string): Row {
  const found = [...desk.replica.all()].find((row) => nameOf(row) === name && !isTrashed(row));
  assert.ok(found, name);
  return found;
}

const tree = (desk: Desk, parent: Id, level = 0): string =>
  desk.replica
    .children(parent)
    .filter((row) => !isTrashed(row))
    .map((row) => `${'  '.repeat(level)}${nameOf(row)}\n${tree(desk, row.id, level + 1)}`)
    .join('');

describe('importing into the open list', () => {
  test('[IMPORT-110] tasks and labels come into the scope of a shared list; lists of the file become tasks', async () => {
    const desk = new Desk('> A');
    const list = desk.holdShared('Garden', ['Dig']);
    const { scope } = desk.replica.row(list) ?? {};
    desk.app.run('go.list', { list });
    const asked = await rehearse(desk, 'todoist.json', backup());
    const row = asked.rows.find(({ id }) => id === 'isInto');
    assert.deepEqual([row?.text, row?.isOn], ['Into “Garden”', false]);
    assert.match(row?.hint ?? '', /^Everyone in the list sees it then\./);
    const into = await toggle(desk, 'isInto');
    assert.match(into.lead, /into “Garden”$/);
    desk.press('Enter');
    desk.timers.advance(2_000);
    assert.equal(tree(desk, list), 'Dig\nHouse / Paint\n  Task 0\nTrip\n  Task 1\n');
    assert.equal(registersOf(rowOf(desk, 'House / Paint'))['notes'], 'About');
    for (const name of ['Task 0', 'Task 1', 'Trip', 'errand', 'Priority', 'p1'])
      assert.equal(rowOf(desk, name).scope, scope, name);
    assert.ok(labelScopes(desk.replica).includes(scope ?? SCOPE));
    const { id } = rowOf(desk, 'errand');
    assert.equal(registersOf(rowOf(desk, 'Task 1'))[`label:${id}`], true);
    const after = desk.everything();
    await rehearse(desk, 'todoist.json', backup());
    assert.equal((await toggle(desk, 'isInto')).action, '', 'again there is nothing to do');
    desk.press('Escape');
    assert.equal(desk.everything(), after);
    desk.press('Mod+Z');
    assert.equal(tree(desk, list), 'Dig\n');
  });

  test('[IMPORT-110] one list of a file needs no task for itself, and labels of the list are used', async () => {
    const desk = new Desk('> A');
    const list = desk.holdShared('Garden');
    desk.app.run('go.list', { list });
    desk.app.run('label.create', { name: 'Home' });
    await rehearse(desk, 'all.csv', 'title,labels\nSow,home\nMow,');
    await toggle(desk, 'isInto');
    desk.press('Enter');
    desk.timers.advance(2_000);
    assert.equal(tree(desk, list), 'Sow\nMow\n');
    const { scope } = desk.replica.row(list) ?? {};
    const labels = Object.keys(registersOf(rowOf(desk, 'Sow'))).filter((name) => name.startsWith('label:'));
    assert.deepEqual(
      labels.map((name) => desk.replica.row(name.slice(6) as Id)?.scope),
      [scope],
    );
  });

  test('[IMPORT-110] everything becomes its own lists unless it is asked for', async () => {
    const desk = new Desk('> A');
    const list = desk.holdShared('Garden');
    desk.app.run('go.list', { list });
    await rehearse(desk, 'todoist.json', backup());
    desk.press('Enter');
    desk.timers.advance(2_000);
    assert.equal(tree(desk, list), '');
    assert.equal(rowOf(desk, 'Trip').type, 'list');
    assert.equal(rowOf(desk, 'Task 1').scope, SCOPE);
  });

  test('[IMPORT-111] who is removed from the list before Enter is told, and nothing is written', async () => {
    const desk = new Desk('> A');
    const list = desk.holdShared('Garden');
    desk.app.run('go.list', { list });
    await rehearse(desk, 'todoist.json', backup());
    await toggle(desk, 'isInto');
    desk.letGo(list);
    const before = desk.everything();
    desk.press('Enter');
    desk.timers.advance(2_000);
    assert.equal(
      desk.message,
      '“Garden” was deleted, or you’re no longer in it. Nothing was imported: choose again where it goes.',
    );
    assert.equal(desk.everything(), before);
    const asked = await desk.rehearsed();
    assert.equal(
      asked.rows.some(({ id }) => id === 'isInto'),
      false,
    );
    desk.press('Enter');
    desk.timers.advance(2_000);
    assert.equal(rowOf(desk, 'Trip').type, 'list');
  });

  test('[IMPORT-111] an import stops when its person is removed from the list meanwhile, and says so', async () => {
    const desk = new Desk('> A');
    const list = desk.holdShared('Garden');
    desk.app.run('go.list', { list });
    await rehearse(desk, 'todoist.json', backup(400));
    await toggle(desk, 'isInto');
    desk.press('Enter');
    desk.letGo(list);
    desk.timers.advance(5_000);
    assert.equal(desk.message, 'The import was stopped. “Garden” was deleted, or you’re no longer in it.');
    assert.ok(![...desk.replica.all()].some((row) => nameOf(row) === 'Task 399'));
  });

  test('[IMPORT-110] lists that are no open list cannot be chosen', async () => {
    const desk = new Desk('> A');
    desk.app.run('go.trash');
    const asked = await rehearse(desk, 'todoist.json', backup());
    assert.equal(
      asked.rows.some(({ id }) => id === 'isInto'),
      false,
    );
  });
});
