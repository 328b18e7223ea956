// Real devices and a real server with a way between them that fails at random bytes: each effect once, nothing lost, and
// all devices alike in the end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { spoilings } from './fault-proxy.ts';
import { runProxied } from './proxied.ts';

const CUTS = 500;
const DEVICES = 4;
const SEED = 31;
/** How often each way to spoil a connection is to be met. */
const LEAST = 20;

describe('a way that fails', () => {
  it(`[SYNC-28] ${CUTS} requests and answers cut at random bytes: each effect once, nothing lost`, async () => {
    const { counts, whole, operations } = await runProxied({ seed: SEED, devices: DEVICES, cuts: CUTS });
    for (const name of spoilings)
      assert.ok((counts.get(name) ?? 0) >= LEAST, `${name}: only ${counts.get(name)}`);
    assert.ok(whole >= CUTS / 10, `only ${whole} requests came through: nothing was done`);
    assert.ok(operations >= CUTS, `only ${operations} operations: that was no load`);
  });
});
