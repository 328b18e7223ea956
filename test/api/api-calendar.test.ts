// Calendars in the public API: events of a window, and time blocks that programs plan, move and remove.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { blockRegister } from '#core/calendar/blocks.ts';
import { listsRoot, mineId, type Id } from '#core/ids.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { addMember } from '#server/data/members.ts';
import { registersOf } from '#sync/rows/row.ts';
import type { ApiBlock, ApiCalendar, ApiEvent } from '#wire/api/calendar.ts';
import { calendarFile, startCalendarServer, type CalendarServer } from '../calendar-server.ts';
import { openHousehold } from '../sealing/server-world.ts';
import { checkShape, enterApi, withApi, type ApiUser } from './api-world.ts';
import { createTestServer, type TestServer } from './harness.ts';

const NINE = { local_start: '2026-11-30T09:00' };
const NO_ID = '00000000-0000-4000-8000-000000000000';

/** A list of two people with a task in it. */
async function sharedTask(owner: ApiUser, other: ApiUser): Promise<string> {
  const scope = randomUUID() as Id;
  const { store, db } = owner.server.database;
  await store.createScope({ id: scope, kind: 'list', owner: owner.account });
  await addMember(db, { scope, account: other.account, role: 'member' });
  const roles = new Map((await store.scopesOf(owner.account)).map((each) => [each.scope, each.role]));
  const { account, scope: personalScope } = owner;
  const id = randomUUID() as Id;
  const actor: AccountActor = {
    type: 'account',
    account,
    session: personalScope,
    kind: 'web',
    personalScope,
    roles,
    isServer: true,
  };
  const fields = { listType: 'list', name: 'Ours' };
  const list = { a: 'create', id, type: 'list', fields, place: { parent: listsRoot(scope) } } as const;
  const ids = { u: randomUUID() as Id, x: randomUUID() as Id, g: randomUUID() as Id };
  const refused = await owner.server.services.exchange.carryOut(actor, randomUUID() as Id, {
    scopes: [scope],
    want: { rows: [], ancestors: [], siblings: [] },
    decide: () => [{ scope, action: list, ...ids }],
  });
  assert.equal(refused, null);
  return (await owner.task({ title: 'Together', list_id: id })).id;
}

async function blocksOf(user: ApiUser, task: string): Promise<readonly ApiBlock[]> {
  return (await user.get(`/tasks/${task}/blocks`))['blocks'] as readonly ApiBlock[];
}

async function plan(user: ApiUser, task: string, body: object): Promise<ApiBlock> {
  return (await user.post(`/tasks/${task}/blocks`, body))['block'] as ApiBlock;
}

