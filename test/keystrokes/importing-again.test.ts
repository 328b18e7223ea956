// A newer export of what was imported before: names, notes and colors of lists, folders and labels, and the order of everything.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listsRoot, type Id } from '#core/ids.ts';
import { orderSiblings } from '#client/importing/order.ts';
import { isTrashed, nameOf, placeOf } from '#sync/rows/row-reading.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import { Desk, given } from './desk.ts';
import { SCOPE } from './desk-engine.ts';

interface Said {
  readonly folder?: string;
  readonly house?: string;
  readonly about?: string;
  readonly color?: string;
  readonly tasks?: string;
  readonly lists?: string;
}

/** A backup with lists and tasks in this order, by their ids. */
const backup = ({
  folder = 'Home',
  house = 'House',
  about = 'Old',
  color = 'red',
  tasks = 'abcd',
  lists = 'hg',
}: Said = {}) =>
  JSON.stringify({
    projects: [
      { id: 'f', name: folder, child_order: 0 },
      { id: 'h', name: house, parent_id: 'f', description: about, child_order: 1 + lists.indexOf('h') },
      { id: 'g', name: 'Garden', parent_id: 'f', child_order: 1 + lists.indexOf('g') },
    ],
    sections: [],
    labels: [{ id: 'l', name: 'errand', color }],
    items: [...tasks].map((id, at) => ({
      id,
      content: `Task ${id}`,
      project_id: 'h',
      child_order: at,
      priority: 1,
      labels: ['errand'],
    })),
    notes: [],
  });

function rehearse(desk: Desk, said?: Said) {
  desk.sources = [given('todoist.json', backup(said))];
  desk.app.run('file.import');
  return desk.rehearsed();
}

async function importNow(desk: Desk, said?: Said) {
  const asked = await rehearse(desk, said);
  desk.press('Enter');
  desk.timers.advance(5_000);
  return asked;
}

function rowOf(desk: Desk, name: string): Row {
  const found = [...desk.replica.all()].find((row) => nameOf(row) === name && !isTrashed(row));
  assert.ok(found, name);
  return found;
}

const under = (desk: Desk, parent: Id) =>
  desk.replica
    .children(parent)
    .filter((row) => !isTrashed(row))
    .map((row) => nameOf(row).replace('Task ', ''))
    .join('');

