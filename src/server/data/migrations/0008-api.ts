// What the public API stands on: what a token may do and whether somebody named it, limits of an account's own, and the
// indexes by which tasks are listed without reading a scope whole.
import type { Migration } from '../migrate.ts';

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

export const api: Migration = {
  version: 8,
  name: 'api',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};
