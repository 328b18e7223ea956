// Situations of shared lists at the keyboard: what comes back from the history and from the trash, and smart
// lists about a list that is shared.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HistoryQuery } from '#client/app/app.ts';
import { must } from '#core/assert.ts';
import { labelsRoot, type Id } from '#core/ids.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { asRow, fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { WireHistoryEntry } from '#wire/history.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';
import { tellMember, tellShared } from './sharing-server.ts';

const account = { ...noAccount, email: 'ben@example.org' };

const titlesIn = (desk: Desk, parent: Id): readonly string[] =>
  desk.replica
    .children(parent)
    .filter((row) => fieldOf(row, 'del') === undefined)
    .map((row) => fieldOf(row, 'title') ?? '');

const called = (desk: Desk, title: string): Row =>
  must(
    [...desk.replica.all()].find((row) => fieldOf(row, 'title') === title),
    `there is a task ${title}`,
  );

describe('what somebody else deleted', () => {
  test('[SHARE-209] is not what undo takes back, and any member restores it from the trash', () => {
    const desk = new Desk('> Own', { isConfirmed: true, account });
    const list = desk.holdShared('Trip', ['Book', 'Pack']);
    desk.app.run('go.list', { list });
    desk.press('Space');
    const pack = called(desk, 'Pack');
    const del = { at: START, by: 2 };
    receivePage(desk.replica, [{ ...pack, fields: { ...pack.fields, del }, version: 2 } as Row]);
    desk.press('Mod+Z', 'Mod+Z');
    assert.notEqual(
      fieldOf(desk.replica.row(pack.id), 'del'),
      undefined,
      'nobody takes back what others did',
    );
    assert.equal(fieldOf(called(desk, 'Book'), 'status'), undefined);
    desk.app.run('go.trash');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['Pack'],
    );
    desk.app.run('task.restore');
    assert.equal(fieldOf(desk.replica.row(pack.id), 'del'), undefined);
    assert.deepEqual(titlesIn(desk, list), ['Book', 'Pack']);
  });

  test('[SHARE-210] comes back whole from the history, on however many pages it is, and one undo takes that back', async () => {
    const COUNT = 3_000;
    const asked: HistoryQuery[] = [];
    const served: WireHistoryEntry[] = [];
    const history = (of: HistoryQuery) => {
      asked.push(of);
      const shared = desk.replica.row(list)?.scope;
      const older = served.filter(({ version }) => of.scope === shared && version < (of.before ?? Infinity));
      const entries = older.slice(0, of.limit ?? 100);
      const next = entries.length === older.length ? null : must(entries.at(-1), 'an entry').version;
      return Promise.resolve({ success: true as const, entries, next });
    };
    const desk = new Desk('> Own', { isConfirmed: true, account: { ...account, history } });
    const titles = Array.from({ length: COUNT }, (_, at) => `Task ${at}`);
    const list = desk.holdShared('Trip', titles, undefined, { role: 'owner' });
    const rows = desk.replica.children(list);
    const del = { at: START, by: 2 };
    receivePage(
      desk.replica,
      rows.map((row) => ({ ...row, fields: { ...row.fields, del }, version: 2 }) as Row),
    );
    const g = desk.replica.newId();
    for (const [at, { id }] of rows.entries()) {
      const u = desk.replica.newId();
      const operation = { a: 'delete', id, q: at + 1, u, g } as unknown as WireHistoryEntry['operation'];
      served.unshift({
        version: at + 5,
        account: 2,
        device: 9,
        at: START - 60_000,
        operation,
        before: [{ id, fields: {} }],
      });
    }
    const set = { a: 'set', id: list, field: 'name', value: 'Trip', q: 1, u: desk.replica.newId() };
    served.push({
      ...must(served.at(-1), 'one'),
      version: 4,
      at: START - 120_000,
      operation: set as never,
      before: [{ id: list, fields: { name: 'T' } }],
    });
    desk.app.run('go.list', { list });
    assert.deepEqual(titlesIn(desk, list), []);
    desk.app.run('history.list');
    await import('#client/history/book.ts');
    const dialog = () => must(desk.app.view.dialog.get(), 'a dialog');
    await desk.until(() => {
      const shown = dialog();
      return shown.type === 'history' && !shown.history.isReading;
    });
    const shown = dialog();
    assert.ok(shown.type === 'history');
    const sentence = shown.history.entries[0]?.sentence.map(({ text }) => text).join('') ?? '';
    assert.match(sentence, /^Ann deleted /);
    assert.match(sentence, /3000/);
    assert.ok(asked.length <= 8, 'a few long pages');
    desk.app.answer('history', { action: 'bringBack' });
    await desk.settle();
    desk.app.closeDialog();
    assert.equal(titlesIn(desk, list).length, COUNT);
    desk.app.run('edit.undo');
    assert.deepEqual(titlesIn(desk, list), []);
  });
});

