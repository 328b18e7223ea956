// The first run: which keys, tried on the spot; how it looks; where it leads.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FirstRunAction, FirstRunView } from '#client/teaching/first-run-view.ts';
import { density, theme } from '#client/settings/appearance.ts';
import { Desk } from './desk.ts';

type KeysStep = Extract<FirstRunView, { readonly step: 'keys' }>;

async function newcomer({ apple = false, touch = false } = {}): Promise<Desk> {
  const desk = new Desk('', { preferences: new Map(), apple, touch });
  desk.timers.advance(1_000);
  await desk.settle();
  return desk;
}

function shown(desk: Desk): FirstRunView {
  const dialog = desk.app.view.dialog.get();
  assert.ok(dialog?.type === 'firstRun', `the first run is open, not ${dialog?.type}`);
  return dialog.view;
}

function keysStep(desk: Desk): KeysStep {
  const view = shown(desk);
  assert.ok(view.step === 'keys');
  return view;
}

const answer = (desk: Desk, action: FirstRunAction) => desk.app.answer('firstRun', action);
const caps = (desk: Desk) => keysStep(desk).trial.keys.map((key) => key.caps.join(' '));
/** As text: the row keys are about with a mark, done ones with another. */
const tried = (desk: Desk) => {
  const { rows, at } = keysStep(desk).trial;
  return rows.map(({ isDone }, index) => `${index === at ? '>' : ' '}${isDone ? 'x' : '-'}`).join(' ');
};

