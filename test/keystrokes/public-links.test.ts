// Public links of a list, by keys: making, permitting, naming, pausing, deleting and taking back, and what is said where it cannot be.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { LinksView } from '#client/public-links/links-view.ts';
import type { Desk } from './desk.ts';
import { asRow, fieldOf } from '#sync/rows/row.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { START } from './desk-engine.ts';
import { offline, sharingDesk, SharingServer } from './sharing-server.ts';

function viewOf(desk: Desk): LinksView | null {
  const dialog = desk.app.view.dialog.get();
  return dialog?.type === 'publicLinks' ? dialog.links : null;
}

const links = (desk: Desk): LinksView => must(viewOf(desk), 'the dialog of public links is open');
const said = (desk: Desk) => links(desk).said?.text;

/** The server has answered. */
const answered = (desk: Desk) => desk.until(() => viewOf(desk)?.busy === null);

async function press(desk: Desk, key: string): Promise<void> {
  desk.press(key);
  await answered(desk);
}

/** In a shared list with so many links. */
async function inList(count = 0): Promise<{ desk: Desk; server: SharingServer; list: Id }> {
  const server = new SharingServer();
  const desk = sharingDesk(server);
  const list = desk.holdShared('Garden', ['Sow']);
  desk.app.run('go.list', { list });
  for (let at = 0; at < count; at += 1) await server.links.create(list, {});
  server.asked.length = 0;
  return { desk, server, list };
}

async function open(desk: Desk, command = 'list.publicLinks'): Promise<void> {
  desk.app.run(command);
  await answered(desk);
  desk.within = ['dialog.publicLinks', 'list'];
}

/** The one link of a list. */
async function one(): Promise<{ desk: Desk; server: SharingServer }> {
  const { desk, server } = await inList(1);
  await open(desk);
  desk.app.answer('publicLinks', { action: 'open', link: must(links(desk).links[0], 'a link').id });
  return { desk, server };
}

