// What members of a list do with its public links: making, changing, pausing and deleting them, logos, and taking back what visitors
// did. Who may do what is asked of `authorise`. Not here: HTTP (routes.ts), what visitors do (visits.ts).
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Clock } from '#sync/replica/ports.ts';
import {
  mostPublicLinks,
  type NewPublicLink,
  type PublicLink,
  type PublicLinkChange,
  type PublicLinks,
} from '#wire/public-links.ts';
import { authorise, type AccountActor, type Ask } from '../access/authorise.ts';
import type { SecurityEvents } from '../accounts/security-events.ts';
import type { Store } from '../data/store.ts';
import type { Tables } from '../data/tables.ts';
import type { Bus } from '../live/bus.ts';
import type { SharedLists, SharedState } from '../sharing/shared-lists.ts';
import type { SharingProblem } from '../sharing/sharing-problems.ts';
import type { Exchange } from '../sync/exchange.ts';
import { encodedAnew, type Logo, type LogoStore } from './logo.ts';
import { bitsOf, isOfNow, keysIn, mayOf, type LinkStore, type StoredLink } from './links.ts';
import { undoVisits } from './undo.ts';

/** What managing links needs. */
export interface PublicLinkPorts {
  readonly db: Kysely<Tables>;
  readonly store: Pick<Store, 'history' | 'scope'>;
  readonly exchange: Pick<Exchange, 'carryOut'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => Id;
  readonly links: LinkStore;
  readonly logos: LogoStore;
  readonly lists: Pick<SharedLists, 'see' | 'share'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly events: Pick<SecurityEvents, 'record'>;
  /** Pages of a link that are open here. */
  readonly openOf: (link: Id) => number;
}

type Answer<T> = Promise<Result<T, SharingProblem>>;
/** The links of a list, without what every answer has. */
export type LinksState = Omit<PublicLinks, 'success'>;

/** A list as its members find it. */
interface Place {
  readonly actor: AccountActor;
  readonly list: Id;
}

const problem = (code: SharingProblem['code'], message: string) => failed<SharingProblem>({ code, message });

const NO_LINK = problem('not_found', "That public link doesn't exist anymore.");
const NOT_YOURS = problem(
  'forbidden',
  'Only who made this link and the owner of the list can change it. Ask them to.',
);
const NOT_OWNER = problem('forbidden', 'Only the owner of this list can take back what visitors changed.');
const FORBIDDEN = problem('forbidden', "You're not allowed to do that.");
const FULL = problem(
  'conflict',
  `This list has ${mostPublicLinks} public links, which is the most. Delete one first.`,
);
const KEPT_ENCRYPTED = problem(
  'encrypted',
  'This list stays end-to-end encrypted. Only an app of yours can make a public link for it, whose address has the key.',
);
const NOT_ENCRYPTED = problem('invalid', 'This list isn’t encrypted, so its public links have no keys.');
const OTHER_KEY = problem('moved', 'This list is getting a new key right now. Try again in a minute.');
const NO_NAMES = problem(
  'encrypted',
  'Links of an encrypted list have no name or logo of their own: this server would read them.',
);
const BUSY = problem('conflict', 'This list is on its way right now. Try again in a moment.');
const UNVERIFIED = problem(
  'email_unconfirmed',
  'Confirm your email address first, under “Account.” Then you can make public links.',
);

