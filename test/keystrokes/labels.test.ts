// Labels and groups by keys: the picker on one and many tasks, exclusive groups, labels' own keys, the dialog that manages them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelColors, swatches } from '#client/labels/colors.ts';
import { labelName, shelves } from '#client/labels/catalog.ts';
import { allLabels } from '#client/labels/label-scopes.ts';
import {
  type LabelPickerAction,
  type LabelManagerAction,
  type LabelManagerView,
  type LabelPickerView,
} from '#client/labels/label-view.ts';
import { mineId, type Id } from '#core/ids.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';

function picker(desk: Desk): LabelPickerView {
  const dialog = desk.app.view.dialog.get();
  assert.equal(dialog?.type, 'labels');
  return dialog.picker;
}

function manager(desk: Desk): LabelManagerView {
  const dialog = desk.app.view.dialog.get();
  assert.equal(dialog?.type, 'labelManager');
  return dialog.manager;
}

/** Where keys go in the field of the label manager. */
const FIND = ['dialog.labelManager', 'list'] as const;

/** What the fields and arrows of the label manager send. */
function act(desk: Desk, action: LabelManagerAction): void {
  desk.app.answer('labelManager', action);
}

function pick(desk: Desk, action: LabelPickerAction): void {
  desk.app.answer('labels', action);
}

function choices(desk: Desk): string[] {
  return picker(desk).choices.map(({ id, name, state, note }) =>
    [id === null ? `Create ${name}` : name, state, note].filter((part) => part !== '').join(' '),
  );
}

function chips(desk: Desk): string[] {
  return desk.rows().map(({ title, labels }) => `${title}: ${labels.map(({ name }) => name).join(', ')}`);
}

/** High and Low of the exclusive group Priority, and Home of none. */
function desk(outline = '> A\n  B\n  C'): Desk {
  const made = new Desk(outline);
  made.app.run('label.createGroup', { name: 'Priority' });
  for (const name of ['High', 'Low', 'Home']) made.app.run('label.create', { name });
  made.app.run('label.manage');
  const group = manager(made).entries.find(({ kind }) => kind === 'group');
  assert.ok(group);
  act(made, { action: 'choose', id: group.id });
  act(made, { action: 'exclusive', isOn: true });
  for (const name of ['High', 'Low']) {
    choose(made, name);
    act(made, { action: 'group', group: group.id });
  }
  made.press('Escape');
  return made;
}

function choose(on: Desk, name: string): void {
  const entry = manager(on).entries.find((one) => one.name === name);
  assert.ok(entry, name);
  act(on, { action: 'choose', id: entry.id });
}