describe('public links', () => {
  test('[PUBLIC-100] a private list says what visitors see before its first link is made', async () => {
    const server = new SharingServer();
    const desk = sharingDesk(server);
    desk.app.run('list.create', { name: 'Garden' });
    desk.press('Ctrl+Enter');
    desk.type('Sow');
    desk.press('Escape');
    desk.confirm();
    await open(desk, 'list.createPublicLink');
    assert.equal(links(desk).step, 'offer');
    assert.equal(links(desk).tasks, 1);
    assert.deepEqual(server.asked, []);
    server.onTheWay.push({ state: 'filling', moved: 1, total: 2 });
    await press(desk, 'n');
    assert.equal(links(desk).step, 'moving');
    assert.equal(links(desk).progress, 0.5);
    desk.timers.advance(400);
    await desk.until(() => viewOf(desk)?.step === 'link');
    const { step, link } = links(desk);
    assert.equal(step, 'link');
    assert.equal(link?.address, 'https://example.org/p/public-1');
    assert.equal(link?.may, 'Visitors can look, and change nothing.');
    assert.deepEqual(
      server.asked.filter((what) => what !== 'profile'),
      ['create link', 'links'],
    );
  });

  test('[SHARE-359] of a list that is shared already it says what visitors get before its first link is made', async () => {
    const { desk, server } = await inList();
    await open(desk, 'list.createPublicLink');
    assert.deepEqual([links(desk).step, server.asked], ['question', ['links']]);
    assert.equal(links(desk).question?.title, 'Create a public link to ‘Garden’?');
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null, 'it began with the question');
    await open(desk, 'list.createPublicLink');
    desk.app.answer('publicLinks', { action: 'back' });
    assert.equal(desk.app.view.dialog.get(), null);
    await open(desk);
    await press(desk, 'n');
    assert.equal(links(desk).step, 'question');
    desk.press('Escape');
    assert.equal(links(desk).step, 'sheet');
    await press(desk, 'n');
    desk.app.answer('publicLinks', { action: 'yes', minutes: null });
    await answered(desk);
    assert.equal(links(desk).link?.address, 'https://example.org/p/public-1');
    // Whoever has a link can read it already: a further one is made at once.
    desk.press('Escape');
    await press(desk, 'n');
    assert.equal(links(desk).link?.address, 'https://example.org/p/public-2');
    assert.deepEqual(
      server.asked.filter((what) => what === 'create link'),
      ['create link', 'create link'],
    );
  });

  test('[SHARE-359] of an encrypted list it says where the key is, and asks again once all links have ended', async () => {
    const { desk, server } = await inList(1);
    server.links.isEncrypted = true;
    server.links.outdate();
    await open(desk, 'list.createPublicLink');
    assert.match(links(desk).question?.lines[0] ?? '', /The key of the list is in the address/);
    assert.ok(!server.asked.includes('create link'));
  });

  test('[SHARE-361] a link that ended with a new key says so at once, and nothing of what it permitted', async () => {
    const { desk, server } = await inList(2);
    await desk.until(() => true);
    server.links.outdate();
    await open(desk);
    const [link] = links(desk).links;
    assert.deepEqual([link?.isEnded, link?.isPaused], [true, false]);
    assert.match(link?.may ?? '', /The list has a new key since, so this link opens nothing anymore/);
  });

  test('[PUBLIC-101] digits permit and forbid, one link at a time', async () => {
    const { desk } = await inList(2);
    await open(desk);
    assert.equal(links(desk).links.length, 2);
    desk.app.answer('publicLinks', { action: 'open', link: must(links(desk).links[1], 'another link').id });
    for (const key of ['1', '2', '5']) {
      await press(desk, key);
    }
    assert.equal(links(desk).link?.may, 'Visitors can look, add tasks, complete tasks and view labels.');
    desk.press('2');
    await answered(desk);
    assert.equal(said(desk), 'Visitors can no longer complete tasks.');
    assert.equal(links(desk).links[0]?.may, 'Visitors can look, and change nothing.');
    desk.press('Escape');
    assert.equal(links(desk).step, 'sheet');
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
  });

  test('[PUBLIC-102] the link under the focus is copied, paused, and deleted after a question', async () => {
    const { desk, server } = await inList(2);
    await open(desk);
    const second = must(links(desk).links[1], 'another link').id;
    desk.outside.option = second;
    await press(desk, 'c');
    assert.equal(desk.clipboard, 'https://example.org/p/public-2');
    await press(desk, 'p');
    assert.deepEqual(
      links(desk).links.map(({ isPaused }) => isPaused),
      [false, true],
    );
    assert.match(said(desk) ?? '', /shows nothing until you resume it/);
    desk.press('Delete');
    assert.equal(links(desk).step, 'question');
    assert.match(links(desk).question?.lines[0] ?? '', /right away/);
    assert.equal(server.links.links.length, 2);
    desk.app.answer('publicLinks', { action: 'yes', minutes: null });
    await answered(desk);
    assert.deepEqual(
      links(desk).links.map(({ address }) => address),
      ['https://example.org/p/public-1'],
    );
    assert.equal(links(desk).step, 'sheet');
  });

  test('[PUBLIC-103] a public name is typed, kept short, and taken away again', async () => {
    const { desk, server } = await one();
    desk.press('e');
    assert.equal(links(desk).step, 'name');
    desk.app.answer('publicLinks', { action: 'save', values: { name: 'x'.repeat(121) } });
    assert.match(said(desk) ?? '', /at most 120 characters/);
    server.failure = offline;
    desk.app.answer('publicLinks', { action: 'save', values: { name: 'Our garden' } });
    await answered(desk);
    assert.match(said(desk) ?? '', /need a connection/);
    assert.equal(links(desk).step, 'name', 'the field stays, with what was typed');
    server.failure = null;
    desk.app.answer('publicLinks', { action: 'save', values: { name: ' Our garden ' } });
    await answered(desk);
    assert.equal(links(desk).link?.publicName, 'Our garden');
    assert.equal(links(desk).link?.name, 'Our garden');
    desk.press('e');
    desk.app.answer('publicLinks', { action: 'save', values: { name: '' } });
    await answered(desk);
    assert.equal(links(desk).link?.name, 'Garden');
  });

  test('[PUBLIC-104] a burst of a visitor is taken back for a span of time', async () => {
    const { desk, server } = await one();
    desk.press('u');
    assert.deepEqual(
      links(desk).question?.answers.map(({ minutes }) => minutes),
      [10, 60, 1_440, 10_080],
    );
    server.links.undone = 12;
    desk.app.answer('publicLinks', { action: 'yes', minutes: 60 });
    await answered(desk);
    assert.deepEqual(server.asked.slice(-1), ['take back 60']);
    assert.equal(said(desk), 'Took back 12 changes.');
    assert.equal(links(desk).step, 'link');
  });

  test('[PUBLIC-105] of several links none is copied unasked, of one it is', async () => {
    const { desk: several } = await inList(2);
    await open(several, 'list.copyPublicLink');
    assert.equal(said(several), 'There are several links. Choose one and copy it.');
    assert.equal(several.clipboard, null);
    const { desk: single } = await inList(1);
    await open(single, 'list.copyPublicLink');
    assert.equal(single.clipboard, 'https://example.org/p/public-1');
  });

  test('[PUBLIC-106] a link of another member can be copied, and changed by its maker and the owner alone', async () => {
    const { desk, server } = await inList(1);
    server.links.links = server.links.links.map((link) => ({ ...link, account: 2, isMine: false }));
    await open(desk);
    desk.app.answer('publicLinks', { action: 'open', link: must(links(desk).links[0], 'a link').id });
    for (const key of ['1', 'p', 'e', 'u', 'Delete']) {
      await press(desk, key);
      assert.match(said(desk) ?? '', /Only the person who made this link/, key);
      assert.equal(links(desk).step, 'link', key);
    }
    assert.deepEqual(server.asked, ['links']);
  });

  test('[PUBLIC-107] smart lists, folders and the Inbox have none; offline it says so and loses nothing', async () => {
    const { desk, server } = await one();
    server.failure = offline;
    await press(desk, '1');
    assert.match(said(desk) ?? '', /need a connection/);
    assert.equal(links(desk).links.length, 1);
    desk.press('Escape', 'Escape');
    desk.within = [];
    desk.press('g i');
    desk.app.run('list.publicLinks');
    assert.match(desk.message, /The Inbox can’t have a public link/);
    assert.equal(viewOf(desk), null);
  });

  test('[PUBLIC-108] completing a repeating task that a visitor checked off goes on to its next date, as one undo', async () => {
    const desk = sharingDesk(new SharingServer(), '- Water');
    const [row] = desk.rows();
    const { id } = must(row, 'the task');
    desk.app.run('task.repeat', { value: 'every day' });
    await desk.settle();
    const { replica } = desk;
    const task = must(replica.row(id), 'the task');
    const fields = { ...task.fields, status: { done: START } };
    receivePage(replica, [asRow({ ...task, fields, version: 9 })]);
    await desk.settle();
    desk.press('Space');
    assert.match(desk.message, /^Completed ‘Water’. It’s due again/);
    assert.equal(fieldOf(replica.row(id), 'status'), undefined);
    assert.notDeepEqual(fieldOf(replica.row(id), 'due'), fieldOf(task, 'due'));
    desk.press('Mod+Z');
    assert.deepEqual(replica.row(id)?.fields, fields);
  });
});
