// The SMTP door against senders that mean no good, or know no better: what it refuses, how it says so, and that the others go on.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { mailLimits } from '#wire/mail-limits.ts';
import { createMailWorld, DOMAIN, type MailPerson, type MailWorld } from './mail-world.ts';
import { Hangup, plainMail, SmtpClient } from './smtp-client.ts';

const nobody = `garden-${'a'.repeat(20)}@${DOMAIN}`;

describe('the SMTP door', () => {
  let world: MailWorld;
  let ada: MailPerson;
  let to: string;
  before(async () => {
    world = await createMailWorld({ limits: { wrongRecipients: 3 } });
    ada = await world.person('ada@example.org');
    to = await ada.address();
  });
  after(() => world.close());

  const titles = async () => (await ada.arrived()).map(({ title }) => title).toReversed();

  test('[MAIL-11] refuses wrong recipients while the sender listens, and hangs up at the third', async () => {
    const client = await world.open();
    await client.say('MAIL FROM:<a@example.net>');
    for (const wrong of [nobody, `postmaster@${DOMAIN}`]) {
      const reply = await client.say(`RCPT TO:<${wrong}>`);
      assert.deepEqual([reply.code, reply.text.slice(0, 5)], [550, '5.1.1'], wrong);
    }
    assert.equal((await client.say('RCPT TO:<someone@elsewhere.example>')).code, 421, 'and relays nothing');
    await assert.rejects(client.say('NOOP'), Hangup);
    assert.equal(world.server.letters.length, 0, 'nothing was sent to anybody');
  });

  test('[MAIL-12] takes nothing from nobody, no automatic answer, and nothing that goes in circles', async () => {
    const client = await world.open();
    assert.equal((await client.say('MAIL FROM:<>')).code, 550);
    for (const headers of [
      ['Auto-Submitted: auto-replied (vacation)'],
      ['Precedence: auto_reply'],
      ['X-Autoreply: yes'],
    ])
      assert.equal((await client.deliver(to, plainMail({ headers }))).code, 550, String(headers));
    const circles = Array.from({ length: 60 }, (_, hop) => `Received: from hop${hop}.example.net`);
    assert.equal((await client.deliver(to, plainMail({ headers: circles }))).code, 554);
    const report = plainMail({ subject: 'Backup is done', headers: ['Auto-Submitted: auto-generated'] });
    assert.equal((await client.deliver(to, report)).code, 250, 'what programs report is what lists are for');
    await client.quit();
    assert.deepEqual(await titles(), ['Backup is done']);
    assert.equal(world.server.letters.length, 0);
  });

  test('[MAIL-13] takes one recipient a message and has the others come again', async () => {
    const list = await ada.list({ name: 'Second' });
    const client = await world.open();
    await client.say('MAIL FROM:<a@example.net>');
    assert.equal((await client.say(`RCPT TO:<${to}>`)).code, 250);
    const other = await client.say(`RCPT TO:<${await ada.address(list.id as never)}>`);
    assert.deepEqual([other.code, other.text.slice(0, 5)], [452, '4.5.3']);
    for (let count = 0; count < 300; count += 1) client.send(`RCPT TO:<x${count}@${DOMAIN}>\r\n`);
    for (let count = 0; count < 300; count += 1) assert.equal((await client.reply()).code, 452);
    await client.say('DATA');
    client.send(`${plainMail({ subject: 'For one' })}.\r\n`);
    assert.equal((await client.reply()).code, 250);
    await client.quit();
    assert.equal((await titles()).filter((title) => title === 'For one').length, 1);
  });

  test('[MAIL-14] ends a message at CRLF dot CRLF alone: nothing is smuggled in', async () => {
    const smuggled = `MAIL FROM:<boss@example.net>\r\nRCPT TO:<${to}>\r\nDATA\r\n${plainMail({ subject: 'Smuggled' })}`;
    const client = await world.open();
    for (const end of [
      '\n.\n',
      '\n.\r\n',
      '\r\n.\n',
      '\r.\r',
      '\r.\r\n',
      '\r\n.\r',
      '\n\n.\n\n',
      '\r\r\n.\r\r\n',
    ]) {
      await client.envelope(to);
      client.send(`${plainMail({ subject: 'Carrier' })}text${end}${smuggled}\r\n.\r\n`);
      const reply = await client.reply();
      assert.equal(reply.code, 550, JSON.stringify(end));
      assert.equal((await client.say('NOOP')).code, 250, 'and no other answer waits');
    }
    await client.quit();
    assert.ok(!(await titles()).some((title) => /Smuggled|Carrier/.test(title)));
  });

  test('[MAIL-14] a dot is a dot however the bytes are cut', async () => {
    const body = '.\r\n..\r\n...\r\nend.\r\n.begin';
    const stuffed = body.replaceAll(/(^|\r\n)\./g, '$1..');
    const head = plainMail({ subject: 'Dots', id: '<dots@example.net>' });
    const client = await world.open();
    await client.envelope(to);
    for (const byte of Buffer.from(`${head}${stuffed}\r\n.\r\n`, 'latin1')) {
      client.send(Uint8Array.of(byte));
      if (byte === 46) await pause(1);
    }
    assert.equal((await client.reply()).code, 250);
    await client.quit();
    const [task] = (await ada.arrived()).filter(({ title }) => title === 'Dots');
    assert.equal(task?.notes, body.replaceAll('\r\n', '\n'));
  });

  test('[MAIL-15] refuses what is too large, announced or not, and cuts off what never ends', async () => {
    const client = await world.open();
    const announced = await client.say(`MAIL FROM:<a@example.net> SIZE=${mailLimits.messageBytes + 1}`);
    assert.equal(announced.code, 552);
    const block = Buffer.alloc(1_048_576, 'x'.repeat(76).concat('\r\n'), 'latin1');
    await client.envelope(to);
    await client.sendAll(Buffer.from(plainMail({ subject: 'Huge' })));
    for (let sent = 0; sent < mailLimits.messageBytes; sent += block.length) await client.sendAll(block);
    client.send('\r\n.\r\n');
    assert.equal((await client.reply()).code, 552);
    assert.equal(
      (await client.deliver(to, plainMail({ subject: 'Small' }))).code,
      250,
      'on the same connection',
    );
    await client.quit();
    assert.equal((await titles()).at(-1), 'Small');
  });

  test('[MAIL-15] takes long lines and many headers, and ends at long commands', async () => {
    const client = await world.open();
    const long = plainMail({ subject: 'Long line', text: 'y'.repeat(300_000) });
    assert.equal((await client.deliver(to, long)).code, 250);
    const headers = Array.from({ length: 20_000 }, (_, number) => `X-Header-${number}: ${number}`);
    assert.equal((await client.deliver(to, plainMail({ subject: 'Many headers', headers }))).code, 250);
    const single = plainMail({ headers: [`X-Long: ${'z'.repeat(500_000)}`] });
    assert.equal((await client.deliver(to, single)).code, 250);
    await client.quit();
    const tasks = await ada.arrived();
    assert.equal(tasks.find(({ title }) => title === 'Long line')?.notes.length, 250 * 1_024 + 6_144);
    assert.equal(tasks.filter(({ title }) => title === 'Unreadable email').length, 2);
    const talker = await world.open();
    talker.send(`NOOP ${'n'.repeat(100_000)}`);
    assert.equal((await talker.reply()).code, 421);
  });

  test('[MAIL-16] answers pipelined commands in order, and drops what comes after QUIT', async () => {
    const client = await SmtpClient.open(world.port, { greet: false });
    const message = plainMail({ subject: 'Pipelined' });
    client.send(`EHLO x\r\nMAIL FROM:<a@example.net>\r\nRCPT TO:<${nobody}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`);
    const codes: number[] = [];
    for (let count = 0; count < 5; count += 1) codes.push((await client.reply()).code);
    assert.deepEqual(codes, [250, 250, 550, 250, 354]);
    client.send(`${message}.\r\nQUIT\r\nMAIL FROM:<b@example.net>\r\n`);
    assert.deepEqual([(await client.reply()).code, (await client.reply()).code], [250, 221]);
    await assert.rejects(client.reply(), Hangup);
    assert.equal((await titles()).at(-1), 'Pipelined');
  });

  test('[MAIL-16] leaves nothing of a message whose sender goes away in the middle', async () => {
    const client = await world.open();
    await client.envelope(to);
    client.send(plainMail({ subject: 'Half' }));
    await pause(20);
    client.close();
    // By the next message the broken one has been noticed.
    await world.send(to, plainMail({ subject: 'Whole' }));
    assert.equal((await titles()).at(-1), 'Whole');
    assert.ok(!(await titles()).includes('Half'));
    assert.equal(world.mailIn.queue.waiting().messages, 0);
  });

  test('[MAIL-16] speaks nothing but mail', async () => {
    const lines = [
      'GET / HTTP/1.1',
      '\u0000\u0001\u0002',
      'AUTH PLAIN',
      'STARTTLS',
      'WIZ x',
      'EXPN all',
      'XCLIENT ADDR=1.2.3.4',
      'BDAT 10 LAST',
    ];
    const replies = lines.map(async (line) => {
      const client = await world.open();
      const reply = await client.say(line).catch((error: unknown) => error);
      client.close();
      return reply instanceof Hangup || (reply as { code: number }).code >= 421 ? null : line;
    });
    assert.deepEqual((await Promise.all(replies)).filter(Boolean), []);
  });
});

