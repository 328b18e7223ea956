// Opens an SQLite database that somebody imports: in memory, in the import's worker, with an engine that is fetched only then. Nothing in it
// can run code or reach a file: there is none.
import type { SqlJsStatic } from 'sql.js';
// oxlint-disable-next-line import/default -- the bundler makes it
import ENGINE from 'sql.js/dist/sql-wasm-browser.wasm?url';
import type { Cell, ImportDatabase } from '#core/formats/import/shape.ts';

let engine: Promise<SqlJsStatic> | null = null;

async function loadEngine(): Promise<SqlJsStatic> {
  const [{ default: open }, answer] = await Promise.all([import('sql.js'), fetch(ENGINE)]);
  if (!answer.ok) throw new Error('The engine for databases couldn’t be loaded. Check your connection.');
  return open({ wasmBinary: await answer.arrayBuffer() });
}

/** Rejects for what SQLite does not take, and where the engine cannot be had. */
export async function openDatabase(image: Uint8Array): Promise<ImportDatabase> {
  engine ??= loadEngine();
  // The next database tries again.
  engine.catch(() => (engine = null));
  const { Database } = await engine;
  const database = new Database(image);
  database.run('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;');
  return {
    rows: (statement) =>
      database
        .exec(statement)
        .flatMap(({ columns, values }) =>
          values.map((row) =>
            Object.fromEntries(columns.map((name, at): [string, Cell] => [name, row[at] ?? null])),
          ),
        ),
    close: () => database.close(),
  };
}