describe('a smart list about a list that is shared', () => {
  const counted = (desk: Desk) =>
    desk.app.view.sidebar.rows.get().find(({ name }) => name === 'Plan')?.openCount;

  test('[SHARE-217] finds the same before and after, and its new tasks carry the labels of the list', () => {
    const desk = new Desk('> Own', { isConfirmed: true, account });
    desk.app.run('list.create', { name: 'Trip' });
    const list = must(
      desk.lists().find(({ name }) => name === 'Trip'),
      'it is there',
    ).id;
    desk.press('Enter');
    desk.type('Book');
    desk.press('Escape');
    desk.app.run('label.create', { name: 'urgent' });
    const own = must(desk.replica.children(labelsRoot(SCOPE)).at(-1), 'it is there').id;
    const book = called(desk, 'Book').id;
    desk.replica.issue([{ a: 'set', id: book, field: `label:${own}`, value: true }]);
    desk.press('/');
    desk.app.searchInput('list:Trip label:urgent is:open');
    desk.press('Mod+Enter');
    desk.type('Plan');
    desk.press('Enter');
    assert.deepEqual([desk.screen(), counted(desk)], ['> Book', 1]);
    desk.confirm();
    tellShared(desk, list);
    const { scope } = must(desk.replica.row(list), 'the list');
    const label = desk.replica.newId();
    const was = must(desk.replica.row(own), 'the label');
    const place = { parent: labelsRoot(scope), key: 'a0' };
    const { [`label:${own}`]: _, ...others } = registersOf(desk.replica.row(book));
    receivePage(desk.replica, [
      asRow({ ...was, id: label, scope, version: 2, fields: { name: 'urgent', place } }),
      asRow({
        ...must(desk.replica.row(book), 'the task'),
        version: 2,
        fields: { ...others, [`label:${label}`]: true },
      }),
    ]);
    assert.deepEqual([desk.screen(), counted(desk)], ['> Book', 1]);
    desk.press('Ctrl+Enter');
    desk.type('Pack');
    desk.press('Escape');
    const pack = called(desk, 'Pack');
    assert.deepEqual([pack.scope, placeOf(pack)?.parent], [scope, list]);
    assert.deepEqual(
      [registersOf(pack)[`label:${label}`], registersOf(pack)[`label:${own}`]],
      [true, undefined],
    );
    assert.equal(counted(desk), 2);
  });
});

test('[SHARE-212] somebody whose account was erased is “A former member” on their tasks', () => {
  const desk = new Desk('> Own', { isConfirmed: true, account });
  const list = desk.holdShared('Trip', ['Book']);
  tellMember(desk, list, { account: 3, role: 'member', joinedAt: 1, leftAt: 2 });
  const book = called(desk, 'Book');
  desk.replica.issue([{ a: 'set', id: book.id, field: 'assignee', value: 3 }]);
  desk.app.run('go.list', { list });
  assert.equal(desk.rows()[0]?.assignee?.name, 'A former member');
});