describe('the SMTP door in a hurry', () => {
  test('[MAIL-16] cuts off the idle, the slow and the many', async () => {
    // Each limit in a world where the others are far: which of two comes first is the machine's affair.
    const many = await createMailWorld({ limits: { connectionsPerAddress: 2 } });
    const two = [await many.open(), await many.open()];
    await assert.rejects(many.open(), Hangup, 'a third from the same address');
    for (const client of two) client.close();
    await many.close();

    const impatient = await createMailWorld({ limits: { idleMs: 400 } });
    // Says nothing, however slow the machine is; it is told before it is hung up on.
    const idle = await SmtpClient.open(impatient.port, { greet: false });
    await idle.reply().catch(() => undefined);
    await assert.rejects(idle.reply(), Hangup);
    await impatient.close();

    const world = await createMailWorld({ limits: { sessionMs: 2_000 } });
    const ada = await world.person('ada@example.org');
    const to = await ada.address();
    const slow = await world.open();
    await slow.envelope(to).catch(() => undefined);
    while (!slow.isOver) {
      slow.send('a');
      await pause(50);
    }
    await ada.arrived();
    assert.equal((await world.send(to, plainMail())).code, 250, 'and the next one is heard');
    await world.close();
  });

  test('[MAIL-17] [MAIL-18] puts off what is too much for a list, and everything while there is no room', async () => {
    const world = await createMailWorld({ environment: { RATE_LIMITS: 'mail_list=2/1m,listing=1000/1m' } });
    const ada = await world.person('ada@example.org');
    const to = await ada.address();
    const codes: number[] = [];
    for (let count = 0; count < 3; count += 1) codes.push((await world.send(to, plainMail())).code);
    assert.deepEqual(codes, [250, 250, 450]);
    world.server.clock.pass(61_000);
    assert.equal((await world.send(to, plainMail())).code, 250);
    await ada.arrived();
    world.room.isFull = true;
    assert.equal((await world.send(to, plainMail())).code, 452);
    world.room.isFull = false;
    world.server.clock.pass(61_000);
    assert.equal((await world.send(to, plainMail())).code, 250);
    await world.close();
  });
});
