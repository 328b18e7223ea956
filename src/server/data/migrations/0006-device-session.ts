// Details of devices shown to their owner: the session each last used, and the version of the personal scope it had read.
import type { Migration } from '../migration.ts';

const sqlite = `
ALTER TABLE device ADD COLUMN session TEXT;
ALTER TABLE device ADD COLUMN heard_version INTEGER NOT NULL DEFAULT 0;
`;

const postgres = `
ALTER TABLE device ADD COLUMN session text COLLATE "C";
ALTER TABLE device ADD COLUMN heard_version bigint NOT NULL DEFAULT 0;
`;

/** Session and last read version of devices. */
export const deviceSession: Migration = {
  version: 6,
  name: 'device session',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};
