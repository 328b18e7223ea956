// How Lighthouse judges the site: `node bench/site/lighthouse.ts <folder with lighthouse installed> [path …]`. Lighthouse is large and
// nothing else needs it, so it is not among our dependencies: `npm install --prefix <folder> lighthouse@13.5.0`, with the pinned
// Node first in the PATH. Every page three times, as a phone; the median run counts. Ends with 1 when a score is missed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { findBrowser } from '../../scripts/browser.ts';
import { buildSite } from '../../scripts/site-build.ts';
import { buildWeb } from '../../scripts/web-build.ts';
import { runAdmin } from '../../src/server/admin-commands.ts';
import { BROWSER_FLAGS } from '../browser/chromium.ts';
import { conditions, describeMachine } from '../machine.ts';
import { type Gate, print, printGates, say, show, table } from '../report.ts';
import { startProgram } from '../server/server-process.ts';
import { PAGES } from './pages.ts';

const RUNS = 3;
const CODE = 'LIGHTHOUSE';
/** Those that React takes over. */
const ALIVE = [`/a/${CODE}`, '/invite', '/reset-password'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface Result {
  readonly lighthouseVersion: string;
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<
    Record<
      string,
      { readonly title: string; readonly score: number | null; readonly numericValue?: number } | undefined
    >
  >;
}

type Lighthouse = (
  url: string,
  flags: Readonly<Record<string, unknown>>,
) => Promise<{ readonly lhr: Result } | undefined>;

interface Tool {
  readonly run: Lighthouse;
  readonly median: (results: readonly Result[]) => Result;
}

async function loadTool(folder: string): Promise<Tool> {
  const { resolve: find } = createRequire(pathToFileURL(join(resolve(folder), 'x.js')));
  const main = find('lighthouse');
  const module = (await import(main)) as { readonly default: Lighthouse };
  const { computeMedianRun } = (await import(join(main, '../lib/median-run.js'))) as {
    readonly computeMedianRun: Tool['median'];
  };
  return { run: module.default, median: computeMedianRun };
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

const percent = ({ categories }: Result, name: string) => Math.round((categories[name]?.score ?? 0) * 100);
const value = ({ audits }: Result, name: string) => audits[name]?.numericValue ?? Number.NaN;

/** What kept a page from a full score. */
const faults = ({ audits }: Result): readonly string[] =>
  Object.entries(audits).flatMap(([id, audit]) =>
    audit?.score !== null && audit !== undefined && audit.score < 0.9 ? [`${id} (${audit.title})`] : [],
  );

async function judge(tool: Tool, url: string): Promise<Result> {
  const results: Result[] = [];
  // On a busy machine a run may see no picture of the page at all: it is made again.
  for (let run = 0; run < 2 * RUNS && results.length < RUNS; run += 1) {
    const browser = await startBrowser();
    try {
      const flags = { port: browser.port, output: 'json', logLevel: 'error', onlyCategories: CATEGORIES };
      const answer = await tool.run(url, flags);
      const fcp = answer?.lhr.audits['first-contentful-paint']?.numericValue;
      if (answer && fcp !== undefined) results.push(answer.lhr);
    } finally {
      await browser.close();
    }
  }
  return tool.median(results);
}

function gatesOf(path: string, result: Result): readonly Gate[] {
  const isAlive = ALIVE.includes(path);
  const score = (name: string, bound: number): Gate => ({
    name: `${path}: ${name}`,
    reached: percent(result, name),
    bound,
    unit: '',
    kind: 'at least',
  });
  const most = (name: string, audit: string, bound: number, unit: string): Gate => ({
    name: `${path}: ${name}`,
    reached: value(result, audit),
    bound,
    unit,
    kind: 'at most',
  });
  return [
    score('performance', isAlive ? 95 : 100),
    score('accessibility', 100),
    score('best-practices', 100),
    // Pages that search engines are asked to leave out lose points for being left out.
    ...(isAlive ? [] : [score('seo', 100)]),
    ...(isAlive ? [] : [most('LCP', 'largest-contentful-paint', 1_200, 'ms')]),
    most('CLS', 'cumulative-layout-shift', 0, ''),
    most('TBT', 'total-blocking-time', 50, 'ms'),
  ];
}

async function main([folder, ...only]: readonly string[]): Promise<boolean> {
  if (folder === undefined) throw new Error('Name the folder in which lighthouse is installed.');
  const tool = await loadTool(folder);
  await buildWeb();
  await buildSite();
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-data-'));
  const environment = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'off' };
  await runAdmin(['promo', 'add', CODE, '25', '12', '30', 'A', 'partner'], {
    environment,
    print: say,
    readPassword: () => Promise.resolve(''),
  });
  const server = await startProgram('src/server/main.ts', dataDir);
  const rows: (string | number)[][] = [];
  const gates: Gate[] = [];
  let version = '';
  try {
    for (const path of only.length > 0 ? only : [...PAGES, ...ALIVE]) {
      say(path);
      const result = await judge(tool, server.url + path);
      version = result.lighthouseVersion;
      for (const fault of faults(result)) say(`  ${fault}`);
      const row = [
        path,
        ...CATEGORIES.map((name) => String(percent(result, name))),
        show(value(result, 'largest-contentful-paint')),
        value(result, 'cumulative-layout-shift').toFixed(3),
        show(value(result, 'total-blocking-time')),
      ];
      say(row.join(' | '));
      rows.push(row);
      gates.push(...gatesOf(path, result));
    }
  } finally {
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  print(
    `Lighthouse ${version}, mobile, median of ${RUNS} runs. ${describeMachine()}, load ${show(conditions().load)}.`,
  );
  print(table(['page', ...CATEGORIES, 'LCP ms', 'CLS', 'TBT ms'], rows));
  return printGates(gates);
}

process.exit((await main(process.argv.slice(2))) ? 0 : 1);
