// What a person is shown about their devices: the session each last spoke under, and how far it had heard of its own
// personal scope by then.
import type { Migration } from '../migrate.ts';

const sqlite = `
ALTER TABLE device ADD COLUMN session TEXT;
ALTER TABLE device ADD COLUMN heard_version INTEGER NOT NULL DEFAULT 0;
`;

const postgres = `
ALTER TABLE device ADD COLUMN session text COLLATE "C";
ALTER TABLE device ADD COLUMN heard_version bigint NOT NULL DEFAULT 0;
`;

export const deviceSession: Migration = {
  version: 6,
  name: 'device session',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};
