// Data of the public site: promo codes, releases, sign-ups, messages, counts of visits, invitations to lists, and links
// that reset a password.
import type { Migration } from '../migration.ts';

const statements = (text: string, integer: string, bytes: string, end: string) => `
CREATE TABLE promo_code (
  code ${text} PRIMARY KEY,
  partner ${text} NOT NULL,
  discount_percentage ${integer} NOT NULL,
  discount_num_months ${integer} NOT NULL,
  commission_percentage ${integer} NOT NULL,
  created_at ${integer} NOT NULL,
  disabled_at ${integer}
)${end};

CREATE TABLE app_release (
  version ${text} PRIMARY KEY,
  id ${text} NOT NULL UNIQUE,
  notes_markdown ${text} NOT NULL,
  notes_html ${text} NOT NULL,
  made_generally_available_at ${integer},
  created_at ${integer} NOT NULL,
  updated_at ${integer} NOT NULL
)${end};

CREATE TABLE sign_up (
  list ${text} NOT NULL,
  email ${text} NOT NULL,
  token_hash ${bytes} NOT NULL UNIQUE,
  created_at ${integer} NOT NULL,
  confirmed_at ${integer},
  PRIMARY KEY (list, email)
)${end};

CREATE TABLE contact_message (
  id ${text} PRIMARY KEY,
  email ${text} NOT NULL,
  subject ${text} NOT NULL,
  message ${text} NOT NULL,
  created_at ${integer} NOT NULL
)${end};

CREATE TABLE visit_count (
  day ${text} NOT NULL,
  what ${text} NOT NULL,
  ref ${text} NOT NULL,
  count ${integer} NOT NULL,
  PRIMARY KEY (day, what, ref)
)${end};

CREATE TABLE list_invitation (
  token_hash ${bytes} PRIMARY KEY,
  scope ${text} NOT NULL,
  account ${integer} NOT NULL,
  list_name ${text} NOT NULL,
  initials ${text} NOT NULL,
  color ${text} NOT NULL,
  created_at ${integer} NOT NULL,
  expires_at ${integer},
  revoked_at ${integer}
)${end};

CREATE TABLE password_reset (
  account ${integer} PRIMARY KEY,
  token_hash ${bytes} NOT NULL UNIQUE,
  password_stamp ${bytes} NOT NULL,
  expires_at ${integer} NOT NULL
)${end};
`;

const sqlite = statements('TEXT', 'INTEGER', 'BLOB', ' STRICT');
const postgres = statements('text', 'bigint', 'bytea', '').replaceAll(
  /\b(code|version|id|list|email|day|what|ref|scope) text\b/g,
  '$1 text COLLATE "C"',
);

/** The tables of the public site. */
export const publicSite: Migration = {
  version: 9,
  name: 'public site',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};

/** A signed manifest of a version, and how many devices may take it. The files are with the other content. */
const desktopStatements = (text: string, integer: string, end: string) => `
CREATE TABLE desktop_release (
  version ${text} PRIMARY KEY,
  signed ${text} NOT NULL,
  staged_percent ${integer} NOT NULL,
  created_at ${integer} NOT NULL
)${end};
`;

/** The table of desktop releases. */
export const desktopReleases: Migration = {
  version: 35,
  name: 'desktop releases',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? desktopStatements('TEXT', 'INTEGER', ' STRICT')
        : desktopStatements('text COLLATE "C"', 'bigint', ''),
    ),
};
