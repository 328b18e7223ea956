// The statements of the write path on PostgreSQL, by name: prepared once per connection.
import type { Statement } from './postgres-connection.ts';
import { NOTICE_PACE_MS } from '../notice-pace.ts';
import { scopeColumns, tombstoneColumns } from '../record-columns.ts';
import { rowColumns } from '../row-columns.ts';

const COLUMNS = rowColumns.join(', ');
const OF_ENTITY = rowColumns.map((column) => `e.${column}`).join(', ');
const NUMBERS: ReadonlySet<string> = new Set(['version', 'deleted', 'created_at', 'updated_at', 'hops']);

/**
 * The row `e` of an id `w`, or the one after it: only the index that has nothing but scope and id is in that order. Of a young table PostgreSQL
 * would take another one, and look for the id among all rows of the scope.
 */
const ROW_OF_WALK =
  'LATERAL (SELECT x.* FROM entity x WHERE (x.scope, x.id) >= (w.scope, w.id) ORDER BY x.scope, x.id LIMIT 1) e';

const ENTER = 'INSERT INTO directory (id, scope) SELECT v.id, v.scope FROM';
const IN_ORDER =
  'WHERE NOT EXISTS (SELECT 1 FROM directory d WHERE d.id = v.id AND d.scope = v.scope) ORDER BY v.id ' +
  'ON CONFLICT (id) DO NOTHING';

function siblingStatement(name: string, comparison: '>' | '<', order: 'ASC' | 'DESC'): Statement {
  return {
    name,
    text:
      'SELECT q.n, s.id, s.key, s.version FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) ' +
      'WITH ORDINALITY AS q (scope, parent, bound, size, n) CROSS JOIN LATERAL (' +
      `SELECT id, key, version FROM entity e WHERE e.scope = q.scope AND e.parent = q.parent AND e.key ${comparison} q.bound COLLATE "C" ` +
      `ORDER BY e.key ${order} LIMIT q.size) s ORDER BY q.n, s.key ${order}`,
  };
}

