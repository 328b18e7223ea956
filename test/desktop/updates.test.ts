// Releases of the desktop client from the key of its builder to a client, through a whole server: signed, added, staged, fetched, and refused
// where anything isn't as it was signed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeRelease, makeReleaseKey } from '../../scripts/desktop-release.ts';
import { compareVersions, type SignedRelease } from '#wire/releases/release.ts';
import { runAdmin } from '#server/admin-commands.ts';
import { createTestServer, type TestServer, weakHash } from '../api/harness.ts';
import type { Build } from '#desktop/updates/build.ts';
import { Updates } from '#desktop/updates/updates.ts';
import type { Outgoing } from '#desktop/shell.ts';

const ORIGIN = 'http://localhost';
const DAY = 86_400_000;

describe('a release of the desktop client', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-release-'));
  const dataDir = join(root, 'data');
  const secret = join(root, 'key');
  let server: TestServer;
  let key: string;
  before(async () => {
    server = await createTestServer({ environment: { DATA_DIR: dataDir } });
    key = makeReleaseKey(secret);
  });
  after(async () => {
    await server.close();
    rmSync(root, { recursive: true });
  });

  /** A folder with a release, whose one installer has this content. */
  function made(version: string, content: string, ending = 'deb'): string {
    const installer = join(root, `posthaste_${version}.${ending}`);
    writeFileSync(installer, content);
    const folder = join(root, `release-${version}-${ending}`);
    const notes = `- What is new in ${version}`;
    makeRelease(folder, { files: [installer], key: secret, notes, version, at: server.clock.now() });
    return folder;
  }

  async function add(folder: string): Promise<string | null> {
    const added = await server.services.desk.desktop.add(folder);
    if (!added.ok) return added.problem;
    await server.services.desk.releases.write(added.value.version, added.value.notes);
    return null;
  }

  const publish = (version: string, at = server.clock.now()) =>
    server.services.desk.releases.publish(version, at);

  /** A client of this version, and what it kept and opened. */
  function client(
    version: string,
    {
      built = {},
      chance = 0,
      own = new Map<string, string>(),
      change = (body: Uint8Array) => body,
    }: {
      built?: Partial<Build>;
      chance?: number;
      own?: Map<string, string>;
      /** What somebody on the way makes of an answer. */
      change?: (body: Uint8Array, path: string) => Uint8Array;
    } = {},
  ) {
    const kept = new Map<string, Uint8Array>();
    const opened: string[] = [];
    const updates = new Updates({
      build: { version, platform: 'debian', key, ...built },
      server: () => ORIGIN,
      chance: () => chance,
      shell: {
        async ask({ address }: Outgoing) {
          const path = address.slice(ORIGIN.length);
          const answer = await server.ask(path);
          const body = change(new Uint8Array(await answer.arrayBuffer()), path);
          return { status: answer.status, headers: {}, cookies: [], body };
        },
        readOwn: (name) => Promise.resolve(own.get(name) ?? null),
        writeOwn(name, text) {
          own.set(name, text);
          return Promise.resolve(true);
        },
        sha256: (content) => Promise.resolve(createHash('sha256').update(content).digest('hex')),
        keepUpdate(name, content) {
          kept.set(name, content);
          return Promise.resolve(`/kept/${name}`);
        },
        openUpdate(path) {
          opened.push(path);
          return Promise.resolve(true);
        },
      },
    });
    return { updates, kept, opened, own };
  }

  test('[DESK-80] [DESK-81] [DESK-84] is fetched once it is available, and opened when the person wants it', async () => {
    const { updates, kept, opened } = client('0.2.0');
    assert.deepEqual(await updates.look(false), { type: 'newest' });
    assert.equal(await add(made('0.3.0', 'the new program')), null);
    assert.deepEqual(await updates.look(false), { type: 'newest' }, 'it isn’t available yet');
    assert.equal((await server.ask('/downloads/0.3.0/posthaste_0.3.0.deb')).status, 404);
    assert.equal(await publish('0.3.0'), true);
    const notes = '- What is new in 0.3.0';
    assert.deepEqual(await updates.look(false), { type: 'ready', version: '0.3.0', notes });
    assert.equal(new TextDecoder().decode(kept.get('posthaste-update.deb')), 'the new program');
    assert.deepEqual(opened, []);
    assert.equal(await updates.install(), true);
    assert.deepEqual(opened, ['/kept/posthaste-update.deb']);
    assert.deepEqual(await client('0.3.0').updates.look(true), { type: 'newest' });
    assert.deepEqual(await client('0.2.0', { built: { platform: 'mac' } }).updates.look(true), {
      type: 'newest',
    });
    assert.deepEqual(await client('0.2.0', { built: { key: null } }).updates.look(true), { type: 'off' });
  });

  test('[DESK-81] a file is answered in parts, and for good', async () => {
    const path = '/downloads/0.3.0/posthaste_0.3.0.deb';
    const whole = await server.ask(path);
    assert.equal(whole.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(whole.headers.get('content-type'), 'application/octet-stream');
    assert.equal(await whole.text(), 'the new program');
    const part = await server.ask(path, { headers: { range: 'bytes=4-6' } });
    assert.deepEqual([part.status, await part.text()], [206, 'new']);
    const etag = whole.headers.get('etag') ?? '';
    assert.equal((await server.ask(path, { headers: { 'if-none-match': etag } })).status, 304);
    for (const wrong of [
      '/downloads/0.3.0/release.json',
      '/downloads/0.3.1/posthaste_0.3.0.deb',
      '/downloads/x/y',
    ])
      assert.equal((await server.ask(wrong)).status, 404, wrong);
    assert.equal((await server.ask('/api/desktop_releases/amiga/latest')).status, 404);
  });

  test('[DESK-82] what isn’t signed by who built the client is refused, and nothing of it is kept', async () => {
    const other = join(root, 'other-key');
    const otherKey = makeReleaseKey(other);
    const lies: Readonly<Record<string, (signed: SignedRelease) => SignedRelease>> = {
      'another version': (signed) => ({ ...signed, manifest: signed.manifest.replace('0.3.0', '0.9.0') }),
      'another signature': (signed) => ({ ...signed, signature: signed.signature.replace(/^../, '00') }),
      'another key': (signed) => ({ ...signed, key: otherKey }),
      'a space': (signed) => ({ ...signed, manifest: `${signed.manifest} ` }),
    };
    for (const [name, lie] of Object.entries(lies)) {
      const { updates, kept } = client('0.2.0', {
        change(body, path) {
          if (!path.startsWith('/api/')) return body;
          const answer = JSON.parse(new TextDecoder().decode(body)) as { release: SignedRelease };
          return new TextEncoder().encode(JSON.stringify({ ...answer, release: lie(answer.release) }));
        },
      });
      const expected = name === 'another key' ? 'ready' : 'refused';
      assert.equal(
        (await updates.look(true)).type,
        expected,
        `${name}: what the server says of keys counts for nothing`,
      );
      assert.equal(kept.size, expected === 'ready' ? 1 : 0);
    }
    const foreign = client('0.2.0', { built: { key: otherKey } });
    assert.deepEqual(await foreign.updates.look(true), { type: 'refused' });
    for (const change of [
      (body: Uint8Array) => body.subarray(0, -1),
      (body: Uint8Array) => body.map((byte, index) => (index === 3 ? byte ^ 1 : byte)),
    ]) {
      const { updates, kept } = client('0.2.0', {
        change: (body, path) => (path.startsWith('/downloads/') ? change(body) : body),
      });
      assert.deepEqual(await updates.look(true), { type: 'refused' });
      assert.equal(kept.size, 0);
      assert.equal(await updates.install(), false);
    }
    const garbage = client('0.2.0', { change: () => new TextEncoder().encode('<html>') });
    assert.deepEqual(await garbage.updates.look(true), { type: 'unknown' });
  });

  test('[DESK-83] nothing older than what was seen once is taken', async () => {
    const own = new Map<string, string>();
    assert.equal(await add(made('0.4.0', 'newer still')), null);
    await publish('0.4.0');
    assert.equal((await client('0.2.0', { own }).updates.look(true)).type, 'ready');
    // A server that forgot, or pretends to, offers what came before.
    await server.services.desk.releases.publish('0.4.0', server.clock.now() + DAY);
    assert.deepEqual(await client('0.2.0', { own }).updates.look(true), { type: 'refused' });
    assert.deepEqual(await client('0.3.5').updates.look(true), { type: 'refused' });
    server.clock.pass(DAY);
    assert.equal((await client('0.2.0', { own }).updates.look(true)).type, 'ready');
    own.set('updates.json', '{"newest":"x","place":"y"}');
    assert.equal((await client('0.2.0', { own }).updates.look(true)).type, 'ready');
    assert.ok(compareVersions('0.10.0', '0.9.9') > 0 && compareVersions('1.0.0', '1.0.0') === 0);
  });

  test('[DESK-85] is taken by so many of a hundred, and by who asks', async () => {
    assert.equal(await server.services.desk.desktop.stage('0.4.0', 30), true);
    assert.equal(await server.services.desk.desktop.stage('9.9.9', 30), false);
    const own = new Map<string, string>();
    assert.deepEqual(await client('0.2.0', { chance: 30, own }).updates.look(false), { type: 'newest' });
    // The place stays, so that asking often doesn't change it.
    assert.deepEqual(await client('0.2.0', { chance: 0, own }).updates.look(false), { type: 'newest' });
    assert.equal((await client('0.2.0', { chance: 30, own }).updates.look(true)).type, 'ready');
    assert.equal((await client('0.2.0', { chance: 29 }).updates.look(false)).type, 'ready');
  });

  test('[DESK-80] the server takes only what was signed, and never other files for a version that is out', async () => {
    const folder = made('0.5.0', 'content');
    writeFileSync(join(folder, 'posthaste_0.5.0.deb'), 'contend');
    assert.equal(await add(folder), 'posthaste_0.5.0.deb isn’t the file that was signed.');
    writeFileSync(join(folder, 'posthaste_0.5.0.deb'), 'content and more');
    assert.equal(await add(folder), 'posthaste_0.5.0.deb is larger than signed.');
    rmSync(join(folder, 'posthaste_0.5.0.deb'));
    assert.match((await add(folder)) ?? '', /can’t be read\.$/);
    const text = readFileSync(join(folder, 'release.json'), 'utf8');
    writeFileSync(join(folder, 'release.json'), text.replace('0.5.0', '0.6.0'));
    assert.match((await add(folder)) ?? '', /isn’t what was signed/);
    writeFileSync(join(folder, 'release.json'), text.slice(0, 40));
    assert.match((await add(folder)) ?? '', /isn’t what was signed/);
    assert.match((await add(root)) ?? '', /has no release\.json\.$/);
    assert.match((await add(made('0.4.0', 'other files'))) ?? '', /available already, with other files/);
    assert.throws(() => made('0.7.0', 'x', 'zip'), /is no \.deb/);
    assert.throws(() => made('0.7', 'x'));
    assert.throws(() => makeReleaseKey(secret), /EEXIST/);
  });

  test('[DESK-86] the operator adds, stages and lists releases', async () => {
    const folder = join(root, 'admin');
    const admin = async (...words: string[]) => {
      const lines: string[] = [];
      const code = await runAdmin(words, {
        environment: { DATA_DIR: folder },
        print: (line) => void lines.push(line),
        readPassword: () => Promise.resolve(''),
        hashParameters: weakHash,
      });
      return { code, text: lines.join('\n') };
    };
    assert.deepEqual(await admin('release', 'add', root), { code: 1, text: `${root} has no release.json.` });
    const added = await admin('release', 'add', made('0.8.0', 'for the operator'));
    assert.match(added.text, /^ {2}debian {3}posthaste_0\.8\.0\.deb\nAdded 0\.8\.0\./);
    assert.match((await admin('release', 'publish', '0.8.0')).text, /^0\.8\.0 is available/);
    assert.match((await admin('release', 'stage', '0.8.0', '10')).text, /^10 of a hundred/);
    assert.equal((await admin('release', 'stage', '0.8.0', '101')).code, 1);
    assert.equal((await admin('release', 'stage', '0.9.0', '10')).code, 1);
    assert.match((await admin('release', 'list')).text, /^0\.8\.0 +\d{4}-\d\d-\d\d {2}debian \(10%\)$/);
  });
});
