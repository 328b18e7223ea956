// What a backup and a restore say about themselves, on both engines.
import type { TableName } from './tables.ts';

export type RowCounts = Readonly<Record<TableName, number>>;

export interface BackupReport {
  readonly path: string;
  readonly sizeBytes: number;
  readonly schemaVersion: number;
  /** Rows of every table, read back from the copy. */
  readonly rows: RowCounts;
}

export interface RestoreReport {
  readonly rows: RowCounts;
  /** Where the previous data was kept: a file, or a PostgreSQL schema. Null when there was none. */
  readonly previous: string | null;
}
