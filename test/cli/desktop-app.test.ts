// The command line and the desktop app that runs beside it: a real socket between them, the real program behind it.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { askLine } from '#cli/running-app.ts';
import { answerLines } from '#desktop/electron/line-socket.ts';
import { DesktopProgram } from '#desktop/program.ts';
import { NodeShell } from '../desktop/node-shell.ts';
import { createDesk, SERVER, type Desk } from './desk.ts';

const PATIENCE_MS = 5_000;

describe('the command line beside the desktop app', () => {
  let folder = '';
  let desk: Desk;
  let shell: NodeShell;
  let program: DesktopProgram;
  let end = () => undefined as void;
  const socket = () => join(folder, 'posthaste.sock');

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'posthaste-socket-'));
    desk = await createDesk();
    shell = new NodeShell({ built: folder, own: join(folder, 'own') });
    program = new DesktopProgram(shell);
    await program.start(SERVER);
    end = answerLines(socket(), (line) => shell.answerLine(line));
    for (const until = performance.now() + PATIENCE_MS; ; await delay(5)) {
      if (((statSync(socket(), { throwIfNoEntry: false })?.mode ?? 0) & 0o777) === 0o600) break;
      assert.ok(performance.now() < until, 'it listens');
    }
  });
  after(() => {
    end();
    rmSync(folder, { recursive: true, force: true });
  });

  const links = () =>
    shell.told.flatMap(({ message }) => {
      const { type, link } = message as { type: string; link?: string };
      return type === 'link' ? [link] : [];
    });

  test('[DESK-49] `open` opens its place in the app, and in the browser where none runs or none of that server is open', async () => {
    await desk.good('open', 'today');
    assert.equal(desk.launched.length, 1, 'no app');
    desk.socket = socket();
    assert.equal(statSync(socket()).mode & 0o777, 0o600);
    program.open(null);
    program.heard('main@desktop', JSON.stringify({ type: 'ready' }));
    await desk.good('open', 'today');
    await desk.good('open', 'quick-entry');
    assert.deepEqual(links(), ['posthaste:today', 'posthaste:quick-entry']);
    assert.equal(desk.launched.length, 1, 'no browser');
    desk.environment['BROWSER'] = 'firefox';
    await desk.good('open', 'today');
    assert.deepEqual(desk.launched.at(-1)?.[0], 'firefox', 'a program that was chosen has it');
    delete desk.environment['BROWSER'];
    const elsewhere = await shell.answerLine(
      JSON.stringify({ type: 'link', server: 'https://other.example', link: 'posthaste:today' }),
    );
    assert.deepEqual(JSON.parse(elsewhere), { type: 'elsewhere' });
  });

  test('[DESK-50] `selected` gets what is selected in the app, which its person allows, and says so where they don’t', async () => {
    const selected = { selected_task_ids: ['01900000-0000-7000-8000-000000000001'], list_id: null };
    const answered = desk.good('selected', '-o', 'now.json');
    for (const until = performance.now() + PATIENCE_MS; links().length < 3; await delay(5))
      assert.ok(performance.now() < until, 'it is asked');
    assert.equal(links().at(-1), 'posthaste:get-selected-tasks');
    program.heard('main@desktop', JSON.stringify({ type: 'selected', text: JSON.stringify(selected) }));
    assert.equal(await answered, join(desk.folder, 'now.json'));
    assert.deepEqual(JSON.parse(readFileSync(join(desk.folder, 'now.json'), 'utf8')), selected);
    const before = desk.launched.length;
    const silent = await desk.run('selected', '--timeout', '0.2');
    assert.deepEqual([silent.code, /Let links see which tasks are selected/.test(silent.err)], [4, true]);
    assert.equal(desk.launched.length, before, 'no browser is opened for it');
    program.left('main@desktop');
    const gone = await shell.answerLine(JSON.stringify({ type: 'selected', server: SERVER }));
    assert.deepEqual(JSON.parse(gone), { type: 'elsewhere' });
  });

  test('[DESK-51] a socket that others can use is none, and what isn’t understood does nothing', async () => {
    const told = shell.told.length;
    for (const line of [
      '',
      '{',
      '{"type":"openExternal"}',
      JSON.stringify({ type: 'link', server: SERVER, link: 'file:///etc/passwd' }),
    ])
      assert.equal(
        (JSON.parse((await askLine(socket(), line, PATIENCE_MS)) ?? '') as { type: string }).type,
        'refused',
        line,
      );
    assert.equal(shell.told.length, told);
    chmodSync(socket(), 0o666);
    assert.equal(await askLine(socket(), '{}', PATIENCE_MS), null);
    chmodSync(socket(), 0o600);
    writeFileSync(join(folder, 'plain.sock'), '');
    assert.equal(await askLine(join(folder, 'plain.sock'), '{}', PATIENCE_MS), null);
    assert.equal(await askLine(join(folder, 'none.sock'), '{}', PATIENCE_MS), null);
  });
});
