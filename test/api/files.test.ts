// Attached files over their doors: what is taken and given, to whom, and what is swept away.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import { fileLimits } from '#wire/files.ts';
import { protocolVersion } from '#wire/version.ts';
import { createTestServer, type TestServer } from './harness.ts';

const DAY = 86_400_000;
const newId = () => crypto.randomUUID() as Id;
const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
const bytesOf = (text: string) => Buffer.from(text, 'latin1');
const BINARY = { 'content-type': 'application/octet-stream' };

describe('attached files', () => {
  let server: TestServer;
  before(async () => {
    server = await createTestServer();
  });
  after(() => server.close());

  let people = 0;
  async function person() {
    people += 1;
    const { cookie, personalScope, account } = await server.signUp(`person${people}@example.org`);
    const scope = personalScope as Id;
    const device = newId();
    let seq = 0;
    async function act(...actions: readonly object[]): Promise<readonly string[]> {
      const ops = actions.map((action) => {
        seq += 1;
        return { q: seq, u: newId(), scope, t: server.clock.now(), b: 0, ...action };
      });
      const head = {
        schema: protocolVersion,
        device,
        clientNow: server.clock.now(),
        ack: 0,
        cursors: {},
        ops,
      };
      const response = await server.ask('/sync/v1', { method: 'POST', cookie, body: head });
      const { results } = (await response.json()) as { results: [number, string][] };
      return results.map(([, verdict]) => verdict);
    }
    const inbox = inboxId(scope);
    const task = newId();
    await act(
      {
        a: 'create',
        id: inbox,
        type: 'list',
        fields: { listType: 'inbox' },
        place: { parent: listsRoot(scope) },
      },
      { a: 'create', id: task, type: 'task', fields: { title: 'With a file' }, place: { parent: inbox } },
    );
    const send = (content: Uint8Array, hash = hashOf(content), to = scope) =>
      server.ask(`/app/api/files/${to}/${hash}`, {
        method: 'POST',
        cookie,
        raw: new Uint8Array(content),
        headers: BINARY,
      });
    async function attach(content: Uint8Array, name: string, hash = hashOf(content)): Promise<Id> {
      const id = newId();
      const fields = { name, hash, sizeBytes: content.length, fileType: 'text/html' };
      assert.deepEqual(await act({ a: 'create', id, type: 'attachment', fields, place: { parent: task } }), [
        'ok',
      ]);
      return id;
    }
    const get = (file: Id, headers: Readonly<Record<string, string>> = {}, of = scope) =>
      server.ask(`/app/api/files/${of}/${file}`, { cookie, headers });
    return { cookie, scope, account, task, act, send, attach, get };
  }

  test('[FILE-1] come back as they were sent, whole and in parts', async () => {
    const ada = await person();
    const content = bytesOf('0123456789');
    assert.equal((await ada.send(content)).status, 200);
    const file = await ada.attach(content, 'digits.txt');
    const whole = await ada.get(file);
    assert.equal(await whole.text(), '0123456789');
    for (const [range, status, expected] of [
      ['bytes=2-4', 206, '234'],
      ['bytes=7-', 206, '789'],
      ['bytes=-2', 206, '89'],
      ['bytes=5-99', 206, '56789'],
      ['bytes=10-', 416, ''],
      ['bytes=1-2,4-5', 200, '0123456789'],
    ] as const) {
      const part = await ada.get(file, { range });
      assert.deepEqual([range, part.status, await part.text()], [range, status, expected]);
    }
    const empty = Buffer.alloc(0);
    assert.equal((await ada.send(empty)).status, 200);
    assert.equal(await (await ada.get(await ada.attach(empty, 'empty'))).text(), '');
  });

  test('[FILE-2] are taken only as what their hash says, and only whole', async () => {
    const ada = await person();
    const wrong = await ada.send(bytesOf('one thing'), hashOf(bytesOf('another')));
    assert.equal(wrong.status, 422);
    const large = await server.ask(`/app/api/files/${ada.scope}/${'0'.repeat(64)}`, {
      method: 'POST',
      cookie: ada.cookie,
      raw: new Uint8Array(fileLimits.fileBytes + 1),
      headers: BINARY,
    });
    assert.equal(large.status, 413);
    assert.deepEqual(await readdir(`${server.files}/partial`), [], 'nothing half is left');
    for (const name of ['..%2f..%2fetc%2fpasswd', 'ABC', `${'0'.repeat(63)}g`])
      assert.equal(
        (
          await server.ask(`/app/api/files/${ada.scope}/${name}`, {
            method: 'POST',
            cookie: ada.cookie,
            raw: 'x',
            headers: BINARY,
          })
        ).status,
        404,
      );
  });

  test('[FILE-3] are given to nobody else, and never for knowing a hash', async () => {
    const [ada, eve] = [await person(), await person()];
    const secret = bytesOf('the plan');
    await ada.send(secret);
    const file = await ada.attach(secret, 'plan.txt');
    assert.equal((await eve.get(file, {}, ada.scope)).status, 404);
    assert.equal((await eve.get(file)).status, 404);
    const claimed = await eve.attach(secret, 'plan.txt');
    assert.equal((await eve.get(claimed)).status, 404, 'she has not sent it');
    assert.equal((await eve.send(secret, hashOf(secret), ada.scope)).status, 404);
    assert.equal((await ada.get(ada.task)).status, 404, 'a task is no file');
  });

  test('[FILE-3] [API-23] a program finds a link to them in the task, which opens for it alone, for minutes, and while its token is good', async () => {
    const [ada, eve] = [await person(), await person()];
    const { sessions } = server.services;
    const tokenOf = (account: number) =>
      sessions.open({ account, kind: 'api', userAgent: '', access: 'read' });
    const [own, foreign] = [await tokenOf(ada.account), await tokenOf(eve.account)];
    const plan = bytesOf('the plan');
    await ada.send(plan);
    const id = await ada.attach(plan, 'plan.txt');
    const linkOf = async () => {
      const answer = await server.ask(`/api/tasks/${ada.task}`, { bearer: own.token });
      const { task } = (await answer.json()) as { task: ApiTask };
      const attachment = task.todo_item_attachments.find((each) => each.id === id);
      assert.deepEqual([attachment?.name, attachment?.todo_item_id], ['plan.txt', ada.task]);
      return new URL(attachment?.url ?? '');
    };
    const open = async (link: URL, headers = {}) => {
      const answer = await server.ask(link.pathname + link.search, { headers });
      return answer.ok ? answer.text() : answer.status;
    };
    const link = await linkOf();
    assert.equal(link.pathname, `/api/attachments/${id}`);
    assert.deepEqual([await open(link), await open(link, { range: 'bytes=4-' })], ['the plan', 'plan']);
    assert.ok(!link.href.includes(own.token));
    for (const [name, value] of [
      ['token', foreign.session.id],
      ['until', String(Number(link.searchParams.get('until')) + 1)],
      ['signature', link.searchParams.get('signature')!.toUpperCase()],
    ] as const) {
      const altered = new URL(link);
      altered.searchParams.set(name, value);
      assert.equal(await open(altered), 404, name);
    }
    const elsewhere = new URL(link);
    elsewhere.pathname = `/api/attachments/${newId()}`;
    assert.equal(await open(elsewhere), 404);
    server.clock.pass(10 * 60_000);
    assert.equal(await open(link), 404, 'it is over');
    const next = await linkOf();
    assert.equal(await open(next), 'the plan');
    await sessions.revoke([own.session.id]);
    assert.equal(await open(next), 404, 'the token is revoked');
  });

  test('[FILE-4] [FILE-5] are never what a sender says they are, and lead nowhere', async () => {
    const ada = await person();
    for (const [content, type] of [
      ['<html><script>alert(1)</script>', 'application/octet-stream'],
      ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'application/octet-stream'],
      ['\x89PNG\r\n\x1a\n<script>alert(1)</script>', 'image/png'],
    ] as const) {
      const bytes = bytesOf(content);
      await ada.send(bytes);
      const response = await ada.get(await ada.attach(bytes, '../../x\r\nSet-Cookie: a=b; "\u202egpj.exe'));
      assert.equal(response.headers.get('content-type'), type);
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
      assert.equal(
        response.headers.get('content-disposition'),
        "attachment; filename*=UTF-8''xSet-Cookie_%20a%3Db%3B%20_gpj.exe",
      );
      assert.equal(response.headers.get('set-cookie'), null);
    }
  });

  test('[FILE-6] of one account have their limit, also when many come at once', async () => {
    const ada = await person();
    const { db } = server.database;
    const filled = fileLimits.accountBytes - 25;
    await db
      .insertInto('blob')
      .values({ scope: ada.scope, hash: 'f'.repeat(64), bytes: filled, created_at: server.clock.now() })
      .execute();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ada.send(bytesOf(`file ${String(n).padStart(5, '0')}`))),
    );
    const taken = answers.filter(({ status }) => status === 200).length;
    assert.ok(taken <= 2, `${taken} files of 10 bytes into 25`);
    assert.ok(answers.every(({ status }) => status === 200 || status === 413));
    const { sum } = await db
      .selectFrom('blob')
      .select((of) => of.fn.sum<number>('bytes').as('sum'))
      .where('scope', '=', ada.scope)
      .executeTakeFirstOrThrow();
    assert.ok(Number(sum) <= fileLimits.accountBytes);
    const again = await ada.send(bytesOf('file 00000'));
    assert.ok(again.status === 200 || again.status === 413);
  });

  test('[FILE-7] that nothing names any more are swept away, and no other', async () => {
    const [ada, eve] = [await person(), await person()];
    const [kept, lost, shared] = [bytesOf('kept'), bytesOf('lost'), bytesOf('shared')];
    for (const content of [kept, lost, shared]) await ada.send(content);
    await eve.send(shared);
    await ada.attach(kept, 'kept.txt');
    const hers = await eve.attach(shared, 'shared.txt');
    // Content is aged by the file system's own clock.
    const folderOf = (content: Uint8Array) => `${server.files}/${hashOf(content).slice(0, 2)}`;
    const sentAt = server.clock.now() / 1_000;
    for (const content of [kept, lost, shared])
      await utimes(`${folderOf(content)}/${hashOf(content)}`, sentAt, sentAt);
    server.clock.pass(8 * DAY);
    await server.services.care.run();
    const there = async (content: Uint8Array) => (await readdir(folderOf(content))).includes(hashOf(content));
    assert.deepEqual([await there(kept), await there(lost), await there(shared)], [true, false, true]);
    assert.equal(await (await eve.get(hers)).text(), 'shared');
  });
});
