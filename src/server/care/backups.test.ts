// Backups made, verified and left alone.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Id } from '#core/ids.ts';
import { restoreDatabase } from '../data/backup.ts';
import { openDatabase, type Database } from '../data/database.ts';
import { backupName, createBackups } from './backups.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 3, 1, 10);
const GIGABYTE = 1024 ** 3;

describe('backups', () => {
  let root: string;
  let database: Database;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'posthaste-backups-'));
    database = await openDatabase({ dataDir: join(root, 'data') });
  });
  after(async () => {
    await database.close();
    rmSync(root, { recursive: true });
  });

  function createBench(name: string) {
    const state = { now: START, free: 10 * GIGABYTE, fails: false };
    const folder = join(root, name);
    const make = () =>
      createBackups({
        db: database.db,
        backup: (to) => (state.fails ? Promise.reject(new Error('The disk failed.')) : database.backup(to)),
        folder,
        clock: { now: () => state.now, monotonic: () => state.now },
        space: () => Promise.resolve({ free: state.free, total: 20 * GIGABYTE }),
      });
    return { state, folder, make };
  }
  const change = () => database.store.createScope({ id: randomUUID() as Id, kind: 'list', owner: 1 });

  it('makes one when something changed, for its owner only, and it can be restored', async () => {
    const { state, folder, make } = createBench('hourly');
    const backups = make();
    assert.equal(backups.ageMs(), null);
    assert.equal((await backups.run()).type, 'made');
    state.now += HOUR;
    assert.equal((await backups.run()).type, 'unchanged');
    await change();
    const [one, two] = await Promise.all([backups.run(), backups.run()]);
    assert.equal(one, two, 'never two at once');
    assert.ok(one.type === 'made' && one.report.rows.scope > 0);
    assert.deepEqual(readdirSync(folder).toSorted(), [backupName(START), backupName(START + HOUR)]);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(one.report.path).mode & 0o777, 0o600);
    state.now += 5 * 60_000;
    assert.equal(backups.ageMs(), 5 * 60_000);
    assert.equal(make().ageMs(), 5 * 60_000, 'also after a restart');
    const report = await restoreDatabase({ dataDir: join(root, 'elsewhere'), from: one.report.path });
    assert.deepEqual(report.rows, one.report.rows);
  });

  it('leaves the disk to the database, and says when a change has waited too long', async () => {
    const { state, make } = createBench('scarce');
    const backups = make();
    state.free = GIGABYTE / 2;
    assert.equal((await backups.run()).type, 'too-little-space');
    state.now += HOUR;
    state.free = 10 * GIGABYTE;
    state.fails = true;
    await assert.rejects(backups.run(), /disk failed/);
    assert.equal(backups.isOverdue(), false);
    state.now += HOUR + 1;
    assert.equal(backups.isOverdue(), true);
    state.fails = false;
    assert.equal((await backups.run()).type, 'made');
    assert.equal(backups.isOverdue(), false);
  });

  it('removes the old, what a crash left half done, and nothing of anybody else', async () => {
    const { state, folder, make } = createBench('old');
    await make().run();
    for (const name of ['notes.txt', `${backupName(START)}.partial-x`, backupName(START - 40 * 24 * HOUR)])
      writeFileSync(join(folder, name), 'x');
    state.now += HOUR;
    await change();
    const outcome = await make().run();
    assert.ok(outcome.type === 'made' && outcome.removed === 1);
    const expected = ['notes.txt', backupName(START), backupName(START + HOUR)];
    assert.deepEqual(readdirSync(folder).toSorted(), expected.toSorted());
  });
});