describe('labels', () => {
  test('[LABEL-1] Mod+L opens the picker; what is typed filters, Enter puts the label on and closes', () => {
    const app = desk();
    app.press('Mod+L');
    assert.equal(picker(app).title, 'Labels of ‘A’');
    assert.deepEqual(choices(app), ['High none', 'Low none', 'Home none']);
    pick(app, { action: 'filter', text: 'lo' });
    assert.deepEqual(choices(app), ['Low none', 'Create lo none']);
    pick(app, { action: 'pick', staysOpen: false });
    assert.equal(app.app.view.dialog.get(), null);
    assert.equal(app.message, 'Labeled ‘A’ with ‘Low’.');
    assert.deepEqual(chips(app), ['A: Low', 'B: ', 'C: ']);
    app.press('Mod+Z');
    assert.deepEqual(chips(app), ['A: ', 'B: ', 'C: ']);
  });

  test('[LABEL-1] Tab completes; Mod+Enter stays; again takes it off', () => {
    const app = desk();
    app.press('Mod+L');
    pick(app, { action: 'filter', text: 'ho' });
    pick(app, { action: 'complete' });
    assert.equal(picker(app).query, 'Home');
    pick(app, { action: 'pick', staysOpen: true });
    assert.deepEqual(choices(app), ['Home all']);
    assert.equal(picker(app).answer, 'Labeled ‘A’ with ‘Home’.');
    pick(app, { action: 'pick', staysOpen: true });
    assert.equal(picker(app).answer, 'Removed ‘Home’ from ‘A’.');
    app.press('Escape');
    assert.deepEqual(chips(app), ['A: ', 'B: ', 'C: ']);
  });

  test('[LABEL-4] commas separate names: all of them are put on, new ones made, as one undo', () => {
    const app = desk();
    app.press('x', 'Down', 'x', 'Mod+L');
    pick(app, { action: 'filter', text: 'home, errand' });
    assert.deepEqual(choices(app), ['Create errand none with Home']);
    pick(app, { action: 'filter', text: 'errand, Shop , ho' });
    assert.deepEqual(choices(app), [
      'Home none with new ‘errand’ and new ‘Shop’',
      'Create ho none with new ‘errand’ and new ‘Shop’',
    ]);
    pick(app, { action: 'pick', staysOpen: false });
    assert.equal(app.message, 'Labeled 2 tasks with ‘errand’, ‘Shop’, ‘Home’.');
    assert.deepEqual(chips(app), ['A: errand, Shop, Home', 'B: errand, Shop, Home', 'C: ']);
    const colors = allLabels(app.replica).map(({ row }) => fieldOf(row, 'color'));
    assert.equal(new Set(colors).size, colors.length, 'each of its own colour');
    app.press('Mod+Z');
    assert.deepEqual(chips(app), ['A: ', 'B: ', 'C: ']);
    assert.equal(allLabels(app.replica).length, 3);
  });

  test('[LABEL-4] Tab completes the name behind the last comma; one twice, and one with nothing behind it, count once', () => {
    const app = desk();
    app.press('Mod+L');
    pick(app, { action: 'filter', text: 'errand,ho' });
    pick(app, { action: 'complete' });
    assert.equal(picker(app).query, 'errand, Home');
    pick(app, { action: 'pick', staysOpen: true });
    assert.equal(picker(app).answer, 'Labeled ‘A’ with ‘errand’, ‘Home’.');
    assert.equal(picker(app).query, '');
    pick(app, { action: 'filter', text: 'Errand, errand,' });
    assert.deepEqual(choices(app), ['errand all']);
    pick(app, { action: 'filter', text: 'shop, bank' });
    pick(app, { action: 'pick', staysOpen: false });
    assert.equal(app.message, 'Created labels ‘shop’, ‘bank’ and added them to ‘A’.');
  });

  test('[LABEL-4] of several of one exclusive group the last one stands, and is all that is said', () => {
    const app = desk();
    app.press('Mod+L');
    pick(app, { action: 'filter', text: 'high, home, low' });
    pick(app, { action: 'pick', staysOpen: false });
    assert.equal(app.message, 'Labeled ‘A’ with ‘Home’, ‘Low’.');
    assert.deepEqual(chips(app), ['A: Home, Low', 'B: ', 'C: ']);
  });

  test('[LABEL-4] a label with a comma in its name is found by it', () => {
    const app = desk();
    app.app.run('label.create', { name: 'Milan, Italy' });
    app.press('Mod+L');
    pick(app, { action: 'filter', text: 'milan, i' });
    assert.equal(choices(app)[0], 'Milan, Italy none');
    pick(app, { action: 'pick', staysOpen: false });
    assert.deepEqual(chips(app), ['A: Milan, Italy', 'B: ', 'C: ']);
  });

  test('[LABEL-2] on many tasks: mixed, then all, then none, each one undo', () => {
    const app = desk();
    app.app.run('label.toggle', { label: allLabels(app.replica)[0]?.row.id ?? '' });
    app.press('x', 'Down', 'x', 'Down', 'x', 'Mod+L');
    assert.equal(picker(app).title, 'Labels of 3 tasks');
    assert.deepEqual(choices(app), ['Home some on 1 of 3', 'High none', 'Low none']);
    pick(app, { action: 'pick', staysOpen: true });
    assert.equal(choices(app)[0], 'Home all');
    pick(app, { action: 'pick', staysOpen: true });
    assert.equal(choices(app)[0], 'Home none');
    app.press('Escape', 'Mod+Z');
    assert.deepEqual(chips(app), ['A: Home', 'B: Home', 'C: Home']);
    app.press('Mod+Z');
    assert.deepEqual(chips(app), ['A: Home', 'B: ', 'C: ']);
  });

  test('[LABEL-3] of an exclusive group choosing one replaces the other, and one undo gives it back', () => {
    const app = desk();
    app.press('Mod+L');
    pick(app, { action: 'filter', text: 'High' });
    pick(app, { action: 'pick', staysOpen: false });
    app.press('Mod+L');
    pick(app, { action: 'filter', text: 'Low' });
    assert.deepEqual(
      picker(app).choices.map(({ exclusive, note, group }) => ({ exclusive, note, group }))[0],
      { exclusive: true, note: 'replaces High', group: 'Priority' },
    );
    pick(app, { action: 'pick', staysOpen: false });
    assert.equal(app.message, 'Labeled ‘A’ with ‘Low’ instead of ‘High’.');
    assert.deepEqual(chips(app)[0], 'A: Low');
    app.press('Mod+Z');
    assert.deepEqual(chips(app)[0], 'A: High');
  });

  test('[LABEL-4] a new name is offered last, creates the label and puts it on, as one undo', () => {
    const app = desk();
    app.press('Mod+L');
    pick(app, { action: 'filter', text: 'Errands' });
    assert.deepEqual(choices(app), ['Create Errands none']);
    pick(app, { action: 'pick', staysOpen: false });
    assert.equal(app.message, 'Created label ‘Errands’ and added it to ‘A’.');
    assert.equal(chips(app)[0], 'A: Errands');
    const used = allLabels(app.replica).map(({ row }) => fieldOf(row, 'color'));
    assert.equal(new Set(used).size, used.length);
    assert.ok(used.every((color) => labelColors.some(({ value }) => value === color)));
    app.press('Mod+Z');
    assert.equal(chips(app)[0], 'A: ');
    assert.deepEqual(
      allLabels(app.replica).map(({ row }) => labelName(row)),
      ['Home', 'High', 'Low'],
    );
  });

  test('[LABEL-5] a label’s own key toggles it; keys that are taken are refused by name', () => {
    const app = desk();
    app.app.run('label.manage');
    choose(app, 'High');
    const give = (text: string) => {
      app.app.answer('labelManager', { action: 'draft', field: 'hotkey', text });
      act(app, { action: 'commit' });
      return manager(app).answer;
    };
    assert.deepEqual(give('x'), { text: 'x is taken by “Select task”.', isError: true });
    assert.deepEqual(give('g'), { text: 'g is taken by “Go to Inbox”.', isError: true });
    assert.equal(give('no key')?.isError, true);
    assert.deepEqual(give('7'), { text: 'Gave ‘High’ the key 7.', isError: false });
    choose(app, 'Home');
    assert.deepEqual(give('7'), { text: '7 is taken by the label ‘High’.', isError: true });
    assert.equal(give('9 h')?.isError, false);
    app.press('Escape', '7');
    assert.equal(chips(app)[0], 'A: High');
    app.press('9');
    app.timers.advance(400);
    assert.deepEqual(app.app.view.status.get().hints, [{ keys: 'h', stroke: 'h', title: 'Home' }]);
    app.press('h', 'Down', '7', 'Up', '7');
    assert.deepEqual(chips(app), ['A: Home', 'B: High', 'C: ']);
    app.press('Mod+L');
    assert.deepEqual(
      picker(app).choices.map(({ name, keys }) => [name, keys.join(' ')]),
      [
        ['Home', '9 h'],
        ['High', '7'],
        ['Low', ''],
      ],
    );
  });

  test('[LABEL-5] in a title a label’s key is text', () => {
    const app = desk();
    app.app.run('label.manage');
    choose(app, 'High');
    app.app.answer('labelManager', { action: 'draft', field: 'hotkey', text: '7' });
    app.press('Escape', 'Enter');
    assert.equal(app.press('7'), false);
    app.press('Escape');
    assert.equal(chips(app)[0], 'A: ');
  });

  test('[LABEL-6] naming, colouring, grouping and deleting are one undo each', () => {
    const app = desk();
    app.app.run('label.manage');
    choose(app, 'Home');
    const states: string[] = [];
    const step = (work: () => void) => {
      states.push(app.everything());
      work();
      assert.notEqual(app.everything(), states.at(-1));
    };
    step(() => {
      app.app.answer('labelManager', { action: 'draft', field: 'name', text: 'House' });
      act(app, { action: 'commit' });
    });
    step(() => act(app, { action: 'color', color: labelColors[5]?.value ?? '' }));
    step(() => act(app, { action: 'group', group: manager(app).groups[0]?.id ?? null }));
    step(() => act(app, { action: 'delete' }));
    choose(app, 'Priority');
    step(() => act(app, { action: 'delete' }));
    assert.equal(manager(app).answer?.text, 'Deleted group ‘Priority’. Its labels stay.');
    assert.deepEqual(
      shelves(app.replica).map(({ labels }) => labels.map(labelName)),
      [['High', 'Low']],
    );
    for (const state of states.toReversed()) {
      app.press('Mod+Z');
      assert.equal(app.everything(), state);
    }
    assert.equal(manager(app).entries.find(({ name }) => name === 'Home')?.level, 1);
  });

  test('[LABEL-6] F2 renames in the list; Escape keeps what was typed and stays in the dialog', () => {
    const app = desk();
    app.app.run('label.manage');
    choose(app, 'Home');
    assert.equal(manager(app).isRenaming, false);
    app.within = FIND;
    app.press('F2');
    app.within = [];
    assert.equal(manager(app).isRenaming, true);
    act(app, { action: 'draft', field: 'name', text: 'House' });
    app.press('Escape');
    assert.equal(manager(app).isRenaming, false);
    assert.equal(manager(app).answer?.text, 'Renamed ‘Home’ to ‘House’.');
    app.press('Escape');
    assert.equal(app.app.view.dialog.get(), null);
  });

  test('[LABEL-12] each label says how many open tasks carry it, and a key searches for them', () => {
    const app = desk();
    const idOf = (name: string) =>
      allLabels(app.replica).find(({ row }) => labelName(row) === name)?.row.id ?? '';
    app.press('Mod+A');
    app.app.run('label.toggle', { label: idOf('Home') });
    app.app.run('label.toggle', { label: idOf('High') });
    app.press('Escape', 'Home', 'Space');
    app.app.run('label.manage');
    const counts = () => manager(app).entries.map(({ name, count }) => `${name} ${count}`);
    assert.deepEqual(counts(), ['Priority 2', 'High 2', 'Low 0', 'Home 2']);
    choose(app, 'Home');
    act(app, { action: 'group', group: manager(app).groups[0]?.id ?? null });
    // One task with two labels of the group is one task.
    assert.deepEqual(counts(), ['Priority 2', 'High 2', 'Low 0', 'Home 2']);
    const { chosen } = manager(app);
    assert.equal(chosen?.kind === 'label' && chosen.sample, 'B');
    act(app, { action: 'delete' });
    app.press('Mod+Z');
    assert.deepEqual(counts(), ['Priority 2', 'High 2', 'Low 0', 'Home 2']);
    choose(app, 'Home');
    app.within = FIND;
    app.press('Mod+Enter');
    app.within = [];
    assert.equal(app.app.view.dialog.get(), null);
    assert.equal(app.app.view.search.get()?.query, 'label:Home is:open');
    assert.deepEqual(
      app.rows().map(({ title }) => title),
      ['B', 'C'],
    );
    app.app.run('label.manage');
    choose(app, 'Priority');
    act(app, { action: 'tasks' });
    assert.equal(app.app.view.search.get()?.query, 'group:Priority is:open');
  });

  test('[LABEL-3] whether a group is exclusive is also set beside one of its labels', () => {
    const app = desk();
    app.app.run('label.manage');
    choose(app, 'High');
    assert.deepEqual(
      manager(app).groups.map(({ name, exclusive }) => [name, exclusive]),
      [['Priority', true]],
    );
    act(app, { action: 'exclusive', isOn: false });
    assert.equal(manager(app).groups[0]?.exclusive, false);
    assert.equal(manager(app).answer?.text, 'A task can have several labels from ‘Priority’.');
  });

  test('[LABEL-9] the colors to choose from are those of the palette, each once', () => {
    assert.deepEqual(
      swatches.map(({ value }) => value).toSorted(),
      labelColors.map(({ value }) => value).toSorted(),
    );
  });

  test('[LABEL-6] two labels never get one name; what was typed is kept by closing', () => {
    const app = desk();
    app.app.run('label.manage');
    choose(app, 'Home');
    app.app.answer('labelManager', { action: 'draft', field: 'name', text: 'high' });
    act(app, { action: 'commit' });
    assert.deepEqual(manager(app).answer, {
      text: 'There’s already a label ‘High’. ‘Home’ keeps its old name.',
      isError: true,
    });
    act(app, { action: 'filter', text: 'low' });
    act(app, { action: 'createLabel' });
    assert.equal(manager(app).answer?.text, 'There’s already a label ‘Low’.');
    act(app, { action: 'filter', text: '' });
    choose(app, 'Home');
    app.app.answer('labelManager', { action: 'draft', field: 'name', text: 'House' });
    app.press('Escape');
    assert.deepEqual(
      allLabels(app.replica).map(({ row }) => labelName(row)),
      ['House', 'High', 'Low'],
    );
  });

  test('[LABEL-7] a deleted label goes from the rows and comes back with undo', () => {
    const app = desk();
    const home = allLabels(app.replica)[0]?.row.id ?? '';
    app.app.run('label.toggle', { label: home });
    app.app.run('label.delete', { label: home });
    assert.equal(chips(app)[0], 'A: ');
    app.press('Mod+Z');
    assert.equal(chips(app)[0], 'A: Home');
  });

  test('[LABEL-8] the palette asks which label', () => {
    const app = desk();
    app.app.run('label.rename');
    assert.deepEqual(
      app.app.view.palette.get()?.items.map(({ title, hint }) => [title, hint]),
      [
        ['Home', ''],
        ['High', 'Priority'],
        ['Low', 'Priority'],
      ],
    );
    app.type('lo');
    app.press('Enter');
    app.type('Later');
    app.press('Enter');
    assert.equal(app.message, 'Renamed label ‘Low’ to ‘Later’.');
    const none = new Desk('> A');
    none.app.run('label.toggle');
    assert.equal(none.message, 'No labels yet. Create one first.');
  });
});

