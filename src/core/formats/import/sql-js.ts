// Makes the port of databases out of sql.js, which the web app and the tests load for themselves.
import type { Cell, ImportDatabase } from './shape.ts';

/** The part of a database of sql.js that is used. */
interface SqlJsDatabase {
  exec(
    statement: string,
  ): readonly { readonly columns: readonly string[]; readonly values: readonly (readonly Cell[])[] }[];
  close(): void;
}

/** sql.js after its WebAssembly was loaded. */
export interface SqlJs {
  readonly Database: new (image: Uint8Array) => SqlJsDatabase;
}

/** Opens databases in memory by sql.js, which `load` gives. Nothing in a database runs: no triggers, no views are asked. */
export function openBySqlJs(load: () => Promise<SqlJs>): (image: Uint8Array) => Promise<ImportDatabase> {
  return async (image) => {
    const { Database } = await load();
    const database = new Database(image);
    try {
      database.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON');
    } catch (error) {
      database.close();
      throw error;
    }
    return {
      rows: (statement) =>
        database
          .exec(statement)
          .flatMap(({ columns, values }) =>
            values.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))),
          ),
      close: () => database.close(),
    };
  };
}
