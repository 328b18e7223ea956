// Labels of one's own and of shared lists by keys: the picker, creating, moving while offline, searching, the manager, keys.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelName } from '#client/labels/catalog.ts';
import { allLabels } from '#client/labels/label-scopes.ts';
import type { LabelManagerView, LabelPickerView } from '#client/labels/label-view.ts';
import { inboxId, labelsRoot, listsRoot, mineId, type Id } from '#core/ids.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { asRow, fieldOf, registersOf, type Fields, type Row } from '#sync/rows/row.ts';
import { Desk } from './desk.ts';
import { SCOPE, START } from './desk-engine.ts';

const id = (end: number) => `0193b3a0-0000-7000-8000-0000000001${String(end).padStart(2, '0')}` as Id;
const [SHARED, LIST] = [id(1), id(2)];
const [RED, BLUE, OWN_RED, OWN_GREEN, SECRET] = [id(3), id(4), id(5), id(6), id(7)];
const [BOOK, CALL, HOME] = [id(10), id(11), id(12)];

function rowOf(of: Id, type: Row['type'], scope: Id, fields: Fields): Row {
  const head = { version: 2, stamp: [2, START - 60_000, 9, 1], createdAt: START, updatedAt: START } as const;
  return asRow({ ...head, id: of, type, scope, fields });
}

const under = (parent: Id, key: string) => ({ place: { parent, key } });

/** A shared list Trip with labels red and blue and two tasks; one's own labels red, green and the private secret, and a task. */
function desk(): Desk {
  const made = new Desk('', { isConfirmed: true });
  made.replica.setCursor(SHARED, { generation: 'g', version: 2 });
  receivePage(made.replica, [
    rowOf(LIST, 'list', SHARED, { name: 'Trip', listType: 'list', ...under(listsRoot(SHARED), 'a0') }),
    rowOf(RED, 'label', SHARED, { name: 'red', ...under(labelsRoot(SHARED), 'a0') }),
    rowOf(BLUE, 'label', SHARED, { name: 'blue', ...under(labelsRoot(SHARED), 'a1') }),
    rowOf(BOOK, 'task', SHARED, { title: 'Book', ...under(LIST, 'a0') }),
    rowOf(CALL, 'task', SHARED, { title: 'Call', [`label:${RED}`]: true, ...under(LIST, 'a1') }),
    rowOf(OWN_RED, 'label', SCOPE, { name: 'red', hotkey: '7', ...under(labelsRoot(SCOPE), 'a0') }),
    rowOf(OWN_GREEN, 'label', SCOPE, { name: 'green', ...under(labelsRoot(SCOPE), 'a1') }),
    rowOf(SECRET, 'label', SCOPE, {
      name: 'secret',
      visibility: 'private',
      ...under(labelsRoot(SCOPE), 'a2'),
    }),
    rowOf(HOME, 'task', SCOPE, { title: 'Home', [`label:${OWN_RED}`]: true, ...under(inboxId(SCOPE), 'a0') }),
  ]);
  return made;
}

function openAt(made: Desk, list: Id, task: Id): void {
  made.app.run('go.list', { list });
  made.app.pressRow(task, { shift: false, mod: false });
}

function picker({ app }: Desk): LabelPickerView {
  const dialog = app.view.dialog.get();
  assert.equal(dialog?.type, 'labels');
  return dialog.picker;
}

function manager({ app }: Desk): LabelManagerView {
  const dialog = app.view.dialog.get();
  assert.equal(dialog?.type, 'labelManager');
  return dialog.manager;
}

const offered = (made: Desk) =>
  picker(made).choices.map(({ id: of, name, state, note }) =>
    [of === null ? `create ${name}` : name, state, note].filter((part) => part !== '').join(' '),
  );

const labelsOn = (made: Desk, task: Id) =>
  Object.entries(registersOf(made.replica.row(task))).flatMap(([register, value]) =>
    register.startsWith('label:') && value === true ? [register.slice(6)] : [],
  );

