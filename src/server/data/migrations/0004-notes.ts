// Base texts that edits of notes may still refer to: replaced ones and those being edited.
import type { Migration } from '../migration.ts';

const sqlite = `
CREATE TABLE note_epoch (
  scope TEXT NOT NULL,
  note TEXT NOT NULL,
  seed TEXT NOT NULL,
  state TEXT,
  text TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (scope, note, seed)
) STRICT;
CREATE INDEX note_epoch_at ON note_epoch (at);
`;

const postgres = `
CREATE TABLE note_epoch (
  scope text COLLATE "C" NOT NULL,
  note text COLLATE "C" NOT NULL,
  seed text COLLATE "C" NOT NULL,
  state text,
  text text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (scope, note, seed)
);
CREATE INDEX note_epoch_at ON note_epoch (at);
`;

/** The table of note epochs. */
export const notes: Migration = {
  version: 4,
  name: 'notes',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};
