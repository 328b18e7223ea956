// Requests that nobody would send on purpose, from a seed: right fields with wrong values, wrong fields, broken JSON, ids of
// everything and of nothing. What they have in common: none of them may ever be answered with a failure of the server.
import { endpoints, type Endpoint } from '#wire/api/endpoints.ts';
import { SeededRandom } from '../simulator/random.ts';
import { createTestServer } from './harness.ts';
import { checkShape, enterApi, type ApiUser } from './api-world.ts';

const TEXTS = [
  '',
  ' ',
  'x',
  'Water the plants',
  '\u0000',
  '\ud800',
  'a\r\nb',
  '🌱'.repeat(40),
  'é'.repeat(5_000),
  '2026-11-27',
  '2026-11-27T17:00:00Z',
  '2026-11-27T17:00',
  '9999-12-31T23:59:59.999-18:00',
  '1900-01-01T00:00:00+18:00',
  '0001-01-01T00:00:00Z',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '#3366ff',
  'list',
  'folder',
  'smart',
  'inbox',
  'start',
  'end',
  'weeks',
  'nth-weekday',
  'due date',
  'completion',
  'is:due (label:work OR -has:notes',
  'due:"next week" sort:due-date limit:3',
  '0.a',
  '.B1V',
  '.',
  '0',
  '0.'.padEnd(4_000, 'Z'),
  'Z'.repeat(500),
  'zzz.zz.z',
  'NaN',
  '-Infinity',
  '1e400',
  '__proto__',
  "'; DROP TABLE entity; --",
  '%00%ff',
  '../../etc/passwd',
] as const;
const NUMBERS = [
  0,
  1,
  -1,
  1.5,
  1e21,
  -0,
  2 ** 53,
  -(2 ** 53),
  5_256_000,
  5_256_001,
  1e-9,
  999,
  250,
  1_000,
  5,
  7,
  8,
  0.5,
  1e308,
  -1e308,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
] as const;
const PLACES = ['order_index', 'ordinal', 'indent_level', 'location', 'list_id', 'parent_id'] as const;
const shapeOf = (schema: Endpoint['body']) =>
  (schema?._zod.def as { shape?: object } | undefined)?.shape ?? {};
const KEYS = [
  ...new Set(
    (Object.values(endpoints) as Endpoint[]).flatMap(({ body, query }) =>
      [body, query].flatMap((schema) => Object.keys(shapeOf(schema))),
    ),
  ),
  'is_due_at_timeless',
  'updated_at',
  '__proto__',
  'constructor',
  '',
];

class Bodies {
  readonly #random: SeededRandom;
  readonly ids: string[];

  constructor(random: SeededRandom, ids: readonly string[]) {
    this.#random = random;
    this.ids = [...ids];
  }

  pick<T>(items: readonly T[]): T {
    return this.#random.pick(items);
  }

  chance(share: number): boolean {
    return this.#random.chance(share);
  }

  value(depth = 0): unknown {
    const kind = this.#random.fraction();
    if (kind < 0.4) return this.pick(TEXTS);
    if (kind < 0.55) return this.pick(this.ids);
    if (kind < 0.68) return this.pick(NUMBERS);
    if (kind < 0.78) return this.pick([null, true, false]);
    if (depth > 3) return [];
    if (kind < 0.9) return Array.from({ length: this.#random.below(4) }, () => this.value(depth + 1));
    return this.object(depth + 1);
  }

  object(depth = 0): Record<string, unknown> {
    const entries = Array.from({ length: this.#random.below(6) }, (): [string, unknown] => [
      this.pick(KEYS),
      this.value(depth),
    ]);
    return Object.fromEntries(entries);
  }

  /** Of what the call takes, some right and some not. */
  body(endpoint: Endpoint): unknown {
    if (this.chance(0.03)) return this.value();
    const body = this.object();
    if (this.chance(0.7)) body['title'] = this.pick(['a', 'b', 'c']);
    if (this.chance(0.7)) body['name'] = this.pick(['a', 'b', 'c']);
    // Of something that is there, mostly of another kind.
    if ('id' in shapeOf(endpoint.body) && this.chance(0.1)) body['id'] = this.pick(this.ids);
    if (this.chance(0.4)) this.placed(body);
    if (endpoint === endpoints.updateItems && this.chance(0.9))
      body['update_bodies'] = Array.from({ length: this.#random.below(4) }, () => ({
        todo_item_id: this.pick(this.ids),
        update_body: this.placed(this.object(1)),
      }));
    if (endpoint === endpoints.createItems && this.chance(0.9))
      body['create_bodies'] = Array.from({ length: this.#random.below(4) }, () => ({
        ...this.placed(this.object(1)),
        title: this.pick(TEXTS),
      }));
    return body;
  }

