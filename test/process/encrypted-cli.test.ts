// `posthaste` and its server for agents as real processes in an encrypted account, beside a real server, whose files hold no word of it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Id } from '#core/ids.ts';
import { recoveryGroups } from '#core/sealing/recovery-code.ts';
import type { Task } from '#wire/api/client.ts';
import { DATABASE_FILE } from '#server/data/location.ts';
import { AskedOffice } from '../sealing/asked-office.ts';
import { SealedDevice } from '../sealing/sealed-device.ts';
import { PASSWORD, type ServerChild, signUp, startServerChild } from './server-child.ts';

const PROGRAM = fileURLToPath(new URL('../../scripts/posthaste.mjs', import.meta.url));

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const holds = (folder: string, word: string): readonly string[] =>
  filesIn(folder).filter((path) => readFileSync(path).includes(word));

describe('the command line of an encrypted account as a process', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-encrypted-cli-'));
  const home = join(root, 'config');
  const data = join(root, 'data');
  /** Everything that a command printed. */
  const printed: string[] = [];
  let server: ServerChild;
  let device: SealedDevice;
  /** What the app of Ada asks for. */
  let ask: (method: string, path: string, body?: unknown) => Promise<unknown>;
  let code: string;
  const others: SealedDevice[] = [];

  /** A device of somebody new, and what their app asks for. */
  async function comes(name: string): Promise<{ readonly device: SealedDevice; readonly ask: typeof ask }> {
    const { address } = server;
    const { cookie, account, scope } = await signUp(address, `${name}@example.org`);
    const headers = { 'content-type': 'application/json', cookie, origin: address };
    const office = new AskedOffice({
      account,
      scope,
      ask: async (path, body) => {
        const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
        const answer = await fetch(address + path, { headers, ...sent });
        return { status: answer.status, body: (await answer.json()) as unknown };
      },
    });
    return {
      device: await new SealedDevice(office).start(),
      async ask(method, path, body) {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const answer = await fetch(address + path, { method, headers, ...sent });
        const text = await answer.text();
        assert.equal(answer.status, 200, text);
        return JSON.parse(text) as unknown;
      },
    };
  }

  before(async () => {
    server = await startServerChild(data);
    ({ device, ask } = await comes('ada'));
    await synced();
    code = recoveryGroups((await device.turnOn()).code).join(' ');
    await synced(() => device.keys.state.phase === 'sealed');
  });

  after(async () => {
    for (const each of [device, ...others]) await each.close();
    await server.kill();
    rmSync(root, { recursive: true });
  });

  /** Goes on until a device has sent everything, and something is so. */
  async function synced(is: () => boolean = () => true, of = device): Promise<void> {
    for (let turn = 0; turn < 500; turn += 1) {
      await of.sync();
      await of.keys.load();
      const isSent = of.engine.facts().pending.length === 0 && of.engine.facts().isWhole;
      if (isSent && is()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.fail('the device comes into step');
  }

  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    POSTHASTE_HOME: home,
    TZ: 'Europe/Paris',
  };

  function run(
    words: readonly string[],
    input = '',
  ): Promise<{ code: number | null; out: string; err: string }> {
    const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: root, env: environment });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) => {
        printed.push(out, err);
        resolve({ code: status, out: out.trimEnd(), err: err.trimEnd() });
      });
    });
  }

  async function good(words: readonly string[], input = ''): Promise<string> {
    const { code: status, out, err } = await run(words, input);
    assert.equal(status, 0, `${words.join(' ')}: ${err}`);
    return out;
  }

  test('[SEAL-285] reads and writes with the key, and no file of the server has a word of it', async () => {
    await good(['login', '--url', server.address, '--email', 'ada@example.org'], `${PASSWORD}\n`);
    const list = device.add('Canary garden');
    device.addTask(list, 'Canary roses');
    await synced();
    const without = await run(['list']);
    assert.match(without.err, /This account is encrypted.*posthaste key add/);
    assert.doesNotMatch(without.out, /Canary/);
    assert.equal(await good(['key', 'add'], `${code}\n`), 'The key is on this machine now.');
    assert.match(await good(['list']), /Canary roses/);
    const added = JSON.parse(
      await good([
        'add',
        'Canary ferns every week',
        '--list',
        'Canary garden',
        '--notes',
        'Canary notes',
        '--json',
      ]),
    ) as { task: Task };
    await good(['edit', added.task.id, '--notes', 'Canary other notes', '--due', 'tomorrow 5pm']);
    const completed = await good(['complete', added.task.id]);
    assert.match(completed, /Canary ferns/);
    await synced(() => device.notes(added.task.id as Id) === 'Canary other notes');
    assert.equal(device.name(added.task.id as Id), 'Canary ferns');
    const exported = await good(['export', '--format', 'markdown']);
    assert.match(exported, /Canary garden[^]*Canary roses[^]*Canary ferns/);
    assert.deepEqual(holds(data, 'Canary'), []);
    assert.ok(!server.lastOutput().includes('Canary'));
  });

  test('[SEAL-285] an agent searches, makes, changes and completes, and its server writes no content anywhere else', async (t) => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp'],
      env: environment,
      stderr: 'pipe',
    });
    let said = '';
    transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await client.connect(transport);
    t.after(() => client.close());
    const call = async <T>(name: string, given: Record<string, unknown>): Promise<T> => {
      const result = await client.callTool({ name, arguments: given });
      const [{ text } = { text: '' }] = result.content as { text: string }[];
      assert.ok(!result.isError, text);
      return JSON.parse(text) as T;
    };
    const { tasks: made } = await call<{ tasks: Task[] }>('create_tasks', {
      tasks: [{ title: 'Canary one', notes: 'Canary from an agent' }, { title: 'Canary two' }],
    });
    const [one, two] = made.map(({ id }) => id) as [string, string];
    await call('update_tasks', { updates: [{ id: one, changes: { title: 'Canary changed' } }] });
    await call('complete_tasks', { ids: [two] });
    const found = await call<{ tasks: Task[] }>('search_tasks', { query: 'canary changed' });
    assert.deepEqual(
      found.tasks.map(({ id }) => id),
      [one],
    );
    // A command runs beside it, with a copy of its own.
    assert.match(await good(['list', 'canary']), /Canary changed/);
    const copies = readdirSync(join(home, 'copies'));
    assert.equal(copies.filter((name) => name.endsWith('.db')).length, 2, copies.join());
    // What others do is there with the next call.
    await synced(() => device.name(one as Id) === 'Canary changed');
    device.rename(one as Id, 'Canary by a device');
    await synced();
    const [read] = (await call<{ tasks: Task[] }>('get_tasks', { ids: [one] })).tasks;
    assert.equal(read?.title, 'Canary by a device');
    await client.close();
    assert.equal(said, '');
    assert.deepEqual(holds(data, 'Canary'), []);
  });

  test('[SEAL-355] a list that stays encrypted while two people share it is read and written with the key', async (t) => {
    const ben = await comes('ben');
    others.push(ben.device);
    const database = new DatabaseSync(join(data, DATABASE_FILE), { timeout: 10_000 });
    database.exec('UPDATE account SET verified_at = 1');
    database.close();
    await ben.device.turnOn();
    await synced(() => ben.device.keys.state.phase === 'sealed', ben.device);
    const list = device.add('Canary together');
    const task = device.addTask(list, 'Canary of both');
    await synced();
    const founded = await device.lists.found();
    assert.ok(founded.ok);
    const { scope, directory } = founded.value;
    await ask('POST', `/app/api/sharing/lists/${list}/encrypted`, { scope, directory });
    let phase: string | null = null;
    await synced(() => {
      void device.listKeys(scope).then(({ state }) => (phase = state.phase));
      return device.row(task)?.scope === scope && phase === 'sealed';
    });
    const { link } = (await ask('GET', `/app/api/sharing/lists/${list}`)) as { link: { token: string } };
    const secret = await device.lists.secretOf(scope);
    assert.ok(secret.ok, JSON.stringify(secret));
    await ben.ask('POST', `/app/api/sharing/invitations/${link.token}`);
    assert.ok((await ben.device.lists.join(scope, secret.value)).ok);
    await synced(() => ben.device.name(task) === 'Canary of both', ben.device);
    assert.match(await good(['list', '--list', 'Canary together']), /Canary of both/);
    const added = JSON.parse(
      await good(['add', 'Canary from the terminal', '--list', 'Canary together', '--json']),
    ) as { task: Task };
    await synced(() => ben.device.name(added.task.id as Id) === 'Canary from the terminal', ben.device);
    const client = new Client({ name: 'test', version: '1' });
    const args = [PROGRAM, 'mcp'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: environment }));
    t.after(() => client.close());
    await client.callTool({
      name: 'update_tasks',
      arguments: { updates: [{ id: task, changes: { title: 'Canary by an agent' } }] },
    });
    await client.close();
    await synced(() => ben.device.name(task) === 'Canary by an agent', ben.device);
    ben.device.rename(task, 'Canary by Ben');
    await synced(() => true, ben.device);
    assert.match(await good(['list', '--list', 'Canary together']), /Canary by Ben/);
    assert.deepEqual(holds(data, 'Canary'), []);
    assert.ok(!server.lastOutput().includes('Canary'));
    // Its key is where that of the account is, and nowhere else.
    const key = Buffer.from(device.disk.lists.get(scope)?.kept?.key ?? []).toString('base64url');
    const [name = ''] = readdirSync(join(home, 'keys'));
    assert.equal(key.length, 43);
    assert.deepEqual(holds(root, key), [join(home, 'keys', name)]);
  });

  test('[SEAL-285] the key is in one file alone, and forgetting it takes everything that was read with it', async () => {
    const keys = join(home, 'keys');
    const [name = ''] = readdirSync(keys);
    assert.equal(statSync(keys).mode & 0o777, 0o700);
    assert.equal(statSync(join(keys, name)).mode & 0o777, 0o600);
    const file = JSON.parse(readFileSync(join(keys, name), 'utf8')) as { kept: { key: { base64: string } } };
    const key = file.kept.key.base64;
    assert.deepEqual(holds(root, key), [join(keys, name)]);
    for (const path of filesIn(home)) assert.equal(statSync(path).mode & 0o077, 0, path);
    for (const text of printed) {
      assert.ok(!text.includes(key));
      assert.ok(!text.includes(code.slice(0, 9)));
    }
    await good(['key', 'forget']);
    assert.deepEqual(holds(home, 'Canary'), []);
    assert.deepEqual(holds(home, key), []);
    assert.match((await run(['list'])).err, /posthaste key add/);
  });

  test('[SEAL-273] without the key an agent is told what to do, too', async (t) => {
    const client = new Client({ name: 'test', version: '1' });
    const args = [PROGRAM, 'mcp'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: environment }));
    t.after(() => client.close());
    const result = await client.callTool({ name: 'search_tasks', arguments: {} });
    const texts = (result.content as { text: string }[]).map(({ text }) => text);
    assert.equal(texts.length, 2);
    assert.match(texts[1] ?? '', /This account is encrypted.*posthaste key add/);
  });
});
