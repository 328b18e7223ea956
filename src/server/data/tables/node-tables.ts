// The tables of several servers on one database: who is there, and who leads. SQLite has them empty: one process holds it.

/** A server of this database. It is there only while it holds the lock of its number. */
export interface NodeTable {
  id: string;
  number: number;
  started_at: number;
  seen_at: number;
  /** Version of the program. */
  build: string;
  /** The newest protocol that it understands. */
  protocol: number;
  /** Of the key that it opens sealed secrets with. */
  key_fingerprint: string;
  /** The bucket that its files are in; null: its own folder. */
  bucket: string | null;
}

/** One row, once a server leads: the leadership that is the present one, or was the last. */
export interface LeaderTable {
  id: number;
  /** Grows with each leadership. */
  term: number;
  node: string | null;
  since: number;
  /** The newest protocol that is in use: every server has to understand it. */
  activated: number;
}

/** The tables by name. */
export interface NodeTables {
  node: NodeTable;
  leader: LeaderTable;
}

/** Their names. */
export const nodeTableNames = ['node', 'leader'] as const satisfies readonly (keyof NodeTables)[];
