// Runs one group of test files in a Node process of its own and says how it went. Which files make a group is not its business.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './files.ts';
import { serverFlags } from './pinned-node.mjs';
import { MARK, type Message } from './test-reporter.ts';

/** In a slower world (test/browser/slow-world.ts) long journeys are longer still. */
const TEST_TIMEOUT_MS = process.env['SLOW'] ? 480_000 : 120_000;
/** What runs beside a long file is reported after it. */
const SILENCE_LIMIT_MS = process.env['SLOW'] ? 900_000 : 300_000;
/** Of files in processes of their own: two make use of two cores, and more of them only wait for one another. */
const FILES_AT_ONCE = 2;

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Group {
  readonly name: 'unit' | 'browser' | 'process';
  /** Which part of the group this is, when it is run in several: 1 of 6. */
  readonly part?: string;
  readonly files: readonly string[];
  /** Of files in processes of their own; as many as make use of two cores when it is not said. */
  readonly filesAtOnce?: number | undefined;
  readonly grep: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** Half of what a file of tests takes to begin is reading modules that the one before it read as well. */
const KEEPING = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled') };

/**
 * Compiles the server for all that are started as processes of their own: they are killed before they could leave anything.
 * This one ends by itself, because its settings are refused.
 */
export function compileServer(): void {
  const env = { ...KEEPING, ...process.env, PORT: 'none' };
  spawnSync(process.execPath, [...serverFlags, join(ROOT, 'src/server/main.ts')], { env, stdio: 'ignore' });
}

const running = new Set<number>();

function killGroup(pid: number): void {
  try {
    // Negative: the whole process group, so that no browser or server outlives the tests that started it.
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Ends every group that is still running; for the moment this program itself is told to stop. */
export function killAll(): void {
  for (const pid of running) killGroup(pid);
}

function argumentsFor(group: Group): string[] {
  const isolation =
    group.name === 'process'
      ? [`--test-concurrency=${group.filesAtOnce ?? FILES_AT_ONCE}`]
      : ['--test-isolation=none'];
  const reporter = new URL('./test-reporter.ts', import.meta.url).href;
  return [
    '--test',
    ...isolation,
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    `--test-reporter=${reporter}`,
    ...(group.grep === undefined ? [] : [`--test-name-pattern=${group.grep}`]),
    ...group.files,
  ];
}

/** Starts the group and reports every message of the reporter; resolves with how the process ended. */
function follow(
  group: Group,
  onMessage: (message: Message) => void,
): Promise<{ code: number; isSilent: boolean }> {
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
  const child = spawn(process.execPath, argumentsFor(group), {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: process.platform !== 'win32',
    env: { ...KEEPING, ...env, ...group.env },
  });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);

  let isSilent = false;
  const onSilence = () => {
    isSilent = true;
    if (pid !== undefined) killGroup(pid);
  };
  let watchdog = setTimeout(onSilence, SILENCE_LIMIT_MS);

  createInterface({ input: child.stdout }).on('line', (line) => {
    clearTimeout(watchdog);
    watchdog = setTimeout(onSilence, SILENCE_LIMIT_MS);
    const at = line.indexOf(MARK);
    const text = at < 0 ? line : line.slice(0, at);
    if (text || at < 0) console.log(text);
    if (at >= 0) onMessage(JSON.parse(line.slice(at + MARK.length)));
  });

  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(watchdog);
      if (pid !== undefined) {
        killGroup(pid);
        running.delete(pid);
      }
      resolve({ code: code ?? 1, isSilent });
    });
  });
}

/** A file runs its own tests, or those of a contract beside it that it imports. */
function ranTests(file: string, seen: ReadonlySet<string>): boolean {
  if (seen.has(file)) return true;
  const imports = readFileSync(join(ROOT, file), 'utf8').matchAll(/from '\.\/([\w-]+-contract\.ts)'/g);
  return imports.some(([, contract = '']) => seen.has(`${dirname(file)}/${contract}`));
}

const SLOWEST_SHOWN = 6;

/** Where the time of a group goes, so that whoever wants it shorter knows where to begin. */
function slowest(msByFile: ReadonlyMap<string, number>): string {
  const named = [...msByFile]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SLOWEST_SHOWN)
    .map(([file, ms]) => `${file} ${(ms / 1000).toFixed(1)} s`);
  return `longest: ${named.join(', ')}`;
}

/** Runs the group; whatever goes wrong beside the tests themselves counts as one more failure and is said on stdout. */
export async function runGroup(group: Group): Promise<Counts> {
  const startedAt = performance.now();
  const seen = new Set<string>();
  const failures: string[] = [];
  const msByFile = new Map<string, number>();
  let counts: Counts | undefined;
  let last = 'none';

  const { code, isSilent } = await follow(group, (message) => {
    if (message.type === 'counts') counts = message;
    else {
      const file = relative(ROOT, message.file).replaceAll('\\', '/');
      // A file that holds no test is reported by the runner as one passing test with the name of the file.
      if (!message.file.endsWith(message.name) && !message.name.endsWith(file)) seen.add(file);
      last = `${file}: ${message.name}`;
      msByFile.set(file, (msByFile.get(file) ?? 0) + message.ms);
    }
  });

  if (isSilent) {
    const seconds = SILENCE_LIMIT_MS / 1000;
    failures.push(
      `No test finished for ${seconds} s: one hangs or left something open. The last to finish: ${last}`,
    );
  } else if (!counts) failures.push(`The runner ended with code ${code} before it could report.`);
  else if (code !== 0 && counts.failed === 0) failures.push(`The runner ended with code ${code}.`);
  if (counts && group.grep === undefined) {
    for (const file of group.files) if (!ranTests(file, seen)) failures.push(`${file} ran no test.`);
  }
  for (const failure of failures) console.log(`  ✖ ${failure}`);

  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const total = { passed, failed: failed + failures.length, skipped };
  const name = group.part ? `${group.name} ${group.part}` : group.name;
  console.log(
    `${name}: ${total.passed} passed, ${total.failed} failed, ${skipped} skipped in ${seconds} s; ${slowest(msByFile)}`,
  );
  return total;
}
