// Sharing a list, joining and leaving it: what may be done, what is recorded first, and what the person is told. Rows and
// scopes follow what is recorded (settling.ts). Not here: HTTP (routes.ts), links themselves (invite-links.ts).
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { MemberRole } from '#core/model.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Clock } from '#sync/replica/ports.ts';
import {
  inviteDays,
  mostMembers,
  mostSharedLists,
  type EncryptedList,
  type JoinedList,
  type ListInvitation,
  type SharedList,
} from '#wire/sharing.ts';
import { sealingLimits } from '#wire/sealing.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import { ending, type Ledger, type LedgerEntry } from '../care/ledger.ts';
import type { EssentialWrites } from '../care/room.ts';
import { removeMemberIn, setOwner, wantSettling } from '../data/members.ts';
import type { ScopeRecord, Store } from '../data/store.ts';
import { isOfNow, keysIn, type LinkStore } from '../public-links/links.ts';
import type { Tables } from '../data/tables.ts';
import type { Bus } from '../live/bus.ts';
import { canBegin } from '../sealing/list-sealing.ts';
import { isAwaited, isOpened } from '../sealing/opened-lists.ts';
import type { Invitation, InviteLinks } from './invite-links.ts';
import { joinBy } from './joining.ts';
import type { Profiles } from './profiles.ts';
import {
  membersIn,
  isMoving,
  recordIn,
  recordOf,
  rowsBeneath,
  hasMail,
  rowsIn,
  sealedBeneath,
  sharedListsOf,
  whereIs,
  type SharedRecord,
} from './records.ts';
import { isSharable, listIn } from './root-list.ts';
import type { Settling } from './settling.ts';
import {
  problem,
  UNKNOWN,
  NOT_OWNER,
  NO_LINK,
  BUSY,
  ENCRYPTED,
  TOO_LARGE,
  TOO_LARGE_TO_RETURN,
  UNVERIFIED,
  NO_KEYS,
  NOT_ENCRYPTED,
  NOT_SEALED,
  SHARED_OPENLY,
  type SharingProblem,
} from './sharing-problems.ts';

type Answer<T> = Promise<Result<T, SharingProblem>>;
/** How a list is shared, without what every answer has. */
export type SharedState = Omit<SharedList, 'success'>;

export interface SharedListPorts {
  readonly db: Kysely<Tables>;
  readonly store: Pick<Store, 'scope'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => Id;
  readonly profiles: Profiles;
  readonly links: InviteLinks;
  /** They end when a list is made private. */
  readonly publicLinks: Pick<LinkStore, 'all' | 'end'>;
  readonly settling: Settling;
  readonly ledger: Pick<Ledger, 'record'>;
  readonly room: EssentialWrites;
  readonly bus: Pick<Bus, 'publish'>;
  /** Carries out the moves of large trees; resolves when none is left. */
  readonly moved: () => Promise<void>;
}

/** What people do with shared lists. Each call may be repeated: the second time it changes nothing. */
export interface SharedLists {
  see(actor: AccountActor, list: Id): Answer<SharedState>;
  /** `invites`: with a link that invites to it, if there was none ever. */
  share(actor: AccountActor, list: Id, invites?: boolean): Answer<SharedState>;
  /** Shares a list of an encrypted account, which stays encrypted: in a scope with keys of its own. */
  keep(actor: AccountActor, list: Id, encrypted: EncryptedList): Answer<SharedState>;
  /** A new link; `days`: until it expires, null for never. */
  newLink(actor: AccountActor, list: Id, days: number | null): Answer<SharedState>;
  endLink(actor: AccountActor, list: Id): Answer<SharedState>;
  leave(actor: AccountActor, list: Id): Answer<null>;
  remove(actor: AccountActor, list: Id, account: number): Answer<SharedState>;
  handOver(actor: AccountActor, list: Id, account: number): Answer<SharedState>;
  makePrivate(actor: AccountActor, list: Id): Answer<SharedState>;
  /** What an invitation is to. Never joins: chat programs look at links, too. */
  invitation(actor: AccountActor, token: string): Answer<Omit<ListInvitation, 'success'>>;
  join(actor: AccountActor, token: string): Answer<Omit<JoinedList, 'success'>>;
}

/** A list that is shared, and what the actor is to it. */
interface Found {
  readonly record: SharedRecord;
  readonly role: MemberRole;
}

class StoredSharedLists implements SharedLists {
  readonly #ports: SharedListPorts;

