// Messages that no honest program sends. Whatever comes in, the exchange answers with a typed error or with verdicts; it
// never throws, a refused message changes nothing, and nobody reaches what is somebody else's.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createIdSource, inboxId, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { protocolVersion } from '#wire/version.ts';
import { syncErrorCodes, syncResponseSchema, verdictSchema, type SyncRequest } from '#wire/sync.ts';
import type { AccountActor } from '#server/access/authorise.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { createExchange, type Exchange } from '#server/sync/exchange.ts';
import { SeededRandom } from './random.ts';

const MESSAGES = 30_000;
const NOW = Date.UTC(2026, 2, 1);

type Json = unknown;
type Part = Record<string, Json>;

const poison: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '\u0000',
  '\uD800',
  'a'.repeat(5_000),
  '💥',
  "'; DROP TABLE entity; --",
];

function deep(levels: number): Json {
  let value: Json = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const depths = [3, 31, 33, 400].map(deep);

class Attacker {
  readonly random: SeededRandom;
  readonly newId: () => Id;
  private readonly own: Id;
  private readonly foreign: Id;
  private readonly victims: readonly Id[];
  private readonly made: Id[] = [];

  constructor(random: SeededRandom, own: Id, foreign: Id, victims: readonly Id[]) {
    this.random = random;
    this.newId = createIdSource({ now: () => NOW, random: (bytes) => random.fill(bytes) });
    this.own = own;
    this.foreign = foreign;
    this.victims = victims;
  }

  request(): Json {
    const { random } = this;
    const count = random.chance(0.0005) ? 1_001 : random.chance(0.1) ? 0 : random.between(1, 3);
    let q = random.chance(0.2) ? random.below(3) : random.between(1, 1_000_000);
    const ops = Array.from({ length: count }, () => {
      q += random.chance(0.95) ? random.between(1, 3) : random.between(-5, 0);
      return this.operation(q);
    });
    const request: Part = {
      schema: random.chance(0.95) ? protocolVersion : random.pick([0, 1, protocolVersion + 1, 1e9, '1']),
      device: random.chance(0.3) ? this.newId() : random.pick([this.own, ...this.victims]),
      clientNow: random.chance(0.9) ? NOW : this.number(),
      ops,
      ack: random.chance(0.8) ? 0 : random.chance(0.5) ? random.below(10) : this.number(),
      maxRows: random.chance(0.98) ? 1 : this.number(),
      cursors: random.chance(0.7)
        ? {}
        : {
            [String(this.id())]: {
              generation: random.pick(['first', 'none', ...poison]),
              version: this.number(),
            },
          },
    };
    if (random.chance(0.1)) request[random.pick(poison)] = this.value();
    return random.chance(0.3) ? this.mutate(request) : request;
  }

  private operation(q: number): Json {
    const { random } = this;
    const head: Part = {
      q,
      u: random.chance(0.97) ? this.newId() : this.id(),
      scope: random.chance(0.75) ? this.own : this.id(),
      t: random.chance(0.9) ? NOW : this.number(),
      b: random.chance(0.7) ? 0 : this.number(),
    };
    if (random.chance(0.2)) head['x'] = this.id();
    const operation = { ...head, ...this.action() };
    return random.chance(0.25) ? this.mutate(operation) : operation;
  }

  private action(): Part {
    const { random } = this;
    switch (random.below(10)) {
      case 0:
      case 1:
        return {
          a: 'create',
          id: this.remember(this.id()),
          type: random.pick([
            'task',
            'list',
            'label',
            'labelGroup',
            'mine',
            'completion',
            'attachment',
            'setting',
          ]),
          fields: this.fields(),
          place: this.place(),
        };
      case 2:
        return {
          a: 'set',
          id: this.id(),
          field: random.pick([
            'title',
            'notes',
            'due',
            'status',
            'place',
            'occ',
            'del',
            'mailAddress',
            `label:${String(this.id())}`,
            'meta:__proto__',
            ...poison,
          ]),
          value: this.value(),
        };
      case 3:
        return { a: 'place', id: this.id(), place: this.place(), only: this.number() };
      case 4:
        return { a: random.pick(['delete', 'restore']), id: this.id() };
      case 5:
        return {
          a: 'complete',
          id: this.id(),
          occ: this.number(),
          at: this.number(),
          next: random.pick([null, { due: this.value(), start: null }]),
        };
      case 6:
        return {
          a: 'reopen',
          id: this.id(),
          occ: this.number(),
          previous: random.pick([null, { due: null, start: this.value() }]),
        };
      case 7:
      case 8:
        return {
          a: 'reoffer',
          id: this.remember(this.id()),
          type: random.pick(['task', 'list', 'label', 'mine', 'completion', 'setting']),
          fields: this.fields(),
          place: this.place(),
          at: random.chance(0.8) ? NOW : this.number(),
          times: random.chance(0.5) ? {} : this.fields(),
          createdAt: random.chance(0.8) ? NOW : this.number(),
        };
      default:
        return { a: random.pick(['erase', 'adopt', '__proto__', 7]), id: this.id() };
    }
  }

  private fields(): Part {
    const { random } = this;
    const fields: Part = {};
    for (let count = random.below(4); count > 0; count -= 1) {
      fields[
        random.pick([
          'title',
          'notes',
          'name',
          'key',
          'of',
          'listType',
          'value',
          'occ',
          'del',
          'task',
          'meta:a',
          ...poison,
        ])
      ] = this.value();
    }
    return fields;
  }

  private place(): Json {
    const { random } = this;
    const roots = [
      inboxId(this.own),
      listsRoot(this.own),
      labelsRoot(this.own),
      inboxId(this.foreign),
      listsRoot(this.foreign),
    ];
    const place: Part = { parent: random.chance(0.6) ? random.pick(roots) : this.id() };
    if (random.chance(0.4)) place['after'] = this.id();
    if (random.chance(0.4)) place['before'] = this.id();
    if (random.chance(0.1)) place[random.pick(['key', 'at', ...poison])] = this.value();
    return place;
  }

  private id(): Json {
    const { random } = this;
    if (random.chance(0.3) && this.made.length > 0) return random.pick(this.made);
    return random.pick<Json>([
      this.newId(),
      this.own,
      this.foreign,
      inboxId(this.own),
      ...this.victims,
      this.newId().toUpperCase(),
      ...poison.slice(0, 4),
      7,
      null,
    ]);
  }

  private remember(id: Json): Json {
    if (typeof id === 'string') this.made[this.random.below(20)] = id as Id;
    return id;
  }

  private number(): Json {
    return this.random.pick<Json>([
      0,
      1,
      -1,
      3,
      2 ** 31,
      2 ** 53 - 1,
      2 ** 53,
      -(2 ** 53),
      8.64e15,
      -8.64e15,
      1e308,
      0.5,
      '1',
      null,
      NaN,
      Infinity,
    ]);
  }

  private value(): Json {
    const { random } = this;
    return random.pick<Json>([
      null,
      true,
      'text',
      this.number(),
      [],
      {},
      { at: 1 },
      { on: '2026-02-30' },
      { on: '2026-02-28' },
      { done: 1 },
      { done: 1, cleared: 'x' },
      random.pick(poison),
      random.pick(depths),
      JSON.parse('{"__proto__":{"isAdmin":true}}') as Json,
    ]);
  }

  /** One part of a message, somewhere, becomes something else. */
  private mutate(message: Part): Json {
    const { random } = this;
    if (random.chance(0.1)) return this.value();
    const mutated = { ...message };
    const name = random.pick(Object.keys(mutated));
    if (random.chance(0.3)) delete mutated[name];
    else mutated[name] = this.value();
    return mutated;
  }
}

interface Target {
  readonly database: Database;
  readonly exchange: Exchange;
  readonly actors: readonly [AccountActor, AccountActor];
}

async function createTarget(newId: () => Id): Promise<Target> {
  const database = await openDatabase({ dataDir: ':memory:' });
  const actors: AccountActor[] = [];
  for (const account of [1, 2]) {
    const personalScope = newId();
    await database.store.createScope({ id: personalScope, kind: 'personal', owner: account });
    actors.push({
      type: 'account',
      account,
      session: newId(),
      kind: 'web',
      personalScope,
      roles: new Map([[personalScope, 'owner']]),
    });
  }
  const exchange = createExchange({
    store: database.store,
    clock: { now: () => NOW, monotonic: () => 0 },
    generations: await database.store.openGeneration('first', NOW),
    publish: () => undefined,
    nextTurn: (work) => queueMicrotask(work),
  });
  return { database, exchange, actors: actors as [AccountActor, AccountActor] };
}

/** Everything that belongs to an account, and how far its scope has come. */
async function stateOf({ database }: Target, { personalScope }: AccountActor): Promise<string> {
  return JSON.stringify([
    await database.store.scope(personalScope),
    await database.store.snapshot(personalScope, null, 1_000_000),
  ]);
}

async function countDevices({ database }: Target): Promise<number> {
  return (await database.db.selectFrom('device').select('id').execute()).length;
}

async function settleIn({ exchange }: Target, actor: AccountActor, newId: () => Id): Promise<Id[]> {
  const scope = actor.personalScope;
  const device = newId();
  const task = newId();
  const head = (q: number): Part => ({ q, u: newId(), scope, t: NOW, b: 0 });
  const ops = [
    {
      ...head(1),
      a: 'create',
      id: inboxId(scope),
      type: 'list',
      fields: { listType: 'inbox' },
      place: { parent: listsRoot(scope) },
    },
    {
      ...head(2),
      a: 'create',
      id: task,
      type: 'task',
      fields: { title: 'mine alone' },
      place: { parent: inboxId(scope) },
    },
  ];
  const request: SyncRequest = { schema: protocolVersion, device, clientNow: NOW, ops, ack: 0, cursors: {} };
  const answer = await exchange.sync(actor, request);
  assert.ok(answer.ok);
  assert.deepEqual(
    answer.value.results.map(([, verdict]) => verdict),
    ['ok', 'ok'],
  );
  return [device, task];
}

/** What JSON can carry: the exchange never sees anything else. */
function asReceived(message: Json): Json {
  return JSON.parse(JSON.stringify(message) ?? 'null') as Json;
}

describe('hostile messages', () => {
  it(`[SYNC-26] ${MESSAGES} of them: an error or verdicts, nothing else`, async () => {
    const random = new SeededRandom(26);
    const newId = createIdSource({ now: () => NOW, random: (bytes) => random.fill(bytes) });
    const target = await createTarget(newId);
    const [attackerActor, victim] = target.actors;
    const victims = await settleIn(target, victim, newId);
    await settleIn(target, attackerActor, newId);
    const attacker = new Attacker(random, attackerActor.personalScope, victim.personalScope, victims);
    const before = await stateOf(target, victim);
    const counts = new Map<string, number>();
    for (let sent = 0; sent < MESSAGES; sent += 1) {
      const message = asReceived(attacker.request());
      // Looked at from time to time only: it is the costliest part.
      const isWatched = sent % 500 === 0;
      const own = isWatched ? await stateOf(target, attackerActor) : '';
      const answer = await target.exchange.sync(attackerActor, message);
      if (answer.ok) {
        for (const [, verdict] of answer.value.results) {
          assert.ok(verdictSchema.safeParse(verdict).success);
          counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
        }
        if (isWatched) assert.ok(syncResponseSchema.safeParse(asReceived(answer.value)).success);
      } else {
        assert.ok((syncErrorCodes as readonly string[]).includes(answer.problem.code), answer.problem.code);
        assert.ok(answer.problem.message.length > 0 && answer.problem.message.length < 500);
        counts.set(`error ${answer.problem.code}`, (counts.get(`error ${answer.problem.code}`) ?? 0) + 1);
        if (isWatched)
          assert.equal(await stateOf(target, attackerActor), own, 'a refused message changes nothing');
      }
      if (sent % 10_000 === 0)
        assert.equal(await stateOf(target, victim), before, `message ${sent} reached somebody else`);
    }
    assert.equal(await stateOf(target, victim), before);
    assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined);
    for (const outcome of [
      'ok',
      'superseded',
      'already',
      'exists',
      'gone',
      'badparent',
      'parked',
      'forbidden',
      'invalid',
      'error invalid',
      'error device_conflict',
      'error too_new',
    ]) {
      assert.ok((counts.get(outcome) ?? 0) > 0, `no message met with ${outcome}`);
    }
    await target.database.close();
  });

  it('[SYNC-26] refused before anything is written: no device, no row, no version', async () => {
    const random = new SeededRandom(27);
    const newId = createIdSource({ now: () => NOW, random: (bytes) => random.fill(bytes) });
    const target = await createTarget(newId);
    const [actor, other] = target.actors;
    const [foreignDevice] = await settleIn(target, other, newId);
    const state = async (): Promise<unknown> => [
      await stateOf(target, actor),
      await stateOf(target, other),
      await countDevices(target),
    ];
    const before = await state();
    const valid: SyncRequest = {
      schema: protocolVersion,
      device: newId(),
      clientNow: NOW,
      ops: [],
      ack: 0,
      cursors: {},
    };
    const refused: readonly [string, Json][] = [
      ['too many operations', { ...valid, ops: Array.from({ length: 1_001 }, (_, q) => ({ q })) }],
      ['numbers out of order', { ...valid, ops: [{ q: 2 }, { q: 1 }] }],
      ['a number twice', { ...valid, ops: [{ q: 1 }, { q: 1 }] }],
      ['no number', { ...valid, ops: [null] }],
      ['not an object', 7],
      ['something unknown', { ...valid, force: true }],
      ['a newer protocol', { ...valid, schema: protocolVersion + 1 }],
      [
        "somebody else's device",
        {
          ...valid,
          device: foreignDevice,
          ops: [{ q: 1, u: newId(), scope: actor.personalScope, t: NOW, b: 0, a: 'delete', id: newId() }],
        },
      ],
    ];
    for (const [name, message] of refused) {
      const answer = await target.exchange.sync(actor, asReceived(message));
      assert.equal(answer.ok, false, name);
      assert.deepEqual(await state(), before, name);
    }
    await target.database.close();
  });
});
