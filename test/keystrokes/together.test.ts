// Assigning tasks and commenting on them by keys.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { spoken } from '#client/history/sentences.ts';
import { fieldOf } from '#sync/rows/row.ts';
import type { CommentsView } from '#client/together/together-view.ts';
import type { Desk } from './desk.ts';
import { sharingDesk, SharingServer, tellComment, tellMember } from './sharing-server.ts';

/** Ben, account 1, in a list that Ann, account 2, owns. */
function shared(): { readonly desk: Desk; readonly list: Id } {
  const server = new SharingServer();
  server.role = 'member';
  const desk = sharingDesk(server);
  const list = desk.holdShared('Trip', ['Book', 'Pack']);
  desk.app.run('go.list', { list });
  return { desk, list };
}

const rowNamed = (desk: Desk, title: string) =>
  must(
    [...desk.replica.all()].find((row) => row.type === 'task' && row.fields.title === title),
    title,
  );
const assignee = (desk: Desk, title: string) => fieldOf(rowNamed(desk, title), 'assignee');
const line = (desk: Desk, title: string) =>
  must(desk.app.view.rows.drawnAs(rowNamed(desk, title).id), `${title} is drawn`);
const palette = (desk: Desk) => must(desk.app.view.palette.get(), 'the palette is open');

/** Opens the comments of the task at the cursor; keys go to their field. */
async function comments(desk: Desk): Promise<void> {
  desk.press('c');
  await desk.until(() => desk.app.view.dialog.get()?.type === 'comments');
  desk.within = ['dialog.comments'];
}

function shown(desk: Desk): CommentsView {
  const dialog = desk.app.view.dialog.get();
  assert.ok(dialog?.type === 'comments', 'the comments are open');
  return dialog.comments;
}

const write = (desk: Desk, text: string) =>
  desk.app.answer('comments', { action: 'type', text, caret: text.length });
const texts = (desk: Desk) => shown(desk).items.map(({ pieces }) => pieces.map(({ text }) => text).join(''));

describe('who does a task', () => {
  test('[SHARE-155] p asks, the answer is set for all selected tasks, and nobody takes it back', async () => {
    const { desk } = shared();
    desk.press('x', 'ArrowDown', 'x', 'p');
    await desk.until(() => desk.app.view.palette.get() !== null);
    assert.deepEqual(
      palette(desk).items.map(({ title }) => title),
      ['Ben (you)', 'Ann'],
    );
    desk.app.paletteInput('ann');
    desk.press('Enter');
    assert.deepEqual([assignee(desk, 'Book'), assignee(desk, 'Pack')], [2, 2]);
    assert.match(desk.app.view.announcement.get().text, /^Assigned 2 tasks to Ann\./);
    desk.press('p');
    await desk.until(() => desk.app.view.palette.get() !== null);
    assert.deepEqual(
      palette(desk).items.map(({ title, hint }) => [title, hint]),
      [
        ['Ben (you)', ''],
        ['Ann', 'now'],
        ['Nobody', ''],
      ],
    );
    desk.app.paletteInput('nobody');
    desk.press('Enter');
    assert.deepEqual([assignee(desk, 'Book'), assignee(desk, 'Pack')], [undefined, undefined]);
    desk.press('Mod+Z');
    assert.deepEqual([assignee(desk, 'Book'), assignee(desk, 'Pack')], [2, 2]);
  });

  test('[SHARE-156] Shift+P takes the task, and gives it back', () => {
    const { desk } = shared();
    desk.press('Shift+P');
    assert.equal(assignee(desk, 'Book'), 1);
    desk.press('Shift+P');
    assert.equal(assignee(desk, 'Book'), undefined);
    desk.press('Mod+Z');
    assert.equal(assignee(desk, 'Book'), 1);
    desk.press('Mod+Z');
    assert.equal(assignee(desk, 'Book'), undefined);
  });

  test('[SHARE-157] in a private list both say what to do first', () => {
    const desk = sharingDesk(new SharingServer());
    for (const key of ['p', 'Shift+P']) {
      desk.press(key);
      assert.match(desk.app.view.announcement.get().text, /Share the list first/);
      assert.equal(desk.app.view.palette.get(), null);
    }
    assert.equal(assignee(desk, 'A'), undefined);
  });

  test('[SHARE-158] the row shows the person and the number of comments', async () => {
    const { desk } = shared();
    assert.deepEqual([line(desk, 'Book').assignee, line(desk, 'Book').comments], [null, 0]);
    desk.press('Shift+P');
    assert.equal(line(desk, 'Book').assignee?.name, 'you');
    await comments(desk);
    write(desk, 'When?');
    desk.press('Enter', 'Escape');
    assert.equal(line(desk, 'Book').comments, 1);
    assert.equal(line(desk, 'Pack').comments, 0);
  });

  test('[SHARE-159] who has left stays named as such, and a list that does not know them shows nobody', () => {
    const { desk, list } = shared();
    const { id } = rowNamed(desk, 'Book');
    desk.replica.issue([{ a: 'set', id, field: 'assignee', value: 2 }]);
    assert.equal(line(desk, 'Book').assignee?.name, 'Ann');
    tellMember(desk, list, { account: 2, name: 'Ann', role: 'member', joinedAt: 1, leftAt: 2 });
    desk.press('ArrowDown');
    assert.deepEqual(
      [line(desk, 'Book').assignee?.name, line(desk, 'Book').assignee?.isFormer],
      ['Ann (left)', true],
    );
    desk.replica.issue([{ a: 'set', id, field: 'assignee', value: 77 }]);
    desk.press('ArrowUp');
    assert.equal(line(desk, 'Book').assignee, null);
    assert.equal(assignee(desk, 'Book'), 77);
  });
});