  /** With a place that is asked for, sensible or not. */
  placed(body: Record<string, unknown>): Record<string, unknown> {
    for (const name of PLACES) {
      if (!this.chance(0.25)) continue;
      if (name.endsWith('_id')) body[name] = this.pick([null, ...this.ids]);
      else if (name === 'location') body[name] = this.pick(['start', 'end', null]);
      else if (name === 'ordinal') body[name] = this.pick(['0', '1', '.B1V', '0.B1', '0.B20B1V', 'Z', '0.0']);
      else body[name] = this.pick(name === 'indent_level' ? [0, 1, 2, 1_000] : NUMBERS);
    }
    return body;
  }

  query(): string {
    const entries = Object.entries(this.object()).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return new URLSearchParams(entries.map(([key, value]) => [key, value.toWellFormed()])).toString();
  }
}

const BROKEN = [
  '{',
  '[]]',
  'null',
  '"text"',
  '{"title":',
  '\u0000',
  '[[[[[[[[[[[[',
  '{"a":1e999}',
  '{"title":"\\ud800"}',
];

export interface Fuzzed {
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
}

async function prepare(user: ApiUser): Promise<string[]> {
  const list = await user.list({ name: 'Plans' });
  const folder = await user.list({ name: 'Folder', list_type: 'folder' });
  const smart = await user.list({ name: 'Soon', list_type: 'smart', smart_list_query: 'has:due' });
  const label = await user.label({ name: 'Work' });
  const tasks: string[] = [];
  for (const parent of [null, 0, 1, null]) {
    const above = parent === null ? {} : { parent_id: tasks[parent] };
    tasks.push((await user.task({ title: 'x', ...above })).id);
  }
  const [inbox] = await user.lists();
  const foreign = await (await enterApi(user.server, 'eve@example.org')).task({ title: 'x' });
  const unknown = '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77';
  return [
    list.id,
    folder.id,
    smart.id,
    label.id,
    ...tasks,
    inbox!.id,
    foreign.id,
    foreign.list_id,
    unknown,
    user.scope,
  ];
}

/** An account that no app has opened: it has nothing at all, not even an Inbox of its own. */
async function prepareNothing(user: ApiUser): Promise<string[]> {
  const foreign = await (await enterApi(user.server, 'eve@example.org')).task({ title: 'x' });
  return [foreign.id, foreign.list_id, '0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77', user.scope];
}

/** Requests to one server: what they make adds up, and is not what is looked at here. */
const PER_SERVER = 500;

/** Sends so many requests and looks at every answer. Throws, with the request, at the first failure of the server. */
export async function fuzz(seed: number, requests: number): Promise<Fuzzed> {
  const statuses = new Map<number, number>();
  const random = new SeededRandom(seed);
  for (let sent = 0; sent < requests; sent += PER_SERVER) {
    const server = await createTestServer();
    try {
      const user = await enterApi(server);
      const isFresh = (sent / PER_SERVER) % 2 === 1;
      const bodies = new Bodies(random.fork(), await (isFresh ? prepareNothing : prepare)(user));
      for (let count = 0; count < Math.min(PER_SERVER, requests - sent); count += 1) {
        const status = await sendOne(user, bodies, count % 8 === 0).catch((error: unknown) => {
          throw new Error(`Seed ${seed}, request ${sent + count}`, { cause: error });
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    } finally {
      await server.close();
    }
  }
  return { requests, statuses };
}

const table = (Object.values(endpoints) as Endpoint[]).filter(({ path }) => !path.startsWith('/sessions'));
const ofSite = table.filter(({ isSite }) => isSite === true);
const ofPrograms = table.filter(({ isSite }) => isSite !== true);

async function sendOne(user: ApiUser, bodies: Bodies, isChecked: boolean): Promise<number> {
  const endpoint = bodies.pick(bodies.chance(0.1) ? ofSite : ofPrograms);
  const id = bodies.chance(0.1) ? 'no id' : bodies.pick(bodies.ids);
  const path = endpoint.path.replace(/:\w+/, encodeURIComponent(id));
  const query = endpoint.query === undefined && !bodies.chance(0.02) ? '' : `?${bodies.query()}`;
  const raw = bodies.chance(0.02) ? bodies.pick(BROKEN) : JSON.stringify(bodies.body(endpoint));
  const { server, token } = user;
  const send = endpoint.method === 'GET' ? {} : { raw };
  const response = await server.ask(`${path}${query}`, { method: endpoint.method, bearer: token, ...send });
  const text = await response.text();
  const { status } = response;
  if (status >= 500)
    throw new Error(
      `${endpoint.method} ${path}${query} ${raw.slice(0, 2_000)} → ${status} ${text.slice(0, 500)}`,
    );
  const answer = JSON.parse(text) as Record<string, unknown>;
  if (isChecked) checkShape(endpoint.method, path, { status, body: answer });
  const made = (answer['task'] ?? answer['list'] ?? answer['label']) as { id: string } | undefined;
  if (endpoint.method === 'POST' && made && bodies.ids.length < 60) bodies.ids.push(made.id);
  return status;
}
