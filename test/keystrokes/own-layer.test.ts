// What a person has of a shared list for themselves alone: its sorting, an order of their own, hiding it, and what its details say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mineId, mountId, type Id } from '#core/ids.ts';
import { createFacade } from '#sync/exchange/facade.ts';
import { OwnOrder } from '#sync/mounts/own-order.ts';
import { placeOwn } from '#sync/mounts/own-placing.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { Desk } from './desk.ts';
import { SCOPE } from './desk-engine.ts';

function sharedDesk(titles: readonly string[] = ['Book', 'Pack', 'Water']): { desk: Desk; trip: Id } {
  const desk = new Desk('> Own', { isConfirmed: true });
  const trip = desk.holdShared('Trip', titles);
  desk.app.run('go.list', { list: trip });
  return { desk, trip };
}

const names = (desk: Desk): string => desk.sidebar().replaceAll(/^../gm, '');
const mountOf = (desk: Desk, list: Id) => desk.replica.row(mountId(SCOPE, list));

function called(desk: Desk, title: string): Row {
  const row = [...desk.engine.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, title);
  return row;
}

const titles = (replica: Pick<Replica, 'children'>, list: Id) =>
  replica.children(list).map((row) => fieldOf(row, 'title'));

/** What the operations that wait to be sent are about. */
const written = (desk: Desk, from: number) =>
  desk.replica.pending.slice(from).map(({ a, scope }) => [a, scope === SCOPE]);

describe('one’s own sorting of a shared list', () => {
  test('[SHARE-195] sorts it for the person alone, over its own sorting, and “By hand” is what everybody sees', () => {
    const { desk, trip } = sharedDesk(['Water', 'Book', 'Pack']);
    desk.replica.issue([
      { a: 'set', id: trip, field: 'sort', value: { field: 'alphabetically', order: 'desc' } },
    ]);
    const list = desk.replica.row(trip);
    assert.equal(desk.screen().replaceAll(/[> ]/g, ''), 'Water\nPack\nBook');
    desk.app.run('list.sort', { by: 'alphabetically asc' });
    assert.equal(desk.message, '‘Trip’ is sorted by title, A to Z for you.');
    assert.equal(desk.screen().replaceAll(/[> ]/g, ''), 'Book\nPack\nWater');
    desk.app.run('list.sort', { by: 'by-hand' });
    assert.equal(desk.message, '‘Trip’ is in the order that everybody sees.');
    assert.equal(desk.screen().replaceAll(/[> ]/g, ''), 'Water\nBook\nPack');
    desk.press('Mod+Z');
    assert.equal(desk.screen().replaceAll(/[> ]/g, ''), 'Book\nPack\nWater');
    assert.equal(desk.replica.row(trip), list, 'nothing of the list is written');
  });
});

