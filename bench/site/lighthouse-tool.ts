// Lighthouse, found in a folder of its own, and a browser for each of its runs. One page, one form factor, so many runs: the
// median of them, with what its simulation says of the network alone.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { findBrowser } from '../../scripts/browser.ts';
import { BROWSER_FLAGS } from '../browser/chromium.ts';

export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export const FORMS = ['mobile', 'desktop'] as const;
export type Form = (typeof FORMS)[number];
/** Instead of nothing, which the simulation does not take. */
const NO_PROCESSOR = 1e-4;

interface Settings {
  readonly throttling: { readonly cpuSlowdownMultiplier: number };
}

interface Result {
  readonly lighthouseVersion: string;
  readonly configSettings: Settings;
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<
    Record<
      string,
      { readonly title: string; readonly score: number | null; readonly numericValue?: number } | undefined
    >
  >;
}

type Artifacts = Readonly<Record<'Trace' | 'DevtoolsLog' | 'GatherContext' | 'URL' | 'SourceMaps', unknown>>;

interface Answer {
  readonly lhr: Result;
  readonly artifacts: Artifacts;
}

interface Computed {
  request(data: unknown, context: unknown): Promise<{ readonly timing: number }>;
}

export interface Tool {
  readonly run: (url: string, flags: unknown, config?: unknown) => Promise<Answer | undefined>;
  readonly median: (results: readonly Result[]) => Result;
  readonly largestPaint: Computed;
  readonly desktop: unknown;
}

export async function loadTool(folder: string): Promise<Tool> {
  const { resolve: find } = createRequire(pathToFileURL(join(resolve(folder), 'x.js')));
  const main = find('lighthouse');
  const load = async (path: string) => (await import(join(main, path))) as Readonly<Record<string, unknown>>;
  const computed = await load('../computed/metrics/lantern-largest-contentful-paint.js');
  return {
    run: (await load('.'))['default'] as Tool['run'],
    median: (await load('../lib/median-run.js'))['computeMedianRun'] as Tool['median'],
    largestPaint: computed['LanternLargestContentfulPaint'] as Computed,
    desktop: (await load('../config/desktop-config.js'))['default'],
  };
}

interface OwnBrowser {
  readonly port: number;
  close(): Promise<void>;
}

/** Started by us, because Lighthouse would start it with a sandbox that some machines do not allow. */
async function startBrowser(): Promise<OwnBrowser> {
  const found = findBrowser();
  if (found.type === 'missing') throw new Error(found.reason);
  const profile = mkdtempSync(join(tmpdir(), 'bench-profile-'));
  const child: ChildProcess = spawn(
    found.path,
    [
      ...BROWSER_FLAGS,
      '--headless',
      '--no-sandbox',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  if (child.stderr)
    for await (const line of createInterface({ input: child.stderr })) {
      const port = /DevTools listening on ws:\/\/[^:]+:(\d+)\//.exec(line)?.[1];
      if (port !== undefined) return { port: Number(port), close };
    }
  await close();
  throw new Error('The browser ended before it listened.');
}

export interface Judgement {
  readonly version: string;
  /** In hundredths, by category. */
  readonly scores: Readonly<Record<string, number>>;
  readonly lcpMs: number;
  /** What the largest paint would take with an endlessly fast processor: this part hardly depends on the machine. */
  readonly networkMs: number;
  readonly cls: number;
  readonly tbtMs: number;
  /** What kept the page from a full score. */
  readonly faults: readonly string[];
}

async function networkPart(tool: Tool, { lhr, artifacts }: Answer): Promise<number> {
  const settings = {
    ...lhr.configSettings,
    throttling: { ...lhr.configSettings.throttling, cpuSlowdownMultiplier: NO_PROCESSOR },
  };
  const { Trace: trace, DevtoolsLog: devtoolsLog, GatherContext: gatherContext } = artifacts;
  const data = { trace, devtoolsLog, gatherContext, settings, URL: artifacts.URL, simulator: null };
  const all = { ...data, SourceMaps: artifacts.SourceMaps };
  return (await tool.largestPaint.request(all, { computedCache: new Map(), settings, options: {} })).timing;
}

function judgementOf(result: Result, networkMs: number): Judgement {
  const value = (name: string) => result.audits[name]?.numericValue ?? Number.NaN;
  const percent = (name: string) => Math.round((result.categories[name]?.score ?? 0) * 100);
  return {
    version: result.lighthouseVersion,
    scores: Object.fromEntries(CATEGORIES.map((name) => [name, percent(name)])),
    lcpMs: value('largest-contentful-paint'),
    networkMs,
    cls: value('cumulative-layout-shift'),
    tbtMs: value('total-blocking-time'),
    faults: Object.entries(result.audits).flatMap(([id, audit]) =>
      audit?.score !== null && audit !== undefined && audit.score < 0.9 ? [`${id} (${audit.title})`] : [],
    ),
  };
}

/** The median of so many runs. */
export async function judge(
  tool: Tool,
  url: string,
  { form, runs }: { readonly form: Form; readonly runs: number },
): Promise<Judgement> {
  const answers: Answer[] = [];
  // On a busy machine a run may see no picture of the page at all: it is made again.
  for (let run = 0; run < 2 * runs && answers.length < runs; run += 1) {
    const browser = await startBrowser();
    try {
      const flags = { port: browser.port, output: 'json', logLevel: 'error', onlyCategories: CATEGORIES };
      const answer = await tool.run(url, flags, form === 'desktop' ? tool.desktop : undefined);
      const fcp = answer?.lhr.audits['first-contentful-paint']?.numericValue;
      if (answer && fcp !== undefined) answers.push(answer);
    } finally {
      await browser.close();
    }
  }
  const median = tool.median(answers.map(({ lhr }) => lhr));
  const chosen = answers.find(({ lhr }) => lhr === median);
  if (!chosen) throw new Error(`Lighthouse saw nothing of ${url}.`);
  return judgementOf(median, await networkPart(tool, chosen));
}
