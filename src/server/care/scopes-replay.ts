// After a restore: makes the scopes anew that were created since, gives them their members back, and moves the lists there
// that had moved. What was in them comes back from the devices (sync/recovery.ts), which hold it under these scopes.
import { randomUUID } from 'node:crypto';
import { generateKeyBetween } from 'fractional-indexing';
import type { Kysely } from 'kysely';
import { listsRoot, mineId, mountId, type Id } from '#core/ids.ts';
import { arrived } from '#sync/rows/arrived.ts';
import { DigestSum, emptyDigest } from '#sync/rows/digest.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { asRow, registerStamp, withRegister, type Row } from '#sync/rows/row.ts';
import { addMember, removeMember, setOwner, wantSettling } from '../data/members.ts';
import type { Departure, ScopeRecord, Store, WriteBatch, WriteTransaction } from '../data/store.ts';
import type { Tables } from '../data/tables.ts';
import { moveLabels, withOwnLabels } from '../labels/moved-labels.ts';
import { carryAll } from '../moving/carrying.ts';
import { SCOPES_PROTOCOL, SHARED_PROTOCOL } from '../sync/readership.ts';
import { healingFrom } from '../sync/recovery.ts';
import type { LedgerEntry } from './ledger.ts';

/** All that a list can hold. */
const MOST_ROWS = 10_000_000;

type EntryOf<T extends LedgerEntry['type']> = Extract<LedgerEntry, { readonly type: T }>;

const ofType = <T extends LedgerEntry['type']>(entries: readonly LedgerEntry[], type: T): EntryOf<T>[] =>
  entries.filter((entry): entry is EntryOf<T> => entry.type === type);

