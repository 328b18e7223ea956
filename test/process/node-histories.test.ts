// Histories of devices at three real servers, while these are killed, stand still, are cut off from their database, and that crashes; while it
// fails over to another one; and while single links are cut, slow, or carry nothing and do not end.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { Cluster } from './nodes/cluster.ts';
import { runHistories, type Trouble } from './nodes/histories.ts';
import { signUp } from './server-child.ts';

const HISTORIES = 100;
const PARTS = 4;
/** Of each kind of failover, and of links. */
const FEW = 8;
/** Devices that wait as long as people do would wait for most of the test. */
const PATIENCE_MS = 6_000;
const LINK_MS = 3_000;
/** A silent connection is given up after twelve seconds; a busy machine needs some more. */
const BACK_MS = 25_000;

describe('devices at several servers', () => {
  let cluster: Cluster | undefined;
  before(async () => {
    cluster = await Cluster.start(3);
  });
  after(() => cluster?.close());

  let acknowledged = 0;
  // In parts: on a busy machine all of them take longer than a test may.
  for (let part = 0; part < PARTS; part += 1)
    test(`[NODE-60] lose nothing, do nothing twice and go back nowhere while their servers are killed, stand still and lose the database (${part + 1} of ${PARTS})`, async () => {
      const servers = must(cluster, 'they were started');
      const options = { seed: 26 + part, histories: HISTORIES / PARTS, atOnce: 8, standsMs: 1_500 };
      acknowledged += (await runHistories(servers, options)).acknowledged;
    });

  test('that was so of many operations, and much had happened', () => {
    const { kill, stop, cut, crash } = must(cluster, 'they were started').counts;
    assert.ok(acknowledged >= 10 * HISTORIES, `${acknowledged} operations`);
    assert.ok(kill + stop + cut + crash >= 2 * PARTS, JSON.stringify({ kill, stop, cut, crash }));
  });

  const few = async (wheel: readonly Trouble[], seed: number, most: number) => {
    const options = {
      seed,
      histories: FEW,
      atOnce: FEW,
      most,
      standsMs: 1_500,
      linkMs: LINK_MS,
      patienceMs: PATIENCE_MS,
    };
    const { acknowledged: count } = await runHistories(must(cluster, 'they were started'), {
      ...options,
      wheel,
    });
    assert.ok(count >= 8 * FEW, `${count} operations`);
  };

  test('[NODE-70] what was acknowledged comes back from the devices when the database that takes over lacks it', async () => {
    const servers = must(cluster, 'they were started');
    await servers.follow('asynchronous');
    await few(['failover'], 70, 2);
    assert.ok(servers.counts.failover > 0 && servers.counts.lost > 0, JSON.stringify(servers.counts));
  });

  test('[NODE-71] nothing that was acknowledged has to come back when the database that takes over follows synchronously', async () => {
    const servers = must(cluster, 'they were started');
    await servers.follow('synchronous');
    const { lost } = servers.counts;
    await few(['synchronous failover'], 71, 1);
    assert.equal(servers.counts.lost, lost);
    await servers.follow('asynchronous');
  });

  test('[NODE-72] they lose nothing while links of servers to database, bucket and devices are cut, slow, or carry nothing and do not end', async () => {
    await few(['link'], 72, 4);
    assert.ok(must(cluster, 'they were started').counts.link > 0);
  });

  test('[NODE-73] a server whose link to the database carries nothing and does not end gives it up, and answers again by itself', async () => {
    const servers = must(cluster, 'they were started');
    const address = must(servers.addresses[0] ?? null, 'it is there');
    const { cookie } = await signUp(address, 'silent@example.org');
    const ask = async () => {
      const request = { headers: { cookie, origin: address }, signal: AbortSignal.timeout(BACK_MS) };
      const response = await fetch(`${address}/app/api/me`, request);
      await response.arrayBuffer();
      return response.status;
    };
    // Over connections that are kept.
    assert.deepEqual(new Set(await Promise.all(Array.from({ length: 4 }, ask))), new Set([200]));
    const trouble = servers.trouble(0, 'database', 'silent', LINK_MS);
    const during = await ask();
    assert.ok(during === 200 || during === 503, String(during));
    await trouble;
    await servers.settled(BACK_MS);
    assert.equal(await ask(), 200);
  });
});
