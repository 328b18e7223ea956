// What every browser journey needs: a real server on a free port with a folder of its own, the machine's Chromium, and
// pages whose errors fail the test. A journey reads what a person would see.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, type TestContext } from 'node:test';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
  type Route,
} from 'playwright-core';
import { must } from '#core/assert.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/data/database.ts';
import { DATABASE_FILE } from '#server/data/location.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import { lastingPort } from '../process/lasting-port.ts';
import { slowDown } from './slow-world.ts';

const ROOT = join(import.meta.dirname, '../..');
const APP_FOLDER = join(ROOT, 'dist/app');
/** Argon2id as weak as it may be: the journeys are not about hashing. */
const QUICK_HASH = { memory: 1_024, passes: 1, parallelism: 1 };
export const PASSWORD = 'a long walk in the rain';
/** How long a test waits for what has to come. No figure of the product: only what never comes is to end the test. */
export const STEP_MS = 20_000;

/**
 * What Playwright switches off, because of several switches of this name only the last counts, and three of ours:
 * Chromium keeps a page of its own ready for the address field of every window, which costs more than opening the app, and a
 * process ready for the next page, which most tests never open.
 */
const SWITCHED_OFF = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
] as const;

/** The browsers in which the app may have its service worker. */
const withWorkers = new WeakSet<Browser>();

/**
 * `isWhole`: the browser that people have, with what belongs to its window; also for tabs that a page opens: in the headless shell the
 * driver may wait for ever for one that has arrived. `hasWorkers`: without their service worker journeys cost
 * a quarter less, because the app is not copied; and none starts without a network.
 */
export async function launch({
  hasWorkers = false,
  isWhole = false,
  ...options
}: LaunchOptions & { readonly hasWorkers?: boolean; readonly isWhole?: boolean } = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: must(
      (isWhole ? undefined : process.env['POSTHASTE_SHELL']) ?? process.env['POSTHASTE_CHROMIUM'],
      'the test runner names the browser',
    ),
    chromiumSandbox: false,
    // A page lives for seconds here: the compiler of V8 for what is warm costs more than it brings. The one for what is hot stays:
    // keys that are made of passphrases would take half a minute without it.
    args: [`--disable-features=${SWITCHED_OFF.join(',')}`, '--js-flags=--no-maglev'],
    ...options,
  });
  if (hasWorkers) withWorkers.add(browser);
  slowDown(browser);
  return browser;
}

/** How long a browser that nobody uses waits for the next file of tests. */
const IDLE_MS = 500;

interface Shared {
  readonly browser: Promise<Browser>;
  users: number;
}

/** Those that run, by what they were launched with. */
const shared = new Map<string, Shared>();

/** The browser of these options, which runs already or is launched, and how to give it back: the last who does so ends it. */
export async function shareBrowser(
  options: Parameters<typeof launch>[0] = {},
): Promise<[browser: Browser, giveBack: () => void]> {
  const key = JSON.stringify(options);
  const launched = () => {
    const browser = launch(options);
    const known = { browser, users: 0 };
    // One that has crashed, or never began, is not handed on.
    browser.then(
      (up) => up.once('disconnected', () => forget(known)),
      () => forget(known),
    );
    return known;
  };
  const forget = (known: Shared) => shared.get(key) === known && shared.delete(key);
  const known = shared.get(key) ?? launched();
  shared.set(key, known);
  known.users += 1;
  const browser = await known.browser;
  const giveBack = () => {
    known.users -= 1;
    setTimeout(() => {
      if (known.users === 0 && forget(known)) void browser.close();
    }, IDLE_MS);
  };
  return [browser, giveBack];
}

/** For the body of a `describe`: one browser for all of its tests, and for those of other files with the same options after them. */
export function withBrowser(options: Parameters<typeof launch>[0] = {}): () => Browser {
  let browser: Browser | undefined;
  let giveBack: (() => void) | undefined;
  before(async () => {
    [browser, giveBack] = await shareBrowser(options);
  });
  after(() => giveBack?.());
  return () => must(browser, 'launched before the tests');
}

