// The page of a public link with ten thousand tasks, on a desktop and on a phone with a processor a quarter as fast: when its rows are
// there, how its frames come while somebody scrolls through it and holds ↓, and the same while the owner changes fifty tasks a second.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { PublicLinks } from '#wire/public-links.ts';
import { findBrowser } from '../../scripts/browser.ts';
import { buildSite } from '../../scripts/site-build.ts';
import { BROWSER_FLAGS } from '../browser/chromium.ts';
import { type Cell, type Gate, print, say, table } from '../report.ts';
import { conditions } from '../machine.ts';
import { openConnection } from '../server/http-connection.ts';
import { Writer } from '../server/moves.ts';
import { prepareList, type PreparedList } from '../server/prepared.ts';
import { startProgram } from '../server/server-process.ts';
import { distributionOf } from '../statistics.ts';

const TASKS = 10_000;
const CHANGES_PER_SECOND = 50;
const REPEATS = 90;
const REPEAT_MS = 1_000 / 30;
const WHEEL_TICKS = 240;
const WHEEL_PIXELS = 100;
const WHEEL_MS = 16;
const FLING_PIXELS = 12_000;
const FLINGS = 4;
const LIMIT_MS = 120_000;
const LONG_MS = 50;
const WANTED_ROWS_MS = 1_500;
const WANTED_HEAP_MB = 60;

interface Device {
  readonly name: string;
  readonly slowdown: number;
  /** Between two pictures, p95: two and three of a screen that shows sixty a second. */
  readonly wantedFrameMs: number;
  readonly options: BrowserContextOptions;
}

const DEVICES: readonly Device[] = [
  { name: 'desktop', slowdown: 1, wantedFrameMs: 34, options: { viewport: { width: 1_280, height: 800 } } },
  {
    name: 'phone, 4 × slower',
    slowdown: 4,
    wantedFrameMs: 50,
    options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  },
];

declare global {
  // What the page under test notes for itself.
  var benchFrames: number[];
  var benchRows: { readonly whole: number | null };
}

/** Runs in the page: the time between two pictures, and when all rows were there. */
function watch(count: number): void {
  globalThis.benchFrames = [];
  globalThis.benchRows = { whole: null };
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    globalThis.benchFrames.push(now - last);
    last = now;
    if (globalThis.benchRows.whole === null && document.getElementsByClassName('task').length >= count)
      globalThis.benchRows = { whole: now };
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** A page under test. */
interface Visit {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly device: Device;
}

/** The pictures while something is done with the page. */
async function framesOf({ page }: Visit, work: () => Promise<void>): Promise<readonly number[]> {
  await page.evaluate(() => void (globalThis.benchFrames = []));
  await work();
  return page.evaluate(() => globalThis.benchFrames);
}

/** As a wheel turns, or a finger flings. */
async function scroll({ cdp, device }: Visit, direction: 1 | -1): Promise<void> {
  if (device.options.hasTouch === true) {
    for (let at = 0; at < FLINGS; at += 1)
      await cdp.send('Input.synthesizeScrollGesture', {
        x: 195,
        y: direction > 0 ? 700 : 150,
        yDistance: -direction * FLING_PIXELS,
        speed: 6_000,
        gestureSourceType: 'touch',
      });
    return;
  }
  const sent: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let at = 0; at < WHEEL_TICKS; at += 1) {
    const place = { x: 600, y: 400, deltaX: 0, deltaY: direction * WHEEL_PIXELS };
    sent.push(cdp.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...place }));
    await pause(Math.max(0, startedAt + (at + 1) * WHEEL_MS - performance.now()));
  }
  await Promise.all(sent);
}

async function hold({ cdp }: Visit): Promise<void> {
  const key = { key: 'ArrowDown', code: 'ArrowDown', windowsVirtualKeyCode: 40 } as const;
  const sent: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let at = 0; at < REPEATS; at += 1) {
    sent.push(cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key, autoRepeat: at > 0 }));
    await pause(Math.max(0, startedAt + (at + 1) * REPEAT_MS - performance.now()));
  }
  sent.push(cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }));
  await Promise.all(sent);
}

/** To the end and back, a few times. */
async function jump({ page }: Visit): Promise<void> {
  for (const key of ['End', 'Home', 'End', 'Home']) {
    await page.keyboard.press(key);
    await pause(500);
  }
}

interface Found {
  readonly device: Device;
  readonly paintMs: number;
  readonly wholeMs: number;
  readonly heapMb: number;
  /** By what was done, the time between two pictures. */
  readonly frames: ReadonlyMap<string, readonly number[]>;
}

async function open(browser: Browser, device: Device, address: string): Promise<Visit> {
  const page = await (await browser.newContext(device.options)).newPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: device.slowdown });
  await page.addInitScript(watch, TASKS);
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.benchRows.whole !== null, undefined, { timeout: LIMIT_MS });
  return { page, cdp, device };
}

async function weigh({ cdp }: Visit): Promise<number> {
  await cdp.send('Performance.enable');
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1_000_000;
}

