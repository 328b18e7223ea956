// The first schema. `(scope, …)` comes first in every key of replicated data, so that a database can be split by scope.
// Order keys and ids compare as bytes: BINARY is SQLite's default, PostgreSQL is told COLLATE "C".
import type { Migration } from '../migration.ts';

const sqlite = `
CREATE TABLE scope (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  owner INTEGER NOT NULL,
  version INTEGER NOT NULL,
  horizon INTEGER NOT NULL,
  digest TEXT NOT NULL,
  generation INTEGER NOT NULL,
  updated_clock INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE scope_generation (
  scope TEXT NOT NULL,
  generation INTEGER NOT NULL,
  max_version INTEGER NOT NULL,
  PRIMARY KEY (scope, generation)
) STRICT, WITHOUT ROWID;

CREATE TABLE generation (
  idx INTEGER PRIMARY KEY,
  nonce TEXT NOT NULL UNIQUE,
  opened_at INTEGER NOT NULL
) STRICT;

CREATE TABLE entity (
  scope TEXT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  version INTEGER NOT NULL,
  parent TEXT,
  key TEXT,
  status TEXT,
  deleted INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  fields TEXT NOT NULL,
  stamp TEXT NOT NULL,
  stamps TEXT,
  PRIMARY KEY (scope, id),
  CONSTRAINT entity_place UNIQUE (scope, parent, key)
) STRICT;
CREATE INDEX entity_version ON entity (scope, version);
CREATE INDEX entity_updated_at ON entity (scope, updated_at);

CREATE TABLE directory (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstone (
  scope TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (scope, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_version ON tombstone (scope, version);

CREATE TABLE member (
  scope TEXT NOT NULL REFERENCES scope (id) ON DELETE CASCADE,
  account INTEGER NOT NULL,
  role TEXT NOT NULL,
  PRIMARY KEY (scope, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_account ON member (account);

CREATE TABLE device (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account INTEGER NOT NULL,
  last_seq INTEGER NOT NULL DEFAULT 0,
  acked_seq INTEGER NOT NULL DEFAULT 0,
  last_stamp INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX device_account ON device (account);

CREATE TABLE op_result (
  device TEXT NOT NULL,
  seq INTEGER NOT NULL,
  operation TEXT NOT NULL,
  verdict TEXT NOT NULL,
  PRIMARY KEY (device, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE history (
  scope TEXT NOT NULL,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  entity TEXT NOT NULL,
  account INTEGER NOT NULL,
  device INTEGER NOT NULL,
  at INTEGER NOT NULL,
  operation TEXT NOT NULL,
  replaced TEXT NOT NULL,
  PRIMARY KEY (scope, version, seq)
) STRICT;
CREATE INDEX history_of_entity ON history (scope, entity, version);
CREATE INDEX history_at ON history (at);

CREATE TABLE history_entity (
  scope TEXT NOT NULL,
  entity TEXT NOT NULL,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (scope, entity, version, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  personal_scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  verified_at INTEGER,
  disabled_at INTEGER,
  deleted_at INTEGER
) STRICT;

CREATE TABLE session (
  id TEXT PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  token_hash BLOB NOT NULL UNIQUE,
  previous_token_hash BLOB UNIQUE,
  rotated_at INTEGER,
  name TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX session_account ON session (account);

CREATE TABLE throttle (
  key TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE security_event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  account INTEGER,
  type TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX security_event_account ON security_event (account, at);
CREATE INDEX security_event_at ON security_event (at);

CREATE TABLE probe (
  id INTEGER PRIMARY KEY,
  count INTEGER NOT NULL
) STRICT;
INSERT INTO probe (id, count) VALUES (1, 0);
`;

