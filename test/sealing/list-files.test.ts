// Files in lists that stay encrypted: sealed with the key of the list, whoever attached them and whenever. Whole server, real devices.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { isListGeneration } from '#core/sealing/keys.ts';
import { sealedFileGeneration } from '#core/sealing/files.ts';
import { digestOf } from '#web/platform/account/file-cipher.ts';
import { another, SECRET, settle, until, World, type Somebody } from './encrypted-list.ts';
import { SealedDevice } from './sealed-device.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Whether the server has the content of an attachment with the key of a list, and its row says so. */
async function isOfList({ office, device }: Somebody, file: Id): Promise<boolean> {
  const { scope } = device.row(file) ?? {};
  if (scope === undefined || device.file(file).content?.scope !== scope) return false;
  const sent = await office.contents.fetchFile(scope, file);
  return sent instanceof Uint8Array && isListGeneration(sealedFileGeneration(sent) ?? 0);
}

/** No content is known to the server: neither by its words nor by its hash. */
async function isUnknown(world: World, texts: readonly string[]): Promise<void> {
  assert.equal(await world.has(SECRET), false);
  for (const text of texts) assert.equal(await world.has(await digestOf(bytes(text))), false);
  for (const sent of world.ida.office.sentFiles) assert.ok(!Buffer.from(sent).includes(SECRET));
}

describe('files in a list that stays encrypted', () => {
  test('[SEAL-300] those of before, and those of both people, are opened by both, and the server knows none', async () => {
    const world = await World.open();
    const { ida, list } = world;
    const texts = ['before', 'of Ida', 'of Ben', 'away'].map((each) => `${SECRET} ${each}`);
    const [before = '', ofIda = '', ofBen = '', away = ''] = texts;
    const old = await ida.device.attach('old.txt', bytes(before), list);
    await settle(ida);
    await world.share();
    const ben = await world.joined('ben');
    await until(() => isOfList(ida, old), ida, ben);
    await settle(ben);
    assert.equal(await ben.device.read(old), before);
    const made = await ida.device.attach('ida.txt', bytes(ofIda), list);
    const his = await ben.device.attach('ben.txt', bytes(ofBen), list);
    ben.device.isOnline = false;
    const late = await ben.device.attach('late.txt', bytes(away), list);
    ben.device.isOnline = true;
    assert.equal(await ben.device.send(ben.device.file(late).hash ?? '', world.scope), 'sent');
    await settle(ida, ben, ida);
    for (const { device } of [ida, ben]) {
      const read = await Promise.all([old, made, his, late].map((id) => device.read(id)));
      assert.deepEqual(read, texts);
    }
    for (const id of [old, made, his, late]) assert.ok(await isOfList(ida, id));
    const phone = await another(ben);
    await settle(phone);
    assert.equal(await phone.device.read(old), before, 'another device, by the key of the account');
    await isUnknown(world, texts);
    await world.close(phone.device);
  });

  test('[SEAL-301] who was removed opens none that comes later, and the others open all', async () => {
    const world = await World.open();
    const { ida, list } = world;
    await world.share();
    const ben = await world.joined('ben');
    const early = await ida.device.attach('early.txt', bytes(`${SECRET} early`), list);
    await settle(ida, ben);
    await world.call(ida, `POST sharing/lists/${list}/members/${ben.office.account}/remove`);
    await settle(ida, ida);
    const later = await ida.device.attach('later.txt', bytes(`${SECRET} later`), list);
    await settle(ida);
    assert.equal(await ida.device.read(early), `${SECRET} early`);
    assert.equal(await ida.device.read(later), `${SECRET} later`);
    const { content } = ida.device.file(later);
    const sent = await ida.office.contents.fetchFile(world.scope, later);
    assert.ok(content && sent instanceof Uint8Array);
    const opened = await (await ben.device.files(world.scope)).open(content, sent);
    assert.equal(opened.ok, false);
    assert.equal(await ben.office.contents.fetchFile(world.scope, later), 'missing');
    await world.close();
  });

  test('[SEAL-302] come back with their list, and are sealed with the key of its owner', async () => {
    const world = await World.open();
    const { ida, list } = world;
    await world.share();
    const ben = await world.joined('ben');
    const [mine, his] = [`${SECRET} of Ida`, `${SECRET} of Ben`];
    const one = await ida.device.attach('one.txt', bytes(mine), list);
    const two = await ben.device.attach('two.txt', bytes(his), list);
    await settle(ben, ida);
    await ida.device.move(list, 'await');
    const back = await world.call(ida, `POST sharing/lists/${list}/private`);
    assert.equal(back.status, 200, JSON.stringify(back));
    const isOwn = (id: Id) =>
      ida.device.row(id)?.scope === ida.office.scope && ida.device.file(id).content?.scope === undefined;
    await until(() => isOwn(one) && isOwn(two), ida);
    const phone = await another(ida);
    phone.device.disk.lists.clear();
    await settle(phone);
    assert.equal(await phone.device.read(one), mine);
    assert.equal(await phone.device.read(two), his);
    await isUnknown(world, [mine, his]);
    await world.close(phone.device);
  });

  test('[SEAL-303] one whose device ends in between is sealed by the next one, and nothing is lost', async () => {
    const world = await World.open();
    const { ida, list } = world;
    const text = `${SECRET} map`;
    const file = await ida.device.attach('map.txt', bytes(text), list);
    await settle(ida);
    // What it sends arrives, and it never hears of that.
    ida.office.lostFiles = 1;
    await world.share();
    await ida.device.close();
    const next = await another(ida);
    await until(() => next.device.row(file)?.scope === world.scope, next);
    ida.office.lostFiles = 0;
    const again = new SealedDevice(ida.office, next.device.disk);
    await next.device.close();
    await again.start();
    const person = { office: ida.office, device: again };
    await until(() => isOfList(person, file), person);
    const ben = await world.joined('ben');
    assert.equal(await ben.device.read(file), text);
    assert.equal(await again.read(file), text);
    await isUnknown(world, [text]);
    await world.close(again);
  });
});
