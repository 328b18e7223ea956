// Erasing an account on every engine: nothing of it is left in any column of any table, and nothing of anybody else's is missing.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { inboxId } from '#core/ids.ts';
import type { Database } from '#server/data/database.ts';
import { ERASURE_GRACE_MS } from '#server/care/erasure.ts';
import { DAY, openHouse, Person, type House } from './house.ts';
import { someId } from './store-samples.ts';

type AnyTables = Record<string, Record<string, unknown>>;

/** Every value of every table, as text. */
async function everything(database: Database): Promise<ReadonlyMap<string, string>> {
  const db = database.db as unknown as Kysely<AnyTables>;
  const found = new Map<string, string>();
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db.selectFrom(name).selectAll().execute();
    found.set(
      name,
      JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    );
  }
  return found;
}

export function erasureContract(name: string, open: () => Promise<Database>): void {
  describe(`Erasing an account on ${name}`, () => {
    let house: House;
    before(async () => {
      house = await openHouse(open);
    });
    after(async () => {
      await house.care.stop();
      await house.database.close();
    });

    async function personWithTraces(canary: string): Promise<Person> {
      const person = await new Person(house).settle();
      const { db } = house.database;
      const task = await person.task(inboxId(person.scope), `${canary} title`);
      await person.act([{ a: 'set', id: task, field: 'notes', value: `${canary} notes` }]);
      await person.act([{ a: 'delete', id: task }]);
      const { account } = person;
      const now = house.now;
      await db
        .insertInto('session')
        .values({
          id: someId(),
          account,
          kind: 'web',
          token_hash: Buffer.from(`${canary} token`),
          name: `${canary} browser`,
          user_agent: '',
          created_at: now,
          last_used_at: now,
        })
        .execute();
      await db
        .insertInto('passkey')
        .values({
          id: `${canary} key`,
          account,
          public_key: Buffer.from('k'),
          counter: 0,
          transports: '',
          name: canary,
          created_at: now,
          last_used_at: null,
        })
        .execute();
      await db
        .insertInto('mail_address')
        .values({
          scope: person.scope,
          list: inboxId(person.scope),
          code_hash: Buffer.from(`${canary} code`),
          sealed_code: Buffer.from('s'),
          created_at: now,
        })
        .execute();
      await db.insertInto('mail_receipt').values({ id: someId(), account, bytes: 1, at: now }).execute();
      await db.insertInto('mail_warning').values({ account, at: now }).execute();
      await db
        .insertInto('security_event')
        .values({ at: now, account, type: 'signed_up', detail: `{"network":"${canary}"}` })
        .execute();
      await db
        .insertInto('email_proof')
        .values({
          account,
          email: `${canary}@example.org`,
          code_hash: Buffer.from('h'),
          tries: 0,
          expires_at: now,
        })
        .execute();
      return person;
    }

    test('[ERASE-1] leaves nothing of it, and all of everybody else’s', async () => {
      const gone = await personWithTraces('canary-gone');
      const kept = await personWithTraces('canary-kept');
      const { db } = house.database;
      const before = await kept.ids();
      await db
        .updateTable('account')
        .set({ erase_at: house.now + ERASURE_GRACE_MS })
        .where('id', '=', gone.account)
        .execute();

      house.now += ERASURE_GRACE_MS - 1_000;
      assert.equal((await house.care.run()).accounts, 0, 'not before its time');
      house.now += DAY;
      assert.equal((await house.care.run()).accounts, 1);

      const traces = ['canary-gone', gone.scope, String(gone.account), `p${gone.account}@`, gone.device];
      for (const [table, content] of await everything(house.database))
        for (const trace of traces) assert.ok(!content.includes(trace), `${table} still holds ${trace}`);
      assert.deepEqual(await kept.ids(), before);
      assert.deepEqual(
        house.post.letters.map(({ to, subject }) => [to, subject]),
        [[`p${gone.account}@example.org`, 'Your account was erased']],
      );
      const { entries } = await house.ledger.read();
      assert.deepEqual(
        entries.map(({ type }) => type),
        ['account_erased'],
      );
      assert.equal((await house.care.run()).accounts, 0, 'and only once');
    });

    test('[ERASE-2] passes a list on to whoever shares it', async () => {
      const gone = await personWithTraces('canary-left');
      const heir = await personWithTraces('canary-heir');
      const { store, db } = house.database;
      const shared = someId();
      await store.createScope({ id: shared, kind: 'list', owner: gone.account });
      await db
        .insertInto('member')
        .values({ scope: shared, account: heir.account, role: 'member' })
        .execute();
      await db.updateTable('account').set({ erase_at: house.now }).where('id', '=', gone.account).execute();
      assert.equal((await house.care.run()).accounts, 1);
      const scope = await db.selectFrom('scope').selectAll().where('id', '=', shared).executeTakeFirst();
      assert.equal(Number(scope?.owner), heir.account);
      const members = await db.selectFrom('member').selectAll().where('scope', '=', shared).execute();
      assert.deepEqual(
        members.map(({ account, role }) => [Number(account), role]),
        [[heir.account, 'owner']],
      );
    });
  });
}
