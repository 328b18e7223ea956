// Which label of a shared list stands for which label of a person, when their tasks go to the list and come back.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
CREATE TABLE label_twin (
  account ${integer} NOT NULL,
  personal_label ${text} NOT NULL,
  scope ${text} NOT NULL,
  shared_label ${text} NOT NULL,
  PRIMARY KEY (account, personal_label, scope)
)${end};
CREATE INDEX label_twin_shared ON label_twin (account, shared_label);
`;

/** Labels that stand for each other. What is lost of it is found again by name. */
export const labelTwins: Migration = {
  version: 19,
  name: 'labels across scopes',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT, WITHOUT ROWID')
        : statements('text COLLATE "C"', 'bigint', ''),
    ),
};
