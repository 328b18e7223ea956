// The transport of a copy whose own scope is sealed, or was: seals the content of what goes out and opens what comes in, so that the engine,
// searches and undo know plain values only. What form goes out follows the directory, never the server alone.
import type { Id } from '#core/ids.ts';
import { isEntityType, type EntityType, type UnknownType } from '#core/model.ts';
import { failed, ok } from '#core/result.ts';
import { isEnvelope } from '#core/sealing/envelope.ts';
import { fateOf } from '#core/sealing/sealable.ts';
import type { ScopeChanges, SnapshotPlace, SyncRequest, SyncResponse, WireRow } from '#wire/sync.ts';
import type { Exchanged, LiveListener, PartPage, Transport, TransportAnswer } from '../replica/ports.ts';
import { rowFromWire, rowToWire } from '../rows/codec.ts';
import { lockedOf } from '../rows/locked.ts';
import type { HeardVerdict, Operation } from '../rows/operation.ts';
import { isKnown, type Row, type StoredRow } from '../rows/row.ts';
import { noteDocOf, noteTextOf, seedOf, type MergeNote } from '../notes/note.ts';
import type { DeviceKeys } from './device-keys.ts';
import type { Crossings } from './leaving/crossings.ts';
import { homesOf } from './leaving/home.ts';
import { NoteTexts } from './note-texts.ts';
import { lockedRow, openedRows, openedWith, openingIn, stillOpen } from './opening-rows.ts';
import type { SealingHost, SealingPlatform } from './ports.ts';
import type { Register } from './registers.ts';
import { registersIn, sealOperation, type SentOperation } from './sealed-operation.ts';
import { withoutReplays } from './replays.ts';
import type { OpenedRow } from './sealed-row.ts';
import {
  areListsSame,
  generationToPush,
  hasLists,
  neverSealed,
  positionOf,
  type ScopeSealing,
} from './scope-state.ts';

/** Operations that are sealed before keys and frames have their turn. */
const TURN_OPERATIONS = 64;
/** How often one request is made anew for one call. */
const TRIES = 3;
const BUSY_MS = 5_000;

interface Ports {
  readonly transport: Transport;
  readonly platform: Pick<SealingPlatform, 'checks'>;
  readonly host: SealingHost;
  readonly keys: DeviceKeys;
  readonly crossings: Pick<Crossings, 'outgoing'>;
  /** Loads what merges notes. */
  readonly merging: () => Promise<MergeNote>;
  /** An answer was taken in: the scope may be on its way to another form. */
  readonly heard: () => void;
  /** These rows are about to be opened and taken in. */
  readonly coming: (rows: readonly StoredRow[]) => void;
}

/** A request in the form in which it goes out. */
interface Sent {
  readonly request: SyncRequest;
  readonly state: ScopeSealing;
  /** About entities that nobody here knows, and moves that can't be made: these are answered here. */
  readonly unknown: readonly [q: number, verdict: HeardVerdict][];
  /** Entities that operations are about and nobody here knows, or not yet. */
  readonly missing?: ReadonlySet<Id>;
}

type TypeOf = (id: Id) => EntityType | UnknownType | undefined;

const isContent = ({ name, value }: Register, type: EntityType): boolean =>
  fateOf(type, name) !== 'plain' && value !== null && value !== undefined;

/** Names that are hidden are content, also where they are taken away. */
const saysContent = (register: Register, type: EntityType): boolean =>
  fateOf(type, register.name) === 'hidden' || isContent(register, type);

/** Whether an operation carries content. Of what isn't known here as much as it could be. */
function hasContent(operation: Operation, typeOf: TypeOf): boolean {
  const isNamed = operation.a === 'create' || operation.a === 'reoffer';
  const type = (isNamed ? operation.type : typeOf(operation.id)) ?? 'task';
  if (!isEntityType(type)) return false;
  return registersIn(operation as unknown as SentOperation, type).some((each) => saysContent(each, type));
}

