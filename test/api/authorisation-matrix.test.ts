// Every route and every kind of operation, as every actor, against the table in expected-access.ts. The entries come from
// the server's own route table and from the wire schema of operations, so that a new one without a row fails.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { fixedRegisters, type EntityType } from '#core/model.ts';
import { operationSchema } from '#wire/sync.ts';
import { entityTypeSchema } from '#wire/values.ts';
import { authorise, type AccountActor, type SessionKind } from '#server/access/authorise.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { asRow, type Row } from '#sync/rows/row.ts';
import {
  actors,
  expectedOperations,
  expectedRoutes,
  refusedRegisters,
  type ActorName,
} from './expected-access.ts';
import { Person } from '../sharing.ts';
import { createTestServer, type Ask, type TestServer } from './harness.ts';

const DAY = 86_400_000;

/** Every route there can be: of a server with billing, too. Nothing here asks Stripe. */
const environment = {
  BILLING: 'on',
  STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
  STRIPE_WEBHOOK_SECRET: 'whsec_test',
  STRIPE_URL: 'http://127.0.0.1:9',
};

/** One server with an owner, and whatever each actor comes with. */
async function createStage() {
  const server = await createTestServer({ environment });
  const { sessions, accounts } = server.services;
  const expired = await server.signUp('expired@example.org');
  const expiredApi = await sessions.open({ account: expired.account, kind: 'api', userAgent: '' });
  server.clock.pass(400 * DAY);
  const owner = await server.signUp('owner@example.org');
  const stranger = await server.signUp('stranger@example.org');
  const disabled = await server.signUp('disabled@example.org');
  const disabledApi = await sessions.open({ account: disabled.account, kind: 'api', userAgent: '' });
  await accounts.setDisabled((await accounts.byId(disabled.account))!, true);
  const ofOwner = (kind: SessionKind) => sessions.open({ account: owner.account, kind, userAgent: '' });
  const revoked = await ofOwner('web');
  const revokedApi = await ofOwner('api');
  await sessions.revoke([revoked.session.id, revokedApi.session.id]);
  const api = await ofOwner('api');
  const reading = await sessions.open({
    account: owner.account,
    kind: 'api',
    userAgent: '',
    access: 'read',
  });
  const device = await ofOwner('device');
  const victim = await ofOwner('web');
  const cookie = (token: string) => `posthaste-session=${token}`;
  // Wrong kinds are tried in both carriers; the rest in the one they would come in.
  const credentials: Readonly<Record<ActorName, Ask>> = {
    anonymous: {},
    owner: { cookie: owner.cookie, bearer: owner.cookie.split('=')[1] ?? '' },
    stranger: { cookie: stranger.cookie },
    'revoked session': { cookie: cookie(revoked.token), bearer: revokedApi.token },
    'expired session': { cookie: expired.cookie, bearer: expiredApi.token },
    'api token': { cookie: cookie(api.token), bearer: api.token },
    'reading api token': { cookie: cookie(reading.token), bearer: reading.token },
    'device token': { cookie: cookie(device.token), bearer: device.token },
    'disabled account': { cookie: disabled.cookie, bearer: disabledApi.token },
  };
  const params: Readonly<Record<string, string>> = {
    ':id': victim.session.id,
    ':scope': owner.personalScope,
    ':push': await subscribe(server, owner.cookie),
    ':list': await new Person(server, owner).list('Trip'),
    ':account': String(stranger.account),
    ':link': victim.session.id,
    '*': 'somewhere',
  };
  return { server, credentials, params };
}

/** A browser of the owner's that reminders go to. */
async function subscribe(server: TestServer, cookie: string): Promise<string> {
  const body = {
    endpoint: 'https://push.example.org/somewhere',
    p256dh: Buffer.alloc(65, 4).toString('base64url'),
    auth: Buffer.alloc(16, 1).toString('base64url'),
    zone: 'UTC',
    titles: true,
  };
  const answer = await server.ask('/app/api/push', { method: 'POST', cookie, body });
  return ((await answer.json()) as { id: string }).id;
}

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

describe('the matrix of routes', () => {
  let routes: TestServer['services']['routes'] = [];
  before(async () => {
    const server = await createTestServer({ environment });
    routes = server.services.routes;
    await server.close();
  });

  test('has a row for every route, and no row for anything else', () => {
    assert.deepEqual(routes.map(keyOf).toSorted(), Object.keys(expectedRoutes).toSorted());
  });

  for (const actor of actors) {
    test(`as ${actor}`, async () => {
      const problems: string[] = [];
      for (const route of routes) {
        const expected = expectedRoutes[keyOf(route)]?.[actor];
        // A stage of its own for what succeeds: some routes end sessions. A refusal leaves the shared one as it was.
        const changes = route.method !== 'GET' && (expected === undefined || expected < 400);
        const { server, credentials, params } = await stageFor(changes);
        const path = route.path.replace(/:\w+|\*/g, (name) => params[name] ?? name);
        const ask = { method: route.method, address: '203.0.113.5', ...credentials[actor] };
        const { status } = await server.ask(path, ask);
        if (status !== expected) problems.push(`${keyOf(route)}: ${status} instead of ${expected}`);
        if (changes) await server.close();
      }
      assert.deepEqual(problems, []);
    });
  }

  let shared: Awaited<ReturnType<typeof createStage>> | undefined;
  async function stageFor(changes: boolean) {
    if (changes) return createStage();
    return (shared ??= await createStage());
  }
  after(() => shared?.server.close());
});

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as Id;
const PERSONAL = id(1);
const SHARED = id(2);
const TARGET = id(3);

