// The details of a task as a dialog that acts: what its sheet shows, and what comes of touching it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DetailsAction, TaskSheetView } from '#client/dialogs/dialog-view.ts';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { Desk } from './desk.ts';

const OUTLINE = '> Plan\n    Book\n    Pack\n  Other';

function idOf(desk: Desk, title: string): Id {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, title);
  return row.id;
}

function shown(desk: Desk): (TaskSheetView & { readonly title: string }) | null {
  const dialog = desk.app.view.dialog.get();
  return dialog?.type === 'details' && dialog.sheet ? { ...dialog.sheet, title: dialog.details.title } : null;
}

const touch = (desk: Desk, action: DetailsAction) => desk.app.answer('details', action);
const lines = (desk: Desk) => shown(desk)?.lines.map(({ name, text }) => `${name}: ${text}`);

describe('the sheet of a task', () => {
  test('[TOUCH-4] it says what the task has, offers what it could have, and completes it and its subtasks', () => {
    const desk = new Desk(OUTLINE);
    desk.press('i');
    assert.deepEqual(lines(desk), []);
    const offered = shown(desk)?.chips.map(({ name }) => name);
    assert.deepEqual(offered, ['Due', 'Labels', 'Takes', 'Plan', 'Remind', 'Repeat', 'Start']);
    touch(desk, { action: 'complete', id: idOf(desk, 'Pack') });
    const under = () => shown(desk)?.subtasks.map(({ title, isDone }) => `${isDone ? 'x' : '-'} ${title}`);
    assert.deepEqual(under(), ['- Book', 'x Pack']);
    touch(desk, { action: 'complete', id: idOf(desk, 'Pack') });
    assert.deepEqual(under(), ['- Book', '- Pack']);
    touch(desk, { action: 'open', id: idOf(desk, 'Book') });
    assert.equal(shown(desk)?.title, 'Book');
    touch(desk, { action: 'complete', id: idOf(desk, 'Book') });
    assert.equal(shown(desk)?.isDone, true);
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
  });

  test('[TOUCH-4] it is there again after a question, answered or not, and not after anything else', async () => {
    const desk = new Desk(OUTLINE);
    desk.press('i');
    touch(desk, { action: 'run', command: 'task.due' });
    assert.equal(shown(desk), null);
    desk.type('tomorrow');
    desk.press('Enter');
    await desk.until(() => shown(desk) !== null);
    assert.deepEqual(lines(desk), ['Due: Tomorrow']);
    touch(desk, { action: 'run', command: 'label.pick' });
    assert.equal(desk.app.view.dialog.get()?.type, 'labels');
    desk.press('Escape');
    await desk.until(() => shown(desk) !== null);
    touch(desk, { action: 'run', command: 'task.edit' });
    desk.press('Escape');
    desk.press('d', 'Escape');
    await Promise.resolve();
    assert.equal(shown(desk), null);
  });

  test('[TOUCH-4] [TOUCH-11] “More” has what can be done with the task, under its name, and leads to everything', async () => {
    const desk = new Desk(OUTLINE);
    const palette = () => must(desk.app.view.palette.get(), 'the palette is open');
    const titles = () => palette().items.map(({ title }) => title);
    desk.press('i');
    touch(desk, { action: 'run', command: 'palette.task' });
    assert.deepEqual([palette().steps, palette().isChosen], [['Plan'], true]);
    assert.ok(titles().includes('Duplicate task') && titles().includes('Copy id'));
    assert.ok(!titles().includes('Settings') && !titles().includes('Go to Today'));
    desk.type('mov');
    assert.match(titles().slice(0, 2).join(), /^Move .*,Move /);
    assert.equal(titles().at(-1), 'Look for “mov” everywhere');
    desk.press('Escape');
    await desk.until(() => shown(desk) !== null);
    touch(desk, { action: 'run', command: 'palette.task' });
    desk.type('settings');
    const other = palette().items.findIndex(({ title }) => title === 'Settings');
    assert.equal(palette().items[other]?.heading, 'Other commands');
    desk.app.pressPaletteItem(palette().items.length - 1);
    assert.deepEqual([palette().steps, palette().query], [[], 'settings']);
    desk.press('Escape', 'Escape', 'x', 'Down', 'x');
    desk.app.run('palette.task');
    assert.deepEqual(palette().steps, ['2 tasks']);
  });

  test('[TOUCH-4] it stays away while the title is written, whatever led there', async () => {
    const desk = new Desk(OUTLINE);
    desk.press('i');
    touch(desk, { action: 'run', command: 'palette.task' });
    desk.type('edit title');
    desk.press('Enter');
    await Promise.resolve();
    assert.deepEqual([shown(desk), desk.app.view.palette.get()], [null, null]);
    assert.equal(desk.app.view.focus.get().pane, 'outline');
  });

  test('[TOUCH-4] it stays away where the task is no longer the one that is meant', async () => {
    const desk = new Desk(OUTLINE);
    desk.press('i');
    touch(desk, { action: 'run', command: 'task.due' });
    desk.replica.issue([{ a: 'delete', id: idOf(desk, 'Plan') }]);
    desk.press('Escape', 'Escape');
    await Promise.resolve();
    assert.equal(shown(desk), null);
  });

  test('[TOUCH-11] for a finger the month is that of the date the task has, before anything is chosen', () => {
    const desk = new Desk('> Plan', { touch: true });
    desk.press('d');
    desk.type('2027-02-10 17:00');
    desk.press('Enter', 'd');
    const month = () => desk.app.view.palette.get()?.month;
    assert.deepEqual([month()?.title, month()?.day], ['February 2027', '2027-02-10']);
    desk.app.run('month.nextMonth');
    assert.deepEqual(
      [month()?.title, desk.app.view.palette.get()?.query],
      ['March 2027', '2027-03-10 17:00'],
    );
    desk.press('Escape', 'd');
    desk.app.pressDay('2027-02-12');
    desk.press('d');
    assert.equal(month()?.held, '2027-02-12');
    // Where keys choose, the month follows what they would take, until they go into it.
    const keyed = new Desk('> Plan');
    keyed.press('d');
    keyed.type('2027-02-10');
    keyed.press('Enter', 'd');
    assert.equal(keyed.app.view.palette.get()?.month?.day, '2026-11-27');
    keyed.press('Tab');
    assert.equal(keyed.app.view.palette.get()?.month?.day, '2027-02-10');
  });

  test('[TOUCH-11] a question names what it is about', () => {
    const desk = new Desk(OUTLINE);
    desk.press('d');
    assert.equal(desk.app.view.palette.get()?.subject, 'Plan');
    desk.press('Escape', 'x', 'Down', 'x', 's');
    assert.equal(desk.app.view.palette.get()?.subject, '2 tasks');
    assert.equal(desk.app.view.palette.get()?.isChosen, true);
    desk.press('Escape');
    // Everything that asks about tasks says which.
    for (const command of [
      'task.move',
      'task.moveUnder',
      'task.start',
      'task.repeat',
      'task.duration',
      'task.remind',
    ]) {
      desk.app.run(command);
      assert.equal(desk.app.view.palette.get()?.subject, '2 tasks', command);
      desk.press('Escape');
    }
    desk.app.run('label.pick');
    const labels = desk.app.view.dialog.get();
    assert.equal(labels?.type === 'labels' && labels.picker.subject, '2 tasks');
    desk.press('Escape', 'Mod+K');
    assert.equal(desk.app.view.palette.get()?.subject, null);
    assert.equal(desk.app.view.palette.get()?.isChosen, false);
  });
});
