// The history and the time machine of a person with several scopes: theirs, and those of lists that others are in.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { spoken } from '#client/history/sentences.ts';
import { inboxId, listsRoot, memberId, mountId, type Id } from '#core/ids.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { asRow, fieldOf, type Row } from '#sync/rows/row.ts';
import type { WireHistoryEntry } from '#wire/history.ts';
import { SCOPE, START } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { SharedServer } from './shared-server.ts';

type Operation = WireHistoryEntry['operation'];

interface World {
  readonly server: SharedServer;
  readonly desk: Desk;
  readonly trip: Id;
  readonly scope: Id;
}

function world(titles: readonly string[] = ['Book', 'Pack']): World {
  const server = new SharedServer();
  const desk = new Desk('> Own', { isConfirmed: true, account: server.account() });
  const trip = desk.holdShared('Trip', titles);
  return { server, desk, trip, scope: desk.replica.row(trip)?.scope as Id };
}

function called(desk: Desk, title: string): Id {
  const row = [...desk.engine.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row, title);
  return row.id;
}

async function said(desk: Desk, command = 'history.everything'): Promise<string[]> {
  desk.app.run(command);
  const entries = () => {
    const dialog = desk.app.view.dialog.get();
    return dialog?.type === 'history' ? dialog.history : null;
  };
  await desk.until(() => entries() !== null && entries()?.isReading === false);
  return entries()?.entries.map(({ sentence }) => spoken(sentence)) ?? [];
}

const own = (server: SharedServer, entry: Partial<WireHistoryEntry> & { operation: unknown }) =>
  server.record(SCOPE, { account: 1, device: 1, ...entry, operation: entry.operation as Operation });

