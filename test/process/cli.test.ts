// `posthaste` and its server for agents as real processes, beside one running server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Task } from '#wire/api/client.ts';
import { lastingPort } from './lasting-port.ts';
import { PASSWORD, type ServerChild, signUp, startServerChild } from './server-child.ts';

const PROGRAM = fileURLToPath(new URL('../../scripts/posthaste.mjs', import.meta.url));

/** Another Node than ours, where the machine has one. */
const otherNode =
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((path) => existsSync(path) && !path.includes('node_modules')) ?? process.execPath;

describe('the command line as a process', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthaste-cli-process-'));
  const home = join(root, 'config');
  let server: ServerChild;
  before(async () => {
    server = await startServerChild(join(root, 'data'), { PORT: String(await lastingPort()) });
    await signUp(server.address, 'ada@example.org');
  });
  after(async () => {
    await server.kill();
    rmSync(root, { recursive: true });
  });

  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    POSTHASTE_HOME: home,
    TZ: 'Europe/Paris',
    ...more,
  });

  function run(
    words: readonly string[],
    { input = '', node = process.execPath }: { input?: string; node?: string } = {},
  ): Promise<{ code: number | null; out: string; err: string }> {
    const child = spawn(node, [PROGRAM, ...words], { cwd: root, env: environment() });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    // Who ends before it has read everything closes the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, out: out.trimEnd(), err: err.trimEnd() }));
    });
  }

  const list = async () => (JSON.parse((await run(['list', '--json'])).out) as { tasks: Task[] }).tasks;

  test('[CLI-14] [CLI-19] signs in and adds, on whichever Node is there', async () => {
    const login = ['login', '--url', server.address, '--email', 'ada@example.org'];
    const signedIn = await run(login, { input: `${PASSWORD}\n`, node: otherNode });
    assert.deepEqual([signedIn.code, signedIn.err], [0, '']);
    assert.equal(statSync(join(home, 'credentials.json')).mode & 0o777, 0o600);
    const added = await run(['add', 'Call the plumber tomorrow for 20 min'], { node: otherNode });
    assert.equal(added.code, 0, added.err);
    assert.match(added.out, /^Added ‘Call the plumber’, due .*, 20 min to Inbox\./);
    const imported = await run(['import', '-'], { input: '- Tools\n  - Wrench\n' });
    assert.equal(imported.out, 'Imported 2 tasks.');
    assert.deepEqual((await list()).map(({ title }) => title).toSorted(), [
      'Call the plumber',
      'Tools',
      'Wrench',
    ]);
  });

  test('[CLI-18] bash completes commands and options by the script', async () => {
    const { out: script } = await run(['completion', 'bash']);
    const ask = (words: string, at: number) =>
      `COMP_WORDS=(${words}); COMP_CWORD=${at}; COMPREPLY=(); _posthaste; echo "\${COMPREPLY[*]}"`;
    const asked = [ask('posthaste exp', 1), ask('posthaste add --li', 2), ask('posthaste completion f', 2)];
    const child = spawn('bash', ['--norc', '-c', [script, ...asked].join('\n')], { env: environment() });
    let said = '';
    for await (const chunk of child.stdout) said += String(chunk);
    assert.deepEqual(said.trim().split('\n'), ['export', '--list --literal', 'fish']);
  });

  test('[CLI-8] completes what was listed, by the end of its id, and finds files beside it', async () => {
    const [line = ''] = (await run(['search', 'wrench'])).out.split('\n');
    const { code, out } = await run(['complete', line.slice(0, 6)]);
    assert.deepEqual([code, out], [0, 'Completed ‘Wrench’.']);
    writeFileSync(join(root, 'plan.txt'), 'Plan\n');
    assert.equal((await run(['import', 'plan.txt'])).code, 0);
  });

  test('[CLI-3] [CLI-4] [CLI-15] a server that is away takes nothing with it', async () => {
    const { port } = new URL(server.address);
    await server.kill();
    const gone = await run(['add', '-'], { input: 'Buy a tap\nBrass\n' });
    assert.equal(gone.code, 6);
    assert.match(
      gone.err,
      /Can't reach the server at \S+ \(ECONNREFUSED\)\.\nSaved. The next command sends it:\n {2}Buy a tap\n {2}Brass$/,
    );
    assert.equal(gone.out, '');
    assert.equal(readdirSync(join(home, 'outbox')).length, 1);
    server = await startServerChild(join(root, 'data'), { PORT: port });
    const { err } = await run(['list']);
    assert.equal(err, 'Sent one task from the outbox.');
    assert.deepEqual(readdirSync(join(home, 'outbox')), []);
    assert.equal((await list()).filter(({ title }) => title === 'Buy a tap').length, 1);
  });

  test('[CLI-20] [CLI-21] an agent is served over input and output, and ends with its client', async (t) => {
    const connect = async (words: readonly string[]) => {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, 'mcp', ...words],
        env: environment(),
        stderr: 'pipe',
      });
      await client.connect(transport);
      t.after(() => client.close());
      return { client, pid: transport.pid };
    };
    const { client } = await connect([]);
    const made = await client.callTool({
      name: 'create_tasks',
      arguments: { tasks: [{ title: 'From an agent' }, { title: 'Another' }] },
    });
    assert.ok(!made.isError);
    assert.equal((await list()).filter(({ title }) => title === 'From an agent').length, 1);
    await client.close();
    const reader = await connect(['--read-only']);
    assert.equal((await reader.client.listTools()).tools.length, 7);
    await reader.client.close();
    // What was asked before the input ended is answered.
    const asked = [
      {
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      },
      { method: 'tools/call', params: { name: 'search_tasks', arguments: { query: 'agent' } } },
    ].map((message, id) => JSON.stringify({ jsonrpc: '2.0', id, ...message }));
    const piped = await run(['mcp'], { input: `${asked.join('\n')}\n` });
    assert.equal(piped.code, 0, piped.err);
    assert.match(piped.out, /From an agent/);
    // What is too long to be kept is said, and nothing of it is done.
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { cwd: root, env: environment() });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdin.on('error', () => undefined);
    // Little more than it keeps, and the other side goes on.
    child.stdin.write(`${'x'.repeat(10 * 1024 * 1024 + 500)}\n`);
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 2);
    assert.match(said, /longer than 10 MB/);
  });
});
