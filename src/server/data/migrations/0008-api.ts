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
