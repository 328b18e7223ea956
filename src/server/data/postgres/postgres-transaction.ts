// The write path's transaction on PostgreSQL: few statements, each for a whole batch. Scopes and devices are locked in id
// order, so that transactions wait for each other instead of deadlocking.
import { assert } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { Verdict } from '#sync/rows/operation.ts';
import type { Row } from '#sync/rows/row.ts';
import {
  cellsToDevice,
  cellsToMoved,
  cellsToNoteEpoch,
  cellsToParked,
  cellToRole,
  cellsToScope,
  departureCells,
  departuresByWay,
} from '../record-columns.ts';
import { HistorySequence, historyCells, touchedBeside } from '../history-columns.ts';
import { type Session, type Statement, TryAgainError } from './postgres-connection.ts';
import { refuseIfTooNew } from './postgres-fence.ts';
import {
  endTransfer,
  readBeneath,
  readHeight,
  readLiving,
  readParents,
  readTaken,
  readTransfer,
  readTransfers,
  saveTransfer,
} from './postgres-transfers.ts';
import { columnsOf } from './columns.ts';
import { claimFiles } from './postgres-files.ts';
import { eraseHistory } from './postgres-history.ts';
import { readLabelTwins, saveLabelTwin } from './postgres-labels.ts';
import { forgetBefore, readMerging, readSealing, readSince, saveSealing } from './postgres-sealing.ts';
import { SQL } from './postgres-statements.ts';
import { cellsToRow, rowColumns, rowToCells } from '../row-columns.ts';
import type {
  Departure,
  DeviceRecord,
  LabelTwin,
  Lookup,
  MovedAway,
  NoteEpochRecord,
  ParkedOperation,
  ReadAnswer,
  ReadSet,
  Saved,
  ReminderMarks,
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

/** Greater than every key, which are base 62. */
const AFTER_EVERY_KEY = '\u{10FFFF}';

/** A statement can write a row only once, so of several states of a row the last counts. */
function lastById<T>(items: readonly T[], idOf: (item: T) => string): readonly T[] {
  const byId = new Map(items.map((item) => [idOf(item), item]));
  return byId.size === items.length ? items : [...byId.values()];
}

export async function readSet(session: Session, want: ReadSet): Promise<ReadAnswer> {
  const rows = new Map<Id, Lookup>();
  const asked = [
    ...want.rows.map(({ scope, id }) => [scope, id, false]),
    ...want.ancestors.map(({ scope, id }) => [scope, id, true]),
  ];
  const [found, siblings, noteEpochs] = await Promise.all([
    asked.length > 0 ? session.all(SQL.load, ...columnsOf(asked, 3)) : [],
    readSiblings(session, want.siblings),
    want.noteEpochs && readNoteEpochs(session, want.noteEpochs),
  ]);
  for (const [scope, id, held, ...cells] of found as [Id, Id, Id | null, ...unknown[]][]) {
    if (cells[0] !== null) rows.set(id, { type: 'row', row: cellsToRow(cells) });
    // The same id requested in two scopes: the row itself says more than its location.
    else if (rows.get(id)?.type === 'row') continue;
    else if (held === null) rows.set(id, { type: 'unknown' });
    else rows.set(id, held === scope ? { type: 'tombstone' } : { type: 'elsewhere', scope: held });
  }
  return noteEpochs === undefined ? { rows, siblings } : { rows, siblings, noteEpochs };
}

async function readNoteEpochs(
  session: Session,
  wanted: NonNullable<ReadSet['noteEpochs']>,
): Promise<readonly NoteEpochRecord[]> {
  const asked = wanted.map(({ scope, note, seed }) => [scope, note, seed]);
  return (await session.all(SQL.noteEpochs, ...columnsOf(asked, 3))).map(cellsToNoteEpoch);
}

async function readSiblings(
  session: Session,
  queries: readonly SiblingQuery[],
): Promise<readonly Sibling[][]> {
  const answers: Sibling[][] = queries.map(() => []);
  const read = async (direction: SiblingQuery['direction']): Promise<void> => {
    const places = queries.flatMap((query, index) =>
      query.direction === direction ? [{ query, index }] : [],
    );
    if (places.length === 0) return;
    const end = direction === 'ascending' ? '' : AFTER_EVERY_KEY;
    const asked = places.map(({ query }) => [query.scope, query.parent, query.from ?? end, query.limit]);
    const statement = direction === 'ascending' ? SQL.siblingsDown : SQL.siblingsUp;
    for (const [n, id, key, version] of await session.all(statement, ...columnsOf(asked, 4))) {
      const place = places[Number(n) - 1];
      const sibling = { id: id as Id, key: key as string, version: version as number };
      if (place) answers[place.index]?.push(sibling);
    }
  };
  await Promise.all([read('ascending'), read('descending')]);
  return answers;
}

export class PostgresTransaction implements WriteTransaction {
  readonly #session: Session;
  readonly #locked = new Set<Id>();
  readonly #sequence = new HistorySequence();
  #isOver = false;
  #failure: Error | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Ends the use of this object. Throws if a call failed: half a batch must not be committed. */
  finish(): void {
    this.#isOver = true;
    if (this.#failure !== null) throw this.#failure;
  }

  lockScopes(ids: readonly Id[]): Promise<ReadonlyMap<Id, ScopeRecord>> {
    return this.#step(async () => {
      const found = (await this.#session.all(SQL.lockScopes, ids)).map(cellsToScope);
      for (const { id } of found) this.#locked.add(id);
      return new Map(found.map((scope) => [scope.id, scope]));
    });
  }

  devices(
    wanted: readonly { readonly id: Id; readonly account: number }[],
  ): Promise<ReadonlyMap<Id, DeviceRecord>> {
    return this.#step(async () => {
      if (wanted.length === 0) return new Map();
      const ids = wanted.map(({ id }) => id);
      let found = await this.#session.all(SQL.lockDevices, ids);
      if (found.length < new Set(ids).size) {
        await this.#session.run(
          SQL.makeDevices,
          ids,
          wanted.map(({ account }) => account),
        );
        found = await this.#session.all(SQL.lockDevices, ids);
      }
      return new Map(found.map(cellsToDevice).map((device) => [device.id, device]));
    });
  }

  results(device: Id, seqs: readonly number[]): Promise<readonly StoredResult[]> {
    return this.#step(async () => {
      const found = seqs.length > 0 ? await this.#session.all(SQL.results, device, seqs) : [];
      return found.map(([seq, operation, verdict]) => ({
        device,
        seq: seq as number,
        operation: operation as Id,
        verdict: verdict as Verdict,
      }));
    });
  }

  load(want: ReadSet): Promise<ReadAnswer> {
    return this.#step(() => readSet(this.#session, want));
  }

  whereabouts(ids: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
    return this.#step(async () => {
      const found = ids.length > 0 ? await this.#session.all(SQL.whereabouts, ids) : [];
      return new Map(found.map(([id, scope]) => [id as Id, scope as Id]));
    });
  }

  living(ids: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
    return this.#step(() => readLiving(this.#session, ids));
  }

  moves(places: readonly { readonly scope: Id; readonly id: Id }[]): Promise<readonly MovedAway[]> {
    return this.#step(async () => {
      if (places.length === 0) return [];
      const asked = columnsOf(
        places.map(({ scope, id }) => [scope, id]),
        2,
      );
      const found = await this.#session.all(SQL.moves, ...asked);
      return found.map(cellsToMoved).filter((move) => move !== null);
    });
  }

  tree(scope: Id, id: Id, limit: number): Promise<readonly Row[]> {
    return this.#step(async () => (await this.#session.all(SQL.tree, scope, id, limit + 1)).map(cellsToRow));
  }

  beneath(scope: Id, ids: readonly Id[], limit: number): Promise<readonly Row[]> {
    return this.#step(() => readBeneath(this.#session, scope, ids, limit));
  }

  parentsAmong(scope: Id, ids: readonly Id[]): Promise<readonly Id[]> {
    return this.#step(() => readParents(this.#session, scope, ids));
  }

  height(scope: Id, id: Id): Promise<number> {
    return this.#step(() => readHeight(this.#session, scope, id));
  }

  taken(scope: Id, places: readonly TakenPlace[]): Promise<readonly TakenPlace[]> {
    return this.#step(() => readTaken(this.#session, scope, places));
  }

  transfers(): Promise<readonly TransferRecord[]> {
    return this.#step(() => readTransfers(this.#session));
  }

  transfer(id: Id): Promise<TransferRecord | null> {
    return this.#step(() => readTransfer(this.#session, id));
  }

  endTransfer(id: Id): Promise<void> {
    return this.#step(() => endTransfer(this.#session, id));
  }

  labelTwins(account: number, labels: readonly Id[]): Promise<readonly LabelTwin[]> {
    return this.#step(() => readLabelTwins(this.#session, account, labels));
  }

  parked(scope: Id): Promise<readonly ParkedOperation[]> {
    return this.#step(async () => (await this.#session.all(SQL.parked, scope)).map(cellsToParked));
  }

  roleIn(scope: Id, account: number): Promise<ParkedOperation['role']> {
    return this.#step(async () => cellToRole((await this.#session.get(SQL.role, scope, account))?.[0]));
  }

  raiseMinSchema(scope: Id, version: number): Promise<void> {
    return this.#step(async () => {
      assert(this.#locked.has(scope), 'a scope is locked before it is written');
      await refuseIfTooNew(this.#session.client, version);
      await this.#session.run(SQL.raiseMinSchema, scope, version);
    });
  }

  sealing(scope: Id): Promise<SealingRecord> {
    return this.#step(() => readSealing(this.#session, scope));
  }

  saveSealing(scope: Id, record: SealingRecord): Promise<void> {
    return this.#step(async () => {
      assert(this.#locked.has(scope), 'a scope is locked before it is written');
      await saveSealing(this.#session, scope, record);
    });
  }

  rowsSince(scope: Id, version: number, limit: number): Promise<readonly Row[]> {
    return this.#step(() => readSince(this.#session, scope, version, limit));
  }

  mergingNotes(scope: Id): Promise<readonly Row[]> {
    return this.#step(() => readMerging(this.#session, scope));
  }

  forgetBefore(scope: Id): Promise<void> {
    return this.#step(async () => {
      assert(this.#locked.has(scope), 'a scope is locked before it is written');
      await forgetBefore(this.#session, scope);
    });
  }

  save(batch: WriteBatch): Promise<Saved> {
    return this.#step(async () => {
      // First what makes room for what follows.
      await this.#saveTombstones(batch);
      for (const way of departuresByWay(batch.departures ?? [])) await this.#saveDepartures(way);
      // None of these waits for another one: they go to the database together, and are carried out in this order.
      const saving: Promise<unknown>[] = [
        this.#saveScopes(batch),
        this.#saveRows(batch.rows),
        this.#saveDevices(batch),
        claimFiles(this.#session, batch.rows),
        this.#saveHistory(batch),
        this.#runFor(
          SQL.saveNoteEpochs,
          (batch.noteEpochs ?? []).map((e) => [e.scope, e.note, e.seed, e.state, e.text, e.at]),
        ),
        this.#saveParked(batch),
      ];
      const [marked] = await Promise.all([this.#saveMarks(batch.reminding), ...saving]);
      for (const transfer of batch.transfers ?? []) await saveTransfer(this.#session, transfer);
      for (const twin of batch.labelTwins ?? []) await saveLabelTwin(this.#session, twin);
      return { isReminding: marked > 0 };
    });
  }

  async #step<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isOver) throw new Error('This transaction has ended.');
    try {
      return await work();
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  /** Runs a statement for a table of values, unless it is empty; resolves with the number of rows that it wrote. */
  async #runFor(statement: Statement, table: readonly (readonly unknown[])[]): Promise<number> {
    const width = table[0]?.length ?? 0;
    return width > 0 ? await this.#session.run(statement, ...columnsOf(table, width)) : 0;
  }

  async #saveScopes(batch: WriteBatch): Promise<void> {
    for (const { id } of batch.scopes) assert(this.#locked.has(id), 'a scope is locked before it is written');
    const scopes = lastById(batch.scopes, ({ id }) => id);
    await this.#runFor(
      SQL.saveScopes,
      scopes.map((s) => [
        s.id,
        s.kind,
        s.owner,
        s.version,
        s.horizon,
        s.digest,
        s.generation,
        s.updatedClock,
        s.healingUntil,
      ]),
    );
    const generations = lastById(batch.scopeGenerations, (g) => `${g.scope}${g.generation}`);
    await this.#runFor(
      SQL.saveGenerations,
      generations.map(({ scope, generation, maxVersion }) => [scope, generation, maxVersion]),
    );
  }

  async #saveTombstones(batch: WriteBatch): Promise<void> {
    if (batch.tombstones.length === 0) return;
    const tombstones = lastById(batch.tombstones, ({ scope, id }) => `${scope}${id}`);
    const places = columnsOf(
      tombstones.map(({ scope, id }) => [scope, id]),
      2,
    );
    await this.#session.run(SQL.removeRows, ...places);
    await this.#runFor(
      SQL.saveTombstones,
      tombstones.map(({ scope, id, version, at = 0 }) => [scope, id, version, at]),
    );
    // An id that lives in another scope by now stays there.
    await this.#session.run(SQL.enterDirectory, ...places);
    await this.#session.run(SQL.eraseNoteEpochs, ...places);
    const ids = tombstones.map(({ id }) => id);
    await this.#session.run(SQL.markTasks, ids);
    // Purging removes the values too: history must not keep what was removed for good.
    await eraseHistory(this.#session, places);
    // What scopes keep that they once left goes with them.
    const left = await this.#session.all(SQL.leftBefore, ids);
    if (left.length > 0) await eraseHistory(this.#session, columnsOf(left, 2));
  }

  /** Of rows that all move from one scope to the same other one. */
  async #saveDepartures(departures: readonly Departure[]): Promise<void> {
    const [first] = departures;
    if (first === undefined) return;
    const { scope, to } = first;
    const ids = departures.map(({ id }) => id);
    const places = columnsOf(
      departures.map(({ id }) => [scope, id]),
      2,
    );
    await this.#session.run(SQL.removeRows, ...places);
    await this.#runFor(SQL.saveDepartures, departures.map(departureCells));
    await this.#session.run(SQL.moveAllInDirectory, to, ids);
    await this.#session.run(SQL.replaceNoteEpochs, to, scope, ids);
    await this.#session.run(SQL.moveNoteEpochs, to, scope, ids);
    await this.#session.run(SQL.moveMailAddresses, to, scope, ids);
    await this.#session.run(SQL.markTasks, ids);
    const hashes = departures.flatMap(({ hash }) => hash ?? []);
    if (hashes.length > 0) await this.#session.run(SQL.copyBlobs, to, scope, hashes, first.at);
  }

  async #saveRows(all: readonly Row[]): Promise<void> {
    if (all.length === 0) return;
    const rows = lastById(all, ({ scope, id }) => `${scope}${id}`);
    const columns = columnsOf(rows.map(rowToCells), rowColumns.length);
    const known = await this.#session.all(SQL.saveRows, ...columns);
    if (known.length === 0) return;
    // New rows of known ids: purged ones that live again, or moved here from another scope.
    const places = columnsOf(known, 2);
    await this.#session.run(SQL.reviveTombstones, ...places);
    for (const [scope, id, isHeld] of await this.#session.all(SQL.findForeign, ...places)) {
      // Another transaction created the id in another scope meanwhile; the next run will find it there.
      if (isHeld === true) throw new TryAgainError('An id lives in one scope.');
      await this.#session.run(SQL.moveInDirectory, scope, id);
    }
  }

  /** Resolves with how many have to be looked at. */
  async #saveMarks(marks: ReminderMarks | undefined): Promise<number> {
    if (marks === undefined) return 0;
    const held = lastById(marks.held, ({ scope, task }) => `${scope}${task}`);
    const marked = await Promise.all([
      this.#runFor(
        SQL.markHeld,
        held.map(({ scope, task }) => [scope, task]),
      ),
      marks.tasks.length > 0 ? this.#session.run(SQL.markTasks, marks.tasks) : 0,
      marks.scopes.length > 0 ? this.#session.run(SQL.markScopes, marks.scopes) : 0,
      this.#runFor(
        SQL.markTold,
        marks.told.map(({ account, task, kind, comment, author }) => [account, task, kind, comment, author]),
      ),
    ]);
    return marked.reduce((sum, count) => sum + count, 0);
  }

  async #saveDevices(batch: WriteBatch): Promise<void> {
    const devices = lastById(batch.devices, ({ id }) => id);
    const results = lastById(batch.results, ({ device, seq }) => `${device}${seq}`);
    await Promise.all([
      this.#runFor(
        SQL.saveDevices,
        devices.map(({ id, lastSeq, ackedSeq, lastStamp }) => [id, lastSeq, ackedSeq, lastStamp]),
      ),
      this.#runFor(
        SQL.saveResults,
        results.map(({ device, seq, operation, verdict }) => [device, seq, operation, verdict]),
      ),
      this.#runFor(
        SQL.forgetResults,
        batch.forgetResults.map(({ device, afterSeq, upToSeq }) => [device, afterSeq, upToSeq]),
      ),
    ]);
  }

  async #saveHistory(batch: WriteBatch): Promise<void> {
    const entries = batch.history.map((entry) => ({ entry, seq: this.#sequence.next(entry) }));
    await Promise.all([
      this.#runFor(
        SQL.saveHistory,
        entries.map(({ entry, seq }) => historyCells(entry, seq)),
      ),
      this.#runFor(
        SQL.saveTouched,
        entries.flatMap(({ entry, seq }) =>
          touchedBeside(entry).map((id) => [entry.scope, id, entry.version, seq]),
        ),
      ),
    ]);
  }

  async #saveParked({ parked = [], unparked = [] }: WriteBatch): Promise<void> {
    const parking = this.#runFor(
      SQL.park,
      parked.map(({ scope, target, account, device, at, until, operation }) => [
        scope,
        target,
        account,
        device,
        at,
        until,
        JSON.stringify(operation),
      ]),
    );
    await Promise.all([parking, unparked.length > 0 ? this.#session.run(SQL.unpark, unparked) : 0]);
  }
}