describe('the first run', () => {
  test('[START-1] Enter on the welcome begins it, every step can be passed, and it is offered once', async () => {
    const desk = await newcomer();
    assert.equal(desk.app.view.empty.get()?.command, 'setup.open');
    desk.press('Enter');
    assert.equal(shown(desk).step, 'keys');
    answer(desk, { action: 'next' });
    assert.equal(shown(desk).step, 'look');
    answer(desk, { action: 'back' });
    assert.equal(shown(desk).step, 'keys');
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.app.view.empty.get()?.command, 'lesson.start');
    assert.equal(desk.app.keysOf('cursor.down')[0]?.join(' '), '↓');
    desk.app.run('setup.open');
    assert.equal(shown(desk).step, 'keys');
  });

  test('[START-2] two keys of a set are tried on tasks that are nobody’s', async () => {
    const desk = await newcomer();
    desk.press('Enter');
    assert.deepEqual(caps(desk), ['↓', 'Space']);
    answer(desk, { action: 'preset', preset: 'vim' });
    assert.deepEqual(caps(desk), ['j', 'Space']);
    assert.equal(
      desk.app.keysOf('cursor.down').some((key) => key.join(' ') === 'j'),
      true,
    );
    const before = desk.everything();
    // Until the rows have the focus, keys are the dialog's.
    desk.press('j');
    assert.equal(tried(desk), ' - >-  -');
    answer(desk, { action: 'try', isTrying: true });
    desk.press('j');
    assert.equal(tried(desk), ' -  - >-');
    desk.press('d');
    assert.match(keysStep(desk).trial.said, /Space completes/);
    desk.press('Space');
    assert.equal(tried(desk), ' -  - >x');
    assert.deepEqual(
      keysStep(desk).trial.keys.map(({ isTried }) => isTried),
      [true, true],
    );
    assert.match(keysStep(desk).trial.said, /Both work/);
    assert.equal(desk.everything(), before);
    desk.press('Enter');
    assert.equal(shown(desk).step, 'look');
  });

  test('[START-2] Tab leaves the rows, and keys are the dialog’s again', async () => {
    const desk = await newcomer();
    desk.press('Enter');
    answer(desk, { action: 'try', isTrying: true });
    assert.equal(desk.press('Tab'), false);
    answer(desk, { action: 'try', isTrying: false });
    desk.press('Down');
    assert.equal(tried(desk), ' - >-  -');
    answer(desk, { action: 'try', isTrying: true });
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    desk.press('Ctrl+Enter');
    desk.type('Mine');
    desk.press('Escape');
    assert.equal(desk.screen(), '> Mine');
  });

  test('[START-3] keys that a tab keeps are named with others, and installing is offered', async () => {
    const desk = await newcomer();
    desk.press('Enter');
    assert.equal(keysStep(desk).lost, null);
    answer(desk, { action: 'preset', preset: 'vim' });
    assert.equal(keysStep(desk).lost, null);
    answer(desk, { action: 'preset', preset: 'emacs' });
    assert.match(keysStep(desk).lost ?? '', /Ctrl\+N \(↓ does the same\) doesn’t work here\. Install/);
    assert.deepEqual(caps(desk), ['Ctrl+P', 'Space']);
    answer(desk, { action: 'try', isTrying: true });
    desk.press('Ctrl+P', 'Space');
    assert.equal(tried(desk), '>x  -  -');
    desk.outside.offersInstall = true;
    answer(desk, { action: 'install' });
    await desk.settle();
    assert.deepEqual([desk.outside.installs, desk.links], [1, []]);
    desk.outside.offersInstall = false;
    answer(desk, { action: 'install' });
    await desk.settle();
    assert.deepEqual([desk.outside.installs, desk.links], [1, ['/guides/web-app']]);
  });

  test('[START-3] an installed app, and a keyboard where the browser leaves them, get all keys of the set', async () => {
    const installed = await newcomer();
    installed.outside.isInstalled = true;
    installed.press('Enter');
    answer(installed, { action: 'preset', preset: 'emacs' });
    assert.equal(keysStep(installed).lost, null);
    assert.deepEqual(caps(installed), ['Ctrl+N', 'Space']);
    assert.equal(installed.app.run('application.install').type, 'refused');
    const apple = await newcomer({ apple: true });
    apple.press('Enter');
    answer(apple, { action: 'preset', preset: 'emacs' });
    assert.equal(keysStep(apple).lost, null);
  });

  test('[START-7] on a touch screen nothing speaks of keys', async () => {
    const desk = await newcomer({ touch: true });
    const said = () => JSON.stringify([desk.app.view.empty.get(), desk.app.view.dialog.get()]);
    assert.doesNotMatch(said(), /\bkeys\b/i);
    desk.app.run('setup.open');
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'firstRun');
    assert.deepEqual([dialog.at, dialog.total, dialog.view.step], [1, 2, 'look']);
    answer(desk, { action: 'back' });
    assert.equal(shown(desk).step, 'look');
    answer(desk, { action: 'next' });
    assert.deepEqual(shown(desk), { step: 'tasks', learn: 'Learn with five practice tasks' });
    assert.doesNotMatch(said(), /\bkeys\b/i);
    answer(desk, { action: 'end', next: 'learn' });
    assert.equal(desk.app.view.header.get().title, 'Learn Posthaste');
    assert.doesNotMatch(desk.screen(), /\bkeys?\b/i);
  });

  test('[START-4] theme and density count at once', async () => {
    const desk = await newcomer();
    desk.press('Enter');
    answer(desk, { action: 'next' });
    answer(desk, { action: 'look', key: 'theme', value: 'dark' });
    answer(desk, { action: 'look', key: 'density', value: 'compact' });
    answer(desk, { action: 'look', key: 'density', value: 'huge' });
    assert.equal(desk.app.setting(theme).get(), 'dark');
    assert.equal(desk.app.setting(density).get(), 'compact');
    const view = shown(desk);
    assert.ok(view.step === 'look');
    assert.deepEqual(
      view.settings.map(({ value }) => value),
      ['dark', 'compact'],
    );
  });

  test('[START-5] it leads to the lesson, to an import, or to the empty Inbox', async () => {
    const last = async () => {
      const desk = await newcomer();
      desk.press('Enter');
      answer(desk, { action: 'next' });
      answer(desk, { action: 'next' });
      assert.equal(shown(desk).step, 'tasks');
      return desk;
    };
    const learner = await last();
    answer(learner, { action: 'end', next: 'learn' });
    assert.equal(learner.app.view.header.get().title, 'Learn Posthaste');
    const mover = await last();
    mover.picked = { name: 'plan.txt', text: 'One\n\tTwo' };
    answer(mover, { action: 'end', next: 'import' });
    await mover.settle();
    assert.equal(mover.screen(), '> One\n    Two');
    const other = await last();
    answer(other, { action: 'end', next: 'nothing' });
    assert.equal(other.app.view.dialog.get(), null);
    assert.equal(other.app.view.empty.get()?.command, 'lesson.start');
  });
});