/** Most take a whole batch as one array per column. */
export const SQL = {
  lockScopes: {
    name: 'lock-scopes',
    text: `SELECT ${scopeColumns} FROM scope WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE`,
  },
  makeDevices: {
    name: 'make-devices',
    text:
      'INSERT INTO device (id, account) SELECT v.id, v.account FROM unnest($1::text[], $2::bigint[]) v (id, account) ' +
      'WHERE NOT EXISTS (SELECT 1 FROM device d WHERE d.id = v.id) ORDER BY v.id ON CONFLICT (id) DO NOTHING',
  },
  lockDevices: {
    name: 'lock-devices',
    text:
      'SELECT id, number, account, last_seq, acked_seq, last_stamp FROM device WHERE id = ANY($1::text[]) ' +
      'ORDER BY id FOR UPDATE',
  },
  results: {
    name: 'results',
    text: 'SELECT seq, operation, verdict FROM op_result WHERE device = $1 AND seq = ANY($2::bigint[]) ORDER BY seq',
  },
  /** The plan is made without knowing how few ids there are: without `LATERAL` and `LIMIT` it would read whole tables for them. */
  load: {
    name: 'load',
    text:
      'WITH RECURSIVE walk (scope, id, climbs) AS (' +
      'SELECT v.scope COLLATE "C", v.id COLLATE "C", v.climbs FROM unnest($1::text[], $2::text[], $3::boolean[]) v (scope, id, climbs) UNION ' +
      `SELECT e.scope, e.parent, true FROM walk w CROSS JOIN ${ROW_OF_WALK} ` +
      'WHERE w.climbs AND e.scope = w.scope AND e.id = w.id AND e.parent IS NOT NULL) ' +
      `SELECT w.scope, w.id, d.scope, ${OF_ENTITY} ` +
      `FROM (SELECT DISTINCT scope, id FROM walk) w LEFT JOIN ${ROW_OF_WALK} ON e.scope = w.scope AND e.id = w.id ` +
      'LEFT JOIN LATERAL (SELECT x.scope FROM directory x WHERE x.id = w.id LIMIT 1) d ON true',
  },
  noteEpochs: {
    name: 'note-epochs',
    text:
      'SELECT e.scope, e.note, e.seed, e.state, e.text, e.at FROM note_epoch e ' +
      'JOIN unnest($1::text[], $2::text[], $3::text[]) v (scope, note, seed) ' +
      'ON e.scope = v.scope AND e.note = v.note AND e.seed = v.seed',
  },
  saveNoteEpochs: {
    name: 'save-note-epochs',
    text:
      'INSERT INTO note_epoch AS n (scope, note, seed, state, text, at) ' +
      'SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[]) ' +
      'ON CONFLICT (scope, note, seed) DO UPDATE SET at = excluded.at, state = coalesce(excluded.state, n.state), ' +
      'text = CASE WHEN excluded.state IS NULL THEN n.text ELSE excluded.text END',
  },
  eraseNoteEpochs: {
    name: 'erase-note-epochs',
    text: 'DELETE FROM note_epoch n USING unnest($1::text[], $2::text[]) v (scope, id) WHERE n.scope = v.scope AND n.note = v.id',
  },
  siblingsDown: siblingStatement('siblings-down', '>', 'ASC'),
  siblingsUp: siblingStatement('siblings-up', '<', 'DESC'),
  saveScopes: {
    name: 'save-scopes',
    text:
      'UPDATE scope s SET kind = v.kind, owner = v.owner, version = v.version, horizon = v.horizon, digest = v.digest, ' +
      'generation = v.generation, updated_clock = v.updated_clock, healing_until = v.healing_until ' +
      'FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[], ' +
      '$8::bigint[], $9::bigint[]) ' +
      'v (id, kind, owner, version, horizon, digest, generation, updated_clock, healing_until) WHERE s.id = v.id',
  },
  raiseMinSchema: {
    name: 'raise-min-schema',
    text: 'UPDATE scope SET min_schema = greatest(min_schema, $2::bigint) WHERE id = $1',
  },
  saveGenerations: {
    name: 'save-generations',
    text:
      'INSERT INTO scope_generation AS g (scope, generation, max_version) ' +
      'SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]) ON CONFLICT (scope, generation) ' +
      'DO UPDATE SET max_version = greatest(g.max_version, excluded.max_version)',
  },
  removeRows: {
    name: 'remove-rows',
    text: 'DELETE FROM entity e USING unnest($1::text[], $2::text[]) v (scope, id) WHERE e.scope = v.scope AND e.id = v.id',
  },
  saveTombstones: {
    name: 'save-tombstones',
    text:
      'INSERT INTO tombstone (scope, id, version, at) ' +
      'SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) ' +
      'ON CONFLICT (scope, id) DO UPDATE SET version = excluded.version, at = excluded.at',
  },
  whereabouts: { name: 'whereabouts', text: 'SELECT id, scope FROM directory WHERE id = ANY($1::text[])' },
  moves: {
    name: 'moves',
    text:
      `SELECT ${tombstoneColumns.replaceAll(/\w+/g, 't.$&')} FROM tombstone t ` +
      'JOIN unnest($1::text[], $2::text[]) v (scope, id) ON t.scope = v.scope AND t.id = v.id WHERE t.moved_to IS NOT NULL',
  },
  tree: {
    name: 'tree',
    text:
      'WITH RECURSIVE walk (id) AS (SELECT $2::text COLLATE "C" UNION ' +
      'SELECT e.id FROM walk w JOIN entity e ON e.scope = $1 AND e.parent = w.id), ' +
      'beneath AS (SELECT id FROM walk LIMIT $3) ' +
      `SELECT ${OF_ENTITY} FROM beneath b JOIN entity e ON e.scope = $1 AND e.id = b.id UNION ALL ` +
      `SELECT ${OF_ENTITY} FROM beneath b JOIN entity e ON e.scope = $1 AND e.about = b.id AND e.type = 'completion' LIMIT $3`,
  },
  saveDepartures: {
    name: 'save-departures',
    text:
      'INSERT INTO tombstone (id, version, scope, at, moved_to, moved_hops, was_version, moved_version) ' +
      'SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], ' +
      '$8::bigint[]) ON CONFLICT (scope, id) DO UPDATE SET version = excluded.version, at = excluded.at, ' +
      'moved_to = excluded.moved_to, moved_hops = excluded.moved_hops, was_version = excluded.was_version, ' +
      'moved_version = excluded.moved_version',
  },
  moveAllInDirectory: {
    name: 'move-all-in-directory',
    text: 'UPDATE directory SET scope = $1 WHERE id = ANY($2::text[])',
  },
  replaceNoteEpochs: {
    name: 'replace-note-epochs',
    text:
      'DELETE FROM note_epoch n USING note_epoch o WHERE n.scope = $1 AND o.scope = $2 AND o.note = ANY($3::text[]) ' +
      'AND n.note = o.note AND n.seed = o.seed',
  },
  moveNoteEpochs: {
    name: 'move-note-epochs',
    text: 'UPDATE note_epoch SET scope = $1 WHERE scope = $2 AND note = ANY($3::text[])',
  },
  moveMailAddresses: {
    name: 'move-mail-addresses',
    text:
      'UPDATE mail_address SET scope = $1, sealed_in = coalesce(sealed_in, scope) ' +
      'WHERE scope = $2 AND list = ANY($3::text[])',
  },
  copyBlobs: {
    name: 'copy-blobs',
    text:
      'INSERT INTO blob (scope, hash, bytes, created_at) SELECT $1, hash, bytes, $4::bigint FROM blob ' +
      'WHERE scope = $2 AND hash = ANY($3::text[]) ON CONFLICT (scope, hash) DO UPDATE SET created_at = excluded.created_at',
  },
  leftBefore: {
    name: 'left-before',
    text: 'SELECT scope, id FROM tombstone WHERE id = ANY($1::text[]) AND moved_to IS NOT NULL',
  },
  markHeld: {
    name: 'mark-held',
    text:
      'INSERT INTO reminder_due AS r (scope, task, next_at, revision) ' +
      'SELECT v.scope, v.task, 0, 1 FROM unnest($1::text[], $2::text[]) v (scope, task) ORDER BY 1, 2 ' +
      'ON CONFLICT (scope, task) DO UPDATE SET next_at = 0, revision = r.revision + 1',
  },
  markTasks: {
    name: 'mark-tasks',
    text: 'UPDATE reminder_due SET next_at = 0, revision = revision + 1 WHERE task = ANY($1::text[])',
  },
  markScopes: {
    name: 'mark-scopes',
    text: 'UPDATE reminder_due SET next_at = 0, revision = revision + 1 WHERE scope = ANY($1::text[])',
  },
  markTold: {
    name: 'mark-told',
    text:
      'INSERT INTO push_notice AS n (account, task, kind, comment, author, next_at, told_at) ' +
      'SELECT v.account, v.task, v.kind, v.comment, v.author, 0, 0 ' +
      'FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[]) v (account, task, kind, comment, author) ' +
      'ON CONFLICT (account, task) DO UPDATE SET kind = excluded.kind, comment = excluded.comment, ' +
      `author = excluded.author, next_at = n.told_at + ${NOTICE_PACE_MS}`,
  },
  /** Enters new rows into the directory, and returns those of them whose id it held before. */
  saveRows: {
    name: 'save-rows',
    text:
      `WITH saved AS (INSERT INTO entity (${COLUMNS}) SELECT * FROM unnest(` +
      rowColumns
        .map((column, index) => `$${index + 1}::${NUMBERS.has(column) ? 'bigint' : 'text'}[]`)
        .join(', ') +
      ') ON CONFLICT (scope, id) DO UPDATE SET ' +
      rowColumns
        .slice(2)
        .map((column) => `${column} = excluded.${column}`)
        .join(', ') +
      // xmax is 0 for a row version that no transaction has replaced or locked: the row was just inserted.
      ' RETURNING scope, id, xmax = 0 AS is_new), entered AS (' +
      `${ENTER} (SELECT scope, id FROM saved WHERE is_new) v ${IN_ORDER} RETURNING id) ` +
      'SELECT scope, id FROM saved WHERE is_new AND id NOT IN (SELECT id FROM entered)',
  },
  enterDirectory: {
    name: 'enter-directory',
    text: `${ENTER} unnest($1::text[], $2::text[]) v (scope, id) ${IN_ORDER}`,
  },
  findForeign: {
    name: 'find-foreign',
    text:
      'SELECT v.scope, v.id, e.id IS NOT NULL FROM unnest($1::text[], $2::text[]) v (scope, id) ' +
      'JOIN directory d ON d.id = v.id AND d.scope <> v.scope ' +
      'LEFT JOIN entity e ON e.scope = d.scope AND e.id = d.id',
  },
  moveInDirectory: { name: 'move-in-directory', text: 'UPDATE directory SET scope = $1 WHERE id = $2' },
  reviveTombstones: {
    name: 'revive-tombstones',
    text: 'DELETE FROM tombstone t USING unnest($1::text[], $2::text[]) v (scope, id) WHERE t.scope = v.scope AND t.id = v.id',
  },
  saveDevices: {
    name: 'save-devices',
    text:
      'UPDATE device d SET last_seq = v.last_seq, acked_seq = v.acked_seq, last_stamp = v.last_stamp ' +
      'FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) v (id, last_seq, acked_seq, last_stamp) ' +
      'WHERE d.id = v.id',
  },
  saveResults: {
    name: 'save-results',
    text:
      'INSERT INTO op_result (device, seq, operation, verdict) ' +
      'SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) ON CONFLICT (device, seq) ' +
      'DO UPDATE SET operation = excluded.operation, verdict = excluded.verdict',
  },
  forgetResults: {
    name: 'forget-results',
    text:
      'DELETE FROM op_result r USING unnest($1::text[], $2::bigint[], $3::bigint[]) v (device, after, up_to) ' +
      'WHERE r.device = v.device AND r.seq > v.after AND r.seq <= v.up_to',
  },
  saveHistory: {
    name: 'save-history',
    text:
      'INSERT INTO history (scope, version, seq, entity, account, device, at, operation, replaced) ' +
      'SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], ' +
      '$8::text[], $9::text[])',
  },
  parked: {
    name: 'parked',
    text:
      'SELECT p.number, p.scope, p.target, p.account, p.device, p.at, p.until, p.operation, m.role FROM parked p ' +
      'LEFT JOIN member m ON m.scope = p.scope AND m.account = p.account WHERE p.scope = $1 ORDER BY p.number',
  },
  role: { name: 'role', text: 'SELECT role FROM member WHERE scope = $1 AND account = $2' },
  park: {
    name: 'park',
    text:
      'INSERT INTO parked (scope, target, account, device, at, until, operation) SELECT scope, target, account, device, ' +
      'at, until, operation FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], ' +
      '$7::text[]) WITH ORDINALITY v (scope, target, account, device, at, until, operation, n) ORDER BY n',
  },
  unpark: { name: 'unpark', text: 'DELETE FROM parked WHERE number = ANY($1::bigint[])' },
  saveTouched: {
    name: 'save-touched',
    text:
      'INSERT INTO history_entity (scope, entity, version, seq) ' +
      'SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])',
  },
} as const satisfies Record<string, Statement>;
