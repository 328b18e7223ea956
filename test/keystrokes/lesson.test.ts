// Learning the first keys by using them, and the hints that come later.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccountPort } from '#client/app/app.ts';
import { must } from '#core/assert.ts';
import { inboxId } from '#core/ids.ts';
import type { LessonView } from '#client/teaching/lesson-view.ts';
import type { TrashItem } from '#sync/replica/replica-types.ts';
import { withFields } from '#sync/rows/row.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk, noAccount } from './desk.ts';

const FIRST = [
  'Go down and up the list',
  'Add a task of your own',
  'Put a task under the one above',
  'Complete a task',
  'Undo that',
];

const strip = (desk: Desk): LessonView | null => desk.app.view.lesson.get();
const said = (desk: Desk) => desk.app.view.announcement.get().text;
/** What ticks itself does so after the frame. */
const pass = (desk: Desk) => desk.timers.advance(10);
const doneTitles = (desk: Desk) =>
  desk
    .rows()
    .filter((row) => row.done)
    .map((row) => row.title);

async function learner(options: ConstructorParameters<typeof Desk>[1] = {}): Promise<Desk> {
  const desk = new Desk('', { preferences: new Map([['firstRun', 'done']]), ...options });
  desk.timers.advance(1_000);
  await desk.settle();
  return desk;
}

async function begun(): Promise<Desk> {
  const desk = await learner();
  desk.press('Enter');
  return desk;
}

/** The five, by keys alone. */
function doTheFive(desk: Desk): void {
  desk.press('Down', 'Ctrl+Enter');
  pass(desk);
  desk.type('Buy stamps');
  desk.press('Escape');
  pass(desk);
  desk.press('Tab');
  // Escape lets the next Tab leave; another key arms it.
  desk.press('Up', 'Down', 'Tab');
  pass(desk);
  desk.press('Down', 'Space');
  pass(desk);
  desk.press('Mod+Z');
  pass(desk);
}

