// Mail that comes in over the SMTP door and becomes tasks: what becomes of it, and whose it is. What is refused, and how the
// door holds out against senders that mean no good, is mail-door.test.ts.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { replayLedger } from '#server/care/ledger-replay.ts';
import { historyPageSchema } from '#wire/history.ts';
import { deviceListSchema } from '#wire/account.ts';
import { createMailWorld, DOMAIN, type MailPerson, type MailWorld } from './mail-world.ts';
import { plainMail } from './smtp-client.ts';

const CRLF = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n`;

const HTML_MAIL = CRLF([
  'From: =?utf-8?q?Zo=C3=AB?= <zoe@example.net>',
  'Subject: =?utf-8?b?U3VtbWVyIPCfjLs=?=',
  'Message-ID: <html-1@example.net>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="outer"',
  '',
  '--outer',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<h1>Gr=FC=DFe</h1><p>See <a href=3D"https://example.net/x">the plan</a>.</p>',
  '<img src=3D"https://tracker.example.net/1.gif"><script>alert(1)</script>',
  '--outer',
  'Content-Type: application/pdf; name="../../etc/plan.pdf"',
  'Content-Transfer-Encoding: base64',
  'Content-Disposition: attachment',
  '',
  'JVBERi0xLjQ=',
  '--outer--',
]);

describe('mail into tasks', () => {
  let world: MailWorld;
  let people = 0;
  before(async () => {
    world = await createMailWorld();
  });
  after(() => world.close());

  const person = () => world.person(`person${(people += 1)}@example.org`);
  const send = async (to: string, message: string) => {
    const { code, text } = await world.send(to, message);
    assert.equal(code, 250, text);
  };
  const said = async (of: MailPerson) =>
    (await of.arrived()).map(({ title, notes }) => ({ title, notes })).toReversed();

  test('[MAIL-1] subject, text and files become a task at the end of the list', async () => {
    const ada = await person();
    await ada.task({ title: 'First' });
    await send(await ada.address(), plainMail({ subject: 'Seeds', text: 'Ask what they cost.\n.\n..two' }));
    const tasks = await ada.arrived();
    const mailed = tasks.find(({ title }) => title === 'Seeds');
    const first = tasks.find(({ title }) => title === 'First');
    assert.equal(mailed?.notes, 'Ask what they cost.\n.\n..two');
    assert.equal(mailed.list_id, ada.inbox);
    assert.ok(mailed.order_index > (first?.order_index ?? Infinity), 'at the end');
    const found = await ada.tasks('?query=is:emailed');
    assert.deepEqual(
      found.map(({ title }) => title),
      ['Seeds'],
    );
  });

  test('[MAIL-1] its author is “E-mail”, and open apps hear of it', async () => {
    const ada = await person();
    const heard: number[] = [];
    const stop = world.server.bus.subscribe((message) => {
      if (message.type === 'changed' && message.scope === ada.scope) heard.push(message.to);
    });
    await send(await ada.address(), plainMail({ subject: 'From afar' }));
    await ada.arrived();
    stop?.();
    assert.equal(heard.length, 1, 'one change');
    const { server } = world;
    const ask = async (path: string) => (await server.ask(path, { cookie: ada.cookie })).json();
    const { entries } = historyPageSchema.parse(await ask(`/app/api/history/${ada.scope}`));
    const { devices } = deviceListSchema.parse(await ask('/app/api/devices'));
    const author = devices.find(({ number }) => number === entries[0]?.device);
    assert.equal(author?.name, 'E-mail');
  });

  test('[MAIL-1] [MAIL-2] [MAIL-3] HTML becomes text, files become attachments', async () => {
    const ada = await person();
    await send(await ada.address(), HTML_MAIL);
    const [task] = await ada.arrived();
    assert.equal(task?.title, 'Summer 🌻');
    assert.equal(task.notes, 'Grüße\n\nSee the plan (https://example.net/x).');
    assert.deepEqual(
      task.todo_item_attachments.map(({ name, file_type: type, file_size_in_bytes: size }) => [
        name,
        type,
        size,
      ]),
      [['plan.pdf', 'application/pdf', 8]],
    );
    const file = task.todo_item_attachments[0]?.id ?? '';
    const given = await world.server.ask(`/app/api/files/${ada.scope}/${file}`, { cookie: ada.cookie });
    assert.equal(await given.text(), '%PDF-1.4');
  });

  test('[MAIL-5] what cannot be read is attached as it arrived', async () => {
    const ada = await person();
    const to = await ada.address();
    const parts = Array.from({ length: 400 }, () => '--b\r\n\r\nx').join('\r\n');
    const bomb = `Subject: Bomb\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}\r\n--b--\r\n`;
    await send(to, bomb);
    await send(to, plainMail({ subject: 'After it' }));
    const tasks = await ada.arrived();
    assert.deepEqual(tasks.map(({ title }) => title).toSorted(), ['After it', 'Unreadable email']);
    const attached = tasks.flatMap(({ todo_item_attachments: files }) => files);
    assert.deepEqual(
      attached.map(({ name }) => name),
      ['Message.eml'],
    );
    const given = await world.server.ask(`/app/api/files/${ada.scope}/${attached[0]?.id}`, {
      cookie: ada.cookie,
    });
    assert.equal(await given.text(), bomb);
  });

  test('[MAIL-6] the same message is one task, whatever relays added', async () => {
    const ada = await person();
    const to = await ada.address();
    const message = plainMail({ subject: 'Once', id: '<once@example.net>' });
    await send(to, message);
    await send(to, `Received: from relay.example.net; today\r\n${message}`);
    const [task] = await ada.arrived();
    assert.equal((await ada.arrived()).length, 1);
    await ada.call('DELETE', `/api/tasks/${task?.id}`);
    await send(to, message);
    assert.deepEqual(await ada.arrived(), [], 'and does not come back');
    await send(to, plainMail({ subject: 'Another', id: '<once@example.net>' }));
    await send(to, 'Subject: Bare\r\n\r\nno id\r\n');
    await send(to, 'Subject: Bare\r\n\r\nno id\r\n');
    assert.deepEqual(
      (await ada.arrived()).map(({ title }) => title).toSorted(),
      ['Another', 'Bare', 'Bare'],
      'other content under that id, and messages without one',
    );
  });

  test('[MAIL-7] [MAIL-11] a list in the trash receives nothing; what was taken before goes to the Inbox', async () => {
    const ada = await person();
    const folder = await ada.list({ name: 'Work', list_type: 'folder' });
    const list = await ada.list({ name: 'Garden', parent_id: folder.id });
    const to = await ada.address(list.id as Id);
    // What lies in the spool when the server starts was taken before.
    const spool = world.server.spool!;
    const incoming = await spool.begin({
      id: crypto.randomUUID() as Id,
      scope: ada.scope,
      list: list.id as Id,
      account: ada.account,
      from: 'ada@example.net',
      at: world.server.clock.now(),
    });
    await incoming.write(Buffer.from(plainMail({ subject: 'Just before' })));
    await incoming.keep();
    await ada.call('DELETE', `/api/lists/${folder.id}`);
    assert.equal((await world.send(to, plainMail())).code, 550);
    await world.mailIn.start();
    const tasks = await ada.arrived();
    assert.deepEqual(
      tasks.map(({ title, list_id: where }) => [title, where]),
      [['Just before', ada.inbox]],
    );
  });

  test('[MAIL-8] an address is a name and a code of its own, kept as a digest and sealed', async () => {
    const ada = await person();
    const list = await ada.list({ name: 'Größe & Überraschung!' });
    const [inbox, own] = [await ada.address(), await ada.address(list.id as Id)];
    assert.match(inbox, new RegExp(`^inbox-[a-z2-7]{20}@${DOMAIN}$`));
    assert.match(own, new RegExp(`^gro-e-uberraschung-[a-z2-7]{20}@${DOMAIN}$`));
    assert.equal(await ada.address(list.id as Id), own, 'the same whenever it is asked for');
    const code = /-([a-z2-7]{20})@/.exec(own)?.[1] ?? '';
    const rows = await world.server.database.db.selectFrom('mail_address').selectAll().execute();
    const kept = rows.flatMap((row) => [row.code_hash, row.sealed_code].map((bytes) => Buffer.from(bytes)));
    assert.ok(kept.length > 0 && kept.every((bytes) => !bytes.includes(code)));
    // Only the code counts, in any case: lists are renamed, and mail systems change letters.
    await send(`OLD-NAME-${code.toUpperCase()}@${DOMAIN.toUpperCase()}`, plainMail({ subject: 'Found it' }));
    assert.deepEqual(
      (await ada.arrived()).map(({ list_id: where }) => where),
      [list.id],
    );
    for (const list_type of ['folder', 'smart']) {
      const other = await ada.list({ name: 'None', list_type });
      assert.equal((await ada.ask('/app/api/mail_address', other.id as Id)).status, 404, list_type);
      assert.equal(other.email_address, '');
    }
  });

  test('[MAIL-9] a new address ends the old one, also after a restore', async () => {
    const ada = await person();
    const { db } = world.server.database;
    const old = await ada.address();
    const before = await db.selectFrom('mail_address').selectAll().where('scope', '=', ada.scope).execute();
    const renewed = (await ada.ask('/app/api/mail_address/new', ada.inbox)).body.address;
    assert.notEqual(renewed, old);
    assert.equal((await world.send(old, plainMail())).code, 550);
    await send(renewed, plainMail({ subject: 'By the new one' }));
    assert.deepEqual(
      (await said(ada)).map(({ title }) => title),
      ['By the new one'],
    );
    // A backup of before is put back, and the server started.
    await db.deleteFrom('mail_address').where('scope', '=', ada.scope).execute();
    await db.insertInto('mail_address').values(before).execute();
    assert.equal((await replayLedger(world.server.database, world.server.ledger, Date.now())).addresses, 1);
    assert.equal((await world.send(old, plainMail())).code, 550);
  });

  test('[MAIL-10] is told to those who may write, with a confirmed address', async () => {
    const [ada, bob] = [await person(), await person()];
    const { server } = world;
    const body = { scope: ada.scope, list: ada.inbox };
    const asBob = await server.ask('/app/api/mail_address', { method: 'POST', cookie: bob.cookie, body });
    assert.equal(asBob.status, 404);
    const address = await ada.address();
    const ofApi = (await ada.lists()).find(({ id }) => id === ada.inbox);
    assert.equal(ofApi?.email_address, address);
    const reading = await server.services.sessions.open({
      account: ada.account,
      kind: 'api',
      userAgent: '',
      access: 'read',
    });
    const read = await server.ask('/api/lists', { bearer: reading.token });
    const { lists } = (await read.json()) as { lists: { email_address: string }[] };
    assert.ok(lists.every(({ email_address: none }) => none === ''));
    const { db } = server.database;
    await db.updateTable('account').set({ verified_at: null }).where('id', '=', ada.account).execute();
    assert.equal((await ada.ask('/app/api/mail_address', ada.inbox)).status, 403);
    assert.equal((await world.send(address, plainMail())).code, 550, 'and takes none');
  });

  test('[MAIL-17] counts what arrives, and tells the owner once above what is asked', async () => {
    const ada = await person();
    const to = await ada.address();
    const { db } = world.server.database;
    const at = world.server.clock.now();
    const fill = (count: number, bytes: number) =>
      db
        .insertInto('mail_receipt')
        .values(
          Array.from({ length: count }, () => ({
            id: crypto.randomUUID() as Id,
            account: ada.account,
            bytes,
            at,
          })),
        )
        .execute();
    await fill(99, 404_000);
    const letters = () => world.server.letters.filter(({ subject }) => /a lot of email/.test(subject)).length;
    await send(to, plainMail({ subject: 'Still fine' }));
    await ada.arrived();
    const { use } = (await ada.ask('/app/api/mail_address', ada.inbox)).body;
    assert.ok(use);
    assert.equal(use.messages, 100);
    assert.ok(use.bytes > 99 * 404_000 && use.bytes < 40_000_000, String(use.bytes));
    assert.equal(letters(), 0);
    const padding = 'x'.repeat(70).concat('\n').repeat(100);
    await send(to, plainMail({ subject: 'One more', text: padding }));
    await ada.arrived();
    assert.equal(letters(), 1);
    await send(to, plainMail({ subject: 'And more', text: padding }));
    await ada.arrived();
    assert.equal(letters(), 1, 'once');
    await fill(100, 400_000);
    const over = await world.send(to, plainMail());
    assert.deepEqual([over.code, over.text.slice(0, 5)], [452, '4.2.2']);
    world.server.clock.pass(31 * 86_400_000);
    await world.mailIn.desk.prune();
    await send(to, plainMail({ subject: 'Next month' }));
  });

  test('[MAIL-21] an erased account leaves no address, no counts and nothing in the spool', async () => {
    const [gone, kept] = [await person(), await person()];
    const { server } = world;
    const { db } = server.database;
    for (const each of [gone, kept]) {
      await send(await each.address(), plainMail({ subject: 'Here' }));
      await each.arrived();
      const incoming = await server.spool!.begin({
        id: crypto.randomUUID() as Id,
        scope: each.scope,
        list: each.inbox,
        account: each.account,
        from: 'a@example.net',
        at: 1,
      });
      await incoming.write(Buffer.from(plainMail()));
      await incoming.keep();
    }
    await db.updateTable('account').set({ erase_at: 1 }).where('id', '=', gone.account).execute();
    await server.services.care.run();
    const accounts = await db.selectFrom('mail_receipt').select('account').distinct().execute();
    assert.ok(!accounts.some(({ account }) => account === gone.account));
    assert.ok(accounts.some(({ account }) => account === kept.account));
    const scopes = (await db.selectFrom('mail_address').select('scope').execute()).map(({ scope }) => scope);
    assert.ok(!scopes.includes(gone.scope) && scopes.includes(kept.scope));
    assert.equal((await readdir(join(server.files, 'mail', 'waiting'))).length, 1);
    await world.mailIn.start();
    assert.equal((await kept.arrived()).length, 2);
  });

  test('[MAIL-20] waits while the database refuses, and keeps the order', async () => {
    const ada = await person();
    const to = await ada.address();
    const { exchange } = world.server.services;
    const carryOut = exchange.carryOut.bind(exchange);
    let refusals = 1;
    exchange.carryOut = (...call) => {
      refusals -= 1;
      return refusals >= 0 ? Promise.reject(new Error('The disk is busy')) : carryOut(...call);
    };
    for (const subject of ['One', 'Two', 'Three']) await send(to, plainMail({ subject }));
    const tasks = await ada.arrived();
    exchange.carryOut = carryOut;
    assert.deepEqual(
      tasks.toSorted((a, b) => a.order_index - b.order_index).map(({ title }) => title),
      ['One', 'Two', 'Three'],
    );
  });
});

describe('mail that is off', () => {
  test('[MAIL-11] nothing is taken, and what was taken before still becomes a task', async () => {
    const world = await createMailWorld();
    await world.close();
    assert.equal((await createMailWorldWithout()).status, 403);
  });
});

async function createMailWorldWithout() {
  const { createTestServer } = await import('./harness.ts');
  const server = await createTestServer();
  const { cookie, personalScope } = await server.signUp('ada@example.org');
  const body = { scope: personalScope, list: personalScope };
  const answer = await server.ask('/app/api/mail_address', { method: 'POST', cookie, body });
  await server.close();
  return answer;
}
