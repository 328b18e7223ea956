// Cloud sync turned off and on in a profile with several tabs: what any of them makes meanwhile is never sent, whoever
// turns it on again and whatever another tab had not told by then, and it is in the copy or among the recovered.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Id } from '#core/ids.ts';
import { byOrder } from '#sync/tabs/sequences.ts';
import { act } from '../simulator/user.ts';
import type { Tab } from './profile.ts';
import { World } from './world.ts';

const HISTORIES = 40;

async function pass(world: World, ms: number): Promise<void> {
  await world.scheduler.runUntil(() => false, world.scheduler.now + ms);
}

const readyTabs = (world: World): readonly Tab[] => world.profile.living.filter(({ isReady }) => isReady);

/** Returns how many operations were put aside because they came too late. */
async function live(seed: number): Promise<number> {
  const world = new World(seed, true);
  const { random, profile } = world;
  const made = new Set<Id>();
  const kept = new Set<Id>();
  const actSomewhere = () => {
    const tabs = readyTabs(world);
    if (tabs.length === 0) return;
    const tab = random.pick(tabs);
    const before = new Set(tab.engine?.facts().pending.map(({ u }) => u));
    act(tab, random);
    for (const { u, off } of tab.engine?.facts().pending ?? [])
      if (!before.has(u) && off !== undefined) made.add(u);
  };
  await world.open();
  try {
    for (let count = random.between(2, 4); count > 0; count -= 1) profile.openTab();
    await world.rest();
    for (let count = 0; count < 10; count += 1) actSomewhere();
    await world.rest();
    random.pick(readyTabs(world)).engine?.detach();
    await pass(world, 500);
    assert.ok(
      readyTabs(world).every(({ engine }) => engine?.facts().detached),
      'every tab knows that cloud sync is off',
    );
    for (let count = random.between(5, 25); count > 0; count -= 1) {
      actSomewhere();
      await pass(world, random.between(1, 300));
    }
    // Everybody goes on typing while one tab keeps a copy and turns it on.
    const enable = () => {
      const { engine } = random.pick(readyTabs(world));
      for (let tries = 0; ; tries += 1) {
        assert.ok(tries < 20);
        const changes = engine?.detachedChanges();
        if (!changes) return;
        for (const { u } of changes.operations) kept.add(u);
        for (let count = random.between(0, 3); count > 0; count -= 1) actSomewhere();
        if (engine?.attach(changes)) return;
      }
    };
    enable();
    for (let count = 6; count > 0; count -= 1) {
      actSomewhere();
      await pass(world, random.between(0, 12));
    }
    if (random.chance(0.3) && profile.living.length > 1) random.pick(profile.living).crash();
    await pass(world, 30_000);
    // The tab that was asked may have ended before it heard of it; then cloud sync is off still, and one asks again.
    if (readyTabs(world).some(({ engine }) => engine?.facts().detached)) enable();
    await world.rest();
    await world.takeUpUntold();
    for (const u of made) assert.ok(!world.sent.has(u), 'nothing made while cloud sync was off is sent');
    const items = [...profile.contents.recovered.values()].map(({ operation }) => operation);
    const recovered = new Set(items.map(({ u }) => u));
    for (const u of made)
      assert.ok(
        kept.has(u) || recovered.has(u) || !profile.durable.has(u),
        'what was made is in the copy or recovered',
      );
    // A tab that had not heard yet may have gone on with something that went, and with what it made in that.
    const created = new Set<Id>();
    for (const operation of [...profile.durable.values()].toSorted(byOrder)) {
      const parent = operation.a === 'create' ? operation.place?.parent : undefined;
      if (made.has(operation.u) || (parent !== undefined && created.has(parent))) created.add(operation.id);
    }
    for (const { u, id } of profile.durable.values())
      if (made.has(u) || created.has(id)) profile.durable.delete(u);
    await world.check();
    return items.filter(({ off }) => off !== undefined).length;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Seed ${seed}: ${reason}`, { cause: error });
  } finally {
    await world.close();
  }
}

describe('several tabs with cloud sync off', () => {
  it('[SYNC-40] [SYNC-42] nothing that any of them made is sent or lost when one turns it on', async () => {
    let late = 0;
    for (let seed = 1; seed <= HISTORIES; seed += 1) late += await live(seed);
    assert.ok(late > 0, 'some came too late for the copy');
  });
});