// The place constraint is checked at the end of a statement: renumbering permutes keys within one.
const postgres = `
CREATE TABLE scope (
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL,
  owner bigint NOT NULL,
  version bigint NOT NULL,
  horizon bigint NOT NULL,
  digest text NOT NULL,
  generation bigint NOT NULL,
  updated_clock bigint NOT NULL
) WITH (fillfactor = 80);

CREATE TABLE scope_generation (
  scope text COLLATE "C" NOT NULL,
  generation bigint NOT NULL,
  max_version bigint NOT NULL,
  PRIMARY KEY (scope, generation)
);

CREATE TABLE generation (
  idx bigint PRIMARY KEY,
  nonce text NOT NULL UNIQUE,
  opened_at bigint NOT NULL
);

CREATE TABLE entity (
  scope text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  version bigint NOT NULL,
  parent text COLLATE "C",
  key text COLLATE "C",
  status text,
  deleted bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  fields text NOT NULL,
  stamp text NOT NULL,
  stamps text,
  PRIMARY KEY (scope, id),
  CONSTRAINT entity_place UNIQUE (scope, parent, key) DEFERRABLE INITIALLY IMMEDIATE
) WITH (fillfactor = 80);
CREATE INDEX entity_version ON entity (scope, version);
CREATE INDEX entity_updated_at ON entity (scope, updated_at);

CREATE TABLE directory (
  id text COLLATE "C" PRIMARY KEY,
  scope text COLLATE "C" NOT NULL
);

CREATE TABLE tombstone (
  scope text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (scope, id)
);
CREATE INDEX tombstone_version ON tombstone (scope, version);

CREATE TABLE member (
  scope text COLLATE "C" NOT NULL REFERENCES scope (id) ON DELETE CASCADE,
  account bigint NOT NULL,
  role text NOT NULL,
  PRIMARY KEY (scope, account)
);
CREATE INDEX member_account ON member (account);

CREATE TABLE device (
  number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  account bigint NOT NULL,
  last_seq bigint NOT NULL DEFAULT 0,
  acked_seq bigint NOT NULL DEFAULT 0,
  last_stamp bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX device_account ON device (account);

CREATE TABLE op_result (
  device text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  operation text NOT NULL,
  verdict text NOT NULL,
  PRIMARY KEY (device, seq)
);

CREATE TABLE history (
  scope text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  seq bigint NOT NULL,
  entity text COLLATE "C" NOT NULL,
  account bigint NOT NULL,
  device bigint NOT NULL,
  at bigint NOT NULL,
  operation text NOT NULL,
  replaced text NOT NULL,
  PRIMARY KEY (scope, version, seq)
);
CREATE INDEX history_of_entity ON history (scope, entity, version);
CREATE INDEX history_at ON history (at);

CREATE TABLE history_entity (
  scope text COLLATE "C" NOT NULL,
  entity text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (scope, entity, version, seq)
);

CREATE TABLE account (
  id bigint PRIMARY KEY,
  email text COLLATE "C" NOT NULL UNIQUE,
  password_hash text NOT NULL,
  personal_scope text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  verified_at bigint,
  disabled_at bigint,
  deleted_at bigint
);

CREATE TABLE session (
  id text COLLATE "C" PRIMARY KEY,
  account bigint NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  kind text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  previous_token_hash bytea UNIQUE,
  rotated_at bigint,
  name text NOT NULL,
  user_agent text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint
);
CREATE INDEX session_account ON session (account);

CREATE TABLE throttle (
  key text COLLATE "C" PRIMARY KEY,
  state text NOT NULL,
  updated_at bigint NOT NULL
);

CREATE TABLE security_event (
  id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  account bigint,
  type text NOT NULL,
  detail text NOT NULL
);
CREATE INDEX security_event_account ON security_event (account, at);
CREATE INDEX security_event_at ON security_event (at);

CREATE TABLE probe (
  id bigint PRIMARY KEY,
  count bigint NOT NULL
);
INSERT INTO probe (id, count) VALUES (1, 0);
`;

/** Replication, history and accounts. */
export const base: Migration = {
  version: 1,
  name: 'base',
  up: (target) => target.run(target.kind === 'sqlite' ? sqlite : postgres),
};
