// Who has sent which content lately: it is theirs wherever their attachment arrives, also once they have left the scope that
// they sent it to.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
CREATE TABLE file_sender (
  account ${integer} NOT NULL,
  hash ${text} NOT NULL,
  sent_at ${integer} NOT NULL,
  PRIMARY KEY (account, hash)
)${end};
CREATE INDEX file_sender_sent ON file_sender (sent_at);
`;

/** Senders of files. */
export const fileSenders: Migration = {
  version: 22,
  name: 'senders of files',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT, WITHOUT ROWID')
        : statements('text COLLATE "C"', 'bigint', ''),
    ),
};
