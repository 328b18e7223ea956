// Contents of attachments of an encrypted account: sealed before they leave their device, opened on others, and brought into their form where they
// were there before. Devices with the production engine and a whole server with its files.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { sealedFileBytes } from '#core/sealing/files.ts';
import type { Id } from '#core/ids.ts';
import { createFileLedger } from '#server/files/ledger.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { ApiTask } from '#wire/api/objects.ts';
import { fileLimits } from '#wire/files.ts';
import { digestOf } from '#web/platform/account/file-cipher.ts';
import { checkShape } from '../api/api-world.ts';
import { Account } from './content-account.ts';

const CANARY = 'canary-content-zq7';
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('contents of attachments in an encrypted account', () => {
  test('[SEAL-150] old ones are sealed once their account is, and opened by every device; the server keeps nothing of before', async (t) => {
    const account = await Account.open(t);
    const one = await account.device();
    const text = `${CANARY} old`;
    const old = await one.attach('old.txt', bytesOf(text));
    await one.sync();
    const plain = one.file(old).hash;
    await account.age();
    assert.equal(await account.kept(CANARY), 1);
    const code = await account.seal(one);
    await account.formed(one);
    const { hash, sizeBytes, content } = one.file(old);
    assert.notEqual(hash, plain);
    assert.equal(sizeBytes, sealedFileBytes(text.length));
    assert.deepEqual(content, { hash: plain, bytes: text.length, of: old });
    assert.equal(await account.kept(CANARY), 0);
    const { db } = account.office.server.database;
    const held = await db.selectFrom('blob').select(['hash', 'bytes']).execute();
    assert.deepEqual(held, [{ hash, bytes: sizeBytes }]);
    assert.equal(await one.read(old), text);
    const two = await account.device();
    assert.equal(two.file(old).content, undefined, 'a locked device knows nothing of the content');
    assert.ok((await two.keys.unlock(code)).ok);
    await two.sync();
    assert.equal(await two.read(old), text);
  });

  test('[SEAL-152] new ones are sealed before they wait: the server sees what is sealed, people the size of the file', async (t) => {
    const account = await Account.open(t);
    const one = await account.device();
    const code = await account.seal(one);
    const two = await account.opened(code);
    two.isOnline = false;
    const text = `${CANARY} new`;
    const file = await two.attach('new.txt', bytesOf(text));
    const { hash = '', content } = two.file(file);
    const [waits] = two.disk.files.unsent;
    assert.equal(waits, hash);
    assert.ok(!Buffer.from(two.disk.files.kept.get(hash) ?? []).includes(CANARY), 'it waits sealed');
    two.isOnline = true;
    assert.equal(await two.send(hash), 'sent');
    await account.until(() => one.row(file) !== undefined, two, one);
    assert.equal(await one.read(file), text);
    assert.equal(one.file(file).content?.bytes, text.length);
    assert.equal(one.file(file).sizeBytes, sealedFileBytes(text.length));
    const rows = await account.office.server.database.db.selectFrom('entity').select('fields').execute();
    assert.ok(
      rows.every(({ fields }) => !fields.includes(content?.hash ?? '')),
      'nor does it know the hash',
    );
    assert.equal(await account.kept(CANARY), 0);
    assert.ok(account.office.sentFiles.every((sent) => !Buffer.from(sent).includes(CANARY)));
    const locked = await account.device();
    await assert.rejects(locked.attach('x', bytesOf('x')), /no-key/);
  });

  test('[SEAL-151] one that was attached before its device heard of it is sealed from there, and never taken as it is', async (t) => {
    const account = await Account.open(t);
    const one = await account.device();
    const two = await account.device();
    two.isOnline = false;
    const text = `${CANARY} late`;
    const file = await two.attach('late.txt', bytesOf(text));
    const { hash = '' } = two.file(file);
    const code = await account.seal(one);
    two.isOnline = true;
    assert.equal(await two.send(hash), 'offline', 'the server doesn’t take it');
    assert.equal(await account.kept(CANARY), 0);
    assert.ok((await two.keys.unlock(code)).ok);
    await account.until(() => one.row(file) !== undefined, two, one);
    await account.formed(two, one);
    assert.equal(await one.read(file), text);
    assert.equal(await account.kept(CANARY), 0);
    assert.deepEqual([...two.disk.files.unsent], [], 'nor does it wait any longer');
  });

  test('[SEAL-153] a sealed scope takes sealed contents alone, up to the largest file, and counts what is stored', async (t) => {
    const account = await Account.open(t);
    const { office } = account;
    const one = await account.device();
    const code = await account.seal(one);
    const large = new Uint8Array(fileLimits.fileBytes).fill(7);
    const sealed = await (
      await (await account.opened(code)).files()
    ).seal('01890000-0000-7000-8000-000000000001' as Id, large);
    assert.ok(sealed.ok);
    const { bytes, hash } = sealed.value;
    assert.equal(bytes.length, sealedFileBytes(large.length));
    const refused = async (content: Uint8Array) => {
      const answer = await office.upload(office.scope, await digestOf(content), content);
      return [answer.status, ((await answer.json()) as { code?: string; message?: string }).code];
    };
    assert.deepEqual(await refused(bytesOf('plain')), [409, 'encrypted']);
    assert.deepEqual(await refused(new Uint8Array()), [409, 'encrypted']);
    assert.deepEqual(await refused(bytesOf('x'.repeat(100_000))), [409, 'encrypted']);
    const later = bytes.slice(0, 5_000);
    later[4] = 2;
    assert.deepEqual(await refused(later), [409, 'encrypted'], 'of a generation that it doesn’t have');
    assert.deepEqual(await readdir(join(office.server.files, 'partial')).catch(() => []), []);
    assert.equal((await office.upload(office.scope, hash, bytes)).status, 200);
    const larger = new Uint8Array(bytes.length + 1);
    larger.set(bytes);
    assert.deepEqual(await refused(larger), [413, 'too_large']);
    assert.equal(
      await createFileLedger(office.server.database, office.server.clock).used(office.account),
      bytes.length,
    );
  });

  test('[SEAL-154] one that was cut, changed or swapped, and another one of the same attachment, gives nothing', async (t) => {
    const account = await Account.open(t);
    const one = await account.device();
    await account.seal(one);
    const files = await one.files();
    const [a, b] = [await one.attach('a', bytesOf('first')), await one.attach('b', bytesOf('other'))];
    await account.settle(one);
    const sentOf = async (id: Id) => {
      const sent = await account.office.contents.fetchFile(account.office.scope, id);
      assert.ok(sent instanceof Uint8Array);
      return sent;
    };
    const [sentA, sentB] = [await sentOf(a), await sentOf(b)];
    const says = one.file(a).content;
    assert.ok(says);
    const problem = async (sent: Uint8Array, of = says) => {
      const opened = await files.open(of, sent);
      return opened.ok ? Buffer.from(opened.value).toString() : opened.problem.type;
    };
    assert.equal(await problem(sentA), 'first');
    assert.equal(await problem(sentB), 'altered');
    assert.equal(await problem(sentA.slice(0, -1)), 'altered');
    assert.equal(await problem(sentA.slice(0, 20)), 'malformed');
    assert.equal(await problem(new Uint8Array()), 'malformed');
    const flipped = sentA.slice();
    flipped[flipped.length - 30] = (flipped.at(-30) ?? 0) ^ 1;
    assert.equal(await problem(flipped), 'altered');
    const otherGeneration = sentA.slice();
    otherGeneration[4] = 9;
    assert.equal(await problem(otherGeneration), 'no-key');
    const newer = sentA.slice();
    newer[0] = 2;
    assert.equal(await problem(newer), 'newer');
    const again = await files.seal(a, bytesOf('FIRST'));
    assert.ok(again.ok);
    assert.equal(
      await problem(again.value.bytes),
      'other',
      'sealed for this attachment, and not what its row says',
    );
  });

  test('[SEAL-154] what is swapped on the server between two attachments opens at neither, and nothing is put in its place', async (t) => {
    const account = await Account.open(t);
    const { office } = account;
    const one = await account.device();
    await account.seal(one);
    const [a, b] = [await one.attach('a', bytesOf('first')), await one.attach('b', bytesOf('other'))];
    await account.settle(one);
    const [ofA = '', ofB = ''] = [one.file(a).hash, one.file(b).hash];
    const { db } = office.server.database;
    for (const [id, hash, now] of [
      [a, ofA, ofB],
      [b, ofB, ofA],
    ] as const) {
      const { fields } = await db
        .selectFrom('entity')
        .select('fields')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await db
        .updateTable('entity')
        .set({ fields: fields.replace(hash, now) })
        .where('id', '=', id)
        .execute();
    }
    assert.deepEqual([await one.read(a), await one.read(b)], ['altered', 'altered']);
    await account.settle(one);
    const held = await db.selectFrom('blob').select('hash').execute();
    assert.deepEqual(held.map(({ hash }) => hash).toSorted(), [ofA, ofB].toSorted());
  });

  test('[SEAL-155] a device that ends between sending a content and its attachment naming it loses nothing; it or another one goes on', async (t) => {
    const account = await Account.open(t);
    const { office } = account;
    const one = await account.device();
    const files = [];
    for (const name of ['a', 'b', 'c']) files.push(await one.attach(name, bytesOf(`${CANARY} ${name}`)));
    await one.sync();
    await account.age();
    // A content arrives and the device ends before it hears of that.
    office.lostFiles = Infinity;
    const before = office.sentFiles.length;
    const { code } = await one.turnOn();
    await account.until(() => office.sentFiles.length > before, one);
    await one.close();
    office.lostFiles = 0;
    assert.ok(((await account.state()).filesLeft ?? 0) > 0, 'nothing names what was sent');
    const plain = await account.opened(code);
    await account.formed(plain);
    for (const [index, id] of files.entries()) {
      assert.equal(await plain.read(id), `${CANARY} ${'abc'.charAt(index)}`);
      assert.ok(plain.file(id).content !== undefined);
    }
    assert.equal(await account.kept(CANARY), 0);
    assert.equal((await account.state()).filesLeft, 0);
  });

  test('[SEAL-155] nor does one whose attachment names it without the device having heard of that', async (t) => {
    const account = await Account.open(t);
    const { office } = account;
    const one = await account.device();
    const file = await one.attach('a', bytesOf(CANARY));
    await one.sync();
    await account.age();
    const route = office.routes.formFile.bind(office.routes);
    let calls = 0;
    Object.assign(office.routes, {
      formFile: async (request: Parameters<typeof route>[0]) => {
        calls += 1;
        const answer = await route(request);
        return calls === 1 ? { ok: false, problem: { type: 'offline', message: '' } } : answer;
      },
    });
    const code = await account.seal(one);
    await account.until(() => calls > 0, one);
    const two = await account.opened(code);
    await account.formed(one, two);
    assert.deepEqual([await one.read(file), await two.read(file)], [CANARY, CANARY]);
    assert.equal(await account.kept(CANARY), 0);
  });

  test('[SEAL-156] once encryption is off contents are opened in the same way; until then they open on devices with the key', async (t) => {
    const account = await Account.open(t);
    const { office } = account;
    const one = await account.device();
    const code = await account.seal(one);
    const two = await account.opened(code);
    const [a, b] = [
      await one.attach('a', bytesOf(`${CANARY} a`)),
      await one.attach('b', bytesOf(`${CANARY} b`)),
    ];
    await account.settle(one, two);
    const sealed = one.file(a).hash;
    // The way back stops before the first content.
    const send = office.contents.sendFile.bind(office.contents);
    Object.assign(office.contents, { sendFile: () => Promise.resolve('offline') });
    await account.unseal(one);
    assert.equal((await account.state()).filesLeft, 2);
    assert.deepEqual([await one.read(a), await one.read(b)], [`${CANARY} a`, `${CANARY} b`]);
    assert.equal(one.file(a).hash, sealed);
    Object.assign(office.contents, { sendFile: send });
    await account.age();
    await account.formed(two, one);
    assert.equal((await account.state()).filesLeft, 0);
    for (const [id, name] of [
      [a, 'a'],
      [b, 'b'],
    ] as const) {
      assert.equal(one.file(id).content, undefined);
      assert.equal(one.file(id).sizeBytes, `${CANARY} a`.length);
      assert.equal(await one.read(id), `${CANARY} ${name}`);
    }
    assert.equal(await account.kept(`${CANARY} a`), 1);
    const held = await office.server.database.db.selectFrom('blob').select('hash').execute();
    assert.equal(held.length, 2, 'of the sealed ones nothing is left');
    // And once more from the beginning, in a new generation.
    await account.seal(one, two);
    await account.formed(one, two);
    await account.age();
    assert.equal(await two.read(a), `${CANARY} a`);
  });

  test('[SEAL-156] contents that were still sealed when it is turned on again open by their earlier key', async (t) => {
    const account = await Account.open(t);
    const { office } = account;
    const one = await account.device();
    const code = await account.seal(one);
    const file = await one.attach('a', bytesOf(CANARY));
    await account.settle(one);
    const { hash } = one.file(file);
    Object.assign(office.contents, { sendFile: () => Promise.resolve('offline') });
    await account.unseal(one);
    const again = await account.seal(one);
    assert.notEqual(again, code);
    assert.equal(one.file(file).hash, hash);
    assert.equal(await one.read(file), CANARY);
    assert.equal(await (await account.opened(again)).read(file), CANARY);
    assert.equal((await account.state()).filesLeft, 0);
  });

  test('[SEAL-157] of two devices one seals a content; equal ones and copies all open', async (t) => {
    const account = await Account.open(t);
    const one = await account.device();
    const two = await account.device();
    const files = [];
    for (const name of ['a', 'b', 'same', 'same'])
      files.push(await one.attach(name, bytesOf(`${CANARY} ${name}`)));
    await account.settle(one, two);
    await account.age();
    const { code } = await one.turnOn();
    assert.ok((await two.keys.unlock(code)).ok);
    for (let round = 0; round < 8; round += 1) await Promise.all([one.sync(), two.sync()]);
    await account.formed(one, two);
    for (const id of files) assert.equal(await two.read(id), await one.read(id));
    assert.equal(await account.kept(CANARY), 0);
    assert.equal(new Set(files.map((id) => one.file(id).hash)).size, files.length);
    const [first = '' as Id] = files;
    const copy = one.engine.replica.newId();
    const { name, hash, sizeBytes, content } = one.file(first);
    const parent = one.row(first)?.fields;
    assert.ok(parent !== undefined && 'place' in parent && parent.place);
    const fields = { name, hash, sizeBytes, content };
    one.engine.replica.issue([
      { a: 'create', id: copy, type: 'attachment', fields, place: { parent: parent.place.parent } },
    ]);
    await account.settle(one, two);
    assert.equal(await two.read(copy), `${CANARY} a`);
  });

  test('[SEAL-158] the state says how many contents still wait', async (t) => {
    const account = await Account.open(t);
    const { office } = account;
    const one = await account.device();
    assert.equal((await account.state()).filesLeft, null);
    for (const name of ['a', 'b']) await one.attach(name, bytesOf(name));
    await one.sync();
    Object.assign(office.contents, { sendFile: () => Promise.resolve('offline') });
    await account.seal(one);
    assert.equal((await account.state()).filesLeft, 2);
  });

  test('[SEAL-160] what a device kept from before needs no network; one without the key opens nothing', async (t) => {
    const account = await Account.open(t);
    const one = await account.device();
    const file = await one.attach('a', bytesOf(CANARY));
    await one.sync();
    await account.seal(one);
    await account.formed(one);
    const { content } = one.file(file);
    assert.equal(Buffer.from(one.disk.files.kept.get(content?.hash ?? '') ?? []).toString(), CANARY);
    const locked = await account.device();
    const files = await locked.files();
    const sent = await account.office.contents.fetchFile(account.office.scope, file);
    assert.ok(sent instanceof Uint8Array && content);
    const opened = await files.open(content, sent);
    assert.ok(!opened.ok && opened.problem.type === 'no-key');
    await account.settle(locked);
    assert.equal((await account.state()).filesLeft, 0);
    assert.equal(await one.read(file), CANARY, 'and it has changed nothing');
  });

  test('[SEAL-162] a row that has lost the word of its sealed content gets it again', async (t) => {
    const account = await Account.open(t);
    const { db } = account.office.server.database;
    const one = await account.device();
    const code = await account.seal(one);
    const file = await one.attach('a', bytesOf(CANARY));
    await account.settle(one);
    const { hash, content } = one.file(file);
    const { fields } = await db
      .selectFrom('entity')
      .select('fields')
      .where('id', '=', file)
      .executeTakeFirstOrThrow();
    const { content: _lost, ...others } = JSON.parse(fields) as Record<string, unknown>;
    await db
      .updateTable('entity')
      .set({ fields: JSON.stringify(others) })
      .where('id', '=', file)
      .execute();
    const two = await account.opened(code);
    await account.formed(two);
    assert.deepEqual([two.file(file).hash, two.file(file).content], [hash, content]);
    assert.equal(await two.read(file), CANARY);
  });

  test('[SEAL-159] programs get a content as the server has it, and are told that it is encrypted', async (t) => {
    const account = await Account.open(t);
    const { office } = account;
    const one = await account.device();
    const file = await one.attach('a.txt', bytesOf(CANARY));
    await one.sync();
    const made = await office.browse('/app/api/tokens', { name: 'p', access: 'read' });
    const { token } = (await made.json()) as { token: string };
    const seen = async () => {
      const response = await office.server.ask('/tasks', { bearer: token });
      const body = (await response.json()) as { tasks: readonly ApiTask[] };
      checkShape('GET', '/tasks', { status: response.status, body });
      const [attachment] = body.tasks.flatMap((task) => task.todo_item_attachments);
      assert.ok(attachment);
      const { pathname, search } = new URL(attachment.url);
      const content = await office.server.ask(`${pathname}${search}`);
      return { ...attachment, content: Buffer.from(await content.arrayBuffer()) };
    };
    const before = await seen();
    assert.deepEqual([before.encrypted, before.name, before.content.toString()], [false, 'a.txt', CANARY]);
    await account.seal(one);
    await account.formed(one);
    const sealed = await seen();
    assert.deepEqual(
      [sealed.encrypted, sealed.name, sealed.file_size_in_bytes],
      [true, '', sealedFileBytes(CANARY.length)],
    );
    assert.equal(sealed.content.length, sealed.file_size_in_bytes);
    assert.equal(await digestOf(sealed.content), one.file(file).hash);
    Object.assign(office.contents, { sendFile: () => Promise.resolve('offline') });
    await account.unseal(one);
    const between = await seen();
    assert.deepEqual([between.encrypted, between.name], [true, 'a.txt'], 'until it is opened');
  });

  test('[SEAL-161] one that was moved to a shared list before it was opened is opened there, and new ones there stay as they are', async (t) => {
    const account = await Account.open(t);
    const { office } = account;
    const one = await account.device();
    const file = await one.attach('a', bytesOf(CANARY));
    await one.sync();
    const list = must(one.row(must(placeOf(must(one.row(file), 'a row')), 'a place').parent), 'a task');
    const shared = must(placeOf(list), 'a place').parent;
    const { db } = office.server.database;
    await db.updateTable('account').set({ verified_at: 1 }).where('id', '=', office.account).execute();
    const other = await one.attach('b', bytesOf('other'));
    await account.seal(one);
    await account.formed(one);
    const send = office.contents.sendFile.bind(office.contents);
    Object.assign(office.contents, { sendFile: () => Promise.resolve('offline') });
    await account.unseal(one);
    assert.notEqual(one.file(file).content, undefined);
    const answer = await office.browse(`/app/api/sharing/lists/${shared}`, {});
    assert.equal(answer.status, 200, await answer.text());
    await account.until(() => one.row(file)?.scope !== office.scope, one);
    assert.equal(await one.read(file), CANARY);
    Object.assign(office.contents, { sendFile: send });
    await account.until(() => one.file(file).content === undefined, one);
    assert.equal(await one.read(file), CANARY);
    assert.equal(one.row(other)?.scope, office.scope);
    await account.formed(one);
    assert.equal(await one.read(other), 'other');
  });
});
