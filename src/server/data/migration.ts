// The shape of a database migration. The migrations are in migrations/; migrate.ts runs them.
export interface MigrationTarget {
  readonly kind: 'sqlite' | 'postgres';
  /** Runs statements inside the migration's transaction. */
  run(sql: string): Promise<void>;
}

/** One step of the schema, never changed after its release. `up` runs in a transaction on either engine. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly up: (target: MigrationTarget) => Promise<void>;
}
