// Who is to be told that somebody has mentioned them or given them a task: the last such notice of a person and a task.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
CREATE TABLE push_notice (
  account ${integer} NOT NULL,
  task ${text} NOT NULL,
  kind ${text} NOT NULL,
  comment ${text} NOT NULL,
  author ${integer} NOT NULL,
  next_at ${integer},
  told_at ${integer} NOT NULL,
  PRIMARY KEY (account, task)
)${end};
CREATE INDEX push_notice_next ON push_notice (next_at) WHERE next_at IS NOT NULL;
`;

/** Notices of mentions and assignments. */
export const pushNotices: Migration = {
  version: 21,
  name: 'notices of mentions and assignments',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT, WITHOUT ROWID')
        : statements('text COLLATE "C"', 'bigint', ''),
    ),
};
