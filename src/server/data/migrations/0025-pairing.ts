// Pairings of devices: what a device without the key of its account and one that has it say to each other, for five minutes.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
CREATE TABLE pairing (
  account ${integer} NOT NULL,
  id ${text} NOT NULL,
  asked_by ${text} NOT NULL,
  answered_by ${text},
  device ${text} NOT NULL,
  commitment ${text} NOT NULL,
  old_key ${text},
  new_key ${text},
  nonce ${text},
  handed ${text},
  is_refused ${integer} NOT NULL,
  created_at ${integer} NOT NULL,
  PRIMARY KEY (account, id)
)${end};
CREATE INDEX pairing_created ON pairing (created_at);
`;

/** Pairings of devices. */
export const pairing: Migration = {
  version: 25,
  name: 'pairings of devices',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT, WITHOUT ROWID')
        : statements('text COLLATE "C"', 'bigint', ''),
    ),
};

/** Whether the device that asked has taken the key: until then it can still say that the words differ. */
export const takenPairings: Migration = {
  version: 29,
  name: 'pairings that are taken',
  up: (target) =>
    target.run(
      `ALTER TABLE pairing ADD COLUMN is_taken ${target.kind === 'sqlite' ? 'INTEGER' : 'bigint'} NOT NULL DEFAULT 0;`,
    ),
};
