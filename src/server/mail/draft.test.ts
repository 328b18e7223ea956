// Messages of every encoding and of none, and what they become; and the first look at each.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import PostalMime from 'postal-mime';
import { limits } from '#core/model.ts';
import { checkCreation } from '#wire/registers.ts';
import { draftOf, type Draft } from './draft.ts';
import { scanMessage } from './scan.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

async function read(message: string | Uint8Array<ArrayBuffer>): Promise<Draft> {
  const raw = typeof message === 'string' ? bytesOf(message) : message;
  return draftOf(await PostalMime.parse(raw, { forceRfc822Attachments: true }), raw);
}

const mail = (headers: readonly string[], body: string) => `${headers.join('\r\n')}\r\n\r\n${body}`;

/** Milliseconds of the processor since a reading: the clock says more about what else the machine does. */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

describe('what a message becomes', () => {
  test('[MAIL-2] prefers text to HTML, unless there is none in it', async () => {
    const both = (text: string) =>
      mail(
        ['Subject: s', 'Content-Type: multipart/alternative; boundary=b'],
        `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>html</p>\r\n--b--\r\n`,
      );
    assert.equal((await read(both('plain'))).notes, 'plain');
    assert.equal((await read(both('  '))).notes, 'html');
  });

  test('[MAIL-3] reads the usual encodings, and puts up with wrong ones', async () => {
    const text = (charset: string, encoding: string, body: string) =>
      mail(
        [
          'Subject: s',
          `Content-Type: text/plain; charset=${charset}`,
          `Content-Transfer-Encoding: ${encoding}`,
        ],
        body,
      );
    const utf8 = Buffer.from('Grüße 🌻').toString('latin1');
    for (const [message, notes] of [
      [text('utf-8', '8bit', utf8), 'Grüße 🌻'],
      [text('UTF-8', 'base64', Buffer.from('Grüße').toString('base64')), 'Grüße'],
      [text('iso-8859-1', 'quoted-printable', 'Gr=FC=DFe'), 'Grüße'],
      [text('windows-1251', 'quoted-printable', '=CF=F0=E8=E2=E5=F2'), 'Привет'],
      [text('shift_jis', 'base64', 'k/qWew=='), '日本'],
      [text('utf-7-or-nothing', '8bit', 'plain'), 'plain'],
      [text('utf-8', 'base64', '!!!!'), ''],
      [text('utf-8', 'nonsense', 'as it is'), 'as it is'],
      [text('utf-8', 'quoted-printable', 'cut =E2=82'), 'cut �'],
      [text('utf-8', '8bit', 'a\u0000b\u0008c'), 'abc'],
      [text('"; charset="', '8bit', 'x'), 'x'],
    ] as const)
      assert.equal((await read(message)).notes, notes, JSON.stringify(message));
    for (const [subject, title] of [
      ['=?utf-8?q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
      ['=?nonsense?b?YQ==?=', 'a'],
      ['=?utf-8?x?abc?=', '=?utf-8?x?abc?='],
      ['two\r\n folded', 'two folded'],
      ['\u202egnp.exe', 'gnp.exe'],
    ] as const)
      assert.equal(
        (await read(mail([`Subject: ${Buffer.from(subject).toString('latin1')}`], 'x'))).title,
        title,
      );
  });

  test('[MAIL-4] has a title whatever is missing, and leaves nothing out', async () => {
    assert.equal((await read('\r\n\r\nFirst line\r\nSecond')).title, 'First line');
    assert.equal((await read('')).title, 'Email without a subject');
    const long = 'word '.repeat(400).trim();
    const cut = await read(mail([`Subject: ${long}`], 'Text'));
    assert.equal([...cut.title].length, 1_000);
    assert.equal(cut.notes, `${long}\n\nText`);
    const large = await read(mail(['Subject: s'], 'é'.repeat(200_000)));
    assert.ok(Buffer.byteLength(large.notes) <= limits.notesBytes);
    assert.deepEqual(
      large.files.map(({ name }) => name),
      ['Message.eml'],
    );
    const parts = Array.from(
      { length: 150 },
      (_, at) => `--b\r\nContent-Type: image/png\r\nContent-Disposition: attachment\r\n\r\n${at}\r\n`,
    ).join('');
    const many = await read(
      mail(['Subject: s', 'Content-Type: multipart/mixed; boundary=b'], `${parts}--b--\r\n`),
    );
    assert.equal(many.files.length, 100);
    assert.equal(many.files[0]?.name, 'Picture.png');
    assert.equal(many.files.at(-1)?.name, 'Message.eml');
  });

  test('[MAIL-3] [MAIL-5] of whatever bytes, is something that can be stored', async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const pieces = [
      'Subject: x\r\n',
      'From: <a@b>\r\n',
      'Content-Type: multipart/mixed; boundary=b\r\n',
      '\r\n',
      '--b\r\n',
      '--b--\r\n',
      'Content-Type: text/html; charset=utf-16\r\n',
      'Content-Transfer-Encoding: base64\r\n',
      '=?utf-8?q?=C3?=',
      '\u0000',
      '<a href="',
      '=\r\n',
      "Content-Disposition: attachment; filename*0*=utf-8''%C3; filename*1=x\r\n",
      '\u00ff\u00fe',
      '(((',
      'Content-Type: message/rfc822\r\n',
      'boundary="',
      '"',
      '; charset=',
      '\n',
      '\r',
      'Message-ID: <x>\r\n',
      ' folded\r\n',
    ];
    for (let round = 0; round < 400; round += 1) {
      const text = Array.from({ length: 1 + random(25) }, () => pieces[random(pieces.length)]).join('');
      const raw = bytesOf(text);
      scanMessage(raw);
      const draft = await read(raw).catch(() => null);
      if (draft === null) continue;
      const { title, notes, from, files } = draft;
      const origin = { from, messageId: '', at: 0 };
      assert.equal(checkCreation('task', { title, notes, origin }), null, JSON.stringify(text));
      for (const { name, type } of files)
        assert.equal(checkCreation('attachment', { name, fileType: type }), null, JSON.stringify(text));
    }
  });
});

