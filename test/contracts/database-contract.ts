// What holds for an opened database on every engine, beside the Store port: Kysely and the store share it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '#server/data/database.ts';
import { tableNames } from '#server/data/tables.ts';
import { commit, lookUp, newScope, rowOf, someAccount, someId } from './store-samples.ts';

/** Makes the COMMIT of a transaction fail that adds a tombstone of version 666. */
async function armCommit({ db, kind }: Database): Promise<void> {
  if (kind === 'sqlite') {
    await sql`CREATE TABLE must (id INTEGER PRIMARY KEY) STRICT`.execute(db);
    await sql`CREATE TABLE broken (id INTEGER REFERENCES must (id) DEFERRABLE INITIALLY DEFERRED) STRICT`.execute(
      db,
    );
    await sql`CREATE TRIGGER break_commit AFTER INSERT ON tombstone WHEN NEW.version = 666
      BEGIN INSERT INTO broken VALUES (1); END`.execute(db);
    return;
  }
  await sql`CREATE FUNCTION break_commit() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'broken at commit'; END $$`.execute(db);
  await sql`CREATE CONSTRAINT TRIGGER break_commit AFTER INSERT ON tombstone DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.version = 666) EXECUTE FUNCTION break_commit()`.execute(db);
}

export function databaseContract(name: string, open: () => Promise<Database>): void {
  describe(`Database on ${name}`, () => {
    let database: Database;
    before(async () => {
      database = await open();
    });
    after(() => database.close());

    const account = () => {
      const id = someAccount();
      const email = `person${id}@example.com`;
      return { id, email, password_hash: 'x', personal_scope: someId(), created_at: 1_760_000_000_000 };
    };

    test('every table is known by name and can be counted', async () => {
      for (const table of tableNames) {
        const { n } = await database.db
          .selectFrom(table)
          .select((select) => select.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow();
        assert.equal(typeof n, 'number', table);
      }
    });

    test('Kysely and the store see each other’s committed data', async () => {
      const scope = await newScope(database.store);
      const task = rowOf(scope);
      await commit(database.store, scope, () => ({ rows: [task] }));
      const found = await database.db
        .selectFrom('entity')
        .select(['id', 'version', 'status', 'deleted'])
        .where('scope', '=', scope)
        .execute();
      assert.deepEqual(found, [{ id: task.id, version: 1, status: null, deleted: null }]);
      await database.db.insertInto('member').values({ scope, account: 7, role: 'member' }).execute();
      assert.ok((await database.store.membersOf(scope)).includes(7));
    });

    test('columns beside the registers follow them', async () => {
      const scope = await newScope(database.store);
      const states = [
        { fields: {}, status: null, deleted: null },
        { fields: { status: { done: 5 } }, status: 'done', deleted: null },
        { fields: { status: { done: 5, cleared: 6 }, del: { at: 9, by: 1 } }, status: 'cleared', deleted: 9 },
        { fields: { status: null, del: null }, status: null, deleted: null },
      ];
      const id = someId();
      for (const { fields, status, deleted } of states) {
        await commit(database.store, scope, () => ({ rows: [rowOf(scope, { id, fields })] }));
        const select = database.db.selectFrom('entity').select(['status', 'deleted']).where('id', '=', id);
        assert.deepEqual(await select.execute(), [{ status, deleted }]);
      }
    });

    test('bytes, nulls, large integers and counts come back alike', async () => {
      const owner = account();
      await database.db.insertInto('account').values(owner).execute();
      const session = {
        id: someId(),
        account: owner.id,
        kind: 'web' as const,
        token_hash: new Uint8Array([
          0,
          255,
          10,
          39,
          92,
          owner.id & 255,
          (owner.id >> 8) & 255,
          (owner.id >> 16) & 255,
        ]),
        name: 'Laptop',
        user_agent: "it's",
        created_at: Number.MAX_SAFE_INTEGER,
        last_used_at: -1,
      };
      const inserted = await database.db.insertInto('session').values(session).executeTakeFirstOrThrow();
      assert.equal(inserted.numInsertedOrUpdatedRows, 1n);
      const query = database.db
        .selectFrom('session')
        .selectAll()
        .where('token_hash', '=', session.token_hash);
      const found = await query.executeTakeFirstOrThrow();
      assert.deepEqual(
        { ...found, token_hash: new Uint8Array(found.token_hash) },
        {
          ...session,
          access: 'write',
          confirmed_at: null,
          previous_token_hash: null,
          rotated_at: null,
          expires_at: null,
          revoked_at: null,
        },
      );
      const removed = await database.db
        .deleteFrom('account')
        .where('id', '=', owner.id)
        .executeTakeFirstOrThrow();
      assert.equal(removed.numDeletedRows, 1n);
      assert.equal(await query.executeTakeFirst(), undefined, 'sessions go with their account');
    });

    test('RETURNING gives generated numbers', async () => {
      const add = () =>
        database.db
          .insertInto('security_event')
          .values({ at: 1, account: null, type: 'sign-in', detail: '{}' })
          .returning('id')
          .executeTakeFirstOrThrow();
      const [one, two] = [await add(), await add()];
      assert.ok(two.id > one.id);
    });

    test('a unique e-mail address is unique', async () => {
      const owner = account();
      await database.db.insertInto('account').values(owner).execute();
      const other = { ...account(), email: owner.email };
      await assert.rejects(database.db.insertInto('account').values(other).execute());
    });

    test('a Kysely transaction rolls back as a whole, its savepoints by themselves', async () => {
      const [kept, undone, lost] = [account(), account(), account()];
      const transaction = await database.db.startTransaction().execute();
      await transaction.insertInto('account').values(kept).execute();
      const point = await transaction.savepoint('one').execute();
      await point.insertInto('account').values(undone).execute();
      await (await point.rollbackToSavepoint('one').execute()).releaseSavepoint('one').execute();
      await transaction.commit().execute();
      const work = database.db.transaction().execute(async (trx) => {
        await trx.insertInto('account').values(lost).execute();
        throw new Error('no');
      });
      await assert.rejects(work, /no/);
      const ids = [kept.id, undone.id, lost.id];
      const found = await database.db.selectFrom('account').select('id').where('id', 'in', ids).execute();
      assert.deepEqual(found, [{ id: kept.id }]);
    });

    test('store writes and Kysely transactions beside one another all end', async () => {
      const scope = await newScope(database.store);
      const accounts = Array.from({ length: 20 }, account);
      await Promise.all(
        accounts.map(async (one) => {
          await Promise.all([
            database.db.transaction().execute(async (trx) => {
              await trx.insertInto('account').values(one).execute();
              await trx.updateTable('account').set({ verified_at: 1 }).where('id', '=', one.id).execute();
            }),
            commit(database.store, scope, () => ({ rows: [rowOf(scope)] })),
            database.store.scope(scope),
          ]);
        }),
      );
      assert.equal((await database.store.scope(scope))?.version, 20);
      const verified = database.db.selectFrom('account').select('id').where('verified_at', '=', 1);
      assert.equal((await verified.execute()).length, 20);
    });

    test('a COMMIT that fails rejects, leaves nothing, and the next write succeeds', async () => {
      await armCommit(database);
      const scope = await newScope(database.store);
      const row = rowOf(scope);
      const tombstone = { scope, id: someId(), version: 666 };
      await assert.rejects(commit(database.store, scope, () => ({ rows: [row], tombstones: [tombstone] })));
      assert.equal((await database.store.scope(scope))?.version, 0);
      assert.deepEqual(await lookUp(database.store, scope, row.id), { type: 'unknown' });
      const insert = database.db.transaction().execute(async (trx) => {
        await trx.insertInto('tombstone').values(tombstone).execute();
      });
      await assert.rejects(insert);
      assert.equal(await commit(database.store, scope, () => ({ rows: [row] })), 1);
    });

    test('after closing every call is refused, and closing again is harmless', async () => {
      const other = await open();
      await other.close();
      await other.close();
      await assert.rejects(other.store.scope(someId()));
      await assert.rejects(other.store.probe());
      await assert.rejects(other.store.write((tx) => tx.devices([])));
      await assert.rejects(other.db.selectFrom('account').selectAll().execute());
    });
  });
}