/** What goes out before an operation that waits: nothing of its transaction. */
function withoutTransaction(sent: readonly SentOperation[], x: Id | undefined): readonly SentOperation[] {
  return x === undefined ? sent : sent.filter((operation) => operation.x !== x);
}

/** Wraps a transport. */
export class SealedTransport implements Transport {
  readonly #ports: Ports;
  readonly #notes: NoteTexts;
  #isLoaded = false;
  /** The newest key and the state by which rows were opened last. */
  #known: string | null = null;
  /** Registers of which an older value came back. */
  readonly #replayed = new Set<string>();
  /** What was missing for the last request that was answered. */
  #missed: Sent['missing'];

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#notes = new NoteTexts((id) => ports.host.confirmed(id));
  }

  async sync(request: SyncRequest): Promise<TransportAnswer<Exchanged>> {
    await this.#ready();
    for (let tries = 0; tries < TRIES; tries += 1) {
      const sent = await this.#outgoing(request);
      const answer = await this.#ports.transport.sync(sent.request);
      if (!answer.ok) return answer;
      await this.#hear(answer.value);
      const isAnother = positionOf(this.#ports.keys.state) !== positionOf(sent.state);
      if (answer.value.reseal === true && isAnother) continue;
      const taken = await this.taken(answer.value, sent);
      this.#missed = sent.missing;
      const isHeld = sent.request.ops.length + sent.unknown.length < request.ops.length;
      // A scope behind this one may hold something back as well.
      const isLocked = answer.value.isLocked === true || (isHeld && this.#ports.keys.sealer === null);
      return ok({ ...taken, isLocked, hasNoKey: taken.hasNoKey === true || answer.value.hasNoKey === true });
    }
    return failed({ type: 'busy', retryAfterMs: BUSY_MS });
  }

  /** An answer with its rows opened, and with the verdicts that this device gives by itself. */
  async taken(answer: SyncResponse, sent?: Sent): Promise<Exchanged> {
    await this.#ready();
    await this.#hear(answer);
    this.#standApart();
    this.#ports.host.showsKey?.(this.#ports.keys.ring !== null);
    const changes: ScopeChanges[] = [];
    for (const change of answer.changes) changes.push(await this.#opened(change));
    this.#ports.heard();
    // Where the server has judged nothing, nothing is told.
    const isJudged = answer.reseal !== true && answer.results.length === sent?.request.ops.length;
    const own = isJudged ? sent.unknown : [];
    const results = [...answer.results, ...own].toSorted(([a], [b]) => a - b);
    // Of somebody's own scope: a list without its key is apart from the others.
    const { host, keys } = this.#ports;
    const isKeyless = keys.state.phase !== 'plain' && keys.key === null;
    return { ...answer, changes, results, hasNoKey: host.showsKey === undefined && isKeyless };
  }

  #standApart(): void {
    const { host, keys } = this.#ports;
    const { phase } = keys.state;
    host.standApart(phase !== 'plain', phase === 'sealed' && keys.sealer !== null && !keys.isLeaving);
  }

  async snapshot(scope: Id, place: SnapshotPlace): Promise<TransportAnswer<PartPage>> {
    const page = await this.#ports.transport.snapshot(scope, place);
    if (!page.ok || scope !== this.#ports.host.scope) return page;
    await this.#ready();
    this.#ports.coming(page.value.rows);
    const rows = await openedRows(this.#opening(), page.value.rows, () => this.#ports.host.breathe());
    return ok({ ...page.value, rows });
  }

  listen(on: LiveListener): () => void {
    return this.#ports.transport.listen({
      ...on,
      hello: () => on.hello(),
      delta: (change) => this.delta(on, change),
    });
  }

  /** News of a scope: opened, or asked for while there is nothing to open it with. */
  delta(on: Pick<LiveListener, 'delta' | 'poke'>, change: ScopeChanges): void {
    if (change.scope !== this.#ports.host.scope) on.delta(change);
    else if (!this.#isLoaded || this.#isUnexpected(change.rows)) on.poke(change.scope, change.to);
    else {
      on.delta({ ...change, rows: change.rows.map((row) => this.#openedWire(row, change.generation)) });
      this.#ports.heard();
    }
  }

  /**
   * Whether rows hold content in the open that would stay locked. A list may be on its way, which other devices know by now: with the answer to
   * a request this one hears of it, too.
   */
  #isUnexpected(rows: readonly WireRow[]): boolean {
    const { state } = this.#ports.keys;
    if (state.phase !== 'sealed' || hasLists(state)) return false;
    return rows.some(({ type, f }) => {
      const isOpen = ([name, value]: [string, unknown]) =>
        isEntityType(type) && isContent({ name, value }, type) && !isEnvelope(value);
      return Object.entries(f).some(isOpen);
    });
  }

  /** Opens what was locked, with keys that this device has by now. */
  async reopen(): Promise<void> {
    const { host, keys } = this.#ports;
    // Before its rows are seen to be open: what is written then is taken.
    host.showsKey?.(keys.ring !== null);
    const locked = host.held().filter((row) => lockedOf(row) !== undefined);
    if (locked.length === 0) return;
    this.#ports.coming(locked);
    const opened = await openedRows(this.#opening(), locked, () => host.breathe());
    const present = opened.filter((row) => host.confirmed(row.id)?.version === row.version);
    if (present.length > 0) host.put(present);
  }

  /** Looks what keys there are: the dialog of this device, or another tab, may have brought, changed or given up one. */
  async #ready(): Promise<void> {
    await this.#read();
    this.#isLoaded = true;
    if (this.#ports.keys.isLeaving) await this.#leave();
  }

  /** Reads the keys, and opens what opens by them. Somebody else may have read them before, as lists need those of their person. */
  async #read(): Promise<void> {
    const { keys } = this.#ports;
    await keys.load();
    const known = keys.ring === null ? null : `${keys.ring.newest} ${positionOf(keys.state)}`;
    const isNew = known !== null && known !== this.#known;
    this.#known = known;
    if (isNew) await this.reopen();
  }

  /** Locks what is open here, and forgets the key once that is on the disk. */
  async #leave(): Promise<void> {
    const { host, keys } = this.#ports;
    const { lastSealer: sealer } = keys;
    if (sealer !== null && keys.state.phase !== 'plain') {
      const locked: StoredRow[] = [];
      for (const row of host.held()) {
        if (locked.length > 0 && locked.length % TURN_OPERATIONS === 0) await host.breathe();
        locked.push(lockedRow(sealer, row));
      }
      host.put(locked.filter((row) => host.confirmed(row.id)?.version === row.version));
      await host.saved();
    }
    await keys.forget();
  }

  /** Takes notice of the state that an answer says, and fetches the directory that leads there. */
  async #hear(answer: SyncResponse): Promise<void> {
    const { host, keys } = this.#ports;
    const named = answer.sealing?.[host.scope];
    // A server names no scope that it has never heard to be sealed.
    const said = named ?? (keys.directory === null ? undefined : neverSealed);
    // Of a list that its person has left it says nothing, and there is nothing to ask.
    if (said === undefined || (named === undefined && !host.isHeld)) return;
    if (named !== undefined) host.remember();
    if (keys.hears(said) || keys.key === null) await this.#read();
    if (!keys.hears(said)) {
      await keys.tellAgain();
      await keys.announce();
      return;
    }
    const [known, before] = [keys.ring?.newest, keys.state];
    await keys.refresh();
    // What came before the directory, by the live channel, is here under a key that was missing, or was open too early.
    // In another state it may be plain and yet not the server's own.
    const isSame = positionOf(keys.state) === positionOf(before) && areListsSame(before, keys.state);
    if (keys.ring?.newest !== known || !isSame) await this.reopen();
  }

  #opening() {
    const { host, keys, platform } = this.#ports;
    const owner = { account: host.account, scope: host.scope };
    return openingIn(keys.state, { ring: keys.ring, owner, checks: platform.checks });
  }

  async #opened(change: ScopeChanges): Promise<ScopeChanges> {
    const { host } = this.#ports;
    if (change.scope !== host.scope) return change;
    const rows: WireRow[] = [];
    for (const [index, row] of change.rows.entries()) {
      if (index > 0 && index % TURN_OPERATIONS === 0) await host.breathe();
      rows.push(this.#openedWire(row, change.generation));
    }
    return { ...change, rows };
  }

  #openedWire(wire: WireRow, generation: string): WireRow {
    const { host, keys, coming } = this.#ports;
    const came = rowFromWire(wire, host.scope);
    coming([came]);
    const { row: opened, writers } = openedWith(this.#opening(), came);
    const held = host.confirmed(wire.id as Id);
    const present = held === undefined ? opened : this.#present(held, { opened, writers, generation });
    const known = keys.ring === null || keys.isLeaving ? present : stillOpen(keys.ring, held, present);
    const row: StoredRow = this.#notes.opened(known, keys.seals);
    const { f, fm } = rowToWire(row);
    return { ...wire, f, ...(fm === undefined ? {} : { fm }) };
  }

  /** The row without values that are older than what this device has seen in the same history of the server. */
  #present(
    held: Row,
    {
      opened,
      writers,
      generation,
    }: { readonly opened: StoredRow; readonly writers: OpenedRow['writers']; readonly generation: string },
  ): StoredRow {
    const { host, keys } = this.#ports;
    const before = writers.size === 0 ? null : host.seenBefore(generation);
    if (before === null || held.version <= before || !isKnown(opened) || held.version > opened.version)
      return opened;
    const { row, replayed } = withoutReplays(held, opened, writers);
    const news = replayed.map((name) => `${held.id} ${name}`).filter((each) => !this.#replayed.has(each));
    for (const each of news) this.#replayed.add(each);
    if (news.length > 0) void keys.notice(news.length);
    return row;
  }

  async #outgoing(request: SyncRequest): Promise<Sent> {
    const { host, keys } = this.#ports;
    const queue = request.ops as readonly Operation[];
    const { operations: all, refused } =
      keys.state.phase === 'plain'
        ? { operations: queue, refused: [] }
        : await this.#ports.crossings.outgoing(queue);
    const { state } = keys;
    if (state.phase === 'unsealing' && !keys.isBehind)
      return { request: { ...request, ops: [...(await this.#merged(all))] }, state, unknown: refused };
    const isNews = keys.directory === null && host.wasSealed && state.generation === 0;
    if (!keys.seals && !keys.isBehind && !isNews) {
      const ops = state.generation === 0 ? all : await this.#openAgain(all);
      return { request: { ...request, ops: [...ops] }, state, unknown: refused };
    }
    const ops = await this.#sealed(request, all);
    const sealed = { ...request.sealed, [host.scope]: generationToPush(state) };
    const { anew } = ops;
    const sealedFor =
      anew.length === 0 ? {} : { sealedFor: { ...request.sealedFor, ...Object.fromEntries(anew) } };
    return {
      request: { ...request, ops: [...ops.sent], sealed, ...sealedFor },
      state,
      unknown: [...refused, ...ops.unknown],
      missing: ops.missing,
    };
  }

  /**
   * As many of the operations as can go out while the server has plain values and can't merge yet: edits of notes are merged here. One of a
   * note that doesn't open waits until it has come in plain.
   */
  async #merged(operations: readonly Operation[]): Promise<readonly Operation[]> {
    const homes = homesOf(this.#ports.host, operations);
    const edits = await this.#edits(operations, homes);
    const sent: Operation[] = [];
    for (const operation of operations) {
      if (this.#isOfLockedNote(operation, homes))
        return sent.filter(({ x }) => operation.x === undefined || x !== operation.x);
      sent.push(edits?.(operation) ?? operation);
    }
    return sent;
  }

  /** For a server that can merge again. It doesn't know texts of the time when only devices could read: edits of these are merged here. */
  async #openAgain(operations: readonly Operation[]): Promise<readonly Operation[]> {
    const { host } = this.#ports;
    const edits = await this.#edits(operations, homesOf(host, operations));
    if (edits === null) return operations;
    return operations.map((operation) => {
      const merged = edits(operation);
      const row = operation.a === 'note' ? host.confirmed(operation.id) : undefined;
      const seed = row && (noteDocOf(row)?.seed ?? seedOf(noteTextOf(row)));
      return operation.a === 'note' && seed !== operation.seed ? merged : operation;
    });
  }

  /** Whether it edits a note that doesn't open yet: merged with what can't be read, it would take its place. */
  #isOfLockedNote(operation: Operation, homes: ReadonlyMap<Operation, Id>): boolean {
    const { host } = this.#ports;
    const isNote = operation.a === 'note' && homes.get(operation) === host.scope;
    return isNote && lockedOf(host.confirmed(operation.id))?.['notes'] !== undefined;
  }

  /** As many of the operations as can go out, sealed. */
  async #sealed(
    request: SyncRequest,
    operations: readonly Operation[],
  ): Promise<{
    readonly sent: readonly SentOperation[];
    readonly unknown: Sent['unknown'];
    readonly missing: ReadonlySet<Id>;
    /** Operations that name another scope than they are sealed for. */
    readonly anew: readonly (readonly [Id, Id])[];
  }> {
    const { host, keys } = this.#ports;
    const { sealer } = keys;
    const device = host.numberOf(request.device as Id);
    const types = new Map(
      operations.flatMap((each) => (each.a === 'create' ? [[each.id, each.type] as const] : [])),
    );
    const typeOf: TypeOf = (id) => host.typeOf(id) ?? types.get(id);
    const homes = homesOf(host, operations);
    const edits = await this.#edits(operations, homes);
    const sent: SentOperation[] = [];
    const unknown: [number, HeardVerdict][] = [];
    const anew: [Id, Id][] = [];
    const isSealedHere = (each: Operation) => homes.get(each) === host.scope && hasContent(each, typeOf);
    const missing = new Set(
      operations.flatMap((each) => (typeOf(each.id) === undefined && isSealedHere(each) ? [each.id] : [])),
    );
    for (const [index, operation] of operations.entries()) {
      if (index > 0 && index % TURN_OPERATIONS === 0) await host.breathe();
      const plain = operation as unknown as SentOperation;
      if (!isSealedHere(operation)) {
        sent.push(plain);
        continue;
      }
      // Without the key, or before the server has named this device, it waits with all that follows. So it does where what it is about
      // may have gone to a scope that this copy hasn't heard of: the next answer says so.
      const sealed =
        sealer === null || device === 0 || this.#isOfLockedNote(operation, homes)
          ? null
          : sealOperation({ sealer, device, typeOf }, edits?.(operation) ?? operation);
      if (sealed?.ok === true) {
        sent.push(sealed.value);
        if (operation.scope !== host.scope) anew.push([operation.u, host.scope]);
      } else if (sealed?.problem.type === 'unknown-row' && this.#missed?.has(operation.id) && !host.isReading)
        unknown.push([operation.q, 'gone']);
      else return { sent: withoutTransaction(sent, operation.x), unknown, missing, anew };
    }
    return { sent, unknown, missing, anew };
  }

  /** What becomes of edits of notes in a push; null where there are none. */
  async #edits(
    operations: readonly Operation[],
    homes: ReadonlyMap<Operation, Id>,
  ): Promise<((operation: Operation) => Operation) | null> {
    const { host } = this.#ports;
    const isHere = (operation: Operation) => homes.get(operation) === host.scope;
    if (!operations.some((each) => each.a === 'note' && isHere(each))) return null;
    const push = this.#notes.push(await this.#ports.merging());
    return (operation) => {
      if (!isHere(operation)) return operation;
      if (operation.a === 'note') return push.edit(operation);
      if (operation.a === 'set' && operation.field === 'notes')
        push.set(operation.id, typeof operation.value === 'string' ? operation.value : '');
      return operation;
    };
  }
}
