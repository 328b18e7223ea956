// Moves of large trees between scopes: their root has moved, and the rest follows by a job (moving/mover.ts).
import type { Migration } from '../migration.ts';

// The author is no `account`: the move goes on when theirs is erased (care/erasure.ts). It ends with the scope that is left.
const statements = (text: string, integer: string, end: string) => `
CREATE TABLE transfer (
  id ${text} PRIMARY KEY,
  scope ${text} NOT NULL,
  root ${text} NOT NULL,
  started_at ${integer} NOT NULL,
  author ${integer} NOT NULL,
  author_device ${integer} NOT NULL,
  holder ${text},
  held_until ${integer} NOT NULL,
  held_in ${integer} NOT NULL
)${end};
CREATE INDEX transfer_scope ON transfer (scope);
`;

/** The jobs that take what is left behind after its parents. */
export const transfers: Migration = {
  version: 17,
  name: 'moves of large trees',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', ' STRICT, WITHOUT ROWID')
        : statements('text COLLATE "C"', 'bigint', ''),
    ),
};
