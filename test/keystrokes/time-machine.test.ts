// The time machine: an outline as it was, moment by moment, what differs from now in words, and bringing it back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, mineId, type Id } from '#core/ids.ts';
import { lazyTimeMachine } from '#client/history/lazy.ts';
import type { TimeMachineView } from '#client/history/view.ts';
import type { AccountFailure, AccountPort } from '#client/app/app.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { HistoryPage, WireHistoryEntry } from '#wire/history.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';
import type { ListMove } from '#client/dialogs/list-cursor.ts';

await lazyTimeMachine.load();

function view(desk: Desk): TimeMachineView {
  const dialog = desk.app.view.dialog.get();
  assert.ok(dialog?.type === 'timeMachine');
  return dialog.machine;
}

async function open(desk: Desk, command = 'history.travel'): Promise<void> {
  desk.app.run(command);
  for (let n = 0; n < 3; n += 1) await desk.settle();
}

type Key = ListMove | 'older' | 'newer' | 'muchOlder' | 'muchNewer' | 'bringBack' | 'differences' | 'retry';
const MOVES: readonly string[] = ['down', 'up', 'pageDown', 'pageUp', 'first', 'last'];
const isMove = (key: Key): key is ListMove => MOVES.includes(key);

const act = (desk: Desk, ...keys: Key[]) => {
  for (const key of keys)
    desk.app.answer('timeMachine', isMove(key) ? { action: 'move', to: key } : { action: key });
};

const moveInHistory = (desk: Desk, ...moves: ListMove[]) => {
  for (const to of moves) desk.app.answer('history', { action: 'move', to });
};

/** From the history to the outline as it was before the entry that the moves lead to. */
const travel = (desk: Desk, ...moves: ListMove[]) => {
  moveInHistory(desk, ...moves);
  desk.app.answer('history', { action: 'travel' });
};

/** The outline then: two spaces a level, ✓ complete, what happened since in brackets, `>` what is chosen. */
function then(desk: Desk): string[] {
  return view(desk).lines.flatMap(({ level, kind, type, title, isDone, since, active, parts }) => [
    `${active ? '>' : ' '}${kind === 'later' ? '+' : ' '}${'  '.repeat(level - 1)}${type === null ? '' : `${type} `}${title}` +
      `${isDone ? ' ✓' : ''}${since.length > 0 ? ` [${since.join('; ')}]` : ''}`,
    ...parts.map((part) => `${part.active ? '>' : ' '} ${'  '.repeat(level)}- ${part.text}`),
  ]);
}

const idAt = (desk: Desk, line: number) => desk.rows()[line]?.id as Id;

