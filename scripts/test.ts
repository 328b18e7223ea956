// `npm test`: chooses the test files, sees to what they need (a built web app, a browser), runs them in groups and ends with one
// line that holds the sum. Options: --only=unit|browser|process, --grep=<pattern>, and parts of file names.
import { parseArgs } from 'node:util';
import { findBrowser, findShell } from './browser.ts';
import { filesUnder } from './files.ts';
import { compileServer, type Counts, type Group, killAll, runGroup } from './test-run.ts';
import { buildSite } from './site-build.ts';
import { buildWeb } from './web-build.ts';

type GroupName = Group['name'];

const GROUPS: readonly GroupName[] = ['unit', 'browser', 'process'];

/** Folders that exist for their tests: one that holds files but none of these means that tests got lost. */
const TEST_FOLDERS = [
  'contracts',
  'keystrokes',
  'model',
  'simulator',
  'storage',
  'tabs',
  'upgrades',
  'api',
  'cli',
  'formats',
  'browser',
  'process',
];

function groupOf(file: string): GroupName {
  if (file.startsWith('test/browser/')) return 'browser';
  if (file.startsWith('test/process/')) return 'process';
  return 'unit';
}

function readOptions() {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string' }, grep: { type: 'string' } },
    allowPositionals: true,
  });
  const only = GROUPS.find((name) => name === values.only);
  if (values.only !== undefined && !only) throw new Error(`--only takes one of ${GROUPS.join(', ')}.`);
  return { groups: only ? [only] : GROUPS, grep: values.grep, parts: positionals };
}

function failure(message: string): Counts {
  console.log(`  ✖ ${message}`);
  return { passed: 0, failed: 1, skipped: 0 };
}

function emptyFolders(files: readonly string[]): Counts[] {
  return TEST_FOLDERS.map((name) => `test/${name}`)
    .filter((folder) => filesUnder(folder).length > 0 && !files.some((file) => file.startsWith(`${folder}/`)))
    .map((folder) => failure(`${folder} holds files but no test.`));
}

async function prepareWeb(): Promise<Counts | undefined> {
  try {
    if ((await buildWeb()) === 'built') console.log('Built the web app.');
    if ((await buildSite()) === 'built') console.log('Built the public site.');
    return undefined;
  } catch (error) {
    return failure(
      `The web app or the site does not build: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

const sum = (results: readonly Counts[]): Counts => ({
  passed: results.reduce((total, { passed }) => total + passed, 0),
  failed: results.reduce((total, { failed }) => total + failed, 0),
  skipped: results.reduce((total, { skipped }) => total + skipped, 0),
});

/**
 * The tests of a part share one process, its modules and its browser, which uses one core: two at a time, in parts small enough
 * to end together.
 */
const PARTS = { unit: 6, browser: 12 } as const;
const PARTS_AT_ONCE = 2;
/** Below this many files to a part another process costs more than it brings. */
const WORTH_PARTS = 3;

/** Neighbours cost alike, so every sixth file, or twelfth, makes an even part. */
function partsOf(name: keyof typeof PARTS, files: readonly string[]): readonly (readonly string[])[] {
  const parts = Math.max(1, Math.min(PARTS[name], Math.floor(files.length / WORTH_PARTS)));
  return Array.from({ length: parts }, (_, part) => files.filter((_file, at) => at % parts === part));
}

async function runParts(
  group: Omit<Group, 'files' | 'part' | 'name'> & { readonly name: keyof typeof PARTS },
  files: readonly string[],
): Promise<Counts[]> {
  const parts = partsOf(group.name, files);
  const results: Counts[] = [];
  let next = 0;
  const runOneByOne = async (): Promise<void> => {
    for (let at = next++; at < parts.length; at = next++) {
      const part = parts.length > 1 ? { part: `${at + 1} of ${parts.length}` } : {};
      results.push(await runGroup({ ...group, ...part, files: parts[at] ?? [] }));
    }
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, runOneByOne));
  return results;
}

/**
 * Those that take longest, begun first: a group ends when its last file does, and that one should be short. Their order says
 * nothing else; `longest:` in the report says which they are.
 */
const LONGEST = [
  'test/browser/site.test.ts',
  'test/browser/upgrades.test.ts',
  'test/browser/storage.test.ts',
  'test/browser/dialog-keys.test.ts',
  'test/browser/three-people.test.ts',
  'test/browser/site-failures.test.ts',
  'test/browser/links.test.ts',
  'test/browser/storage-tabs.test.ts',
  'test/browser/doors.test.ts',
  'test/browser/site-facts.test.ts',
  'test/browser/dates.test.ts',
  'test/browser/offline.test.ts',
  'test/browser/entry.test.ts',
  'test/browser/site-quality.test.ts',
  'test/browser/site-start.test.ts',
  'test/browser/touch.test.ts',
  'test/browser/updates.test.ts',
  'test/browser/site-layout.test.ts',
  'test/browser/site-pieces.test.ts',
  'test/process/kill.test.ts',
  'test/process/sharing-kill.test.ts',
];

const rank = (file: string) => (LONGEST.includes(file) ? LONGEST.indexOf(file) : LONGEST.length);

type Prepared = Promise<Counts | undefined>;

async function runBrowser(files: readonly string[], grep: string | undefined, web: Prepared) {
  const broken = await web;
  if (broken) return [broken];
  const browser = findBrowser();
  if (browser.type === 'missing') return [failure(browser.reason)];
  const env = { POSTHASTE_CHROMIUM: browser.path, POSTHASTE_SHELL: findShell() ?? browser.path };
  return await runParts({ name: 'browser', grep, env }, files);
}

async function runProcesses(group: Omit<Group, 'name' | 'env'>, web: Prepared) {
  const broken = await web;
  if (broken) return [broken];
  compileServer();
  return [await runGroup({ ...group, name: 'process', env: {} })];
}

async function runAll(): Promise<Counts> {
  const { groups, grep, parts } = readOptions();
  const isTest = (file: string) => file.endsWith('.test.ts');
  const all = filesUnder('src', 'test', 'bench', 'scripts').filter(isTest);
  const chosen = all.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  const results: Counts[] = parts.length === 0 ? emptyFolders(all) : [];
  for (const file of LONGEST)
    if (!all.includes(file)) results.push(failure(`${file} is not there to begin with.`));
  const of = (name: GroupName) =>
    groups.includes(name)
      ? chosen.filter((file) => groupOf(file) === name).toSorted((one, other) => rank(one) - rank(other))
      : [];
  const [unit, browser, apart] = [of('unit'), of('browser'), of('process')];

  const web = browser.length + apart.length > 0 ? prepareWeb() : Promise.resolve(undefined);
  // Servers that are killed and started again wait a lot: one file of that at a time runs beside everything else.
  const filesAtOnce = unit.length + browser.length > 0 ? 1 : undefined;
  const beside = apart.length > 0 ? runProcesses({ files: apart, grep, filesAtOnce }, web) : [];
  if (unit.length > 0) results.push(...(await runParts({ name: 'unit', grep, env: {} }, unit)));
  if (browser.length > 0) results.push(...(await runBrowser(browser, grep, web)));
  results.push(...(await beside));
  return sum(results);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    killAll();
    process.exit(1);
  });
}

const { passed, failed, skipped } = await runAll();
process.exitCode = failed > 0 || skipped > 0 || passed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
