// Random histories of one profile in two to five tabs, with tabs that crash, freeze, wake, are opened and closed, and a
// lead that is taken by force: nothing durable is lost or made twice, and all of them end with what the server holds.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must } from '#core/assert.ts';
import { inboxId, labelsRoot, type Id } from '#core/ids.ts';
import { knowsAll } from '../simulator/unknown-types.ts';
import type { BrowserProfile } from './profile.ts';
import { World } from './world.ts';
import { fieldOf, isKnown } from '#sync/rows/row.ts';

const HISTORIES = 24;

async function runHistory(seed: number, hasAccount: boolean, unknown = knowsAll): Promise<BrowserProfile> {
  const world = new World(seed, hasAccount, unknown);
  await world.open();
  try {
    await world.live();
    await world.rest();
    await world.takeUpUntold();
    await world.check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Seed ${seed}: ${reason}`, { cause: error });
  } finally {
    await world.close();
  }
  return world.profile;
}

describe('several tabs', () => {
  it('[SYNC-60] end with what the server holds, whatever happened to them', async () => {
    let takeovers = 0;
    const only = Number(process.env['TABS_SEED'] ?? 0);
    for (let seed = only || 1; seed <= (only || HISTORIES); seed += 1)
      takeovers += (await runHistory(seed, true)).takeovers;
    assert.ok(takeovers > 0 || only > 0);
  });

  it('[SYNC-60] [SYNC-70] keep what they do not know as the server holds it, and show none of it', async () => {
    let kept = 0;
    for (let seed = 101; seed <= 120; seed += 1) {
      const { contents } = await runHistory(seed, true, new Set(['label', 'setting']));
      kept += [...contents.rows.values()].filter((row) => !isKnown(row)).length;
    }
    assert.ok(kept > 20, `${kept} rows of unknown types`);
  });

  it('[SYNC-60] [SYNC-70] let go of what they do not know when the server has, also in a tab that slept', async () => {
    const world = new World(7, true, new Set(['label']));
    await world.open();
    const { profile, scheduler, server } = world;
    for (let count = 0; count < 2; count += 1) profile.openTab();
    await world.rest();
    const [leader, follower] = profile.living;
    assert.ok(leader?.engine && follower?.engine);
    const { replica } = leader.engine;
    const id = replica.newId();
    const place = { parent: labelsRoot(replica.scope) };
    replica.issue([
      { a: 'create', id, type: 'label', fields: { name: 'Gone' }, place },
      { a: 'delete', id },
    ]);
    await world.rest();
    assert.ok(profile.contents.rows.has(id), 'it is kept');
    // The first tab sleeps while another leads and hears of it; when it wakes it reads from the disk what it missed.
    leader.freeze();
    profile.steal(follower);
    await scheduler.runUntil(() => profile.leader === follower, scheduler.now + 60_000);
    const trashedBefore = Number.MAX_SAFE_INTEGER;
    await server.exchange?.purge({ scope: replica.scope, ids: [id], trashedBefore });
    follower.engine.nudge();
    const isGone = () => !profile.contents.rows.has(id);
    assert.ok(await scheduler.runUntil(isGone, scheduler.now + 60_000));
    leader.wake();
    await world.rest();
    profile.steal(leader);
    await world.rest();
    const held = leader.engine.contents()?.rowsPut?.map((row) => row.id);
    assert.deepEqual(held?.toSorted(), [...profile.contents.rows.keys()].toSorted());
    assert.ok(!held?.includes(id));
    await world.check();
    await world.close();
  });

  it('[TRASH-2] empty the trash of a device without an account for all, whichever asks, also when the lead changes then', async () => {
    for (const [asking, isStolen] of [
      [0, false],
      [1, false],
      [0, true],
      [1, true],
    ] as const) {
      const world = new World(7, false);
      await world.open();
      const { profile, scheduler } = world;
      profile.openTab();
      await world.rest();
      profile.openTab();
      profile.openTab();
      await world.rest();
      const [leader, second] = profile.living;
      const engine = profile.living[asking]?.engine;
      const maker = leader?.engine?.replica;
      assert.ok(engine && maker && second);
      const [gone, below, stays] = [maker.newId(), maker.newId(), maker.newId()];
      const parent = inboxId(maker.scope);
      maker.issue([
        { a: 'create', id: gone, type: 'task', fields: { title: 'Gone' }, place: { parent } },
        { a: 'create', id: below, type: 'task', fields: { title: 'Below' }, place: { parent: gone } },
        { a: 'create', id: stays, type: 'task', fields: { title: 'Stays' }, place: { parent } },
        { a: 'delete', id: gone },
        { a: 'delete', id: stays },
      ]);
      await world.rest();
      const deletion = (id: Id) => {
        return must(fieldOf(engine.replica.row(id), 'del'), 'it lies in the trash').at;
      };
      const emptied = engine.emptyTrash([
        { id: gone, at: deletion(gone) },
        { id: stays, at: deletion(stays) - 1 },
      ]);
      await Promise.all([emptied, scheduler.runUntil(() => false, scheduler.now + 1)]);
      if (isStolen) {
        await scheduler.runUntil(() => maker.row(gone) === undefined, scheduler.now + 10_000);
        profile.steal(second);
      }
      await world.rest();
      await world.check();
      const left = new Set(profile.contents.rows.keys());
      assert.ok(left.has(parent) && left.has(stays));
      // Taken by force before it was on the disk it has not happened: all of it, and in every tab.
      assert.equal(left.has(gone), left.has(below));
      if (!isStolen) assert.ok(!left.has(gone));
      await world.close();
    }
  });

  it('[SYNC-60] send what a tab wrote and did not live to tell as soon as the next one opens, in any lane and whatever the disk does', async () => {
    for (const [hasAccount, isDiskFull] of [
      [true, false],
      [false, false],
      [true, true],
    ] as const) {
      const world = new World(11, hasAccount);
      await world.open();
      const { profile, scheduler, faults } = world;
      for (let count = 0; count < 3; count += 1) profile.openTab();
      await world.rest();
      const [leader, second, third] = profile.living;
      assert.ok(leader?.engine && second && third?.engine);
      const { replica } = third.engine;
      const id = replica.newId();
      const place = { parent: inboxId(replica.scope) };
      const made = replica.issue([{ a: 'create', id, type: 'task', fields: { title: 'Kept' }, place }]);
      const [operation] = made.operations;
      assert.ok(operation);
      const { q, u } = operation;
      assert.ok(await scheduler.runUntil(() => profile.durable.has(u), scheduler.now + 1_000));
      third.crash();
      second.crash();
      await world.rest();
      assert.ok(profile.contents.outbox.has(q), 'the leader has not heard of it');
      assert.equal(leader.engine.replica.row(id), undefined);
      if (isDiskFull) {
        faults.diskRefuses = 1;
        leader.engine.dropRecovered([0]);
        await scheduler.runUntil(() => leader.engine?.state.get().type === 'unsaved', scheduler.now + 5_000);
      }
      const next = profile.openTab();
      assert.notEqual(next.lane, third.lane);
      const isKnown = () => fieldOf(leader.engine?.replica.row(id), 'title') === 'Kept';
      assert.ok(await scheduler.runUntil(isKnown, scheduler.now + 5_000), 'the leader hears of it');
      await world.rest();
      await world.check();
      await world.close();
    }
  });

  it('[SYNC-61] end with one truth without an account too', async () => {
    for (let seed = 1; seed <= HISTORIES / 2; seed += 1) await runHistory(seed, false);
  });
});
