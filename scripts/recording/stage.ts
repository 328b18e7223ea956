// Where recordings are made: a server with an empty folder, the machine's Chromium, keycaps drawn over the real app, and the
// frames that the browser showed with the moment of each. What happens on it is said by overview.ts and moments.ts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium, type CDPSession, type Page } from 'playwright-core';
import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';
import { findBrowser } from '../browser.ts';
import { ROOT } from '../files.ts';
import { buildWeb } from '../web-build.ts';

export interface Studio {
  readonly browser: Browser;
  readonly url: string;
  /** Every e-mail address is a verified one: only those share lists. */
  readonly verify: () => Promise<unknown>;
}

/** The built app on a server of its own; both are gone afterwards. */
export async function withApp(work: (studio: Studio) => Promise<void>): Promise<void> {
  const found = findBrowser();
  if (found.type === 'missing') throw new Error(found.reason);
  await buildWeb();
  const dataDir = mkdtempSync(join(tmpdir(), 'posthaste-studio-'));
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', RATE_LIMITS: 'off' });
  if (!config.ok) throw new Error(config.problem.join('\n'));
  const server = await startServer(config.value, { appFolder: join(ROOT, 'dist/app') });
  const browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false });
  const verify = () => server.database.db.updateTable('account').set({ verified_at: Date.now() }).execute();
  try {
    await work({ browser, url: server.url, verify });
  } finally {
    await browser.close();
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** What is drawn over the app: runs in the page. Styles are set by script, as the app's policy wants it. */
function drawOverlay({ caps, title, size }: { caps: readonly string[]; title: string; size: number }): void {
  let host = document.querySelector<HTMLElement>('#recorded-keys');
  if (!host) {
    host = document.createElement('div');
    host.id = 'recorded-keys';
    host.setAttribute('aria-hidden', 'true');
    document.documentElement.append(host);
    Object.assign(host.style, {
      position: 'fixed',
      inset: `auto 0 ${size * 3.2}px 0`,
      display: 'flex',
      gap: `${size * 0.5}px`,
      justifyContent: 'center',
      alignItems: 'center',
      zIndex: '2147483647',
      pointerEvents: 'none',
      font: `600 ${size}px Geist, system-ui, sans-serif`,
    });
    // Above dialogs, which the browser shows above everything else.
    host.popover = 'manual';
    Object.assign(host.style, { margin: '0', padding: '0', border: '0', width: 'auto', background: 'none' });
  }
  const cap = (text: string, isKey: boolean) => {
    const span = document.createElement('span');
    span.textContent = text;
    Object.assign(span.style, {
      padding: `${size * 0.4}px ${size * 0.75}px`,
      borderRadius: `${size * 0.5}px`,
      background: isKey ? '#111826' : '#0052b3',
      color: '#ffffff',
      boxShadow: isKey ? `0 ${size * 0.15}px 0 #5b6472` : 'none',
      whiteSpace: 'pre',
    });
    return span;
  };
  host.replaceChildren(...(title === '' ? [] : [cap(title, false)]), ...caps.map((text) => cap(text, true)));
  if (host.matches(':popover-open')) host.hidePopover();
  if (host.childElementCount > 0) host.showPopover();
}

const NAMES: Readonly<Record<string, string>> = {
  Control: 'Ctrl',
  Space: 'Space',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowRight: '→',
  ArrowLeft: '←',
  Escape: 'Esc',
  Enter: 'Enter',
};

const capsOf = (key: string): readonly string[] =>
  key.split('+').map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part));

export interface Frame {
  readonly file: string;
  /** Seconds since the recording began. */
  readonly at: number;
}

/** One page being recorded. Times are seconds since `start`. */
export class Take {
  readonly page: Page;
  readonly folder: string;
  readonly #session: CDPSession;
  readonly #capSize: number;
  readonly #frames: { readonly file: string; readonly stamp: number }[] = [];
  #title = '';
  #startedAt = 0;
  #startStamp = 0;

  private constructor(page: Page, session: CDPSession, folder: string, capSize: number) {
    this.page = page;
    this.folder = folder;
    this.#session = session;
    this.#capSize = capSize;
  }

  /** `folder` takes the frames; `capSize` is the height of letters on the keycaps. */
  static async of(page: Page, folder: string, capSize: number): Promise<Take> {
    mkdirSync(folder, { recursive: true });
    return new Take(page, await page.context().newCDPSession(page), folder, capSize);
  }

  async start(): Promise<void> {
    let number = 0;
    this.#session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      const file = join(this.folder, `${String((number += 1)).padStart(6, '0')}.jpg`);
      writeFileSync(file, Buffer.from(data, 'base64'));
      this.#frames.push({ file, stamp: metadata.timestamp ?? 0 });
      void this.#session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
    });
    await this.#session.send('Page.startScreencast', { format: 'jpeg', quality: 92 });
    this.#startedAt = performance.now();
    this.#startStamp = Date.now() / 1_000;
  }

  /** Frames in the order in which they were shown: they do not always arrive so. */
  async stop(): Promise<readonly Frame[]> {
    await this.#session.send('Page.stopScreencast');
    return this.#frames
      .map(({ file, stamp }) => ({ file, at: stamp - this.#startStamp }))
      .toSorted((one, other) => one.at - other.at);
  }

  get now(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }

  /** Waits until so many seconds have passed; says so when they already had. */
  async at(seconds: number): Promise<void> {
    const left = seconds - this.now;
    if (left < -0.5) console.log(`${seconds} s was reached ${(-left).toFixed(1)} s late.`);
    if (left > 0) await pause(left * 1_000);
  }

  /** The words that stand before the keycaps from now on. */
  async title(text: string): Promise<void> {
    this.#title = text;
    await this.#draw([]);
  }

  /** Presses a key ("Control+K") or a chord ("g i"), with its caps on screen. */
  async press(keys: string, seconds = 1): Promise<void> {
    const strokes = keys.split(' ');
    await this.#draw(strokes.flatMap(capsOf));
    await pause(250);
    for (const stroke of strokes) await this.page.keyboard.press(stroke);
    await pause(seconds * 1_000);
    await this.#draw([]);
  }

  /** The same key several times, as somebody does who knows where to go. */
  async repeat(key: string, times: number, seconds = 0.22): Promise<void> {
    await this.#draw(capsOf(key));
    for (let time = 0; time < times; time += 1) {
      await this.page.keyboard.press(key);
      await pause(seconds * 1_000);
    }
    await this.#draw([]);
  }

  async type(text: string, seconds = 0.11): Promise<void> {
    for (const letter of text) {
      await this.page.keyboard.type(letter);
      await pause(seconds * 1_000);
    }
  }

  async rest(seconds: number): Promise<void> {
    await pause(seconds * 1_000);
  }

  async #draw(caps: readonly string[]): Promise<void> {
    await this.page.evaluate(drawOverlay, { caps, title: this.#title, size: this.#capSize });
  }
}
