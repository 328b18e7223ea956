// What a connection is told, message by message, without sockets.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { LiveMessage } from '#wire/live.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { AccountActor } from '../access/authorise.ts';
import { createBus } from './bus.ts';
import { createHub } from './hub.ts';

const SCOPE = '00000000-0000-4000-8000-000000000001' as Id;
const OTHER = '00000000-0000-4000-8000-000000000002' as Id;
const SESSION = '00000000-0000-4000-8000-000000000009' as Id;
const GENERATION = 'g';

const actor = (scopes: readonly Id[], session = SESSION): AccountActor => ({
  type: 'account',
  account: 1,
  session,
  kind: 'web',
  personalScope: SCOPE,
  roles: new Map(scopes.map((scope) => [scope, 'owner'])),
});

const changes = (from: number, to: number, scope = SCOPE): ScopeChanges => ({
  scope,
  generation: GENERATION,
  from,
  to,
  rows: [],
  gone: [],
  more: false,
});

/** `isShared`: there are other processes, and `stored` is what was written anywhere. */
function createStage(isShared = false) {
  const local = createBus();
  const bus = { ...local, isShared, nodes: () => (isShared ? [local.node, 'other'] : [local.node]) };
  const turns: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const stored: ScopeChanges[] = [];
  const reads: string[] = [];
  const clock = { now: 0 };
  const versions = new Map<Id, number>([[SCOPE, 5]]);
  const hub = createHub({
    bus,
    head: async (scope) => ({ version: versions.get(scope) ?? 0, generation: GENERATION }),
    nextTurn: (work) => turns.push(work),
    onError: (error) => {
      throw error;
    },
    presence: {
      now: () => clock.now,
      after(delayMs, work) {
        if (delayMs === 25) timers.push(work);
        return () => undefined;
      },
    },
    others: {
      async news(asked) {
        reads.push(
          asked.map(({ scope, version }) => `${scope === SCOPE ? 'scope' : 'other'} ${version}`).join(', '),
        );
        return asked.flatMap(({ scope, version: from }) => {
          const later = stored.filter((change) => change.scope === scope && change.to > from);
          const [last] = later.slice(-1);
          return last === undefined || later[0]?.from !== from ? [] : [{ ...last, from }];
        });
      },
      versions: async (scopes) =>
        new Map(
          scopes.map((scope) => [
            scope,
            Math.max(0, ...stored.filter((change) => change.scope === scope).map(({ to }) => to)),
          ]),
        ),
    },
  });
  /** What another process wrote becomes known here. */
  const elsewhere = (from: number, to: number, scope = SCOPE) => {
    stored.push(changes(from, to, scope));
    bus.publish({ type: 'changed', scope, to });
  };
  /** 25 ms pass. */
  const gather = async () => {
    for (const work of timers.splice(0)) work();
    await new Promise((resolve) => setImmediate(resolve));
  };
  function connect(who: AccountActor) {
    const told: LiveMessage[] = [];
    const ended: string[] = [];
    const handle = hub.add(who, {
      send: (text) => told.push(JSON.parse(text) as LiveMessage),
      end: (reason) => ended.push(reason),
    });
    const hello = (version: number, generation = GENERATION) =>
      handle.hello({ type: 'hello', device: OTHER, cursors: { [SCOPE]: { generation, version } } });
    return { told, ended, handle, hello };
  }
  const change = (from: number, to: number, scope = SCOPE) => {
    stored.push(changes(from, to, scope));
    bus.publish({ type: 'changed', scope, to, changes: changes(from, to, scope) });
  };
  const turn = () => {
    for (const work of turns.splice(0)) work();
  };
  return { bus, hub, connect, change, turn, turns, clock, elsewhere, gather, stored, reads };
}

const brief = (told: readonly LiveMessage[]) =>
  told.map((message) => {
    if (message.type === 'delta') return `delta ${message.changes.from}-${message.changes.to}`;
    return message.type === 'poke' ? `poke ${message.to}` : message.type;
  });

