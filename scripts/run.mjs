// The way into every npm script, in plain JavaScript that an older Node understands: installs what the lockfile
// names when it is not there yet, then hands over to the pinned Node. Knows nothing about what the scripts do.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findNode, modules, root, serverFlags } from './pinned-node.mjs';

const PARENT_CHECK_MS = 250;

const TARGETS = {
  start: 'scripts/start.ts',
  test: 'scripts/test.ts',
  dev: 'scripts/dev.ts',
  check: 'scripts/check.ts',
  build: 'scripts/build.ts',
  docs: 'scripts/docs.ts',
  bench: 'bench/run.ts',
  admin: 'src/server/admin.ts',
  soak: 'scripts/soak.ts',
  'site:check': 'scripts/site-check.ts',
  screenshots: 'scripts/gallery.ts',
  desktop: 'scripts/desktop.ts',
};

/** Started as the server is. */
const SERVERS = ['start', 'admin'];

function fail(message) {
  console.error(message);
  process.exit(1);
}

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    // Missing or cut short by an interrupted install: either way there is nothing to compare with.
    return undefined;
  }
}

/** npm records in node_modules what it last put there; compare that record with the lockfile, package by package. */
function isInstalled() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (!wanted) fail('package-lock.json is missing or damaged; restore it from the repository.');
  const present = readPackages(join(modules, '.package-lock.json'));
  if (!present) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '') continue;
    const found = present[path];
    // Optional packages of other platforms are rightly absent, as are optional peers.
    if (!found && (entry.optional || entry.devOptional || entry.peer)) continue;
    if (!found || found.version !== entry.version || found.integrity !== entry.integrity) return false;
  }
  return true;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Two scripts started at once must not install into the same folder; the second waits and then finds the work done. */
function withInstallLock(work) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `posthaste-install-${name}.lock`);
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const age = existsSync(lock) ? Date.now() - statSync(lock).mtimeMs : 0;
      const owner = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
      // An owner that has not written its id yet counts as alive for a moment.
      if (age > 2_000 && !(owner > 0 && isAlive(owner))) rmSync(lock, { force: true });
      else pause(200);
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function install() {
  const startedAt = Date.now();
  console.error('Installing dependencies (once; about ten seconds) ...');
  const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-progress'];
  const npm = process.env.npm_execpath;
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  const result =
    npm && /\.c?js$/.test(npm)
      ? spawnSync(process.execPath, [npm, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (result.error) fail(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout}${result.stderr}`);
    fail('Installing dependencies failed; the lines above are what npm said. Nothing was started.');
  }
  console.error(`Dependencies installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
}

/** npm passes SIGTERM to the shell between us and it, not to us: the shell's death is then the only sign to stop. */
function watchParent(onGone) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, PARENT_CHECK_MS);
  timer.unref();
}

function hand(node, target, { flags, args }) {
  const path = [dirname(node), join(modules, '.bin'), process.env.PATH].filter(Boolean).join(delimiter);
  const child = spawn(node, [...flags, join(root, target), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: path },
  });
  const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of forwarded) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child as well; sending it again would look like a second press.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
  if (process.env.npm_lifecycle_event) watchParent(() => child.kill('SIGTERM'));
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const name of forwarded) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

const [name, ...args] = process.argv.slice(2);
const target = TARGETS[name];
if (!target) fail(`Unknown script "${name ?? ''}". Known: ${Object.keys(TARGETS).join(', ')}.`);
if (!existsSync(join(root, target))) fail(`${target} does not exist in this copy.`);
if (!isInstalled()) withInstallLock(() => isInstalled() || install());
const { path, problem } = findNode();
if (!path) fail(problem);
hand(path, target, { flags: SERVERS.includes(name) ? serverFlags : [], args });
