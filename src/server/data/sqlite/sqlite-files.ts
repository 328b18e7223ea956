// Content of saved attachments, on SQLite.
import type { Row } from '#sync/rows/row.ts';
import { claimsOf } from '../file-claims.ts';
import type { Connection } from './sqlite-connection.ts';

const CLAIM =
  'INSERT INTO blob (scope, hash, bytes, created_at) SELECT ?, b.hash, b.bytes, ? FROM blob b JOIN device d ' +
  'WHERE b.hash = ? AND d.number = ? AND (EXISTS (SELECT 1 FROM member m WHERE m.account = d.account AND m.scope = b.scope) ' +
  'OR EXISTS (SELECT 1 FROM file_sender f WHERE f.account = d.account AND f.hash = b.hash)) LIMIT 1 ' +
  'ON CONFLICT DO UPDATE SET created_at = excluded.created_at';

const WANT =
  'INSERT INTO file_wanted (scope, hash, account, noted_at) SELECT ?, ?, d.account, ? FROM device d WHERE d.number = ? ' +
  'AND NOT EXISTS (SELECT 1 FROM blob b WHERE b.scope = ? AND b.hash = ?) ON CONFLICT DO NOTHING';

/** Gives scopes the content of their attachments that the authors of these hold elsewhere, or have sent lately; notes what is to be sent. */
export function claimFiles(db: Connection, rows: readonly Row[]): void {
  for (const { scope, hash, device, at } of claimsOf(rows)) {
    db.run(CLAIM, scope, at, hash, device);
    db.run(WANT, scope, hash, at, device, scope, hash);
  }
}