describe('the hub', () => {
  test('before a hello any change is a poke', () => {
    const { connect, change, turn } = createStage();
    const { told } = connect(actor([SCOPE]));
    change(5, 6);
    turn();
    assert.deepEqual(brief(told), ['poke 6']);
  });

  test('[SYNC-96] of a row that moved away only those hear where to who may read that scope', async () => {
    const { bus, connect, turn } = createStage();
    const [reader, stranger] = [connect(actor([SCOPE, OTHER])), connect(actor([SCOPE]))];
    for (const { hello } of [reader, stranger]) await hello(5);
    const moved: NonNullable<ScopeChanges['moved']> = [[SESSION, OTHER, 1, 3, 4]];
    bus.publish({ type: 'changed', scope: SCOPE, to: 6, changes: { ...changes(5, 6), moved } });
    turn();
    assert.deepEqual(reader.told.at(-1), { type: 'delta', changes: { ...changes(5, 6), moved } });
    assert.deepEqual(stranger.told, [{ type: 'delta', changes: { ...changes(5, 6), gone: [SESSION] } }]);
  });

  test('[NODE-30] what another process wrote is read once for all connections of a scope, however often it is said', async () => {
    const { connect, elsewhere, gather, reads } = createStage(true);
    const all = Array.from({ length: 50 }, (_, at) => connect({ ...actor([SCOPE]), account: at + 1 }));
    for (const { hello } of all) await hello(5);
    for (let to = 6; to < 16; to += 1) elsewhere(to - 1, to);
    await gather();
    assert.deepEqual(reads, ['scope 5']);
    for (const { told } of all) assert.deepEqual(brief(told), ['delta 5-15']);
    elsewhere(15, 16);
    await gather();
    assert.deepEqual(reads, ['scope 5', 'scope 15']);
    for (const { told } of all) assert.deepEqual(brief(told), ['delta 5-15', 'delta 15-16']);
  });

  test('[NODE-30] where this process and another one write in turn, one read closes the gap for everybody', async () => {
    const { connect, change, elsewhere, turn, gather, reads } = createStage(true);
    const all = [connect(actor([SCOPE])), connect({ ...actor([SCOPE]), account: 2 })];
    for (const { hello } of all) await hello(5);
    elsewhere(5, 6);
    change(6, 7);
    turn();
    await gather();
    assert.deepEqual(reads, ['scope 5']);
    for (const { told } of all) assert.deepEqual(brief(told), ['delta 5-7']);
    change(7, 8);
    turn();
    for (const { told } of all) assert.deepEqual(brief(told), ['delta 5-7', 'delta 7-8']);
    assert.equal(reads.length, 1);
  });

  test('[NODE-30] where too much is new, or reading fails, everybody is told to fetch it', async () => {
    const { connect, bus, gather, reads } = createStage(true);
    const one = connect(actor([SCOPE]));
    const silent = connect(actor([SCOPE]));
    await one.hello(5);
    bus.publish({ type: 'changed', scope: SCOPE, to: 900 });
    await gather();
    assert.deepEqual(reads, ['scope 5']);
    assert.deepEqual([brief(one.told), brief(silent.told)], [['poke 900'], ['poke 900']]);
  });

  test('[NODE-31] where messages were missed, all open scopes are compared, and only what is new is told', async () => {
    const { bus, connect, gather, stored, reads } = createStage(true);
    const one = connect(actor([SCOPE, OTHER]));
    await one.hello(5);
    one.told.length = 0;
    stored.push(changes(5, 6));
    bus.publish({ type: 'missed' });
    await new Promise((resolve) => setImmediate(resolve));
    await gather();
    assert.deepEqual(reads, ['scope 5']);
    assert.deepEqual(brief(one.told), ['delta 5-6']);
    bus.publish({ type: 'missed' });
    await new Promise((resolve) => setImmediate(resolve));
    await gather();
    assert.deepEqual([reads.length, one.told.length], [1, 1]);
  });

  test('changes that follow on are sent as they are', async () => {
    const { connect, change, turn } = createStage();
    const { told, hello } = connect(actor([SCOPE]));
    await hello(5);
    change(5, 6);
    turn();
    change(6, 7);
    turn();
    assert.deepEqual(brief(told), ['delta 5-6', 'delta 6-7']);
  });

  test('what happens within a turn travels together, in one pass', async () => {
    const { connect, change, turn, turns } = createStage();
    const { told, hello } = connect(actor([SCOPE]));
    await hello(5);
    change(5, 6);
    change(6, 8);
    assert.equal(turns.length, 1);
    turn();
    assert.deepEqual(brief(told), ['delta 5-6', 'delta 6-8']);
  });

  test('a gap becomes a poke, after which deltas follow again', async () => {
    const { bus, connect, change, turn } = createStage();
    const { told, hello } = connect(actor([SCOPE]));
    await hello(5);
    bus.publish({ type: 'changed', scope: SCOPE, to: 6 });
    change(6, 7);
    turn();
    change(7, 8);
    turn();
    assert.deepEqual(brief(told), ['poke 7', 'delta 7-8']);
  });

  test('old news is not told', async () => {
    const { bus, connect, turn } = createStage();
    const { told, hello } = connect(actor([SCOPE]));
    await hello(5);
    bus.publish({ type: 'changed', scope: SCOPE, to: 4 });
    turn();
    assert.deepEqual(told, []);
  });

  test('a device that is behind, or of another generation, is told at its hello', async () => {
    const { connect } = createStage();
    const behind = connect(actor([SCOPE]));
    await behind.hello(3);
    assert.deepEqual(brief(behind.told), ['poke 5']);
    const restored = connect(actor([SCOPE]));
    await restored.hello(9, 'older generation');
    assert.deepEqual(brief(restored.told), ['poke 5']);
  });

  test('nobody hears of scopes they may not read', async () => {
    const { connect, change, turn } = createStage();
    const { told, hello } = connect(actor([OTHER]));
    await hello(5);
    assert.deepEqual(brief(told), ['poke 0', 'left']);
    change(5, 6);
    turn();
    assert.equal(told.length, 2);
  });

  test('after a removal nothing comes any more, and the device is told', async () => {
    const { hub, connect, change, turn } = createStage();
    const { told, hello } = connect(actor([SCOPE, OTHER]));
    await hello(5);
    told.length = 0;
    hub.refresh(1, (before) => ({ ...before, roles: new Map([[OTHER, 'member']]) }));
    change(5, 6);
    turn();
    assert.deepEqual(brief(told), ['left']);
  });

  test('a change that waits when a membership ends is not delivered', async () => {
    const { hub, connect, change, turn } = createStage();
    const { told, hello } = connect(actor([SCOPE]));
    await hello(5);
    change(5, 6);
    hub.refresh(1, (before) => ({ ...before, roles: new Map() }));
    turn();
    assert.deepEqual(brief(told), ['left']);
  });

  test('a new membership is announced', async () => {
    const { hub, connect, change, turn } = createStage();
    const { told, hello } = connect(actor([SCOPE]));
    await hello(5);
    hub.refresh(1, (before) => ({
      ...before,
      roles: new Map([...before.roles, [OTHER, 'member'] as const]),
    }));
    await new Promise((resolve) => setImmediate(resolve));
    change(0, 1, OTHER);
    turn();
    assert.deepEqual(brief(told), ['poke 0', 'poke 1']);
  });

  test('ended sessions end their connections, and only theirs', () => {
    const { bus, hub, connect } = createStage();
    const one = connect(actor([SCOPE]));
    const two = connect(actor([SCOPE], OTHER));
    bus.publish({ type: 'ended', sessions: [SESSION] });
    assert.deepEqual(brief(one.told), ['bye']);
    assert.deepEqual([one.ended, two.ended], [['signed_out'], []]);
    assert.deepEqual([hub.size(), hub.countOf(1)], [1, 1]);
    two.handle.remove();
    assert.deepEqual([hub.size(), hub.countOf(1), hub.accounts().size], [0, 0, 0]);
  });

  test('[NODE-50] whom a leaving server says goodbye to, comes back to the others at a time of its own; alone it asks for none', () => {
    const { hub, connect } = createStage(true);
    const all = Array.from({ length: 300 }, () => connect(actor([SCOPE])));
    hub.close();
    const pauses = all.map(({ told }) => told.map((one) => (one.type === 'bye' ? (one.after ?? NaN) : NaN)));
    for (const [pause = NaN, ...more] of pauses)
      assert.ok(more.length === 0 && pause >= 0 && pause < 10_000, String(pause));
    assert.ok(new Set(pauses.map(([pause]) => Math.floor((pause ?? 0) / 1_000))).size >= 5);
    const alone = createStage();
    const { told, ended } = alone.connect(actor([SCOPE]));
    alone.hub.close();
    assert.deepEqual([told, ended], [[{ type: 'bye', reason: 'shutdown' }], ['shutdown']]);
  });

  test('[MACRO-31] a run of a macro is told to the devices of its account, after the rows before it, and for a minute to those that come', async () => {
    const { bus, connect, change, turn, clock } = createStage();
    const [one, other] = [connect(actor([SCOPE])), connect({ ...actor([SCOPE]), account: 2 })];
    for (const { hello } of [one, other]) await hello(5);
    change(5, 6);
    bus.publish({ type: 'runs', account: 1 });
    turn();
    assert.deepEqual(brief(one.told), ['delta 5-6', 'runs']);
    assert.deepEqual(brief(other.told), ['delta 5-6']);
    const late = connect(actor([SCOPE]));
    await late.hello(5);
    assert.deepEqual(brief(late.told), ['runs']);
    clock.now = 60_000;
    const later = connect(actor([SCOPE]));
    await later.hello(5);
    assert.deepEqual(brief(later.told), []);
  });

  test('[MONEY-35] that the plan changed is told to the devices of its account', async () => {
    const { bus, connect } = createStage();
    const [one, other] = [connect(actor([SCOPE])), connect({ ...actor([SCOPE]), account: 2 })];
    for (const { hello } of [one, other]) await hello(5);
    bus.publish({ type: 'plan', account: 1 });
    assert.deepEqual(brief(one.told), ['plan']);
    assert.deepEqual(brief(other.told), []);
  });

  test('[CAL-34] that calendars changed is told to the devices of their account', async () => {
    const { bus, connect } = createStage();
    const [one, other] = [connect(actor([SCOPE])), connect({ ...actor([SCOPE]), account: 2 })];
    for (const { hello } of [one, other]) await hello(5);
    bus.publish({ type: 'calendars', account: 1 });
    assert.deepEqual(brief(one.told), ['calendars']);
    assert.deepEqual(brief(other.told), []);
  });
});
