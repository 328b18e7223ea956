// What shared lists need: who shares which list and how far that has come, how people are shown to each other, when a member
// came and by whom, and links that invite.
import type { Migration } from '../migration.ts';

// `author` and `invited_by` are no `account`: what they speak of goes on when that account is erased (care/erasure.ts).
// The links of before are dropped: nothing has ever made one.
const statements = (text: string, integer: string, bytes: string, end: string) => `
ALTER TABLE member ADD COLUMN joined_at ${integer} NOT NULL DEFAULT 0;
ALTER TABLE member ADD COLUMN invited_by ${integer};

CREATE TABLE profile (
  account ${integer} PRIMARY KEY,
  name ${text} NOT NULL,
  initials ${text} NOT NULL,
  emoji ${text},
  color ${text} NOT NULL
)${end};

CREATE TABLE shared_list (
  scope ${text} PRIMARY KEY,
  list ${text} NOT NULL,
  author ${integer} NOT NULL,
  state ${text} NOT NULL,
  total ${integer} NOT NULL,
  wanted ${integer} NOT NULL,
  settled ${integer} NOT NULL,
  created_at ${integer} NOT NULL,
  closed_at ${integer}
)${end};
CREATE UNIQUE INDEX shared_list_open ON shared_list (list) WHERE closed_at IS NULL;
CREATE INDEX shared_list_unsettled ON shared_list (scope) WHERE settled < wanted;

DROP TABLE list_invitation;
CREATE TABLE list_invitation (
  token_hash ${bytes} PRIMARY KEY,
  token_sealed ${bytes} NOT NULL,
  scope ${text} NOT NULL,
  account ${integer} NOT NULL,
  created_at ${integer} NOT NULL,
  expires_at ${integer},
  revoked_at ${integer},
  uses ${integer} NOT NULL DEFAULT 0
)${end};
CREATE UNIQUE INDEX list_invitation_open ON list_invitation (scope) WHERE revoked_at IS NULL;
`;

/** Shared lists, profiles and invitation links. */
export const sharing: Migration = {
  version: 18,
  name: 'sharing',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', 'BLOB', ' STRICT')
        : statements('text COLLATE "C"', 'bigint', 'bytea', ''),
    ),
};
