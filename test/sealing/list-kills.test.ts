// A server that is killed before any step of sharing a list that stays encrypted, and of making it private again: the next one goes on from what is there,
// nothing is ever open, and nothing is lost.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { createSealing, createServerKey } from '#server/accounts/sealing.ts';
import { plainWrites } from '#server/care/room.ts';
import { createSharing, type Sharing } from '#server/sharing/sharing.ts';
import { actorOf } from '../sharing.ts';
import type { TestServer } from '../api/harness.ts';
import { SECRET, settle, World } from './encrypted-list.ts';

const sealing = createSealing(createServerKey());

/** The process is gone before its next step, and takes none from then on. */
class Killed extends Error {}

/** The object, with `step` before each call of these methods. */
function stepping<T extends object>(target: T, names: readonly string[], step: () => void): T {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (names.includes(String(name))) step();
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });
}

/** Sharing in a process that is killed before its step with this number; never, without a number. `taken` is told how many there were. */
function sharingOf(
  server: TestServer,
  killedBefore = Infinity,
  taken: (steps: number) => void = () => undefined,
): Sharing {
  let steps = 0;
  const step = () => {
    steps += 1;
    taken(steps);
    if (steps >= killedBefore) throw new Killed();
  };
  const { database, services, bus, clock, ledger } = server;
  return createSharing({
    db: stepping(database.db, ['insertInto', 'updateTable', 'deleteFrom', 'transaction'], step),
    store: stepping(database.store, ['createScope'], step),
    exchange: stepping(services.exchange, ['carryOut', 'rework'], step),
    ledger: stepping(ledger, ['record'], step),
    bus,
    clock,
    sealing,
    room: plainWrites,
    mover: services.mover,
    publicLinks: services.publicLinks.links,
    newId: () => crypto.randomUUID() as Id,
    onError: (error) => assert.fail(String(error)),
  });
}

/** Does something in processes that are killed before one step after the other, until one is not. Returns how many were. */
async function killedEverywhere(
  server: TestServer,
  work: (sharing: Sharing) => Promise<unknown>,
): Promise<number> {
  for (let before = 1; before < 100; before += 1) {
    const done = await work(sharingOf(server, before)).then(
      () => true,
      (error: unknown) => {
        assert.ok(error instanceof Killed, String(error));
        return false;
      },
    );
    if (done) return before - 1;
    // What a process finds when it begins.
    await sharingOf(server).run();
  }
  return assert.fail('it comes to an end');
}

describe('an encrypted list at a server that is killed', () => {
  test('[SEAL-256] is shared and comes back, from wherever the server was killed', async () => {
    const world = await World.open();
    const { ida } = world;
    const { server, session } = ida.office;
    let kills = 0;
    for (let round = 1; ; round += 1) {
      const list = ida.device.add(`${SECRET} list ${round}`);
      const task = ida.device.addTask(list, `${SECRET} task ${round}`);
      await settle(ida);
      const founded = await ida.device.lists.found();
      assert.ok(founded.ok);
      const { value } = founded;
      world.scope = value.scope;
      const actor = async () => actorOf(server, session);
      // Killed once before its step of this number, and asked again.
      const killed = await sharingOf(server, round)
        .lists.keep(await actor(), list, { ...value })
        .then(
          () => false,
          (error: unknown) => error instanceof Killed,
        );
      if (killed) kills += 1;
      await sharingOf(server).run();
      const again = await sharingOf(server).lists.keep(await actor(), list, { ...value });
      assert.ok(again.ok, JSON.stringify(again));
      await settle(ida);
      const row = ida.device.row(list);
      assert.equal(row?.scope, value.scope);
      assert.equal((await world.state())?.phase, 'sealed');
      assert.deepEqual(await world.left(), []);
      assert.equal(ida.device.name(task), `${SECRET} task ${round}`);
      await ida.device.move(list, 'await');
      const back = await killedEverywhere(server, async (sharing) =>
        sharing.lists.makePrivate(await actor(), list),
      );
      kills += back;
      await settle(ida, ida);
      assert.equal(ida.device.row(list)?.scope, ida.office.scope);
      assert.equal(ida.device.name(task), `${SECRET} task ${round}`);
      if (!killed) break;
      assert.ok(round < 60, 'sharing comes to an end');
    }
    assert.ok(kills > 20, `${kills} kills`);
    assert.equal(await world.has(SECRET), false);
    assert.deepEqual(ida.device.engine.recovered.get(), []);
    await world.close();
  });
});
