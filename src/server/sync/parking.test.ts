// What waits on a restored server for what it names: how much of it, and how long.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { createIdSource, inboxId } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { AccountActor } from '../access/authorise.ts';
import { createPace } from '../care/pace.ts';
import { forgetParked } from '../care/pruning.ts';
import { openDatabase } from '../data/database.ts';
import { createExchange } from './exchange.ts';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;
const newId = createIdSource({ now: () => NOW, random: (bytes) => randomFillSync(bytes) });

async function createHealing(context: TestContext) {
  const database = await openDatabase({ dataDir: ':memory:' });
  context.after(() => database.close());
  const { store, db } = database;
  const scope = newId();
  await store.createScope({ id: scope, kind: 'personal', owner: 7 });
  const actor: AccountActor = {
    type: 'account',
    account: 7,
    session: newId(),
    kind: 'web',
    personalScope: scope,
    roles: new Map([[scope, 'owner']]),
  };
  const exchange = createExchange({
    store,
    clock: { now: () => NOW, monotonic: () => 0 },
    generations: await store.openGeneration('now', 1),
    publish: () => undefined,
    nextTurn: (work) => setImmediate(work),
  });
  const device = newId();
  let q = 0;
  async function push(actions: readonly Action[], cursors = {}): Promise<readonly string[]> {
    const ops = actions.map((action) => ({ ...action, q: (q += 1), u: newId(), scope, t: NOW, b: 0 }));
    const answer = await exchange.sync(actor, { schema: 2, device, clientNow: NOW, ops, ack: 0, cursors });
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value.results.map(([, verdict]) => verdict);
  }
  await push([], { [scope]: { generation: 'lost', version: 5 } });
  const waiting = async () => (await db.selectFrom('parked').select('number').execute()).length;
  return { push, scope, db, waiting };
}

const rename = (value: string): Action => ({ a: 'set', id: newId(), field: 'title', value });

describe('what waits for a restored server', () => {
  it('is at most a thousand operations', async (t) => {
    const { push, waiting } = await createHealing(t);
    const verdicts = await push(Array.from({ length: 1_000 }, () => rename('x')));
    assert.ok(verdicts.every((verdict) => verdict === 'parked'));
    assert.deepEqual(await push([rename('one more')]), ['gone']);
    assert.equal(await waiting(), 1_000);
  });

  it('is small: all of it is read with every write', async (t) => {
    const { push, waiting } = await createHealing(t);
    const note = (length: number): Action => {
      const text = 'x'.repeat(length);
      return { a: 'note', id: newId(), seed: newId(), update: '', text };
    };
    assert.deepEqual(await push([note(200_000)]), ['gone'], 'one alone may not fill it');
    let parked = 0;
    for (let n = 0; n < 30; n += 1) if ((await push([note(90_000)]))[0] === 'parked') parked += 1;
    assert.equal(parked, 22);
    assert.deepEqual(await push([rename('small')]), ['parked']);
    assert.equal(await waiting(), 23);
  });

  it('makes room again when it was made', async (t) => {
    const { push, scope, waiting } = await createHealing(t);
    const lost = newId();
    await push(
      Array.from({ length: 1_000 }, () => ({ a: 'set', id: lost, field: 'title', value: 'x' }) as const),
    );
    const place = { parent: inboxId(scope) };
    const inbox: Action = {
      a: 'create',
      id: inboxId(scope),
      type: 'list',
      fields: { listType: 'inbox' },
      place: { parent: scope },
    };
    const back: Action = {
      a: 'reoffer',
      id: lost,
      type: 'task',
      fields: { title: 'lost' },
      place,
      at: 1,
      times: {},
      createdAt: 1,
    };
    assert.equal((await push([inbox, back])).at(-1), 'ok');
    assert.equal(await waiting(), 0);
    assert.deepEqual(await push([rename('again')]), ['parked']);
  });

  it('is forgotten after a month', async (t) => {
    const { push, db, waiting } = await createHealing(t);
    await push([rename('x'), rename('y')]);
    const pace = createPace((work) => setImmediate(work));
    assert.equal(await forgetParked({ db, pace, now: NOW + 30 * DAY }), 0);
    assert.equal(await forgetParked({ db, pace, now: NOW + 30 * DAY + 1 }), 2);
    assert.equal(await waiting(), 0);
  });
});