describe('the lesson', () => {
  test('[TOUCH-8] it speaks of fingers until a key is pressed, and its steps stay those it began with', async () => {
    const desk = await learner({ touch: true });
    desk.app.run('lesson.start');
    desk.timers.advance(2_000);
    const { at, total } = must(strip(desk), 'the lesson has begun');
    assert.equal(said(desk), `1 of ${total}. Go down and up the list. Tap another task.`);
    desk.touch = false;
    desk.press('Down');
    pass(desk);
    desk.timers.advance(2_000);
    const next = must(strip(desk), 'the lesson goes on');
    assert.deepEqual([next.at, next.total], [at + 1, total]);
    assert.match(said(desk), /^2 of \d+\. Add a task of your own: .*↵\./);
    desk.app.run('lesson.end');
    assert.match(desk.preferences.get('lesson') ?? '', /^gone:/, 'nothing in it was the person’s own');
    desk.press('Mod+Z');
    desk.app.run('lesson.start');
    desk.touch = true;
    desk.press('Down');
    assert.equal(strip(desk)?.total, total + 1);
  });

  test('[LEARN-1] somebody new is offered it by the empty Inbox, and only they', async () => {
    const desk = await learner();
    const empty = desk.app.view.empty.get();
    assert.equal(empty?.command, 'lesson.start');
    assert.ok(empty.others.some(({ command }) => command === 'task.createBelow'));
    desk.press('Ctrl+Enter');
    desk.type('Buy stamps');
    desk.press('Escape', 'Delete');
    assert.equal(desk.app.view.empty.get()?.command, 'task.createBelow');
    assert.equal(new Desk('> A task', { preferences: new Map() }).app.view.empty.get(), null);
  });

  test('[LEARN-2] [LEARN-3] the first five tick themselves as they are done, by keys alone', async () => {
    const desk = await begun();
    assert.deepEqual(
      desk
        .rows()
        .slice(0, 5)
        .map((row) => row.title),
      FIRST,
    );
    assert.equal(strip(desk)?.title, FIRST[0]);
    desk.timers.advance(1_200);
    assert.equal(said(desk), '1 of 12. Go down and up the list: ↓ or ↑.');
    desk.press('Down');
    pass(desk);
    assert.deepEqual(doneTitles(desk), [FIRST[0]]);
    assert.equal(strip(desk)?.at, 2);
    doTheFive(desk);
    assert.equal(strip(desk)?.at, 6);
    assert.equal(strip(desk)?.praise, 'The first five are yours.');
    // What was just taken back is seen to be.
    const open = () => FIRST.filter((title) => !doneTitles(desk).includes(title));
    assert.deepEqual(open(), ['Complete a task']);
    desk.timers.advance(1_200);
    assert.match(said(desk), /^The first five are yours\. 6 of 12\. Set a due date: d\. Type fri/);
    desk.press('F9 s');
    assert.deepEqual(open(), []);
  });

  test('[LEARN-2] what is done in any order, elsewhere and by name ticks as well', async () => {
    const desk = await begun();
    const { list } = JSON.parse(desk.preferences.get('lesson') ?? '') as { readonly list: string };
    desk.press('g i');
    pass(desk);
    assert.equal(strip(desk)?.isElsewhere, true);
    desk.press('F9 Enter');
    assert.equal(strip(desk)?.isElsewhere, false);
    assert.ok(doneTitles(desk).includes('Go to another list'));
    assert.ok(doneTitles(desk).includes('Show what comes after a key'));
    desk.press('Mod+K');
    desk.type('complete task');
    desk.press('Enter');
    pass(desk);
    assert.ok(doneTitles(desk).includes('Find a command by name'));
    desk.press('d');
    desk.type('fri');
    desk.press('Enter');
    pass(desk);
    assert.ok(doneTitles(desk).includes('Set a due date'));
    desk.app.pressRow(desk.rows()[7]?.id ?? inboxId(SCOPE), { shift: false, mod: false });
    pass(desk);
    assert.ok(doneTitles(desk).includes(FIRST[0] ?? ''));
    desk.press('z', 'Shift+Z');
    pass(desk);
    assert.ok(doneTitles(desk).includes('Focus on one task, then go back'));
    assert.equal(desk.app.view.header.get().title, 'Learn Posthaste');
    assert.ok(list);
  });

  test('[LEARN-4] undo takes back what the person did, and every key does what it does', async () => {
    const desk = await begun();
    assert.equal(desk.app.run('edit.undo').type, 'refused');
    desk.press('Down');
    pass(desk);
    const before = desk.rows().length;
    desk.press('Delete');
    assert.equal(desk.rows().length, before - 1);
    desk.press('Mod+Z');
    pass(desk);
    assert.equal(desk.rows().length, before);
    assert.deepEqual(doneTitles(desk), [FIRST[0], 'Undo that']);
    assert.equal(desk.app.view.focus.get().pane, 'outline');
  });

  test('[LEARN-4] reopening what ticked itself is no completing, and can be undone', async () => {
    const desk = await begun();
    desk.press('Down');
    pass(desk);
    desk.press('Up', 'Space');
    pass(desk);
    assert.deepEqual(doneTitles(desk), []);
    desk.press('Mod+Z');
    pass(desk);
    assert.deepEqual(doneTitles(desk), [FIRST[0], 'Undo that']);
  });

  test('[LEARN-5] ending takes the list away and keeps what was written, as one undo', async () => {
    const desk = await begun();
    doTheFive(desk);
    desk.press('F9 x');
    assert.equal(strip(desk), null);
    assert.equal(desk.screen(), '> Buy stamps');
    assert.match(desk.message, /^Ended the lesson\. .* What you wrote is in the Inbox\.$/);
    assert.equal(desk.sidebar().includes('Learn Posthaste'), false);
    desk.press('Mod+Z');
    assert.equal(desk.sidebar().includes('Learn Posthaste'), true);
    assert.equal(strip(desk), null);
    assert.equal(desk.app.view.empty.get()?.command, 'task.createBelow');
  });

  test('[LEARN-7] what lies in the trash of it goes for good at the next start, unless something of one’s own is in it', async () => {
    const desk = await begun();
    desk.press('F9 x');
    assert.match(desk.preferences.get('lesson') ?? '', /^gone:/);
    const other = await begun();
    other.press('Enter');
    other.type(' and left');
    other.press('Escape', 'F9 x');
    assert.equal(other.preferences.get('lesson'), 'over');
    // The next start.
    const next = new Desk('', {});
    next.app.run('list.create', { name: 'Learn Posthaste' });
    const list = next.lists()[1]?.id ?? inboxId(SCOPE);
    next.app.run('list.delete');
    next.preferences.set('lesson', `gone:${list}`);
    next.timers.advance(1_000);
    await next.until(() => next.preferences.get('lesson') === 'over');
    assert.equal(next.replica.row(list), undefined);
  });

  test('[LEARN-7] its list goes too when the page was closed before the disk had the end of the lesson', async () => {
    const { promise: taken, resolve: make } = Promise.withResolvers<void>();
    const next = new Desk('', { taken });
    next.app.run('list.create', { name: 'Learn Posthaste' });
    const list = next.lists()[1]?.id ?? inboxId(SCOPE);
    next.preferences.set('lesson', `gone:${list}`);
    next.timers.advance(1_000);
    await next.settle();
    assert.equal(next.preferences.get('lesson'), `gone:${list}`);
    // What the page before left is made only now.
    next.app.run('list.delete');
    make();
    await next.until(() => next.preferences.get('lesson') === 'over');
    assert.equal(next.replica.row(list), undefined);
  });

  test('[LEARN-7] with an account it goes as the server says that it was put into the trash, not as the device reckoned', async () => {
    const asked: (readonly TrashItem[])[] = [];
    const removed = [0, 1];
    const account: AccountPort = {
      ...noAccount,
      email: 'person@example.org',
      emptyTrash(items) {
        asked.push(items);
        return Promise.resolve({ removed: removed.shift() ?? 0, left: 0 });
      },
    };
    const next = async (preferences: Map<string, string>) => {
      const desk = new Desk('', {
        account,
        preferences,
        sync: { type: 'onDevice', waiting: 1, online: true },
      });
      desk.app.run('list.create', { name: 'Learn Posthaste' });
      const list = desk.lists()[1]?.id ?? inboxId(SCOPE);
      desk.app.run('list.delete');
      preferences.set('lesson', `gone:${list}`);
      desk.timers.advance(1_000);
      await desk.settle();
      assert.equal(preferences.get('lesson'), `gone:${list}`);
      // What was reckoned here is replaced by what the server decided.
      const row = must(desk.replica.row(list), 'it lies in the trash');
      const del = { at: START + 70, by: 1 };
      const incoming = new Map([[list, withFields(row, { ...row.fields, del })]]);
      desk.replica.amend({ queue: [], incoming });
      const before = asked.length;
      desk.engine.setSync({ type: 'synced' });
      await desk.until(() => asked.length > before);
      await desk.settle();
      return list;
    };
    const preferences = new Map<string, string>();
    const list = await next(preferences);
    assert.deepEqual(asked, [[{ id: list, at: START + 70 }]]);
    assert.equal(preferences.get('lesson'), `gone:${list}`, 'it is tried at the next start');
    await next(preferences);
    assert.equal(preferences.get('lesson'), 'over');
  });

  test('[LEARN-5] steps are skipped, to the end; the list can be kept', async () => {
    const desk = await begun();
    for (let left = 12; left > 0; left -= 1) desk.press('F9 s');
    assert.equal(strip(desk)?.isOver, true);
    assert.equal(doneTitles(desk).length, 12);
    desk.press('F9 k');
    assert.equal(strip(desk), null);
    assert.equal(desk.sidebar().includes('Learn Posthaste'), true);
    assert.equal(desk.app.run('lesson.skip').type, 'refused');
    desk.press('Mod+K');
    desk.type('tutorial');
    assert.ok(desk.palette().includes('Learn the first five keys'));
  });

  test('[LEARN-6] it goes on after a restart, and is over when its list is gone', async () => {
    const desk = await begun();
    desk.press('Down');
    pass(desk);
    const again = await learner({ preferences: desk.preferences });
    assert.equal(strip(again), null, 'that desk has no such list');
    const other = await begun();
    other.press('F6', 'End', 'Delete');
    assert.equal(strip(other), null);
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