describe('reading shapes that are made to be slow', () => {
  const text = (body: string) => mail(['Subject: s'], body);
  const part = (header: string) =>
    mail(['Content-Type: multipart/mixed; boundary=b'], `--b\r\n${header}\r\n\r\nx\r\n--b--`);
  const shapes: Readonly<Record<string, (length: number) => string>> = {
    'spaces before a letter': (length) => text(`${' '.repeat(length)}x`),
    'tabs in lines': (length) => text('\t x\r\n'.repeat(length / 5)),
    'soft line ends': (length) =>
      mail(['Content-Transfer-Encoding: quoted-printable'], 'a=\r\n'.repeat(length / 4)),
    'wrong base64': (length) => mail(['Content-Transfer-Encoding: base64'], '!=\r\n'.repeat(length / 4)),
    'flowed text': (length) =>
      mail(['Content-Type: text/plain; format=flowed; delsp=yes'], '> a \r\n'.repeat(length / 6)),
    'encoded words in a name': (length) =>
      part(`Content-Type: a/b; name="${'=?utf-8?q?a?= '.repeat(length / 14)}"`),
    'open comments': (length) => part(`Content-Type: a/b ${'('.repeat(length)}`),
    parameters: (length) => part(`Content-Type: a/b; ${'a=b; '.repeat(length / 5)}`),
    senders: (length) => mail([`From: ${'"<a:;'.repeat(Math.min(length, 60_000) / 5)}`], 'x'),
    'messages in messages': (length) => mail([], 'Content-Type: message/rfc822\r\n\r\n'.repeat(length / 32)),
  };
  for (const [name, shape] of Object.entries(shapes))
    test(`[MAIL-5] ${name}: twice as long takes about twice as long`, async () => {
      const time = async (length: number) => {
        const raw = bytesOf(shape(length));
        const started = process.cpuUsage();
        await read(raw).catch(() => null);
        return cpuMs(started);
      };
      await time(10_000);
      const ms = await time(50_000);
      // Four times as much within eight times the time, and a floor for what a busy machine adds.
      assert.ok((await time(200_000)) < Math.max(1_000, 8 * ms), `${ms} ms for a quarter of it`);
    });
});

describe('the first look at a message', () => {
  test('[MAIL-6] knows it again, whatever relays added', () => {
    const message = mail(['Message-ID: <a@b>', 'Subject: s', 'From: x@y'], 'text');
    const one = scanMessage(bytesOf(message));
    const two = scanMessage(bytesOf(`Received: a\r\nDKIM-Signature: b\r\n${message}`));
    assert.deepEqual([one.messageId, one.digest], [two.messageId, two.digest]);
    assert.notEqual(one.digest, scanMessage(bytesOf(`${message}.`)).digest);
    assert.equal(scanMessage(bytesOf('Subject: s\r\n\r\n')).messageId, null);
  });

  test('[MAIL-5] sees what would take too long', () => {
    const parts = (count: number) =>
      mail(['Content-Type: multipart/mixed; boundary="b b"'], '--b b\r\n\r\nx\r\n'.repeat(count));
    assert.equal(scanMessage(bytesOf(parts(200))).problem, null);
    assert.equal(scanMessage(bytesOf(parts(300))).problem, 'parts');
    const nested = Array.from(
      { length: 100 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    );
    assert.equal(scanMessage(bytesOf(nested.join(''))).problem, 'parts');
    assert.equal(
      scanMessage(
        bytesOf(
          mail(
            Array.from({ length: 600 }, () => 'A: b'),
            'x',
          ),
        ),
      ).problem,
      'headers',
    );
    assert.equal(scanMessage(bytesOf(mail([`A: ${'b'.repeat(70_000)}`], 'x'))).problem, 'headers');
    assert.equal(scanMessage(bytesOf(mail(['A: b'], '-- \r\n'.repeat(5_000)))).problem, null);
  });

  test('[MAIL-5] takes time in proportion to the length', () => {
    for (const piece of [
      '--',
      '\n--b',
      'boundary=',
      'boundary= "',
      'a:\r\n ',
      '\r\n',
      'Content-Type: x; boundary="b"\n',
    ]) {
      const time = (length: number) => {
        const raw = bytesOf(`X: y; boundary=b\r\n${piece.repeat(length / piece.length)}`);
        const started = process.cpuUsage();
        scanMessage(raw);
        return cpuMs(started);
      };
      time(100_000);
      const ms = time(500_000);
      assert.ok(time(2_000_000) < Math.max(400, 8 * ms), `${JSON.stringify(piece)} took ${ms} ms`);
    }
  });
});