const withoutWorkers = () => void Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');

const endings = new WeakMap<TestContext, Ending[]>();

interface Ending {
  readonly isPage: boolean;
  readonly end: () => unknown;
}

/**
 * Ends something with the test: first the pages, which load their parts from a server that may be younger than they are, then
 * the youngest first, each of them also when one before it fails. The runner's own hooks run in the order in which they were asked
 * for, and none after one that fails: what they were to close would stay open, and hold up all tests.
 */
export function endWith(t: TestContext, end: () => unknown, isPage = false): void {
  const known = endings.get(t);
  if (known) {
    known.push({ isPage, end });
    return;
  }
  const ends: Ending[] = [{ isPage, end }];
  endings.set(t, ends);
  t.after(async () => {
    const failures: unknown[] = [];
    const inOrder = ends.toReversed().toSorted((one, other) => Number(other.isPage) - Number(one.isPage));
    for (const each of inOrder) {
      try {
        await each.end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  });
}

/** A server of another origin than the app's, by its address. Ends with the test. */
export async function serveElsewhere(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endWith(t, async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return `http://127.0.0.1:${address.port}`;
}

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posthaste-browser-'));
  endWith(t, () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of the built app that a test may change. */
export async function copyOfApp(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  await cp(APP_FOLDER, folder, { recursive: true });
  return folder;
}

/** Puts a version on the server that differs in nothing but its name. */
export async function release(folder: string, version: string): Promise<void> {
  const worker = join(folder, 'sw.js');
  const text = await readFile(worker, 'utf8');
  await writeFile(worker, text.replace(/"version":"[^"]+"/, `"version":"${version}"`));
  for (const ending of ['br', 'gz']) await rm(`${worker}.${ending}`, { force: true });
}

let emptyDatabase: Promise<Uint8Array> | undefined;

/** The file of a database that nobody has used yet: servers of one process begin with copies of it. */
async function makeEmptyDatabase(): Promise<Uint8Array> {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthaste-empty-'));
  const database = await openDatabase({ dataDir });
  // Everything is in the one file then.
  await database.close();
  const bytes = await readFile(join(dataDir, DATABASE_FILE));
  await rm(dataDir, { recursive: true });
  return bytes;
}

/** A server in this process. Ends with the test. */
export async function serve(
  t: TestContext,
  appFolder: string = APP_FOLDER,
  environment: Readonly<Record<string, string>> = {},
  more: { readonly pushCa?: string } = {},
): Promise<RunningServer> {
  const dataDir = await temporaryFolder(t);
  emptyDatabase ??= makeEmptyDatabase();
  await writeFile(join(dataDir, DATABASE_FILE), await emptyDatabase, { mode: 0o600 });
  const usual = { PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'error' };
  const read = readConfig({ ...usual, ...environment });
  assert.ok(read.ok);
  const server = await startServer(read.value, { appFolder, hashParameters: QUICK_HASH, ...more });
  endWith(t, () => server.close());
  return server;
}

export interface ServerProcess {
  readonly url: string;
  /** At once, as a power cut would. */
  kill(): Promise<void>;
  /** Again on the same port with the same data. */
  start(): Promise<void>;
}

/** A server in a process of its own, which may be killed. Ends with the test. */
export async function serveApart(t: TestContext): Promise<ServerProcess> {
  const dataDir = await temporaryFolder(t);
  const port = String(await lastingPort());
  let url = '';
  let child: ReturnType<typeof spawn> | undefined;

  async function start(): Promise<void> {
    const env = { ...process.env, PORT: port, DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'error' };
    const started = spawn(process.execPath, ['src/server/main.ts'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    for await (const line of createInterface({ input: must(started.stdout, 'its output is piped') })) {
      const ready = /Posthaste is ready at (\S+)/.exec(line)?.[1];
      if (ready === undefined) continue;
      url = ready;
      return;
    }
    throw new Error('The server process ended before it was ready.');
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  await start();
  endWith(t, kill);
  return { url, kill, start };
}

/** Lines the browser itself writes when a request finds no server; the journeys that cut the network expect them. */
const NETWORK_NOISE = /Failed to load resource|WebSocket connection to|net::ERR_/;

/** Whether a line in a console only says that a request found no server. */
export const isNetworkNoise = (line: string) => NETWORK_NOISE.test(line);

/** Everything bad that a page says from now on, except for lines that are expected. */
export function watchProblems(page: Page, expected?: RegExp, problems: string[] = []): readonly string[] {
  page.on('pageerror', (error) => problems.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    const isMeant = isNetworkNoise(message.text()) || expected?.test(message.text()) === true;
    if (isBad && !isMeant) problems.push(`${message.text()} ${JSON.stringify(message.location())}`);
  });
  return problems;
}

export interface Client {
  readonly context: BrowserContext;
  readonly page: Page;
}

export interface AppOptions extends BrowserContextOptions {
  /** Lines in the console that the test provokes. */
  readonly expected?: RegExp;
  /** Runs in every page before the app. */
  readonly before?: () => void;
  /** Runs before the first page of the context. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
  /** Somebody who never used the app: the first task begins the lesson. Else it is over. */
  readonly isNew?: boolean;
}

/** Runs in the page. */
function withoutLesson(): void {
  if (location.protocol === 'http:' && localStorage.length === 0)
    localStorage.setItem('posthaste.preference.lesson', 'over');
}

/** The last key has been answered on the screen. Runs in the page; one that is not seen draws nothing. */
async function isDrawn(): Promise<void> {
  const drawn = new Promise<unknown>((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
  );
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, 200))]);
}

/** Everything is closed, yet the browser still goes back over the entries of what was open. Runs in the page. */
function goesBack(): boolean {
  const { layer = 0 } = (history.state ?? {}) as { readonly layer?: number };
  const open =
    'dialog[open], [data-ph=palette][data-open], :popover-open, nav[aria-label=Lists], [data-kind=selected]';
  return layer > 0 && document.querySelector(`${open}, #search-input, #notes-text`) === null;
}

/**
 * Lets the browser finish going back before the page is left or reloaded: it would break off the one for the other. Back and
 * Forward wait for the last key as a person does: the app gives a place its entry in the history right after the frame.
 */
function waitsForBack(page: Page): void {
  // A page that is just being replaced, or has crashed, goes nowhere.
  const settle = async () => {
    await page.evaluate(isDrawn).catch(() => undefined);
    await expectEventually(() => page.evaluate(goesBack).catch(() => false), false);
  };
  const goto = page.goto.bind(page);
  const goBack = page.goBack.bind(page);
  const goForward = page.goForward.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (...args) => {
    await settle();
    return goto(...args);
  };
  page.reload = async (...args) => {
    await settle();
    return reload(...args);
  };
  page.goBack = async (...args) => {
    await page.evaluate(isDrawn).catch(() => undefined);
    return goBack(...args);
  };
  page.goForward = async (...args) => {
    await page.evaluate(isDrawn).catch(() => undefined);
    return goForward(...args);
  };
}

/** A browser profile of its own with the app open. Any error in its console fails the test. */
export async function openApp(
  t: TestContext,
  browser: Browser,
  url: string,
  { expected, before, prepare, isNew = false, ...options }: AppOptions = {},
): Promise<Client> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    locale: 'en-GB',
    ...options,
  });
  if (!withWorkers.has(browser)) await context.addInitScript(withoutWorkers);
  if (before) await context.addInitScript(before);
  if (!isNew) await context.addInitScript(withoutLesson);
  const problems: string[] = [];
  context.on('page', (page) => {
    page.setDefaultTimeout(STEP_MS);
    waitsForBack(page);
    watchProblems(page, expected, problems);
  });
  endWith(
    t,
    async () => {
      // What was being fetched when the page was closed is no fault of the app.
      const found = [...problems];
      await context.close();
      assert.deepEqual(found, [], 'the browser reported errors');
    },
    true,
  );
  await prepare?.(context);
  const page = await context.newPage();
  await page.goto(`${url}/app/`);
  await ready(page);
  return { context, page };
}

/** The app has drawn itself and taken focus. */
export async function ready(page: Page): Promise<void> {
  await page.locator('[data-ph=app]').waitFor();
  await page.waitForFunction(() => document.activeElement !== document.body);
}

/**
 * The worker has everything it needs to open the app without a network. Copying all files of the app goes on behind what a
 * person does and what other tests do: it is waited for as long as the test may take.
 */
export async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** The browser looks for a new version and has copied all of it: it is offered. */
export async function lookForUpdate(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (registration.waiting) resolve();
        else registration.installing?.addEventListener('statechange', look, { once: true });
      };
      registration.addEventListener('updatefound', look);
      registration.update().then(look, reject);
    });
  });
}

