// Databases as SQL text and back: how the fixtures keep them, whole and readable, whatever wrote them.
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import pg from 'pg';
import { migrations } from '#server/data/migrate.ts';
import type { Migration } from '#server/data/migration.ts';

const name = (text: string) => `"${text.replaceAll('"', '""')}"`;

function literal(value: SQLOutputValue): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return `'${value.replaceAll("'", "''")}'`;
}

const insertion = (table: string, columns: readonly string[], values: readonly string[]) =>
  `INSERT INTO ${name(table)} (${columns.map(name).join(', ')}) VALUES (${values.join(', ')});`;

/** Everything in a closed SQLite database. */
export function sqliteToText(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const parts = db.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all() as {
      type: string;
      name: string;
      sql: string;
    }[];
    const tables = parts.filter((part) => part.type === 'table' && !part.name.startsWith('sqlite_'));
    const rest = parts.filter((part) => part.type !== 'table');
    const rows = ['sqlite_sequence', ...tables.map((table) => table.name)].flatMap((table) => {
      const statement = db.prepare(`SELECT * FROM ${name(table)}`);
      statement.setReadBigInts(true);
      return statement
        .all()
        .map((row) => insertion(table, Object.keys(row), Object.values(row).map(literal)));
    });
    const schema = (list: typeof parts) => list.map(({ sql }) => `${sql};`);
    // Rows of sqlite_sequence come first: inserting the others raises them no further.
    return ['BEGIN;', ...schema(tables), ...rows, ...schema(rest), 'COMMIT;', ''].join('\n');
  } finally {
    db.close();
  }
}

export function sqliteFromText(path: string, text: string): void {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  try {
    db.exec(text);
  } finally {
    db.close();
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The statements by which these migrations make their schema. */
async function statementsOf(list: readonly Migration[]): Promise<string[]> {
  const statements: string[] = [];
  for (const { up } of list) await up({ kind: 'postgres', run: async (sql) => void statements.push(sql) });
  return statements;
}

const VERSIONS =
  'CREATE TABLE schema_version (version bigint PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL);';

async function rowsToText(client: pg.Client, table: string): Promise<string[]> {
  const { rows: columns } = await client.query<{ column_name: string; is_identity: string }>(
    'SELECT column_name, is_identity FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position',
    [table],
  );
  const names = columns.map((column) => column.column_name);
  const quoted = names.map((column) => `quote_nullable(${name(column)}::text)`).join(', ');
  const { rows } = await client.query<string[]>({
    text: `SELECT ${quoted} FROM ${name(table)}`,
    rowMode: 'array',
  });
  const counters = columns
    .filter(({ is_identity: isIdentity }) => isIdentity === 'YES')
    .map(
      ({ column_name: column }) =>
        `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), greatest(1, (SELECT max(${name(column)}) FROM ${name(table)})));`,
    );
  return [`DELETE FROM ${name(table)};`, ...rows.map((row) => insertion(table, names, row)), ...counters];
}

/** Everything in a PostgreSQL database that these migrations made. */
export function postgresToText(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
    );
    // What others refer to comes first.
    const first = ['scope', 'account'];
    const others = rows.map((row) => row.name).filter((table) => !first.includes(table));
    const content: string[] = [];
    for (const table of [...first, ...others]) content.push(...(await rowsToText(client, table)));
    return ['BEGIN;', ...(await statementsOf(migrations)), VERSIONS, ...content, 'COMMIT;', ''].join('\n');
  });
}

export async function postgresFromText(url: string, text: string): Promise<void> {
  await withClient(url, (client) => client.query(text));
}