describe('time blocks in the API', () => {
  test('[CAL-88] a program plans, lists, moves and removes time; the clock stays, and a query finds it', () =>
    withApi(async (user) => {
      const { id: task } = await user.task({ title: 'Report' });
      const late = await plan(user, task, { local_start: '2026-12-01T14:00', local_end: '2026-12-01T15:30' });
      const early = await plan(user, task, { ...NINE, duration_minutes: 45, time_zone: 'Europe/Paris' });
      assert.deepEqual(early, {
        id: early.id,
        todo_item_id: task,
        local_start: '2026-11-30T09:00',
        local_end: '2026-11-30T09:45',
        duration_minutes: 45,
        time_zone: 'Europe/Paris',
        is_done: false,
      });
      assert.deepEqual([late.duration_minutes, late.time_zone], [90, null]);
      assert.deepEqual(await blocksOf(user, task), [early, late]);
      const path = `/tasks/${task}/blocks/${late.id}`;
      const moved = (await user.patch(path, { local_start: '2026-12-02T08:00' }))['block'] as ApiBlock;
      assert.deepEqual([moved.local_start, moved.local_end], ['2026-12-02T08:00', '2026-12-02T09:30']);
      const shorter = (await user.patch(path, { duration_minutes: 15, time_zone: 'UTC' }))['block'];
      assert.deepEqual(shorter, {
        ...moved,
        local_end: '2026-12-02T08:15',
        duration_minutes: 15,
        time_zone: 'UTC',
      });
      assert.deepEqual(
        (await user.tasks('?query=block%3A2026-12-02')).map(({ id }) => id),
        [task],
      );
      assert.equal((await user.call('DELETE', path)).status, 200);
      assert.deepEqual(
        [(await user.call('DELETE', path)).status, (await user.call('PATCH', path, {})).status],
        [404, 404],
      );
      assert.deepEqual(await blocksOf(user, task), [early]);
      await user.change(task, { is_complete: true });
      assert.deepEqual(await blocksOf(user, task), [{ ...early, is_done: true }]);
    }));

  test('[CAL-88] in a shared list each has a plan of their own', async () => {
    const server = await createTestServer();
    const [ada, ben] = [await enterApi(server, 'ada@x.example'), await enterApi(server, 'ben@x.example')];
    const task = await sharedTask(ada, ben);
    const mine = await plan(ada, task, NINE);
    const theirs = await plan(ben, task, { ...NINE, duration_minutes: 5 });
    assert.deepEqual([await blocksOf(ada, task), await blocksOf(ben, task)], [[mine], [theirs]]);
    assert.equal((await ben.call('DELETE', `/tasks/${task}/blocks/${mine.id}`)).status, 404);
    const own = await ada.task({ title: 'Not yours' });
    assert.equal((await ben.call('GET', `/tasks/${own.id}/blocks`)).status, 404);
    assert.equal((await ben.call('POST', `/tasks/${own.id}/blocks`, NINE)).status, 404);
    await server.close();
  });

  test('[CAL-89] planning twice under one id plans once; without a length it takes what the task takes', () =>
    withApi(async (user) => {
      const { id: task } = await user.task({ title: 'Call', duration_minutes: 20 });
      const id = randomUUID();
      const made = await plan(user, task, { id, ...NINE });
      assert.deepEqual([made.id, made.duration_minutes], [id, 20]);
      assert.deepEqual(await plan(user, task, { id, ...NINE }), made);
      assert.deepEqual(await plan(user, task, { id, local_start: '2027-01-01T10:00' }), made);
      const { id: other } = await user.task({ title: 'No length' });
      assert.equal((await plan(user, other, NINE)).duration_minutes, 30);
      assert.equal((await blocksOf(user, task)).length, 1);
      const before = await user.server.database.store.scope(user.scope);
      await user.patch(`/tasks/${task}/blocks/${id}`, NINE);
      assert.equal((await user.server.database.store.scope(user.scope))?.version, before?.version);
    }));

  test('[CAL-90] what can’t be planned is refused with its field, and nothing is written', () =>
    withApi(async (user) => {
      const { id: task } = await user.task({ title: 'Report' });
      const { id: over } = await user.task({ title: 'Over', is_complete: true });
      const path = `/tasks/${task}/blocks`;
      const wrong: readonly (readonly [body: object, field: string, message: RegExp])[] = [
        [{}, 'local_start', /required/],
        [{ local_start: '2026-11-30' }, 'local_start', /time of day/],
        [{ local_start: '2026-11-30T09:00Z' }, 'local_start', /without an offset/],
        [{ local_start: '2026-02-30T09:00' }, 'local_start', /time of day/],
        [{ ...NINE, local_end: '2026-11-30T08:00' }, 'local_end', /after "local_start"/],
        [{ ...NINE, local_end: '2026-11-30T09:00' }, 'local_end', /after/],
        [{ ...NINE, local_end: '2026-12-08T09:00' }, 'local_end', /longer than a week/],
        [{ ...NINE, duration_minutes: 10_081 }, 'duration_minutes', /10080/],
        [{ ...NINE, duration_minutes: 0 }, 'duration_minutes', /1/],
        [{ ...NINE, duration_minutes: 5, local_end: '2026-11-30T10:00' }, 'duration_minutes', /together/],
        [{ ...NINE, time_zone: 'Mars/Olympus' }, 'time_zone', /time zone/],
        [{ ...NINE, id: 'mine' }, 'id', /an id/],
      ];
      for (const [body, field, message] of wrong) {
        const { status, body: said } = await user.call('POST', path, body);
        assert.deepEqual([status, said['field']], [422, field], JSON.stringify(body));
        assert.match(String(said['message']), message);
      }
      const late = await user.call('POST', `/tasks/${over}/blocks`, NINE);
      assert.deepEqual(
        [late.status, late.body['message']],
        [422, 'This task is complete. Reopen it to plan time for it.'],
      );
      assert.equal((await user.call('POST', `/tasks/${NO_ID}/blocks`, NINE)).status, 404);
      assert.equal((await user.call('PATCH', `${path}/x`, NINE)).status, 404);
      assert.deepEqual(await blocksOf(user, task), []);
      const register = Object.fromEntries(
        Array.from({ length: 49 }, (_, at) => [
          blockRegister(randomUUID()),
          { start: Date.UTC(2026, 10, 30, 0, at), minutes: 1, occ: 0 },
        ]),
      );
      const first = await plan(user, task, NINE);
      await user.server.services.exchange.carryOut(actorOf(user), randomUUID() as Id, {
        scopes: [user.scope],
        want: { rows: [], ancestors: [], siblings: [] },
        decide: () =>
          Object.entries(register).map(([field, value]) => ({
            scope: user.scope,
            action: { a: 'set', id: mineId(user.scope, task as Id), field, value } as const,
            u: randomUUID() as Id,
            x: randomUUID() as Id,
            g: randomUUID() as Id,
          })),
      });
      assert.equal((await blocksOf(user, task)).length, 50);
      const full = await user.call('POST', path, NINE);
      assert.match(String(full.body['message']), /50 time blocks/);
      assert.deepEqual(await plan(user, task, { id: first.id, ...NINE }), first);
      await user.call('DELETE', `${path}/${first.id}`);
      assert.equal((await user.call('POST', path, NINE)).status, 200);
    }));

  test('[CAL-91] in an encrypted account time can be planned and removed; reading it is refused with the reason', async () => {
    const { home, device, close } = await openHousehold();
    const task = await device.task({ title: 'Report', duration: 20 });
    await home.seal();
    const made = await home.ask<{ token: string }>('/app/api/tokens', { name: 'p', access: 'write' });
    const call = async (method: string, path: string, body?: unknown) => {
      const asked = { method, bearer: made.body.token, ...(body === undefined ? {} : { body }) };
      const response = await home.server.ask(path, asked);
      const said = (await response.json()) as Record<string, unknown>;
      checkShape(method, path, { status: response.status, body: said });
      return { status: response.status, body: said };
    };
    const path = `/tasks/${task}/blocks`;
    const vague = await call('POST', path, NINE);
    assert.deepEqual(
      [vague.status, vague.body['code'], vague.body['field']],
      [409, 'encrypted', 'duration_minutes'],
    );
    const planned = await call('POST', path, { ...NINE, duration_minutes: 25 });
    assert.equal(planned.status, 200, JSON.stringify(planned.body));
    const { id } = planned.body['block'] as ApiBlock;
    assert.ok(!JSON.stringify([...(await home.rows()).values()]).includes(String(Date.UTC(2026, 10, 30, 9))));
    const kept = (await home.opened()).get(mineId(home.scope, task));
    assert.deepEqual(kept?.[blockRegister(id)], { start: Date.UTC(2026, 10, 30, 9), minutes: 25, occ: 0 });
    const listed = await call('GET', path);
    assert.deepEqual([listed.status, listed.body['code']], [409, 'encrypted']);
    const vaguely = await call('PATCH', `${path}/${id}`, { local_start: '2026-12-01T09:00' });
    assert.deepEqual([vaguely.status, vaguely.body['code']], [409, 'encrypted']);
    const whole = { local_start: '2026-12-01T09:00', duration_minutes: 30, time_zone: null };
    assert.equal((await call('PATCH', `${path}/${id}`, whole)).status, 200);
    const moved = (await home.opened()).get(mineId(home.scope, task));
    assert.deepEqual(moved?.[blockRegister(id)], { start: Date.UTC(2026, 11, 1, 9), minutes: 30, occ: 0 });
    assert.equal((await call('DELETE', `${path}/${id}`)).status, 200);
    const row = (await home.rows()).get(mineId(home.scope, task));
    assert.ok(row !== undefined && registersOf(row)[blockRegister(id)] === undefined);
    await close();
  });
});

