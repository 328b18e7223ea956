// Emptying the trash now, as the web app asks for it: exactly what is named goes, for the one who asks, and for good.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { emptiedTrashSchema } from '#wire/trash.ts';
import { protocolVersion } from '#wire/version.ts';
import { createTestServer, type TestServer } from './harness.ts';
import { fieldOf } from '#sync/rows/row.ts';

const newId = () => crypto.randomUUID() as Id;
type SignedUp = Awaited<ReturnType<TestServer['signUp']>>;

describe('emptying the trash', () => {
  let server: TestServer;
  before(async () => {
    server = await createTestServer();
  });
  after(() => server.close());

  /** A person whose device sends actions and is told all that changed. */
  async function settle(email: string) {
    const person = await server.signUp(email);
    const scope = person.personalScope as Id;
    const device = newId();
    let seq = 0;
    let cursors: Record<string, { generation: string; version: number }> = {};
    const act = async (...actions: Record<string, unknown>[]): Promise<SyncResponse> => {
      const now = server.clock.now();
      const ops = actions.map((action) => ({ q: (seq += 1), u: newId(), scope, t: now, b: 0, ...action }));
      const head = { schema: protocolVersion, device, clientNow: now, ack: 0, cursors, ops };
      const { cookie } = person;
      const response = await server.ask('/sync/v1', { method: 'POST', cookie, body: head });
      const answer = (await response.json()) as SyncResponse;
      assert.deepEqual(
        answer.results.map(([, verdict]) => verdict),
        actions.map(() => 'ok'),
      );
      for (const { generation, to } of answer.changes) cursors = { [scope]: { generation, version: to } };
      return answer;
    };
    const inbox = { a: 'create', id: inboxId(scope), type: 'list', fields: { listType: 'inbox' } };
    await act({ ...inbox, place: { parent: listsRoot(scope) } });
    const task = async (parent: Id = inboxId(scope)) => {
      const id = newId();
      await act({ a: 'create', id, type: 'task', fields: { title: 'Something' }, place: { parent } });
      return id;
    };
    /** Puts it into the trash; answers since when it is there. */
    const trash = async (id: Id) => {
      server.clock.pass(1_000);
      await act({ a: 'delete', id });
      const row = (await server.database.store.snapshot(scope, null, 100)).find((one) => one.id === id);
      return { id, at: must(fieldOf(row, 'del'), 'it lies in the trash').at };
    };
    return { person, scope, act, task, trash };
  }

  const ask = (person: SignedUp, items: unknown) =>
    server.ask('/app/api/trash', { method: 'POST', cookie: person.cookie, body: { items } });

  async function empty(person: SignedUp, items: unknown) {
    const response = await ask(person, items);
    assert.equal(response.status, 200);
    const { removed, left } = emptiedTrashSchema.parse(await response.json());
    return { removed, left };
  }

  const titles = async (scope: Id) =>
    (await server.database.store.snapshot(scope, null, 100)).map(({ id }) => id);

  test('[TRASH-2] removes what is named with everything beneath it, tells the devices, and is written down', async () => {
    const { person, scope, act, task, trash } = await settle('one@example.org');
    const list = await task();
    const below = await task(list);
    const other = await trash(await task());
    const gone = await trash(list);
    assert.deepEqual(await empty(person, [gone]), { removed: 1, left: 0 });
    const left = await titles(scope);
    assert.ok(!left.includes(list) && !left.includes(below));
    assert.ok(left.includes(other.id), 'what was not named stays');
    const { changes } = await act();
    assert.deepEqual(new Set(changes[0]?.gone), new Set([list, below]));
    const events = await server.database.db
      .selectFrom('security_event')
      .select(['type', 'detail'])
      .where('account', '=', person.account)
      .where('type', '=', 'trash_emptied')
      .execute();
    assert.deepEqual(events, [{ type: 'trash_emptied', detail: '{"count":1}' }]);
    assert.deepEqual(await empty(person, [gone]), { removed: 0, left: 0 }, 'a second time nothing is left');
    const history = await server.database.store.history(scope, { id: list, limit: 10 });
    assert.deepEqual(history, []);
  });

  test('[TRASH-3] leaves what was restored, and what was deleted anew, since it was looked at', async () => {
    const { person, scope, act, task, trash } = await settle('two@example.org');
    const restored = await trash(await task());
    const again = await trash(await task());
    await act({ a: 'restore', id: restored.id }, { a: 'restore', id: again.id });
    await trash(again.id);
    assert.deepEqual(await empty(person, [restored, again]), { removed: 0, left: 0 });
    const left = await titles(scope);
    assert.ok(left.includes(restored.id) && left.includes(again.id));
  });

  test('[TRASH-4] nobody empties another’s trash, and what is no list of things is refused', async () => {
    const owner = await settle('three@example.org');
    const thing = await owner.trash(await owner.task());
    const stranger = await settle('four@example.org');
    assert.deepEqual(await empty(stranger.person, [thing]), { removed: 0, left: 0 });
    assert.ok((await titles(owner.scope)).includes(thing.id));
    const tooMany = Array.from({ length: 201 }, () => thing);
    for (const items of [undefined, [], 'all', [{ id: 'x', at: 1 }], [{ id: thing.id }], tooMany])
      assert.equal((await ask(owner.person, items)).status, 422);
    assert.equal(
      (await server.ask('/app/api/trash', { method: 'POST', body: { items: [thing] } })).status,
      401,
    );
  });
});
