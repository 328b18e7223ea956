// Content of saved attachments, on PostgreSQL.
import type { Row } from '#sync/rows/row.ts';
import { claimsOf, CONTENT_LOCK } from '../file-claims.ts';
import type { Session, Statement } from './postgres-connection.ts';

/** In one order for everybody. */
const LOCK = {
  name: 'lock-files',
  text:
    `SELECT pg_advisory_xact_lock(${CONTENT_LOCK}, k.key) FROM ` +
    '(SELECT DISTINCT hashtext(h) AS key FROM unnest($1::text[]) h ORDER BY key) k',
} as const satisfies Statement;

const CLAIM = {
  name: 'claim-files',
  text:
    'INSERT INTO blob (scope, hash, bytes, created_at) SELECT DISTINCT ON (v.scope, v.hash) v.scope, b.hash, b.bytes, v.at ' +
    'FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) v (scope, hash, device, at) ' +
    'JOIN device d ON d.number = v.device JOIN blob b ON b.hash = v.hash ' +
    'WHERE EXISTS (SELECT FROM member m WHERE m.account = d.account AND m.scope = b.scope) ' +
    'OR EXISTS (SELECT FROM file_sender f WHERE f.account = d.account AND f.hash = b.hash) ' +
    'ON CONFLICT (scope, hash) DO UPDATE SET created_at = excluded.created_at',
} as const satisfies Statement;

const WANT = {
  name: 'want-files',
  text:
    'INSERT INTO file_wanted (scope, hash, account, noted_at) SELECT v.scope, v.hash, d.account, v.at ' +
    'FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) v (scope, hash, device, at) ' +
    'JOIN device d ON d.number = v.device ' +
    'WHERE NOT EXISTS (SELECT FROM blob b WHERE b.scope = v.scope AND b.hash = v.hash) ON CONFLICT DO NOTHING',
} as const satisfies Statement;

/** Gives scopes the content of their attachments that the authors of these hold elsewhere, or have sent lately; notes what is to be sent. */
export async function claimFiles(session: Session, rows: readonly Row[]): Promise<void> {
  const claims = claimsOf(rows);
  if (claims.length === 0) return;
  const cells = [
    claims.map(({ scope }) => scope),
    claims.map(({ hash }) => hash),
    claims.map(({ device }) => device),
    claims.map(({ at }) => Math.round(at)),
  ];
  // Content that is sent at this moment finds what is noted here, or is found.
  await session.run(LOCK, cells[1]);
  await session.run(CLAIM, ...cells);
  await session.run(WANT, ...cells);
}
