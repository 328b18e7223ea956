// What servers, commands and housekeeping do with groups of the history. `createDatabase`: makes an empty database on PostgreSQL.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { inboxId } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import { runAdmin } from '#server/admin-commands.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/data/database.ts';
import { startServer } from '#server/server.ts';
import { openHouse, Person, START } from './house.ts';

export function historyGroupsContract(createDatabase: () => Promise<string>): void {
  test('[NODE-81] [NODE-83] [NODE-84] servers, housekeeping and the erasure of an account know of it', async (t) => {
    const [url, east] = [await createDatabase(), await createDatabase()];
    const historyGroups = [{ name: 'east', url: east }];
    const house = await openHouse(() => openDatabase({ url, dataDir: '', historyGroups }));
    t.after(() => house.database.close());
    const group = new pg.Client({ connectionString: east });
    await group.connect();
    t.after(() => group.end());
    const held = async () => (await group.query('SELECT count(*) AS n FROM history')).rows[0].n as string;
    const person = await new Person(house).settle();
    const task = await person.task(inboxId(person.scope), 'Water the plants');
    for (const days of [31, 8, 8]) {
      house.now += days * DAY_MS;
      const { historyCopied } = await house.care.run();
      assert.equal(historyCopied, days === 8 && house.now < START + 40 * DAY_MS ? 2 : 0);
    }
    assert.equal(await held(), '2');
    assert.equal((await house.database.store.history(person.scope, { limit: 5, id: task })).length, 1);
    const environment = { DATABASE_URL: url, DATA_DIR: await mkdtemp(join(tmpdir(), 'posthaste-groups-')) };
    t.after(() => rm(environment.DATA_DIR, { recursive: true }));
    const lines: string[] = [];
    const admin = (HISTORY_GROUPS: string) =>
      runAdmin(['history', 'groups'], {
        environment: { ...environment, HISTORY_GROUPS },
        print: (line) => void lines.push(line),
        readPassword: async () => '',
      });
    assert.equal(await admin(`east=${east}`), 0);
    assert.match(lines.join(), /^east .* 1 scope$/);
    assert.equal(await admin(''), 1);
    assert.match(lines.at(-1) ?? '', /doesn't name east/);
    const server = (HISTORY_GROUPS: string) => {
      const config = readConfig({ ...environment, HISTORY_GROUPS, PORT: '0', BACKUPS: 'off' });
      assert.ok(config.ok);
      return startServer(config.value);
    };
    await assert.rejects(server(''), /doesn't name east/);
    const running = await server(`east=${east}`);
    const read = await running.database.store.history(person.scope, { limit: 5 });
    await running.close();
    assert.equal(read.length, 2);
    // What is too old is forgotten there, and an account leaves nothing.
    await group.query('UPDATE history SET at = 0 WHERE version = 1');
    assert.equal((await house.care.run()).history, 1);
    assert.equal(await held(), '1');
    await house.database.db.updateTable('account').set({ erase_at: house.now }).execute();
    assert.equal((await house.care.run()).accounts, 1);
    assert.equal(await held(), '0');
  });
}
