// The calendar beside the outline with ten calendars of 5,000 events each, a year of them, and 180 blocks in the week that is shown: how
// long it takes to open, and how long each key that moves the slot. The server's answer with the events is made here.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { personColors } from '../../src/core/people.ts';
import type { Id } from '../../src/core/ids.ts';
import type { CalendarSource, CalendarWindowBody } from '../../src/wire/calendars.ts';
import { findBrowser } from '../../scripts/browser.ts';
import { buildWeb } from '../../scripts/web-build.ts';
import { type Gate, print, say, table } from '../report.ts';
import { distributionOf } from '../statistics.ts';
import { signUp } from '../server/account.ts';
import { openConnection } from '../server/http-connection.ts';
import { startServerProcess } from '../server/server-process.ts';
import { BROWSER_FLAGS } from './chromium.ts';

const CALENDARS = 10;
const EVENTS = 5_000;
const BLOCKS = 180;
const WANTED_OPEN_MS = 50;
const WANTED_KEY_MS = 25;
const HOUR_MS = 3_600_000;
const LIMIT_MS = 60_000;

const idOf = (at: number) => `00000000-0000-7000-8000-0000000001${String(at).padStart(2, '0')}` as Id;

function sources(now: number): readonly CalendarSource[] {
  return Array.from({ length: CALENDARS }, (_, at) => ({
    id: idOf(at),
    name: `Calendar ${at}`,
    host: 'calendar.example.org',
    color: personColors[at % personColors.length] ?? personColors[0],
    isHidden: false,
    problem: null,
    readAt: now,
    nextAt: now + HOUR_MS,
  }));
}

/** Events of half an hour, every hour or two of a year around `now`. */
function events(now: number): CalendarWindowBody['calendars'] {
  const first = now - 30 * 24 * HOUR_MS;
  return Array.from({ length: CALENDARS }, (_, calendar) => ({
    id: idOf(calendar),
    events: Array.from({ length: EVENTS }, (_one, at) => {
      const start = first + Math.floor((at * 8_760) / EVENTS) * HOUR_MS + calendar * 300_000;
      return {
        uid: `${calendar}-${at}`,
        occurrence: null,
        start: { type: 'moment' as const, at: start },
        end: { type: 'moment' as const, at: start + HOUR_MS / 2 },
        title: `Event ${calendar} ${at}`,
        place: '',
        description: '',
        link: null,
        isBusy: true,
        isTentative: false,
      };
    }),
  }));
}

async function answerCalendars(context: BrowserContext): Promise<void> {
  const now = Date.now() - (Date.now() % HOUR_MS);
  const body = JSON.stringify({ calendars: events(now) } satisfies CalendarWindowBody);
  const list = JSON.stringify({ calendars: sources(now) });
  await context.route('**/app/api/calendars', (route) =>
    route.fulfill({ contentType: 'application/json', body: list }),
  );
  await context.route('**/app/api/calendars/window*', (route) =>
    route.fulfill({ contentType: 'application/json', body }),
  );
}

async function palette(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(words);
  await page.locator('[role=option][aria-selected=true]').filter({ hasText: words }).waitFor();
  await page.keyboard.press('Enter');
}

async function signIn(page: Page): Promise<void> {
  await palette(page, 'Sign in');
  await page.locator('dialog input[name=email]').waitFor();
  await page.keyboard.type('person@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a long enough phrase for person');
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.locator('[data-ph=sync]').filter({ hasText: 'Synced' }).waitFor();
  await page.locator('#outline-empty, [data-row]').first().waitFor();
}

/** Monday of this week, `2026-11-30`. */
function monday(): string {
  const today = Temporal.Now.plainDateISO('UTC');
  return today
    .subtract({ days: today.dayOfWeek % 7 })
    .add({ days: 1 })
    .toString();
}

/** As many blocks as are wanted, one after the other from Monday on, each of a task of its own: a pasted outline, and the key that plans. */
async function plan(page: Page): Promise<void> {
  await page.evaluate((count) => {
    const data = new DataTransfer();
    data.setData('text/plain', Array.from({ length: count }, (_, at) => `Task ${at}`).join('\n'));
    const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(paste);
  }, BLOCKS);
  await page.locator('[data-row]').nth(5).waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('b');
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(`${monday()} 8:00 30m`);
  await page.locator('[role=option][aria-selected=true]').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#palette-input').waitFor({ state: 'hidden' });
}

declare global {
  // Set in the page under test: arms the clock for the next key, which ends with the frame in which so many things are drawn.
  var benchExpect: (things: number) => void;
  var benchFrame: Promise<number>;
}

