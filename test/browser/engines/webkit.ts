// WebKitGTK through the plain WebDriver protocol: one driver and one MiniBrowser for each profile, on a screen that nobody
// sees. It is the engine of Safari and not Safari.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { lastingPort } from '../../process/lasting-port.ts';
import { STEP_MS } from '../harness.ts';
import { type Engine, type EngineWindow, partsOf } from './engine.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const SCREEN = '/usr/bin/Xvfb';
const MINI_BROWSERS = '/usr/lib/*/webkit2gtk-4.1/MiniBrowser';
const START_MS = 30_000;

const KEYS: Readonly<Record<string, string>> = {
  Control: '\uE009',
  Shift: '\uE008',
  Alt: '\uE00A',
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Backspace: '\uE003',
  Delete: '\uE017',
  Home: '\uE011',
  End: '\uE010',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  Space: ' ',
  ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`F${n + 1}`, String.fromCharCode(0xe031 + n)])),
};

/** The programs it takes; null when one of them is missing. */
export function findWebKit(): { readonly miniBrowser: string } | null {
  const [miniBrowser] = globSync(MINI_BROWSERS);
  if (miniBrowser === undefined || !existsSync(DRIVER) || !existsSync(SCREEN)) return null;
  return { miniBrowser };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A screen without a monitor; resolves with its name. */
async function startScreen(): Promise<{ readonly child: ChildProcess; readonly display: string }> {
  const args = ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'];
  const child = spawn(SCREEN, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const output = child.stdio[3] as NodeJS.ReadableStream;
  const [number] = (await once(createInterface({ input: output }), 'line', {
    signal: AbortSignal.timeout(START_MS),
  })) as [string];
  return { child, display: `:${number}` };
}

interface Watched {
  errors?: string[];
}

function watchErrors(): void {
  const errors: string[] = [];
  (globalThis as Watched).errors = errors;
  window.addEventListener('error', (event) => errors.push(event.message));
  window.addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));
  for (const name of ['error', 'warn'] as const) {
    const before = console[name].bind(console);
    console[name] = (...parts: unknown[]) => {
      errors.push(parts.map(String).join(' '));
      before(...parts);
    };
  }
}

const takeErrors = (): readonly string[] => (globalThis as Watched).errors?.splice(0) ?? [];

class Session implements EngineWindow {
  readonly #seen: string[] = [];
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  async ask(path: string, body?: object, limitMs = STEP_MS): Promise<unknown> {
    const response = await fetch(this.#base + path, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`WebDriver ${path}: ${JSON.stringify(value)}`);
    return value;
  }

  async goto(url: string): Promise<void> {
    await this.ask('/url', { url });
    await this.evaluate(watchErrors);
  }

  async reload(): Promise<void> {
    await this.#collect();
    await this.ask('/refresh', {});
    await this.evaluate(watchErrors);
  }

  async #collect(): Promise<void> {
    this.#seen.push(...(await this.evaluate(takeErrors)));
  }

  /** The driver shows no console: what goes wrong before a page has loaded is not heard of. */
  async problems(): Promise<readonly string[]> {
    await this.#collect();
    return this.#seen;
  }

  async #act(actions: readonly { readonly type: string; readonly value: string }[]): Promise<void> {
    await this.ask('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  async press(name: string): Promise<void> {
    const { modifiers, key } = partsOf(name);
    const all = [...modifiers, key].map((part) => KEYS[part] ?? part);
    await this.#act([
      ...all.map((value) => ({ type: 'keyDown', value })),
      ...all.toReversed().map((value) => ({ type: 'keyUp', value })),
    ]);
  }

  async type(text: string): Promise<void> {
    await this.#act(
      [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    );
  }

  async evaluate<T>(work: () => T | Promise<T>): Promise<T> {
    const script = `const done = arguments[0]; Promise.resolve((${work.toString()})()).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const answer = (await this.ask('/execute/async', { script, args: [] })) as { value: T; error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  }

  /** Ends the browser; what does not answer any more ends with its driver. */
  async quit(): Promise<void> {
    await fetch(this.#base, { method: 'DELETE', signal: AbortSignal.timeout(STEP_MS) }).catch(
      () => undefined,
    );
  }

  async screenshot(): Promise<Uint8Array> {
    return Buffer.from((await this.ask('/screenshot')) as string, 'base64');
  }
}

/** Resolves when the driver takes requests, with its address. */
async function untilReady(port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  const isThere = () =>
    fetch(`${url}/status`).then(
      () => true,
      () => false,
    );
  const until = performance.now() + START_MS;
  while (!(await isThere())) {
    if (performance.now() > until) throw new Error('WebKitWebDriver did not start.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return url;
}

class WebKit implements Engine {
  readonly name = 'WebKitGTK';
  version = 'not started';
  readonly #miniBrowser: string;
  readonly #screen: ChildProcess;
  readonly #display: string;
  readonly #drivers: ChildProcess[] = [];
  readonly #windows: Session[] = [];

  constructor(miniBrowser: string, screen: { readonly child: ChildProcess; readonly display: string }) {
    this.#miniBrowser = miniBrowser;
    this.#screen = screen.child;
    this.#display = screen.display;
  }

  async open(): Promise<EngineWindow> {
    const port = await lastingPort();
    const env = { ...process.env, DISPLAY: this.#display, NO_AT_BRIDGE: '1' };
    this.#drivers.push(spawn(DRIVER, [`--port=${port}`], { env, stdio: 'ignore' }));
    const url = await untilReady(port);
    const options = { binary: this.#miniBrowser, args: ['--automation'] };
    const wanted = { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } };
    // Without a screen this call would never be answered.
    const { sessionId, capabilities } = (await new Session(url).ask('/session', wanted, START_MS)) as {
      sessionId: string;
      capabilities: { browserVersion: string };
    };
    const window = new Session(`${url}/session/${sessionId}`);
    this.#windows.push(window);
    this.version = capabilities.browserVersion;
    await window.ask('/window/rect', { x: 0, y: 0, width: 1_280, height: 800 });
    return window;
  }

  async close(): Promise<void> {
    for (const window of this.#windows) await window.quit();
    for (const driver of this.#drivers) await end(driver);
    await end(this.#screen);
  }
}

export async function startWebKit(): Promise<Engine> {
  const found = findWebKit();
  if (found === null) throw new Error('WebKitGTK is not installed.');
  return new WebKit(found.miniBrowser, await startScreen());
}
