// The history as a person reads it: what was done in plain words, found by typing, and brought back by one key.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccountFailure, AccountPort, HistoryQuery } from '#client/app/app.ts';
import { spoken } from '#client/history/sentences.ts';
import type { HistoryAction, HistoryView } from '#client/history/view.ts';
import type { HistoryPage, WireHistoryEntry } from '#wire/history.ts';
import { inboxId, mineId, type Id } from '#core/ids.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';
import { tellMember } from './sharing-server.ts';
import { fieldOf } from '#sync/rows/row.ts';

const idAt = (desk: Desk, line: number) => desk.rows()[line]?.id as Id;

async function open(desk: Desk, command = 'history.task'): Promise<void> {
  desk.app.run(command);
  await import('#client/history/book.ts');
  for (let n = 0; n < 3; n += 1) await desk.settle();
}

function view(desk: Desk): HistoryView {
  const dialog = desk.app.view.dialog.get();
  assert.ok(dialog?.type === 'history');
  return dialog.history;
}

const said = (desk: Desk) => view(desk).entries.map(({ sentence }) => spoken(sentence));

const act = (desk: Desk, action: HistoryAction) => desk.app.answer('history', action);
const find = (desk: Desk, text: string) => act(desk, { action: 'filter', text });

/** An account whose server answers with these pages, one after another. */
function accountWith(pages: (HistoryPage | AccountFailure)[], asked: HistoryQuery[] = []): AccountPort {
  return {
    ...noAccount,
    email: 'person@example.org',
    history(of) {
      asked.push(of);
      return Promise.resolve(pages.shift() ?? { success: true, entries: [], next: null });
    },
  };
}

function served(
  version: number,
  operation: Record<string, unknown>,
  before: WireHistoryEntry['before'],
): WireHistoryEntry {
  const u = `0193b3a0-0000-7000-9000-${String(version).padStart(12, '0')}`;
  return {
    version,
    account: 0,
    device: 4,
    at: START - 86_400_000 + version,
    operation: { q: version, u, ...operation } as unknown as WireHistoryEntry['operation'],
    before,
  };
}

