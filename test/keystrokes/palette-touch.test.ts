// The palette where a finger points, and no cursor is seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from './desk.ts';

const items = (desk: Desk) => desk.app.view.palette.get()?.items ?? [];

test('[TOUCH-12] for a finger there are commands on tasks once one is selected, written or asked about', () => {
  const desk = new Desk('> One\n- Two', { touch: true });
  const offered = () => items(desk).some(({ id }) => id === 'cmd.task.complete');
  const opened = (command: string) => {
    desk.app.run(command);
    const found = offered();
    desk.app.run('palette.close');
    return found;
  };
  assert.equal(opened('palette.open'), false);
  assert.equal(opened('palette.task'), true);
  desk.app.run('palette.open');
  desk.app.paletteInput('delete task');
  assert.deepEqual(
    items(desk).flatMap(({ id, unavailable }) => (id === 'cmd.task.delete' ? [unavailable] : [])),
    ['Select a task first.'],
  );
  desk.app.run('palette.close');
  desk.app.run('selection.toggle');
  assert.equal(opened('palette.open'), true);
  desk.app.run('selection.toggle');
  assert.equal(opened('palette.open'), false);
  desk.app.run('task.edit');
  assert.equal(opened('palette.open'), true);
});
