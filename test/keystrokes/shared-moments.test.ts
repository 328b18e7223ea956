// Moments at which a shared list surprises the person before the screen: what they stand on, write in, or take back goes
// to others, comes from them, or leaves.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { inboxId, type Id } from '#core/ids.ts';
import { createSignal } from '#client/app/signal.ts';
import type { FilesPort, SendState } from '#client/files/port.ts';
import { writeUnsent } from '#client/sync-status/unsent-file.ts';
import { keepOnly } from '#sync/exchange/taking-in.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { Desk, given } from './desk.ts';
import { noAccount } from './no-server.ts';
import { SCOPE, START } from './desk-engine.ts';
import { sharingDesk, SharingServer, tellShared } from './sharing-server.ts';

const account = { ...noAccount, email: 'ben@example.org' };
const shared = (outline = '> Own'): Desk => new Desk(outline, { isConfirmed: true, account });

function taskCalled(desk: Desk, title: string): Row {
  const found = [...desk.replica.all()].find((row) => fieldOf(row, 'title') === title);
  return must(found, `there is a task ${title}`);
}

/** Somebody moves a task, with what is in it, to where this person sees nothing. */
function goes(desk: Desk, task: Row): void {
  const beneath = (id: Id): Id[] => [id, ...desk.replica.children(id).flatMap((child) => beneath(child.id))];
  const gone = new Set(beneath(task.id));
  const held = [...desk.replica.all()].filter(({ scope, id }) => scope === task.scope && !gone.has(id));
  keepOnly(desk.replica, task.scope, new Set(held.map(({ id }) => id)));
}

const title = (desk: Desk) => desk.app.view.header.get().title;
const recovered = (desk: Desk) =>
  desk.engine.refusals.map(({ operation }) => (operation.a === 'set' ? operation.value : operation.a));

describe('what goes away under the hands of somebody', () => {
  test('[SHARE-249] the task or the list that they are in: they stand in the Inbox, and are told', () => {
    const desk = shared();
    const list = desk.holdShared('Trip', ['Book', 'Pack']);
    desk.app.run('go.list', { list });
    const book = taskCalled(desk, 'Book');
    desk.app.run('task.focusIn');
    assert.equal(title(desk), 'Book');
    goes(desk, book);
    assert.notEqual(title(desk), 'Book');
    assert.equal(desk.message, 'What you had open is gone.');
    desk.app.run('go.list', { list });
    assert.equal(desk.screen(), '> Pack');
    desk.letGo(list);
    assert.equal(title(desk), 'Inbox');
    assert.match(desk.message, /no longer in ‘Trip’/);
  });

  test('[SHARE-250] the title that they write: the text is kept, can be a task of their own, and typing on hurts nothing', () => {
    const desk = shared();
    const list = desk.holdShared('Trip', ['Book', 'Pack']);
    desk.app.run('go.list', { list });
    desk.press('Enter');
    desk.type(' a train');
    const text = 'Book a train';
    goes(desk, taskCalled(desk, 'Book'));
    assert.deepEqual(recovered(desk), [text]);
    assert.equal(
      desk.message,
      `‘${text}’ was removed elsewhere. Your text is under “Show recovered changes.”`,
    );
    desk.press('x', 'd', 'Escape');
    assert.equal(desk.screen(), '> Pack', 'no command was meant');
    assert.ok(recovered(desk).includes(`${text}xd`));
    desk.app.run('application.recovered');
    desk.app.answer('recovered', { action: 'again' });
    const kept = taskCalled(desk, `${text}xd`);
    assert.deepEqual([kept.scope, placeOf(kept)?.parent], [SCOPE, inboxId(SCOPE)]);
  });

  test('[SHARE-250] so it is where the whole list goes, and both are said', () => {
    const server = new SharingServer();
    server.role = 'member';
    const desk = sharingDesk(server);
    const list = desk.holdShared('Trip', ['Book']);
    desk.app.run('go.list', { list });
    desk.press('Enter');
    desk.type(' a train');
    desk.letGo(list);
    assert.deepEqual(recovered(desk), ['Book a train']);
    assert.match(desk.message, /no longer in ‘Trip’/);
    assert.match(desk.message, /“Show recovered changes\.”/);
  });
});