async function measure(
  browser: Browser,
  device: Device,
  { address, change }: { readonly address: string; readonly change: () => Promise<void> },
): Promise<Found> {
  const visit = await open(browser, device, address);
  const { page } = visit;
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    whole: globalThis.benchRows.whole ?? Number.NaN,
  }));
  const heapMb = await weigh(visit);
  const frames = new Map<string, readonly number[]>();
  const go = async (name: string, work: () => Promise<void>) => {
    frames.set(name, await framesOf(visit, work));
  };
  const both = async () => {
    await scroll(visit, 1);
    await scroll(visit, -1);
  };
  await go('scrolled', both);
  await go('held ↓', () => hold(visit));
  await go('End, Home', () => jump(visit));
  const changing = beside(change);
  await go('scrolled, 50 changes/s', both);
  await go('held ↓, 50 changes/s', () => hold(visit));
  await changing.end();
  await page.context().close();
  return { device, paintMs: times.paint, wholeMs: times.whole, heapMb, frames };
}

/** Goes on with changes, so many a second, until it is ended. */
function beside(change: () => Promise<void>): { readonly end: () => Promise<void> } {
  let isOver = false;
  const going = (async () => {
    const startedAt = performance.now();
    for (let at = 1; !isOver; at += 1) {
      await change();
      await pause(Math.max(0, startedAt + (at * 1_000) / CHANGES_PER_SECOND - performance.now()));
    }
  })();
  return {
    async end() {
      isOver = true;
      await going;
    },
  };
}

/** Shares the list; resolves with the path of a link that permits everything, and with what changes a task of the list. */
async function publish(url: string, { owner, list, tasks }: PreparedList) {
  const door = await openConnection(url);
  const call = (path: string, body: unknown) =>
    door.post(`/app/api/sharing/lists/${list}${path}`, JSON.stringify(body), owner.cookie);
  const may = { add: true, complete: true, titles: true, notes: true, labels: true };
  const startedAt = performance.now();
  let made = await call('/links', { may });
  while (made.status !== 200) {
    if (performance.now() - startedAt > LIMIT_MS)
      throw new Error(`The link was not made: ${JSON.stringify(made.body)}`);
    await pause(100);
    made = await call('/links', { may });
  }
  const { links, scope } = made.body as PublicLinks;
  const [link] = links;
  if (link?.token == null || scope === null) throw new Error('The link has no address.');
  const writer = new Writer(door, { ...owner, scope });
  let at = 0;
  const change = async (): Promise<void> => {
    at += 1;
    await writer.send(changeOf(at, tasks, list));
  };
  return { path: `/p/${link.token}`, change, close: () => door.close() };
}

/** Titles mostly, and now and then a new task. */
function changeOf(at: number, tasks: readonly Id[], list: Id): Action {
  const id = tasks[(at * 7_919) % tasks.length] ?? list;
  if (at % 10 > 0) return { a: 'set', id, field: 'title', value: `Task with another title, change ${at}` };
  const fields = { title: `New task ${at}` };
  return { a: 'create', id: crypto.randomUUID() as Id, type: 'task', fields, place: { parent: list } };
}

function rowsOf({ device, frames }: Found): readonly (readonly Cell[])[] {
  return [...frames].map(([name, all]) => {
    const { p50, p95, p99, max, count } = distributionOf(all);
    return [device.name, name, count, p50, p95, p99, max, all.filter((ms) => ms > LONG_MS).length];
  });
}

function gatesOf({ device, paintMs, heapMb, frames }: Found): readonly Gate[] {
  const gate = { kind: 'at most' } as const;
  const name = `public list on a ${device.name}`;
  return [
    { ...gate, name: `${name}: first rows`, reached: paintMs, bound: WANTED_ROWS_MS, unit: 'ms' },
    { ...gate, name: `${name}: heap`, reached: heapMb, bound: WANTED_HEAP_MB, unit: 'MB' },
    ...[...frames].map(([what, all]) => ({
      ...gate,
      name: `${name}, ${what}: frames, p95`,
      reached: distributionOf(all).p95,
      bound: device.wantedFrameMs,
      unit: 'ms',
    })),
  ];
}

/** Prints how the page of a long public list moves. */
export async function runPublicListSuite(): Promise<Gate[]> {
  await buildSite();
  const found = findBrowser();
  if (found.type === 'missing') throw new Error(`The browser measurements need Chromium: ${found.reason}`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-public-'));
  const prepared = await prepareList(folder, TASKS);
  const server = await startProgram('src/server/main.ts', folder);
  const browser = await chromium.launch({
    executablePath: found.path,
    headless: true,
    chromiumSandbox: false,
    args: [...BROWSER_FLAGS],
  });
  try {
    const { path, change, close } = await publish(server.url, prepared);
    const all: Found[] = [];
    for (const device of DEVICES) {
      say(`public list: ${device.name}`);
      all.push(await measure(browser, device, { address: server.url + path, change }));
    }
    close();
    print(`## A public list of ${TASKS.toLocaleString('en')} tasks (load ${conditions().load.toFixed(1)})`);
    print(
      table(
        ['device', 'first rows ms', 'all rows ms', 'heap MB'],
        all.map(({ device, paintMs, wholeMs, heapMb }) => [device.name, paintMs, wholeMs, heapMb]),
      ),
    );
    print(
      table(
        ['device', 'what is done', 'frames', 'p50 ms', 'p95 ms', 'p99 ms', 'longest', 'over 50 ms'],
        all.flatMap(rowsOf),
      ),
    );
    return all.flatMap(gatesOf);
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
