// Pairings of devices: what a device without the key of its account and one that has it say to each other, for five minutes. And calendars
// of other programs: where an account reads them, and their events.
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

const calendarStatements = (text: string, integer: string, bytes: string, end: string) => `
CREATE TABLE calendar_source (
  id ${text} PRIMARY KEY,
  account ${integer} NOT NULL,
  kind ${text} NOT NULL,
  address ${bytes} NOT NULL,
  host ${text} NOT NULL,
  name ${text} NOT NULL,
  color ${text} NOT NULL,
  hidden ${integer} NOT NULL,
  etag ${text},
  last_modified ${text},
  problem ${text},
  failures ${integer} NOT NULL,
  last_ok ${integer},
  expanded_at ${integer} NOT NULL,
  next_poll ${integer} NOT NULL,
  revision ${integer} NOT NULL,
  created_at ${integer} NOT NULL
)${end};
CREATE INDEX calendar_source_account ON calendar_source (account);
CREATE INDEX calendar_source_next ON calendar_source (next_poll);
CREATE TABLE calendar_event (
  source ${text} NOT NULL,
  digest ${text} NOT NULL,
  account ${integer} NOT NULL,
  start_at ${integer} NOT NULL,
  end_at ${integer} NOT NULL,
  event ${text} NOT NULL,
  PRIMARY KEY (source, digest)
)${end};
CREATE INDEX calendar_event_account ON calendar_event (account, start_at);
`;

/** Calendars that were removed a while ago, those that are read by CalDAV, and what of one could not be read. */
export const calendarCare: Migration = {
  version: 37,
  name: 'calendars with a password, and removed ones',
  up: (target) => {
    const [text, integer] = target.kind === 'sqlite' ? ['TEXT', 'INTEGER'] : ['text COLLATE "C"', 'bigint'];
    return target.run(
      [
        `calendar_source ADD COLUMN trashed_at ${integer}`,
        `calendar_source ADD COLUMN unread ${integer} NOT NULL DEFAULT 0`,
        `calendar_source ADD COLUMN is_cut ${integer} NOT NULL DEFAULT 0`,
        `calendar_source ADD COLUMN sync_token ${text}`,
        `calendar_event ADD COLUMN part ${text} NOT NULL DEFAULT ''`,
      ]
        .map((change) => `ALTER TABLE ${change};`)
        .join('\n'),
    );
  },
};

/** Calendars of other programs, and their events. */
export const calendars: Migration = {
  version: 36,
  name: 'calendars of other programs',
  up: (target) =>
    target.run(
      target.kind === 'sqlite'
        ? calendarStatements('TEXT', 'INTEGER', 'BLOB', ' STRICT, WITHOUT ROWID')
        : calendarStatements('text COLLATE "C"', 'bigint', 'bytea', ''),
    ),
};