describe('what somebody made before the list was shared', () => {
  test('[SHARE-246] bookmarks of the list and of its tasks stay, and lead there', () => {
    const desk = sharingDesk(new SharingServer());
    desk.app.run('list.create', { name: 'Trip' });
    desk.press('Ctrl+Enter');
    desk.type('Book');
    desk.press('Escape', 'Mod+B');
    const list = must(
      desk.lists().find(({ name }) => name === 'Trip'),
      'the list',
    ).id as Id;
    desk.confirm();
    const before = desk.sidebar();
    tellShared(desk, list);
    assert.equal(desk.sidebar(), before);
    desk.press('g i', 'F6', 'End', 'Up', 'Enter');
    assert.equal(title(desk), 'Book');
  });

  test('[SHARE-248] undoing an import asks first, and takes it back from everybody after yes alone', async () => {
    const desk = sharingDesk(new SharingServer());
    desk.app.run('list.create', { name: 'Trip' });
    const list = must(
      desk.lists().find(({ name }) => name === 'Trip'),
      'the list',
    ).id as Id;
    desk.sources = [given('many.txt', Array.from({ length: 30 }, (_, at) => `- Task ${at}`).join('\n'))];
    desk.app.run('file.import');
    await desk.settle();
    desk.confirm();
    assert.equal(desk.replica.children(list).length, 30);
    tellShared(desk, list);
    const living = () =>
      desk.replica.children(list).filter((row) => fieldOf(row, 'del') === undefined).length;
    desk.press('Mod+Z');
    const asked = desk.app.view.dialog.get();
    assert.ok(asked?.type === 'confirm', desk.message);
    assert.match(asked.text, /30 tasks for everybody in the list/);
    assert.equal(living(), 30);
    desk.press('Escape');
    assert.equal(living(), 30);
    desk.press('Mod+Z');
    desk.app.answer('confirm', { action: 'confirm' });
    await desk.settle();
    assert.equal(living(), 0);
    assert.match(desk.message, /^Undone: /);
    desk.press('Shift+Mod+Z');
    assert.equal(living(), 30);
  });

  test('[SHARE-248] undoing few tasks asks nothing', () => {
    const desk = sharingDesk(new SharingServer());
    desk.app.run('list.create', { name: 'Trip' });
    const list = must(
      desk.lists().find(({ name }) => name === 'Trip'),
      'the list',
    ).id as Id;
    desk.press('Ctrl+Enter');
    desk.type('Book');
    desk.press('Escape');
    desk.confirm();
    tellShared(desk, list);
    desk.press('Mod+Z');
    assert.match(desk.message, /^Undone: added ‘Book’/);
  });
});

describe('files of a server that was put back to a backup', () => {
  test('[SHARE-237] are sent again once the device is together with it again, whoever brought it the rows back', async () => {
    const sent: string[] = [];
    const none = () => Promise.reject(new Error('Nothing is asked for here.'));
    const asked = { pick: none, clipboard: none, keep: none, picture: none, save: none };
    const follow = () => undefined;
    const sendAgain: FilesPort['sendAgain'] = (files) => void sent.push(...files.map(({ hash }) => hash));
    const unsent = createSignal<ReadonlyMap<string, SendState>>(new Map());
    const attached = { ...asked, unsent, follow, retry: follow, sendAgain };
    const desk = new Desk('> Own', { isConfirmed: true, account, attached });
    const list = desk.holdShared('Trip', ['Book']);
    await desk.settle();
    const hash = 'a'.repeat(64);
    const fields = { name: 'a.txt', hash, sizeBytes: 1 };
    const place = { parent: must(desk.replica.children(list)[0], 'a task').id };
    desk.replica.issue([{ a: 'create', id: desk.replica.newId(), type: 'attachment', fields, place }]);
    assert.deepEqual(sent, []);
    desk.engine.setSync({ type: 'synced' });
    assert.deepEqual(sent, []);
    desk.engine.restored.set(1);
    assert.deepEqual(sent, [hash]);
    // Others were faster: it took nothing back from this device.
    desk.engine.restored.set(1);
    assert.deepEqual(sent, [hash, hash]);
  });
});

describe('a file of unsynced changes, with several lists', () => {
  test('[SHARE-247] is made again where each thing is, and in the Inbox where its list is not here', async () => {
    const desk = shared();
    const list = desk.holdShared('Trip', ['Book']);
    const scope = must(desk.replica.row(list), 'the list').scope;
    const gone = desk.replica.newId();
    const [milk, tent, pegs, book] = [
      desk.replica.newId(),
      desk.replica.newId(),
      desk.replica.newId(),
      taskCalled(desk, 'Book').id,
    ];
    const task = (id: Id, name: string, parent: Id): Action => ({
      a: 'create',
      id,
      type: 'task',
      fields: { title: name },
      place: { parent },
    });
    const actions: readonly (readonly [Id, Action])[] = [
      [scope, task(milk, 'Milk', list)],
      [scope, { a: 'set', id: book, field: 'title', value: 'Book a train' }],
      [gone, task(tent, 'Tent', gone)],
      [gone, task(pegs, 'Pegs', tent)],
    ];
    const operations = actions.map(([of, action], index): Operation => {
      return { ...action, q: index + 1, u: desk.replica.newId(), scope: of, t: START, b: 0 };
    });
    const text = writeUnsent(
      { scope: SCOPE, operations, recovered: [] },
      { email: 'ben@example.org', at: START },
    );
    desk.sources = [given('unsent.json', text)];
    desk.app.run('file.import');
    await desk.until(() => desk.message.startsWith('Applied'));
    assert.match(desk.message, /^Applied 4 changes/);
    assert.equal(taskCalled(desk, 'Milk').scope, scope);
    assert.equal(taskCalled(desk, 'Book a train').scope, scope);
    const made = taskCalled(desk, 'Tent');
    assert.deepEqual([made.scope, placeOf(made)?.parent], [SCOPE, inboxId(SCOPE)]);
    assert.equal(placeOf(taskCalled(desk, 'Pegs'))?.parent, made.id);
    assert.deepEqual(desk.engine.refusals, []);
  });
});
