// The fixtures as the tests take them: which there are, and a server of today on a database of then.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readConfig } from '#server/config.ts';
import { type RunningServer, startServer } from '#server/server.ts';
import { ROOT } from '../../scripts/files.ts';
import type { Client } from './protocol-client.ts';
import type { Server } from './protocol-server.ts';
import { postgresFromText, sqliteFromText } from './database-text.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import { SERVER_KEY, type ProfileText, type WorldText } from './story.ts';

const FOLDER = join(import.meta.dirname, 'fixtures');
const HALF_DAY_MS = 43_200_000;
/** Passwords that are made now are hashed as weakly as possible; those of then say themselves how they were. */
const WEAK_HASH = { memory: 64, passes: 1, parallelism: 1 };

const numbersOf = (name: string) => [...name.matchAll(/\d+/g)].map(([digits]) => Number(digits));

export interface DataFixture {
  readonly name: string;
  /** Of the server's database. */
  readonly schema: number;
  /** Version of the IndexedDB. */
  readonly layout: number;
}

export const dataFixtures: readonly DataFixture[] = readdirSync(FOLDER)
  .filter((name) => name.startsWith('schema-'))
  .toSorted()
  .map((name) => {
    const [schema = 0, layout = 0] = numbersOf(name);
    return { name, schema, layout };
  });

export const protocolFixtures: readonly number[] = readdirSync(FOLDER)
  .filter((name) => name.startsWith('protocol-'))
  .flatMap(numbersOf);

const read = (fixture: DataFixture, file: string) =>
  gunzipSync(readFileSync(join(FOLDER, fixture.name, `${file}.gz`))).toString();

export function readProfile(fixture: DataFixture, which: 'account' | 'local'): ProfileText {
  return JSON.parse(read(fixture, `${which}.json`)) as ProfileText;
}

/** Unpacked among the packages, where what it imports is found. Several tests may do that at once. */
function unpacked(version: number, part: 'client' | 'server'): string {
  const code = gunzipSync(readFileSync(join(FOLDER, `protocol-${version}`, `${part}.mjs.gz`)));
  const folder = join(ROOT, 'node_modules', '.cache', 'protocols');
  mkdirSync(folder, { recursive: true });
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const path = join(folder, `${version}-${part}-${hash}.mjs`);
  if (existsSync(path)) return path;
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, path);
  return path;
}

async function load(version: number, part: 'client' | 'server'): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(unpacked(version, part)).href)) as Record<string, unknown>;
}

export const loadClient = async (version: number) => (await load(version, 'client'))['client'] as Client;
export const loadServer = async (version: number) => (await load(version, 'server'))['server'] as Server;

/** What a copy says of its rows, and the server of the same rows: not of people and mounts, by which shared lists have their places. */
export function comparable(rows: Iterable<Row>, { shared }: Pick<WorldText, 'shared'>): readonly unknown[] {
  return [...rows]
    .filter(({ type }) => type !== 'mount' && type !== 'member')
    .map((row) => (row.id === shared?.list ? { id: row.id, ...registersOf(row), place: null } : row))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** All rows that the first account may read. */
export async function readableRows({ server, world }: UpgradedServer): Promise<readonly Row[]> {
  const scopes = [world.sleeper.meta.scope, ...(world.shared === undefined ? [] : [world.shared.scope])];
  const { store } = server.database;
  return (await Promise.all(scopes.map((scope) => store.snapshot(scope, null, 10_000)))).flat();
}

export interface UpgradedServer {
  readonly server: RunningServer;
  readonly world: WorldText;
  readonly dataDir: string;
  close(): Promise<void>;
}

export interface UpgradeOptions {
  /** An empty PostgreSQL database; absent: SQLite. */
  readonly postgres?: string;
  readonly appFolder?: string;
}

/** Today's server on the database of a fixture, half a day after it was made. */
export async function upgradeServer(
  fixture: DataFixture,
  { postgres, appFolder }: UpgradeOptions = {},
): Promise<UpgradedServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'posthaste-upgrade-'));
  const kind = postgres === undefined ? 'sqlite' : 'postgres';
  const world = JSON.parse(read(fixture, `${kind}.json`)) as WorldText;
  const text = read(fixture, `${kind}.sql`);
  if (postgres === undefined) sqliteFromText(join(dataDir, 'posthaste.db'), text);
  else await postgresFromText(postgres, text);
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    BACKUPS: 'off',
    LOG_LEVEL: 'error',
    SERVER_KEY,
    // The configuration asks for a host; the socket file in the query decides.
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.replace('@/', '@localhost/') }),
  });
  if (!config.ok) throw new Error(config.problem.join(' '));
  const startedAt = performance.now();
  const server = await startServer(config.value, {
    clock: {
      now: () => Math.round(world.madeAt + HALF_DAY_MS + performance.now() - startedAt),
      monotonic: () => performance.now(),
    },
    hashParameters: WEAK_HASH,
    ...(appFolder === undefined ? {} : { appFolder }),
  });
  return {
    server,
    world,
    dataDir,
    async close() {
      await server.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
