// The app without a screen, over rows of a dataset: what a key costs before anything is drawn.
import { registerChecks } from '#wire/registers.ts';
import { noInstall } from '#client/install/install-port.ts';
import { createApp } from '#client/app/create-app.ts';
import { type Rest, restPart } from '#client/loading/rest.ts';
import type { Lazy } from '#client/loading/lazy.ts';
import type { DeviceFacts, Notice } from '#client/app/device.ts';
import { createSignal } from '#client/app/signal.ts';
import type { App, Platform } from '#client/app/app.ts';
import { type KeyInput, NO_KEY } from '#client/keys/stroke.ts';
import { createIdSource } from '#core/ids.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import type { Clock, DeviceMeta, Random, Timers } from '#sync/replica/ports.ts';
import { directImporter } from '#client/importing/direct.ts';
import initSqlJs from 'sql.js';
import { openBySqlJs } from '#core/formats/import/sql-js.ts';
import type { Row } from '#sync/rows/row.ts';
import { noNotifications } from '#client/reminders/port.ts';
import type { Dataset } from '../datasets.ts';
import { rowsOf } from '../rows.ts';

const SCREEN_ROWS = 24;

export const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
export const random: Random = {
  fill: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
  fraction: () => Math.random(),
};
export const newId = createIdSource({ now: () => Date.now(), random: (bytes) => random.fill(bytes) });
export const scope = newId();

export function datasetRows(dataset: Dataset): Row[] {
  return rowsOf(dataset, { scope, now: Date.now(), newId });
}

const timers: Timers = {
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};

/** What this thread has used of a core so far, milliseconds: neighbours on the machine are not in it. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** A platform that keeps preferences in memory and can do nothing outside. */
function createPlatform(worked: (ms: number) => void): Platform {
  const preferences = new Map<string, string>();
  const refused = { type: 'offline', message: 'There is no network.' } as const;
  return {
    apple: false,
    info: { version: '', build: '', licence: '' },
    touch: false,
    zone: () => 'UTC',
    locale: () => 'en',
    after: (delayMs, work) =>
      timers.after(delayMs, () => {
        const before = cpuMs();
        const startedAt = performance.now();
        work();
        // What the system says of processors comes in steps of some milliseconds.
        worked(Math.min(cpuMs() - before, performance.now() - startedAt));
      }),
    copyText: () => Promise.resolve(false),
    readClipboard: () => Promise.resolve(null),
    saveFile: () => undefined,
    pickFile: () => Promise.resolve(null),
    pickSources: () => Promise.resolve([]),
    openImporter: () =>
      Promise.resolve(directImporter({ newId, openDatabase: openBySqlJs(() => initSqlJs()) })),
    openLink: () => undefined,
    preferences: {
      get: (key) => preferences.get(key) ?? null,
      set: (key, value) => {
        preferences.set(key, value);
      },
    },
    taken: () => Promise.resolve(),
    account: {
      email: null,
      signUp: () => Promise.resolve(refused),
      signIn: () => Promise.resolve(refused),
      signInByPasskey: () => Promise.resolve(refused),
      safety: () => Promise.resolve(refused),
      sharing: () => Promise.reject(new Error('The figures are not about sharing.')),
      live: () => Promise.reject(new Error('The figures are not about sharing.')),
      sealing: () => Promise.reject(new Error('The figures are not about sealing.')),
      useOther: () => undefined,
      refuseOther: () => Promise.resolve(),
      signOut: () => Promise.resolve(refused),
      stayHere: () => undefined,
      isKept: false,
      sessions: () => Promise.resolve(refused),
      revoke: () => Promise.resolve(refused),
      devices: () => Promise.resolve(refused),
      mailAddress: () => Promise.resolve(refused),
      emptyTrash: () => Promise.resolve(refused),
      history: () => Promise.resolve(refused),
    },
    isSafe: false,
    device: {
      facts: createSignal<DeviceFacts>({ storage: 'memory', persisted: 'unknown' }),
      notices: createSignal<readonly Notice[]>([]),
      tell: () => undefined,
      dismiss: () => undefined,
      damaged: () => Promise.resolve(null),
      kept: [],
      safetyCopies: () => Promise.reject(new Error('The figures are not about cloud sync.')),
      keptChanges: () => Promise.resolve(null),
      dropKept: () => Promise.resolve(),
    },
    openReplacer: () => {
      throw new Error('The figures are not about find and replace.');
    },
    scripts: () => Promise.reject(new Error('The figures are not about scripts.')),
    files: () => Promise.reject(new Error('There are no files here.')),
    loadViews: () => Promise.resolve(),
    drawn: () => Promise.resolve(),
    press: () => undefined,
    insertText: () => undefined,
    textField: () => null,
    options: { move: () => false, choose: () => false, current: () => null },
    whyMissing: () => Promise.resolve('offline'),
    notifications: noNotifications,
    install: noInstall,
    reload: () => undefined,
  };
}

export interface HeadlessApp {
  readonly app: App;
  /** From opening the storage to the app's first rows, and to every row in memory; milliseconds. */
  readonly firstRowsMs: number;
  readonly loadedMs: number;
  close(): Promise<void>;
}

/**
 * `worked` hears what each piece of work that the app did by itself used of a core, milliseconds; `rest`: other commands;
 * `cursors`: of an account, one for each of its scopes; none: without an account.
 */
export async function openApp(
  rows: readonly Row[],
  worked: (ms: number) => void = () => undefined,
  rest: Lazy<Rest> = restPart,
  cursors: DeviceMeta['cursors'] = {},
): Promise<HeadlessApp> {
  const account = Object.keys(cursors).length === 0 ? 0 : 7;
  const contents = new MemoryContents();
  for (const row of rows) contents.rows.set(row.id, row);
  contents.meta = {
    device: newId(),
    deviceNumber: 0,
    scope,
    account,
    seq: rows.length,
    acked: rows.length,
    cursors,
    clockOffsetMs: 0,
  };
  // As in a browser that was idle for a moment.
  await restPart.load();
  const startedAt = performance.now();
  const ports = {
    storage: createMemoryStorage(contents),
    transport: null,
    clock,
    timers,
    random,
    checks: registerChecks,
  };
  const engine = createEngine(ports, { scope, account });
  await engine.open();
  const app = createApp({ engine, platform: createPlatform(worked), rest });
  app.view.rows.resize(SCREEN_ROWS);
  const firstRowsMs = performance.now() - startedAt;
  await engine.loaded();
  return { app, firstRowsMs, loadedMs: performance.now() - startedAt, close: () => app.close() };
}

const CODES: Readonly<Record<string, number>> = { Enter: 13, Escape: 27, Tab: 9, ' ': 32 };

/** A key press as a browser reports it; modifiers before the key: `Control+k`. */
export function keyInput(spelled: string, inText = false): KeyInput {
  const parts = spelled.split('+');
  const key = parts.at(-1) ?? '';
  const held = new Set(parts.slice(0, -1));
  return {
    ...NO_KEY,
    key,
    code: /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : key,
    keyCode: CODES[key] ?? 65,
    ctrl: held.has('Control'),
    alt: held.has('Alt'),
    shift: held.has('Shift'),
    inText,
  };
}