function actorOf({ account, scope }: ApiUser): AccountActor {
  const roles = new Map([[scope, 'owner'] as const]);
  return { type: 'account', account, session: scope, kind: 'web', personalScope: scope, roles };
}

describe('events in the API', () => {
  let far: CalendarServer;
  let server: TestServer;
  before(async () => {
    far = await startCalendarServer();
    server = await createTestServer({ environment: { CALENDAR_NETWORKS: '127.0.0.1/32' }, pushCa: far.ca });
  });
  after(async () => {
    await server.close();
    await far.close();
  });

  async function add(user: ApiUser, path: string, text: string): Promise<string> {
    const body = { address: far.file(path, text) };
    const answer = await server.ask('/app/api/calendars', { method: 'POST', cookie: user.cookie, body });
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { readonly made: string }).made;
  }

  async function events(user: ApiUser, query: string) {
    const body = await user.get(`/events?${query}`);
    return {
      titles: (body['events'] as readonly ApiEvent[]).map(({ title }) => title),
      events: body['events'] as readonly ApiEvent[],
      calendars: body['calendars'] as readonly ApiCalendar[],
      next: body['next_cursor'] as string | null,
    };
  }

  const standup = { uid: 'a', title: 'Stand-up', start: '20261121T090000Z', end: '20261121T091500Z' };
  const retreat = { uid: 'b', title: 'Retreat', start: '20261123', end: '20261125' };
  const night = { uid: 'c', title: 'Night', start: '20261121T233000Z', end: '20261122T003000Z' };

  test('[CAL-87] the events of days in a zone, with their calendars; of hidden calendars none, of others’ nothing', async () => {
    const ada = await enterApi(server, 'ada@events.example');
    const id = await add(ada, '/ada.ics', calendarFile([retreat, night, standup]));
    const found = await events(ada, 'from=2026-11-20&to=2026-11-25');
    assert.deepEqual(found.titles, ['Stand-up', 'Night', 'Retreat']);
    const [first, , last] = found.events;
    assert.deepEqual(first, {
      id: first?.id,
      calendar_id: id,
      title: 'Stand-up',
      starts_at: '2026-11-21T09:00:00.000Z',
      ends_at: '2026-11-21T09:15:00.000Z',
      is_all_day: false,
      timeless_starts_at: null,
      timeless_ends_at: null,
      location: '',
      description: '',
      url: null,
      is_busy: true,
      is_tentative: false,
    });
    assert.deepEqual(
      [last?.is_all_day, last?.starts_at, last?.timeless_starts_at, last?.timeless_ends_at],
      [true, null, '2026-11-23', '2026-11-24'],
    );
    const [calendar] = found.calendars;
    assert.deepEqual(
      [calendar?.id, calendar?.name, calendar?.is_hidden, calendar?.problem],
      [id, 'Work', false, null],
    );
    assert.deepEqual((await events(ada, 'from=2026-11-22')).titles, ['Night']);
    assert.deepEqual((await events(ada, 'from=2026-11-21&time_zone=Europe/Paris')).titles, ['Stand-up']);
    assert.deepEqual((await events(ada, 'from=2026-11-25')).titles, []);
    const ben = await enterApi(server, 'ben@events.example');
    const theirs = await events(ben, 'from=2026-11-20&to=2026-11-25');
    assert.deepEqual([theirs.titles, theirs.calendars], [[], []]);
    const hide = { isHidden: true };
    await server.ask(`/app/api/calendars/${id}`, { method: 'POST', cookie: ada.cookie, body: hide });
    const hidden = await events(ada, 'from=2026-11-20&to=2026-11-25');
    assert.deepEqual([hidden.titles, hidden.calendars[0]?.is_hidden], [[], true]);
  });

  test('[CAL-87] pages come one after the other, and what can’t be asked for is refused with its field', async () => {
    const user = await enterApi(server, 'pages@events.example');
    const many = Array.from({ length: 7 }, (_, at) => ({ ...standup, uid: `same ${at}`, title: `${at}` }));
    await add(user, '/pages.ics', calendarFile([...many, night]));
    const titles: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 3; pages += 1) {
      const page = await events(user, `from=2026-11-21&to=2026-11-22&limit=3&cursor=${cursor}`);
      titles.push(...page.titles);
      cursor = page.next ?? '';
    }
    assert.equal(cursor, '');
    assert.deepEqual(titles.toSorted(), [...many.map(({ title }) => title), 'Night']);
    assert.equal(titles.at(-1), 'Night');
    const wrong: readonly (readonly [query: string, field: string])[] = [
      ['', 'from'],
      ['from=today', 'from'],
      ['from=2026-11-21&to=2026-11-20', 'to'],
      ['from=2026-11-21&to=2028-11-20', 'to'],
      ['from=2026-11-21&time_zone=Mars/Olympus', 'time_zone'],
      ['from=2026-11-21&limit=0', 'limit'],
      ['from=2026-11-21&cursor=x', 'cursor'],
    ];
    for (const [query, field] of wrong) {
      const { status, body } = await user.call('GET', `/events?${query}`);
      assert.deepEqual([status, body['field']], [422, field], query);
    }
  });
});
