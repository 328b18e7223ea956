// The command line in lists that stay encrypted while people share them: with the key of the account it opens them as a device of that account does,
// and leaves the making of new keys to devices.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { KeyFiles } from '#cli/copy/key-file.ts';
import { PrivateFolder } from '#cli/private-folder.ts';
import type { Id } from '#core/ids.ts';
import type { AccountKey } from '#core/sealing/keys.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import type { Task } from '#wire/api/client.ts';
import { GOOD_PASSWORD } from '../api/harness.ts';
import { AskedOffice } from '../sealing/asked-office.ts';
import { SealedDevice } from '../sealing/sealed-device.ts';
import { callSharing, confirmEmail, joinList, told, type Session } from '../sharing.ts';
import { createEncryptedDesk, type EncryptedDesk } from './encrypted-desk.ts';

/** Somebody with a device, on the server of the desk. */
interface Somebody {
  readonly device: SealedDevice;
  readonly session: Session;
}

async function settle(...people: readonly Pick<Somebody, 'device'>[]): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) for (const { device } of people) await device.sync();
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('a list that stays encrypted, at the command line', () => {
  let desk: EncryptedDesk;
  let ada: Somebody;
  let list: Id;
  let scope: Id;
  const others: SealedDevice[] = [];

  afterEach(async () => {
    for (const each of others.splice(0)) await each.close();
    await desk.device.close();
    await desk.close();
  });

  /** Somebody whose account is encrypted. */
  async function comes(name: string, isEncrypted = true): Promise<Somebody> {
    const { server } = desk.user;
    const session = await server.signUp(`${name}@example.org`);
    const { cookie, account, personalScope } = session;
    await confirmEmail(server, account);
    const office = new AskedOffice({
      account,
      scope: personalScope as Id,
      ask: async (path, body) => {
        const response = await server.ask(path, {
          cookie,
          ...(body === undefined ? {} : { method: 'POST', body }),
        });
        return { status: response.status, body: (await response.json()) as unknown };
      },
    });
    const device = await new SealedDevice(office).start();
    others.push(device);
    if (isEncrypted) {
      await server.ask('/app/api/confirm', {
        method: 'POST',
        cookie,
        body: { password: GOOD_PASSWORD },
      });
      await device.turnOn();
      await settle({ device });
    }
    return { device, session };
  }

  const call = ({ session }: Somebody, path: string, body?: unknown) =>
    told(callSharing(desk.user.server, session, path, body));

  /** Ada, whose command line it is, shares a list as it is. */
  async function shared(): Promise<void> {
    desk = await createEncryptedDesk();
    const { user, device } = desk;
    await confirmEmail(user.server, user.account);
    ada = {
      device,
      session: { cookie: user.cookie, account: user.account, personalScope: user.scope },
    };
    list = device.add('Canary trip');
    device.addTask(list, 'Canary tickets');
    await settle(ada);
    const founded = await device.lists.found();
    assert.ok(founded.ok);
    const answer = await call(ada, `POST sharing/lists/${list}/encrypted`, { ...founded.value });
    assert.equal(answer.status, 200, JSON.stringify(answer));
    ({ scope } = founded.value);
    await settle(ada);
  }

  /** Comes in by the link; without its secret somebody is a member for the server alone. */
  async function joins(somebody: Somebody, hasSecret = true): Promise<void> {
    const { link } = await call(ada, `GET sharing/lists/${list}`);
    const secret = await ada.device.lists.secretOf(scope);
    assert.ok(secret.ok);
    await joinList(desk.user.server, somebody.session, (link as { token: string }).token);
    if (hasSecret) assert.ok((await somebody.device.lists.join(scope, secret.value)).ok);
    await settle(somebody, ada);
  }

  /** Everything that the server keeps of the list and of Ada’s own scope. */
  async function kept(): Promise<string> {
    const { store } = desk.user.server.database;
    const scopes = [scope, desk.user.scope];
    return JSON.stringify(await Promise.all(scopes.map((each) => store.snapshot(each, null, 1_000))));
  }

  const taskIn = async (...words: string[]) => (await desk.json<{ task: Task }>(...words)).task;

  test('[SEAL-350] reads and writes in it, and the server has no word of it', async () => {
    await shared();
    const ben = await comes('ben');
    await joins(ben);
    assert.match(await desk.good('lists'), /Canary trip/);
    assert.match(await desk.good('list', '--list', 'Canary trip'), /Canary tickets/);
    const task = await taskIn('add', 'Canary socks', '--list', 'Canary trip', '--notes', 'Canary wool');
    await desk.good('edit', task.id, '--due', 'tomorrow 5pm', '--title', 'Canary warm socks');
    await settle(ben);
    assert.equal(ben.device.name(task.id as Id), 'Canary warm socks');
    assert.equal(ben.device.notes(task.id as Id), 'Canary wool');
    ben.device.write(task.id as Id, 'Canary wool, two pairs');
    ben.device.rename(task.id as Id, 'Canary very warm socks');
    await settle(ben);
    const shown = await desk.good('show', task.id);
    assert.match(shown, /Canary very warm socks[^]*Canary wool, two pairs/);
    await desk.good('complete', task.id);
    await settle(ben);
    assert.ok(ben.device.row(task.id as Id)?.fields);
    assert.doesNotMatch(await kept(), /canary/i);
    // What is known from before is not asked for again.
    const before = desk.requests.length;
    await desk.good('list');
    const asked = desk.requests.slice(before).map((each) => each.replace(scope, ':scope'));
    // Whether others know this account's public keys.
    const members = 'GET /api/copy/v1/sealing/lists/:scope/members';
    assert.deepEqual(
      asked.filter((each) => each !== members),
      ['POST /api/copy/v1/sync'],
    );
  });

  test('[SEAL-402] goes on in it once encryption of the account is off, also from a machine that gets the key then', async () => {
    await shared();
    const ben = await comes('ben');
    await joins(ben);
    await desk.good('add', 'Plain milk');
    await desk.confirm();
    await desk.device.keys.load();
    assert.ok((await desk.device.turning.end()).ok);
    await settle(ada, ada);
    assert.match(await desk.good('list', '--list', 'Canary trip'), /Canary tickets/);
    await desk.good('key', 'forget');
    assert.doesNotMatch((await desk.run('list')).out, /Canary/);
    desk.input = `${desk.code}\n`;
    const added = await desk.run('key', 'add');
    assert.deepEqual([added.code, added.err], [0, '']);
    const task = await taskIn('add', 'Canary socks', '--list', 'Canary trip');
    await desk.good('add', 'Plain bread');
    await settle(ben, ada);
    assert.equal(ben.device.name(task.id as Id), 'Canary socks');
    assert.match(await desk.good('list'), /Plain bread/);
    const there = await kept();
    assert.match(there, /Plain bread/);
    assert.doesNotMatch(there, /canary/i);
  });

  test('[SEAL-351] its key lies in the file of the account’s key alone, and goes with it', async () => {
    await shared();
    assert.match(await desk.good('list'), /Canary tickets/);
    const [name = ''] = readdirSync(join(desk.home, 'keys'));
    const path = join(desk.home, 'keys', name);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const file = JSON.parse(readFileSync(path, 'utf8')) as {
      lists: Record<string, { key: { base64: string } }>;
    };
    const key = file.lists[scope]?.key.base64;
    const known = desk.device.disk.lists.get(scope)?.kept?.key;
    assert.ok(known && key === Buffer.from(known).toString('base64url'));
    for (const each of filesIn(desk.home))
      if (each !== path) assert.ok(!readFileSync(each).includes(key), each);
    await desk.good('key', 'forget');
    assert.deepEqual(readdirSync(join(desk.home, 'keys')), []);
    for (const each of filesIn(desk.home)) {
      const text = readFileSync(each, 'latin1');
      assert.ok(!text.includes('Canary') && !text.includes(key), each);
    }
    // A run that goes on meanwhile brings nothing back.
    const files = new KeyFiles(new PrivateFolder({ POSTHASTE_HOME: desk.home }));
    const place = { url: 'https://tasks.example/api', scope: desk.user.scope, account: desk.user.account };
    const late = { key: known as AccountKey, pin: null, directory: null };
    await files.ofList(place, scope).write(late);
    assert.deepEqual(readdirSync(join(desk.home, 'keys')), []);
    assert.equal(await files.ofList(place, scope).read(), null);
  });

  test('[SEAL-352] follows the new key after somebody was removed, and makes none itself', async () => {
    await shared();
    const [ben, cyn] = [await comes('ben'), await comes('cyn')];
    await joins(ben);
    await joins(cyn);
    assert.match(await desk.good('list'), /Canary tickets/);
    const removed = await call(ada, `POST sharing/lists/${list}/members/${ben.session.account}/remove`);
    assert.equal(removed.status, 200);
    const generation = async () =>
      (await desk.user.server.database.store.scope(scope))?.sealing?.generation ?? 0;
    const before = await generation();
    // With a run of the command line alone the key stays as it is: devices make the new one.
    assert.match(await desk.good('list'), /Canary tickets/);
    assert.equal(await generation(), before);
    await settle(cyn, ada);
    assert.equal(await generation(), before + 1);
    const task = await taskIn('add', 'Canary after that', '--list', 'Canary trip');
    await settle(cyn);
    assert.equal(cyn.device.name(task.id as Id), 'Canary after that');
    cyn.device.rename(task.id as Id, 'Canary by Cyn');
    await settle(cyn);
    assert.match(await desk.good('list'), /Canary tickets[^]*Canary by Cyn|Canary by Cyn[^]*Canary tickets/);
    assert.doesNotMatch(await kept(), /canary/i);
  });

  test('[SEAL-353] is locked while nobody has given its key, said in a sentence, and opens once it is there', async () => {
    await shared();
    const ben = await comes('ben');
    const theirs = ben.device.add('Canary of Ben');
    const inside = ben.device.addTask(theirs, 'Canary inside');
    await settle(ben);
    const founded = await ben.device.lists.found();
    assert.ok(founded.ok);
    const answer = await call(ben, `POST sharing/lists/${theirs}/encrypted`, { ...founded.value });
    assert.equal(answer.status, 200);
    await settle(ben);
    const { link } = await call(ben, `GET sharing/lists/${theirs}`);
    await joinList(desk.user.server, ada.session, (link as { token: string }).token);
    const HINT =
      'A shared list is encrypted, and its key hasn’t come to this account. Open the list in the app, or ask somebody in it to let you in.';
    const locked = await desk.run('list', '--json');
    assert.equal(locked.code, 0);
    assert.ok(locked.err.includes(HINT), locked.err);
    assert.doesNotMatch(locked.out, /inside/);
    const tried = await desk.run('edit', inside, '--title', 'over it');
    assert.notEqual(tried.code, 0);
    // What is somebody's own goes on.
    await desk.good('add', 'Of her own');
    await settle(ada, ben);
    const people = await ben.device.lists.people(founded.value.scope);
    assert.ok(people.ok);
    const stranger = people.value.find(({ account }) => account === ada.session.account);
    assert.ok(stranger?.words);
    const { account, words } = stranger;
    assert.ok((await ben.device.lists.letIn(founded.value.scope, account, words)).ok);
    const opened = await desk.run('list');
    assert.match(opened.out, /Canary inside/);
    assert.equal(opened.err, '');
    await desk.good('edit', inside, '--title', 'Canary by Ada');
    await settle(ben);
    assert.equal(ben.device.name(inside), 'Canary by Ada');
    assert.equal(lockedOf(ben.device.row(inside)), undefined);
  });

  test('[SEAL-354] a server that says it isn’t encrypted, or has forgotten it, gets nothing in the open', async () => {
    await shared();
    assert.match(await desk.good('list'), /Canary tickets/);
    const lies: readonly ((body: Record<string, Record<string, unknown>>) => void)[] = [
      (body) =>
        (body['sealing'] = { ...body['sealing'], [scope]: { phase: 'plain', generation: 2 ** 31 + 9 } }),
      (body) => (body['sealing'] = { ...body['sealing'], [scope]: { phase: 'plain', generation: 0 } }),
      (body) => delete body['sealing']?.[scope],
    ];
    for (const [number, lie] of lies.entries()) {
      desk.alter = (path, body) =>
        path.endsWith('/copy/v1/sync') && lie(body as Record<string, Record<string, unknown>>);
      const sent = desk.requests.length;
      await desk.run('add', `Canary ${number}`, '--list', 'Canary trip');
      assert.ok(desk.requests.slice(sent).every((each) => each.includes('/copy/v1/')));
      assert.doesNotMatch(await kept(), /canary/i);
    }
  });
});
