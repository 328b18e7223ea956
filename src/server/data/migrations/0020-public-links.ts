// Public links: who may look into which list without an account, and what they may do there. Logos lie beside them, so that
// looking up a link reads no picture.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, bytes: string, end: string) => `
CREATE TABLE public_link (
  id ${text} PRIMARY KEY,
  scope ${text} NOT NULL,
  token_hash ${bytes} NOT NULL,
  token_sealed ${bytes} NOT NULL,
  name ${text},
  may ${integer} NOT NULL,
  account ${integer} NOT NULL,
  created_at ${integer} NOT NULL,
  paused_at ${integer},
  deleted_at ${integer},
  visits ${integer} NOT NULL DEFAULT 0,
  changes ${integer} NOT NULL DEFAULT 0,
  visited_at ${integer}
)${end};
CREATE UNIQUE INDEX public_link_token ON public_link (token_hash);
CREATE INDEX public_link_scope ON public_link (scope, created_at);

CREATE TABLE public_logo (
  link ${text} PRIMARY KEY,
  scope ${text} NOT NULL,
  mark ${text} NOT NULL,
  png ${bytes} NOT NULL
)${end};
CREATE INDEX public_logo_scope ON public_logo (scope);
`;

/** Public links and their logos. */
export const publicLinks: Migration = {
  version: 20,
  name: 'public links',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? statements('TEXT', 'INTEGER', 'BLOB', ' STRICT')
        : statements('text COLLATE "C"', 'bigint', 'bytea', ''),
    ),
};

/** Keys of public links of encrypted lists, as JSON, which the server can't open; absent where the list isn't encrypted. */
export const linkKeys: Migration = {
  version: 31,
  name: 'keys of public links',
  up: (target) =>
    target.run(
      `ALTER TABLE public_link ADD COLUMN keys ${target.kind === 'sqlite' ? 'TEXT' : 'text COLLATE "C"'};`,
    ),
};

const feedStatements = (text: string, integer: string, bytes: string, end: string) => `
CREATE TABLE calendar_feed (
  account ${integer} PRIMARY KEY,
  token_hash ${bytes} NOT NULL UNIQUE,
  token_sealed ${bytes} NOT NULL,
  has_blocks ${integer} NOT NULL,
  has_due ${integer} NOT NULL,
  has_names ${integer} NOT NULL,
  has_done ${integer} NOT NULL,
  created_at ${integer} NOT NULL,
  read_at ${integer}
)${end};
CREATE TABLE google_grant (
  account ${integer} PRIMARY KEY,
  refresh ${bytes} NOT NULL,
  access ${bytes} NOT NULL,
  access_until ${integer} NOT NULL,
  is_over ${integer} NOT NULL,
  created_at ${integer} NOT NULL
)${end};
CREATE TABLE google_flow (
  state_hash ${bytes} PRIMARY KEY,
  account ${integer} NOT NULL,
  verifier ${bytes} NOT NULL,
  redirect ${text} NOT NULL,
  created_at ${integer} NOT NULL
)${end};
CREATE TABLE google_sync (
  source ${text} PRIMARY KEY,
  account ${integer} NOT NULL,
  token ${text} NOT NULL
)${end};
`;

/** Secret addresses at which other programs read the plan of an account, and connections to Google. */
export const calendarFeeds: Migration = {
  version: 38,
  name: 'a plan in other calendars',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? feedStatements('TEXT', 'INTEGER', 'BLOB', ' STRICT, WITHOUT ROWID')
        : feedStatements('text COLLATE "C"', 'bigint', 'bytea', ''),
    ),
};

/** The zone in which programs that need one read the times of a feed. */
export const feedZone: Migration = {
  version: 40,
  name: 'zones of calendar feeds',
  up: (target) =>
    target.run(
      `ALTER TABLE calendar_feed ADD COLUMN zone ${target.kind === 'sqlite' ? 'TEXT' : 'text COLLATE "C"'};`,
    ),
};
