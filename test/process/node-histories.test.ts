// A hundred histories of devices at three real servers, while these are killed, stand still, are cut off from their database, and that crashes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { Cluster } from './nodes/cluster.ts';
import { runHistories } from './nodes/histories.ts';

describe('devices at several servers', () => {
  let cluster: Cluster | undefined;
  before(async () => {
    cluster = await Cluster.start(3);
  });
  after(() => cluster?.close());

  test('[NODE-60] lose nothing, do nothing twice and go back nowhere while their servers are killed, stand still and lose the database', async () => {
    const servers = must(cluster, 'they were started');
    const { acknowledged } = await runHistories(servers, {
      seed: 26,
      histories: 100,
      atOnce: 10,
      standsMs: 1_500,
    });
    const { kill, stop, cut, crash } = servers.counts;
    assert.ok(acknowledged >= 1_000, `${acknowledged} operations`);
    assert.ok(kill + stop + cut + crash >= 8, JSON.stringify(servers.counts));
  });
});