/** Whether the account is there, and not erased. */
async function lives(db: Kysely<Tables>, account: number): Promise<boolean> {
  const found = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', account)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** The scopes that are over by now. */
const closedIn = (entries: readonly LedgerEntry[]): ReadonlySet<string> =>
  new Set(ofType(entries, 'scope_closed').map(({ scope }) => scope));

/** Creates the scopes that are missing, empty and open to what devices bring back. Returns how many. */
export async function recreateScopes(
  db: Kysely<Tables>,
  entries: readonly LedgerEntry[],
  now: number,
): Promise<number> {
  let made = 0;
  const closed = closedIn(entries);
  for (const { scope, owner, root, at } of ofType(entries, 'scope_created')) {
    const id = scope as Id;
    const known = await db.selectFrom('scope').select('id').where('id', '=', id).executeTakeFirst();
    if (known !== undefined || !(await lives(db, owner))) continue;
    const { newest } = await db
      .selectFrom('generation')
      .select((select) => select.fn.max<number | null>('idx').as('newest'))
      .executeTakeFirstOrThrow();
    const empty = { version: 0, horizon: 0, digest: emptyDigest, generation: newest ?? 0, updated_clock: 0 };
    await db
      .insertInto('scope')
      .values({
        id,
        kind: 'list',
        owner,
        ...empty,
        healing_until: healingFrom(now),
        root: root as Id,
        min_schema: SHARED_PROTOCOL,
      })
      .execute();
    await addMember(db, { scope: id, account: owner, role: 'owner', joined_at: at });
    await recreateRecord(db, { scope: id, list: root as Id, author: owner, at }, closed.has(scope));
    made += 1;
  }
  return made;
}

/** What was known of a shared list: who belongs to it is written anew into its rows (sharing/settling.ts). */
async function recreateRecord(
  db: Kysely<Tables>,
  of: { readonly scope: Id; readonly list: Id; readonly author: number; readonly at: number },
  isClosed: boolean,
): Promise<void> {
  const { at, ...rest } = of;
  const counts = { total: 0, wanted: 1, settled: 0, created_at: at };
  const state = isClosed ? 'closed' : 'open';
  await db
    .insertInto('shared_list')
    .values({ ...rest, ...counts, state, closed_at: isClosed ? at : null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Ends what had ended of shared lists: scopes that are over, and links. Gives lists the owners that they had last. Returns how
 * much changed.
 */
export async function replaySharing(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<number> {
  let changed = 0;
  for (const { scope, at } of ofType(entries, 'scope_closed')) {
    const { numUpdatedRows } = await db
      .updateTable('shared_list')
      .set({ state: 'closed', closed_at: at })
      .where('scope', '=', scope as Id)
      .where('state', '!=', 'closed')
      .executeTakeFirst();
    changed += Number(numUpdatedRows);
  }
  for (const { hash, at } of ofType(entries, 'link_ended')) {
    const { numUpdatedRows } = await db
      .updateTable('list_invitation')
      .set({ revoked_at: at })
      .where('token_hash', '=', Buffer.from(hash, 'hex'))
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    changed += Number(numUpdatedRows);
  }
  return changed + (await replayPublicLinks(db, entries));
}

/** Deletes public links that had been deleted. Returns how many. */
async function replayPublicLinks(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<number> {
  let changed = 0;
  for (const { hash, at } of ofType(entries, 'public_link_deleted')) {
    const { numUpdatedRows } = await db
      .updateTable('public_link')
      .set({ deleted_at: at })
      .where('token_hash', '=', Buffer.from(hash, 'hex'))
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    changed += Number(numUpdatedRows);
  }
  return changed;
}

/** Called after the members are what they were. Returns how many lists have another owner. */
export async function replayOwners(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<number> {
  const last = new Map(ofType(entries, 'scope_handed').map((entry) => [entry.scope as Id, entry.account]));
  let changed = 0;
  for (const [scope, account] of last) {
    const found = await db
      .selectFrom('scope')
      .innerJoin('member', (join) =>
        join.onRef('member.scope', '=', 'scope.id').on('member.account', '=', account),
      )
      .select('scope.owner')
      .where('scope.id', '=', scope)
      .executeTakeFirst();
    if (found === undefined || found.owner === account) continue;
    await db.transaction().execute(async (tx) => {
      await setOwner(tx, scope, account);
      await wantSettling(tx, [scope]);
    });
    changed += 1;
  }
  return changed;
}

/** Ends memberships that had ended, and gives back those that had begun. Returns how many changed. */
export async function replayMemberships(
  db: Kysely<Tables>,
  entries: readonly LedgerEntry[],
): Promise<number> {
  const last = new Map<string, EntryOf<'membership_left'> | EntryOf<'membership_joined'>>();
  for (const entry of entries)
    if (entry.type === 'membership_left' || entry.type === 'membership_joined')
      last.set(`${entry.scope}${entry.account}`, entry);
  let changed = 0;
  for (const { type, scope: id, account, at } of last.values()) {
    const scope = id as Id;
    if (type === 'membership_left') {
      if (await removeMember(db, { scope, account, at })) changed += 1;
      continue;
    }
    const known = await db.selectFrom('scope').select('id').where('id', '=', scope).executeTakeFirst();
    if (known === undefined || !(await lives(db, account))) continue;
    if (await addMember(db, { scope, account, role: 'member', joined_at: at })) changed += 1;
  }
  return changed;
}

/** The moves that the database has lost. */
async function movesDue(db: Kysely<Tables>, entries: readonly LedgerEntry[]): Promise<EntryOf<'moved'>[]> {
  const last = new Map<string, EntryOf<'moved'>>();
  for (const entry of ofType(entries, 'moved')) last.set(entry.root, entry);
  const due: EntryOf<'moved'>[] = [];
  for (const move of last.values()) {
    const held = await db
      .selectFrom('directory')
      .innerJoin('entity', (join) =>
        join.onRef('entity.scope', '=', 'directory.scope').onRef('entity.id', '=', 'directory.id'),
      )
      .select('entity.hops')
      .where('directory.id', '=', move.root as Id)
      .executeTakeFirst();
    // As many hops or more: it has moved, and maybe on since.
    if (held !== undefined && held.hops < move.hops) due.push(move);
  }
  return due;
}

interface ReplayStores {
  readonly db: Kysely<Tables>;
  readonly store: Pick<Store, 'write' | 'openGeneration'>;
}

/** Moves lists with all that is beneath them to the scope where they last were. Returns how many. */
export async function replayMoves(
  { db, store }: ReplayStores,
  entries: readonly LedgerEntry[],
  now: number,
): Promise<number> {
  const due = await movesDue(db, entries);
  if (due.length === 0) return 0;
  const generation = await anotherGeneration(store, now);
  let changed = 0;
  for (const move of due) {
    const joined = await joinedIn(db, move.to as Id);
    if (await store.write((tx) => replayMove(tx, move, { now, generation, joined }))) changed += 1;
  }
  return changed;
}

/** What is written now is not what devices saw under the same versions before the restore. */
async function anotherGeneration(store: Pick<Store, 'openGeneration'>, now: number): Promise<number> {
  return (await store.openGeneration(randomUUID(), now)).at(-1)?.index ?? 0;
}

/**
 * Carries to its end what a restore has put back on its way into a list that others have joined, which they do once it is whole: a
 * task that is still where they may not read they would take for lost. Returns how many moves that were.
 */
export async function completeMoves(
  { db, store }: ReplayStores & { readonly store: Pick<Store, 'transfers'> },
  now: number,
): Promise<number> {
  const joined = await db
    .selectFrom('shared_list')
    .innerJoin('member', 'member.scope', 'shared_list.scope')
    .select('shared_list.list')
    .where('shared_list.state', '=', 'filling')
    .where('member.role', '=', 'member')
    .execute();
  const lists = new Set(joined.map(({ list }) => list));
  const due = lists.size === 0 ? [] : (await store.transfers()).filter(({ root }) => lists.has(root));
  if (due.length === 0) return 0;
  const generation = await anotherGeneration(store, now);
  for (const transfer of due) await store.write((tx) => carryAll(tx, transfer, { now, generation }));
  return due.length;
}

interface Moment {
  readonly now: number;
  readonly generation: number;
  /** When the members of the scope joined to which something moves, by their personal scopes. */
  readonly joined: ReadonlyMap<Id, number>;
}

async function joinedIn(db: Kysely<Tables>, scope: Id): Promise<ReadonlyMap<Id, number>> {
  const members = await db
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account')
    .select(['account.personal_scope', 'member.joined_at'])
    .where('member.scope', '=', scope)
    .execute();
  return new Map(members.map((member) => [member.personal_scope, member.joined_at]));
}

async function replayMove(tx: WriteTransaction, move: EntryOf<'moved'>, moment: Moment): Promise<boolean> {
  const [root, to] = [move.root as Id, move.to as Id];
  const held = (await tx.whereabouts([root])).get(root);
  if (held === undefined || held === to) return false;
  const heads = await tx.lockScopes([held, to]);
  const [before, target] = [heads.get(held), heads.get(to)];
  const rows = await tx.tree(held, root, MOST_ROWS);
  const top = rows.find(({ id }) => id === root);
  if (before === undefined || target === undefined || top === undefined) return false;
  for (const scope of [held, to]) await tx.raiseMinSchema(scope, SCOPES_PROTOCOL);
  await tx.save(await movedBatch(tx, { ...moment, rows, top, from: before, to: target, at: move.at }));
  return true;
}

interface Moving extends Moment {
  readonly rows: readonly Row[];
  readonly top: Row;
  readonly from: ScopeRecord;
  readonly to: ScopeRecord;
  /** When it moved. */
  readonly at: number;
}

/** A row as it was, if it was, and as it is written. */
interface Change {
  readonly before: Row | undefined;
  readonly after: Row;
}

/**
 * What becomes of the labels of rows that move, as with every move: labels that are missing there are made, and private ones go
 * into their person's own rows, which are in the one of the scopes that is a person's.
 */
async function labelsOf(tx: WriteTransaction, { rows, from, to, at }: Moving) {
  const home = from.kind === 'personal' ? from : to;
  const side = ({ id, kind }: ScopeRecord) => ({ id, kind, written: () => [] });
  const labels = await moveLabels(tx, rows, {
    account: home.owner,
    from: side(from),
    to: side(to),
    noted: [],
  });
  const writerIn = ({ version }: ScopeRecord) => ({
    version: version + 1,
    stamp: [version + 1, at, 0, 0] as const,
  });
  const made = labels.plan.made(writerIn(to)).map((after): Change => ({ before: undefined, after }));
  const own: Change[] = [];
  for (const [task, put] of labels.own) {
    const id = mineId(home.id, task);
    const want = { rows: [{ scope: home.id, id }], ancestors: [], siblings: [] };
    const held = (await tx.load(want)).rows.get(id);
    // One that was purged is never used again.
    if (held?.type === 'tombstone') continue;
    const before = held?.type === 'row' ? held.row : undefined;
    const after = withOwnLabels(before, { scope: home.id, task, labels: put }, writerIn(home));
    if (after !== undefined) own.push({ before, after });
  }
  return { labels, made, own, home };
}

/** A scope with what is written in it. */
class Side {
  readonly rows: Row[] = [];
  readonly digest: DigestSum;
  #updatedClock: number;
  readonly #head: ScopeRecord;
  readonly #now: number;

  constructor(head: ScopeRecord, now: number) {
    this.#head = head;
    this.#now = now;
    this.#updatedClock = head.updatedClock;
    this.digest = new DigestSum(head.digest);
  }

  /** By the time of change a device knows the row from what it took along with the news that it moved. */
  write({ before, after }: Change): void {
    this.#updatedClock = Math.max(this.#now, this.#updatedClock + 1, (before ?? after).updatedAt + 1);
    if (before !== undefined && before.scope === this.#head.id) this.digest.remove(before.id, before.version);
    this.digest.add(after.id, after.version);
    this.rows.push(asRow({ ...after, updatedAt: this.#updatedClock }));
  }

  after(generation: number): ScopeRecord {
    const { version } = this.#head;
    const healingUntil = healingFrom(this.#now);
    const rest = { version: version + 1, updatedClock: this.#updatedClock, generation, healingUntil };
    return { ...this.#head, digest: this.digest.value, ...rest };
  }
}

/** A list that goes into a scope of its own leaves its place in the sidebar to its mount, if there is none yet. */
async function missingMount(
  tx: WriteTransaction,
  { top, from, joined }: Moving,
): Promise<Change | undefined> {
  const id = mountId(from.id, top.id);
  const [joinedAt, place] = [joined.get(from.id), placeOf(top)];
  if (joinedAt === undefined || place === undefined) return undefined;
  const want = { rows: [{ scope: from.id, id }], ancestors: [], siblings: [] };
  if ((await tx.load(want)).rows.get(id)?.type === 'row') return undefined;
  const [, placedAt] = registerStamp(top, 'place');
  const [type, fields] = ['mount', { of: top.id, joinedAt, place }] as const;
  const version = from.version + 1;
  const stamp = [version, placedAt, 0, 0] as const;
  const row = { id, type, scope: from.id, version, fields, stamp, createdAt: joinedAt, updatedAt: 0 };
  return { before: undefined, after: asRow(row) };
}

async function movedBatch(tx: WriteTransaction, moving: Moving): Promise<WriteBatch> {
  const { rows, top, from, to, now, generation } = moving;
  const [left, version] = [from.version + 1, to.version + 1];
  const parent = listsRoot(to.id);
  const query = { scope: to.id, parent, from: null, direction: 'descending', limit: 1 } as const;
  const [[last] = []] = (await tx.load({ rows: [], ancestors: [], siblings: [query] })).siblings;
  const place = { parent, key: generateKeyBetween(last?.key ?? null, null) };
  const { labels, made, own, home } = await labelsOf(tx, moving);
  const [here, there] = [new Side(from, now), new Side(to, now)];
  for (const change of made) there.write(change);
  for (const change of own) (home === from ? here : there).write(change);
  const mount = await missingMount(tx, moving);
  if (mount !== undefined) here.write(mount);
  // As old as the place that it had: where somebody has put it since, their devices bring back.
  const [, placedAt] = registerStamp(top, 'place');
  const departures: Departure[] = [];
  for (const row of rows) {
    const arrival = { scope: to.id, version, hops: (row.hops ?? 0) + 1 };
    const moved = arrived(labels.there(row), arrival);
    here.digest.remove(row.id, row.version);
    const hash = row.type === 'attachment' ? row.fields.hash : undefined;
    const way = { scope: from.id, to: to.id, left, at: now, version, was: row.version };
    departures.push({ ...way, id: row.id, hops: arrival.hops, ...(hash === undefined ? {} : { hash }) });
    const after = row === top ? withRegister(moved, 'place', place, [version, placedAt, 0, 0]) : moved;
    there.write({ before: row, after });
  }
  return {
    scopes: [here.after(generation), there.after(generation)],
    scopeGenerations: [from, to].map((scope) => ({
      scope: scope.id,
      generation: scope.generation,
      maxVersion: scope.version,
    })),
    rows: [...here.rows, ...there.rows],
    tombstones: [],
    departures,
    devices: [],
    results: [],
    forgetResults: [],
    history: [],
    labelTwins: labels.plan.twins,
  };
}