describe('the history of all scopes', () => {
  test('[SHARE-180] [SHARE-181] joins them by time, with the names of those who did it, also of who has left', async () => {
    const { server, desk, scope } = world();
    receivePage(desk.replica, [
      asRow({
        ...(desk.replica.row(memberId(scope, 2)) as Row),
        id: memberId(scope, 3),
        fields: { account: 3, name: 'Cleo', role: 'member', leftAt: START },
      } as never),
    ]);
    const task = desk.rows()[0]?.id as Id;
    own(server, {
      version: 10,
      at: START + 20,
      operation: { a: 'set', id: task, field: 'title', value: 'Own', q: 1, u: desk.replica.newId() },
      before: [{ id: task, fields: { title: 'Owm' } }],
    });
    const [book, pack] = [called(desk, 'Book'), called(desk, 'Pack')];
    server.write(desk, [[book, { title: 'Books' }]], { at: START + 10 });
    server.write(desk, [[pack, { title: 'Packs' }]], { account: 3, at: START + 30 });
    server.write(desk, [[pack, { title: 'Pack' }]], { account: 4, at: START + 40 });
    assert.deepEqual(await said(desk), [
      'A former member renamed from Packs to Pack',
      'Cleo renamed from Pack to Packs',
      'You renamed from Owm to Own',
      'Ann renamed from Book to Books',
    ]);
  });

  test('[SHARE-344] who came, left or changed their profile is told of that person, not of who wrote it down', async () => {
    const { server, desk, scope } = world();
    const member = (account: number) => memberId(scope, account);
    server.write(desk, [[member(2), { color: '#008a5e' }]], { account: 1, at: START + 10 });
    server.write(desk, [[member(1), { color: '#008a5e' }]], { account: 2, at: START + 20 });
    server.write(desk, [[member(2), { role: 'owner' }]], { account: 1, at: START + 30 });
    server.write(desk, [[member(2), { leftAt: START }]], { account: 1, at: START + 40 });
    assert.deepEqual(await said(desk), [
      'Ann left the list',
      'Ann became the owner',
      'You changed your profile',
      'Ann changed their profile',
    ]);
  });

  test('[SHARE-349] whose a task is is told as giving and taking', async () => {
    const { server, desk } = world();
    const book = called(desk, 'Book');
    const give = (to: number | null, account: number, at: number) =>
      server.write(desk, [[book, { assignee: to }]], { account, at: START + at });
    give(1, 1, 10);
    give(2, 1, 20);
    give(null, 2, 30);
    give(2, 1, 40);
    give(null, 1, 50);
    give(2, 2, 60);
    give(1, 1, 70);
    give(2, 2, 80);
    give(1, 2, 90);
    assert.deepEqual(await said(desk), [
      'Ann gave Book to you',
      'Ann took over Book from you',
      'You took over Book from Ann',
      'Ann took Book',
      'You took Book away from Ann',
      'You gave Book to Ann',
      'Ann gave Book back',
      'You gave Book to Ann',
      'You took Book',
    ]);
  });

  test('[PUBLIC-10] says of what came by a public link by which one, and that nobody verified the name', async () => {
    const { server, desk } = world();
    const task = desk.rows()[0]?.id as Id;
    const link = desk.replica.newId();
    for (const [at, via] of [
      [1, { link, name: 'Trip', nick: 'Sam' }],
      [2, { link, name: '' }],
    ] as const)
      own(server, {
        version: at,
        at: START + at,
        operation: {
          a: 'set',
          id: task,
          field: 'title',
          value: `Own ${at}`,
          q: at,
          u: desk.replica.newId(),
          via,
        },
        before: [{ id: task, fields: { title: `Own ${at - 1}` } }],
      });
    assert.deepEqual(await said(desk), [
      'A visitor by a public link renamed from Own 1 to Own 2',
      'A visitor (“Sam”, not verified) by the link “Trip” renamed from Own 0 to Own 1',
    ]);
  });

  test('[SHARE-344] that a list was shared is told as that, and not as a move', async () => {
    const { server, desk, scope, trip: list } = world();
    server.record(scope, {
      account: 1,
      device: 1,
      at: START + 10,
      operation: {
        a: 'place',
        id: list,
        place: { parent: listsRoot(scope) },
        q: 1,
        u: desk.replica.newId(),
      } as Operation,
      before: [{ id: list, fields: { place: { parent: listsRoot(SCOPE), key: 'a0' } } }],
    });
    const [told] = await said(desk);
    assert.equal(told, 'You shared Trip');
  });

  test('[SHARE-180] shows nothing out of order while one of them has more to read', async () => {
    const { server, desk } = world();
    server.pageSize = 2;
    const [book] = [called(desk, 'Book')];
    for (let at = 1; at <= 5; at += 1)
      server.write(desk, [[book, { title: `Book ${at}` }]], { at: START + at * 10 });
    const task = desk.rows()[0]?.id as Id;
    own(server, {
      at: START + 5,
      operation: { a: 'set', id: task, field: 'title', value: 'Own', q: 1, u: desk.replica.newId() },
      before: [{ id: task, fields: { title: 'First' } }],
    });
    assert.equal((await said(desk)).length, 2);
    const history = () => {
      const dialog = desk.app.view.dialog.get();
      assert.ok(dialog?.type === 'history');
      return dialog.history;
    };
    for (let turn = 0; turn < 2; turn += 1) {
      desk.app.answer('history', { action: 'more' });
      await desk.until(() => !history().isReading);
    }
    const all = history().entries.map(({ sentence }) => spoken(sentence));
    assert.equal(all.length, 6);
    assert.equal(all.at(-1), 'You renamed from First to Own');
    assert.equal(history().hasMore, false);
  });

  test('[SHARE-180] tells a move into a shared list once, with both places', async () => {
    const { server, desk, trip, scope } = world();
    const task = called(desk, 'Book');
    const u = desk.replica.newId();
    const place = { parent: inboxId(SCOPE), key: 'a0' };
    own(server, {
      at: START + 9,
      operation: { a: 'moved', id: task, q: 1, u },
      before: [{ id: task, fields: { place } }],
    });
    server.record(scope, {
      account: 1,
      device: 1,
      at: START + 9,
      operation: { a: 'place', id: task, q: 1, u, place: { parent: trip } } as unknown as Operation,
      before: [{ id: task, fields: null }],
    });
    assert.deepEqual(await said(desk), ['You moved Book from the Inbox to Trip']);
  });

  test('[SHARE-183] goes on without a list that the person is no longer in, and asks again where one could not be read', async () => {
    const { server, desk, scope } = world();
    const task = desk.rows()[0]?.id as Id;
    own(server, {
      operation: { a: 'set', id: task, field: 'title', value: 'Own', q: 1, u: desk.replica.newId() },
      before: [{ id: task, fields: { title: 'First' } }],
    });
    server.failures.set(scope, { type: 'gone', message: 'You’re no longer in this list.' });
    assert.deepEqual(await said(desk), ['You renamed from First to Own']);
    desk.press('Escape');
    server.failures.set(scope, { type: 'offline', message: 'Can’t reach the server.' });
    await said(desk);
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'history' && dialog.history.canRetry);
    server.failures.clear();
    desk.app.answer('history', { action: 'retry' });
    await desk.until(() => {
      const now = desk.app.view.dialog.get();
      return now?.type === 'history' && !now.history.isReading;
    });
    const now = desk.app.view.dialog.get();
    assert.ok(now?.type === 'history' && now.history.entries.length === 1);
  });

  test('[SHARE-180] of a shared list tells what is one’s own about it, too', async () => {
    const { server, desk, trip, scope } = world();
    desk.app.run('go.list', { list: trip });
    await said(desk, 'history.list');
    assert.deepEqual(
      server.asked.map((of) => [of.scope, of.under]),
      [
        [scope, trip],
        [SCOPE, trip],
      ],
    );
  });
});

