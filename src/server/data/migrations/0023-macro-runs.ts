// Runs of macros that programs ask for: what waits for a device, which one took it, and what came of it. Kept for an hour; what it
// is about goes as soon as a device has it.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
CREATE TABLE macro_run (
  account ${integer} NOT NULL,
  id ${text} NOT NULL,
  macro ${text} NOT NULL,
  is_dry ${integer} NOT NULL,
  program ${text} NOT NULL,
  mark ${text} NOT NULL,
  content ${text},
  state ${text} NOT NULL,
  taken_by ${text},
  outcome ${text},
  created_at ${integer} NOT NULL,
  updated_at ${integer} NOT NULL,
  PRIMARY KEY (account, id)
)${end};
CREATE INDEX macro_run_created ON macro_run (created_at);
`;

/** Runs of macros. */
export const macroRuns: Migration = {
  version: 23,
  name: 'runs of macros',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT, WITHOUT ROWID')
        : statements('text COLLATE "C"', 'bigint', ''),
    ),
};
