// Where labels stand: in the picker before anything is typed, and in the sidebar below the lists.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labelName } from '#client/labels/catalog.ts';
import { allLabels } from '#client/labels/label-scopes.ts';
import type { LabelPickerAction, LabelPickerView } from '#client/labels/label-view.ts';
import type { Id } from '#core/ids.ts';
import { Desk } from './desk.ts';

function named(desk: Desk, name: string): Id {
  const found = allLabels(desk.replica).find(({ row }) => labelName(row) === name);
  assert.ok(found, name);
  return found.row.id;
}

/** High and Low of the exclusive group Priority, Home and Errand of none. */
function desk(): Desk {
  const made = new Desk('> A\n  B\n  C');
  made.app.run('label.createGroup', { name: 'Priority' });
  for (const name of ['High', 'Low', 'Home', 'Errand']) made.app.run('label.create', { name });
  made.app.run('label.manage');
  const dialog = made.app.view.dialog.get();
  assert.equal(dialog?.type, 'labelManager');
  const group = dialog.manager.entries.find(({ kind }) => kind === 'group');
  assert.ok(group);
  made.app.answer('labelManager', { action: 'choose', id: group.id });
  made.app.answer('labelManager', { action: 'exclusive', isOn: true });
  for (const name of ['High', 'Low']) {
    made.app.answer('labelManager', { action: 'choose', id: named(made, name) });
    made.app.answer('labelManager', { action: 'group', group: group.id });
  }
  made.press('Escape');
  return made;
}

function picker({ app }: Desk): LabelPickerView {
  const dialog = app.view.dialog.get();
  assert.equal(dialog?.type, 'labels');
  return dialog.picker;
}

function pick({ app }: Desk, action: LabelPickerAction): void {
  app.answer('labels', action);
}

const choices = (desk: Desk) =>
  picker(desk).choices.map(({ name, state, note }) => `${name} ${state} ${note}`.trim());

describe('where labels stand', () => {
  test('[LABEL-13] what the task has stands first, then each group, then the others; nothing moves while it is open', () => {
    const app = desk();
    app.app.run('label.toggle', { label: named(app, 'High') });
    app.press('Mod+L');
    const sections = () =>
      picker(app).sections.map(({ title, isOneOf, size }) => `${title}${isOneOf ? ', one of' : ''}: ${size}`);
    const all = ['On this task: 1', 'Priority, one of: 1', 'Labels: 2'];
    assert.deepEqual(sections(), all);
    assert.deepEqual(choices(app), ['High all', 'Low none replaces High', 'Home none', 'Errand none']);
    pick(app, { action: 'pick', index: 2, staysOpen: true });
    pick(app, { action: 'pick', index: 1, staysOpen: true });
    assert.deepEqual(sections(), all);
    assert.deepEqual(choices(app), ['High none replaces Low', 'Low all', 'Home all', 'Errand none']);
    pick(app, { action: 'filter', text: 'o' });
    assert.deepEqual(sections(), []);
    app.press('Escape', 'x', 'Down', 'x', 'Mod+L');
    assert.deepEqual(sections(), ['On these tasks: 2', 'Priority, one of: 1', 'Labels: 1']);
    assert.equal(picker(app).isForSeveral, true);
  });

  const side = ({ app }: Desk) => app.view.sidebar.rows.get();
  const labelsAside = (made: Desk) =>
    side(made)
      .filter(({ kind }) => kind === 'label')
      .map(({ name, posInSet, setSize }) => `${name} ${posInSet}/${setSize}`);

  test('[LABEL-14] labels stand below the lists, in their order, and follow what becomes of them', () => {
    const made = desk();
    assert.deepEqual(labelsAside(made), ['Home 1/4', 'Errand 2/4', 'High 3/4', 'Low 4/4']);
    assert.deepEqual(
      side(made)
        .slice(-4)
        .map(({ kind }) => kind),
      ['label', 'label', 'label', 'label'],
    );
    made.app.run('label.delete', { label: named(made, 'Low') });
    made.app.run('label.rename', { label: named(made, 'Home'), name: 'House' });
    assert.deepEqual(labelsAside(made), ['House 1/3', 'Errand 2/3', 'High 3/3']);
    made.press('Mod+Z', 'Mod+Z');
    assert.deepEqual(labelsAside(made), ['Home 1/4', 'Errand 2/4', 'High 3/4', 'Low 4/4']);
  });

  test('[LABEL-14] opening one shows its tasks; with the pointer, the keys of the sidebar, or the palette', () => {
    const made = desk();
    made.app.run('label.toggle', { label: named(made, 'Home') });
    const opened = () => [
      made.app.view.search.get()?.query,
      made.app.view.focus.get().pane,
      ...made.rows().map(({ title }) => title),
    ];
    made.app.pressSidebarRow(named(made, 'Home'));
    assert.deepEqual(opened(), ['label:Home', 'outline', 'A']);
    made.press('Escape');
    assert.equal(made.rows().length, 3);
    made.press('F6');
    assert.equal(made.app.view.focus.get().pane, 'sidebar');
    made.press('End', 'Up', 'Up', 'Up', 'Enter');
    assert.deepEqual(opened(), ['label:Home', 'outline', 'A']);
    made.press('Escape');
    made.app.run('go.label', { list: named(made, 'Home') });
    assert.deepEqual(opened(), ['label:Home', 'outline', 'A']);
    made.press('Escape');
    made.app.run('go.label', { list: named(made, 'Errand') });
    assert.deepEqual(opened(), ['label:Errand', 'outline']);
  });

  test('[LABEL-14] while its tasks are open it is the place that is open, by its name', () => {
    const made = desk();
    made.app.pressSidebarRow(named(made, 'Home'));
    const place = () => [
      made.app.view.header.get().title,
      ...side(made).flatMap(({ open, name }) => (open ? [name] : [])),
    ];
    assert.deepEqual(place(), ['Home', 'Home']);
    made.press('/');
    made.type(' x');
    assert.deepEqual(place(), ['Search']);
    made.press('Escape', 'Escape');
    assert.deepEqual(place(), ['Inbox', 'Inbox']);
  });

  test('[LABEL-14] what is for lists and bookmarks leaves a label as it is, and says why', () => {
    const made = desk();
    made.press('F6', 'End');
    const before = made.replica.row(named(made, 'Low'));
    for (const key of ['F2', 'Delete', 'a', 'Alt+Up', 'Left', 'Mod+]']) made.press(key);
    assert.match(made.message, /That’s a label/);
    made.app.pressSidebarRow(named(made, 'Low'));
    // What a second press of the pointer does.
    made.app.run('list.rename');
    assert.match(made.message, /^That’s a label/);
    assert.equal(
      side(made).find(({ renaming }) => renaming),
      undefined,
    );
    made.press('Escape', 'F6', 'End', 'Mod+B');
    assert.match(made.message, /^Select a task or open a list first/);
    assert.deepEqual(made.replica.row(named(made, 'Low')), before);
    assert.equal(made.app.view.focus.get().pane, 'sidebar');
  });
});
