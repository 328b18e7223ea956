// The first screen of somebody new, learning the first keys on their own tasks, and the hints that come later.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { LessonView } from '#client/teaching/lesson-view.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';

const strip = (desk: Desk): LessonView | null => desk.app.view.lesson.get();
const title = (desk: Desk) => strip(desk)?.title ?? null;
const said = (desk: Desk) => desk.app.view.announcement.get().text;
/** What was done is seen after the frame. */
const pass = (desk: Desk) => desk.timers.advance(10);

async function learner(options: ConstructorParameters<typeof Desk>[1] = {}): Promise<Desk> {
  const desk = new Desk('', { preferences: new Map(), ...options });
  desk.timers.advance(1_000);
  await desk.settle();
  return desk;
}

/** Somebody new who pressed the one key that the first screen names. */
async function begun(): Promise<Desk> {
  const desk = await learner();
  desk.press('Enter');
  return desk;
}

const TITLES = [
  'Write down something you have to do',
  'Say when, in words',
  'Complete a task',
  'See what’s due',
  'Find everything else by name',
];

describe('the first screen', () => {
  test('[START-1] has one thing to do, and both ways to an account; Enter does it', async () => {
    const desk = await learner();
    const empty = must(desk.app.view.empty.get(), 'the Inbox is empty');
    assert.equal(empty.command, 'task.createBelow');
    assert.deepEqual(
      empty.others.map(({ command, title: name }) => [command, name]),
      [
        ['account.signIn', 'Sign in'],
        ['account.signUp', 'Create an account'],
      ],
    );
    desk.press('Enter');
    desk.type('Call Ann tomorrow 5pm');
    desk.press('Escape');
    assert.equal(desk.screen(), '> Call Ann');
  });

  test('[START-1] with an account there is one thing alone; with a task there is no such screen', async () => {
    const account = { ...noAccount, email: 'ida@example.org' };
    const desk = await learner({ account });
    assert.deepEqual(desk.app.view.empty.get()?.others, []);
    assert.equal(new Desk('> A task', { preferences: new Map() }).app.view.empty.get(), null);
  });

  test('[START-2] only the Inbox is one: Today and Upcoming say what they say', async () => {
    const desk = await learner();
    desk.press('g t');
    await desk.until(() => desk.app.view.empty.get() !== null);
    assert.match(desk.app.view.empty.get()?.heading ?? '', /^Nothing left for today$/);
    desk.press('g i');
    assert.equal(desk.app.view.empty.get()?.title, 'Write your first task');
  });

  test('[START-3] where a finger points first it is the same, and speaks of no key', async () => {
    const desk = await learner({ touch: true });
    const { heading, text, title: name } = must(desk.app.view.empty.get(), 'the Inbox is empty');
    assert.doesNotMatch(`${heading} ${text} ${name}`, /\bkey|press|Enter/i);
  });
});

