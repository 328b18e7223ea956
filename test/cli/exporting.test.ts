// Exports and backups by the command line, beside a server without a port.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ExportedEntity } from '#core/formats/exported.ts';
import { deriveId } from '#core/ids.ts';
import { exportNames } from '#core/formats/export/names.ts';
import { filesOf } from '#cli/backup/contents.ts';
import { backupsIn, writeBackup } from '#cli/backup/files.ts';
import { takeLock } from '#cli/file-lock.ts';
import { parseJson } from '#core/formats/json-check.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';
import { createDesk, type Desk } from './desk.ts';
import { commandsInEachAccount } from './each-account-contract.ts';

const rules = { names: registerNames, check: checkRegister };

commandsInEachAccount('exporting by the command line', ({ open }) => {
  let desk: Desk;
  before(async () => {
    desk = await open();
    await desk.user.label({ name: 'phone' });
    const list = await desk.user.list({ name: 'Garden' });
    const plan = await desk.user.task({ title: 'Plan', list_id: list.id, notes: 'With care' });
    await desk.user.task({
      title: 'Buy seeds',
      parent_id: plan.id,
      list_id: list.id,
      label_names: ['phone'],
    });
    await desk.user.task({ title: 'Elsewhere' });
  });
  after(() => desk.close());

  test('[IMPORT-214] every format, of everything and of a list', async () => {
    for (const format of exportNames) {
      const all = await desk.good('export', '--format', format);
      assert.match(all, /Buy seeds/, format);
      assert.match(all, /Elsewhere/, format);
      const part = await desk.good('export', '--format', format, '--list', 'Garden');
      assert.match(part, /Buy seeds/, format);
      assert.doesNotMatch(part, /Elsewhere/, format);
    }
  });

  test('[IMPORT-214] JSON is the whole document of the app, also of a list; with --json it’s that of the API', async () => {
    const all = parseJson(await desk.good('export', '--format', 'json'), rules);
    assert.ok(all.ok, JSON.stringify(all));
    assert.equal(all.value.kind, 'account');
    assert.equal(all.value.entities.filter(({ type }) => type === 'task').length, 3);
    assert.ok(
      all.value.entities.some(({ type, fields }) => type === 'label' && fields['color'] !== undefined),
    );
    const part = parseJson(await desk.good('export', '--format', 'json', '--list', 'Garden'), rules);
    assert.ok(part.ok);
    assert.equal(part.value.kind, 'list');
    assert.equal(part.value.entities.filter(({ type }) => type === 'task').length, 2);
    const api = await desk.json<{ tasks: unknown[] }>('export');
    assert.equal(api.tasks.length, 3);
  });

  test('[IMPORT-214] a smart list is its tasks, where they are', async () => {
    await desk.user.list({ name: 'Phone', list_type: 'smart', smart_list_query: 'label:phone' });
    const text = await desk.good('export', '--format', 'csv', '--list', 'Phone');
    assert.match(text, /,Buy seeds,/);
    assert.doesNotMatch(text, /,Plan,|Elsewhere/);
  });

  test('[IMPORT-215] the pages of the whole account hold each entity once, and their state changes with every change', async () => {
    const read = () =>
      desk.user.get('/export') as Promise<{ entities: { id: string }[]; state: string; next_cursor: null }>;
    const first = await read();
    const ids = first.entities.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(first.next_cursor, null);
    assert.equal((await read()).state, first.state);
    await desk.user.task({ title: 'One more' });
    const next = await read();
    assert.notEqual(next.state, first.state);
    assert.ok(next.entities.length > ids.length);
    const bad = await desk.user.call('GET', '/export?cursor=bm9uZQ');
    assert.equal(bad.status, 422);
  });

  test('[IMPORT-214] where a file can’t be written the reason is said', async () => {
    const { code, err } = await desk.run('export', '-o', '.');
    assert.equal(code, 8);
    assert.match(err, /Can't write .*: it's a folder/);
  });
});

