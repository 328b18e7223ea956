// Makes rows and scopes follow what is recorded about shared lists: who belongs to them, and whether they are on their way into
// their scope or back. Every step may be repeated, so that a server that was killed anywhere goes on from what is there.
import type { Kysely } from 'kysely';
import { mountId, type Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { removeMember } from '../data/members.ts';
import type { Store } from '../data/store.ts';
import type { Tables } from '../data/tables.ts';
import type { Bus } from '../live/bus.ts';
import type { PlanRefusal } from '#api/ports.ts';
import type { Exchange } from '../sync/exchange.ts';
import { beginList, keptDirectory } from '../sealing/list-sealing.ts';
import { isOpened } from '../sealing/opened-lists.ts';
import { SHARED_PROTOCOL } from '../sync/readership.ts';
import type { LedgerNotes } from './ledger-notes.ts';
import {
  membersPlan,
  mountPlan,
  returnPlan,
  serverFor,
  sharePlan,
  sharingDevice,
  type Author,
  type MemberState,
  type Moving,
} from './plans.ts';
import type { Profiles } from './profiles.ts';
import { isMoving, recordIn, whereIs, type SharedRecord } from './records.ts';

export interface SettlingPorts {
  readonly db: Kysely<Tables>;
  readonly store: Pick<Store, 'createScope' | 'scope'>;
  readonly exchange: Pick<Exchange, 'carryOut' | 'rework'>;
  readonly profiles: Profiles;
  readonly ledger: LedgerNotes;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => Id;
}

/** Settles shared lists. */
export interface Settling {
  /** One of them, as far as that goes now: a large one is still on its way afterwards. */
  settle(scope: Id): Promise<void>;
  /** Those that come out of a person's own scope. */
  ofOwner(personal: Id): Promise<void>;
  /** All that are not settled. What fails is tried again by the next call; `onError` hears of it. */
  all(onError: (error: unknown) => void): Promise<void>;
}

const LEFT: Partial<MemberState> = { name: null, initials: null, emoji: null, color: null };

class SettlingLists implements Settling {
  readonly #ports: SettlingPorts;
  readonly #running = new Map<Id, Promise<void>>();
  /** Moves that this process has written into the ledger. */
  readonly #noted = new Set<string>();

  constructor(ports: SettlingPorts) {
    this.#ports = ports;
  }

  /** One after another for a list: what was recorded before the call is settled when it resolves. */
  settle(scope: Id): Promise<void> {
    const before = this.#running.get(scope) ?? Promise.resolve();
    const work = before.catch(() => undefined).then(() => this.#settle(scope));
    this.#running.set(scope, work);
    const forget = () => {
      if (this.#running.get(scope) === work) this.#running.delete(scope);
    };
    work.then(forget, forget);
    return work;
  }

  async ofOwner(personal: Id): Promise<void> {
    const { db } = this.#ports;
    const waiting = await db
      .selectFrom('shared_list')
      .innerJoin('account', 'account.id', 'shared_list.author')
      .select('shared_list.scope')
      .where('account.personal_scope', '=', personal)
      .where('shared_list.state', '=', 'filling')
      .execute();
    for (const { scope } of waiting) await this.settle(scope);
  }

  async all(onError: (error: unknown) => void): Promise<void> {
    const open = await this.#ports.db
      .selectFrom('shared_list')
      .select('scope')
      .whereRef('settled', '<', 'wanted')
      .execute();
    for (const { scope } of open) await this.settle(scope).catch(onError);
  }

  async #settle(scope: Id): Promise<void> {
    const { db, bus, ledger } = this.#ports;
    if ((await recordIn(db, scope))?.state === 'emptying') await this.#removeOthers(scope);
    const record = await recordIn(db, scope);
    if (record === undefined || record.settled >= record.wanted) return;
    await ledger.catchUp(scope);
    const isDone = await this.#advance(record);
    const members = await db.selectFrom('member').select('account').where('scope', '=', scope).execute();
    bus.publish({ type: 'roles', accounts: members.map(({ account }) => account) });
    if (!isDone) return;
    await db
      .updateTable('shared_list')
      .set({ settled: record.wanted })
      .where('scope', '=', scope)
      .where('settled', '<', record.wanted)
      .execute();
  }

  /** False: its tasks are on their way. */
  async #advance(record: SharedRecord): Promise<boolean> {
    if (record.state === 'filling' && !(await this.#fill(record))) return false;
    await this.#members(record);
    return record.state !== 'emptying' || (await this.#empty(record));
  }

  /** Makes the scope, and moves the list there. */
  async #fill(record: SharedRecord): Promise<boolean> {
    const { db, store, ledger } = this.#ports;
    const { scope, list, author, created_at: at } = record;
    if ((await store.scope(scope)) === null) {
      if ((await this.#authorOf(author)) === null) return this.#abandon(record);
      await ledger.record([{ type: 'scope_created', at, scope, owner: author, root: list }]);
      const made = { id: scope, kind: 'list', owner: author, root: list, at } as const;
      await store.createScope({ ...made, minSchema: SHARED_PROTOCOL });
      // Their open devices may read it before anything moves there: else they would hear that the list is gone.
      this.#ports.bus.publish({ type: 'roles', accounts: [author] });
    }
    // One that stays encrypted is sealed before anything is in it.
    if (record.keys !== null) await beginList(this.#ports, scope, keptDirectory(record.keys));
    const moving = await this.#movingOf(record);
    if (moving === null) return this.#abandon(record);
    if ((await whereIs(db, list))?.scope !== scope) {
      const refused = await this.#share(moving, at);
      if (refused !== null && (await whereIs(db, list))?.scope !== scope) {
        // Devices of its owner are still opening it.
        const isWaiting = isByKeys(refused) && (await this.#isOpened(moving));
        return isWaiting ? false : this.#abandon(record);
      }
    }
    await this.#noteMove(list, moving.owner.personal, scope);
    if (await isMoving(db, list)) return false;
    await this.#state(record, 'open');
    return true;
  }

  async #isOpened({ owner, list }: Moving): Promise<boolean> {
    const own = await this.#ports.store.scope(owner.personal);
    return own !== null && isOpened(own, list);
  }

  async #share(moving: Moving, joinedAt: number): Promise<PlanRefusal | null> {
    const { profiles, exchange, newId } = this.#ports;
    const { owner, scope } = moving;
    const person = await profiles.of(owner.account);
    const plan = sharePlan(moving, { ...person, role: 'owner', joinedAt }, newId);
    const actor = serverFor(owner, [
      [owner.personal, 'owner'],
      [scope, 'owner'],
    ]);
    return await exchange.carryOut(actor, sharingDevice(owner.account), plan);
  }

  /** Moves the list back to its owner, and closes its scope. */
  async #empty(record: SharedRecord): Promise<boolean> {
    const { db } = this.#ports;
    const { scope, list } = record;
    const moving = await this.#movingOf(record);
    if (moving !== null && (await whereIs(db, list))?.scope === scope) {
      const refused = (await this.#return(moving, false)) && (await this.#return(moving, true));
      if (refused !== null && (await whereIs(db, list))?.scope === scope)
        throw new Error('A list could not go back to its owner');
    }
    if (moving !== null) await this.#noteMove(list, scope, moving.owner.personal);
    if (await isMoving(db, list)) return false;
    await this.#close(record);
    return true;
  }

  #return(moving: Moving, isTop: boolean): Promise<PlanRefusal | null> {
    const { exchange, newId } = this.#ports;
    const { owner, scope } = moving;
    const actor = serverFor(owner, [
      [owner.personal, 'owner'],
      [scope, 'owner'],
    ]);
    return exchange.carryOut(actor, sharingDevice(owner.account), returnPlan(moving, isTop, newId));
  }

  /** A list that goes back is its owner's alone, also if the process ended before it had said so. */
  async #removeOthers(scope: Id): Promise<void> {
    const { db, store, ledger, bus, clock } = this.#ports;
    const owner = (await store.scope(scope))?.owner;
    const members = await db.selectFrom('member').select('account').where('scope', '=', scope).execute();
    const others = members.map(({ account }) => account).filter((account) => account !== owner);
    const at = Math.round(clock.now());
    for (const account of others) {
      await removeMember(db, { account, scope, at });
      await ledger.record([{ type: 'membership_left', at, scope, account }]);
    }
    if (others.length > 0) bus.publish({ type: 'roles', accounts: others });
  }

  /** What was to be shared is not there anymore: nothing has moved. */
  async #abandon(record: SharedRecord): Promise<boolean> {
    const { db, clock } = this.#ports;
    const { scope } = record;
    await this.#close(record);
    const at = Math.round(clock.now());
    const members = await db.selectFrom('member').select('account').where('scope', '=', scope).execute();
    for (const { account } of members) await removeMember(db, { account, scope, at });
    return true;
  }

  async #close(record: SharedRecord): Promise<void> {
    const { ledger, clock } = this.#ports;
    const at = Math.round(clock.now());
    await ledger.record([{ type: 'scope_closed', at, scope: record.scope }]);
    await this.#state(record, 'closed', at);
  }

  async #state({ scope, state: before }: SharedRecord, state: SharedRecord['state'], closedAt?: number) {
    await this.#ports.db
      .updateTable('shared_list')
      .set({ state, ...(closedAt === undefined ? {} : { closed_at: closedAt }) })
      .where('scope', '=', scope)
      .where('state', '=', before)
      .execute();
  }

  async #noteMove(root: Id, from: Id, to: Id): Promise<void> {
    const { db, ledger, clock } = this.#ports;
    const where = await whereIs(db, root);
    const move = `${root} ${where?.hops}`;
    if (where?.scope !== to || this.#noted.has(move)) return;
    const at = Math.round(clock.now());
    await ledger.record([{ type: 'moved', at, root, from, to, hops: where.hops }]);
    this.#noted.add(move);
  }

  async #movingOf({ scope, list }: SharedRecord): Promise<Moving | null> {
    const owner = await this.#ownerOf(scope);
    return owner === null ? null : { owner, list, scope };
  }

  async #ownerOf(scope: Id): Promise<Author | null> {
    const head = await this.#ports.store.scope(scope);
    return head === null ? null : this.#authorOf(head.owner);
  }

  async #authorOf(account: number): Promise<Author | null> {
    const row = await this.#ports.db
      .selectFrom('account')
      .select('personal_scope')
      .where('id', '=', account)
      .executeTakeFirst();
    return row === undefined ? null : { account, personal: row.personal_scope };
  }

  /** The rows of members, and the places that the list has in their sidebars. */
  async #members({ scope, list, state }: SharedRecord): Promise<void> {
    const { db, exchange, newId } = this.#ports;
    const owner = await this.#ownerOf(scope);
    if (owner === null) return;
    const wanted = await this.#memberStates(scope);
    const actor = serverFor(owner, [[scope, 'owner']]);
    const plan = membersPlan(scope, wanted, newId);
    accept(await exchange.carryOut(actor, sharingDevice(owner.account), plan));
    if (state === 'emptying' || state === 'closed') return;
    const members = await db
      .selectFrom('member')
      .innerJoin('account', 'account.id', 'member.account')
      .select(['member.account', 'member.joined_at', 'account.personal_scope'])
      .where('member.scope', '=', scope)
      .execute();
    for (const { account, joined_at: joinedAt, personal_scope: personal } of members)
      await this.#mount({ account, personal }, list, joinedAt);
  }

  async #mount(author: Author, list: Id, joinedAt: number): Promise<void> {
    const { db, exchange, newId } = this.#ports;
    const { account, personal } = author;
    const known = await db
      .selectFrom('entity')
      .select('fields')
      .where('scope', '=', personal)
      .where('id', '=', mountId(personal, list))
      .executeTakeFirst();
    if (known !== undefined && JSON.parse(known.fields).joinedAt === joinedAt) return;
    const plan = mountPlan({ personal, list, joinedAt }, newId);
    const actor = serverFor(author, [[personal, 'owner']]);
    accept(await exchange.carryOut(actor, sharingDevice(account), plan));
  }

  /** What the rows of all members are to say, those of former ones too. */
  async #memberStates(scope: Id): Promise<Parameters<typeof membersPlan>[1]> {
    const { db, profiles, clock } = this.#ports;
    const members = await db.selectFrom('member').selectAll().where('scope', '=', scope).execute();
    const former = await db.selectFrom('former_member').selectAll().where('scope', '=', scope).execute();
    const rows = await db
      .selectFrom('entity')
      .select(['id', 'fields'])
      .where('scope', '=', scope)
      .where('type', '=', 'member')
      .execute();
    const people = await profiles.all(members.map(({ account }) => account));
    const present = members.map(({ account, role, joined_at: joinedAt }) => {
      const { name, initials, emoji, color } = people.get(account) ?? { ...LEFT };
      return { account, state: { name, initials, emoji, color, role, joinedAt, leftAt: null } };
    });
    const isPresent = new Set(members.map(({ account }) => account));
    const leftAt = new Map(former.map(({ account, left_at: at }) => [account, at]));
    const gone = rows.flatMap(({ fields }) => {
      const { account, leftAt: known } = JSON.parse(fields) as { account: number; leftAt?: number };
      if (isPresent.has(account)) return [];
      const at = leftAt.get(account);
      // Of an erased account nothing stays but that somebody was there.
      const state = at === undefined ? { ...LEFT, leftAt: known ?? Math.round(clock.now()) } : { leftAt: at };
      return [{ account, state: { ...state, role: 'member' as const } }];
    });
    return [...present, ...gone];
  }
}

const isByKeys = (refused: PlanRefusal): boolean =>
  typeof refused !== 'string' && refused.verdict === 'encrypted';

function accept(refused: PlanRefusal | null): void {
  if (refused === null) return;
  const why = typeof refused === 'string' ? refused : refused.verdict;
  throw new Error(`What the server writes about a shared list was refused: ${why}`);
}

/** Nothing is settled before it is asked for. */
export function createSettling(ports: SettlingPorts): Settling {
  return new SettlingLists(ports);
}
