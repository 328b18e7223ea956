// The list of an account's own devices, as the web app reads it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { deviceListSchema, type DeviceList } from '#wire/account.ts';
import type { SyncResponse } from '#wire/sync.ts';
import { protocolVersion } from '#wire/version.ts';
import { createTestServer, GOOD_PASSWORD, cookieOf, type TestServer } from './harness.ts';

const newId = () => crypto.randomUUID() as Id;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

describe('devices', () => {
  let server: TestServer;
  let person: Awaited<ReturnType<TestServer['signUp']>>;
  before(async () => {
    server = await createTestServer();
    person = await server.signUp('person@example.org');
  });
  after(() => server.close());

  async function devicesOf(cookie: string): Promise<DeviceList['devices']> {
    const response = await server.ask('/app/api/devices', { cookie });
    assert.equal(response.status, 200);
    return deviceListSchema.parse(await response.json()).devices;
  }

  async function sync(cookie: string, device: Id, more: object = {}): Promise<SyncResponse> {
    const head = { schema: protocolVersion, device, clientNow: 5, ack: 0, cursors: {}, ops: [] };
    const response = await server.ask('/sync/v1', { method: 'POST', cookie, body: { ...head, ...more } });
    assert.equal(response.status, 200);
    return (await response.json()) as SyncResponse;
  }

  const inboxOf = (scope: Id, q: number) => {
    const body = { a: 'create', id: inboxId(scope), type: 'list', fields: { listType: 'inbox' } };
    return { ...body, place: { parent: listsRoot(scope) }, q, u: newId(), scope, t: 5, b: 0 };
  };

  test('[LEDGER-1] are told apart by their sessions, with when each was heard and its newest change', async () => {
    const scope = person.personalScope as Id;
    const [first, second] = [newId(), newId()];
    const { deviceNumber } = await sync(person.cookie, first, { ops: [inboxOf(scope, 1)] });
    const heardAt = server.clock.now();
    server.clock.pass(60_000);
    const signIn = await server.ask('/app/api/sign_in', {
      method: 'POST',
      body: { email: 'person@example.org', password: GOOD_PASSWORD },
      headers: { 'user-agent': CHROME },
    });
    const other = cookieOf(signIn);
    await sync(other, second);
    const [newest, oldest] = await devicesOf(other);
    assert.deepEqual(
      [newest?.name, newest?.current, newest?.signedIn, newest?.lastChange],
      ['Chrome on Linux', true, true, 0],
    );
    assert.deepEqual(
      [oldest?.number, oldest?.current, oldest?.lastHeardAt, oldest?.lastChange],
      [deviceNumber, false, heardAt, 1],
    );
    assert.notEqual(newest?.number, oldest?.number);

    await server.ask('/app/api/sign_out', { method: 'POST', cookie: other });
    const seen = (await devicesOf(person.cookie)).map(({ name, signedIn }) => [name, signedIn]);
    assert.deepEqual(seen[0], ['Chrome on Linux', false]);
  });

  test('[LEDGER-2] are up to date while nothing is newer than what they were told', async () => {
    const one = await server.signUp('current@example.org');
    const scope = one.personalScope as Id;
    const [first, second] = [newId(), newId()];
    const state = async () =>
      Object.fromEntries((await devicesOf(one.cookie)).map(({ number, upToDate }) => [number, upToDate]));
    const told = await sync(one.cookie, first, { ops: [inboxOf(scope, 1)] });
    const [change] = told.changes;
    assert.ok(change);
    const cursors = { [scope]: { generation: change.generation, version: change.to } };
    await sync(one.cookie, first, { cursors });
    assert.deepEqual(await state(), { [told.deviceNumber]: true });
    const task = { a: 'create', id: newId(), type: 'task', fields: {}, place: { parent: inboxId(scope) } };
    const ops = [{ ...task, q: 1, u: newId(), scope, t: 5, b: 0 }];
    const late = await sync(one.cookie, second, { ops, cursors });
    assert.deepEqual(await state(), { [told.deviceNumber]: false, [late.deviceNumber]: true });
    await sync(one.cookie, first, { cursors });
    assert.deepEqual(await state(), { [told.deviceNumber]: true, [late.deviceNumber]: true });
  });

  test('[LEDGER-3] of somebody else are not in it', async () => {
    const stranger = await server.signUp('stranger@example.org');
    assert.deepEqual(await devicesOf(stranger.cookie), []);
  });
});
