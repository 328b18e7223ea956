// The ledger of several servers: what one writes all of them read, also after its disk is gone.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { openLedger } from '#server/care/ledger.ts';
import { openLedgerOf } from '#server/care/shared-ledger.ts';
import { parseBucket } from '#server/files/bucket.ts';
import { createLogger } from '#server/observe/log.ts';
import { startBucket } from '../bucket-server.ts';
import { someId } from './store-samples.ts';

async function createServers(context: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'posthaste-shared-ledger-'));
  const bucket = await startBucket();
  context.after(async () => {
    bucket.close();
    await rm(root, { recursive: true });
  });
  const logged: string[] = [];
  const clock = { now: () => 0, monotonic: () => 0 };
  const log = createLogger({ level: 'error', clock, write: (line) => void logged.push(line) });
  const folder = (name: string) => join(root, name);
  const open = async (name: string) => {
    const config = { dataDir: folder(name), databaseUrl: 'postgres://x/y', bucket: parseBucket(bucket.url) };
    const ledger = await openLedgerOf(config, 1, log);
    context.after(() => ledger.close().catch(() => undefined));
    return ledger;
  };
  return { bucket, logged, folder, open };
}

const ended = (at: number) => ({ type: 'session_revoked', at, session: someId() }) as const;

describe('the ledger of several servers', () => {
  test('[NODE-10] is what all of them wrote, in the order of time, also when a disk is gone', async (t) => {
    const { bucket, folder, open } = await createServers(t);
    const entries = [ended(3), ended(5), ended(4), ended(9)] as const;
    const [one, two] = [await open('one'), await open('two')];
    const erased = { type: 'account_erased', at: 7, email: one.disguise('ada@example.org') } as const;
    // One that was alone before has lines that nobody else knows.
    const alone = await openLedger(folder('three'), 1);
    await alone.record([entries[3]]);
    await alone.close();
    await Promise.all([one.record([entries[1], erased]), one.record([entries[0]]), two.record([entries[2]])]);
    await rm(folder('one'), { recursive: true });
    const three = await open('three');
    const read = await three.read();
    assert.deepEqual(read.entries, [entries[0], entries[2], entries[1], erased, entries[3]]);
    assert.equal(read.damaged, 0);
    assert.deepEqual((await two.read()).entries, read.entries);
    // Each disguises addresses with a key of its own, and knows those of the others.
    const four = await open('four');
    await four.read();
    assert.ok(four.disguises('ada@example.org').includes(erased.email));
    assert.ok(!four.disguises('eve@example.org').includes(erased.email));
    assert.ok([...bucket.objects.values()].every((object) => !object.includes('ada@')));
  });

  test('[NODE-10] while the bucket takes nothing lines stay on the disk, and are shared later', async (t) => {
    const { bucket, logged, open } = await createServers(t);
    const one = await open('one');
    bucket.fail(403);
    const [first, second] = [ended(2), ended(3)];
    await one.record([first]);
    assert.ok(logged.some((line) => line.includes('ledger_not_shared')));
    assert.equal(bucket.objects.size, 0);
    const again = await open('one');
    await assert.rejects(again.read(), /can't be read: The storage of files answered 403/);
    bucket.fail(null);
    await again.read();
    await one.record([second]);
    assert.deepEqual((await (await open('two')).read()).entries, [first, second]);
  });

  test('[NODE-10] goes on in another object when one is large', async (t) => {
    const { bucket, open } = await createServers(t);
    const one = await open('one');
    const entries = Array.from({ length: 1_500 }, (_, at) => ended(at));
    for (let from = 0; from < entries.length; from += 100) await one.record(entries.slice(from, from + 100));
    assert.ok(bucket.objects.size > 1);
    assert.deepEqual((await (await open('two')).read()).entries, entries);
  });
});
