// What several scopes need: where a row went that left its scope, how often it did so, the list that a shared scope is, and
// who was once a member.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, end: string) => `
ALTER TABLE entity ADD COLUMN hops ${integer} NOT NULL DEFAULT 0;

ALTER TABLE tombstone ADD COLUMN moved_to ${text};
ALTER TABLE tombstone ADD COLUMN moved_version ${integer};
ALTER TABLE tombstone ADD COLUMN was_version ${integer};
ALTER TABLE tombstone ADD COLUMN moved_hops ${integer};
CREATE INDEX tombstone_moved ON tombstone (id) WHERE moved_to IS NOT NULL;

ALTER TABLE scope ADD COLUMN root ${text};
ALTER TABLE mail_address ADD COLUMN sealed_in ${text};

CREATE TABLE former_member (
  account ${integer} NOT NULL,
  scope ${text} NOT NULL,
  left_at ${integer} NOT NULL,
  PRIMARY KEY (account, scope)
)${end};
`;

/** Moves between scopes, and memberships that ended. No row is rewritten. */
export const scopes: Migration = {
  version: 16,
  name: 'several scopes',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT, WITHOUT ROWID')
        : statements('text COLLATE "C"', 'bigint', ''),
    ),
};
