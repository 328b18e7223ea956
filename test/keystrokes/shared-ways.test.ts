// What a person does with a shared list beside placing it: links, searches, clearing, deleting, the trash, exports, the history.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, mountId, type Id } from '#core/ids.ts';
import { spoken } from '#client/history/sentences.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';
import { SCOPE } from './desk-engine.ts';

const HOUR_MS = 3_600_000;

const account = { ...noAccount, email: 'ben@example.org' };
const shared = (outline = '> Own'): Desk => new Desk(outline, { isConfirmed: true, account });

function folderWith(desk: Desk, name: string, titles: readonly string[] = []): { folder: Id; list: Id } {
  desk.app.run('folder.create', { name: 'Home' });
  const folder = desk.lists().find((line) => line.name === 'Home')?.id as Id;
  return { folder, list: desk.holdShared(name, titles, { parent: folder, key: 'a0' }) };
}

const names = (desk: Desk): string => desk.sidebar().replaceAll(/^../gm, '');

function taskCalled(desk: Desk, title: string): Row {
  const row = [...desk.engine.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, `there is a task ${title}`);
  return row;
}

/** The list is in the trash for everybody, by its owner. */
function deleteForAll(desk: Desk, list: Id): void {
  const row = desk.replica.row(list) as Row;
  const fields = { ...row.fields, del: { at: 1, by: 2 } };
  receivePage(desk.replica, [{ ...row, fields, version: row.version + 1 } as Row]);
}

describe('ways to a shared list', () => {
  test('[SHARE-95] links lead to it by the path of its mount and by its id, and tasks are made in it', async () => {
    const desk = shared();
    const { list } = folderWith(desk, 'Trip', ['Book']);
    desk.app.follow('/app/open/lists/path/Home/Trip');
    const title = () => desk.app.view.header.get().title;
    await desk.until(() => title() === 'Trip');
    desk.press('g i');
    assert.equal(title(), 'Inbox');
    desk.app.follow(`/app/open/lists/id/${list}`);
    await desk.until(() => title() === 'Trip');
    assert.equal(desk.screen(), '> Book');
    desk.press('g i');
    desk.app.run('go.list', { list });
    desk.press('End', 'Ctrl+Enter');
    desk.type('Pack');
    desk.press('Escape');
    const pack = taskCalled(desk, 'Pack');
    assert.equal(pack.scope, desk.replica.row(list)?.scope);
    assert.equal(placeOf(pack)?.parent, list);
  });

  test('[SHARE-95] searches know the folder that it stands in', async () => {
    const desk = shared();
    folderWith(desk, 'Trip', ['Book']);
    desk.press('/');
    desk.type('in:Home');
    await desk.settle();
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['Book'],
    );
    desk.press('Escape', 'Escape');
  });

  test('[SHARE-95] quick entry puts a task into it', () => {
    const desk = shared();
    const { list } = folderWith(desk, 'Trip');
    desk.press('g i', 'Mod+Shift+Space');
    const text = 'Buy a map #Trip';
    desk.app.answer('quickEntry', { action: 'ask', what: 'list' });
    desk.app.answer('quickEntry', { action: 'filter', text: 'Trip' });
    desk.app.answer('quickEntry', { action: 'pick' });
    desk.app.answer('quickEntry', { action: 'type', text: 'Buy a map', caret: text.length });
    desk.app.answer('quickEntry', { action: 'save' });
    assert.equal(placeOf(taskCalled(desk, 'Buy a map'))?.parent, list);
  });
});

