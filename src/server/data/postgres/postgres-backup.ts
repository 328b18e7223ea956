// Copies of a PostgreSQL database in one file: compressed lines of JSON, verified by reading them back, and restored in one
// transaction. For installations without pg_basebackup; works with any role that owns the tables.
//   {"format":"posthaste","formatVersion":1,"schemaVersion":n,"createdAt":ms}
//   {"table":"scope","columns":["id",…]} then one array per row; bytes are {"base64":"…"}
//   {"rows":{"scope":n,…}}
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { BackupReport, RestoreReport, RowCounts } from '../backup-report.ts';
import { SchemaTooNewError, migrations, newestVersion } from '../migrate.ts';
import { writeNewFile } from '../new-file.ts';
import { PostgresConnection, type Session } from './postgres-connection.ts';
import { readSchemaVersion, recordSchemaVersion } from './postgres-schema.ts';
import { type TableName, tableNames } from '../tables.ts';

const FORMAT = 'posthaste';
const FORMAT_VERSION = 1;
const BATCH = 1_000;

interface Header {
  readonly format: string;
  readonly formatVersion: number;
  readonly schemaVersion: number;
  readonly createdAt: number;
}

type Line =
  | Header
  | { readonly table: TableName; readonly columns: readonly string[] }
  | readonly unknown[]
  | { readonly rows: RowCounts };

interface Column {
  readonly name: string;
  /** In SQL: text, bigint, bytea. */
  readonly type: string;
}

interface Receiver {
  table(name: TableName, columns: readonly string[]): void | Promise<void>;
  row(cells: readonly unknown[]): void | Promise<void>;
}

function noCounts(): Record<TableName, number> {
  return Object.fromEntries(tableNames.map((name) => [name, 0])) as Record<TableName, number>;
}

async function columnsOf(session: Session, table: TableName): Promise<readonly Column[]> {
  const { rows } = await session.client.query<Column>(
    'SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute ' +
      'WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum',
    [table],
  );
  return rows;
}

function toJson(cell: unknown): unknown {
  return Buffer.isBuffer(cell) ? { base64: cell.toString('base64') } : cell;
}

function fromJson(cell: unknown): unknown {
  if (typeof cell !== 'object' || cell === null) return cell;
  return Buffer.from((cell as { base64: string }).base64, 'base64');
}

async function* exportLines(session: Session): AsyncGenerator<string> {
  const line = (value: Line) => `${JSON.stringify(value)}\n`;
  await session.takeTime();
  const schemaVersion = await readSchemaVersion(session);
  yield line({ format: FORMAT, formatVersion: FORMAT_VERSION, schemaVersion, createdAt: Date.now() });
  const counts = noCounts();
  for (const table of tableNames) {
    const columns = (await columnsOf(session, table)).map(({ name }) => name);
    if (columns.length === 0) continue;
    yield line({ table, columns });
    await session.client.query(
      `DECLARE export NO SCROLL CURSOR FOR SELECT ${columns.join(', ')} FROM ${table}`,
    );
    for (;;) {
      const text = `FETCH ${BATCH} FROM export`;
      const { rows } = await session.client.query<unknown[]>({ text, rowMode: 'array' });
      if (rows.length === 0) break;
      counts[table] += rows.length;
      yield rows.map((row) => line(row.map(toJson))).join('');
    }
    await session.client.query('CLOSE export');
  }
  yield line({ rows: counts });
}

/** Writes a snapshot of all tables. Rejects when `to` exists. The file is readable by this user only. */
export async function backupPostgres(connection: PostgresConnection, to: string): Promise<BackupReport> {
  const verified = await writeNewFile(to, async (partial) => {
    await connection.readOnce((session) =>
      pipeline(Readable.from(exportLines(session)), createZstdCompress(), createWriteStream(partial)),
    );
    return await readBackup(partial, discard);
  });
  return { path: to, sizeBytes: statSync(to).size, ...verified };
}

const discard: Receiver = { table: () => undefined, row: () => undefined };

/** Reads a whole backup and checks its rows against the counts at its end. */
async function readBackup(
  path: string,
  receiver: Receiver,
): Promise<{ schemaVersion: number; rows: RowCounts }> {
  const damaged = (why: string, cause?: unknown) =>
    new Error(`${path} is damaged or isn't a Posthaste backup: ${why}.`, { cause });
  const counts = noCounts();
  let header: Header | null = null;
  let table: TableName | null = null;
  let stated: RowCounts | null = null;
  for await (const line of linesOf(path, damaged)) {
    if (stated) throw damaged('it has extra data after the end');
    if (Array.isArray(line)) {
      if (table === null) throw damaged('a row belongs to no table');
      counts[table] += 1;
      await receiver.row(line);
    } else if ('format' in line && header === null) {
      header = line;
      checkHeader(header, path);
    } else if ('table' in line && header !== null && tableNames.includes(line.table)) {
      table = line.table;
      await receiver.table(table, line.columns);
    } else if ('rows' in line && header !== null) stated = line.rows;
    else throw damaged('it has an unknown kind of line');
  }
  if (header === null || stated === null) throw damaged('it is cut short');
  for (const name of tableNames) {
    if (counts[name] !== stated[name]) throw damaged(`${name} has ${counts[name]} rows, not ${stated[name]}`);
  }
  return { schemaVersion: header.schemaVersion, rows: counts };
}

