// Content of saved attachments, on SQLite.
import type { Row } from '#sync/rows/row.ts';
import { claimsOf } from '../file-claims.ts';
import type { Connection } from './sqlite-connection.ts';

const CLAIM =
  'INSERT INTO blob (scope, hash, bytes, created_at) SELECT ?, b.hash, b.bytes, ? FROM blob b ' +
  'JOIN member m ON m.scope = b.scope JOIN device d ON d.account = m.account WHERE b.hash = ? AND d.number = ? LIMIT 1 ' +
  'ON CONFLICT DO UPDATE SET created_at = excluded.created_at';

/** Gives scopes the content of their attachments that the authors of these hold elsewhere. */
export function claimFiles(db: Connection, rows: readonly Row[]): void {
  for (const { scope, hash, device, at } of claimsOf(rows)) db.run(CLAIM, scope, at, hash, device);
}
