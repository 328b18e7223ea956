// Reports of a backup and a restore, on both engines.
import type { TableName } from './tables.ts';

/** Number of rows by table. */
export type RowCounts = Readonly<Record<TableName, number>>;

/** A finished backup, described by reading the copy back. */
export interface BackupReport {
  readonly path: string;
  readonly sizeBytes: number;
  readonly schemaVersion: number;
  /** Rows of every table, read back from the copy. */
  readonly rows: RowCounts;
}

/** A finished restore. */
export interface RestoreReport {
  readonly rows: RowCounts;
  /** Where the previous data was kept: a file, or a PostgreSQL schema. Null when there was none. */
  readonly previous: string | null;
}
