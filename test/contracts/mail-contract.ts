// Mail into tasks on every engine: addresses, the way of a message from the spool to a task, counting, and the same message twice.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inboxId } from '#core/ids.ts';
import { createSealing, createServerKey } from '#server/accounts/sealing.ts';
import type { Database } from '#server/data/database.ts';
import { openBlobs } from '#server/files/blobs.ts';
import { createFileLedger } from '#server/files/ledger.ts';
import { plainWrites } from '#server/care/room.ts';
import { createLimiter } from '#server/limits/rates.ts';
import { createMailIn, type MailIn } from '#server/mail/receiving.ts';
import { openSpool, type Spool } from '#server/mail/spool.ts';
import { createLogger } from '#server/observe/log.ts';
import { plainMail } from '../api/smtp-client.ts';
import { DAY, openHouse, Person, type House } from './house.ts';
import { commit, emptyBatch, newScope, rowOf, someId } from './store-samples.ts';
import { fieldOf } from '#sync/rows/row.ts';

export function mailContract(name: string, open: () => Promise<Database>): void {
  describe(`Mail into tasks on ${name}`, () => {
    let house: House;
    let folder: string;
    let spool: Spool;
    let mailIn: MailIn;
    before(async () => {
      house = await openHouse(open);
      folder = await mkdtemp(join(tmpdir(), 'posthaste-mail-'));
      spool = await openSpool(join(folder, 'mail'));
      const { db } = house.database;
      const clock = { now: () => house.now, monotonic: () => performance.now() };
      mailIn = createMailIn({
        domain: 'in.example.org',
        db,
        clock,
        sealing: createSealing(createServerKey()),
        ledger: house.ledger,
        room: plainWrites,
        limiter: createLimiter({}, clock),
        spool,
        letters: house.letters,
        blobs: openBlobs(join(folder, 'files'), null),
        fileLedger: createFileLedger(house.database, clock),
        exchange: house.exchange,
        newId: someId,
        hasRoom: () => true,
        billing: null,
        log: createLogger({ level: 'off', clock, write: () => undefined }),
      });
    });
    after(async () => {
      await mailIn.stop();
      await house.care.stop();
      await house.database.close();
      await rm(folder, { recursive: true });
    });

    test('[MAIL-1] [MAIL-6] [MAIL-8] [MAIL-17] finds its list, becomes one task and counts once a message', async () => {
      const ada = await new Person(house).settle();
      const { db } = house.database;
      await db.updateTable('account').set({ verified_at: 1 }).where('id', '=', ada.account).execute();
      const list = { scope: ada.scope, list: inboxId(ada.scope), name: 'Inbox' };
      const addresses = mailIn.addresses!;
      const address = (await addresses.of([list])).get(list.list) ?? '';
      assert.equal((await addresses.of([list])).get(list.list), address);
      const admission = await mailIn.desk.admit(address, 0);
      assert.ok(admission.ok);
      const take = async (message: string) => {
        const arrival = { ...admission.value, id: someId(), from: 'a@example.net', at: house.now };
        const incoming = await spool.begin(arrival);
        await incoming.write(Buffer.from(message));
        mailIn.queue.add(await incoming.keep());
        await mailIn.queue.idle();
      };
      const message = plainMail({ subject: 'On every engine' });
      await take(message);
      await take(message);
      const rows = await house.database.store.snapshot(ada.scope, null, 100);
      assert.deepEqual(
        rows.filter(({ type }) => type === 'task').map((held) => fieldOf(held, 'title')),
        ['On every engine'],
      );
      assert.equal((await ada.pull())?.rows.length, 2, 'devices hear of it');
      const { messages, bytes } = await mailIn.desk.use(ada.account);
      assert.deepEqual([messages, bytes], [2, 2 * message.length]);
      assert.deepEqual(await readdir(join(folder, 'mail', 'waiting')), []);
      const renewed = await addresses.renew(list);
      assert.deepEqual(await addresses.find(renewed), { scope: list.scope, list: list.list });
      assert.equal(await addresses.find(address), null);
      house.now += 31 * DAY;
      await mailIn.desk.prune();
      assert.equal((await mailIn.desk.use(ada.account)).messages, 0);
    });

    test('[SYNC-92] a list keeps its address and a file its content when they move to another scope', async () => {
      const ada = await new Person(house).settle();
      const { db, store } = house.database;
      const [to, third] = [await newScope(store), await newScope(store)];
      const list = { scope: ada.scope, list: inboxId(ada.scope), name: 'Inbox' };
      const addresses = mailIn.addresses!;
      const address = (await addresses.of([list])).get(list.list) ?? '';
      const [hash, other] = ['a', 'b'].map((digit) => digit.repeat(64));
      for (const content of [hash!, other!])
        await db
          .insertInto('blob')
          .values({ scope: ada.scope, hash: content, bytes: 3, created_at: 1 })
          .execute();
      const file = rowOf(ada.scope, { type: 'attachment', fields: { hash } });
      await commit(store, ada.scope, () => ({ rows: [file] }));
      const moves = [
        [ada.scope, to],
        [to, third],
      ] as const;
      for (const [hop, [scope, next]] of moves.entries())
        await store.write(async (tx) => {
          await tx.lockScopes([scope, next]);
          const common = { scope, to: next, hops: hop + 1, was: 1, version: 1, left: 2, at: 3 };
          const [held, kept] = await Promise.all([list.list, file.id].map((id) => tx.tree(scope, id, 1)));
          const rows = [...held!, ...kept!].map((row) => ({ ...row, scope: next, hops: hop + 1 }));
          const departures = rows.map(({ id }) => ({
            ...common,
            id,
            ...(id === file.id ? { hash: hash! } : {}),
          }));
          await tx.save({ ...emptyBatch, rows, departures });
        });
      assert.deepEqual(await addresses.find(address), { scope: third, list: list.list });
      const there = { ...list, scope: third };
      assert.equal((await addresses.of([there])).get(list.list), address, 'and it can still be shown');
      const blobs = await db.selectFrom('blob').select('hash').where('scope', '=', third).execute();
      assert.deepEqual(blobs, [{ hash }]);
      const renewed = await addresses.renew(there);
      assert.equal((await addresses.of([there])).get(list.list), renewed);
    });
  });
}