describe('the time machine of all scopes', () => {
  function joinedWorld(hadIt: boolean): World {
    const made = world();
    const { server, desk, trip } = made;
    const mount = mountId(SCOPE, trip);
    const task = desk.rows()[0]?.id as Id;
    own(server, {
      version: 5,
      at: START + 5,
      operation: { a: 'set', id: task, field: 'title', value: 'Own', q: 1, u: desk.replica.newId() },
      before: [{ id: task, fields: { title: 'First' } }],
    });
    if (hadIt)
      own(server, {
        version: 6,
        at: START + 6,
        operation: { a: 'moved', id: trip, q: 0, u: desk.replica.newId() },
        before: [{ id: trip, fields: {} }],
      });
    own(server, {
      version: 6,
      at: START + 6,
      operation: {
        a: 'create',
        type: 'mount',
        id: mount,
        fields: { of: trip, joinedAt: START + 6 },
        q: 2,
        u: desk.replica.newId(),
      },
      before: [{ id: mount, fields: null }],
    });
    server.write(desk, [[called(desk, 'Book'), { title: 'Books' }]], { at: START + 7 });
    return made;
  }

  async function machine(desk: Desk) {
    desk.app.run('history.travelEverything');
    const view = () => {
      const dialog = desk.app.view.dialog.get();
      return dialog?.type === 'timeMachine' ? dialog.machine : null;
    };
    await desk.until(() => (view()?.count ?? 0) > 0);
    return () => view()?.lines.flatMap(({ kind, title }) => (kind === 'line' ? [title] : [])) ?? [];
  }

  test('[SHARE-180] goes back over all of them', async () => {
    const { desk } = joinedWorld(true);
    const lines = await machine(desk);
    assert.ok(lines().includes('Books'));
    desk.app.answer('timeMachine', { action: 'goTo', position: 1 });
    assert.ok(lines().includes('Book') && lines().includes('Own'));
    desk.app.answer('timeMachine', { action: 'goTo', position: 2 });
    assert.ok(lines().includes('First'));
  });

  test('[SHARE-182] shows nothing of a list from before joining it, and everything to who shared it', async () => {
    for (const hadIt of [true, false]) {
      const { desk } = joinedWorld(hadIt);
      const lines = await machine(desk);
      desk.app.answer('timeMachine', { action: 'goTo', position: 9 });
      assert.deepEqual([lines().includes('First'), lines().includes('Trip')], [true, hadIt]);
    }
  });
});