describe('labels of shared lists', () => {
  test('[SHARE-63] the picker offers the labels of the list and one’s own private ones; for one’s own task one’s own', () => {
    const made = desk();
    openAt(made, LIST, CALL);
    made.press('Mod+L');
    assert.deepEqual(offered(made), ['red all', 'blue none', 'secret none']);
    made.press('Escape');
    openAt(made, inboxId(SCOPE), HOME);
    made.press('Mod+L');
    assert.deepEqual(offered(made), ['red all', 'green none', 'secret none']);
  });

  test('[SHARE-63] [SHARE-65] a private label goes into one’s own row of a shared task', () => {
    const made = desk();
    openAt(made, LIST, BOOK);
    made.app.run('label.toggle', { label: SECRET });
    assert.deepEqual(labelsOn(made, BOOK), []);
    assert.deepEqual(labelsOn(made, mineId(SCOPE, BOOK)), [SECRET]);
  });

  test('[SHARE-64] a label created there is one of the list, and the line says for whom', () => {
    const made = desk();
    openAt(made, LIST, BOOK);
    made.press('Mod+L');
    made.app.answer('labels', { action: 'filter', text: 'green' });
    assert.deepEqual(offered(made), [
      'create green none for everybody on ‘Trip’',
      'create green none only you see it',
    ]);
    made.app.answer('labels', { action: 'pick', staysOpen: false });
    const [created] = labelsOn(made, BOOK) as [Id];
    const row = made.replica.row(created);
    assert.deepEqual([row?.scope, fieldOf(row, 'name')], [SHARED, 'green']);
    openAt(made, inboxId(SCOPE), HOME);
    made.press('Mod+L');
    made.app.answer('labels', { action: 'filter', text: 'blue' });
    assert.deepEqual(offered(made), ['create blue none']);
    made.app.answer('labels', { action: 'pick', staysOpen: false });
    const own = labelsOn(made, HOME).find((label) => label !== OWN_RED) as Id;
    assert.equal(made.replica.row(own)?.scope, SCOPE);
  });

  test('[SHARE-341] Alt+Enter makes a private label there, as one undo, and says so; elsewhere it makes none', () => {
    const made = desk();
    openAt(made, LIST, BOOK);
    made.press('Mod+L');
    made.app.answer('labels', { action: 'filter', text: 'gift' });
    made.within = ['dialog.labels', 'list'];
    made.press('Alt+Enter');
    assert.equal(made.app.view.dialog.get(), null);
    assert.equal(made.message, 'Created ‘gift’, which only you see, and added it to ‘Book’.');
    assert.deepEqual(labelsOn(made, BOOK), [], 'nothing of it is on the task');
    const [gift] = labelsOn(made, mineId(SCOPE, BOOK)) as [Id];
    const row = made.replica.row(gift);
    assert.deepEqual([row?.scope, fieldOf(row, 'visibility')], [SCOPE, 'private']);
    made.within = [];
    made.press('Mod+Z');
    assert.deepEqual(labelsOn(made, mineId(SCOPE, BOOK)), []);
    assert.equal(
      allLabels(made.replica).some((entry) => labelName(entry.row) === 'gift'),
      false,
    );

    openAt(made, inboxId(SCOPE), HOME);
    made.press('Mod+L');
    made.app.answer('labels', { action: 'filter', text: 'gift' });
    assert.deepEqual(offered(made), ['create gift none']);
    made.within = ['dialog.labels', 'list'];
    made.press('Alt+Enter');
    assert.equal(made.app.view.dialog.get()?.type, 'labels', 'the key has nothing to make');
  });

  test('[SHARE-341] a name of one’s own that others may see is refused as a private one, with words', () => {
    const made = desk();
    openAt(made, LIST, BOOK);
    made.press('Mod+L');
    made.app.answer('labels', { action: 'filter', text: 'gift, green' });
    made.within = ['dialog.labels', 'list'];
    made.press('Alt+Enter');
    assert.equal(picker(made).answer, 'There’s already a label ‘green’. It isn’t private.');
    assert.equal(picker(made).query, 'gift, green', 'what was typed stays');
    assert.deepEqual(labelsOn(made, mineId(SCOPE, BOOK)), []);
    assert.equal(
      allLabels(made.replica).some((entry) => labelName(entry.row) === 'gift'),
      false,
    );
  });

  test('[SHARE-65] one’s own label is put on a shared task as the one of the same name, and taken off as that', () => {
    const made = desk();
    openAt(made, LIST, BOOK);
    made.press('7');
    assert.deepEqual(labelsOn(made, BOOK), [RED]);
    made.press('7');
    assert.deepEqual(labelsOn(made, BOOK), []);
    // Without one there it is written as it is: the server makes it.
    made.app.run('label.toggle', { label: OWN_GREEN });
    assert.deepEqual(labelsOn(made, BOOK), [OWN_GREEN]);
  });

  test('[SEAL-314] one’s own label on tasks of an encrypted list is made there by the device, once, and named in it', () => {
    const made = desk();
    made.engine.known = { lists: { [SHARED]: 'open' } };
    openAt(made, LIST, BOOK);
    made.app.run('label.toggle', { label: OWN_GREEN });
    const [green] = labelsOn(made, BOOK) as [Id];
    const row = made.replica.row(green);
    assert.deepEqual([row?.scope, labelName(row)], [SHARED, 'green']);
    made.app.run('label.toggle', { label: OWN_GREEN });
    assert.deepEqual(labelsOn(made, BOOK), []);
    made.app.pressRow(CALL, { shift: true, mod: false });
    made.app.run('label.toggle', { label: OWN_GREEN });
    assert.deepEqual(labelsOn(made, BOOK), [green]);
    assert.deepEqual(labelsOn(made, CALL), [RED, green]);
    // The list's own, and private ones, as ever.
    made.app.run('label.toggle', { label: SECRET });
    assert.deepEqual(labelsOn(made, mineId(SCOPE, BOOK)), [SECRET]);
    made.engine.known = { lists: { [SHARED]: 'locked' } };
  });

  test('[SHARE-356] a name typed in a title of a task of a shared list is a label of that list, whether it is encrypted or not', async () => {
    for (const lists of [undefined, { [SHARED]: 'open' }] as const) {
      const made = desk();
      if (lists !== undefined) made.engine.known = { lists };
      await made.settle();
      openAt(made, LIST, BOOK);
      made.press('Enter');
      made.type(' #shoes #blue');
      made.press('Escape');
      await made.settle();
      const [blue, shoes] = labelsOn(made, BOOK).toSorted((one) => (one === BLUE ? -1 : 1)) as [Id, Id];
      assert.equal(blue, BLUE);
      const row = made.replica.row(shoes);
      assert.deepEqual([row?.scope, labelName(row)], [SHARED, 'shoes']);
      const own = allLabels(made.replica).filter(({ row: each }) => each.scope === SCOPE);
      assert.deepEqual(own.map(({ row: each }) => labelName(each)).toSorted(), ['green', 'red', 'secret']);
    }
  });

  test('[SHARE-356] [SEAL-314] one’s own label that is typed there is the encrypted list’s of that name, a private one stays one’s own', async () => {
    const made = desk();
    made.engine.known = { lists: { [SHARED]: 'open' } };
    await made.settle();
    openAt(made, LIST, BOOK);
    made.press('Enter');
    made.type(' #green #secret');
    made.press('Escape');
    await made.settle();
    const [green] = labelsOn(made, BOOK) as [Id];
    assert.deepEqual([made.replica.row(green)?.scope, labelName(made.replica.row(green))], [SHARED, 'green']);
    assert.equal(labelsOn(made, BOOK).length, 1);
    assert.deepEqual(labelsOn(made, mineId(SCOPE, BOOK)), [SECRET]);
  });

  test('[SEAL-404] a task that has come home from an encrypted list has one’s own labels at once', async () => {
    const made = desk();
    made.engine.known = { isApart: true, lists: { [SHARED]: 'open' } };
    const { replica } = made;
    receivePage(replica, [
      rowOf(id(13), 'task', SCOPE, {
        title: 'Came home',
        [`label:${RED}`]: true,
        [`label:${BLUE}`]: true,
        ...under(inboxId(SCOPE), 'a1'),
      }),
    ]);
    made.timers.advance(0);
    const names = labelsOn(made, id(13)).map((label) => [
      replica.row(label as Id)?.scope,
      labelName(replica.row(label as Id)),
    ]);
    assert.deepEqual(
      names.toSorted(([, one], [, other]) => String(one).localeCompare(String(other))),
      [
        [SCOPE, 'blue'],
        [SCOPE, 'red'],
      ],
    );
    assert.ok(labelsOn(made, id(13)).includes(OWN_RED));
    assert.deepEqual(labelsOn(made, CALL), [RED], 'in its list everything stays');
  });

  test('[SEAL-405] where the server reads along only a task gets them that this device has moved', async () => {
    const made = desk();
    made.engine.known = { lists: { [SHARED]: 'open' } };
    await made.settle();
    const home = (task: Id, end: number) =>
      rowOf(task, 'task', SCOPE, {
        title: 'Came home',
        [`label:${BLUE}`]: true,
        ...under(inboxId(SCOPE), `a${end}`),
      });
    receivePage(made.replica, [{ ...home(id(13), 1), hops: 1 }]);
    made.timers.advance(0);
    assert.deepEqual(labelsOn(made, id(13)), [BLUE], 'the server says that it has the label');
    openAt(made, LIST, CALL);
    made.app.run('task.move', { list: inboxId(SCOPE) });
    await made.settle();
    receivePage(made.replica, [{ ...home(CALL, 2), version: 3, hops: 1 }]);
    made.timers.advance(0);
    const [own, ...more] = labelsOn(made, CALL) as Id[];
    assert.deepEqual(
      [made.replica.row(own as Id)?.scope, labelName(made.replica.row(own as Id)), more.length],
      [SCOPE, 'blue', 0],
    );
  });

  test('[SHARE-66] after a move while offline the picker is that of the list, and what is there counts as what stands for it', () => {
    const made = desk();
    made.replica.issue([{ a: 'place', id: HOME, place: { parent: LIST } }]);
    openAt(made, LIST, HOME);
    made.press('Mod+L');
    assert.deepEqual(offered(made), ['red all', 'blue none', 'secret none']);
    made.press('Escape');
    made.app.run('label.toggle', { label: RED });
    assert.deepEqual(labelsOn(made, HOME), [], 'it is taken off by the name that it has on the task');
    made.replica.issue(
      [OWN_RED, RED].map((label) => ({ a: 'set', id: HOME, field: `label:${label}`, value: true })),
    );
    const shown = made.rows().find(({ title }) => title === 'Home');
    assert.deepEqual(
      shown?.labels.map(({ name }) => name),
      ['red'],
    );
  });

  test('[SHARE-67] a search finds a name in all scopes, and the sidebar has it once', () => {
    const made = desk();
    made.app.run('search.for', { query: 'label:red' });
    assert.deepEqual(
      made
        .rows()
        .map(({ title }) => title)
        .toSorted(),
      ['Call', 'Home'],
    );
    assert.deepEqual(
      allLabels(made.replica).map(({ row }) => labelName(row)),
      ['red', 'green', 'secret', 'blue'],
    );
    const lines = made.lists().filter(({ name }) => name === 'red' || name === 'blue');
    assert.deepEqual(
      lines.map(({ name }) => name),
      ['red', 'blue'],
    );
  });

  test('[SHARE-286][SHARE-287] a smart list knows a name by its id, and its new tasks get the label of their list', () => {
    const made = desk();
    made.app.run('search.for', { query: `label:${OWN_RED}` });
    assert.equal(made.rows().length, 2);
    for (const [query, list, label] of [
      ['label:red', inboxId(SCOPE), OWN_RED],
      ['in:Trip label:red', LIST, RED],
      ['label:blue', inboxId(SCOPE), BLUE],
    ] as const) {
      const other = desk();
      const before = new Set(other.replica.children(list).map(({ id: of }) => of));
      other.press('/');
      other.app.searchInput(query);
      other.press('Mod+Enter');
      other.type('Mine');
      other.press('Enter');
      other.press('Ctrl+Enter');
      other.type('New');
      other.press('Escape');
      const [task] = other.replica.children(list).filter(({ id: of }) => !before.has(of));
      assert.ok(task, query);
      assert.deepEqual(labelsOn(other, task.id), [label], query);
    }
  });

  test('[SHARE-68] the manager has a heading for each scope, and keeps them apart', () => {
    const made = desk();
    made.app.run('label.manage');
    const entries = () =>
      manager(made).entries.map(({ heading, name }) => (heading === null ? name : `${heading}: ${name}`));
    assert.deepEqual(entries(), ['Mine: red', 'green', 'secret', 'Trip: red', 'blue']);
    made.app.answer('labelManager', { action: 'choose', id: BLUE });
    assert.equal(manager(made).chosen?.list, 'Trip');
    made.app.answer('labelManager', { action: 'private', isOn: true });
    assert.equal(
      manager(made).answer?.text,
      '‘blue’ belongs to the list ‘Trip’, so everybody on it sees it.',
    );
    made.app.answer('labelManager', { action: 'draft', field: 'name', text: 'green' });
    made.app.answer('labelManager', { action: 'commit' });
    assert.equal(fieldOf(made.replica.row(BLUE), 'name'), 'green', 'the name is taken at home only');
    made.app.answer('labelManager', { action: 'draft', field: 'name', text: 'red' });
    made.app.answer('labelManager', { action: 'commit' });
    assert.equal(fieldOf(made.replica.row(BLUE), 'name'), 'green');
    made.app.answer('labelManager', { action: 'filter', text: 'Errands' });
    made.app.answer('labelManager', { action: 'createGroup' });
    made.app.answer('labelManager', { action: 'filter', text: '' });
    made.app.answer('labelManager', { action: 'choose', id: OWN_RED });
    assert.deepEqual(
      manager(made).groups.map(({ name }) => name),
      ['Errands'],
    );
    made.app.answer('labelManager', { action: 'choose', id: RED });
    assert.deepEqual(manager(made).groups, []);
  });

  test('[SHARE-317] those of a list that is private again are offered nowhere', () => {
    const made = desk();
    const back = rowOf(LIST, 'list', SCOPE, {
      name: 'Trip',
      listType: 'list',
      ...under(listsRoot(SCOPE), 'a9'),
    });
    receivePage(made.replica, [{ ...back, version: 3, hops: 1 }]);
    assert.ok(made.replica.row(BLUE), 'it is held');
    made.app.run('label.manage');
    assert.deepEqual(
      manager(made).entries.map(({ heading, name }) => [heading, name]),
      [
        [null, 'red'],
        [null, 'green'],
        [null, 'secret'],
      ],
    );
    assert.deepEqual(
      allLabels(made.replica).map(({ row }) => labelName(row)),
      ['red', 'green', 'secret'],
    );
  });

  test('[SHARE-69] a key of a label of a list is one’s own setting, works, and is undone', () => {
    const made = desk();
    made.app.run('label.manage');
    made.app.answer('labelManager', { action: 'choose', id: BLUE });
    made.app.answer('labelManager', { action: 'draft', field: 'hotkey', text: '8' });
    made.app.answer('labelManager', { action: 'commit' });
    assert.equal(fieldOf(made.replica.row(BLUE), 'hotkey'), undefined);
    const chosen = manager(made).chosen;
    assert.equal(chosen?.kind === 'label' ? chosen.hotkey : null, '8');
    made.press('Escape');
    openAt(made, LIST, BOOK);
    made.press('8');
    assert.deepEqual(labelsOn(made, BOOK), [BLUE]);
    const settings = [...made.replica.all()].filter((row) => row.type === 'setting');
    assert.ok(settings.some((row) => row.scope === SCOPE && row.fields.key === `label-key:${BLUE}`));
  });
});