describe('my order', () => {
  test('[SHARE-197] is seen by the person alone, and one undo puts it back', () => {
    const { desk, trip } = sharedDesk();
    desk.app.run('list.sort', { by: 'my-order' });
    assert.equal(desk.message, '‘Trip’ is in your order. What you move there only you see.');
    assert.equal(desk.app.view.header.get().sorted, 'your own order');
    const from = desk.replica.pending.length;
    desk.press('End', 'Alt+Up', 'Alt+Up');
    assert.equal(desk.screen(), '> Water\n  Book\n  Pack');
    assert.deepEqual(written(desk, from), [
      ['create', true],
      ['set', true],
    ]);
    assert.equal(placeOf(desk.replica.row(called(desk, 'Water').id))?.key, 'a2', 'its place for everybody');
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '  Book\n> Water\n  Pack');
    desk.press('Mod+Shift+Z');
    assert.equal(desk.screen(), '> Water\n  Book\n  Pack');
    desk.app.run('list.sort', { by: 'by-hand' });
    assert.equal(desk.screen(), '  Book\n  Pack\n> Water');
    desk.app.run('list.sort', { by: 'my-order' });
    assert.equal(desk.screen(), '> Water\n  Book\n  Pack');
    assert.equal(fieldOf(mountOf(desk, trip), 'ownSort'), 'my-order');
  });

  test('[SHARE-197] goes for everybody under something else, and new tasks stand where they are made', () => {
    const { desk } = sharedDesk();
    desk.app.run('list.sort', { by: 'my-order' });
    desk.press('End', 'Alt+Up', 'Alt+Up', 'Ctrl+Enter');
    desk.type('Map');
    desk.press('Escape');
    assert.equal(desk.screen(), '  Water\n> Map\n  Book\n  Pack');
    desk.press('Mod+]');
    assert.equal(placeOf(desk.replica.row(called(desk, 'Map').id))?.parent, called(desk, 'Water').id);
    assert.equal(desk.screen(), '  Water\n  > Map\n  Book\n  Pack'.replace('  > Map', '>   Map'));
  });

  test('[SHARE-197] is not there where the person is alone', () => {
    const desk = new Desk('> A', { isConfirmed: true });
    assert.equal(desk.app.run('list.sort', { by: 'my-order' }).type, 'refused');
    assert.equal(desk.message, 'Nobody else is in this list. Sort it by hand: that order is yours.');
  });

  test('[SHARE-197] is there again after a start', () => {
    const { desk, trip } = sharedDesk();
    desk.app.run('list.sort', { by: 'my-order' });
    desk.press('End', 'Alt+Up', 'Alt+Up');
    const key = fieldOf(desk.replica.row(mineId(SCOPE, called(desk, 'Water').id)), 'order');
    assert.ok(key !== undefined && key < 'a0');
    const again = createFacade(desk.replica, () => undefined);
    assert.deepEqual(
      titles(again, trip),
      ['Book', 'Pack', 'Water'],
      'until that is loaded, everybody’s order',
    );
    again.learnToPlace(placeOwn, (stored) => new OwnOrder(stored));
    assert.deepEqual(titles(again, trip), ['Water', 'Book', 'Pack']);
  });
});

describe('hiding a shared list', () => {
  test('[SHARE-196] [TOUCH-8] says where it is found by a finger, too', () => {
    const { desk } = sharedDesk();
    desk.touch = true;
    desk.app.run('list.hide');
    assert.equal(desk.message, 'Hid ‘Trip’ for you. Others still see it; “···” at the top finds it.');
  });

  test('[SHARE-196] hides it for the person alone, and the same command shows it again', () => {
    const { desk, trip } = sharedDesk();
    const list = desk.replica.row(trip);
    desk.app.run('list.hide');
    assert.equal(desk.message, 'Hid ‘Trip’ for you. Others still see it; the palette finds it.');
    assert.equal(names(desk), 'Inbox');
    assert.equal(desk.replica.row(trip), list, 'nothing of the list is written');
    desk.press('Mod+Z');
    assert.equal(names(desk), 'Inbox\nTrip');
    desk.press('Mod+Shift+Z', 'g i');
    desk.press('Mod+K');
    desk.type('Trip');
    assert.ok(desk.palette().some((title) => title.includes('Trip')));
    desk.press('Escape');
    desk.app.run('go.list', { list: trip });
    desk.app.run('list.hide');
    assert.equal(desk.message, '‘Trip’ is in your sidebar again.');
    assert.equal(names(desk), 'Inbox\nTrip');
  });

  test('[SHARE-196] asks for a shared list', () => {
    const desk = new Desk('> A', { isConfirmed: true });
    assert.equal(desk.app.run('list.hide').type, 'refused');
    assert.equal(desk.message, 'You’re alone in this list. Archive it instead.');
  });
});

describe('the details of a task in a shared list', () => {
  test('[SHARE-199] say with whom it is shared, and what only the person sees', async () => {
    const { desk } = sharedDesk();
    desk.press('Home', 'Mod+B');
    desk.app.run('task.details');
    await desk.until(() => desk.app.view.dialog.get()?.type === 'details');
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'details');
    const fact = (name: string) => dialog.details.facts.find((each) => each.name === name)?.text;
    assert.equal(fact('Shared with'), 'Ann');
    assert.equal(fact('Only you see'), 'Bookmarked');
    desk.press('Escape', 'g i');
    desk.app.run('task.details');
    await desk.until(() => desk.app.view.dialog.get()?.type === 'details');
    const own = desk.app.view.dialog.get();
    assert.ok(own?.type === 'details' && own.details.facts.every(({ name }) => name !== 'Only you see'));
  });
});