async function* linesOf(
  path: string,
  damaged: (why: string, cause?: unknown) => Error,
): AsyncGenerator<Line> {
  const unpacked = createReadStream(path).pipe(createZstdDecompress());
  try {
    for await (const text of createInterface({ input: unpacked, crlfDelay: Infinity })) {
      const line: unknown = JSON.parse(text);
      if (typeof line !== 'object' || line === null) throw damaged('it has an unknown kind of line');
      yield line as Line;
    }
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error))
      throw damaged(error.message, error);
    throw error;
  }
}

function checkHeader(header: Header, path: string): void {
  if (header.format !== FORMAT) throw new Error(`${path} isn't a Posthaste backup.`);
  if (header.formatVersion > FORMAT_VERSION) throw new Error(`${path} was written by a newer Posthaste.`);
}

/** Fills empty tables with the rows of a backup, in batches. */
class Loader implements Receiver {
  readonly #session: Session;
  #insert = '';
  #rows: (readonly unknown[])[] = [];
  #width = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  async table(name: TableName, names: readonly string[]): Promise<void> {
    await this.flush();
    const types = new Map((await columnsOf(this.#session, name)).map((column) => [column.name, column.type]));
    const unknown = names.find((column) => !types.has(column));
    if (unknown !== undefined)
      throw new Error(`The backup has a column ${name}.${unknown} that this schema lacks.`);
    this.#width = names.length;
    const values = names.map((column, index) => `$${index + 1}::${types.get(column)}[]`).join(', ');
    this.#insert = `INSERT INTO ${name} (${names.join(', ')}) SELECT * FROM unnest(${values})`;
  }

  async row(cells: readonly unknown[]): Promise<void> {
    this.#rows.push(cells);
    if (this.#rows.length >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    const columns = Array.from({ length: this.#width }, (_, index) =>
      this.#rows.map((row) => fromJson(row[index])),
    );
    this.#rows = [];
    await this.#session.client.query(this.#insert, columns);
  }
}

/** In one transaction: in any case either the old or the new data is there. */
export async function restorePostgres(from: string, url: string): Promise<RestoreReport> {
  if (!existsSync(from)) throw new Error(`There's no file ${from}.`);
  // Before anything is locked.
  const { schemaVersion } = await readBackup(from, discard);
  if (schemaVersion > newestVersion()) throw new SchemaTooNewError(schemaVersion, newestVersion());
  const connection = new PostgresConnection(url, () => undefined);
  try {
    return await connection.write(async (session) => {
      await session.takeTime();
      await refuseIfInUse(session);
      const previous = await moveAside(session);
      await createSchema(session, schemaVersion);
      const loader = new Loader(session);
      const { rows } = await readBackup(from, loader);
      await loader.flush();
      await verifyCounts(session, rows);
      await continueNumbers(session);
      return { rows, previous };
    });
  } finally {
    await connection.close();
  }
}

async function refuseIfInUse(session: Session): Promise<void> {
  // A server that was just stopped stays in the list for a moment.
  for (let look = 0; look < 20; look += 1) {
    const { rows } = await session.client.query<{ others: number }>(
      'SELECT count(*) AS others FROM pg_stat_activity, pg_stat_clear_snapshot() WHERE datname = current_database() ' +
        "AND application_name = 'posthaste' AND pid <> pg_backend_pid()",
    );
    if (rows[0]?.others === 0) return;
    await delay(50);
  }
  throw new Error('The database is in use. Stop the server, then restore. Nothing was changed.');
}

async function moveAside(session: Session): Promise<string | null> {
  if ((await readSchemaVersion(session)) === 0) return null;
  const schema = `before_restore_${Date.now()}`;
  await session.client.query(`CREATE SCHEMA ${schema}`);
  for (const table of tableNames)
    await session.client.query(`ALTER TABLE IF EXISTS ${table} SET SCHEMA ${schema}`);
  return schema;
}

async function createSchema(session: Session, version: number): Promise<void> {
  const run = async (sql: string) => {
    await session.client.query(sql);
  };
  for (const migration of migrations.filter((one) => one.version <= version)) {
    await migration.up({ kind: 'postgres', run });
    await recordSchemaVersion(session, migration.version, migration.name);
  }
  const present: string[] = [];
  for (const table of tableNames) if ((await columnsOf(session, table)).length > 0) present.push(table);
  // Rows inserted by migrations are in the backup as well.
  await run(`TRUNCATE ${present.join(', ')}`);
}

async function verifyCounts(session: Session, rows: RowCounts): Promise<void> {
  for (const table of tableNames) {
    if ((await columnsOf(session, table)).length === 0) continue;
    const { rows: counted } = await session.client.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`);
    if (counted[0]?.n !== rows[table])
      throw new Error(`Restoring ${table} left ${counted[0]?.n} of ${rows[table]} rows.`);
  }
}

/** Sequences continue after the highest restored number, and a new generation tells devices that history went back. */
async function continueNumbers(session: Session): Promise<void> {
  for (const [table, column] of [
    ['device', 'number'],
    ['security_event', 'id'],
    ['parked', 'number'],
  ] as const) {
    // An older backup does not have every table.
    if ((await columnsOf(session, table)).length === 0) continue;
    await session.client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}), 0) + 1, false) FROM ${table}`,
    );
  }
  await session.client.query(
    'INSERT INTO generation (idx, nonce, opened_at) SELECT coalesce(max(idx), 0) + 1, $1, $2 FROM generation',
    [randomUUID(), Date.now()],
  );
}
