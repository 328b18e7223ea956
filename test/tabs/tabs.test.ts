// Random histories of one profile in two to five tabs, with tabs that crash, freeze, wake, are opened and closed, and a
// lead that is taken by force: nothing durable is lost or made twice, and all of them end with what the server holds.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserProfile } from './profile.ts';
import { World } from './world.ts';

const HISTORIES = 40;

async function runHistory(seed: number, hasAccount: boolean): Promise<BrowserProfile> {
  const world = new World(seed, hasAccount);
  await world.open();
  try {
    await world.live();
    await world.rest();
    await world.takeUpLanes();
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

  it('[SYNC-61] end with one truth without an account too', async () => {
    for (let seed = 1; seed <= HISTORIES / 2; seed += 1) await runHistory(seed, false);
  });
});
