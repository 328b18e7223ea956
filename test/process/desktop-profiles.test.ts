// Several accounts and servers in the program of the desktop app, at two real servers: whose storage and session is whose, which window gets what,
// and what is left once one is removed.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { must } from '#core/assert.ts';
import { appPage, erasePage, originOf, ownFiles, serverPage } from '#desktop/app-files.ts';
import { MOST_PROFILES } from '#desktop/profiles.ts';
import { DesktopProgram } from '#desktop/program.ts';
import { unreadableFile } from '#desktop/settings.ts';
import type { WindowName } from '#desktop/shell.ts';
import { MemoryKeychain, NodeShell } from '../desktop/node-shell.ts';
import { PASSWORD, startServerChild, type ServerChild } from './server-child.ts';

const PATIENCE_MS = 10_000;

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !isSo(); await delay(20))
    assert.ok(performance.now() < end, what);
}

/** Signs up as the page of that profile would. */
async function signUp(program: DesktopProgram, host: string, email: string): Promise<void> {
  const answer = await program.answer(host, {
    method: 'POST',
    path: '/app/api/sign_up',
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify({ email, password: PASSWORD, terms: true })),
  });
  assert.equal(answer?.status, 200, email);
}

/** Who the server takes the page of that profile for: a status. */
async function statusOf(program: DesktopProgram, host: string): Promise<number | null> {
  const answer = await program.answer(host, {
    method: 'GET',
    path: '/app/api/security',
    headers: {},
    body: null,
  });
  return answer?.status ?? null;
}

const say = (program: DesktopProgram, window: WindowName, message: unknown) =>
  program.heard(window, JSON.stringify(message));