describe('history', () => {
  test('[HIST-1] says what was done to the task at the cursor, newest first, in words', async () => {
    const desk = new Desk('> Write\n  Other');
    desk.press('Enter');
    desk.app.draftTitle(idAt(desk, 0), 'Write more', 10);
    desk.press('Escape', 'Space', 'n');
    desk.type('First line');
    desk.press('Escape', 'Down', 'Space', 'Up', 'Delete', 'Mod+Z');
    await open(desk);
    assert.deepEqual(said(desk), [
      'You restored this task from the trash',
      'You deleted this task',
      'You wrote notes for this task',
      'You completed this task',
      'You renamed from Write to Write more',
    ]);
    assert.equal(view(desk).entries[0]?.isUndo, true);
    assert.match(
      view(desk).note ?? '',
      /^You don’t have an account\. This shows the last 90 days on this device/,
    );
  });

  test('[HIST-1] a line that was begun and left empty was nothing', async () => {
    const desk = new Desk('> Write\n  Other');
    desk.press('Ctrl+Enter', 'Escape', 'Down', 'Enter');
    desk.app.draftTitle(idAt(desk, 1), 'Other one', 9);
    desk.press('Enter', 'Escape');
    await open(desk, 'history.everything');
    assert.deepEqual(said(desk), ['You renamed from Other to Other one']);
  });

  test('[HIST-2] Enter brings back what an entry replaced, and undo takes that back', async () => {
    const desk = new Desk('> Write');
    desk.press('Enter');
    desk.app.draftTitle(idAt(desk, 0), 'Write more', 10);
    desk.press('Escape');
    await open(desk);
    assert.deepEqual(view(desk).entries[0]?.sentence, [
      { kind: 'plain', text: 'You ' },
      { kind: 'plain', text: 'renamed' },
      { kind: 'change', before: 'Write', text: 'Write more' },
    ]);
    assert.deepEqual(view(desk).entries[0]?.details, [], 'the sentence has both sides');
    assert.equal(view(desk).entries[0]?.back, 'Bring back “Write”');
    act(desk, { action: 'bringBack' });
    assert.equal(desk.rows()[0]?.title, 'Write');
    assert.equal(view(desk).answer?.text, 'Brought back what was there before.');
    assert.equal(said(desk)[0], 'You renamed from Write more to Write');
    act(desk, { action: 'move', to: 'down' });
    act(desk, { action: 'bringBack' });
    assert.equal(view(desk).answer?.text, 'That’s what it says now.');
    desk.press('Mod+Z');
    assert.equal(desk.rows()[0]?.title, 'Write more');
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    desk.press('Mod+Z');
    assert.equal(desk.rows()[0]?.title, 'Write');
  });

  test('[HIST-3] one gesture is one entry, in a list and over everything', async () => {
    const desk = new Desk('> A\n  B\n  C');
    desk.press('Mod+A', 'Space', 'Escape', 'Ctrl+Enter');
    desk.type('New');
    desk.timers.advance(1_500);
    desk.type('er');
    desk.press('Tab', 'Escape');
    for (const command of ['history.list', 'history.everything']) {
      await open(desk, command);
      assert.deepEqual(said(desk).slice(-2), ['You added Newer, and 1 more change', 'You completed 3 items']);
      act(desk, { action: 'choose', index: said(desk).length - 2 });
      assert.deepEqual(view(desk).entries.at(-2)?.parts.map(spoken), [
        'You added Newer',
        'You moved Newer from the Inbox under A',
      ]);
      act(desk, { action: 'move', to: 'down' });
      act(desk, { action: 'bringBack' });
      assert.equal(desk.rows().filter(({ done }) => done).length, 0);
      desk.press('Mod+Z', 'Escape');
    }
  });

  test('[HIST-4] typing finds, and says when nothing matches', async () => {
    const desk = new Desk('> A\n  B');
    desk.press('Space', 'Down', 'Delete');
    await open(desk, 'history.everything');
    find(desk, 'delet');
    assert.deepEqual(said(desk), ['You deleted B']);
    find(desk, 'delet nothing');
    assert.deepEqual([said(desk), view(desk).isEmpty], [[], false]);
    desk.press('Escape');
    assert.equal(said(desk).length, 2);
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
  });

  test('[HIST-4] Enter behind what was typed chooses, and brings nothing back yet', async () => {
    const desk = new Desk('> A\n  B');
    desk.press('Space');
    await open(desk, 'history.everything');
    find(desk, 'complet');
    desk.app.run('options.choose');
    assert.equal(desk.rows()[0]?.done, true);
    desk.app.run('options.choose');
    assert.equal(desk.rows()[0]?.done, false);
  });

  test('[HIST-14] [HIST-15] snoozes, bookmarks, settings and what left a list are told, and found by the device', async () => {
    const desk = new Desk('> A\n  B');
    const id = idAt(desk, 0);
    desk.app.run('bookmark.toggle');
    desk.app.run('setting.weekStart', { value: 'sunday' });
    await open(desk);
    assert.deepEqual(said(desk), ['You bookmarked this task']);
    act(desk, { action: 'bringBack' });
    assert.equal(fieldOf(desk.replica.row(mineId(SCOPE, id)), 'bookmarkedAt'), undefined);
    desk.press('Escape');
    desk.app.run('list.create', { name: 'Work' });
    desk.press('Escape');
    const work = [...desk.replica.all()].find((held) => fieldOf(held, 'name') === 'Work')?.id as Id;
    desk.app.run('go.inbox');
    desk.app.run('task.move', { list: work });
    await open(desk, 'history.list');
    assert.equal(said(desk)[0], 'You moved A from the Inbox to Work');
    desk.press('Escape');
    await open(desk, 'history.everything');
    assert.ok(
      said(desk).includes('You changed First day of the week from my language’s usual day to sunday'),
    );
    find(desk, 'this device bookmark');
    assert.deepEqual(said(desk), ['You removed the bookmark of A', 'You bookmarked A']);
    find(desk, 'firefox');
    assert.deepEqual(said(desk), []);
  });

  test('[HIST-19] an entry says who did what to what, with old and new value, and is found by these words', async () => {
    const desk = new Desk('> A\n  B');
    const say = (key: string, words: string) => {
      desk.press(key);
      desk.type(words);
      desk.press('Enter');
    };
    say('d', 'dec 4');
    say('d', 'dec 11');
    say('r', 'every week');
    say('r', 'every 2 weeks');
    desk.app.run('label.create', { name: 'Waiting' });
    desk.app.run('label.pick');
    desk.app.answer('labels', { action: 'filter', text: 'Waiting' });
    desk.app.answer('labels', { action: 'pick', staysOpen: false });
    desk.press('Mod+A', 'Space');
    say('d', 'dec 24');
    desk.press('Escape');
    await open(desk, 'history.list');
    const texts = said(desk);
    for (const text of [
      'You moved A from Fri 4 Dec to Fri 11 Dec',
      'You changed the repetition of A from every week to every 2 weeks',
      'You completed 2 items',
      'You changed the due date of 2 items to Thu 24 Dec',
      'You put Waiting on A',
    ])
      assert.ok(texts.includes(text), `${text} is not in ${texts.join('; ')}`);
    // A larger gesture is found by each thing that it did.
    find(desk, 'you moved a from');
    assert.deepEqual(said(desk), [
      'You changed the due date of 2 items to Thu 24 Dec',
      'You moved A from Fri 4 Dec to Fri 11 Dec',
    ]);
    find(desk, 'due date');
    assert.ok(said(desk).includes('You moved A from Fri 4 Dec to Fri 11 Dec'), 'by the name of what changed');
    find(desk, 'you moved a from dec 11');
    const moved = view(desk).entries.find(({ sentence }) => spoken(sentence).startsWith('You moved'));
    assert.ok(moved);
    act(desk, { action: 'choose', index: view(desk).entries.indexOf(moved) });
    const chosen = view(desk).entries[view(desk).active];
    assert.deepEqual([chosen?.mark, chosen?.back], ['date', 'Bring back “Fri 4 Dec”']);
    find(desk, 'waiting');
    const label = view(desk).entries[0]?.sentence.find(({ kind }) => kind === 'label');
    assert.match(label?.kind === 'label' ? (label.color ?? '') : '', /^#/);
  });

  test('[HIST-19] entries stand under their days, which begin when the person says; long values stand below', async () => {
    const desk = new Desk('> A');
    const id = idAt(desk, 0);
    const long = 'word '.repeat(40).trim();
    const day = 86_400_000;
    const entries = [0, 1, 4, 30, 400].map((ago, at) => ({
      ...served(9 - at, { a: 'set', id, field: 'title', value: at === 1 ? long : `t${at}` }, [
        { id, fields: { title: 'a' } },
      ]),
      at: START - ago * day,
    }));
    const account = accountWith([{ success: true, entries, next: null }]);
    const other = new Desk('> A', { account });
    await open(other, 'history.everything');
    const days = view(other).entries.map(({ day: { name, date } }) => `${name}, ${date}`);
    assert.deepEqual(
      days.map((text) => text.replace(/, $/, '')),
      [
        'Today, Friday 27 November',
        'Yesterday, Thursday 26 November',
        'Monday, 23 November',
        '28 October',
        '23 October 2025',
      ],
    );
    act(other, { action: 'choose', index: 1 });
    assert.deepEqual(view(other).entries[1]?.details, [{ name: 'Title', before: 'a', after: long }]);
    other.press('Escape');
    other.app.run('setting.dayStart', { value: '12' });
    await open(other, 'history.everything');
    assert.ok(view(other).entries.every(({ time }) => /\d/.test(time)));
  });

  test('[HIST-20] it says how much there is, and leads to the history of the list and of everything', async () => {
    const desk = new Desk('> A\n  B');
    desk.press('Space', 'Down', 'Delete', 'Up');
    await open(desk);
    const ways = () => view(desk).ways.map(({ name, isCurrent }) => `${isCurrent ? '>' : ''}${name}`);
    assert.deepEqual(ways(), ['>This task', 'This list', 'Everything']);
    assert.deepEqual([view(desk).subject, view(desk).extent], ['A', '1 change today']);
    for (const [name, subject, extent] of [
      ['This list', 'Inbox', '2 changes today'],
      ['Everything', 'Everything', '2 changes today'],
    ] as const) {
      const way = view(desk).ways.find((one) => one.name === name);
      desk.app.run(way?.command ?? '');
      await desk.settle();
      assert.deepEqual([view(desk).subject, view(desk).extent], [subject, extent]);
      assert.equal(view(desk).ways.find(({ isCurrent }) => isCurrent)?.name, name);
    }
    desk.press('Escape');
    assert.equal(desk.app.view.dialog.get(), null);
    desk.app.run('go.trash');
    await open(desk, 'history.everything');
    assert.equal(
      ways().some((name) => name.includes('list')),
      false,
    );
  });

  test('[HIST-5] what the server knows comes page by page, with what waits here above it', async () => {
    const asked: HistoryQuery[] = [];
    const task = (desk: Desk) => idAt(desk, 0);
    const pages: HistoryPage[] = [];
    const windows = { number: 4, name: 'Firefox on Windows', current: false, lastHeardAt: START };
    const devices = [{ ...windows, signedIn: true, lastChange: 9, upToDate: true }];
    const account = { ...accountWith(pages, asked), devices: () => Promise.resolve(devices) };
    const desk = new Desk('> A', { account });
    const id = task(desk);
    const inbox = inboxId(SCOPE);
    pages.push(
      {
        success: true,
        next: 8,
        entries: [
          served(9, { a: 'set', id, field: 'notes', value: 'New\ntext' }, [
            { id, fields: { notes: 'Old text' } },
          ]),
          served(8, { a: 'place', id, place: { parent: id } }, [
            { id, fields: { place: { parent: inbox, key: 'a' } } },
          ]),
        ],
      },
      {
        success: true,
        next: null,
        entries: [served(2, { a: 'create', id, type: 'task', fields: { title: 'A' } }, [])],
      },
    );
    desk.press('Space');
    desk.engine.known = {
      pending: (await desk.engine.journal.read()).flatMap(({ operations }) => operations),
      deviceNumber: 3,
    };
    await open(desk);
    assert.deepEqual(said(desk), [
      'You completed this task',
      'You changed the notes of this task',
      'You moved this task from the Inbox under A',
    ]);
    assert.equal(view(desk).note, null);
    assert.deepEqual(
      view(desk).entries.map(({ where, isWaiting }) => [where, isWaiting]),
      [
        [null, true],
        ['Firefox on Windows', false],
        ['Firefox on Windows', false],
      ],
    );
    assert.equal(view(desk).entries[1]?.day.name, 'Yesterday');
    act(desk, { action: 'move', to: 'down' });
    assert.deepEqual(view(desk).entries[1]?.details, [
      { name: 'Notes', before: 'Old text', after: 'New\ntext' },
    ]);
    act(desk, { action: 'more' });
    await desk.settle();
    assert.deepEqual(said(desk).at(-1), 'You added this task');
    assert.equal(view(desk).hasMore, false);
    assert.deepEqual(
      asked.map(({ scope, id: of, before }) => [scope, of, before]),
      [
        [SCOPE, id, null],
        [SCOPE, id, 8],
      ],
    );
    act(desk, { action: 'choose', index: 1 });
    act(desk, { action: 'bringBack' });
    assert.equal(fieldOf(desk.replica.row(id), 'notes'), 'Old text');
  });

  test('[HIST-6] without a connection it shows what was done here, says so, and tries again', async () => {
    const offline: AccountFailure = { type: 'offline', message: 'The server cannot be reached.' };
    const desk = new Desk('> A', {
      account: accountWith([offline, { success: true, entries: [], next: null }]),
    });
    desk.press('Space');
    await open(desk);
    assert.deepEqual(said(desk), ['You completed this task']);
    assert.match(view(desk).note ?? '', /cannot be reached\. This shows the last 90 days on this device/);
    assert.equal(view(desk).canRetry, true);
    act(desk, { action: 'retry' });
    await desk.settle();
    assert.deepEqual([view(desk).note, view(desk).canRetry], [null, false]);
  });

  test('[HIST-2] what is gone for good cannot be brought back, and that is said', async () => {
    const gone = '0193b3a0-0000-7000-8000-000000000077' as Id;
    const entry = served(5, { a: 'set', id: gone, field: 'title', value: 'b' }, [
      { id: gone, fields: { title: 'a' } },
    ]);
    const desk = new Desk('> A', { account: accountWith([{ success: true, entries: [entry], next: null }]) });
    await open(desk, 'history.everything');
    assert.deepEqual(said(desk), ['You renamed from a to b']);
    act(desk, { action: 'bringBack' });
    assert.equal(view(desk).answer?.isError, true);
  });

  test('[SHARE-130] in a shared list it names who did what, also somebody who has left', async () => {
    const asked: HistoryQuery[] = [];
    const pages: HistoryPage[] = [];
    const desk = new Desk('> A', { isConfirmed: true, account: accountWith(pages, asked) });
    const list = desk.holdShared('Trip', ['Book']);
    desk.app.run('go.list', { list });
    const task = idAt(desk, 0);
    const of = (account: number, version: number): WireHistoryEntry => ({
      ...served(version, { a: 'set', id: task, field: 'duration', value: version }, [
        { id: task, fields: {} },
      ]),
      account,
    });
    pages.push({ success: true, entries: [of(3, 6), of(2, 5), of(1, 4)], next: null });
    tellMember(desk, list, { account: 3, role: 'member', name: 'Cam', joinedAt: 1, leftAt: 2 });
    await open(desk);
    assert.equal(asked[0]?.scope, desk.replica.row(task)?.scope);
    assert.deepEqual(
      said(desk).map((sentence) => sentence.split(' ')[0]),
      ['Cam', 'Ann', 'You'],
    );
  });
});