  constructor(ports: SharedListPorts) {
    this.#ports = ports;
  }

  async see(actor: AccountActor, list: Id): Answer<SharedState> {
    const found = await this.#find(actor, list, 'see');
    if (found.ok) return ok(await this.#state(found.value));
    const isOwn = await isSharable(this.#ports.db, actor.personalScope, list);
    return isOwn ? ok(privately(actor, list)) : found;
  }

  async keep(actor: AccountActor, list: Id, encrypted: EncryptedList): Answer<SharedState> {
    const known = await recordOf(this.#ports.db, list);
    if (known !== undefined && known.keys === null) return SHARED_OPENLY;
    return await this.#share(actor, list, { invites: true, encrypted });
  }

  share(actor: AccountActor, list: Id, invites = true): Answer<SharedState> {
    return this.#share(actor, list, { invites });
  }

  async #share(
    actor: AccountActor,
    list: Id,
    { invites, encrypted }: { readonly invites: boolean; readonly encrypted?: EncryptedList },
  ): Answer<SharedState> {
    const { db, settling } = this.#ports;
    const known = await recordOf(db, list);
    const refused = known === undefined ? await this.#begin(actor, list, encrypted) : null;
    if (refused !== null) return failed(refused);
    const record = known ?? (await recordOf(db, list));
    if (record === undefined) return UNKNOWN;
    if (known !== undefined && known.author !== actor.account) {
      const found = await this.#find(actor, list, 'see');
      if (!found.ok) return found;
    }
    if (record.state === 'emptying') return BUSY;
    const isFollowed = known !== undefined && (await isMoving(db, list));
    if (!isFollowed) await settling.settle(record.scope);
    const after = await recordOf(db, list);
    const role = await this.#roleIn(record.scope, actor.account);
    if (after === undefined || role === null)
      return problem('conflict', 'This list was moved or deleted meanwhile, so it was not shared.');
    const { links } = this.#ports;
    const days = inviteDays;
    if (invites) await links.begin({ scope: record.scope, account: actor.account, days });
    if (after.state === 'filling' && !isFollowed) this.#follow(record.scope);
    return ok(await this.#state({ record: after, role }));
  }

  /** Records that a list is to be shared. Of two devices that do so at once one comes first, and the other one joins in. */
  async #begin(
    { account, personalScope }: AccountActor,
    list: Id,
    encrypted?: EncryptedList,
  ): Promise<SharingProblem | null> {
    const { db, store, newId, clock } = this.#ports;
    const asProblem = (of: typeof UNKNOWN) => (of.ok ? null : of.problem);
    const there = await listIn(db, personalScope, list);
    // A scope and a list of one id would be each other's top.
    if (there === null || (await store.scope(list)) !== null) return asProblem(UNKNOWN);
    if (there.listType !== 'list')
      return {
        code: 'invalid',
        message: 'Only lists with tasks of their own can be shared. Open one, and share that.',
      };
    if (!(await isSharable(db, personalScope, list)))
      return { code: 'conflict', message: 'This list is in the trash. Restore it first, then share it.' };
    const own = await store.scope(personalScope);
    if (encrypted !== undefined) {
      const id = encrypted.scope as Id;
      const isFree = (await store.scope(id)) === null && (await whereIs(db, id)) === undefined && id !== list;
      if (!isFree || !canBegin(id, encrypted.directory)) return asProblem(NO_KEYS);
      if (own?.sealing?.phase !== 'sealed') return asProblem(NOT_ENCRYPTED);
    } else if (isSealed(own)) {
      if (own === null || !isOpened(own, list)) return asProblem(ENCRYPTED);
      if ((await rowsBeneath(db, personalScope, list)) > sealingLimits.openedRows)
        return asProblem(TOO_LARGE);
    }
    if (!(await this.#isVerified(account))) return asProblem(UNVERIFIED);
    if ((await sharedListsOf(db, account)) >= mostSharedLists)
      return {
        code: 'conflict',
        message: `You have ${mostSharedLists} shared lists, which is the most. Leave one, or make one private again, first.`,
      };
    await db
      .insertInto('shared_list')
      .values({
        scope: (encrypted?.scope as Id | undefined) ?? newId(),
        keys: encrypted === undefined ? null : JSON.stringify(encrypted.directory),
        list,
        author: account,
        state: 'filling',
        total: await rowsBeneath(db, personalScope, list),
        wanted: 1,
        settled: 0,
        created_at: Math.round(clock.now()),
        closed_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return null;
  }

  async newLink(actor: AccountActor, list: Id, days: number | null): Answer<SharedState> {
    const found = await this.#find(actor, list, 'link');
    if (!found.ok) return found;
    const { record } = found.value;
    if (record.state === 'emptying') return BUSY;
    if (!(await this.#isVerified(actor.account))) return UNVERIFIED;
    await this.#ports.links.make({ scope: record.scope, account: actor.account, days });
    return ok(await this.#state(found.value));
  }

  async endLink(actor: AccountActor, list: Id): Answer<SharedState> {
    const found = await this.#find(actor, list, 'link');
    if (!found.ok) return found;
    await this.#ports.links.end(found.value.record.scope);
    return ok(await this.#state(found.value));
  }

  async leave(actor: AccountActor, list: Id): Answer<null> {
    const found = await this.#find(actor, list, 'leave');
    if (!found.ok) {
      const left = await this.#leftScope(actor.account, list);
      if (left === null) return found;
      await this.#ports.settling.settle(left);
      return ok(null);
    }
    const { record, role } = found.value;
    if (role === 'owner')
      return problem(
        'conflict',
        'You own this list. Hand it over to a member first, or make it private again.',
      );
    await this.#end(record, [actor.account]);
    return ok(null);
  }

  async remove(actor: AccountActor, list: Id, account: number): Answer<SharedState> {
    const found = await this.#find(actor, list, 'manage');
    if (!found.ok) return found;
    const { record } = found.value;
    if (account === actor.account)
      return problem('invalid', 'You own this list. To leave it, hand it over to a member first.');
    const isMember = (await this.#roleIn(record.scope, account)) !== null;
    if (!isMember && (await this.#leftScope(account, list)) === null)
      return problem('not_found', "That person doesn't belong to this list.");
    if (isMember) await this.#end(record, [account]);
    else await this.#ports.settling.settle(record.scope);
    return ok(await this.#state(found.value));
  }

  async handOver(actor: AccountActor, list: Id, account: number): Answer<SharedState> {
    const found = await this.#find(actor, list, 'see');
    if (!found.ok) return found;
    const { record, role } = found.value;
    const { scope } = record;
    const { db, settling } = this.#ports;
    const present = await this.#roleIn(scope, account);
    if (present === 'owner') {
      await settling.settle(scope);
      return ok(await this.#state(found.value));
    }
    if (!authorise(actor, { type: 'sharing', what: 'manage', scope }).allowed || role !== 'owner')
      return NOT_OWNER;
    if (present === null)
      return problem('not_found', "That person doesn't belong to this list. Invite them first.");
    if (record.state !== 'open') return BUSY;
    await db.transaction().execute(async (tx) => {
      await setOwner(tx, scope, account);
      await wantSettling(tx, [scope]);
    });
    this.#ports.bus.publish({ type: 'roles', accounts: [actor.account, account] });
    await settling.settle(scope);
    return ok(await this.#state({ record, role: 'member' }));
  }

  async makePrivate(actor: AccountActor, list: Id): Answer<SharedState> {
    const { db, links, publicLinks, settling } = this.#ports;
    const found = await this.#find(actor, list, 'manage');
    if (!found.ok) {
      const isOwn = await isSharable(db, actor.personalScope, list);
      return isOwn && (await recordOf(db, list)) === undefined ? ok(privately(actor, list)) : found;
    }
    const { record, role } = found.value;
    const { scope } = record;
    if (record.state === 'filling') return BUSY;
    const own = await this.#ports.store.scope(actor.personalScope);
    if (isSealed(own) && (own === null || !isAwaited(own, list))) return ENCRYPTED;
    const isEncrypted = await this.#isEncrypted(record);
    if (isEncrypted && !isSealed(own)) return NOT_SEALED;
    // All that comes before the move has been done, and somebody waits for its end.
    if (record.state === 'emptying' && (await isMoving(db, list))) return ok(await this.#state(found.value));
    const total = await rowsIn(db, scope);
    if (isSealed(own) && !isEncrypted && total > sealingLimits.openedRows) return TOO_LARGE_TO_RETURN;
    await links.end(scope);
    await publicLinks.end(await publicLinks.all(scope));
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('shared_list')
        .set((row) => ({ state: 'emptying' as const, total, wanted: row('wanted', '+', 1) }))
        .where('scope', '=', scope)
        .where('state', '=', 'open')
        .execute();
    });
    const others = await db
      .selectFrom('member')
      .select('account')
      .where('scope', '=', scope)
      .where('account', '!=', actor.account)
      .execute();
    await this.#end(
      record,
      others.map(({ account }) => account),
    );
    await settling.settle(scope);
    const after = await recordOf(db, list);
    if (after === undefined) return ok(privately(actor, list));
    this.#follow(scope);
    return ok(await this.#state({ record: after, role }));
  }

  async invitation(actor: AccountActor, token: string): Answer<Omit<ListInvitation, 'success'>> {
    const invite = await this.#invite(actor, token);
    if (!invite.ok) return invite;
    const { link, list, name, isEncrypted } = invite.value;
    const { db, profiles } = this.#ports;
    return ok({
      listName: name,
      ...(isEncrypted ? { isEncrypted } : {}),
      inviter: await profiles.of(link.account),
      members: await membersIn(db, link.scope),
      list: (await this.#roleIn(link.scope, actor.account)) === null ? null : list,
    });
  }

  async join(actor: AccountActor, token: string): Answer<Omit<JoinedList, 'success'>> {
    const { db, clock, bus, settling } = this.#ports;
    const invite = await this.#invite(actor, token);
    if (!invite.ok) return invite;
    const { link, list } = invite.value;
    const { scope } = link;
    const { account } = actor;
    const at = Math.round(clock.now());
    if ((await this.#roleIn(scope, account)) === null) {
      if ((await sharedListsOf(db, account)) >= mostSharedLists)
        return problem(
          'conflict',
          `You have ${mostSharedLists} shared lists, which is the most. Leave one first.`,
        );
      const joined = await db.transaction().execute((tx) => joinBy(tx, link, { account, at }));
      if (joined === 'ended') return NO_LINK;
      if (joined === 'full')
        return problem('conflict', `This list has ${mostMembers} members, which is the most. Ask its owner.`);
      bus.publish({ type: 'roles', accounts: [account] });
    }
    await settling.settle(scope);
    return ok({ list, scope });
  }

  /** An invitation that this person may accept. */
  async #invite(
    { account }: AccountActor,
    token: string,
  ): Promise<
    Result<
      {
        readonly link: Invitation;
        readonly list: Id;
        readonly name: string;
        readonly isEncrypted: boolean;
      },
      SharingProblem
    >
  > {
    const { db, links } = this.#ports;
    const link = await links.find(token);
    if (link === undefined) return NO_LINK;
    const record = await recordIn(db, link.scope);
    if (record === undefined || record.state === 'closed' || record.state === 'emptying') return NO_LINK;
    const isMember = (await this.#roleIn(link.scope, account)) !== null;
    if (!isMember && (await this.#leftAfter(link, account))) return NO_LINK;
    if (record.state === 'filling' && !isMember) return BUSY;
    const root = await listIn(db, link.scope, record.list);
    if (root === null || root.isTrashed) return NO_LINK;
    return ok({ link, list: record.list, name: root.name, isEncrypted: await this.#isEncrypted(record) });
  }

  /** Who left, or was removed, after a link was made does not come in by it again. */
  async #leftAfter({ scope, created_at: madeAt }: Invitation, account: number): Promise<boolean> {
    const left = await this.#ports.db
      .selectFrom('former_member')
      .select('left_at')
      .where('scope', '=', scope)
      .where('account', '=', account)
      .executeTakeFirst();
    return left !== undefined && left.left_at >= madeAt;
  }

  async #find(
    actor: AccountActor,
    list: Id,
    what: 'see' | 'link' | 'leave' | 'manage',
  ): Promise<Result<Found, SharingProblem>> {
    const record = await recordOf(this.#ports.db, list);
    if (record === undefined) return UNKNOWN;
    const { scope } = record;
    const decision = authorise(actor, { type: 'sharing', what, scope });
    const role = actor.roles.get(scope);
    if (role === undefined) return UNKNOWN;
    return decision.allowed ? ok({ record, role }) : NOT_OWNER;
  }

  /** Ends memberships: from now on nothing is read or written by them. */
  async #end({ scope }: SharedRecord, accounts: readonly number[]): Promise<void> {
    const { db, clock, bus, settling } = this.#ports;
    if (accounts.length === 0) return;
    const at = Math.round(clock.now());
    const entries = accounts.map((account): LedgerEntry => ({ type: 'membership_left', at, scope, account }));
    await ending(this.#ports, entries, async () => {
      await db.transaction().execute(async (tx) => {
        for (const account of accounts) await removeMemberIn(tx, { account, scope, at });
      });
      return { done: undefined, hasEnded: true };
    });
    bus.publish({ type: 'roles', accounts });
    await settling.settle(scope);
  }

  /** The scope of a list that somebody has left. */
  async #leftScope(account: number, list: Id): Promise<Id | null> {
    const left = await this.#ports.db
      .selectFrom('former_member')
      .innerJoin('shared_list', 'shared_list.scope', 'former_member.scope')
      .select('former_member.scope')
      .where('former_member.account', '=', account)
      .where('shared_list.list', '=', list)
      .orderBy('former_member.left_at', 'desc')
      .executeTakeFirst();
    return left?.scope ?? null;
  }

  async #roleIn(scope: Id, account: number): Promise<MemberRole | null> {
    const row = await this.#ports.db
      .selectFrom('member')
      .select('role')
      .where('scope', '=', scope)
      .where('account', '=', account)
      .executeTakeFirst();
    return row?.role ?? null;
  }

  async #isVerified(account: number): Promise<boolean> {
    const row = await this.#ports.db
      .selectFrom('account')
      .select('verified_at')
      .where('id', '=', account)
      .executeTakeFirst();
    return (row?.verified_at ?? null) !== null;
  }

  /** Goes on once what is on its way has arrived. */
  #follow(scope: Id): void {
    const { moved, settling } = this.#ports;
    // What fails is tried again by the regular look.
    moved()
      .then(() => settling.settle(scope))
      .catch(() => undefined);
  }

  /** Also where a restored server has forgotten with which keys it began. */
  async #isEncrypted({ scope, keys }: SharedRecord): Promise<boolean> {
    return keys !== null || isSealed(await this.#ports.store.scope(scope));
  }

  async #ownOf(account: number): Promise<ScopeRecord | null> {
    const { db, store } = this.#ports;
    const row = await db
      .selectFrom('account')
      .select('personal_scope')
      .where('id', '=', account)
      .executeTakeFirst();
    return row === undefined ? null : await store.scope(row.personal_scope);
  }

  async #state({ record: found, role }: Found): Promise<SharedState> {
    const { db, links, settling } = this.#ports;
    const isUnderWay = found.state === 'filling' || found.state === 'emptying';
    // While its tasks are on their way there is nothing to settle, and somebody asks again and again.
    if (isUnderWay && !(await isMoving(db, found.list))) await settling.settle(found.scope);
    const record = (await recordIn(db, found.scope)) ?? found;
    const { scope, list, state, total } = record;
    if (state === 'closed') return privateState((await this.#ports.store.scope(scope))?.id ?? scope, list);
    const here = isUnderWay ? await rowsIn(db, scope) : 0;
    const own = state === 'filling' ? await this.#ownOf(record.author) : null;
    const sealed = own !== null && isOpened(own, list) ? await sealedBeneath(db, own.id, list) : 0;
    const moved = Math.min(total, state === 'filling' ? here : Math.max(0, total - here));
    return {
      list,
      scope,
      state,
      ...(state === 'open' ? {} : { moved, total }),
      ...(sealed === 0 ? {} : { sealed }),
      role,
      link: await links.current(scope),
      ...((await this.#isEncrypted(record)) ? { isEncrypted: true } : {}),
      ...((await hasMail(db, scope)) ? { hasMail: true } : {}),
      ...(state === 'open' ? await this.#publicLinks(scope) : {}),
    };
  }

  /** How many public links show the list in the form that it has now. */
  async #publicLinks(scope: Id): Promise<Pick<SharedState, 'publicLinks'>> {
    const { publicLinks, store } = this.#ports;
    const all = await publicLinks.all(scope);
    if (all.length === 0) return {};
    const { phase = 'plain', generation = 0 } = (await store.scope(scope))?.sealing ?? {};
    const shown = all.filter(({ keys }) => isOfNow(keysIn(keys), { phase, generation })).length;
    return shown === 0 ? {} : { publicLinks: shown };
  }
}

/** Whether a person's own scope is sealed, or on its way from or to it: then only their devices can open what is in it. */
const isSealed = (scope: ScopeRecord | null): boolean => (scope?.sealing?.phase ?? 'plain') !== 'plain';

const privateState = (scope: Id, list: Id): SharedState => ({
  list,
  scope,
  state: 'private',
  role: 'owner',
  link: null,
});

const privately = ({ personalScope }: AccountActor, list: Id) => privateState(personalScope, list);

/** Shared lists of this server. */
export function createSharedLists(ports: SharedListPorts): SharedLists {
  return new StoredSharedLists(ports);
}
