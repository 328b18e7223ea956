// Who has sent which content lately: it is theirs wherever their attachment arrives, also once they have left the scope that
// they sent it to. And which scopes have an attachment without its content, and of whom: they get it whenever it is sent.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
CREATE TABLE file_sender (
  account ${integer} NOT NULL,
  hash ${text} NOT NULL,
  sent_at ${integer} NOT NULL,
  PRIMARY KEY (account, hash)
)${end};
CREATE INDEX file_sender_sent ON file_sender (sent_at);

CREATE TABLE file_wanted (
  scope ${text} NOT NULL,
  hash ${text} NOT NULL,
  account ${integer} NOT NULL,
  noted_at ${integer} NOT NULL,
  PRIMARY KEY (scope, hash)
)${end};
CREATE INDEX file_wanted_by ON file_wanted (account, hash);
CREATE INDEX file_wanted_noted ON file_wanted (noted_at);
`;

/** Senders of files, and what is still to be sent. */
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
