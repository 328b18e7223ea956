// Chromium as every measurement uses it: headless, no GPU, a fresh profile on disk, the probe in every page, and the
// counters of the main thread at hand.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type CDPSession, type Page } from 'playwright-core';
import { findBrowser } from '../../scripts/browser.ts';
import { installProbe } from './probe.ts';
import type { Subject } from './subject.ts';

export const BROWSER_FLAGS: readonly string[] = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];
const VIEWPORT = { width: 1_280, height: 800 };

export interface Tab {
  readonly page: Page;
  readonly cdp: CDPSession;
  /** Uncaught errors of the page. */
  readonly errors: readonly string[];
}

export interface Browser {
  readonly context: BrowserContext;
  open(): Promise<Tab>;
  close(): Promise<void>;
}

/** Seconds of the main thread's own time, and what the page holds. */
export interface Counters {
  readonly task: number;
  readonly script: number;
  readonly style: number;
  readonly layout: number;
  readonly nodes: number;
  readonly heapBytes: number;
}

function predicateText(subject: Subject): string {
  const entries = Object.entries(subject.predicates).map(
    ([name, predicate]) => `${JSON.stringify(name)}: ${predicate.toString()}`,
  );
  return `globalThis.benchPredicates = { ${entries.join(',\n')} };`;
}

export async function launch(subject: Subject): Promise<Browser> {
  const found = findBrowser();
  if (found.type === 'missing') throw new Error(`The browser measurements need Chromium: ${found.reason}`);
  const profile = mkdtempSync(join(tmpdir(), 'bench-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: found.path,
    headless: true,
    chromiumSandbox: false,
    args: [...BROWSER_FLAGS],
    viewport: VIEWPORT,
  });
  await context.addInitScript({ content: predicateText(subject) });
  await context.addInitScript(installProbe);
  return {
    context,
    async open() {
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error).slice(0, 300)));
      const cdp = await context.newCDPSession(page);
      await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
      return { page, cdp, errors };
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function readCounters(cdp: CDPSession): Promise<Counters> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const values = new Map(metrics.map(({ name, value }) => [name, value]));
  const value = (name: string): number => values.get(name) ?? 0;
  return {
    task: value('TaskDuration'),
    script: value('ScriptDuration'),
    style: value('RecalcStyleDuration'),
    layout: value('LayoutDuration'),
    nodes: value('Nodes'),
    heapBytes: value('JSHeapUsedSize'),
  };
}

const LIMIT_MS = 120_000;

/** When, since navigation began, a predicate of the page first held at the end of a frame. */
export async function waitUntil(tab: Tab, name: 'ready' | 'complete', count: number): Promise<number> {
  const at = await tab.page.evaluate(
    ([predicate, wanted, limit]) => globalThis.benchProbe.waitFor(predicate, wanted, limit),
    [name, count, LIMIT_MS] as const,
  );
  if (at === null)
    throw new Error(`The list was not ${name} after ${LIMIT_MS / 1_000} s. ${tab.errors.join(' | ')}`);
  return at;
}

/** Opens the subject's list; resolves when it is on screen and takes keys, with that time. */
export async function openList(tab: Tab, url: string): Promise<number> {
  await tab.page.goto(url, { waitUntil: 'commit' });
  return waitUntil(tab, 'ready', 0);
}