describe('the lesson', () => {
  test('[LEARN-1] the first task begins it, and a task that was there before does not', async () => {
    const desk = await learner();
    assert.equal(strip(desk), null);
    desk.press('Enter');
    assert.deepEqual([strip(desk)?.at, strip(desk)?.total, title(desk)], [1, 5, TITLES[0]]);
    const other = new Desk('> A task', { preferences: new Map() });
    other.timers.advance(1_000);
    await other.settle();
    other.press('Ctrl+Enter');
    other.type('Another');
    other.press('Escape');
    pass(other);
    assert.equal(strip(other), null);
  });

  test('[LEARN-2] [LEARN-3] five steps are done on tasks of one’s own, by keys alone, and nothing is made or changed', async () => {
    const desk = await begun();
    desk.timers.advance(1_200);
    assert.match(said(desk), /^1 of 5\. Write down something you have to do: .*↵\. /);
    const seen: (string | null)[] = [];
    const note = () => {
      pass(desk);
      if (seen.at(-1) !== title(desk)) seen.push(title(desk));
    };
    desk.type('Buy stamps');
    note();
    desk.press('Escape');
    note();
    desk.press('d');
    desk.type('fri');
    desk.press('Enter');
    note();
    desk.press('Space');
    note();
    desk.press('g t');
    note();
    assert.deepEqual(seen, TITLES);
    desk.press('Mod+K');
    desk.type('go to inbox');
    desk.press('Enter');
    note();
    assert.equal(strip(desk)?.isOver, true);
    desk.press('g i');
    assert.equal(desk.screen(), '> Buy stamps ✓');
    desk.press('F9 x');
    assert.equal(strip(desk), null);
    assert.equal(desk.preferences.get('lesson'), 'over');
  });

  test('[LEARN-2] completing a task that repeats is completing one', async () => {
    const desk = await begun();
    desk.type('Water the plants every day');
    desk.press('Escape');
    pass(desk);
    assert.equal(title(desk), TITLES[2]);
    desk.press('Space');
    pass(desk);
    assert.equal(title(desk), TITLES[3]);
  });

  test('[LEARN-2] a title that says its day does two steps at once; order does not matter', async () => {
    const desk = await begun();
    desk.type('Call Ann tomorrow');
    desk.press('Escape');
    pass(desk);
    assert.equal(title(desk), TITLES[2]);
    desk.press('g t');
    pass(desk);
    assert.equal(title(desk), TITLES[2]);
    assert.equal(strip(desk)?.at, 3);
  });

  test('[LEARN-2] reopening a task is no completing', async () => {
    const desk = new Desk('> A ✓', { preferences: new Map() });
    desk.timers.advance(1_000);
    await desk.settle();
    desk.app.run('lesson.start');
    desk.press('Space');
    pass(desk);
    assert.equal(strip(desk)?.at, 1);
  });

  test('[LEARN-4] undo takes back what the person did and nothing else, and every key does what it does', async () => {
    const desk = await begun();
    desk.type('Buy stamps');
    desk.press('Escape');
    pass(desk);
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '');
    assert.equal(title(desk), TITLES[1], 'what was learned stays learned');
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '');
  });

  test('[LEARN-5] steps are skipped, to the end; it can be ended, and begun anew by name', async () => {
    const desk = await begun();
    desk.press('Escape');
    for (let left = 5; left > 0; left -= 1) desk.press('F9 s');
    assert.equal(strip(desk)?.isOver, true);
    assert.equal(desk.app.run('lesson.skip').type, 'done');
    desk.press('F9 x');
    assert.equal(strip(desk), null);
    assert.equal(desk.app.run('lesson.skip').type, 'refused');
    desk.press('Mod+K');
    desk.type('tutorial');
    assert.ok(desk.palette().includes('Learn Posthaste in five steps'));
    desk.press('Escape');
    desk.app.run('lesson.start');
    assert.equal(strip(desk)?.at, 1);
  });

  test('[LEARN-6] it goes on after a restart; one of an earlier version is over', async () => {
    const desk = await begun();
    desk.type('Buy stamps');
    desk.press('Escape');
    pass(desk);
    const again = await learner({ preferences: desk.preferences });
    assert.equal(title(again), TITLES[1]);
    const kept = JSON.stringify({ list: 'x', tasks: {}, learnt: ['move'] });
    const old = await learner({ preferences: new Map([['lesson', 'gone:x']]) });
    assert.equal(strip(old), null);
    const older = await learner({ preferences: new Map([['lesson', kept]]) });
    assert.equal(title(older), TITLES[0]);
  });

  test('[TOUCH-8] it speaks of fingers until a key is pressed', async () => {
    const desk = await learner({ touch: true });
    desk.app.run('lesson.start');
    desk.timers.advance(2_000);
    assert.equal(said(desk), `1 of 5. ${TITLES[0]}. Tap +, type it, then Done.`);
    desk.touch = false;
    desk.press('F9 s');
    desk.timers.advance(2_000);
    assert.match(said(desk), /^2 of 5\. Say when, in words: d\./);
  });
});

describe('the coach', () => {
  const hint = 'Complete task has a key: Space.';

  /** By pointer, so often. */
  function press(desk: Desk, times: number): string[] {
    return Array.from({ length: times }, () => {
      desk.app.run('task.complete');
      return desk.message;
    });
  }

  test('[COACH-1] what was done slowly six times is named with its key, once', async () => {
    const desk = await learner();
    desk.press('Ctrl+Enter');
    desk.type('A');
    desk.press('Escape');
    const heard = press(desk, 5);
    assert.ok(heard.every((text) => !text.includes('has a key')));
    desk.press('Space');
    assert.ok(press(desk, 5).every((text) => !text.includes('has a key')));
    assert.ok(press(desk, 1)[0]?.endsWith(hint));
    assert.ok(press(desk, 20).every((text) => !text.includes('has a key')));
    desk.timers.advance(86_400_000);
    assert.ok(press(desk, 1)[0]?.endsWith(hint));
  });

  test('[COACH-1] a command begun by its key and answered in the palette was done by its key', async () => {
    const desk = new Desk('> A', {});
    desk.timers.advance(1_000);
    await desk.settle();
    for (let left = 10; left > 0; left -= 1) {
      desk.press('d');
      desk.type('fri');
      desk.press('Enter');
      assert.doesNotMatch(desk.message, /has a key/);
    }
  });

  test('[COACH-2] a keyboard on the screen is none: it takes one that moves the cursor', async () => {
    const desk = new Desk('> A', { touch: true });
    desk.timers.advance(1_000);
    await desk.settle();
    desk.app.run('task.createBelow');
    desk.type('B');
    desk.press('Enter', 'Backspace');
    desk.app.run('edit.leave');
    assert.ok(press(desk, 20).every((text) => !text.includes('has a key')));
    desk.press('Down');
    assert.ok(press(desk, 1)[0]?.endsWith(hint));
  });

  test('[COACH-2] nobody without keys, and nobody who has switched it off, is told', async () => {
    const desk = new Desk('> A', {});
    desk.timers.advance(1_000);
    await desk.settle();
    assert.ok(press(desk, 20).every((text) => !text.includes('has a key')));
    desk.press('Down');
    desk.app.run('setting.coachHints');
    assert.ok(press(desk, 20).every((text) => !text.includes('has a key')));
    desk.app.run('setting.coachHints');
    assert.ok(press(desk, 1)[0]?.endsWith(hint));
  });
});
