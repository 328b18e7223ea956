// Outgoing mail: what is on disk before anything is acknowledged, and a real mail server that refuses, fails and accepts.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { createLogger } from '../observe/log.ts';
import { openFolderOutbox } from './outbox.ts';
import { openPost, type Post } from './post.ts';

const clock = { now: () => Date.UTC(2026, 10, 20, 12), monotonic: () => 0 };

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posthaste-post-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

interface Received {
  readonly to: readonly string[];
  readonly raw: string;
}

/** A mail server on a free port; `answer` may refuse a letter. */
async function mailServer(t: TestContext, answer: () => Error | null) {
  const received: Received[] = [];
  const arrived = Promise.withResolvers<void>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, callback) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const refused = answer();
        if (!refused)
          received.push({
            to: session.envelope.rcptTo.map(({ address }) => address),
            raw: Buffer.concat(parts).toString(),
          });
        callback(refused);
        arrived.resolve();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, received, arrived: arrived.promise };
}

async function open(t: TestContext, folder: string, smtpUrl: string | null) {
  const logged: string[] = [];
  const log = createLogger({ level: 'info', clock, write: (line) => void logged.push(line) });
  const post = await openPost({
    outbox: await openFolderOutbox(folder),
    smtpUrl,
    from: 'Posthaste <posthaste@example.org>',
    clock,
    log,
  });
  t.after(() => post.close());
  return { post, logged };
}

const letters = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.eml'));

async function emptied(post: Post): Promise<void> {
  while (post.waiting() > 0) await new Promise((resolve) => setImmediate(resolve));
}

describe('outgoing mail', () => {
  test('stays in the outbox, readable by its owner only, when there is no mail server', async (t) => {
    const folder = await temporaryFolder(t);
    const { post, logged } = await open(t, folder, null);
    await post.send({ to: 'ada@example.org', subject: 'Grüße', text: 'Zeile eins\n.\nZeile zwei\n' });
    const [name = ''] = await letters(folder);
    assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
    const read = await PostalMime.parse(await readFile(join(folder, name)));
    assert.equal(read.subject, 'Grüße');
    assert.equal(read.from?.address, 'posthaste@example.org');
    assert.deepEqual(
      read.to?.map(({ address }) => address),
      ['ada@example.org'],
    );
    assert.equal(read.text?.trim(), 'Zeile eins\n.\nZeile zwei');
    assert.match(logged.join(), /mail_kept_in_outbox/);
    assert.doesNotMatch(logged.join(), /ada|Gr/, 'the log holds neither address nor text');
  });

  test('is handed over to the mail server and then leaves the outbox', async (t) => {
    const folder = await temporaryFolder(t);
    const server = await mailServer(t, () => null);
    const { post } = await open(t, folder, server.url);
    await post.send({ to: 'ada@example.org', subject: 'One', text: 'First', replyTo: 'bob@example.org' });
    await post.send({ to: 'eve@example.org', subject: 'Two', text: 'Second' });
    await emptied(post);
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [['ada@example.org'], ['eve@example.org']],
    );
    assert.match(server.received[0]?.raw ?? '', /^Reply-To: bob@example\.org\r$/m);
    assert.deepEqual(await letters(folder), []);
  });

  test('waits in the outbox while the mail server fails, and goes with the next start', async (t) => {
    const folder = await temporaryFolder(t);
    const failing = await mailServer(t, () => Object.assign(new Error('later'), { responseCode: 451 }));
    const first = await open(t, folder, failing.url);
    await first.post.send({ to: 'ada@example.org', subject: 'One', text: 'First' });
    await failing.arrived;
    await first.post.close();
    assert.equal((await letters(folder)).length, 1);
    const working = await mailServer(t, () => null);
    const second = await open(t, folder, working.url);
    await emptied(second.post);
    assert.equal(working.received.length, 1);
  });

  test('that is refused for good is put aside, and the next letter goes', async (t) => {
    const folder = await temporaryFolder(t);
    let isFirst = true;
    const server = await mailServer(t, () => {
      const refused = isFirst ? Object.assign(new Error('no'), { responseCode: 550 }) : null;
      isFirst = false;
      return refused;
    });
    const { post, logged } = await open(t, folder, server.url);
    await post.send({ to: 'nobody@example.org', subject: 'One', text: 'First' });
    await post.send({ to: 'ada@example.org', subject: 'Two', text: 'Second' });
    await emptied(post);
    assert.equal(server.received.length, 1);
    assert.equal((await letters(join(folder, 'refused'))).length, 1);
    assert.match(logged.join(), /mail_refused/);
  });

  test('cannot be led elsewhere by what a letter says', async (t) => {
    const folder = await temporaryFolder(t);
    const { post } = await open(t, folder, null);
    await post.send({ to: 'ada@example.org', subject: 'x\r\nBcc: eve@example.org', text: 'Hello' });
    const [name = ''] = await letters(folder);
    const read = await PostalMime.parse(await readFile(join(folder, name)));
    assert.equal(read.bcc, undefined);
    assert.deepEqual(
      read.to?.map(({ address }) => address),
      ['ada@example.org'],
    );
  });
});
