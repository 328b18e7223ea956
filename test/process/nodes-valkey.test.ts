// Two real servers with a Valkey between them, which ends at once and comes back empty: nothing of a list is lost, and limits go on.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { type BucketServer, startBucket } from '../bucket-server.ts';
import { type PostgresInstance, startPostgres } from '../contracts/postgres-instance.ts';
import { hasValkey, startValkey, type ValkeyServer } from '../valkey-server.ts';
import { comeTo, Ear, newest, task } from './node-devices.ts';
import { type ServerChild, type SignedUp, startServerChild } from './server-child.ts';

/** Calls of the app about calendars that an account has in an hour. */
const CALLS = 20;

describe('two servers with a Valkey between them', () => {
  if (!hasValkey) return;

  let instance: PostgresInstance | undefined;
  let bucket: BucketServer | undefined;
  let valkey: ValkeyServer | undefined;
  let root = '';
  const servers: ServerChild[] = [];
  const at = (index: number) => must(servers[index], 'it is running').address;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'posthaste-valkey-nodes-'));
    [instance, bucket, valkey] = await Promise.all([startPostgres(), startBucket(), startValkey()]);
    const environment = {
      DATABASE_URL: (await instance.createDatabase()).replace('@/', '@localhost/'),
      BUS_URL: valkey.url,
      SERVER_KEY: Buffer.alloc(32, 7).toString('base64'),
      BLOB_URL: bucket.url,
      BACKUPS: 'off',
      RATE_LIMITS: `calendars=${CALLS}/1h`,
    };
    for (let index = 0; index < 2; index += 1)
      servers.push(await startServerChild(join(root, String(index)), environment));
  });
  after(async () => {
    for (const server of servers) await server.kill();
    await valkey?.stop();
    await instance?.stop();
    bucket?.close();
    await rm(root, { recursive: true });
  });

  /** How many of these calls were answered. */
  const allowedOn = async (index: number, { cookie }: SignedUp, calls: number) => {
    const ask = async () => {
      const response = await fetch(`${at(index)}/app/api/calendars`, {
        headers: { origin: at(index), cookie },
      });
      await response.arrayBuffer();
      assert.ok(response.status === 200 || response.status === 429, String(response.status));
      return response.status === 200;
    };
    const answers = await Promise.all(Array.from({ length: calls }, ask));
    return answers.filter(Boolean).length;
  };

  test('[NODE-31] [NODE-40] [NODE-41] [NODE-44] news and limits go through it; without it each gives its part, and when it is back what was written meanwhile is heard', async () => {
    const { person, device } = await comeTo(at(0), 'ann');
    const ear = new Ear(at(1), person);
    await ear.open(device);
    await device.sync(at(0), task(person, 'Before'));
    const isHeard = () => ear.until((heard) => newest(heard) >= device.versionOf(person.scope));
    await isHeard();
    const [one, two] = await Promise.all([allowedOn(0, person, CALLS), allowedOn(1, person, CALLS)]);
    assert.equal(one + two, CALLS);

    const other = await comeTo(at(0), 'ben');
    await valkey?.crash();
    await device.sync(at(0), task(person, 'While it is away'));
    await device.sync(at(1), task(person, 'While it is away, elsewhere'));
    const parts = await Promise.all([allowedOn(0, other.person, CALLS), allowedOn(1, other.person, CALLS)]);
    assert.deepEqual(parts, [CALLS / 2, CALLS / 2]);

    await valkey?.start();
    await isHeard();
    ear.socket.close();
  });
});
