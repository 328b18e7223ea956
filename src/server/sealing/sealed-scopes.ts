// The sealing of people's own scopes: state, directory and wraps of keys for their devices, the steps of the way, and registers in their new
// form. The server reads no value and holds no key. What a step does in its transaction is stepping.ts.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { isListGeneration } from '#core/sealing/keys.ts';
import { rowToWire } from '#sync/rows/codec.ts';
import type { Row } from '#sync/rows/row.ts';
import { wrapsIn } from '#sync/sealing/directory.ts';
import {
  areListsSame,
  hasLists,
  neverSealed,
  positionOf,
  type ScopeSealing,
} from '#sync/sealing/scope-state.ts';
import {
  sealingLimits,
  type DirectoryTelling,
  type FileForm,
  type FileFormed,
  type Reencode,
  type Reencoded,
  type Sealing,
  type SealingLeft,
  type SealingStep,
  type WrapChange,
} from '#wire/sealing.ts';
import type { CommentSeal } from '../access/comment-seal.ts';
import { cellsToSealing, noSealing } from '../data/sealing-columns.ts';
import type { SealingRecord, Store, WriteTransaction } from '../data/store.ts';
import type { Tables } from '../data/tables.ts';
import type { Exchange } from '../sync/exchange.ts';
import { refuseLater } from '../sync/later-generation.ts';
import type { Tidied, TidyingWork } from '../sync/recovery.ts';
import { filesLeft, formFile } from './file-form.ts';
import { LeftCount, leftOf } from './left-count.ts';
import { isOpened, sealedBelow } from './opened-lists.ts';
import { reencodeRows } from './reencode-rows.ts';
import { loadedRows } from './written-rows.ts';
import {
  areOnTheWay,
  changedWraps,
  dropsLists,
  headOfDirectory,
  hindrance,
  isArrived,
  isNextNumber,
  nextState,
  writeStep,
  type StepRefusal,
} from './stepping.ts';

/** What the sealing of scopes needs. */
export interface SealedScopesPorts {
  readonly db: Kysely<Tables>;
  readonly store: Store;
  readonly exchange: Pick<Exchange, 'rework'>;
  /** Removes what was deleted from the files of the database. */
  readonly scrub: () => Promise<void>;
  /** Deletes the mail that waits for a scope. */
  readonly forgetMail: (scope: Id) => Promise<void>;
  /** Whether a scope holds a content. */
  readonly holdsFile: (scope: Id, hash: string) => Promise<boolean>;
  /** Ends that a scope holds a content, if nothing there names it any more. */
  readonly forgetFile: (scope: Id, hash: string) => Promise<void>;
  /** Whether mail waits for lists of an account. */
  readonly hasMail: (account: number) => Promise<boolean>;
  readonly seal: CommentSeal | null;
  /** Lists of a scope may go on their way now: rows of them were opened, or they are to stay. */
  readonly moved: (scope: Id) => Promise<void>;
  readonly nextTurn: (work: () => void) => void;
  readonly onError: (error: unknown) => void;
}

/** Why something was refused. */
export type SealingProblem = Exclude<StepRefusal, { readonly type: 'again' }> | { readonly type: 'busy' };

/** What devices ask of the sealing of a person's own scope. Callers have checked whose it is. */
export interface SealedScopes {
  read(scope: Id): Promise<Sealing>;
  step(scope: Id, account: number, asked: SealingStep): Promise<Result<Sealing, SealingProblem>>;
  changeWraps(scope: Id, asked: WrapChange): Promise<Result<Sealing, SealingProblem>>;
  /** Keeps a later directory of the present state. */
  tell(scope: Id, asked: DirectoryTelling): Promise<Result<Sealing, SealingProblem>>;
  /** Rows in the order of ids that hold registers in their earlier form. */
  left(scope: Id, after: Id | null, limit: number): Promise<SealingLeft>;
  /** As `left`, of the sealed rows of a list or a task that is opened. */
  leftOfList(scope: Id, list: Id, page: { after: Id | null; limit: number }): Promise<SealingLeft>;
  reencode(scope: Id, asked: Reencode): Promise<Result<Reencoded, SealingProblem>>;
  /** Makes an attachment name its content in the new form, and forgets the one before. */
  formFile(scope: Id, asked: FileForm): Promise<Result<FileFormed, SealingProblem>>;
  /** Finishes what an earlier process could not: what was removed is removed from files, too. */
  resume(): Promise<void>;
}