describe('comments', () => {
  test('[SHARE-160] one types at once and Enter sends; oneself is the author', async () => {
    const { desk } = shared();
    await comments(desk);
    write(desk, 'First');
    desk.press('Enter');
    write(desk, 'Second\nline');
    desk.press('Mod+Enter');
    assert.deepEqual(texts(desk), ['First', 'Second\nline']);
    assert.deepEqual(
      shown(desk).items.map(({ by, isMine }) => [by, isMine]),
      [
        ['You', true],
        ['You', true],
      ],
    );
    assert.equal(shown(desk).text, '');
  });

  test('[SHARE-160] in a private list they are notes to oneself', async () => {
    const desk = sharingDesk(new SharingServer());
    await comments(desk);
    assert.match(shown(desk).hint, /Only you see them/);
    write(desk, 'Ask Ann');
    desk.press('Enter');
    assert.deepEqual(texts(desk), ['Ask Ann']);
  });

  test('[SHARE-160] [TOUCH-8] where there are no keys, nothing is said of any', async () => {
    const { desk } = shared();
    await comments(desk);
    assert.match(shown(desk).hint, /Enter sends.* @ names people/);
    desk.touch = true;
    write(desk, 'Ask @a');
    assert.equal(shown(desk).hint, '');
    write(desk, 'Ask');
    assert.equal(shown(desk).hint, '@ names people of the list.');
  });

  test('[SHARE-161] completes names, and goes on meaning the person', async () => {
    const { desk, list } = shared();
    await comments(desk);
    write(desk, 'Ask @');
    assert.deepEqual(
      shown(desk).people.map(({ name }) => name),
      ['Ann', 'Ben'],
    );
    desk.press('ArrowDown', 'ArrowUp', 'Enter');
    assert.equal(shown(desk).text, 'Ask @Ann ');
    write(desk, 'Ask @Ann or @b');
    desk.press('Tab');
    assert.equal(shown(desk).text, 'Ask @Ann or @Ben ');
    desk.press('Enter');
    const stored = [...desk.replica.all()].find((row) => row.type === 'comment');
    assert.equal(stored?.type === 'comment' && stored.fields.text, 'Ask @[2] or @[1]');
    tellMember(desk, list, { account: 2, name: 'Anna', role: 'owner', joinedAt: 1 });
    assert.deepEqual(texts(desk), ['Ask @Anna or @Ben']);
    assert.deepEqual(
      shown(desk)
        .items[0]?.pieces.filter(({ isPerson }) => isPerson)
        .map(({ isMe }) => isMe),
      [false, true],
    );
  });

  test('[SHARE-162] changes and removes one’s own by keys, each with an undo', async () => {
    const { desk } = shared();
    await comments(desk);
    write(desk, 'One');
    desk.press('Enter');
    write(desk, 'Two');
    desk.press('Enter', 'ArrowUp', 'ArrowUp', 'Enter');
    assert.equal(shown(desk).text, 'One');
    write(desk, 'One more');
    desk.press('Enter');
    assert.deepEqual(texts(desk), ['One more', 'Two']);
    assert.equal(shown(desk).items[0]?.isEdited, true);
    desk.press('ArrowUp', 'Delete');
    assert.deepEqual(texts(desk), ['One more']);
    desk.press('Mod+Z');
    assert.deepEqual(texts(desk), ['One more', 'Two']);
    desk.press('Mod+Z');
    assert.deepEqual(texts(desk), ['One', 'Two']);
    desk.press('Escape', 'Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    desk.press('Mod+Z');
    await comments(desk);
    assert.deepEqual(texts(desk), ['One']);
  });

  test('[SHARE-163] unsent text waits, also while another comment is changed', async () => {
    const { desk } = shared();
    await comments(desk);
    write(desk, 'Sent');
    desk.press('Enter');
    write(desk, 'Half a');
    desk.app.answer('comments', { action: 'edit', id: must(shown(desk).items[0], 'it is there').id });
    assert.equal(shown(desk).text, 'Sent');
    desk.press('Escape');
    assert.equal(shown(desk).text, 'Half a');
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    await comments(desk);
    assert.equal(shown(desk).text, 'Half a');
  });

  test('[SHARE-170] what was typed and not sent outlives the page, and so does a change that was not saved', async () => {
    const before = sharingDesk(new SharingServer());
    await comments(before);
    write(before, 'Sent');
    before.press('Enter');
    write(before, 'Half a');
    const kept = [...before.preferences.values()].filter((text) => text.includes('Half a'));
    assert.equal(kept.length, 1, 'where a page finds it again');
    const { id } = must(shown(before).items[0], 'it is there');
    before.app.answer('comments', { action: 'edit', id });
    write(before, 'Sent, then changed');
    before.app.closeDialog();
    await comments(before);
    assert.equal(shown(before).text, 'Half a');
    before.app.answer('comments', { action: 'edit', id });
    assert.equal(shown(before).text, 'Sent, then changed');
    before.press('Escape');
    before.app.answer('comments', { action: 'edit', id });
    assert.equal(shown(before).text, 'Sent', 'Escape has discarded the change');
  });

  test('[SHARE-164] the text of a comment that was removed meanwhile becomes a new one', async () => {
    const { desk } = shared();
    await comments(desk);
    write(desk, 'Old');
    desk.press('Enter', 'ArrowUp', 'Enter');
    write(desk, 'Old and new');
    desk.replica.issue([{ a: 'delete', id: must(shown(desk).items[0], 'it is there').id }]);
    assert.equal(shown(desk).editing, null);
    assert.equal(shown(desk).text, 'Old and new');
    desk.press('Enter');
    assert.deepEqual(texts(desk), ['Old and new']);
  });

  test('[SHARE-165] what another person wrote can be neither changed nor, by a member, removed', async () => {
    const { desk } = shared();
    const { id: task, scope } = rowNamed(desk, 'Book');
    tellComment(desk, { task, scope, author: 2, text: 'Mine' });
    await comments(desk);
    const item = must(shown(desk).items[0], 'it is there');
    assert.deepEqual([item.by, item.isMine, item.canRemove], ['Ann', false, false]);
    desk.press('ArrowUp', 'Enter');
    assert.match(shown(desk).said?.text ?? '', /Only its author/);
    desk.press('Delete');
    assert.deepEqual(texts(desk), ['Mine']);
  });

  test('[SHARE-166] a copy of a task takes its person along, and no comments', async () => {
    const { desk } = shared();
    desk.press('Shift+P');
    await comments(desk);
    write(desk, 'Only here');
    desk.press('Enter', 'Escape', 'Mod+C');
    await desk.settle();
    desk.press('Mod+Shift+V');
    await desk.until(() => [...desk.replica.all()].filter((row) => row.type === 'task').length > 3);
    const copies = [...desk.replica.all()].filter(
      (row) => row.type === 'task' && row.fields.title === 'Book',
    );
    assert.deepEqual(
      copies.map((row) => fieldOf(row, 'assignee')),
      [1, 1],
    );
    assert.equal([...desk.replica.all()].filter(({ type }) => type === 'comment').length, 1);
  });

  test('the history says who is given a task and that it was commented', async () => {
    const { desk } = shared();
    desk.press('Shift+P');
    await comments(desk);
    write(desk, 'Hello');
    desk.press('Enter', 'Escape');
    desk.app.run('history.task');
    const entries = () => {
      const dialog = desk.app.view.dialog.get();
      return dialog?.type === 'history' ? dialog.history.entries : [];
    };
    await desk.until(() => entries().length > 1);
    const said = entries().map(({ sentence }) => spoken(sentence));
    assert.match(said[0] ?? '', /^You commented on/);
    assert.match(said[1] ?? '', /^You took /);
  });
});