const owner: AccountActor = {
  type: 'account',
  account: 1,
  session: id(9),
  kind: 'web',
  personalScope: PERSONAL,
  roles: new Map([[PERSONAL, 'owner']]),
};
const member: AccountActor = {
  ...owner,
  account: 2,
  personalScope: id(4),
  roles: new Map([
    [SHARED, 'member'],
    [id(4), 'owner'],
  ]),
};
const stranger: AccountActor = {
  ...owner,
  account: 3,
  personalScope: id(5),
  roles: new Map([[id(5), 'owner']]),
};

const ACTIONS = operationSchema._zod.def.options.map(
  (option) => [...option._zod.def.shape.a._zod.values][0] as Operation['a'],
);
const TYPES = Object.values(entityTypeSchema._zod.def.entries) as EntityType[];

function operationOf(action: Operation['a'], type: EntityType, scope: Id): Operation {
  const head = { q: 1, u: id(100), scope, t: 0, b: 0, id: TARGET };
  switch (action) {
    case 'create':
      return { ...head, a: action, type, fields: {} };
    case 'set':
      return { ...head, a: action, field: 'name', value: 'x' };
    case 'note':
      return { ...head, a: action, seed: id(101), update: '', text: '' };
    case 'place':
      return { ...head, a: action, place: { parent: scope } };
    case 'complete':
      return { ...head, a: action, occ: 0, at: 0, next: null };
    case 'reopen':
      return { ...head, a: action, occ: 0, previous: null };
    case 'reoffer':
      return { ...head, a: action, type, fields: {}, at: 0, times: {}, createdAt: 0 };
    case 'delete':
    case 'restore':
      return { ...head, a: action };
  }
}

const rowOf = (type: EntityType, scope: Id): Row =>
  asRow({
    id: TARGET,
    type,
    scope,
    version: 1,
    fields: {
      place: { parent: scope, key: 'a0' },
      ...(type === 'comment' ? { author: owner.account } : {}),
    },
    stamp: [1, 0, 1, 1],
    createdAt: 0,
    updatedAt: 0,
  });

function verdict(actor: AccountActor, operation: Operation, row: Row | undefined): string {
  const decision = authorise(actor, { type: 'operation', operation, row });
  return decision.allowed ? 'allowed' : decision.as;
}

describe('the matrix of operations', () => {
  const keys = ACTIONS.flatMap((action) => TYPES.map((type) => `${action} ${type}`));

  test('has a row for every action on every type, and no other', () => {
    assert.equal(ACTIONS.length, 9);
    assert.deepEqual(keys.toSorted(), Object.keys(expectedOperations).toSorted());
  });

  for (const action of ACTIONS) {
    for (const type of TYPES) {
      test(`${action} ${type}`, () => {
        const inScope = (actor: AccountActor, scope: Id) =>
          verdict(
            actor,
            operationOf(action, type, scope),
            action === 'create' ? undefined : rowOf(type, scope),
          );
        const found = [inScope(owner, PERSONAL), inScope(member, SHARED), inScope(stranger, PERSONAL)];
        assert.deepEqual(found, expectedOperations[`${action} ${type}`]);
      });
    }
  }

  test('registers that nobody writes are refused one by one, and only they', () => {
    assert.deepEqual(Object.keys(refusedRegisters).toSorted(), TYPES.toSorted());
    // Of these two nothing at all is written this way.
    for (const type of TYPES.filter((name) => name !== 'completion' && name !== 'member')) {
      const names = new Set([
        ...Object.values(refusedRegisters).flat(),
        ...fixedRegisters[type],
        'name',
        'notes',
        'due',
        'label:x',
      ]);
      const refused = [...names].filter((field) => {
        const operation: Operation = {
          ...operationOf('set', type, PERSONAL),
          a: 'set',
          field,
          value: null,
        } as Operation;
        return verdict(owner, operation, rowOf(type, PERSONAL)) !== 'allowed';
      });
      assert.deepEqual(refused.toSorted(), [...(refusedRegisters[type] ?? [])].toSorted(), type);
    }
  });
});
