// A hundred histories of devices at three real servers, while these are killed, stand still, are cut off from their database, and that crashes.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { Cluster } from './nodes/cluster.ts';
import { runHistories } from './nodes/histories.ts';

const HISTORIES = 100;
const PARTS = 4;

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
});