describe('what is for everybody in a shared list', () => {
  test('[SHARE-96] is not cleared by one person’s automatic clearing', async () => {
    const desk = shared('> Own ✓');
    const { list } = folderWith(desk, 'Trip', ['Book']);
    desk.app.run('go.list', { list });
    desk.press('Space');
    desk.app.run('setting.autoClear', { value: '1' });
    desk.timers.advance(1_000);
    await desk.settle();
    desk.timers.advance(30 * HOUR_MS);
    await desk.settle();
    const cleared = (title: string) => fieldOf(taskCalled(desk, title), 'status')?.cleared !== undefined;
    assert.deepEqual([cleared('Own'), cleared('Book')], [true, false]);
  });

  test('[SHARE-318] clears as the list says, for everybody, whatever the person’s own setting is', async () => {
    const desk = shared('> Own ✓');
    const { list } = folderWith(desk, 'Trip', ['Book', 'Pack']);
    assert.equal(desk.app.run('list.clearAfter', { after: '24' }).type, 'refused');
    desk.app.run('setting.autoClear', { value: '0' });
    desk.timers.advance(1_000);
    await desk.settle();
    desk.app.run('go.list', { list });
    desk.press('Space');
    const cleared = (title: string) => fieldOf(taskCalled(desk, title), 'status')?.cleared !== undefined;
    desk.timers.advance(30 * HOUR_MS);
    assert.equal(cleared('Book'), false);
    desk.app.run('list.clearAfter', { after: '24' });
    assert.equal(desk.message, 'Completed tasks of ‘Trip’ clear after a day, for everybody in it.');
    desk.timers.advance(2_000);
    assert.deepEqual([cleared('Own'), cleared('Book'), cleared('Pack')], [false, true, false]);
    desk.app.run('list.clearAfter', { after: '0' });
    desk.app.pressRow(taskCalled(desk, 'Pack').id, { shift: false, mod: false });
    desk.press('Space');
    desk.timers.advance(30 * HOUR_MS);
    assert.equal(cleared('Pack'), false);
    assert.equal(desk.app.run('list.clearAfter', { after: '7' }).type, 'refused');
  });

  test('[SHARE-97] is deleted by the owner only', () => {
    const desk = shared();
    const theirs = desk.holdShared('Trip');
    const own = desk.holdShared('Garden', [], undefined, { role: 'owner' });
    desk.app.run('go.list', { list: theirs });
    assert.equal(desk.app.run('list.delete').type, 'refused');
    assert.equal(desk.message, 'Only its owner can delete ‘Trip’. You can leave it, or archive it.');
    assert.equal(names(desk), 'Inbox\nTrip\nGarden');
    desk.app.run('go.list', { list: own });
    desk.app.run('list.delete');
    assert.equal(desk.message, 'Deleted list ‘Garden’ for everybody in it.');
    assert.equal(names(desk), 'Inbox\nTrip');
  });

  test('[SHARE-98] stays in the trash, if somebody else owns the list', async () => {
    const desk = shared();
    const { list } = folderWith(desk, 'Trip', ['Book', 'Pack']);
    desk.app.run('go.list', { list });
    desk.press('Delete');
    desk.replica.issue([]);
    desk.confirm();
    desk.engine.setSync({ type: 'synced' });
    assert.equal(desk.app.run('trash.empty').type, 'refused');
    assert.equal(desk.message, 'Only the owner of a shared list can delete what was in it permanently.');
    desk.press('g i', 'Delete');
    desk.confirm();
    desk.app.run('trash.empty');
    await desk.until(() => desk.app.view.dialog.get()?.type === 'emptyTrash');
    const dialog = desk.app.view.dialog.get();
    assert.equal(dialog?.type === 'emptyTrash' && dialog.count, 1);
  });

  test('[SHARE-99] goes to the Inbox, if the list was deleted meanwhile', async () => {
    const desk = shared();
    const { list } = folderWith(desk, 'Trip', ['Book']);
    desk.confirm();
    desk.app.run('go.list', { list });
    desk.press('Ctrl+Enter');
    desk.type('Pack');
    desk.press('Enter', 'Tab');
    desk.type('Socks');
    desk.press('Escape', 'g i');
    const waiting = desk.replica.pending.filter(({ a }) => a === 'create' || a === 'set' || a === 'place');
    deleteForAll(desk, list);
    desk.engine.refuse(new Map(waiting.map((each) => [each, each.a === 'create' ? 'badparent' : 'gone'])));
    await desk.until(() => /was deleted/.test(desk.message));
    assert.equal(desk.message, '‘Trip’ was deleted, so your 2 tasks are in the Inbox.');
    const pack = taskCalled(desk, 'Pack');
    assert.deepEqual([pack.scope, placeOf(pack)?.parent], [SCOPE, inboxId(SCOPE)]);
    const socks = taskCalled(desk, 'Socks');
    assert.ok([pack.id, inboxId(SCOPE)].includes(placeOf(socks)?.parent as Id));
    assert.deepEqual(desk.engine.refusals, [], 'nothing is left to recover');
    assert.match(desk.screen(), /Pack/);
  });
});

describe('what is told of a shared list', () => {
  test('[SHARE-100] is its name, in the history and in what turning cloud sync on removes', async () => {
    const desk = shared();
    const { folder, list } = folderWith(desk, 'Trip');
    desk.engine.detach();
    desk.app.run('go.list', { list });
    desk.app.run('list.unnest');
    desk.app.run('history.everything');
    await import('#client/history/book.ts');
    await desk.settle();
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'history');
    assert.equal(
      spoken(dialog.history.entries[0]?.sentence ?? []),
      'You moved Trip from Home to the top level',
    );
    desk.press('Escape');
    desk.app.run('sync.enable');
    await desk.until(() => desk.app.view.dialog.get()?.type === 'enableSync');
    const enabling = desk.app.view.dialog.get();
    assert.ok(enabling?.type === 'enableSync');
    assert.deepEqual(
      enabling.lost.parts.map(({ name, items }) => [name, items]),
      [['Moved', ['Trip']]],
    );
    assert.equal(placeOf(desk.engine.replica.row(list))?.parent === folder, false);
  });

  test('[SHARE-101] is an own list in an export', async () => {
    const desk = shared();
    const { folder, list } = folderWith(desk, 'Trip', ['Book']);
    desk.app.run('go.list', { list });
    desk.app.run('export.accountJson');
    desk.app.run('export.json');
    desk.app.run('export.accountMarkdown');
    await desk.until(() => desk.files.length === 3);
    const text = desk.files.map((file) => file.text).join('\n');
    assert.ok(text.includes('"Trip"') && text.includes('"Book"'));
    assert.ok(!text.includes('"mount"') && !text.includes('"member"') && !text.includes('Ann'));
    assert.ok(!text.includes(mountId(SCOPE, list)));
    assert.ok(text.includes(folder));
  });
});