/** The visible outline as text: two spaces for each level, `x` for what is done. Runs in the page. */
export function readOutline(): readonly string[] {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  rows.sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex));
  return rows.map((row) => {
    const title =
      row.querySelector<HTMLInputElement>('[data-ph=title-input]')?.value ??
      row.querySelector('[data-ph=title]')?.textContent ??
      '';
    const isDone = (row.dataset['phState'] ?? '').includes('complete');
    return `${'  '.repeat(Number(row.getAttribute('aria-level')) - 1)}${isDone ? 'x ' : '- '}${title}`;
  });
}

export const outline = (page: Page): Promise<readonly string[]> => page.evaluate(readOutline);

/** Waits until the outline reads like this; says what it read otherwise. */
export async function expectOutline(page: Page, expected: readonly string[]): Promise<void> {
  await expectEventually(() => outline(page), expected);
}

export async function expectEventually<T>(
  read: () => Promise<T>,
  expected: T,
  withinMs = STEP_MS,
): Promise<void> {
  const until = performance.now() + withinMs;
  for (let pauseMs = 15; ; pauseMs = Math.min(150, pauseMs * 1.5)) {
    const found = await read();
    try {
      assert.deepEqual(found, expected);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

type OnExchange = (route: Route) => unknown;

export const passOn: OnExchange = (route) => route.continue();

/**
 * Stands in the way of exchanges with the server. Returns what puts something else in its place: at once, so that no request passes
 * between the two, as one could while the route is taken away.
 */
export async function atExchanges(
  context: BrowserContext,
  first: OnExchange,
): Promise<(next: OnExchange) => void> {
  let answer = first;
  await context.route('**/sync/v1', (route) => answer(route));
  return (next) => {
    answer = next;
  };
}

export const syncText = (page: Page) => page.locator('[data-ph=sync]').innerText();

export async function synced(page: Page, withinMs = STEP_MS): Promise<void> {
  await expectEventually(() => syncText(page), 'Synced', withinMs);
}

/** Runs a command by its name, as a person would: palette, typing, Enter. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(name);
  await page.locator('[role=option][aria-selected=true]').filter({ hasText: name }).waitFor();
  await page.keyboard.press('Enter');
}

async function enterAnd(page: Page, dialog: 'Create an account' | 'Sign in', email: string): Promise<void> {
  await command(page, dialog);
  await page.locator('dialog input[name=email]').waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

async function enter(
  page: Page,
  dialog: 'Create an account' | 'Sign in',
  { email, withinMs = STEP_MS }: { readonly email: string; readonly withinMs?: number },
): Promise<void> {
  await enterAnd(page, dialog, email);
  // A device that has no key of an encrypted account yet says that.
  await expectEventually(async () => /^(?:Synced|Locked)$/.test(await syncText(page)), true, withinMs);
  await ready(page);
}

const ofDialog = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Keeps the code that the dialog of encryption shows, types what is asked of it, and gives it. */
export async function keepCode(page: Page, look?: () => Promise<void>): Promise<string> {
  const groups = await page.locator('dialog ol[aria-label="Recovery code"] li').allInnerTexts();
  const code = groups.map((group) => group.replace(/^\d\s*/, '').trim());
  await look?.();
  await ofDialog(page, 'I have it').press('Enter');
  await page.locator('dialog input[name=group0]').waitFor();
  const said = (await page.locator('dialog label').allInnerTexts()).join(' ');
  const asked = [...said.matchAll(/Group (\d)/g)].map(([, number]) => Number(number) - 1);
  for (const [index, group] of asked.entries())
    await page.locator(`dialog input[name=group${index}]`).fill((code[group] ?? '').toLowerCase());
  await look?.();
  await page.keyboard.press('Enter');
  return code.join('-');
}

/** What a person does to turn encryption on. `look`: at each step. Resolves with the recovery code when everything is encrypted. */
export async function turnOnEncryption(
  page: Page,
  { look, withinMs = STEP_MS }: { readonly look?: () => Promise<void>; readonly withinMs?: number } = {},
): Promise<string> {
  await command(page, 'Encrypt everything…');
  await expectEventually(() => page.locator('dialog h2').innerText(), 'Encrypt everything');
  await look?.();
  await ofDialog(page, 'Show my recovery code').press('Enter');
  const code = await keepCode(page, look);
  const isDone = async () => (await page.locator('dialog').innerText()).includes('Everything is encrypted.');
  await expectEventually(isDone, true, withinMs);
  await ofDialog(page, 'Close').press('Enter');
  return code;
}

/** Unlocks a device that is locked. */
export async function unlockWithCode(page: Page, code: string): Promise<void> {
  await command(page, 'Unlock with recovery code…');
  await page.locator('dialog input[name=code]').fill(code.replaceAll('-', ' ').toLowerCase());
  await page.keyboard.press('Enter');
  await expectEventually(() => page.locator('dialog h2').innerText(), 'Encryption');
  await ofDialog(page, 'Close').press('Enter');
}

/** All accounts are encrypted: `ENCRYPTED=1 npm test -- --only=browser`. */
const isEncrypted = process.env['ENCRYPTED'] === '1';
/** Recovery codes by server and email address. */
const codes = new Map<string, string>();
const accountAt = (page: Page, email: string) => `${new URL(page.url()).origin} ${email}`;

export async function signUp(page: Page, email: string): Promise<void> {
  await signUpPlain(page, email);
  if (!isEncrypted) return;
  codes.set(accountAt(page, email), await turnOnEncryption(page));
  await synced(page);
}

/** For tests that turn encryption on themselves, or look at what the server can read: no run encrypts it. */
export const signUpPlain = (page: Page, email: string): Promise<void> =>
  enter(page, 'Create an account', { email });

/** Synced, on a device that may not have the key: one that lost its storage, or signed in in a way that gives none. */
export async function opened(page: Page, email: string): Promise<void> {
  const code = codes.get(accountAt(page, email));
  if (code !== undefined) {
    await expectEventually(async () => /^(?:Synced|Locked)/.test(await syncText(page)), true);
    if ((await syncText(page)).startsWith('Locked')) await unlockWithCode(page, code);
  }
  await synced(page);
}

export async function signIn(page: Page, email: string, withinMs = STEP_MS): Promise<void> {
  const code = codes.get(accountAt(page, email));
  if (code === undefined) return enter(page, 'Sign in', { email, withinMs });
  await enterAnd(page, 'Sign in', email);
  const isKnown = async () => /^(?:Synced|Locked)/.test(await syncText(page));
  await expectEventually(isKnown, true, withinMs);
  await ready(page);
  // Where the device still has the key, there is nothing to unlock.
  if ((await page.locator('body').innerText()).includes('Locked')) await unlockWithCode(page, code);
  await synced(page, withinMs);
}

/** New tasks one below the other, ending in navigation. */
export async function addTasks(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type(title);
  }
  await page.keyboard.press('Escape');
}