/** So often a count is brought up to date before a step gives way to what is written meanwhile. */
const MOST_COUNTS = 5;
/** Rows that are looked through for one answer. */
const LOOKED_THROUGH = 5_000;
const PAGE_ROWS = 1_000;

const isUnderWay = ({ phase }: ScopeSealing): boolean => phase === 'sealing' || phase === 'unsealing';

/** Makes the port of the routes. */
export function createSealedScopes(ports: SealedScopesPorts): SealedScopes {
  return new StoredSealing(ports);
}

class StoredSealing implements SealedScopes {
  readonly #ports: SealedScopesPorts;
  readonly #count: LeftCount;

  constructor(ports: SealedScopesPorts) {
    this.#ports = ports;
    this.#count = new LeftCount(ports.store, ports.nextTurn);
  }

  async read(scope: Id): Promise<Sealing> {
    const { state, directory, wraps, wrapsVersion } = await this.#record(scope);
    const left = isUnderWay(state) ? (await this.#count.of(scope, state)).left : null;
    const files = state.generation === 0 ? null : await filesLeft(this.#ports.db, scope, state);
    return { scope, state, directory, wraps: { ...wraps }, left, filesLeft: files, at: { wrapsVersion } };
  }

  async step(scope: Id, account: number, asked: SealingStep): Promise<Result<Sealing, SealingProblem>> {
    if (asked.step === 'begin' && (await this.#ports.hasMail(account)))
      return failed({
        type: 'conflict',
        message: 'Mail is on its way to your lists. Try again in a minute.',
      });
    for (let count = 0; count < MOST_COUNTS; count += 1) {
      const done = await this.#tryStep(scope, asked);
      if (done.ok) return ok(await this.read(scope));
      if (done.problem.type !== 'again') return failed(done.problem);
    }
    return failed({ type: 'busy' });
  }

  async #tryStep(scope: Id, asked: SealingStep): Promise<Result<null, StepRefusal>> {
    const now = (await this.#ports.store.scope(scope))?.sealing ?? neverSealed;
    const isLast = asked.step === 'finish' ? isUnderWay(now) : dropsLists(now, asked);
    const isFinish = isLast && positionOf(now) === positionOf(asked.from);
    const counted = isFinish ? await this.#count.of(scope, now) : null;
    if (counted !== null && counted.left > 0) return failed({ type: 'unfinished', left: counted.left });
    let [forgets, scrubs] = [false, false];
    const done = await this.#rework(scope, async (tx, before, { generation }) => {
      const record = await tx.sealing(scope);
      const next = await nextState(tx, { scope: before, record, asked, counted });
      if (!next.ok) return next;
      if (asked.step === 'finish' && !(await isArrived(tx, before)))
        return failed({ type: 'conflict', message: 'The list is still on its way. Try again in a moment.' });
      // What was open in this scope, and still is there, is in the files of the database.
      const dropped = dropsLists(record.state, asked) ? Object.keys(record.state.lists ?? {}) : [];
      if (await areOnTheWay(tx, dropped))
        return failed({ type: 'conflict', message: 'The list is still on its way. Try again in a moment.' });
      const free = asked.step === 'begin' ? await hindrance(tx, scope) : ok(null);
      if (!free.ok) return free;
      const after = recordAfter(record, asked, next.value);
      if (after === null) return failed({ type: 'invalid', message: 'The keys need a recovery code.' });
      forgets = record.wasPlain && next.value.phase === 'sealed';
      if (forgets) await tx.forgetBefore(scope);
      const stayed = await this.#stayed(tx, scope, dropped as Id[]);
      // Writing the files anew holds up everybody: for tasks, of which many move, it is done with the next care of the database.
      scrubs = forgets || stayed.includes('list');
      const kept = { ...after, lingers: after.lingers || scrubs || stayed.length > 0 };
      const written = await writeStep(tx, { scope: before, record: kept }, { generation });
      return ok({ before, ...written, gone: [] });
    });
    if (!done.ok) return done;
    // What is open in a sealed scope is followed from one list or task to the next.
    if (asked.step !== 'lists') this.#count.forget(scope);
    if (scrubs) await this.#forgetFiles([scope]);
    if (asked.step === 'lists') await this.#ports.moved(scope);
    return ok(null);
  }

  /** The types of those rows that were open in this scope and still are there: what they held is in the files of the database. */
  async #stayed(tx: WriteTransaction, scope: Id, ids: readonly Id[]): Promise<readonly Row['type'][]> {
    const where = await tx.whereabouts(ids);
    const here = ids.filter((id) => where.get(id) === scope);
    return [...(await loadedRows(tx, scope, here)).values()].map(({ type }) => type);
  }

  async changeWraps(scope: Id, asked: WrapChange): Promise<Result<Sealing, SealingProblem>> {
    const done = await this.#rework(scope, async (tx, before, { generation }) => {
      const record = await tx.sealing(scope);
      const { state } = record;
      if (record.wrapsVersion !== asked.wrapsVersion) return failed({ type: 'moved', now: state });
      const told = toldNumber(record, asked.directory);
      if (!told.ok) return told;
      const wraps = changedWraps(record.wraps, asked.wraps, sealingLimits.wraps);
      if (wraps === null || (state.phase !== 'plain' && wraps['code'] === undefined))
        return failed({ type: 'invalid', message: 'The keys need a recovery code.' });
      const { directory = record.directory } = asked;
      const after = {
        ...record,
        directory,
        number: told.value,
        wraps,
        wrapsVersion: record.wrapsVersion + 1,
      };
      const written = await writeStep(tx, { scope: before, record: after }, { generation });
      return ok({ before, ...written, gone: [] });
    });
    return done.ok ? ok(await this.read(scope)) : failed(withoutAgain(done.problem));
  }

  async tell(scope: Id, { directory }: DirectoryTelling): Promise<Result<Sealing, SealingProblem>> {
    const done = await this.#rework(scope, async (tx, before, { generation }) => {
      const record = await tx.sealing(scope);
      const told = toldNumber(record, directory);
      if (!told.ok) return told;
      const after = { ...record, directory, number: told.value };
      const written = await writeStep(tx, { scope: before, record: after }, { generation });
      return ok({ before, ...written, gone: [] });
    });
    return done.ok ? ok(await this.read(scope)) : failed(withoutAgain(done.problem));
  }

  async left(scope: Id, after: Id | null, limit: number): Promise<SealingLeft> {
    const { store } = this.#ports;
    const state = (await store.scope(scope))?.sealing ?? neverSealed;
    if (hasLists(state)) return await this.#leftOpen(scope, state, { after, limit });
    const isWalked = isUnderWay(state);
    const rows: SealingLeft['rows'] = [];
    let from = after;
    for (let looked = 0; isWalked && looked < LOOKED_THROUGH; looked += PAGE_ROWS) {
      const page = await store.snapshot(scope, from, PAGE_ROWS);
      for (const row of page) {
        from = row.id;
        if (leftOf(state, row) > 0) rows.push(rowToWire(row));
        if (rows.length === limit) return { state, rows, next: from };
      }
      if (page.length < PAGE_ROWS) return { state, rows, next: null };
      await new Promise<void>((resolve) => this.#ports.nextTurn(resolve));
    }
    return { state, rows, next: isWalked ? from : null };
  }

  /** What is open in a sealed scope: few rows of many. */
  async #leftOpen(
    scope: Id,
    state: ScopeSealing,
    { after, limit }: { readonly after: Id | null; readonly limit: number },
  ): Promise<SealingLeft> {
    const later = (await this.#count.rows(scope, state)).filter((id) => after === null || id > after);
    const ids = later.slice(0, limit);
    let rows: SealingLeft['rows'] = [];
    await this.#rework(scope, async (tx) => {
      rows = [...(await loadedRows(tx, scope, ids)).values()].map((row) => rowToWire(row));
      return ok(null);
    });
    return { state, rows, next: later.length > limit ? (ids.at(-1) ?? null) : null };
  }

  async leftOfList(scope: Id, list: Id, page: { after: Id | null; limit: number }): Promise<SealingLeft> {
    const told = (await this.#ports.store.scope(scope))?.sealing ?? neverSealed;
    let answer: SealingLeft = { state: told, rows: [], next: null };
    const wanted = await this.#ports.db
      .selectFrom('shared_list')
      .select('scope')
      .where('list', '=', list)
      .where('state', '=', 'filling')
      .executeTakeFirst();
    await this.#rework(scope, async (tx, before) => {
      const { sealing: state = neverSealed } = before;
      answer = { state, rows: [], next: null };
      if (!isOpened(before, list)) return ok(null);
      // No list is opened before it has somewhere to go. Where a task goes its device knows.
      const isTask = (await loadedRows(tx, scope, [list])).get(list)?.type === 'task';
      if (wanted === undefined && !isTask) return ok(null);
      const sealed = await sealedBelow(tx, before, list);
      const { after, limit } = page;
      const later = sealed.filter(({ id }) => after === null || id > after);
      const rows = later.slice(0, limit);
      answer = {
        state,
        rows: rows.map((row) => rowToWire(row)),
        next: later.length > limit ? (rows.at(-1)?.id ?? null) : null,
      };
      return ok(null);
    });
    return answer;
  }

  async reencode(scope: Id, { state, items }: Reencode): Promise<Result<Reencoded, SealingProblem>> {
    let answer: Reencoded = { done: 0, skipped: [] };
    const done = await this.#rework(scope, async (tx, before, { generation }) => {
      const now = before.sealing ?? neverSealed;
      if (positionOf(now) !== positionOf(state)) return failed({ type: 'moved', now });
      const reencoding = { scope: before, state: now, generation, seal: this.#ports.seal };
      const { tidied, ...said } = await reencodeRows(tx, items, reencoding);
      answer = said;
      return ok(tidied);
    });
    if (answer.done > 0 && hasLists(state)) await this.#ports.moved(scope);
    return done.ok ? ok(answer) : failed(withoutAgain(done.problem));
  }

  async formFile(scope: Id, asked: FileForm): Promise<Result<FileFormed, SealingProblem>> {
    const { holdsFile, forgetFile, seal, onError } = this.#ports;
    if (!(await holdsFile(scope, asked.to.hash))) return ok({ done: 'missing' });
    let answer: FileFormed = { done: 'changed' };
    const done = await this.#rework(scope, async (tx, before, { generation }) => {
      const now = before.sealing ?? neverSealed;
      if (positionOf(now) !== positionOf(asked.state)) return failed({ type: 'moved', now });
      const { tidied, ...said } = await formFile(tx, asked, { scope: before, state: now, generation, seal });
      answer = said;
      return ok(tidied);
    });
    if (!done.ok) return failed(withoutAgain(done.problem));
    // What fails here is done by the sweep, as the attachment no longer names it.
    if (answer.done === 'done') await forgetFile(scope, asked.from).catch(onError);
    return ok(answer);
  }

  async resume(): Promise<void> {
    const waiting = await this.#ports.db
      .selectFrom('sealing')
      .select('scope')
      .where('lingers', '=', 1)
      .execute();
    if (waiting.length > 0) await this.#forgetFiles(waiting.map(({ scope }) => scope));
  }

  /** What a sealed scope remembered is gone from its tables; from files it goes here, after a failure at the next start. */
  async #forgetFiles(scopes: readonly Id[]): Promise<void> {
    const { db, scrub, forgetMail, onError } = this.#ports;
    try {
      for (const scope of scopes) await forgetMail(scope);
      await scrub();
      await db.updateTable('sealing').set({ lingers: 0 }).where('scope', 'in', scopes).execute();
    } catch (error) {
      onError(error);
    }
  }

  async #record(scope: Id): Promise<SealingRecord> {
    const row = await this.#ports.db
      .selectFrom('scope')
      .leftJoin('sealing', 'sealing.scope', 'scope.id')
      .select([
        'scope.sealing_phase',
        'scope.sealing_generation',
        'scope.sealing_lists',
        'sealing.directory',
        'sealing.mac',
        'sealing.number',
        'sealing.wraps',
        'sealing.wraps_version',
        'sealing.was_plain',
        'sealing.lingers',
      ])
      .where('scope.id', '=', scope)
      .executeTakeFirst();
    if (row === undefined) return noSealing;
    const { sealing_phase: phase, sealing_generation: generation, directory, mac, number, wraps } = row;
    const { wraps_version: version, was_plain: wasPlain, lingers, sealing_lists: lists } = row;
    return cellsToSealing([
      phase,
      generation,
      directory,
      mac,
      number,
      wraps,
      version,
      wasPlain,
      lingers,
      lists,
    ]);
  }

  /** Work on a scope under its lock that changes it or is refused. */
  async #rework(
    scope: Id,
    work: (
      tx: Parameters<TidyingWork>[0],
      before: Tidied['before'],
      moment: Parameters<TidyingWork>[1],
    ) => Promise<Result<Tidied | null, StepRefusal>>,
  ): Promise<Result<null, StepRefusal>> {
    let refused: StepRefusal | null = null;
    await this.#ports.exchange.rework(scope, async (tx, moment) => {
      refused = { type: 'invalid', message: "That scope doesn't exist." };
      const before = (await tx.lockScopes([scope])).get(scope);
      if (before === undefined) return null;
      refuseLater(before, moment.generation);
      const done = await work(tx, before, moment);
      refused = done.ok ? null : done.problem;
      return done.ok ? done.value : null;
    });
    return refused === null ? ok(null) : failed(refused);
  }
}

