// Makes the fixtures of the layouts and the protocol as this source tree has them, where they are not there yet:
//   node test/upgrades/make-fixtures.ts
// A fixture is never made again: what it is about is the version that made it.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { migrations } from '#server/data/migrate.ts';
import { startPostgres } from '../contracts/postgres-instance.ts';
import { postgresToText, sqliteToText } from './database-text.ts';
import { client } from './protocol-client.ts';
import { live } from './story.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

function save(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
}

async function bundle(folder: string, part: 'client' | 'server'): Promise<void> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: true,
      target: 'es2024',
      // Only our own code: packages are those of the tree that runs the test.
      ssr: join(import.meta.dirname, `protocol-${part}.ts`),
      rolldownOptions: { output: { entryFileNames: `${part}.mjs`, codeSplitting: false } },
    },
  });
  if (!('output' in built)) throw new Error('The bundler made several outputs, or none.');
  save(folder, `${part}.mjs`, built.output[0].code);
}

async function makeProtocol(): Promise<void> {
  const folder = join(FIXTURES, `protocol-${client.protocolVersion}`);
  if (existsSync(folder)) return;
  for (const part of ['client', 'server'] as const) await bundle(folder, part);
}

async function makeData(): Promise<void> {
  const schema = migrations.at(-1)?.version ?? 0;
  const dataDir = mkdtempSync(join(tmpdir(), 'posthaste-fixture-'));
  const postgres = await startPostgres();
  try {
    const onSqlite = await live({ dataDir });
    const layout = onSqlite.account.database.version;
    const folder = join(FIXTURES, `schema-${schema}-device-${layout}`);
    if (existsSync(folder)) return;
    save(folder, 'sqlite.sql', sqliteToText(join(dataDir, 'posthaste.db')));
    save(folder, 'sqlite.json', JSON.stringify(onSqlite.world));
    save(folder, 'account.json', JSON.stringify(onSqlite.account));
    save(folder, 'local.json', JSON.stringify(onSqlite.local));
    const databaseUrl = await postgres.createDatabase();
    const onPostgres = await live({ dataDir: join(dataDir, 'other'), databaseUrl });
    save(folder, 'postgres.sql', await postgresToText(databaseUrl));
    save(folder, 'postgres.json', JSON.stringify(onPostgres.world));
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true });
  }
}

await makeProtocol();
await makeData();