describe('importing a newer export', () => {
  test('[IMPORT-112] names and notes of lists and folders and colors of labels follow the file; one undo takes it back', async () => {
    const desk = new Desk('');
    await importNow(desk);
    const list = rowOf(desk, 'House').id;
    const color = registersOf(rowOf(desk, 'errand'))['color'];
    const asked = await importNow(desk, {
      folder: 'At home',
      house: 'The house',
      about: 'New',
      color: 'blue',
    });
    assert.equal(asked.action, 'Import');
    assert.equal(desk.message, 'Updated 3 lists and labels.');
    assert.equal(rowOf(desk, 'The house').id, list);
    assert.equal(registersOf(rowOf(desk, 'The house'))['notes'], 'New');
    assert.equal(rowOf(desk, 'At home').type, 'list');
    assert.notEqual(registersOf(rowOf(desk, 'errand'))['color'], color);
    const again = await rehearse(desk, {
      folder: 'At home',
      house: 'The house',
      about: 'New',
      color: 'blue',
    });
    assert.equal(again.action, '', 'and then there is nothing to do');
    desk.press('Escape');
    desk.press('Mod+Z');
    assert.equal(registersOf(rowOf(desk, 'House'))['notes'], 'Old');
    assert.equal(registersOf(rowOf(desk, 'errand'))['color'], color);
  });

  test('[IMPORT-112] what was changed here stays, and is named', async () => {
    const desk = new Desk('');
    await importNow(desk);
    const { id } = rowOf(desk, 'House');
    desk.replica.issue([
      { a: 'set', id, field: 'name', value: 'Mine' },
      { a: 'set', id: rowOf(desk, 'errand').id, field: 'color', value: '#123456' },
    ]);
    const asked = await importNow(desk, { house: 'Theirs', about: 'New', color: 'blue' });
    assert.match(asked.notes.join(' '), /“Mine” was changed here since the last import, so its name stays/);
    assert.match(
      asked.notes.join(' '),
      /“errand” was changed here since the last import, so its color stays/,
    );
    assert.equal(registersOf(rowOf(desk, 'Mine'))['notes'], 'New');
    assert.equal(registersOf(rowOf(desk, 'errand'))['color'], '#123456');
  });

  test('[IMPORT-112] a label that was renamed here is not made again, and keeps its name', async () => {
    const desk = new Desk('');
    await importNow(desk);
    desk.replica.issue([{ a: 'set', id: rowOf(desk, 'errand').id, field: 'name', value: 'way' }]);
    await importNow(desk, { tasks: 'abcde' });
    const labels = [...desk.replica.all()].filter(({ type }) => type === 'label').map((row) => nameOf(row));
    assert.deepEqual(labels, ['way']);
  });

  test('[IMPORT-113] what is new stands where it stands in the file, and what was moved there moves here', async () => {
    const desk = new Desk('');
    await importNow(desk);
    const { id } = rowOf(desk, 'House');
    assert.equal(under(desk, id), 'abcd');
    await importNow(desk, { tasks: 'xabycd' });
    assert.equal(under(desk, id), 'xabycd');
    const moved = await importNow(desk, { tasks: 'cxabyd', lists: 'gh' });
    assert.equal(moved.tiles.find(({ text }) => text === 'in another order')?.value, 2);
    assert.equal(under(desk, id), 'cxabyd');
    assert.equal(under(desk, placeOf(rowOf(desk, 'House'))?.parent ?? id), 'GardenHouse');
    const again = await rehearse(desk, { tasks: 'cxabyd', lists: 'gh' });
    assert.equal(again.action, '');
    desk.press('Escape');
    desk.press('Mod+Z');
    assert.equal(under(desk, id), 'xabycd');
    assert.equal(under(desk, placeOf(rowOf(desk, 'House'))?.parent ?? id), 'HouseGarden');
  });

  test('[IMPORT-113] an order that was changed here stays: what is new goes beside its neighbors', async () => {
    const desk = new Desk('');
    await importNow(desk);
    const { id } = rowOf(desk, 'House');
    desk.replica.issue([{ a: 'place', id: rowOf(desk, 'Task d').id, place: { parent: id, at: 'start' } }]);
    await importNow(desk, { tasks: 'abxcd' });
    assert.equal(under(desk, id), 'dabxc', 'the order of the file has not changed');
    const asked = await importNow(desk, { tasks: 'cabxd' });
    assert.match(asked.notes.join(' '), /“House” was changed here since the last import, so its order stays/);
    assert.equal(under(desk, id), 'dabxc');
  });

  test('[IMPORT-115] an import that is cut off after some batches is completed by the next, and one undo takes back what came', async () => {
    const desk = new Desk('');
    const before = under(desk, listsRoot(SCOPE));
    const tasks = Array.from({ length: 1_000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
    await rehearse(desk, { tasks });
    desk.press('Enter');
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'rehearsal' && dialog.rehearsal.step === 'importing');
    // The tab is closed before the second batch.
    const came = [...desk.replica.all()].filter((row) => row.type === 'task').length;
    assert.ok(came > 0 && came < 1_000, String(came));
    desk.app.answer('rehearsal', { action: 'stop' });
    desk.timers.advance(1);
    desk.app.closeDialog();
    const asked = await importNow(desk, { tasks });
    assert.equal(asked.tiles.find(({ text }) => text === 'already here')?.value, came);
    assert.equal(desk.message, `Added ${1_000 - came} tasks.`);
    assert.equal([...under(desk, rowOf(desk, 'House').id)].join(''), tasks);
    desk.press('Mod+Z');
    desk.timers.advance(5_000);
    desk.press('Mod+Z');
    desk.timers.advance(5_000);
    assert.equal(under(desk, listsRoot(SCOPE)), before);
  });
});

describe('the order of siblings', () => {
  const based = (ids: string, here: string) =>
    [...ids].map((id) => ({
      id: id as Id,
      base: id === id.toUpperCase() ? null : `a${id}`,
      here: id === id.toUpperCase() ? '' : `a${String(here.indexOf(id)).padStart(2, '0')}`,
    }));
  const said = (ids: string, here = [...ids].toSorted().join('')) => {
    const { placed, isLeft, moved } = orderSiblings(based(ids, here));
    const places = placed.map(
      ({ id, place }) =>
        `${id}${place?.after ? `>${place.after}` : ''}${place?.before ? `<${place.before}` : ''}`,
    );
    return `${isLeft ? 'left ' : ''}${moved} ${places.join(' ')}`.trim();
  };

  test('[IMPORT-113] as few as possible move, and each key sorts where it stands', () => {
    assert.equal(said('abcd'), '0');
    assert.equal(said('bcda'), '1 a>d');
    assert.equal(said('dabc'), '1 d');
    assert.equal(said('aXbYZ'), '0 X>a Y>b Z>Y');
    assert.equal(said('XY'), '0 X Y', 'all of them are new: they go to the end, in order');
    assert.equal(said('bacd', 'cabd'), 'left 0');
    for (const ids of ['dcba', 'aXbYcZd', 'XdYaZbc', 'cXdaYb']) {
      const keys = new Map([...ids].map((id) => [id, `a${id}`]));
      for (const { id, base } of orderSiblings(based(ids, 'abcd')).placed) keys.set(id, base);
      const order = [...ids].map((id) => keys.get(id) ?? '');
      assert.deepEqual(order, order.toSorted(), ids);
    }
  });
});