describe('time machine', () => {
  test('[HIST-7] goes back behind one gesture after another, and forth again', async () => {
    const desk = new Desk('> Write\n    first\n  Other');
    desk.press('Space', 'Down', 'Down', 'Delete', 'Ctrl+Enter');
    desk.type('New');
    desk.press('Escape');
    await open(desk);
    const now = ['  Inbox', '    Write ✓', '      first', '>   New'];
    assert.deepEqual([view(desk).when, view(desk).count], ['Now', 3]);
    assert.match(view(desk).next, /^Last change: you added New \(now, This device\)\.$/);
    assert.deepEqual(then(desk), now);
    act(desk, 'older');
    assert.deepEqual(then(desk), ['  Inbox', '    Write ✓', '      first', '>+  New [Not there yet]']);
    assert.match(view(desk).when, /^Friday,? 27 November, /);
    assert.equal(view(desk).summary, '1 item added since.');
    act(desk, 'older');
    assert.deepEqual(then(desk).at(-2), '    Other [deleted today]');
    act(desk, 'older', 'older');
    assert.equal(view(desk).position, 3);
    assert.deepEqual(then(desk).slice(0, 3), ['  Inbox', '    Write [completed today]', '      first']);
    assert.equal(view(desk).summary, '2 differences from now, 1 item added since.');
    assert.equal(view(desk).answer?.text, 'There’s no older record.');
    act(desk, 'muchNewer');
    assert.deepEqual(
      then(desk).map((line) => line.slice(1)),
      now.map((line) => line.slice(1)),
    );
  });

  test('[HIST-10] brings back one value, one task with what hung below it, or all of it, each as one undo', async () => {
    const desk = new Desk('> Write\n    first\n    second\n  Other');
    const write = idAt(desk, 0);
    desk.app.run('task.editAll');
    desk.app.draftTitle(write, 'Wrote', 5);
    desk.press('Escape', 'Space', 'Delete', 'Space');
    const before = desk.screen();
    await open(desk);
    act(desk, 'muchOlder', 'first', 'down');
    assert.deepEqual(then(desk), [
      '  Inbox',
      '>   Write [deleted today; renamed from Write to Wrote today; completed today]',
      '      - deleted today',
      '      - renamed from Write to Wrote today',
      '      - completed today',
      '      first',
      '      second',
      '    Other [completed today]',
    ]);
    assert.equal(view(desk).back, 'Bring this back with everything in it');
    act(desk, 'down', 'down', 'bringBack');
    assert.equal(view(desk).answer?.text, 'Brought back earlier values of ‘Write’.');
    assert.equal(fieldOf(desk.replica.row(write), 'title'), 'Write');
    desk.press('Mod+Z');
    assert.equal(fieldOf(desk.replica.row(write), 'title'), 'Wrote');
    act(desk, 'first', 'down', 'bringBack');
    desk.press('Escape');
    assert.deepEqual(
      desk.rows().map(({ title, done }) => `${title}${done ? ' ✓' : ''}`),
      ['Write', 'first', 'second', 'Other ✓'],
    );
    desk.press('Mod+Z');
    assert.deepEqual(desk.screen().replaceAll(/[>*]/g, ' '), before.replaceAll(/[>*]/g, ' '));
    await open(desk);
    act(desk, 'muchOlder', 'first', 'bringBack');
    assert.equal(view(desk).answer?.text, 'Brought back ‘Inbox’ as it was.');
    assert.equal(view(desk).summary, 'Same as now.');
    desk.press('Escape');
    assert.deepEqual(
      desk.rows().map(({ title, done }) => [title, done]),
      [
        ['Write', false],
        ['first', false],
        ['second', false],
        ['Other', false],
      ],
    );
  });

  test('[HIST-11] what came since goes to the trash with the list, and stays when one task comes back', async () => {
    const desk = new Desk('> Write\n    first');
    desk.press('Space', 'Alt+Enter');
    desk.type('new below');
    desk.press('Escape');
    await open(desk);
    act(desk, 'muchOlder', 'first', 'down', 'bringBack');
    assert.deepEqual(
      desk.rows().map(({ title, done }) => [title, done]),
      [
        ['Write', false],
        ['first', false],
        ['new below', false],
      ],
    );
    act(desk, 'first', 'bringBack');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['Write', 'first'],
    );
    desk.press('Escape');
    desk.app.run('go.trash');
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['new below'],
    );
  });

  test('[HIST-12] shows only what differs, of a task, of a list and of everything', async () => {
    const desk = new Desk('> A\n    B\n      C\n  D');
    desk.press('Down', 'Down', 'Space');
    desk.app.run('list.create', { name: 'Work' });
    desk.press('Escape');
    for (const [command, first] of [
      ['history.travelTask', 'C'],
      ['history.travelEverything', 'Everything'],
    ] as const) {
      desk.app.run('go.inbox');
      await open(desk, command);
      act(desk, 'muchOlder', 'differences', 'first');
      assert.equal(view(desk).lines[0]?.title, first);
      desk.press('Escape');
    }
    await open(desk);
    act(desk, 'muchOlder', 'differences', 'first');
    assert.deepEqual(
      then(desk).map((line) => line.slice(1).trim()),
      ['Inbox', 'A', 'B', 'C [completed today]'],
    );
  });

  test('[HIST-20] rows say what they said then, and what is lost since is told apart', async () => {
    const desk = new Desk('> A\n    B\n    C ✓\n  D');
    const id = idAt(desk, 0);
    desk.app.run('task.due', { value: 'dec 4' });
    desk.app.run('label.create', { name: 'Waiting' });
    const label = [...desk.replica.all()].find((row) => fieldOf(row, 'name') === 'Waiting')?.id as Id;
    desk.replica.issue([{ a: 'set', id, field: `label:${label}`, value: true }]);
    desk.app.run('bookmark.toggle');
    await open(desk);
    const row = () => view(desk).lines.find((line) => line.id === id)?.row;
    assert.deepEqual(
      [row()?.due?.text, row()?.labels.map(({ name }) => name), row()?.bookmarked],
      ['Fri 4 Dec', ['Waiting'], true],
    );
    assert.deepEqual([row()?.childCount, row()?.childrenDone, row()?.expanded], [2, 1, true]);
    desk.press('Escape', 'Delete');
    await open(desk);
    act(desk, 'older');
    assert.deepEqual(
      view(desk).lines.map(({ title, isLost }) => [title, isLost]),
      [
        ['Inbox', false],
        ['A', true],
        ['B', true],
        ['C', true],
        ['D', false],
      ],
    );
    act(desk, 'muchOlder', 'muchOlder');
    assert.deepEqual([row()?.due, row()?.labels, row()?.bookmarked], [null, [], false]);
    assert.equal(view(desk).lines[0]?.row, null, 'a list has no row');
  });

  test('[HIST-20] the days that are known are bars, as high as much was done, and lead to their moments', async () => {
    const day = 86_400_000;
    const served = (ago: number, version: number, id: Id): WireHistoryEntry => ({
      version,
      account: 0,
      device: 4,
      at: START - ago * day + version,
      operation: { a: 'set', id, q: version, u: `served ${version}`, field: 'title' } as never,
      before: [{ id, fields: { title: `A ${version}` } }],
    });
    const pages: HistoryPage[] = [];
    const account: AccountPort = {
      ...noAccount,
      email: 'person@example.org',
      history: () => Promise.resolve(pages.shift() ?? { success: true, entries: [], next: null }),
    };
    const desk = new Desk('> A', { account });
    const id = idAt(desk, 0);
    const days = [0, 2, 2, 2, 2, 20];
    pages.push({ success: true, entries: days.map((ago, at) => served(ago, 9 - at, id)), next: null });
    await open(desk);
    const bars = () => view(desk).bars.bars;
    const busy = () =>
      bars().flatMap(({ height, position, tone }, at) =>
        height === 0 ? [] : [[bars().length - 1 - at, height, position, tone]],
      );
    assert.deepEqual(busy(), [
      [20, 0.25, 6, 'before'],
      [2, 1, 2, 'before'],
      [0, 0.25, 1, 'before'],
    ]);
    assert.deepEqual([bars().length, view(desk).bars.knob], [21, 1]);
    desk.app.answer('timeMachine', { action: 'goTo', position: 2 });
    assert.deepEqual(
      busy().map(([, , , tone]) => tone),
      ['before', 'on', 'after'],
    );
    assert.match(view(desk).when, /^Wednesday,? 25 November, /);
    assert.match(view(desk).whenShort, /^25 Nov, /);
    assert.equal(view(desk).bars.marks[0]?.text, '7 Nov');
    // A day on which nothing was done shows what was there on it.
    assert.equal(bars()[10]?.position, 5);
  });

  test('[HIST-13] snoozing, bookmarks, dates and labels come back too', async () => {
    const desk = new Desk('> A');
    const id = idAt(desk, 0);
    desk.app.run('bookmark.toggle');
    desk.app.run('task.due', { value: 'tomorrow' });
    desk.app.run('task.snooze', { value: 'tomorrow' });
    const snoozed = registersOf(desk.replica.row(mineId(SCOPE, id)));
    assert.ok(snoozed['bookmarkedAt'] !== undefined && snoozed['snooze'] !== undefined);
    await open(desk, 'history.everything');
    desk.press('Escape');
    await open(desk);
    act(desk, 'muchOlder', 'first', 'bringBack');
    const fields = registersOf(desk.replica.row(mineId(SCOPE, id)));
    assert.deepEqual([fields['bookmarkedAt'], fields['snooze']], [undefined, undefined]);
    assert.equal(fieldOf(desk.replica.row(id), 'due'), undefined);
  });

  test('[HIST-16] older moments are read from the server when they are wanted, and what waits here lies above them', async () => {
    const asked: (number | null)[] = [];
    const pages: (HistoryPage | AccountFailure)[] = [];
    const account: AccountPort = {
      ...noAccount,
      email: 'person@example.org',
      history({ before }) {
        asked.push(before);
        return Promise.resolve(pages.shift() ?? { success: true, entries: [], next: null });
      },
    };
    const desk = new Desk('> A\n  B', { account });
    const [a, b] = [idAt(desk, 0), idAt(desk, 1)];
    const entry = (version: number, id: Id, before: Record<string, unknown>): WireHistoryEntry => ({
      version,
      account: 0,
      device: 4,
      at: START - 86_400_000 + version,
      operation: { a: 'set', id, q: version, u: `served ${version}`, field: 'title' } as never,
      before: [{ id, fields: before }],
    });
    const silent = (version: number) => entry(version, SCOPE, {});
    pages.push(
      { success: true, entries: [entry(9, a, { title: 'Older A' })], next: 9 },
      // Nothing of this page is about the list: the next is read at once.
      { success: true, entries: [silent(8)], next: 8 },
      { success: true, entries: [entry(7, b, { title: 'Older B' })], next: 7 },
      { type: 'offline', message: 'The server cannot be reached.' },
    );
    desk.press('Space');
    desk.engine.known = {
      pending: (await desk.engine.journal.read()).flatMap(({ operations }) => operations),
    };
    await open(desk);
    assert.deepEqual([view(desk).count, view(desk).hasMore], [2, true]);
    act(desk, 'older');
    assert.match(view(desk).next, /^Then you completed A \(now, This device/);
    act(desk, 'older');
    assert.match(view(desk).next, /\(yesterday, Device 4\)/);
    act(desk, 'first');
    assert.deepEqual(then(desk), [
      '> Inbox',
      '    Older A [renamed from Older A to A yesterday; completed today]',
      '    B',
    ]);
    act(desk, 'older');
    for (let n = 0; n < 6; n += 1) await desk.settle();
    assert.deepEqual([view(desk).position, asked], [3, [null, 9, 8]]);
    assert.deepEqual(then(desk).at(-1), '    Older B [renamed from Older B to B yesterday]');
    act(desk, 'older');
    for (let n = 0; n < 3; n += 1) await desk.settle();
    assert.deepEqual([view(desk).note, view(desk).canRetry], ['The server cannot be reached.', true]);
    act(desk, 'first', 'bringBack');
    assert.deepEqual(
      desk.rows().map(({ title, done }) => [title, done]),
      [
        ['Older A', false],
        ['Older B', false],
      ],
    );
  });

  test('[HIST-16] without a connection it shows what was done here, and says so', async () => {
    const account: AccountPort = {
      ...noAccount,
      email: 'person@example.org',
      history: () => Promise.resolve({ type: 'offline', message: 'The server cannot be reached.' }),
    };
    const desk = new Desk('> A', { account });
    desk.press('Space');
    await open(desk);
    act(desk, 'older', 'first');
    assert.deepEqual(then(desk), ['> Inbox', '    A [completed today]']);
    assert.match(view(desk).note ?? '', /cannot be reached\. This shows the last 90 days on this device/);
  });

  test('[HIST-17] from a change in the history to the outline as it was before it', async () => {
    const desk = new Desk('> A\n  B');
    desk.press('Space', 'Down', 'Space', 'Up', 'Delete');
    desk.app.run('history.list');
    await import('#client/history/book.ts');
    for (let n = 0; n < 3; n += 1) await desk.settle();
    travel(desk, 'down');
    for (let n = 0; n < 3; n += 1) await desk.settle();
    assert.deepEqual([view(desk).position, view(desk).count], [2, 3]);
    act(desk, 'first');
    assert.deepEqual(then(desk), ['> Inbox', '    A ✓ [deleted today]', '    B [completed today]']);
  });

  /** The history before whose second change the time machine is opened; the server's answers are given one by one. */
  async function seeking() {
    const answers: ((page: HistoryPage | AccountFailure) => void)[] = [];
    const account: AccountPort = {
      ...noAccount,
      email: 'person@example.org',
      history: () => new Promise((resolve) => answers.push(resolve)),
    };
    const desk = new Desk('> A', { account });
    const id = idAt(desk, 0);
    const entry = (version: number, title: string): WireHistoryEntry => ({
      version,
      account: 0,
      device: 4,
      at: START - 86_400_000 + version,
      operation: { a: 'set', id, q: version, u: `served ${version}`, field: 'title' } as never,
      before: [{ id, fields: { title } }],
    });
    const answer = async (page: HistoryPage | AccountFailure) => {
      answers.shift()?.(page);
      for (let n = 0; n < 6; n += 1) await desk.settle();
    };
    const newest: HistoryPage = { success: true, entries: [entry(9, 'Third')], next: 9 };
    const older: HistoryPage = {
      success: true,
      entries: [entry(8, 'Second'), entry(7, 'First')],
      next: null,
    };
    await import('#client/history/book.ts');
    desk.app.run('history.list');
    for (let n = 0; n < 3; n += 1) await desk.settle();
    await answer(newest);
    moveInHistory(desk, 'down', 'down');
    await answer(older);
    travel(desk, 'first', 'down');
    for (let n = 0; n < 3; n += 1) await desk.settle();
    return { desk, answer, newest, older };
  }

  test('[HIST-17] keys pressed while that moment is being sought go on from it', async () => {
    const { desk, answer, newest, older } = await seeking();
    act(desk, 'newer');
    assert.deepEqual([view(desk).position, view(desk).isReading], [0, true]);
    await answer(newest);
    act(desk, 'older', 'first', 'bringBack');
    assert.deepEqual([view(desk).position, view(desk).answer], [0, null]);
    await answer(older);
    // What was brought back is one more change between then and now.
    assert.deepEqual([view(desk).position, view(desk).answer?.text], [3, 'Brought back ‘Inbox’ as it was.']);
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['Second'],
    );
  });

  test('[HIST-17] where that moment cannot be read nothing is brought back, and trying again finds it', async () => {
    const { desk, answer, newest, older } = await seeking();
    await answer(newest);
    act(desk, 'older', 'first', 'bringBack');
    await answer({ type: 'offline', message: 'The server cannot be reached.' });
    assert.deepEqual([view(desk).position, view(desk).canRetry, view(desk).answer], [0, true, null]);
    act(desk, 'retry');
    await answer(older);
    assert.equal(view(desk).position, 2);
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['A'],
    );
  });

  test('[HIST-17] a smart list has no time of its own, and says where to go', () => {
    const desk = new Desk('> A');
    desk.app.run('go.today');
    assert.equal(desk.app.run('history.travel').type, 'refused');
  });

  test('[HIST-18] what very many changed is compared with now in portions, while keys go from moment to moment', async () => {
    const desk = new Desk('> First');
    const ids = Array.from({ length: 2_000 }, () => desk.replica.newId());
    const place = { parent: inboxId(SCOPE) };
    const made = ids.map((id, at): Action => ({
      a: 'create',
      id,
      type: 'task',
      fields: { title: `Task ${at}` },
      place,
    }));
    for (let from = 0; from < made.length; from += 500) desk.replica.issue(made.slice(from, from + 500));
    for (const [command, values] of [['task.complete'], ['task.duration', { value: '45m' }]] as const) {
      desk.app.run('selection.all');
      desk.app.run(command, values);
      desk.timers.advance(1_000);
    }
    await open(desk, 'history.travelEverything');
    const now = desk.replica.now.bind(desk.replica);
    let looks = 0;
    desk.replica.now = () => {
      looks += 1;
      return now() + looks;
    };
    act(desk, 'last', 'older');
    assert.deepEqual([view(desk).position, view(desk).summary], [1, 'Comparing with now…']);
    const chosen = () => view(desk).lines.find(({ active }) => active);
    assert.deepEqual([chosen()?.title, chosen()?.since], ['Task 1999', ['set the duration to 45 min today']]);
    // Also before all is known the next key goes on.
    act(desk, 'older');
    assert.equal(view(desk).position, 2);
    for (let portions = 0; view(desk).summary.startsWith('Comparing'); portions += 1) {
      assert.ok(portions < 1_000, 'it comes to an end');
      desk.timers.advance(1);
    }
    assert.equal(view(desk).summary, '2001 differences from now.');
    assert.deepEqual([chosen()?.title, chosen()?.isDone, chosen()?.since.length], ['Task 1999', false, 2]);
    act(desk, 'differences');
    assert.deepEqual([view(desk).lines.at(-1)?.title, view(desk).below], ['Task 1999', 0]);
  });
});