/** Runs in the page before anything of it: the app lets nobody after it hear its keys. */
function installClock(): void {
  let armed: ((at: number) => void) | null = null;
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      armed?.(timeStamp);
      armed = null;
    },
    { capture: true },
  );
  // One for all: a channel that nothing holds may be collected before its message comes.
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.addEventListener('message', () => {
    for (const work of waiting.splice(0)) work();
  });
  channel.port1.start();
  const afterFrame = (work: () => void): void => {
    requestAnimationFrame(() => {
      waiting.push(work);
      channel.port2.postMessage(null);
    });
  };
  globalThis.benchExpect = (things) => {
    globalThis.benchFrame = new Promise((resolve) => {
      armed = (at) => {
        const look = (): void => {
          if (document.querySelectorAll('[data-thing]').length >= things) resolve(performance.now() - at);
          else afterFrame(look);
        };
        afterFrame(look);
      };
    });
  };
}

/** How long from a key to its frame. */
async function time(page: Page, key: string, things: number): Promise<number> {
  // First: a key would overtake it.
  await page.evaluate((wanted) => globalThis.benchExpect(wanted), things);
  await page.keyboard.press(key);
  return await page.evaluate(async () => await globalThis.benchFrame);
}

interface Measured {
  readonly things: number;
  readonly opens: readonly number[];
  readonly keys: readonly number[];
  readonly pages: readonly number[];
}

async function measure(page: Page, quick: boolean): Promise<Measured> {
  const things = await page.locator('[data-thing]').count();
  const opens: number[] = [];
  for (let at = 0; at < (quick ? 6 : 20); at += 1) {
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.locator('[data-ph=calendar]').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    opens.push(await time(page, 'w', things));
  }
  const keys: number[] = [];
  for (let at = 0; at < (quick ? 40 : 120); at += 1)
    keys.push(await time(page, at % 40 < 20 ? 'ArrowDown' : 'ArrowUp', 1));
  const pages: number[] = [];
  for (let at = 0; at < (quick ? 6 : 20); at += 1)
    pages.push(await time(page, at % 2 === 0 ? 'PageDown' : 'PageUp', 1));
  return { things, opens, keys, pages };
}

async function run(url: string, quick: boolean): Promise<Measured> {
  const found = findBrowser();
  if (found.type === 'missing') throw new Error(`The browser measurements need Chromium: ${found.reason}`);
  const profile = mkdtempSync(join(tmpdir(), 'bench-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: found.path,
    headless: true,
    chromiumSandbox: false,
    args: [...BROWSER_FLAGS],
    viewport: { width: 1_280, height: 800 },
    serviceWorkers: 'block',
  });
  try {
    await answerCalendars(context);
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.addInitScript(installClock);
    await page.goto(`${url}/app/`);
    await page.locator('[data-ph=app]').waitFor();
    await signIn(page);
    await plan(page);
    say(`calendar: ${BLOCKS} blocks are planned`);
    await palette(page, 'Calendar: a week');
    await page.locator('#calendar-text:focus').waitFor();
    // Blocks are there at once; events as soon as the answer is read.
    await page.locator('[data-ph=calendar-event]').nth(100).waitFor();
    say('calendar: the events are there');
    return await measure(page, quick);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function runCalendarSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  await buildWeb();
  const server = await startServerProcess();
  try {
    const door = await openConnection(server.url);
    await signUp(door, 'person');
    door.close();
    const { things, opens, keys, pages } = await run(server.url, quick);
    print(
      `## The calendar with ${CALENDARS} × ${EVENTS} events and ${BLOCKS} blocks; ${things} of them in sight`,
    );
    const line = (name: string, values: readonly number[]) => {
      const { p50, p95, p99 } = distributionOf([...values]);
      return [name, p50, p95, p99];
    };
    const rows = [line('open it', opens), line('move the slot', keys), line('another week', pages)];
    print(table(['from the key to the frame', 'p50 ms', 'p95 ms', 'p99 ms'], rows));
    return [
      {
        name: 'calendar: open, p50',
        reached: distributionOf([...opens]).p50,
        bound: WANTED_OPEN_MS,
        unit: 'ms',
        kind: 'at most',
      },
      {
        name: 'calendar: slot, p95',
        reached: distributionOf([...keys]).p95,
        bound: WANTED_KEY_MS,
        unit: 'ms',
        kind: 'at most',
      },
      {
        name: 'calendar: week, p50',
        reached: distributionOf([...pages]).p50,
        bound: WANTED_OPEN_MS,
        unit: 'ms',
        kind: 'at most',
      },
    ];
  } finally {
    await server.close();
  }
}
