// The command line in an encrypted account: with the key of its own it reads and writes what is in it, and the server sees none of it. That every
// command does what it does in a plain account is in encrypted-suites.test.ts.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, test } from 'node:test';
import { recoveryGroups } from '#core/sealing/recovery-code.ts';
import { inboxId, type Id } from '#core/ids.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { KeyGiver } from '#sync/sealing/pairing-desk.ts';
import { prepareNewKey } from '#sync/sealing/turning.ts';
import { registersOf } from '#sync/rows/row.ts';
import type { Task } from '#wire/api/client.ts';
import { pairingsBodySchema } from '#wire/pairing.ts';
import { enterApi } from '../api/api-world.ts';
import { confirmEmail } from '../sharing.ts';
import type { Desk } from './desk.ts';
import { createEncryptedDesk, type EncryptedDesk } from './encrypted-desk.ts';

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Everything that the server keeps of the account's own scope. */
async function kept({ user }: EncryptedDesk): Promise<string> {
  const { store } = user.server.database;
  const rows = await store.snapshot(user.scope, null, 10_000);
  const history = await user.server.ask(`/app/api/history/${user.scope}`, { cookie: user.cookie });
  return JSON.stringify([rows, await history.text()]);
}

const random = (bytes: Uint8Array): void => void randomFillSync(bytes);

const taskIn = async (desk: Desk, ...words: string[]) => (await desk.json<{ task: Task }>(...words)).task;