describe('private labels', () => {
  /** Home is private from here on; A carries it, and High. */
  function privately(): { readonly desk: Desk; readonly home: Id; readonly task: Id } {
    const made = desk();
    const home = allLabels(made.replica).find(({ row }) => labelName(row) === 'Home')?.row.id as Id;
    const task = made.rows()[0]?.id as Id;
    made.app.run('label.toggle', { label: home });
    made.app.run('label.manage');
    choose(made, 'Home');
    act(made, { action: 'private', isOn: true });
    assert.equal(manager(made).answer?.text, '‘Home’ is private. Only you can see it.');
    made.press('Escape');
    return { desk: made, home, task };
  }
  const onTask = (on: Desk, task: Id, label: Id) =>
    registersOf(on.replica.row(task))[`label:${label}`] ?? null;
  const onMine = (on: Desk, task: Id, label: Id) =>
    registersOf(on.replica.row(mineId(SCOPE, task)))[`label:${label}`] ?? null;

  test('[LABEL-10] what carries it goes along, into one’s own rows and back, and is one undo', () => {
    const { desk: made, home, task } = privately();
    assert.deepEqual([onTask(made, task, home), onMine(made, task, home)], [null, true]);
    assert.deepEqual(chips(made), ['A: Home', 'B: ', 'C: ']);
    made.app.run('label.manage');
    choose(made, 'Home');
    act(made, { action: 'private', isOn: false });
    made.press('Escape');
    assert.deepEqual([onTask(made, task, home), onMine(made, task, home)], [true, null]);
    made.press('Mod+Z');
    assert.deepEqual([onTask(made, task, home), onMine(made, task, home)], [null, true]);
  });

  test('[LABEL-10] it is put on, taken off, found and counted like any other', () => {
    const { desk: made, home, task } = privately();
    made.press('Down');
    made.app.run('label.toggle', { label: home });
    assert.deepEqual(chips(made), ['A: Home', 'B: Home', 'C: ']);
    made.press('Mod+L');
    assert.ok(choices(made).includes('Home all'));
    made.press('Escape', '/');
    made.app.searchInput('label:home');
    assert.deepEqual(
      made.rows().map(({ title }) => title),
      ['A', 'B'],
    );
    made.press('Escape', 'Escape', 'Home');
    made.app.run('label.toggle', { label: home });
    assert.deepEqual(chips(made), ['A: ', 'B: Home', 'C: ']);
    assert.deepEqual([onTask(made, task, home), onMine(made, task, home)], [null, null]);
    made.press('Mod+Z');
    assert.equal(onMine(made, task, home), true);
  });

  test('[LABEL-10] of an exclusive group a private label replaces a shared one, and the other way round', () => {
    const made = desk();
    const id = (name: string) =>
      allLabels(made.replica).find(({ row }) => labelName(row) === name)?.row.id as Id;
    made.app.run('label.manage');
    choose(made, 'High');
    act(made, { action: 'private', isOn: true });
    made.press('Escape');
    made.app.run('label.toggle', { label: id('Low') });
    made.app.run('label.toggle', { label: id('High') });
    assert.equal(made.message, 'Labeled ‘A’ with ‘High’ instead of ‘Low’.');
    assert.deepEqual(chips(made), ['A: High', 'B: ', 'C: ']);
    made.app.run('label.toggle', { label: id('Low') });
    assert.deepEqual(chips(made), ['A: Low', 'B: ', 'C: ']);
    assert.equal(onMine(made, made.rows()[0]?.id as Id, id('High')), null);
  });

  test('[LABEL-10] a new task that is made with it keeps it apart from the start', () => {
    const { desk: made, home } = privately();
    made.press('/');
    made.app.searchInput('label:home');
    made.press('Mod+Enter');
    made.type('Mine');
    made.press('Enter', 'Ctrl+Enter');
    made.type('Fresh');
    made.press('Escape');
    const fresh = made.rows().find(({ title }) => title === 'Fresh');
    assert.deepEqual(
      fresh?.labels.map(({ name }) => name),
      ['Home'],
    );
    assert.deepEqual([onTask(made, fresh.id, home), onMine(made, fresh.id, home)], [null, true]);
  });

  test('[LABEL-11] a private group takes its labels along, and whoever comes into it', () => {
    const made = desk();
    const task = made.rows()[0]?.id as Id;
    const seen = () =>
      Object.fromEntries(
        allLabels(made.replica).map(({ row }) => [labelName(row), fieldOf(row, 'visibility') ?? 'shared']),
      );
    const home = allLabels(made.replica).find(({ row }) => labelName(row) === 'Home')?.row.id as Id;
    made.app.run('label.toggle', { label: home });
    made.app.run('label.manage');
    choose(made, 'Priority');
    act(made, { action: 'private', isOn: true });
    assert.equal(
      manager(made).answer?.text,
      '‘Priority’ and everything in it are private. Only you can see them.',
    );
    assert.deepEqual(seen(), { Home: 'shared', High: 'private', Low: 'private' });
    choose(made, 'High');
    act(made, { action: 'private', isOn: false });
    assert.match(manager(made).answer?.text ?? '', /Share the group, or move the label out first/);
    choose(made, 'Home');
    act(made, {
      action: 'group',
      group: manager(made).entries.find(({ kind }) => kind === 'group')?.id ?? null,
    });
    assert.equal(seen()['Home'], 'private');
    assert.deepEqual([onTask(made, task, home), onMine(made, task, home)], [null, true]);
    made.press('Escape', 'Mod+Z');
    assert.deepEqual([onTask(made, task, home), onMine(made, task, home)], [true, null]);
    made.press('Mod+Z');
    assert.deepEqual(seen(), { Home: 'shared', High: 'shared', Low: 'shared' });
  });
});
