// Mail of several servers on one PostgreSQL database: what a server has taken when it is gone is taken by another one.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Id } from '#core/ids.ts';
import { createSealing } from '#server/accounts/sealing.ts';
import { type Database, openDatabase } from '#server/data/database.ts';
import { NotPresentError } from '#server/data/presence.ts';
import { createSharedOutbox, openFolderOutbox } from '#server/mail/outbox.ts';
import { createSharedSpool } from '#server/mail/shared-spool.ts';
import { openSpool, type Spool } from '#server/mail/spool.ts';
import { createLogger } from '#server/observe/log.ts';
import { type PostgresInstance, startPostgres } from './postgres-instance.ts';
import { someAccount, someId } from './store-samples.ts';

const log = createLogger({
  level: 'off',
  clock: { now: () => 0, monotonic: () => 0 },
  write: () => undefined,
});

describe('mail of several servers', () => {
  let instance: PostgresInstance | undefined;
  let database: Database | undefined;
  let root = '';
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'posthaste-shared-mail-'));
    instance = await startPostgres();
    database = await openDatabase({ url: await instance.createDatabase(), dataDir: '' });
  });
  after(async () => {
    await database?.close();
    await instance?.stop();
    await rm(root, { recursive: true });
  });

  /** Servers by name, of which some are there. */
  async function createServers(context: TestContext) {
    assert.ok(database);
    const { db } = database;
    context.after(async () => {
      await db.deleteFrom('mail_waiting').execute();
      await db.deleteFrom('letter').execute();
    });
    const here = new Set<string>();
    const folder = await mkdtemp(join(root, 'servers-'));
    const start = async (node: string) => {
      here.add(node);
      const living = async () => {
        if (!here.has(node)) throw new NotPresentError();
        return [...here];
      };
      const shared = { db, node, living, log };
      const own = join(folder, node);
      const outbox = await openFolderOutbox(join(own, 'outbox'));
      const sealing = createSealing(Buffer.alloc(32, 7));
      return {
        folder: own,
        spool: createSharedSpool(await openSpool(join(own, 'mail')), shared),
        outbox: createSharedOutbox(outbox, { ...shared, sealing }),
        local: outbox,
      };
    };
    return { db, here, start };
  }

  const account = someAccount();
  const arrival = (id: Id = someId()) => ({
    id,
    scope: someId(),
    list: someId(),
    account,
    from: 'a@b.example',
    at: 5,
  });

  async function take(spool: Spool, text: string, of = arrival()) {
    const incoming = await spool.begin(of);
    await incoming.write(Buffer.from(text));
    return await incoming.keep();
  }

  const textOf = async (spool: Spool, id: Id) => {
    const raw = await spool.read(id);
    return raw === null ? null : Buffer.from(raw).toString();
  };

  test('[NODE-14] each server knows of whom mail waits anywhere', async (t) => {
    const { start } = await createServers(t);
    const [one, two] = [await start('one'), await start('two')];
    const waits = () => two.spool.waitsAnywhere?.(account);
    assert.equal(await waits(), false);
    const taken = await take(one.spool, 'Subject: Milk\n\n');
    assert.equal(await waits(), true);
    assert.equal(await two.spool.waitsAnywhere?.(account + 1), false);
    await one.spool.done(taken.id);
    assert.equal(await waits(), false);
  });

  test('[NODE-11] what a server took is taken by one other when it is gone, and by nobody before', async (t) => {
    const { here, start } = await createServers(t);
    const [one, two, three] = [await start('one'), await start('two'), await start('three')];
    const taken = await take(one.spool, 'Subject: Milk\n\n');
    assert.deepEqual(await readdir(join(one.folder, 'mail', 'waiting')), []);
    assert.deepEqual(await two.spool.abandoned?.(), []);
    here.delete('one');
    const found = await Promise.all([two.spool.abandoned?.(), three.spool.abandoned?.()]);
    assert.deepEqual(found.flat(), [taken]);
    assert.equal(await textOf(two.spool, taken.id), 'Subject: Milk\n\n');
    await two.spool.done(taken.id);
    assert.equal(await textOf(one.spool, taken.id), null);
    assert.deepEqual(await (await start('four')).spool.recover(), []);
  });

  test('[NODE-11] while the database takes nothing it waits on the disk, and is shared with the next start', async (t) => {
    const { db, here, start } = await createServers(t);
    const one = await start('one');
    const of = arrival();
    const [first, second] = [
      { ...of, id: `${of.id.slice(0, -1)}1` as Id },
      { ...of, id: `${of.id.slice(0, -1)}2` as Id },
    ];
    await db.schema.alterTable('mail_waiting').renameTo('away').execute();
    const kept = [await take(one.spool, 'first', first), await take(one.spool, 'second', second)];
    assert.equal((await readdir(join(one.folder, 'mail', 'waiting'))).length, 2);
    await db.schema.alterTable('away').renameTo('mail_waiting').execute();
    assert.equal(await textOf(one.spool, first.id), 'first');
    const again = await start('one');
    assert.deepEqual(await again.spool.recover(), kept);
    assert.deepEqual(await readdir(join(one.folder, 'mail', 'waiting')), []);
    const two = await start('two');
    here.delete('one');
    await two.spool.putAside(first.id);
    assert.deepEqual(await readdir(join(two.folder, 'mail', 'aside')), [`${first.id}.eml`]);
    assert.deepEqual(
      (await two.spool.abandoned?.())?.map(({ id }) => id),
      [second.id],
    );
    await two.spool.forget(account);
    assert.equal(await textOf(two.spool, second.id), null);
    assert.deepEqual(await readdir(join(two.folder, 'mail', 'aside')), []);
  });

  test('[NODE-12] a letter that a server could not send is sent by another one when it is gone; in the database nobody reads it', async (t) => {
    const { db, here, start } = await createServers(t);
    const [one, two] = [await start('one'), await start('two')];
    await one.outbox.write('1-a.eml', Buffer.from('a link that signs in'));
    // As the operator's commands do.
    await one.local.write('2-b.eml', Buffer.from('second'));
    assert.deepEqual(await one.outbox.written(), ['1-a.eml', '2-b.eml']);
    assert.deepEqual(await one.local.written(), []);
    assert.deepEqual(await two.outbox.written(), []);
    const rows = await db.selectFrom('letter').selectAll().execute();
    assert.ok(rows.every(({ sealed }) => !Buffer.from(sealed).toString('latin1').includes('signs in')));
    here.delete('one');
    assert.deepEqual(await two.outbox.written(), ['1-a.eml', '2-b.eml']);
    assert.equal(String(await two.outbox.read('1-a.eml')), 'a link that signs in');
    assert.equal(await one.outbox.read('1-a.eml'), null, 'it is not its own any more');
    await two.outbox.remove('1-a.eml');
    await two.outbox.putAside('2-b.eml');
    assert.deepEqual(await two.outbox.written(), []);
    assert.deepEqual(await readdir(join(two.folder, 'outbox', 'refused')), ['2-b.eml']);
  });
});
