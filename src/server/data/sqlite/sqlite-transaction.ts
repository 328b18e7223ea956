// The write path's transaction on SQLite: prepared statements on the one writer. Begin, commit and rollback are up to the
// connection, permissions to the callers.
import { assert, must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { Verdict } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import { HistorySequence, historyCells, touchedBeside } from '../history-columns.ts';
import {
  cellsToDevice,
  cellsToMoved,
  cellsToNoteEpoch,
  cellsToParked,
  cellToRole,
  cellsToScope,
  departuresByWay,
  scopeColumns,
  tombstoneColumns,
} from '../record-columns.ts';
import { cellsToRow, rowColumns, rowToCells } from '../row-columns.ts';
import {
  endTransfer,
  readBeneath,
  readHeight,
  readLiving,
  readParents,
  readTaken,
  readTransfer,
  readTransfers,
  saveDepartures,
  saveTransfer,
} from './sqlite-transfers.ts';
import { claimFiles } from './sqlite-files.ts';
import { eraseHistory } from './sqlite-history.ts';
import { readLabelTwins, saveLabelTwin } from './sqlite-labels.ts';
import { saveMarks } from './sqlite-reminders.ts';
import { forgetBefore, readMerging, readSealing, readSince, saveSealing } from './sqlite-sealing.ts';
import { isUniqueViolation, type Connection } from './sqlite-connection.ts';
import type {
  DeviceRecord,
  LabelTwin,
  Lookup,
  MovedAway,
  NoteEpochRecord,
  ParkedOperation,
  ReadAnswer,
  ReadSet,
  Saved,
  ScopeRecord,
  SealingRecord,
  Sibling,
  SiblingQuery,
  StoredResult,
  TakenPlace,
  TransferRecord,
  WriteBatch,
  WriteTransaction,
} from '../store.ts';

const COLUMNS = rowColumns.join(', ');
/** Greater than every key, which are base 62. */
const AFTER_EVERY_KEY = '\u{10FFFF}';

export const SQL = {
  scope: `SELECT ${scopeColumns} FROM scope WHERE id = ?`,
  scopes: `SELECT ${scopeColumns} FROM scope WHERE id IN (SELECT value FROM json_each(?))`,
  row: `SELECT ${COLUMNS} FROM entity WHERE scope = ? AND id = ?`,
  noteEpoch:
    'SELECT scope, note, seed, state, text, at FROM note_epoch WHERE scope = ? AND note = ? AND seed = ?',
  parked:
    'SELECT p.number, p.scope, p.target, p.account, p.device, p.at, p.until, p.operation, m.role FROM parked p ' +
    'LEFT JOIN member m ON m.scope = p.scope AND m.account = p.account WHERE p.scope = ? ORDER BY p.number',
  role: 'SELECT role FROM member WHERE scope = ? AND account = ?',
  moved: `SELECT ${tombstoneColumns} FROM tombstone WHERE scope = ? AND id = ?`,
  tree:
    'WITH RECURSIVE beneath (id) AS (SELECT ?2 UNION ' +
    'SELECT e.id FROM beneath b CROSS JOIN entity e ON e.scope = ?1 AND e.parent = b.id LIMIT ?3) ' +
    `SELECT ${COLUMNS} FROM (SELECT id AS one FROM beneath) CROSS JOIN entity e ON e.scope = ?1 AND e.id = one UNION ALL ` +
    `SELECT ${COLUMNS} FROM (SELECT id AS one FROM beneath) CROSS JOIN entity e ON e.scope = ?1 AND e.about = one ` +
    "WHERE e.type = 'completion' LIMIT ?3",
} as const;

const UPDATE_ROW = `UPDATE entity SET ${rowColumns
  .slice(2)
  .map((column) => `${column} = ?`)
  .join(', ')} WHERE scope = ? AND id = ?`;
const INSERT_ROW = `INSERT INTO entity (${COLUMNS}) VALUES (${rowColumns.map(() => '?').join(', ')})`;
const SAVE_ARRIVAL = `${INSERT_ROW} ON CONFLICT (scope, id) DO UPDATE SET ${rowColumns
  .slice(2)
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}`;

function readSiblings(db: Connection, query: SiblingQuery): readonly Sibling[] {
  const { scope, parent, from, direction, limit } = query;
  const cells =
    direction === 'ascending'
      ? db.all(
          'SELECT id, key, version FROM entity WHERE scope = ? AND parent = ? AND key > ? ORDER BY key LIMIT ?',
          scope,
          parent,
          from ?? '',
          limit,
        )
      : db.all(
          'SELECT id, key, version FROM entity WHERE scope = ? AND parent = ? AND key < ? ORDER BY key DESC LIMIT ?',
          scope,
          parent,
          from ?? AFTER_EVERY_KEY,
          limit,
        );
  return cells.map(([id, key, version]) => ({
    id: id as Id,
    key: key as string,
    version: version as number,
  }));
}

function lookUp(db: Connection, scope: Id, id: Id): { readonly lookup: Lookup; readonly parent: Id | null } {
  const cells = db.get(SQL.row, scope, id);
  if (cells) return { lookup: { type: 'row', row: cellsToRow(cells) }, parent: cells[4] as Id | null };
  const held = db.get('SELECT scope FROM directory WHERE id = ?', id)?.[0] as Id | undefined;
  if (held === undefined) return { lookup: { type: 'unknown' }, parent: null };
  return {
    lookup: held === scope ? { type: 'tombstone' } : { type: 'elsewhere', scope: held },
    parent: null,
  };
}

export function readSet(db: Connection, want: ReadSet): ReadAnswer {
  const rows = new Map<Id, Lookup>();
  // Parents already read in this call: many operations of a group share their ancestors.
  const parents = new Map<string, Id | null>();
  const read = (scope: Id, id: Id): Id | null => {
    const place = `${scope}${id}`;
    const known = parents.get(place);
    if (known !== undefined) return known;
    const { lookup, parent } = lookUp(db, scope, id);
    parents.set(place, parent);
    // The same id requested in two scopes: the row itself says more than its location.
    if (lookup.type === 'row' || rows.get(id)?.type !== 'row') rows.set(id, lookup);
    return parent;
  };
  for (const { scope, id } of want.rows) read(scope, id);
  for (const { scope, id } of want.ancestors) {
    const walked = new Set<Id>();
    let next: Id | null = id;
    while (next !== null && !walked.has(next)) {
      walked.add(next);
      next = read(scope, next);
    }
  }
  const siblings = want.siblings.map((query) => readSiblings(db, query));
  if (want.noteEpochs === undefined) return { rows, siblings };
  const noteEpochs = want.noteEpochs.flatMap(({ scope, note, seed }) => {
    const cells = db.get(SQL.noteEpoch, scope, note, seed);
    return cells ? [cellsToNoteEpoch(cells)] : [];
  });
  return { rows, siblings, noteEpochs };
}

export class SqliteTransaction implements WriteTransaction {
  readonly #db: Connection;
  readonly #locked = new Set<Id>();
  readonly #sequence = new HistorySequence();
  #isOver = false;
  #failure: Error | null = null;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Ends the use of this object. Throws if a call failed: half a batch must not be committed. */
  finish(): void {
    this.#isOver = true;
    if (this.#failure !== null) throw this.#failure;
  }

  // The one writer holds the whole database, so reading a scope here locks it.
  lockScopes(ids: readonly Id[]): Promise<ReadonlyMap<Id, ScopeRecord>> {
    return this.#step(() => {
      const found = new Map<Id, ScopeRecord>();
      for (const id of ids.toSorted()) {
        const cells = this.#db.get(SQL.scope, id);
        if (!cells) continue;
        found.set(id, cellsToScope(cells));
        this.#locked.add(id);
      }
      return found;
    });
  }

  devices(
    wanted: readonly { readonly id: Id; readonly account: number }[],
  ): Promise<ReadonlyMap<Id, DeviceRecord>> {
    return this.#step(() => {
      const select = 'SELECT id, number, account, last_seq, acked_seq, last_stamp FROM device WHERE id = ?';
      const found = new Map<Id, DeviceRecord>();
      for (const { id, account } of wanted) {
        let cells = this.#db.get(select, id);
        if (cells === undefined) {
          this.#db.run('INSERT INTO device (id, account) VALUES (?, ?)', id, account);
          cells = this.#db.get(select, id);
        }
        found.set(id, cellsToDevice(must(cells, 'a device that was just made is there')));
      }
      return found;
    });
  }

  results(device: Id, seqs: readonly number[]): Promise<readonly StoredResult[]> {
    return this.#step(() => {
      const found: StoredResult[] = [];
      for (const seq of seqs) {
        const cells = this.#db.get(
          'SELECT operation, verdict FROM op_result WHERE device = ? AND seq = ?',
          device,
          seq,
        );
        if (cells) found.push({ device, seq, operation: cells[0] as Id, verdict: cells[1] as Verdict });
      }
      return found;
    });
  }

  load(want: ReadSet): Promise<ReadAnswer> {
    return this.#step(() => readSet(this.#db, want));
  }

  whereabouts(ids: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
    return this.#step(() => {
      const found = new Map<Id, Id>();
      for (const id of ids) {
        const held = this.#db.get('SELECT scope FROM directory WHERE id = ?', id)?.[0];
        if (held !== undefined) found.set(id, held as Id);
      }
      return found;
    });
  }

  living(ids: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
    return this.#step(() => readLiving(this.#db, ids));
  }

  moves(places: readonly { readonly scope: Id; readonly id: Id }[]): Promise<readonly MovedAway[]> {
    return this.#step(() =>
      places.flatMap(({ scope, id }) => {
        const cells = this.#db.get(SQL.moved, scope, id);
        return (cells && cellsToMoved(cells)) ?? [];
      }),
    );
  }

  tree(scope: Id, id: Id, limit: number): Promise<readonly Row[]> {
    return this.#step(() => this.#db.all(SQL.tree, scope, id, limit + 1).map(cellsToRow));
  }

  beneath(scope: Id, ids: readonly Id[], limit: number): Promise<readonly Row[]> {
    return this.#step(() => readBeneath(this.#db, scope, ids, limit));
  }

  parentsAmong(scope: Id, ids: readonly Id[]): Promise<readonly Id[]> {
    return this.#step(() => readParents(this.#db, scope, ids));
  }

  height(scope: Id, id: Id): Promise<number> {
    return this.#step(() => readHeight(this.#db, scope, id));
  }

  taken(scope: Id, places: readonly TakenPlace[]): Promise<readonly TakenPlace[]> {
    return this.#step(() => readTaken(this.#db, scope, places));
  }

  transfers(): Promise<readonly TransferRecord[]> {
    return this.#step(() => readTransfers(this.#db));
  }

  transfer(id: Id): Promise<TransferRecord | null> {
    return this.#step(() => readTransfer(this.#db, id));
  }

  endTransfer(id: Id): Promise<void> {
    return this.#step(() => endTransfer(this.#db, id));
  }

  labelTwins(account: number, labels: readonly Id[]): Promise<readonly LabelTwin[]> {
    return this.#step(() => readLabelTwins(this.#db, account, labels));
  }

  parked(scope: Id): Promise<readonly ParkedOperation[]> {
    return this.#step(() => this.#db.all(SQL.parked, scope).map(cellsToParked));
  }

  roleIn(scope: Id, account: number): Promise<ParkedOperation['role']> {
    return this.#step(() => cellToRole(this.#db.get(SQL.role, scope, account)?.[0]));
  }

  raiseMinSchema(scope: Id, version: number): Promise<void> {
    return this.#step(() => {
      assert(this.#locked.has(scope), 'a scope is locked before it is written');
      this.#db.run('UPDATE scope SET min_schema = max(min_schema, ?) WHERE id = ?', version, scope);
    });
  }

  sealing(scope: Id): Promise<SealingRecord> {
    return this.#step(() => readSealing(this.#db, scope));
  }

  saveSealing(scope: Id, record: SealingRecord): Promise<void> {
    return this.#step(() => {
      assert(this.#locked.has(scope), 'a scope is locked before it is written');
      saveSealing(this.#db, scope, record);
    });
  }

  rowsSince(scope: Id, version: number, limit: number): Promise<readonly Row[]> {
    return this.#step(() => readSince(this.#db, scope, version, limit));
  }

  mergingNotes(scope: Id): Promise<readonly Row[]> {
    return this.#step(() => readMerging(this.#db, scope));
  }

  forgetBefore(scope: Id): Promise<void> {
    return this.#step(() => {
      assert(this.#locked.has(scope), 'a scope is locked before it is written');
      forgetBefore(this.#db, scope);
    });
  }

  save(batch: WriteBatch): Promise<Saved> {
    return this.#step(() => {
      this.#saveScopes(batch);
      this.#saveTombstones(batch);
      for (const way of departuresByWay(batch.departures ?? [])) saveDepartures(this.#db, way);
      this.#saveRows(batch);
      this.#saveDevices(batch);
      claimFiles(this.#db, batch.rows);
      this.#saveHistory(batch);
      this.#saveNoteEpochs(batch.noteEpochs ?? []);
      this.#saveParked(batch);
      for (const transfer of batch.transfers ?? []) saveTransfer(this.#db, transfer);
      for (const twin of batch.labelTwins ?? []) saveLabelTwin(this.#db, twin);
      return { isReminding: saveMarks(this.#db, batch.reminding) > 0 };
    });
  }

  #step<T>(work: () => T): Promise<T> {
    if (this.#isOver) return Promise.reject(new Error('This transaction has ended.'));
    try {
      return Promise.resolve(work());
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
      return Promise.reject(error);
    }
  }

  #saveScopes(batch: WriteBatch): void {
    for (const scope of batch.scopes) {
      assert(this.#locked.has(scope.id), 'a scope is locked before it is written');
      this.#db.run(
        'UPDATE scope SET kind = ?, owner = ?, version = ?, horizon = ?, digest = ?, generation = ?, updated_clock = ?, healing_until = ? WHERE id = ?',
        scope.kind,
        scope.owner,
        scope.version,
        scope.horizon,
        scope.digest,
        scope.generation,
        scope.updatedClock,
        scope.healingUntil,
        scope.id,
      );
    }
    for (const { scope, generation, maxVersion } of batch.scopeGenerations) {
      this.#db.run(
        'INSERT INTO scope_generation (scope, generation, max_version) VALUES (?, ?, ?) ' +
          'ON CONFLICT DO UPDATE SET max_version = max(max_version, excluded.max_version)',
        scope,
        generation,
        maxVersion,
      );
    }
  }

  #saveTombstones(batch: WriteBatch): void {
    for (const { scope, id, version, at = 0 } of batch.tombstones) {
      this.#db.run('DELETE FROM entity WHERE scope = ? AND id = ?', scope, id);
      this.#db.run(
        'INSERT INTO tombstone (scope, id, version, at) VALUES (?, ?, ?, ?) ' +
          'ON CONFLICT DO UPDATE SET version = excluded.version, at = excluded.at',
        scope,
        id,
        version,
        at,
      );
      // An id that lives in another scope by now stays there.
      this.#db.run('INSERT INTO directory (id, scope) VALUES (?, ?) ON CONFLICT DO NOTHING', id, scope);
      this.#db.run('DELETE FROM note_epoch WHERE scope = ? AND note = ?', scope, id);
      this.#db.run('UPDATE reminder_due SET next_at = 0, revision = revision + 1 WHERE task = ?', id);
      eraseHistory(this.#db, scope, id);
      // What scopes keep that it once left goes with it.
      const left = this.#db.all('SELECT scope FROM tombstone WHERE id = ? AND moved_to IS NOT NULL', id);
      for (const [once] of left) eraseHistory(this.#db, once as Id, id);
    }
  }

  #saveRows({ rows, departures = [] }: WriteBatch): void {
    const arrivals = new Map(departures.map(({ id, to }) => [id, to]));
    const hasArrived = (row: Row) => arrivals.get(row.id) === row.scope;
    // A row that has left another scope in this batch, and is in the directory. It may have begun here, in the same batch or before.
    const save = (row: Row) => {
      if (hasArrived(row)) this.#db.run(SAVE_ARRIVAL, ...rowToCells(row));
      else this.#saveRow(row);
    };
    let areParked = false;
    rows.forEach((row, index) => {
      try {
        save(row);
      } catch (error) {
        // Renumbering permutes keys: move the rest of the batch out of the way once, then a clash is a real one.
        if (areParked || !isUniqueViolation(error)) throw error;
        areParked = true;
        for (const { scope, id } of rows.slice(index)) {
          this.#db.run('UPDATE entity SET parent = NULL, key = NULL WHERE scope = ? AND id = ?', scope, id);
        }
        save(row);
      }
    });
    for (const [scope, came] of Map.groupBy(rows.filter(hasArrived), (row) => row.scope))
      this.#db.run(
        'DELETE FROM tombstone WHERE scope = ? AND id IN (SELECT value FROM json_each(?))',
        scope,
        JSON.stringify(came.map(({ id }) => id)),
      );
  }

  // Most writes are edits, and an edit is one statement.
  #saveRow(row: Row): void {
    const [scope, id, ...rest] = rowToCells(row);
    if (this.#db.run(UPDATE_ROW, ...rest, scope, id) > 0) return;
    this.#db.run(INSERT_ROW, scope, id, ...rest);
    if (this.#db.run('INSERT INTO directory (id, scope) VALUES (?, ?) ON CONFLICT DO NOTHING', id, scope) > 0)
      return;
    // The id was known: it was purged and lives again, or it moved here from another scope.
    const held = must(
      this.#db.get('SELECT scope FROM directory WHERE id = ?', id)?.[0],
      'a known id has a scope',
    );
    this.#db.run('DELETE FROM tombstone WHERE scope = ? AND id = ?', scope, id);
    if (held === scope) return;
    assert(
      !this.#db.get('SELECT 1 FROM entity WHERE scope = ? AND id = ?', held, id),
      'an id lives in one scope',
    );
    this.#db.run('UPDATE directory SET scope = ? WHERE id = ?', scope, id);
  }

  #saveDevices(batch: WriteBatch): void {
    for (const device of batch.devices) {
      this.#db.run(
        'UPDATE device SET last_seq = ?, acked_seq = ?, last_stamp = ? WHERE id = ?',
        device.lastSeq,
        device.ackedSeq,
        device.lastStamp,
        device.id,
      );
    }
    for (const { device, seq, operation, verdict } of batch.results) {
      this.#db.run(
        'INSERT INTO op_result (device, seq, operation, verdict) VALUES (?, ?, ?, ?) ' +
          'ON CONFLICT DO UPDATE SET operation = excluded.operation, verdict = excluded.verdict',
        device,
        seq,
        operation,
        verdict,
      );
    }
    for (const { device, afterSeq, upToSeq } of batch.forgetResults) {
      const those = 'device = ? AND seq > ? AND seq <= ?';
      this.#db.run(`DELETE FROM op_result WHERE ${those}`, device, afterSeq, upToSeq);
    }
  }

  #saveNoteEpochs(epochs: readonly NoteEpochRecord[]): void {
    for (const { scope, note, seed, state, text, at } of epochs) {
      this.#db.run(
        'INSERT INTO note_epoch (scope, note, seed, state, text, at) VALUES (?, ?, ?, ?, ?, ?) ' +
          'ON CONFLICT DO UPDATE SET at = excluded.at, state = coalesce(excluded.state, state), ' +
          'text = CASE WHEN excluded.state IS NULL THEN text ELSE excluded.text END',
        scope,
        note,
        seed,
        state,
        text,
        at,
      );
    }
  }

  #saveHistory(batch: WriteBatch): void {
    for (const entry of batch.history) {
      const seq = this.#sequence.next(entry);
      this.#db.run(
        'INSERT INTO history (scope, version, seq, entity, account, device, at, operation, replaced) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...historyCells(entry, seq),
      );
      const beside = touchedBeside(entry);
      if (beside.length > 0)
        this.#db.run(
          'INSERT INTO history_entity (scope, entity, version, seq) SELECT ?, value, ?, ? FROM json_each(?)',
          entry.scope,
          entry.version,
          seq,
          JSON.stringify(beside),
        );
    }
  }

  #saveParked({ parked = [], unparked = [] }: WriteBatch): void {
    for (const { scope, target, account, device, at, until, operation } of parked) {
      this.#db.run(
        'INSERT INTO parked (scope, target, account, device, at, until, operation) VALUES (?, ?, ?, ?, ?, ?, ?)',
        scope,
        target,
        account,
        device,
        at,
        until,
        JSON.stringify(operation),
      );
    }
    for (const number of unparked) this.#db.run('DELETE FROM parked WHERE number = ?', number);
  }
}
