// Support for the public API: the access of tokens and whether they were named, limits per account, and the indexes that
// list tasks without reading a whole scope.
import type { Migration } from '../migration.ts';

const indexes = `
CREATE INDEX entity_open ON entity (scope, updated_at) WHERE type = 'task' AND status IS NULL AND deleted IS NULL;
CREATE INDEX entity_frame ON entity (scope, version) WHERE shelf < 'h';
`;

const sqlite = `
ALTER TABLE session ADD COLUMN access TEXT NOT NULL DEFAULT 'write';
ALTER TABLE account ADD COLUMN rates TEXT;
${indexes}`;

const postgres = `
ALTER TABLE session ADD COLUMN access text NOT NULL DEFAULT 'write';
ALTER TABLE account ADD COLUMN rates text;
${indexes}`;

/** Token access, limits per account, and indexes for listing tasks. */
export const api: Migration = {
  version: 8,
  name: 'api',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};

/**
 * Counters that several processes share: calls under rate limits, tries of passwords, and open sockets. PostgreSQL only, where a crash
 * of the database may forget them, as they are not in its log; with SQLite the one process counts for itself. They are in no backup,
 * and a restore finds them where they are.
 */
export const limitCounts: Migration = {
  version: 42,
  name: 'shared counters',
  up: async (target) => {
    if (target.kind === 'sqlite') return;
    await target.run(`
CREATE UNLOGGED TABLE IF NOT EXISTS limit_count (
  rate text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  times bigint[] NOT NULL,
  is_taken boolean NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY (rate, key)
) WITH (fillfactor = 70);
CREATE UNLOGGED TABLE IF NOT EXISTS limit_seat (
  account bigint PRIMARY KEY,
  seats jsonb NOT NULL,
  is_taken boolean NOT NULL,
  until bigint NOT NULL
) WITH (fillfactor = 70);
`);
  },
};
