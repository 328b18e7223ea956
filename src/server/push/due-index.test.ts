// The due index under random histories: whatever is written, looked at and retried in whatever order, by one process or two,
// no browser hears of one ring twice, and none that is due and not over is forgotten.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Id } from '#core/ids.ts';
import { type Ring, ringsOf } from '#core/reminders.ts';
import { asRow } from '#sync/rows/row.ts';
import { openDatabase } from '../data/database.ts';
import { createDeliveries } from './deliveries.ts';
import { createDueIndex } from './due-index.ts';
import type { Reckoning } from './reckoning.ts';
import type { Sent } from './sender.ts';
import type { Subscription } from './subscriptions.ts';

const SCOPE = '0193b3a0-0000-7000-8000-000000000001' as Id;
const TASK = '0193b3a0-0000-7000-8000-000000000002' as Id;
const BROWSERS = ['3', '4'].map((end) => `0193b3a0-0000-7000-8000-00000000000${end}` as Id);
const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 27, 9);

type Step =
  | { readonly type: 'pass'; readonly minutes: number }
  | { readonly type: 'due'; readonly minutes: number }
  | { readonly type: 'snooze'; readonly minutes: number }
  | { readonly type: 'dismiss' | 'complete' | 'look' | 'send' | 'both' | 'busy' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ type: fc.constant('due' as const), minutes: fc.integer({ min: -30, max: 120 }) }),
  fc.record({ type: fc.constant('snooze' as const), minutes: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ type: fc.constantFrom('dismiss', 'complete', 'look', 'send', 'both', 'busy' as const) }),
);

/** One task with two reminders, as the rows of it would stand. */
class World {
  now = START;
  due = START + 60 * MINUTE;
  dueAt = START;
  snooze: number | null = null;
  reminded = 0;
  isDone = false;
  readonly sent: string[] = [];
  /** What the service answers next, else that it took it. */
  next: Sent[] = [];

  get rings(): readonly Ring[] {
    const task = {
      fields: {
        place: { parent: SCOPE, key: 'a0' },
        due: { at: this.due, zone: 'UTC' },
        ...(this.isDone ? { status: { done: 1 } } : {}),
      },
      stamp: [1, this.dueAt] as const,
    };
    const mine = {
      fields: {
        of: TASK,
        'remind:before-0': { before: 0 },
        'remind:before-20': { before: 20 },
        reminded: this.reminded,
        ...(this.snooze === null ? {} : { snooze: { at: this.snooze, zone: 'UTC' } }),
      },
      stamp: [1, START] as const,
    };
    return ringsOf(task, mine, { zone: 'UTC', dayMinute: 540, wakeMinute: 0 });
  }

  write({ type, ...of }: Step): void {
    if (type === 'due') {
      this.due = this.now + ('minutes' in of ? of.minutes : 0) * MINUTE;
      this.dueAt = this.now;
    } else if (type === 'snooze') this.snooze = this.now + ('minutes' in of ? of.minutes : 0) * MINUTE;
    else if (type === 'dismiss') this.reminded = this.now;
    else if (type === 'complete') this.isDone = !this.isDone;
  }
}

async function play(steps: readonly Step[]): Promise<World> {
  const world = new World();
  const database = await openDatabase({ dataDir: ':memory:' });
  const { db, store } = database;
  await store.createScope({ id: SCOPE, kind: 'personal', owner: 7 });
  const browsers = BROWSERS.map((id): Subscription => ({
    id,
    account: 7,
    session: id,
    endpoint: `https://push.example.org/${id}`,
    p256dh: '',
    auth: '',
    zone: 'UTC',
    titles: 1,
    created_at: START,
    seen_at: START,
  }));
  const task = asRow({
    id: TASK,
    type: 'task',
    scope: SCOPE,
    version: 1,
    fields: {},
    stamp: [1, 1, 1, 1],
    createdAt: 0,
    updatedAt: 0,
  });
  const reckoning: Reckoning = {
    of: async () => ({
      rings: world.rings,
      task,
      isOver: false,
      context: { zone: 'UTC', dayMinute: 540, wakeMinute: 0, blocks: null },
    }),
  };
  const subscriptions = {
    of: async () => browsers,
    find: async (id: Id) => browsers.find((browser) => browser.id === id),
    remove: async () => undefined,
  };
  const sender = {
    send: async (to: { readonly endpoint: string }, { payload }: { readonly payload: string }) => {
      const outcome = world.next.shift() ?? { type: 'sent' };
      const { type, at } = JSON.parse(payload) as { readonly type: string; readonly at?: number };
      if (outcome.type === 'sent' && type === 'ring') {
        const ring = world.rings.find(({ moment }) => moment === at);
        assert.ok(ring && ring.at <= world.now, 'what is sent rings now');
        world.sent.push(`${to.endpoint} ${at} ${ring.at}`);
      }
      return outcome;
    },
  };
  const notices = { message: async () => null };
  const ports = { db, reckoning, notices, subscriptions, sender, origin: null, now: () => world.now };
  const [one, two] = [createDueIndex(ports), createDueIndex(ports)];
  const [first, second] = [createDeliveries(ports), createDeliveries(ports)];
  const mark = (revision: number) =>
    db
      .insertInto('reminder_due')
      .values({ scope: SCOPE, task: TASK, next_at: 0, revision })
      .onConflict((conflict) => conflict.columns(['scope', 'task']).doUpdateSet({ next_at: 0, revision }))
      .execute();
  await mark(0);
  for (const [index, each] of steps.entries()) {
    if (each.type === 'pass') world.now += each.minutes * MINUTE;
    else if (each.type === 'look') await one.look(world.now);
    else if (each.type === 'send') await first.send();
    else if (each.type === 'busy') world.next.push({ type: 'later', status: 503, afterMs: 0 });
    else if (each.type === 'both') {
      await Promise.all([one.look(world.now), two.look(world.now)]);
      await Promise.all([first.send(), second.send()]);
    } else {
      world.write(each);
      await mark(index + 1);
    }
  }
  // In the end everybody is heard: busy services have come back.
  world.next = [];
  for (let times = 0; times < 3; times += 1) {
    await one.look(world.now);
    while ((await first.send()) > 0);
    if (times === 0) await mark(steps.length + 1);
  }
  const last = world.rings.filter(({ at }) => at <= world.now).at(-1);
  const waiting = await db
    .selectFrom('push_delivery')
    .select('moment')
    .where('state', '=', 'waiting')
    .execute();
  if (last !== undefined && waiting.length === 0)
    for (const { endpoint } of browsers)
      assert.ok(
        world.sent.some((entry) => entry.startsWith(`${endpoint} ${last.moment} `)),
        'what rings was told',
      );
  await database.close();
  return world;
}

describe('the due index', () => {
  test('[REM-21] in whatever order things happen, a ring is sent to a browser once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { sent } = await play(steps);
        assert.deepEqual(sent, [...new Set(sent)]);
      }),
      { numRuns: 60, seed: 21 },
    );
  });
});