describe('backups', () => {
  let desk: Desk;
  let folder: string;
  before(async () => {
    desk = await createDesk();
    for (const title of ['One', 'Two', 'Three', 'Four']) await desk.user.task({ title });
    folder = join(desk.folder, 'backups');
  });
  after(() => desk.close());
  const names = () => readdirSync(folder).toSorted();

  test('[IMPORT-216] a backup is a folder with JSON and Markdown and what describes them, for its owner alone', async () => {
    const out = await desk.good('backup', 'backups');
    assert.match(out, /^Backed up 4 tasks to \S+\/posthaste-2026-11-20T\d\d-\d\d-\d\dZ\.$/);
    const [name = ''] = names();
    assert.deepEqual(readdirSync(join(folder, name)).toSorted(), [
      'backup.json',
      'posthaste.json',
      'posthaste.md',
    ]);
    assert.equal(statSync(join(folder, name, 'posthaste.json')).mode & 0o077, 0);
    const parsed = parseJson(readFileSync(join(folder, name, 'posthaste.json'), 'utf8'), rules);
    assert.ok(parsed.ok);
    const manifest = JSON.parse(readFileSync(join(folder, name, 'backup.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    assert.equal(manifest['entities'], parsed.value.entities.length);
  });

  test('[IMPORT-217] old ones go only as --keep says, and two of one second both stay', async () => {
    const [first] = names();
    await desk.good('backup', 'backups');
    assert.equal(names().length, 2);
    const out = await desk.good('backup', 'backups', '--keep', '2');
    assert.match(out, /Removed 1 old: posthaste-/);
    assert.equal(names().length, 2);
    assert.ok(!names().includes(first ?? ''));
  });

  test('[IMPORT-218] what backups didn’t write is never removed', async () => {
    writeFileSync(join(folder, 'letter.txt'), 'mine');
    mkdirSync(join(folder, 'posthaste-2001-01-01T00-00-00Z'));
    writeFileSync(join(folder, 'posthaste-2001-01-01T00-00-00Z', 'photo.jpg'), 'mine');
    const [, ...olds] = names().filter((name) => name.startsWith('posthaste-20'));
    const [noted = '', changed = ''] = olds;
    writeFileSync(join(folder, noted, 'note.txt'), 'mine');
    writeFileSync(join(folder, changed, 'posthaste.md'), 'changed by hand');
    const out = await desk.good('backup', 'backups', '--keep', '1');
    assert.match(out, /Left .*: there are files in it that weren't written by backups, or were changed\./);
    assert.equal(readFileSync(join(folder, 'letter.txt'), 'utf8'), 'mine');
    assert.equal(readFileSync(join(folder, 'posthaste-2001-01-01T00-00-00Z', 'photo.jpg'), 'utf8'), 'mine');
    assert.equal(readFileSync(join(folder, noted, 'note.txt'), 'utf8'), 'mine');
    assert.equal(readFileSync(join(folder, changed, 'posthaste.md'), 'utf8'), 'changed by hand');
  });

  test('[IMPORT-219] nothing old is removed for a backup that is less than half as large', async () => {
    const before_ = names();
    // As if most of the account were gone by now.
    const last = backupsIn(folder, ownerIn(folder)).at(-1);
    assert.ok(last);
    const file = join(folder, last.name, 'backup.json');
    writeFileSync(file, JSON.stringify({ ...last.manifest, entities: 1_000 }));
    const out = await desk.good('backup', 'backups', '--keep', '1');
    assert.match(out, /less than half as large as the last one, so no old one was removed/);
    assert.equal(names().length, before_.length + 1);
  });

  test('[IMPORT-220] two at once: the second is told, and the lock of a process that is gone is taken over', async () => {
    const unlock = takeLock(join(folder, '.posthaste-backup.lock'), 'Another backup', 0);
    const refused = await desk.run('backup', 'backups');
    assert.equal(refused.code, 9);
    assert.match(refused.err, /Another backup into this folder is running \(process \d+ on /);
    unlock();
    writeFileSync(
      join(folder, '.posthaste-backup.lock'),
      '{"process": 999999999, "host": "elsewhere", "at": 0}',
    );
    assert.equal((await desk.run('backup', 'backups')).code, 9, 'another machine may be alive');
    writeFileSync(join(folder, '.posthaste-backup.lock'), '{"proc');
    await desk.good('backup', 'backups');
    assert.ok(!names().includes('.posthaste-backup.lock'));
  });

  test('[IMPORT-221] what goes wrong is said with an exit code of its own, and leaves nothing behind', async () => {
    const here = names();
    desk.network = 'gone';
    const away = await desk.run('backup', 'backups');
    assert.equal(away.code, 6);
    assert.match(away.err, /Can't reach the server/);
    desk.network = 'here';
    assert.deepEqual(names(), here, 'no lock, no half backup');
    assert.equal((await desk.run('backup', 'no/such/folder')).code, 8);
    writeFileSync(join(desk.folder, 'file'), '');
    assert.equal((await desk.run('backup', 'file')).code, 8);
    symlinkSync(folder, join(desk.folder, 'linked'));
    await desk.good('backup', 'linked');
    for (const words of [[], ['a', 'b'], ['backups', '--keep', '0'], ['backups', '--format', 'pdf']])
      assert.equal((await desk.run('backup', ...words)).code, 2, words.join(' '));
    const { POSTHASTE_TOKEN: token = '', ...others } = desk.environment;
    desk.environment = others;
    const stranger = await desk.run('backup', 'fresh');
    assert.equal(stranger.code, 3);
    assert.ok(!readdirSync(desk.folder).includes('fresh'), 'nothing is made for who is not signed in');
    desk.environment = { ...others, POSTHASTE_TOKEN: token };
  });

  test('[IMPORT-221] a full disk is named, and what was begun is taken away', () => {
    const here = names();
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    for (const at of ['folder', 'write posthaste.md', 'manifest', 'rename'])
      assert.throws(
        () =>
          writeBackup(
            folder,
            {
              account: 'a',
              at: 0,
              entities: 0,
              isOfOneMoment: true,
              files: [{ name: 'posthaste.md', text: 'x', count: null }],
            },
            (step) => {
              if (step === at) throw full;
            },
          ),
        /Can't write \S+: the disk is full \(ENOSPC\)\./,
      );
    assert.deepEqual(names(), here);
  });

  test('[IMPORT-222] attached files are listed in a file that says that they aren’t there', async () => {
    const made = await desk.json<{ files: string[] }>(
      'backup',
      'formats',
      '--format',
      'json,csv',
      '--format',
      'org',
    );
    assert.deepEqual(made.files, ['posthaste.json', 'posthaste.csv', 'posthaste.org']);
    const task: ExportedEntity = {
      id: deriveId('task'),
      type: 'task',
      createdAt: 0,
      parent: deriveId('list'),
      key: 'a',
      fields: { title: 'Trip' },
    };
    const file: ExportedEntity = {
      id: deriveId('file'),
      type: 'attachment',
      createdAt: 0,
      parent: task.id,
      key: 'a',
      fields: { name: 'map.pdf', sizeBytes: 12, hash: 'ab'.repeat(32) },
    };
    const account = { entities: [task, file], people: new Map(), isOfOneMoment: true };
    const files = filesOf(account, ['json'], 'UTC');
    assert.deepEqual(
      files.map(({ name }) => name),
      ['posthaste.json', 'attachments-not-included.txt'],
    );
    assert.match(files[1]?.text ?? '', /\nmap\.pdf\t12\t(?:ab){32}\tTrip\n$/);
  });
});

function ownerIn(folder: string): string {
  for (const name of readdirSync(folder)) {
    try {
      const text = readFileSync(join(folder, name, 'backup.json'), 'utf8');
      return (JSON.parse(text) as { account: string }).account;
    } catch {
      // Not a backup.
    }
  }
  return '';
}