/** The number after a directory was told again; that of the kept one where none was. */
function toldNumber(
  { state, number }: SealingRecord,
  directory: WrapChange['directory'],
): Result<number, StepRefusal> {
  if (directory === undefined) return ok(number);
  const head = headOfDirectory(directory.body);
  // Who knows an earlier directory may know an earlier state: another device was first.
  if (head !== null && !isNextNumber(head.n, number)) return failed({ type: 'moved', now: state });
  if (head === null || positionOf(head.state) !== positionOf(state) || !areListsSame(head.state, state))
    return failed({ type: 'invalid', message: 'The directory says another state.' });
  return ok(head.n);
}

const withoutAgain = (problem: StepRefusal): SealingProblem =>
  problem.type === 'again' ? { type: 'busy' } : problem;

/** What is kept after a step; null: there would be no way to the keys. */
function recordAfter(record: SealingRecord, asked: SealingStep, state: ScopeSealing): SealingRecord | null {
  const wraps = changedWraps(record.wraps, asked.wraps ?? {}, sealingLimits.wraps);
  // A server that was put back to before has none but in the directory, which brings them.
  const ways = wraps === null ? {} : wrapsIn({ directory: asked.directory, wraps });
  // The key of a list is wrapped for its members, in the directory.
  const isOwn = !isListGeneration(state.generation);
  const needsCode = state.phase !== 'plain' && isOwn;
  if (wraps === null || (needsCode && ways['code'] === undefined)) return null;
  const wasPlain = (isOwn && (asked.step === 'begin' || asked.step === 'catch-up')) || record.wasPlain;
  const isDone = state.phase === 'sealed';
  return {
    state,
    directory: asked.directory,
    number: headOfDirectory(asked.directory.body)?.n ?? record.number,
    wraps,
    wrapsVersion: record.wrapsVersion + (asked.wraps === undefined ? 0 : 1),
    wasPlain: wasPlain && !isDone,
    lingers: record.lingers || (isDone && record.wasPlain),
  };
}
