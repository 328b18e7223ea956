// Cloud sync turned off on one device and on again, in the simulated world: what was made meanwhile never reaches the
// server, goes exactly, and can be made again from its safety copy. Then the same with the disk failing at every step.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeHandedOver } from '#client/app/handed-over.ts';
import { registerChecks } from '#wire/registers.ts';
import { listsRoot, type Id } from '#core/ids.ts';
import { issueInOrder, readCopy, safetyText } from './detached-copy.ts';
import { createEngine, type EnginePorts } from '#sync/exchange/engine.ts';
import { applyBatch, MemoryContents, stateOf } from '#sync/replica/memory-storage.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import type { DeviceStorage, Transport } from '#sync/replica/ports.ts';
import type { Engine, Replica } from '#sync/replica/replica-types.ts';
import { fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import type { SyncRequest, SyncResponse } from '#wire/sync.ts';
import type { SimulatedDevice } from './simulator/device.ts';
import { production } from './simulator/production.ts';
import type { Subject } from './simulator/subject.ts';
import { act } from './simulator/user.ts';
import { World } from './simulator/world.ts';

/** The production engine, with note of every operation that any device put into a request. */
function overheard(): { readonly subject: Subject; readonly sent: Set<Id> } {
  const sent = new Set<Id>();
  const listenIn = (transport: Transport): Transport => ({
    ...transport,
    sync(request) {
      for (const { u } of request.ops as readonly Operation[]) sent.add(u);
      return transport.sync(request);
    },
  });
  return {
    sent,
    subject: {
      ...production,
      createEngine: (ports, identity) =>
        createEngine({ ...ports, transport: ports.transport && listenIn(ports.transport) }, identity),
    },
  };
}

function engineOf(device: SimulatedDevice): Engine {
  assert.ok(device.engine);
  return device.engine;
}

/** Every row, and the siblings' order. */
function pictureOf(replica: Replica): unknown {
  const rows = [...replica.all()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const parents = [listsRoot(replica.scope), ...rows.map(({ id }) => id)];
  return [rows, parents.map((id) => replica.children(id).map((row) => row.id))];
}

/** What a person sees of it: without stamps, times and order keys. Trashed again is trashed from now on. */
function contentOf(replica: Replica): unknown {
  const plain = (row: Row) => {
    const { place: _place, del, ...rest } = registersOf(row);
    return [row.id, row.type, fieldOf(row, 'place')?.parent, { ...rest, del: del !== undefined }];
  };
  const rows = [...replica.all()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const parents = [listsRoot(replica.scope), ...rows.map(({ id }) => id)];
  return [rows.map(plain), parents.map((id) => replica.children(id).map((row) => row.id))];
}

interface Story {
  readonly seed: number;
  /** Changes made offline before cloud sync is turned off. */
  readonly before: number;
  /** The app is killed and started again while cloud sync is off. */
  readonly crashes: boolean;
  /** Another device goes on meanwhile. */
  readonly others: boolean;
}

/** Lives through it and checks what must hold. Returns how much was made and dropped. */
async function live({ seed, before, crashes, others }: Story): Promise<number> {
  const { subject, sent } = overheard();
  const world = new World(seed, subject, { devices: 2, accounts: 1, faults: false });
  const pass = (ms: number): Promise<boolean> => {
    const until = world.scheduler.now + ms;
    world.scheduler.after(ms, () => undefined);
    return world.scheduler.runUntil(() => world.scheduler.now >= until, until + 1_000);
  };
  try {
    await world.open();
    await world.live(30);
    await world.settle();
    const [device, other] = world.devices as [SimulatedDevice, SimulatedDevice];
    if (before > 0) world.network.setOnline(device, false);
    for (let count = 0; count < before; count += 1) act(device, world.random);
    engineOf(device).detach();
    world.network.setOnline(device, true);
    const wasThere = pictureOf(engineOf(device).replica);
    const waited = engineOf(device)
      .facts()
      .pending.map(({ u }) => u);
    for (let count = 0; count < 60; count += 1) {
      act(device, world.random);
      if (others) act(other, world.random);
      await pass(world.random.between(10, 2_000));
      if (crashes && world.random.chance(0.1)) {
        await pass(1_000);
        device.leave();
        device.boot();
        await pass(1_000);
      }
    }
    await pass(5_000);
    const engine = engineOf(device);
    const made = engine.detachedChanges();
    assert.ok(made);
    const was = contentOf(engine.replica);
    const copy = safetyText(engine.replica.scope, made);
    for (const { u } of made.operations) assert.ok(!sent.has(u), 'nothing was sent while cloud sync was off');
    assert.ok(engine.attach(made));
    assert.deepEqual(pictureOf(engine.replica), wasThere, 'what shows is what showed before');
    assert.deepEqual(
      engine.facts().pending.map(({ u }) => u),
      waited,
      'what waited before still waits',
    );
    for (const { u } of made.operations) device.disk.durable.delete(u);
    device.done = [];
    device.undone = [];
    await world.settle();
    await world.check();
    for (const { u } of made.operations) assert.ok(!sent.has(u), 'what was dropped never reaches the server');
    for (const u of waited) assert.ok(sent.has(u), 'what waited before is sent');
    if (!others) {
      issueInOrder(engine.replica, readCopy(copy, engine.replica.scope));
      // The world’s own last change is a list that was not there.
      assert.deepEqual(withoutLast(contentOf(engine.replica)), withoutLast(was));
    }
    return made.operations.length;
  } finally {
    await world.close();
  }
}

/** Without the lists that settling adds. */
function withoutLast(content: unknown): unknown {
  const [rows, orders] = content as [[Id, string, Id, Record<string, unknown>][], Id[][]];
  const added = new Set(rows.filter(([, , , fields]) => fields['name'] === 'last').map(([id]) => id));
  const kept = rows.filter(([id]) => !added.has(id));
  const keptOrders = orders.filter((_, index) => index === 0 || !added.has(rows[index - 1]?.[0] as Id));
  return [kept, keptOrders.map((ids) => ids.filter((id) => !added.has(id)))];
}

describe('a device on its own', () => {
  it('[SYNC-40] what was made while cloud sync was off goes exactly, and its copy brings it back', async () => {
    let made = 0;
    for (let seed = 1; seed <= 25; seed += 1)
      made += await live({ seed, before: 0, crashes: false, others: false });
    assert.ok(made > 500, `${made} operations were made meanwhile`);
  });

  it('[SYNC-40] [SYNC-41] what waited before is kept and sent, whatever others do and however often the app is killed', async () => {
    for (let seed = 101; seed <= 125; seed += 1) await live({ seed, before: 5, crashes: true, others: true });
  });
});

// The disk fails

interface Disk {
  readonly contents: MemoryContents;
  /** Safety copies that are on the disk. */
  readonly copies: string[];
  /** Steps so far; at the one wanted everything stops, before or after it took effect. */
  steps: number;
}

function diskOf(from?: Disk): Disk {
  return from ?? { contents: new MemoryContents(), copies: [], steps: 0 };
}

const never = new Promise<never>(() => undefined);

/** `work` as one step of the disk. */
function stepper(disk: Disk, crashAt: number, isAfter: boolean) {
  let isDead = false;
  return async (work: () => void): Promise<void> => {
    if (isDead) await never;
    disk.steps += 1;
    const strikes = disk.steps === crashAt;
    if (!strikes || isAfter) work();
    isDead = strikes;
    if (strikes) await never;
  };
}

function storageOf(disk: Disk, step: ReturnType<typeof stepper>): DeviceStorage {
  return {
    open: () => Promise.resolve(stateOf(disk.contents)),
    async *rows() {
      yield [...disk.contents.rows.values()];
    },
    journal: () => Promise.resolve([...disk.contents.journal.values()]),
    write: (batch) => step(() => applyBatch(disk.contents, batch)),
    clear: () => Promise.reject(new Error('Nothing clears this disk.')),
    close: () => undefined,
  };
}

const SCOPE = '0193b3a0-0000-7000-8000-00000000000a' as Id;
const LIST = '0193b3a0-0000-7000-8000-00000000000b' as Id;

const createList = (id: Id, name: string): Action => ({
  a: 'create',
  id,
  type: 'list',
  fields: { listType: 'list', name },
  place: { parent: listsRoot(SCOPE) },
});

/** A server that takes everything and tells nothing but verdicts: what matters is what it was told. */
function told(into: Set<Id>): Transport {
  return {
    sync(request: SyncRequest) {
      for (const { u } of request.ops as readonly Operation[]) into.add(u);
      const value: SyncResponse = {
        serverNow: request.clientNow,
        deviceNumber: 1,
        results: (request.ops as readonly Operation[]).map(({ q }) => [q, 'ok'] as const),
        changes: [],
        left: [],
      } as unknown as SyncResponse;
      return Promise.resolve({ ok: true, value });
    },
    snapshot: () => Promise.resolve({ ok: false, problem: { type: 'offline' } }),
    listen: () => () => undefined,
  };
}

function portsOf(storage: DeviceStorage, sent: Set<Id>): { ports: EnginePorts; stop: () => void } {
  const timers = new Set<NodeJS.Immediate>();
  let byte = 0;
  const ports: EnginePorts = {
    storage,
    transport: told(sent),
    checks: registerChecks,
    clock: { now: () => 1_800_000_000_000 + (byte += 1), monotonic: () => byte },
    timers: {
      after(delayMs, work) {
        // Only what is due at once: nothing here waits for a safety pull.
        if (delayMs > 0) return () => undefined;
        const timer = setImmediate(work);
        timers.add(timer);
        return () => clearImmediate(timer);
      },
    },
    random: { fill: (bytes) => void bytes.fill((byte = (byte + 1) % 256)), fraction: () => 0.5 },
  };
  return { ports, stop: () => timers.forEach((timer) => clearImmediate(timer)) };
}

const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Turns cloud sync off, writes, keeps a copy and turns it on again; whatever comes after the crash never happens. */
async function offAndOn(
  disk: Disk,
  crashAt: number,
  isAfter: boolean,
): Promise<{ sent: Set<Id>; made: Set<Id> }> {
  const step = stepper(disk, crashAt, isAfter);
  const sent = new Set<Id>();
  const made = new Set<Id>();
  const { ports, stop } = portsOf(storageOf(disk, step), sent);
  const engine = createEngine(ports, { scope: SCOPE, account: 1 });
  const story = async (): Promise<void> => {
    await engine.open();
    await engine.loaded();
    await turns(6);
    engine.detach();
    await engine.flushed();
    for (const name of ['one', 'two', 'three']) {
      const { operations } = engine.replica.issue([
        name === 'one' ? createList(LIST, name) : { a: 'set', id: LIST, field: 'name', value: name },
      ]);
      for (const { u } of operations) made.add(u);
      await engine.flushed();
    }
    const changes = engine.detachedChanges();
    assert.ok(changes);
    await step(() => void disk.copies.push(safetyText(SCOPE, changes)));
    assert.ok(engine.attach(changes));
    await engine.flushed();
    engine.replica.issue([createList(engine.replica.newId(), 'after')]);
    await engine.flushed();
    await turns(6);
  };
  await Promise.race([story(), turns(120)]);
  stop();
  return { sent, made };
}

async function restarted(disk: Disk): Promise<{ sent: Set<Id>; engine: Engine; stop: () => void }> {
  const sent = new Set<Id>();
  const { ports, stop } = portsOf(storageOf(disk, stepper(disk, -1, false)), sent);
  const engine = createEngine(ports, { scope: SCOPE, account: 1 });
  await engine.open();
  await engine.loaded();
  await turns(10);
  return { sent, engine, stop };
}

describe('a crash while cloud sync is turned off and on', () => {
  it('[SYNC-40] [SYNC-41] leaves one state or the other, and the copy is there before anything goes', async () => {
    const whole = diskOf();
    await offAndOn(whole, -1, false);
    assert.ok(whole.steps >= 6, `${whole.steps} steps`);
    const seen = new Set<string>();
    for (let crashAt = 1; crashAt <= whole.steps; crashAt += 1) {
      for (const isAfter of [false, true]) {
        const disk = diskOf();
        const first = await offAndOn(disk, crashAt, isAfter);
        const kept = [...disk.contents.outbox.values()].filter(({ u }) => first.made.has(u));
        const isOff = disk.contents.meta?.detached !== undefined;
        if (!isOff) assert.deepEqual(kept, [], 'without the mark nothing made meanwhile is in the queue');
        seen.add(isOff ? `off with ${kept.length}` : disk.copies.length > 0 ? 'on again' : 'on');
        if (!isOff && disk.copies.length === 0)
          assert.equal(first.made.size > kept.length && kept.length > 0, false);
        const second = await restarted(disk);
        for (const u of first.made)
          assert.ok(!first.sent.has(u) && !second.sent.has(u), 'what was made meanwhile is never sent');
        const name = fieldOf(second.engine.replica.row(LIST), 'name');
        assert.equal(name, [undefined, 'one', 'two', 'three'][kept.length]);
        if (isOff) assert.equal(second.sent.size, 0, 'nothing is sent while cloud sync is off');
        second.stop();
      }
    }
    assert.deepEqual([...seen].toSorted(), [
      'off with 0',
      'off with 1',
      'off with 2',
      'off with 3',
      'on',
      'on again',
    ]);
  });
});

describe('changes that a tab could not write', () => {
  const named = (name: string): Action => ({ a: 'set', id: LIST, field: 'name', value: name });

  it('[SYNC-40] made while cloud sync was off, they are put aside where it is on by now, and not sent', async () => {
    const losing = await restarted(diskOf());
    losing.engine.replica.issue([createList(LIST, 'before')]);
    losing.engine.detach();
    losing.engine.replica.issue([named('while off')]);
    const operations = losing.engine.facts().pending.filter(({ id }) => id === LIST);
    const working = await restarted(diskOf());
    const sentBefore = new Set(working.sent);
    makeHandedOver(working.engine, { scope: SCOPE, operations });
    assert.equal(fieldOf(working.engine.replica.row(LIST), 'name'), 'before');
    await working.engine.flushed();
    await turns(10);
    const put = working.engine.recovered.get().map(({ operation, verdict }) => [operation.id, verdict]);
    assert.deepEqual(put, [[LIST, 'forbidden']]);
    assert.equal(working.sent.size - sentBefore.size, 1, 'what was made before is sent');
    losing.stop();
    working.stop();
  });

  it('[SYNC-40] made while it is off as now, they are made and stay here', async () => {
    const disk = diskOf();
    const first = await restarted(disk);
    first.engine.detach();
    await first.engine.flushed();
    const second = await restarted(disk);
    first.engine.replica.issue([createList(LIST, 'late')]);
    const operations = first.engine.facts().pending.filter(({ id }) => id === LIST);
    makeHandedOver(second.engine, { scope: SCOPE, operations });
    await second.engine.flushed();
    assert.equal(fieldOf(second.engine.replica.row(LIST), 'name'), 'late');
    const changes = second.engine.detachedChanges();
    assert.ok(changes);
    assert.ok(changes.operations.some(({ id }) => id === LIST));
    assert.ok(second.engine.attach(changes));
    await turns(10);
    assert.equal(second.engine.replica.row(LIST), undefined);
    for (const { u } of changes.operations) assert.ok(!second.sent.has(u));
    first.stop();
    second.stop();
  });
});
