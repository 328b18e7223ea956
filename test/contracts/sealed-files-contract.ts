// Contents of attachments of a sealed scope on every engine: what the server takes in which form, and what it forgets.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { createNonces } from '#core/sealing/keys.ts';
import { sealFile } from '#core/sealing/files.ts';
import type { Database } from '#server/data/database.ts';
import { digestOf, fileCipher } from '#web/platform/account/file-cipher.ts';
import { sealRegister } from '#sync/sealing/registers.ts';
import { fileFormedSchema, type FileForm } from '#wire/sealing.ts';
import { openHousehold, type SentAction } from '../sealing/server-world.ts';

export function sealedFilesContract(name: string, open: () => Promise<Database>): void {
  describe(`Contents of a sealed scope on ${name}`, () => {
    test('[SEAL-150] [SEAL-153] [SEAL-157] an attachment names the sealed content once it is there, of two devices for one, and the one before is forgotten', async () => {
      const { home, device, close } = await openHousehold(open);
      const { server, scope, cookie } = home;
      const { db } = server.database;
      const upload = async (content: Uint8Array) => {
        const hash = await digestOf(content);
        const headers = { 'content-type': 'application/octet-stream' };
        const raw = new Uint8Array(content);
        const asked = { method: 'POST', cookie, raw, headers };
        const answer = await server.ask(`/app/api/files/${scope}/${hash}`, asked);
        return { hash, status: answer.status };
      };
      const content = new TextEncoder().encode('a canary');
      const { hash: plain } = await upload(content);
      await utimes(join(server.files, plain.slice(0, 2), plain), 1_000, 1_000);
      const task = await device.task({ title: 'with files' });
      const [first, second] = [randomUUID() as Id, randomUUID() as Id];
      const make = (id: Id): SentAction => ({
        a: 'create',
        id,
        type: 'attachment',
        fields: { name: 'a', hash: plain, sizeBytes: content.length },
        place: { parent: task },
      });
      await device.act(make(first), make(second));
      assert.equal((await home.read()).filesLeft, null);
      await home.seal();
      assert.equal((await home.read()).filesLeft, 2);
      assert.equal((await upload(content)).status, 409);
      const form = async (id: Id): Promise<{ readonly asked: FileForm; readonly bytes: Uint8Array }> => {
        const salt = new Uint8Array(32);
        home.random(salt);
        const sealed = await sealFile(fileCipher, { ring: home.ring(), attachment: id, salt }, content);
        assert.ok(sealed.ok);
        const says = { hash: plain, bytes: content.length, of: id };
        const sealer = { ring: home.ring(), nonce: createNonces(home.random) };
        const register = sealRegister(
          { sealer, writer: { device: 1, seq: 1 } },
          { id, type: 'attachment' },
          { name: 'content', value: says },
        );
        assert.ok(register.ok);
        const to = {
          hash: await digestOf(sealed.value),
          sizeBytes: sealed.value.length,
          content: register.value.value as never,
        };
        return { asked: { scope, state: home.state, id, from: plain, to }, bytes: sealed.value };
      };
      const send = async (asked: FileForm) => {
        const { status, body } = await home.ask('/sealing/v1/files', asked);
        assert.equal(status, 200, JSON.stringify(body));
        return fileFormedSchema.parse(body).done;
      };
      const one = await form(first);
      assert.equal(await send(one.asked), 'missing');
      assert.equal((await upload(one.bytes)).status, 200);
      const says = { hash: plain, bytes: content.length, of: first };
      assert.equal(await send({ ...one.asked, to: { ...one.asked.to, content: says } }), 'form');
      assert.equal(await send({ ...one.asked, to: { ...one.asked.to, content: null } }), 'form');
      assert.equal(await send({ ...one.asked, from: 'c'.repeat(64) }), 'changed');
      assert.equal(await send({ ...one.asked, id: task }), 'changed');
      const early = await home.ask('/sealing/v1/files', {
        ...one.asked,
        state: { phase: 'sealing', generation: 1 },
      });
      assert.deepEqual([early.status, (early.body as { code?: string }).code], [409, 'moved']);
      const elsewhere = await home.ask('/sealing/v1/files', { ...one.asked, scope: randomUUID() });
      assert.equal(elsewhere.status, 404);
      const history = (await server.database.store.history(scope, { limit: 100 })).length;
      assert.equal(await send(one.asked), 'done');
      assert.equal(await send(one.asked), 'changed', 'said twice');
      const another = await form(first);
      await upload(another.bytes);
      assert.equal(await send(another.asked), 'changed', 'by another device');
      const held = async () => {
        const rows = await db.selectFrom('blob').select('hash').where('scope', '=', scope).execute();
        return rows.map(({ hash }) => hash);
      };
      assert.ok((await held()).includes(plain), 'the other attachment still names it');
      const two = await form(second);
      await upload(two.bytes);
      assert.equal(await send(two.asked), 'done');
      assert.ok(!(await held()).includes(plain));
      await assert.rejects(stat(join(server.files, plain.slice(0, 2), plain)));
      assert.equal((await home.read()).filesLeft, 0);
      assert.equal((await server.database.store.history(scope, { limit: 100 })).length, history);
      await home.opened();
      await close();
    });
  });
}