describe('an encrypted account', () => {
  let desk: EncryptedDesk;
  afterEach(() => desk.device.close().then(() => desk.close()));

  test('[SEAL-270] the recovery code puts the key into a file of its owner alone, and nowhere else', async () => {
    desk = await createEncryptedDesk({ hasKey: false });
    desk.input = `${desk.code}\n`;
    assert.equal(await desk.good('key', 'add'), 'The key is on this machine now.');
    const [file = ''] = readdirSync(join(desk.home, 'keys'));
    const path = join(desk.home, 'keys', file);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const said = JSON.parse(readFileSync(path, 'utf8')) as { kept: { key: { base64: string } } };
    const key = said.kept.key.base64;
    const others = filesIn(desk.home).filter((each) => each !== path);
    for (const each of others) assert.ok(!readFileSync(each).includes(key), each);
    for (const each of filesIn(desk.home)) {
      assert.equal(statSync(each).mode & 0o077, 0, each);
      assert.ok(!readFileSync(each).includes(desk.code.slice(0, 9)), each);
    }
    assert.equal(await desk.good('key', 'add'), 'The key is on this machine already.');
  });

  test('[SEAL-271] a code with a mistake, another account’s code and a passphrase are told apart', async () => {
    desk = await createEncryptedDesk({ hasKey: false });
    const tried = async (typed: string) => {
      desk.input = `${typed}\n`;
      const { code, err } = await desk.run('key', 'add');
      return [code, err] as const;
    };
    const mistyped = desk.code.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    assert.match((await tried(mistyped))[1], /typing mistake in the code/);
    assert.match((await tried(desk.code.slice(0, -5)))[1], /seven groups of four\. 4 more/);
    assert.deepEqual(await tried(''), [2, 'posthaste: Reading the recovery code from the input.']);
    const other = recoveryGroups(prepareNewKey({ random: (bytes) => bytes.fill(7) }).code).join(' ');
    const [status, err] = await tried(other);
    assert.equal(status, 5);
    assert.match(err, /isn’t the code of this account/);
    assert.ok(!err.includes(other));
    assert.equal((await desk.run('key', 'add', desk.code)).code, 2);
    assert.ok(!existsSync(join(desk.home, 'keys')));
    await desk.confirm();
    await desk.device.turning.keepPassphrase('a long walk by the river');
    desk.input = 'a long walk by the river\n';
    assert.equal(await desk.good('key', 'add'), 'The key is on this machine now.');
  });

  test('[SEAL-272] a device gives the key once both show the same words', async () => {
    desk = await createEncryptedDesk({ hasKey: false });
    const { server, cookie } = desk.user;
    const ask = async (path: string, body?: unknown) => {
      const response = await server.ask(`/app/api/pairings${path}`, {
        cookie,
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
      return (await response.json()) as { pairing: never };
    };
    const one = async (path: string, body?: unknown) =>
      ({ ok: true, value: (await ask(path, body)).pairing }) as const;
    let giver: KeyGiver | null = null;
    const shown: string[] = [];
    desk.onPause = async () => {
      if (giver === null) {
        const { pairings } = pairingsBodySchema.parse(await ask(''));
        const [pairing] = pairings;
        if (pairing === undefined) return;
        assert.equal(pairing.device, 'Unknown');
        giver = new KeyGiver(
          {
            server: {
              answer: (id: Id, oldKey: string) => one(`/${id}/answer`, { oldKey }),
              read: (id: Id) => one(`/${id}`),
              handOver: (id: Id, handed: string) => one(`/${id}/hand-over`, { handed }),
              refuse: (id: Id) => one(`/${id}/refuse`, {}),
            } as never,
            keys: desk.device.keys,
            platform: { random },
            owner: { account: desk.user.account, scope: desk.user.scope },
          },
          pairing as never,
          null,
        );
        await giver.begin();
        return;
      }
      const seen = await giver.look();
      if (!seen.ok || seen.value.type !== 'compare' || shown.length > 0) return;
      shown.push(seen.value.shown.words.join(' '));
      await desk.confirm();
      await giver.give();
    };
    desk.input = 'no\n';
    const differs = await desk.run('key', 'add', '--pair');
    assert.deepEqual([differs.code, /No key was taken/.test(differs.err)], [5, true], differs.err);
    assert.ok(!existsSync(join(desk.home, 'keys')));
    giver = null;
    desk.input = 'yes\n';
    const { code, err, out } = await desk.run('key', 'add', '--pair');
    assert.deepEqual([code, out], [0, 'The key is on this machine now.']);
    assert.equal(shown.length, 1);
    assert.ok(err.includes(`Both show: ${shown[0]}`), err);
    const list = desk.device.add('Attic');
    await desk.device.sync();
    assert.match(await desk.good('lists'), /Attic/);
    assert.ok(desk.device.name(list));
  });

  test('[SEAL-273] without the key it says in a sentence what to do, and shows nothing as if it were empty', async () => {
    desk = await createEncryptedDesk({ hasKey: false });
    desk.device.addTask(inboxId(desk.user.scope), 'Prune the roses');
    await desk.device.sync();
    const HINT = 'This account is encrypted. To read and write it here, add its key with: posthaste key add';
    assert.equal((await desk.run('list')).err, HINT);
    assert.equal((await desk.run('list', '--json')).err, HINT);
    const { code, err } = await desk.run('export', '--format', 'json');
    assert.equal(code, 5);
    assert.ok(err.includes(HINT), err);
    assert.match(await desk.good('key', 'show'), /no key of this account on this machine/);
    assert.equal((await desk.run('key', 'forget')).code, 4);
  });

  test('[SEAL-274] what is written here reaches the server sealed alone', async () => {
    desk = await createEncryptedDesk();
    const list = desk.device.add('Garden');
    await desk.device.sync();
    const task = await taskIn(
      desk,
      'add',
      'Canary one every day #canary-label @Garden',
      '--notes',
      'Canary two',
    );
    assert.deepEqual(
      [task.title, task.list_id, task.repeat_unit],
      ['Canary one #canary-label', list, 'days'],
    );
    await desk.good(
      'edit',
      task.id,
      '--notes',
      'Canary three',
      '--due',
      'tomorrow 5pm',
      '--snooze',
      'in 3 days',
    );
    await desk.good('complete', task.id);
    await desk.user.change(task.id, { metadata: { canary: 'canary four' } });
    await desk.good('comment', task.id, 'Canary five');
    await desk.user.label({ name: 'Canary six' });
    await desk.user.list({ name: 'Canary seven', notes: 'Canary eight' });
    await desk.good('duplicate', 'Garden', '--name', 'Canary nine');
    assert.doesNotMatch(await kept(desk), /canary/i);
    await desk.device.sync();
    const row = desk.device.row(task.id as Id);
    assert.deepEqual(
      [desk.device.name(task.id as Id), desk.device.notes(task.id as Id), registersOf(row!)['meta:canary']],
      ['Canary one #canary-label', 'Canary three', 'canary four'],
    );
    const stored = await desk.user.server.database.store.snapshot(desk.user.scope, null, 10_000);
    const titles = stored.filter(({ type }) => type === 'task').map((each) => registersOf(each)['title']);
    assert.ok(titles.length >= 2 && titles.every(isEnvelope));
  });

  test('[SEAL-275] an edit of a note merges with what somebody else writes meanwhile', async () => {
    desk = await createEncryptedDesk();
    const task = await taskIn(desk, 'add', 'Packing', '--notes', 'One\nTwo\nThree');
    const { device } = desk;
    await device.sync();
    device.isOnline = false;
    device.write(task.id as Id, 'One\nTwo\nThree\nFour');
    await desk.good('edit', task.id, '--notes', 'Zero\nOne\nTwo\nThree');
    device.isOnline = true;
    for (let turn = 0; turn < 3; turn += 1) await device.sync();
    assert.equal(device.notes(task.id as Id), 'Zero\nOne\nTwo\nThree\nFour');
    const [read] = await desk.user.tasks();
    assert.equal(read?.notes, 'Zero\nOne\nTwo\nThree\nFour');
  });

  test('[SEAL-276] a token for reading reads with the key and writes nothing, also past the command line', async () => {
    desk = await createEncryptedDesk();
    const task = await taskIn(desk, 'add', 'Prune the roses');
    const { server, account } = desk.user;
    const { token } = await server.services.sessions.open({
      account,
      kind: 'api',
      userAgent: '',
      access: 'read',
    });
    desk.environment = { ...desk.environment, POSTHASTE_TOKEN: token };
    assert.match(await desk.good('list'), /Prune the roses/);
    const { code, err } = await desk.run('complete', task.id);
    assert.deepEqual([code, /read-only/.test(err)], [3, true]);
    assert.equal((await desk.run('key', 'add')).code, 0);
    const directory = { body: '{}', mac: '' };
    const told = await server.ask('/api/copy/v1/sealing/directory', {
      method: 'POST',
      bearer: token,
      body: { directory },
    });
    assert.equal(told.status, 403);
    const operation = {
      a: 'delete',
      id: task.id,
      q: 1,
      u: crypto.randomUUID(),
      scope: desk.user.scope,
      t: 1,
      b: 0,
    };
    const push = {
      schema: 8,
      device: crypto.randomUUID(),
      clientNow: 1,
      ops: [operation],
      ack: 0,
      cursors: {},
      sealed: { [desk.user.scope]: 1 },
    };
    const sent = await server.ask('/api/copy/v1/sync', { method: 'POST', bearer: token, body: push });
    assert.equal(sent.status, 200);
    assert.deepEqual(((await sent.json()) as { results: unknown }).results, [[1, 'forbidden']]);
    const byDevice = await server.ask('/api/copy/v1/sync', {
      method: 'POST',
      cookie: desk.user.cookie,
      body: push,
    });
    assert.equal(byDevice.status, 401);
    await desk.device.sync();
    assert.equal(desk.device.name(task.id as Id), 'Prune the roses');
  });

  test('[SEAL-277] a key that is forgotten leaves nothing here that can be read, and adding it again reads everything', async () => {
    desk = await createEncryptedDesk();
    await desk.good('add', 'Prune the roses');
    await desk.user.list({ name: 'Greenhouse' });
    assert.match(await desk.good('lists'), /Greenhouse/);
    assert.equal(await desk.good('key', 'forget'), 'The key is deleted on this machine.');
    for (const file of filesIn(desk.home))
      assert.ok(!/roses|Greenhouse/.test(readFileSync(file, 'latin1')), file);
    assert.deepEqual(readdirSync(join(desk.home, 'keys')), []);
    assert.doesNotMatch(await desk.good('list'), /roses/);
    assert.equal((await desk.run('key', 'forget')).code, 4);
    desk.input = `${desk.code}\n`;
    await desk.good('key', 'add');
    assert.match(await desk.good('list'), /Prune the roses/);
  });

  test('[SEAL-278] the list of devices names this machine while it has the key, and `key show` says since when', async () => {
    desk = await createEncryptedDesk();
    const shown = await desk.json<Record<string, unknown>>('key', 'show');
    assert.match(String(shown['name']), /^Command line on /);
    assert.deepEqual(
      [shown['how'], shown['is_listed'], shown['is_outdated'], shown['since']],
      ['code', true, false, new Date(desk.user.server.clock.now()).toISOString()],
    );
    assert.match(
      await desk.good('key', 'show'),
      /since 2026-11-20 \(by the recovery code\)\.\nThe list of devices has/,
    );
    assert.match(await desk.good('status'), /key {6}on this machine/);
    await desk.device.keys.refresh();
    const names = () => Object.values(desk.device.keys.directory?.devices ?? {}).map(({ name }) => name);
    assert.ok(
      names().some((name) => name.startsWith('Command line on ')),
      names().join(),
    );
    await desk.good('key', 'forget');
    await desk.device.keys.refresh();
    // That of the user's own program stays.
    assert.equal(names().filter((name) => name.startsWith('Command line on ')).length, 0);
  });

  test('[SEAL-279] after a new key it says so, writes nothing with the old one, and goes on with the new code', async () => {
    desk = await createEncryptedDesk();
    const { device } = desk;
    await desk.good('add', 'Before');
    await desk.confirm();
    const prepared = prepareNewKey({ random });
    await device.sync();
    assert.ok((await device.turning.rotate(prepared)).ok);
    for (let turn = 0; turn < 6; turn += 1) await device.sync();
    for (const words of [['list'], ['add', 'After'], ['lists']]) {
      const { code, err } = await desk.run(...words);
      assert.deepEqual([code, /has a new key since.*posthaste key add/s.test(err)], [3, true], err);
    }
    assert.equal((await desk.json('key', 'show'))['is_outdated' as never], true);
    desk.input = `${desk.code}\n`;
    assert.equal((await desk.run('key', 'add')).code, 5);
    desk.input = `${recoveryGroups(prepared.code).join(' ')}\n`;
    await desk.good('key', 'add');
    assert.match(await desk.good('list'), /Before/);
    // What was typed meanwhile was kept, and has gone out.
    assert.match(await desk.good('list'), /After/);
    assert.doesNotMatch(await kept(desk), /Before|After/);
  });

  test('[SEAL-280] once encryption is off, it works as in any other account, and stays ready for the next time', async () => {
    desk = await createEncryptedDesk();
    await desk.good('add', 'Before');
    await desk.confirm();
    await desk.device.sync();
    assert.ok((await desk.device.turning.end()).ok);
    for (let turn = 0; turn < 8; turn += 1) await desk.device.sync();
    const sent = desk.requests.length;
    assert.match(await desk.good('list'), /Before/);
    assert.ok(desk.requests.slice(sent).some((each) => each.startsWith('GET /api/tasks?')));
    await desk.good('add', 'In the open');
    await desk.device.sync();
    assert.match(await desk.good('list'), /In the open/);
  });

  test('[SEAL-281] a lost answer makes nothing twice', async () => {
    desk = await createEncryptedDesk();
    await desk.good('list');
    desk.deafTo = /copy\/v1\/sync$/;
    const lost = await desk.run('add', 'Once only every day');
    desk.deafTo = null;
    assert.equal(lost.code, 6, lost.err);
    assert.match((await desk.run('list')).err, /Sent one task from the outbox/);
    const titles = (await desk.user.tasks()).map(({ title }) => title);
    assert.deepEqual(titles, ['Once only']);
  });

  test('[SEAL-282] a run fetches only what is new, and several at once are devices of their own', async () => {
    desk = await createEncryptedDesk();
    for (let number = 0; number < 5; number += 1) await desk.good('add', `Task ${number}`);
    const copies = () => readdirSync(join(desk.home, 'copies'));
    assert.equal(copies().filter((name) => name.endsWith('.db')).length, 1);
    const before = desk.requests.length;
    await desk.good('list');
    assert.deepEqual(desk.requests.slice(before), ['POST /api/copy/v1/sync']);
    assert.deepEqual(
      copies().filter((name) => name.endsWith('.lock')),
      [],
    );
  });

  test('[SEAL-286] a task moves to a shared list, where it is open, and comes back sealed', async () => {
    desk = await createEncryptedDesk();
    const { device, user } = desk;
    await confirmEmail(user.server, user.account);
    const [list, own] = [device.add('Together'), device.add('Mine')];
    await device.sync();
    await device.move(list, 'open');
    const shared = await user.server.ask(`/app/api/sharing/lists/${list}`, {
      method: 'POST',
      cookie: user.cookie,
    });
    assert.equal(shared.status, 200);
    for (let turn = 0; turn < 10; turn += 1) await device.sync();
    const task = await taskIn(desk, 'add', 'Canary with a view', '--list', 'Mine', '--notes', 'Canary notes');
    assert.equal(task.list_id, own);
    assert.doesNotMatch(await kept(desk), /canary/i);
    await desk.good('edit', task.id, '--list', 'Together');
    const [moved] = await user.tasks();
    assert.deepEqual(
      [moved?.title, moved?.notes, moved?.list_id],
      ['Canary with a view', 'Canary notes', list],
    );
    const scope = device.row(list)!.scope;
    const rows = await user.server.database.store.snapshot(scope, null, 100);
    assert.match(JSON.stringify(rows), /Canary with a view/);
    assert.doesNotMatch(await kept(desk), /canary/i);
    await desk.good('edit', task.id, '--list', 'Mine', '--title', 'Canary again');
    for (let turn = 0; turn < 10; turn += 1) await device.sync();
    assert.equal(device.name(task.id as Id), 'Canary again');
    assert.doesNotMatch(await kept(desk), /canary/i);
  });

  test('[SEAL-277] signing out takes the key along, and what was read with it', async () => {
    desk = await createEncryptedDesk({ hasKey: false });
    const { POSTHASTE_TOKEN: token = '', ...others } = desk.environment;
    desk.environment = others;
    desk.input = `${token}\n`;
    await desk.good('login', '--url', 'https://tasks.example', '--token');
    desk.input = `${desk.code}\n`;
    await desk.good('key', 'add');
    await desk.good('add', 'Prune the roses');
    await desk.good('logout');
    for (const file of filesIn(desk.home)) assert.ok(!readFileSync(file, 'latin1').includes('roses'), file);
    assert.deepEqual(
      [readdirSync(join(desk.home, 'keys')), readdirSync(join(desk.home, 'copies'))],
      [[], []],
    );
  });

  test('[SEAL-282] a copy that is damaged, or was kept by another version, is fetched again', async () => {
    desk = await createEncryptedDesk();
    await desk.good('add', 'Prune the roses');
    const [name = ''] = readdirSync(join(desk.home, 'copies'));
    const path = join(desk.home, 'copies', name);
    writeFileSync(path, 'this is no database, and long enough to be looked at as one'.repeat(200));
    assert.match(await desk.good('list'), /Prune the roses/);
    const db = new DatabaseSync(path);
    db.exec("UPDATE head SET value = '0 1' WHERE name = 'version'; UPDATE kept_row SET value = '{}'");
    db.close();
    assert.match(await desk.good('list'), /Prune the roses/);
    // A row that can't be read is no reason to stop.
    const again = new DatabaseSync(path);
    again.exec("UPDATE kept_row SET value = '{'");
    again.close();
    assert.match(await desk.good('list'), /Prune the roses/);
    writeFileSync(path.replace(/db$/, 'lock'), JSON.stringify({ process: 2 ** 30, host: hostname(), at: 1 }));
    assert.match(await desk.good('list'), /Prune the roses/);
    assert.deepEqual(readdirSync(join(desk.home, 'copies')), [name]);
  });

  test('[SEAL-284] a folder of Markdown files is kept in step both ways', async () => {
    desk = await createEncryptedDesk();
    const list = desk.device.add('Garden');
    desk.device.addTask(list, 'Prune the roses');
    await desk.device.sync();
    const folder = join(desk.folder, 'twin');
    await desk.good('twin', folder, '--once');
    const file = join(folder, 'Garden.md');
    const text = readFileSync(file, 'utf8');
    assert.match(text, /Prune the roses/);
    writeFileSync(file, `${text.trimEnd()}\n- [ ] Canary ferns\n`);
    await desk.good('twin', folder, '--once');
    assert.match(await desk.good('list', '--list', 'Garden'), /Canary ferns/);
    assert.doesNotMatch(await kept(desk), /canary/i);
  });

  test('[SEAL-287] a server that says the account isn’t encrypted gets nothing in the open', async () => {
    desk = await createEncryptedDesk();
    await desk.good('add', 'Before');
    const lies: readonly ((body: Record<string, unknown>) => void)[] = [
      (body) => (body['sealing'] = { [desk.user.scope]: { phase: 'plain', generation: 1 } }),
      (body) => (body['sealing'] = { [desk.user.scope]: { phase: 'plain', generation: 0 } }),
      (body) => delete body['sealing'],
    ];
    for (const [number, lie] of lies.entries()) {
      desk.alter = (path, body) => path.endsWith('/copy/v1/sync') && lie(body);
      const sent = desk.requests.length;
      await desk.run('add', `Canary ${number}`);
      const asked = desk.requests.slice(sent);
      assert.ok(
        asked.every((each) => each.includes('/copy/v1/')),
        asked.join(),
      );
      assert.doesNotMatch(await kept(desk), /canary/i);
    }
    desk.alter = null;
    await desk.good('list');
    const titles = (await desk.user.tasks()).map(({ title }) => title);
    for (const number of lies.keys())
      assert.equal(titles.filter((title) => title === `Canary ${number}`).length, 1);
    assert.doesNotMatch(await kept(desk), /canary/i);
  });

  test('[SEAL-288] a token of another account works as ever beside the key, and that is said once', async () => {
    desk = await createEncryptedDesk();
    const other = await enterApi(desk.user.server, 'ben@example.org');
    await other.task({ title: 'Of somebody else' });
    const own = desk.environment;
    desk.environment = { ...own, POSTHASTE_TOKEN: other.token };
    const first = await desk.run('list');
    assert.match(first.err, /token is for another account than the key/);
    assert.match(first.out, /Of somebody else/);
    const again = await desk.run('list');
    assert.deepEqual([again.code, again.err], [0, '']);
    desk.environment = own;
    await desk.good('add', 'Of this account');
    assert.doesNotMatch(await desk.good('list'), /somebody else/);
  });

  test('[SEAL-289] a key file that can’t be read stops what would go out in the open, and the key can be added again', async () => {
    desk = await createEncryptedDesk();
    const [name = ''] = readdirSync(join(desk.home, 'keys'));
    const path = join(desk.home, 'keys', name);
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -40));
    const sent = desk.requests.length;
    const { code, err } = await desk.run('add', 'Canary');
    assert.equal(code, 8, err);
    assert.ok(err.includes(`The key in ${path} can't be read`), err);
    assert.match(err, /outbox/);
    assert.deepEqual(desk.requests.slice(sent), []);
    desk.input = `${desk.code}\n`;
    await desk.good('key', 'add');
    await desk.good(
      'outbox',
      'send',
      (await desk.json<{ outbox: { id: string }[] }>('outbox')).outbox[0]?.id ?? '',
    );
    assert.match(await desk.good('list'), /Canary/);
    assert.doesNotMatch(await kept(desk), /canary/i);
  });
});