const nameIn = (name: string | null | undefined) => {
  const trimmed = name?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

/** The public links of lists. Each call may be repeated except that each `make` makes one. */
export class ManagedLinks {
  readonly #ports: PublicLinkPorts;

  constructor(ports: PublicLinkPorts) {
    this.#ports = ports;
  }

  async see(actor: AccountActor, list: Id): Answer<LinksState> {
    const seen = await this.#ports.lists.see(actor, list);
    if (!seen.ok) return seen;
    const { scope } = seen.value;
    const isAllowed = authorise(actor, { type: 'public-links', what: 'see', scope }).allowed;
    return isAllowed ? ok(await this.#state(actor, seen.value)) : FORBIDDEN;
  }

  /** A list that is not shared becomes a scope of its own first. */
  async make(actor: AccountActor, list: Id, wanted: NewPublicLink): Answer<LinksState> {
    const { lists, links, events } = this.#ports;
    const seen = await lists.see(actor, list);
    if (!seen.ok) return seen;
    if (seen.value.state === 'emptying') return BUSY;
    const refused = await this.#keysProblem(seen.value, wanted);
    if (refused !== null) return refused;
    if (!(await this.#isVerified(actor.account))) return UNVERIFIED;
    const isPrivate = seen.value.state === 'private';
    const shared = isPrivate ? await lists.share(actor, list, false) : seen;
    if (!shared.ok) return shared;
    const { scope } = shared.value;
    const roles = new Map([...actor.roles, [scope, shared.value.role] as const]);
    if (!authorise({ ...actor, roles }, { type: 'public-links', what: 'make', scope }).allowed)
      return FORBIDDEN;
    const { account } = actor;
    const may = bitsOf(wanted.may ?? {});
    const keys = wanted.keys === undefined ? null : JSON.stringify(wanted.keys);
    const made = await links.make({ scope, account, name: nameIn(wanted.name), may, keys }, mostPublicLinks);
    if (made === null) return FULL;
    await events.record({ type: 'public_link_made', account, detail: {} });
    return ok({ ...(await this.#state({ ...actor, roles }, shared.value)), made: made.id });
  }

  /** Why a link can't be made with these keys, or without any; null: it can. */
  async #keysProblem({ scope, isEncrypted }: SharedState, { keys, name }: NewPublicLink) {
    if (isEncrypted !== true) return keys === undefined ? null : NOT_ENCRYPTED;
    if (keys === undefined) return KEPT_ENCRYPTED;
    if (nameIn(name) !== null) return NO_NAMES;
    const state = (await this.#ports.store.scope(scope))?.sealing;
    return state?.phase === 'sealed' && state.generation === keys.generation ? null : OTHER_KEY;
  }

  async change(place: Place, link: Id, change: PublicLinkChange): Answer<LinksState> {
    return await this.#onLink(place, link, 'change', async (found, shared) => {
      const { name, may, isPaused } = change;
      const { links, clock } = this.#ports;
      if (found.keys !== null && nameIn(name) !== null) return NO_NAMES;
      const pausedAt = found.paused_at ?? Math.round(clock.now());
      const isOrphan = !(await this.#belongs(found));
      const goesOn = isPaused === false && isOrphan ? { account: place.actor.account } : {};
      await links.change(found, {
        ...(name === undefined ? {} : { name: nameIn(name) }),
        ...(may === undefined ? {} : { may: bitsOf({ ...mayOf(found.may), ...defined(may) }) }),
        ...(isPaused === undefined ? {} : { paused_at: isPaused ? pausedAt : null }),
        ...goesOn,
      });
      this.#tell(link);
      return ok(await this.#state(place.actor, shared));
    });
  }

  async remove(place: Place, link: Id): Answer<LinksState> {
    const deleted = await this.#onLink(place, link, 'change', async (found, shared) => {
      await this.#ports.links.end([found]);
      this.#tell(link);
      await this.#ports.events.record({
        type: 'public_link_deleted',
        account: place.actor.account,
        detail: {},
      });
      return ok(await this.#state(place.actor, shared));
    });
    // What was deleted stays deleted.
    const isGone = !deleted.ok && deleted.problem === NO_LINK_PROBLEM;
    return isGone ? await this.see(place.actor, place.list) : deleted;
  }

  async setLogo(place: Place, link: Id, png: Uint8Array | null): Answer<LinksState> {
    return await this.#onLink(place, link, 'change', async (found, shared) => {
      const { logos } = this.#ports;
      if (found.keys !== null && png !== null) return NO_NAMES;
      const encoded = png === null ? null : await encodedAnew(png);
      if (encoded?.ok === false) return problem('invalid', encoded.problem);
      if (encoded === null) await logos.remove(link);
      else await logos.put(found, encoded.value);
      this.#tell(link);
      return ok(await this.#state(place.actor, shared));
    });
  }

  async logo(place: Place, link: Id): Answer<Logo> {
    return await this.#onLink(place, link, 'see', async () => {
      const found = await this.#ports.logos.of(link);
      return found === undefined ? problem('not_found', 'This link has no logo.') : ok(found);
    });
  }

  /** Takes back what visitors changed by a link in the last so many minutes. */
  async undo(place: Place, link: Id, minutes: number): Answer<LinksState> {
    return await this.#onLink(place, link, 'undo', async (found, shared) => {
      const undone = await undoVisits(this.#ports, {
        actor: place.actor,
        link: found,
        since: Math.round(this.#ports.clock.now()) - minutes * 60_000,
      });
      return ok({ ...(await this.#state(place.actor, shared)), undone });
    });
  }

  async #onLink<T>(
    { actor, list }: Place,
    link: Id,
    what: 'see' | 'change' | 'undo',
    work: (found: StoredLink, shared: SharedState) => Answer<T>,
  ): Answer<T> {
    const seen = await this.#ports.lists.see(actor, list);
    if (!seen.ok) return seen;
    const { scope } = seen.value;
    const found = await this.#ports.links.one(scope, link);
    if (found === undefined) return NO_LINK;
    const ask: Ask = { type: 'public-links', what, scope, by: found.account };
    if (!authorise(actor, ask).allowed) return what === 'undo' ? NOT_OWNER : NOT_YOURS;
    return await work(found, seen.value);
  }

  /** Open pages look their link up at once. */
  #tell(link: Id): void {
    this.#ports.bus.publish({ type: 'link', links: [link] });
  }

  async #belongs({ scope, account }: Pick<StoredLink, 'scope' | 'account'>): Promise<boolean> {
    const found = await this.#ports.db
      .selectFrom('member')
      .select('account')
      .where('scope', '=', scope)
      .where('account', '=', account)
      .executeTakeFirst();
    return found !== undefined;
  }

  async #isVerified(account: number): Promise<boolean> {
    const row = await this.#ports.db
      .selectFrom('account')
      .select('verified_at')
      .where('id', '=', account)
      .executeTakeFirst();
    return (row?.verified_at ?? null) !== null;
  }

  async #state(actor: AccountActor, shared: SharedState): Promise<LinksState> {
    const { list, scope, state, moved, total, sealed, isEncrypted } = shared;
    const { links, logos, db, store } = this.#ports;
    const sealing = isEncrypted === true ? (await store.scope(scope))?.sealing : undefined;
    const now = { phase: sealing?.phase ?? 'plain', generation: sealing?.generation ?? 0 };
    const stored = state === 'private' ? [] : await links.all(scope);
    const marks = stored.length === 0 ? new Map<Id, string>() : await logos.marks(scope);
    const members = await db.selectFrom('member').select('account').where('scope', '=', scope).execute();
    const belongs = new Set(members.map(({ account }) => account));
    return {
      list,
      scope,
      state,
      ...(moved === undefined ? {} : { moved }),
      ...(sealed === undefined ? {} : { sealed }),
      ...(total === undefined ? {} : { total }),
      ...(isEncrypted === true ? { isEncrypted } : {}),
      links: stored.map((link): PublicLink => {
        const ask: Ask = { type: 'public-links', what: 'change', scope, by: link.account };
        const keys = keysIn(link.keys);
        return {
          id: link.id,
          token: links.tokenOf(link),
          name: link.name,
          logo: marks.get(link.id) ?? null,
          may: mayOf(link.may),
          pausedAt: link.paused_at,
          isOrphan: !belongs.has(link.account),
          account: link.account,
          createdAt: link.created_at,
          isMine: authorise(actor, ask).allowed,
          visits: link.visits,
          changes: link.changes,
          visitedAt: link.visited_at,
          open: this.#ports.openOf(link.id),
          ...(keys === null ? {} : { keys }),
          ...(isOfNow(keys, now) ? {} : { isOutdated: true as const }),
        };
      }),
    };
  }
}

const NO_LINK_PROBLEM = NO_LINK.ok ? null : NO_LINK.problem;

/** Without what is only named. */
function defined(
  may: NonNullable<PublicLinkChange['may']>,
): Partial<Record<keyof PublicLink['may'], boolean>> {
  return Object.fromEntries(Object.entries(may).filter(([, is]) => is !== undefined));
}
