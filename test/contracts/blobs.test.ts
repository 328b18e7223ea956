// Content by its hash, in a folder and in a bucket: the same promises. The bucket is the
// small server of test/bucket-server.ts.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { startBucket } from '../bucket-server.ts';
import { openBlobs, type Blobs } from '#server/files/blobs.ts';
import { Bucket, parseBucket } from '#server/files/bucket.ts';
import { Link } from '../process/nodes/link.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function* parts(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* cutOff(): AsyncIterable<Uint8Array> {
  yield Buffer.from('half of ');
  throw new Error('the sender went away');
}

const text = async (stream: Promise<ReadableStream<Uint8Array>>) =>
  new Response((await stream) as ReadableStream<Uint8Array<ArrayBuffer>>).text();

async function listed(blobs: Blobs, time: number): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const hash of blobs.older(time)) found.push(hash);
  return found;
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posthaste-blobs-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function inFolder(t: TestContext): Promise<{ blobs: Blobs; folder: string }> {
  const folder = await temporaryFolder(t);
  return { blobs: openBlobs(folder, null), folder };
}

async function inBucket(t: TestContext): Promise<{ blobs: Blobs; folder: string }> {
  const folder = await temporaryFolder(t);
  const server = await startBucket();
  t.after(() => server.close());
  const bucket = parseBucket(server.url);
  assert.ok(bucket);
  return { blobs: openBlobs(folder, bucket), folder };
}

for (const [name, open] of [
  ['a folder', inFolder],
  ['a bucket', inBucket],
] as const) {
  describe(`content in ${name}`, () => {
    test('comes back whole and in parts, and is gone when removed', async (t) => {
      const { blobs } = await open(t);
      const hash = hashOf('hello world');
      assert.deepEqual(await blobs.put(hash, parts('hello ', 'world'), 100), { ok: true, value: 11 });
      assert.deepEqual(await blobs.put(hash, parts('hello world'), 100), { ok: true, value: 11 });
      assert.equal(await blobs.size(hash), 11);
      assert.equal(await text(blobs.read(hash)), 'hello world');
      assert.equal(await text(blobs.read(hash, { from: 6, to: 8 })), 'wor');
      assert.deepEqual(await listed(blobs, Date.now() + 60_000), [hash]);
      await blobs.remove(hash);
      await blobs.remove(hash);
      assert.equal(await blobs.size(hash), null);
    });

    test('is removed only if it was stored before', async (t) => {
      const { blobs } = await open(t);
      const hash = hashOf('hello world');
      await blobs.put(hash, parts('hello world'), 100);
      assert.equal(await blobs.removeOlder(hash, Date.now() - 60_000), false);
      assert.equal(await blobs.size(hash), 11);
      assert.equal(await blobs.removeOlder(hash, Date.now() + 60_000), true);
      assert.equal(await blobs.size(hash), null);
      assert.equal(await blobs.removeOlder(hash, Date.now()), true, 'and so is what isn’t there');
    });

    test('is refused when it is too large, something else, or cut short; nothing of it stays', async (t) => {
      const { blobs, folder } = await open(t);
      const hash = hashOf('hello world');
      const problem = async (content: AsyncIterable<Uint8Array>, most = 100) => {
        const result = await blobs.put(hash, content, most);
        return result.ok ? null : result.problem;
      };
      assert.equal(await problem(parts('hello ', 'world'), 10), 'too_large');
      assert.equal(await problem(parts('hello there')), 'mismatch');
      assert.equal(await problem(cutOff()), 'cut');
      assert.equal(await blobs.size(hash), null);
      assert.deepEqual(await readdir(join(folder, 'partial')), []);
    });
  });
}

describe('content in a folder', () => {
  test('is readable by its owner only, and a path is never made from anything but a hash', async (t) => {
    const { blobs, folder } = await inFolder(t);
    const hash = hashOf('x');
    await blobs.put(hash, parts('x'), 10);
    assert.equal((await stat(join(folder, hash.slice(0, 2), hash))).mode & 0o777, 0o600);
    await assert.rejects(() => blobs.size('../../etc/passwd'));
  });
});

describe('the address of a bucket', () => {
  test('holds all that is needed, or is none', () => {
    assert.deepEqual(parseBucket('s3://key:secret@storage.example.org/files/?region=eu-1'), {
      url: 'https://storage.example.org/files',
      key: 'key',
      secret: 'secret',
      region: 'eu-1',
    });
    assert.equal(parseBucket('s3://storage.example.org/files'), null);
    assert.equal(parseBucket('s3://key:secret@storage.example.org'), null);
  });
});

describe('a bucket behind a link that carries nothing', () => {
  test('[NODE-74] is given up, and answers over the next connection', async (t) => {
    const server = await startBucket();
    const url = new URL(server.url);
    const link = await Link.open(Number(url.port));
    t.after(async () => {
      await link.close();
      server.close();
    });
    url.port = String(link.port);
    const location = parseBucket(url.href);
    assert.ok(location);
    const bucket = new Bucket(location, { answerMs: 200 });
    await bucket.ask('PUT', 'one', { body: 'one' });
    link.set('silent');
    await assert.rejects(bucket.ask('GET', 'one', {}), /doesn’t answer/);
    link.set('open');
    assert.equal(await (await bucket.ask('GET', 'one', {})).text(), 'one');
  });
});
