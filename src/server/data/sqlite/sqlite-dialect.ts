// Kysely on the SQLite connection of the store: plain selects read beside the writer, everything else takes its lock. Not
// for the write path of replication, which has its own statements.
import {
  type AbortableOperationOptions,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteConnection, Connection } from './sqlite-connection.ts';

/** Cached statements that return objects, by their text; Kysely's texts repeat. */
const KEPT_STATEMENTS = 200;

class Statements {
  readonly #kept = new Map<string, StatementSync>();
  #of: Connection | null = null;

  prepare(connection: Connection, sql: string): StatementSync {
    // The file was reopened.
    if (this.#of !== connection) this.#kept.clear();
    this.#of = connection;
    let statement = this.#kept.get(sql);
    if (!statement) {
      statement = connection.database.prepare(sql);
      if (this.#kept.size >= KEPT_STATEMENTS) this.#kept.clear();
      this.#kept.set(sql, statement);
    }
    return statement;
  }
}

function execute<R>(statement: StatementSync, parameters: readonly unknown[]): QueryResult<R> {
  // SQLite itself refuses values it cannot bind, naming the position.
  const values = parameters as readonly SQLInputValue[];
  // The prototype-less objects of node:sqlite would not be deep-equal to plain ones.
  if (statement.columns().length > 0)
    return { rows: statement.all(...values).map((row) => ({ ...row }) as R) };
  const { changes, lastInsertRowid } = statement.run(...values);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

/** Kysely's connection for one query or one transaction. */
class KyselyConnection implements DatabaseConnection {
  readonly #sqlite: SqliteConnection;
  readonly #readers: Statements;
  readonly #writers: Statements;
  #transaction: Connection | null = null;

  constructor(sqlite: SqliteConnection, readers: Statements, writers: Statements) {
    this.#sqlite = sqlite;
    this.#readers = readers;
    this.#writers = writers;
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#transaction) return execute(this.#writers.prepare(this.#transaction, sql), parameters);
    if (query.kind === 'SelectQueryNode') {
      return await this.#sqlite.readOne((reader) => execute(this.#readers.prepare(reader, sql), parameters));
    }
    // A raw statement may not be allowed in a transaction (a PRAGMA), so this one commits by itself.
    return await this.#sqlite.alone((writer) => execute(this.#writers.prepare(writer, sql), parameters));
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery(query);
  }

  async begin(): Promise<void> {
    this.#transaction = await this.#sqlite.begin();
  }

  async commit(): Promise<void> {
    this.#transaction = null;
    await this.#sqlite.commit();
  }

  async rollback(): Promise<void> {
    // A failed commit has already rolled back; Kysely rolls back once more.
    if (!this.#transaction) return;
    this.#transaction = null;
    await this.#sqlite.rollback();
  }
}

class SqliteDriver implements Driver {
  readonly #sqlite: SqliteConnection;
  readonly #readers = new Statements();
  readonly #writers: Statements;

  constructor(sqlite: SqliteConnection) {
    this.#sqlite = sqlite;
    this.#writers = sqlite.isMemory ? this.#readers : new Statements();
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new KyselyConnection(this.#sqlite, this.#readers, this.#writers);
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as KyselyConnection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as KyselyConnection).commit();
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as KyselyConnection).rollback();
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`SAVEPOINT ${quote(name)}`));
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`ROLLBACK TO ${quote(name)}`));
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`RELEASE ${quote(name)}`));
  }

  async releaseConnection(): Promise<void> {}

  async destroy(_options?: AbortableOperationOptions): Promise<void> {}
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The Kysely dialect for an open connection; it shares the store's lock. */
export function sqliteDialect(sqlite: SqliteConnection): Dialect {
  return {
    createDriver: () => new SqliteDriver(sqlite),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}