describe('several accounts in the desktop app', () => {
  let folder = '';
  const servers: ServerChild[] = [];
  const at = (n: number) => must(servers[n], 'it runs').address;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'posthaste-profiles-'));
    mkdirSync(join(folder, 'app'));
    for (const file of ['index.html', ...ownFiles]) writeFileSync(join(folder, 'app', file), '<head></head>');
    for (const name of ['one', 'two']) servers.push(await startServerChild(join(folder, name)));
  });
  after(async () => {
    for (const server of servers) await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  async function started(name: string, keychain?: MemoryKeychain, server: string | null = null) {
    const shell = new NodeShell({ built: join(folder, 'app'), own: join(folder, `of-${name}`) }, keychain);
    const program = new DesktopProgram(shell);
    await program.start(server);
    return { shell, program };
  }

  test('[DESK-24] another server gets storage and a window of its own; nothing of the first is touched, and both stay signed in', async () => {
    const keychain = new MemoryKeychain();
    const { program, shell } = await started('servers', keychain, at(0));
    await signUp(program, 'desktop', 'ida@example.org');
    say(program, 'main@desktop', { type: 'server', address: at(1) });
    await until(() => program.settings.profiles.length === 2, 'a second profile');
    const [first, second] = program.settings.profiles;
    assert.deepEqual([first?.host, first?.server, first?.isBound], ['desktop', at(0), true]);
    assert.equal(second?.server, at(1));
    const { host } = must(second, 'there is one');
    await until(() => shell.shown.length > 0, 'its window');
    assert.deepEqual(shell.shown, [`main@${host} ${originOf(host)}${appPage}`]);
    assert.equal(await statusOf(program, host), 401, 'no session of the first goes to the second');
    await signUp(program, host, 'ida@example.org');
    assert.deepEqual([...keychain.kept.keys()], [`session ${at(0)}`, `session ${at(1)} ${host}`]);
    // The same address again is the window that there is.
    assert.equal(await program.chooseServer('desktop', at(1)), null);
    assert.equal(program.settings.profiles.length, 2);
    const next = await started('servers', keychain);
    for (const profile of ['desktop', host]) assert.equal(await statusOf(next.program, profile), 200);
    assert.equal(await next.program.answer('desktop-none', request('/app/')), null, 'others have no pages');
  });

  test('[DESK-24] an address that was mistyped, where nobody signed in, is replaced and leaves nothing', async () => {
    const { program } = await started('typo', undefined, 'tasks.exmple.org');
    assert.equal(await program.chooseServer('desktop', at(0)), null);
    assert.deepEqual(
      program.settings.profiles.map(({ host, server }) => [host, server]),
      [['desktop', at(0)]],
    );
  });

  test('[DESK-25] settings that can’t be read are kept, and what is typed from then on lies apart from what they knew of', async (t) => {
    t.mock.method(console, 'warn', () => undefined);
    const own = join(folder, 'of-broken');
    mkdirSync(own);
    writeFileSync(join(own, 'settings.json'), '{"profiles":[{"host":"desk');
    const { program } = await started('broken');
    assert.notEqual(program.settings.profiles[0]?.host, 'desktop');
    assert.equal(readFileSync(join(own, unreadableFile), 'utf8'), '{"profiles":[{"host":"desk');
  });

  test('[DESK-26] two accounts at one server, each in its window; lists and titles name them', async () => {
    const { program, shell } = await started('accounts', undefined, at(0));
    program.open(null);
    assert.equal(shell.titles.get('main@desktop'), 'Posthaste');
    await signUp(program, 'desktop', 'one@example.org');
    say(program, 'main@desktop', { type: 'who', name: 'one@example.org' });
    say(program, 'main@desktop', { type: 'add' });
    await until(() => shell.shown.length === 2, 'its window');
    const { host } = must(program.settings.profiles[1], 'it is there');
    assert.equal(shell.shown[1], `main@${host} ${originOf(host)}${serverPage}`);
    assert.equal(await program.chooseServer(host, at(0)), null);
    await signUp(program, host, 'two@example.org');
    say(program, `main@${host}`, { type: 'who', name: 'two@example.org' });
    const place = at(0).replace('http://', '');
    await until(
      () => shell.titles.get(`main@${host}`) === `two@example.org at ${place} – Posthaste`,
      'a title',
    );
    assert.equal(shell.titles.get('main@desktop'), `one@example.org at ${place} – Posthaste`);
    const lists = shell.told.flatMap(({ window, message }) => {
      const said = message as { type: string; here: string; profiles: { title: string }[] };
      return said.type === 'profiles'
        ? [{ window, here: said.here, titles: said.profiles.map(({ title }) => title) }]
        : [];
    });
    assert.deepEqual(
      lists.findLast(({ window }) => window === 'main@desktop'),
      {
        window: 'main@desktop',
        here: 'desktop',
        titles: [`one@example.org at ${place}`, `two@example.org at ${place}`],
      },
    );
    say(program, `main@${host}`, { type: 'switch', host: 'desktop' });
    assert.equal(shell.shown.at(-1), `main@desktop ${originOf('desktop')}${appPage}`);
  });

  test('[DESK-27] links and quick entry go to the profile that was used last, also after a start; numbers are of all', async () => {
    const { program, shell } = await started('last', undefined, at(0));
    await signUp(program, 'desktop', 'last@example.org');
    await program.chooseServer('desktop', at(1));
    const { host } = must(program.settings.profiles[1], 'it is there');
    program.open('posthaste:quick-entry?title=First');
    say(program, 'main@desktop', { type: 'ready' });
    program.entered(`main@${host}`);
    program.open('posthaste:quick-entry?title=Second');
    say(program, `main@${host}`, { type: 'ready' });
    // A link in a page is of its own profile.
    program.leave('main@desktop', 'posthaste:today');
    const links = shell.told.flatMap(({ window, message }) => {
      const { type, link } = message as { type: string; link?: string };
      return type === 'link' ? [`${window} ${link}`] : [];
    });
    assert.deepEqual(links, [
      'main@desktop posthaste:quick-entry?title=First',
      `main@${host} posthaste:quick-entry?title=Second`,
      'main@desktop posthaste:today',
    ]);
    program.quickEntry();
    assert.equal(shell.shown.at(-1), `quick@${host} ${originOf(host)}${appPage}?quick`);
    say(program, 'main@desktop', { type: 'badge', count: 2 });
    say(program, `main@${host}`, { type: 'badge', count: 3 });
    say(program, 'main@desktop', { type: 'badge', count: 0 });
    assert.deepEqual(shell.badges, [2, 5, 3]);
    const file = join(folder, 'of-last/settings.json');
    await until(() => readFileSync(file, 'utf8').includes(`"last": "${host}"`), 'it is kept');
    const next = await started('last');
    next.program.open(null);
    assert.deepEqual(next.shell.shown, [`main@${host} ${originOf(host)}${appPage}`]);
  });

  test('[DESK-28] removing one ends its session, has its page take everything away, and only then forgets it', async () => {
    const keychain = new MemoryKeychain();
    const { program, shell } = await started('removing', keychain, at(0));
    await signUp(program, 'desktop', 'gone@example.org');
    const [cookie = ''] = keychain.kept.values();
    await program.chooseServer('desktop', at(1));
    const { host } = must(program.settings.profiles[1], 'it is there');
    // Nothing was asked for: a page can’t say that it is erased.
    say(program, 'main@desktop', { type: 'erased' });
    say(program, 'main@desktop', { type: 'remove' });
    await until(() => shell.went.length === 1, 'the page that erases');
    assert.equal(shell.went[0], `main@desktop ${originOf('desktop')}${erasePage}`);
    assert.deepEqual(shell.ended, ['quick@desktop']);
    assert.equal(keychain.kept.size, 0);
    const answer = await fetch(`${at(0)}/app/api/security`, { headers: { cookie } });
    assert.equal(answer.status, 401, 'the session is over at the server');
    assert.equal(program.settings.profiles.length, 2, 'until it is erased');
    say(program, 'main@desktop', { type: 'erased' });
    await until(() => program.settings.profiles.length === 1, 'it is gone');
    await until(() => shell.ended.length === 2, 'its window, too');
    assert.equal(program.settings.last, host);
    assert.equal(shell.shown.at(-1), `main@${host} ${originOf(host)}${appPage}`);
    assert.equal(await program.answer('desktop', request('/app/')), null);
  });

  test('[DESK-28] after the only one is removed there is a new one with storage of its own, which asks for a server', async () => {
    const { program, shell } = await started('only', undefined, at(0));
    program.open(null);
    say(program, 'main@desktop', { type: 'remove' });
    await until(() => shell.went.length === 1, 'the page that erases');
    say(program, 'main@desktop', { type: 'erased' });
    await until(() => shell.shown.length === 2, 'the next');
    const [profile] = program.settings.profiles;
    assert.notEqual(profile?.host, 'desktop');
    assert.equal(profile?.server, null);
    assert.equal(shell.shown[1], `main@${profile?.host} ${originOf(profile?.host ?? '')}${serverPage}`);
  });

  test('[DESK-26] there are as many as anyone signs in to, and no more', async () => {
    const { program, shell } = await started('many');
    for (let n = 1; n < MOST_PROFILES + 2; n += 1) say(program, 'main@desktop', { type: 'add' });
    await until(() => shell.notices.length === 2, 'it is said');
    assert.equal(program.settings.profiles.length, MOST_PROFILES);
    assert.match(shell.notices[0]?.body ?? '', /Remove one first/);
  });
});

const request = (path: string) => ({ method: 'GET', path, headers: {}, body: null });
