// Public links as they are stored: made, changed, ended, and found by their token at every request. A link is found by the digest
// of its token; the token itself is sealed, so that members can copy it again. Who may do what is decided before (public-links.ts).
import type { Kysely, Selectable } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { isListGeneration } from '#core/sealing/keys.ts';
import {
  linkKeysSchema,
  linkPermissions,
  type LinkKeys,
  type LinkMay,
  type LinkPermission,
} from '#wire/public-links.ts';
import type { LinkActor } from '../access/authorise.ts';
import type { Sealing } from '../accounts/sealing.ts';
import { ending, type Ledger } from '../care/ledger.ts';
import type { EssentialWrites } from '../care/room.ts';
import type { PublicLinkTable, Tables } from '../data/tables.ts';
import { createSecret, digestOf, secretDigest } from '../site/secret-link.ts';

/** A link as it is stored. */
export type StoredLink = Selectable<PublicLinkTable>;

/** What storing links needs. */
export interface LinkStorePorts {
  readonly db: Kysely<Tables>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => Id;
  readonly sealing: Sealing;
  readonly ledger: Pick<Ledger, 'record'>;
  readonly room: EssentialWrites;
}

/** Why a link shows nothing: it never was or has ended, it is paused, or its list has got another key since. */
export type Closed = 'ended' | 'paused' | 'outdated';

/** A link that is open, with what its page says of itself. */
export interface OpenLink {
  readonly visitor: LinkActor;
  /** Null: the list's own. */
  readonly name: string | null;
  /** Names the logo; null: none. */
  readonly logo: string | null;
  /** The owner of the list: in their name visitors write. */
  readonly owner: { readonly account: number; readonly personal: Id };
  /** Of an encrypted list; null: visitors read it as it is. */
  readonly keys: LinkKeys | null;
}

/** The keys of a link as they were stored; null: it has none. */
export const keysIn = (stored: string | null): LinkKeys | null =>
  stored === null ? null : linkKeysSchema.parse(JSON.parse(stored));

/** Whether a link shows its list in the form that the list has now. An encrypted one opens with the keys of its present generation alone. */
export function isOfNow(
  keys: LinkKeys | null,
  { phase, generation }: { readonly phase: string | null; readonly generation: number },
): boolean {
  const isSealed = (phase === 'sealing' || phase === 'sealed') && isListGeneration(generation);
  return keys === null ? !isSealed : isSealed && keys.generation === generation;
}

const about = (id: Id) => `public link ${id}`;
const markOf = ({ token_hash: hash }: Pick<StoredLink, 'token_hash'>) => Buffer.from(hash).toString('hex');

/** Permissions as they are stored. */
export function bitsOf(may: { readonly [Name in LinkPermission]?: boolean | undefined }): number {
  return linkPermissions.reduce((bits, name, at) => (may[name] === true ? bits | (1 << at) : bits), 0);
}

/** Permissions as they are sent. */
export function mayOf(bits: number): LinkMay {
  const has = (name: LinkPermission) => (bits & (1 << linkPermissions.indexOf(name))) !== 0;
  return {
    add: has('add'),
    complete: has('complete'),
    titles: has('titles'),
    notes: has('notes'),
    labels: has('labels'),
  };
}

/** What visitors may. Labels of an encrypted account say more than its list does, and an encrypted list has none. */
function permitted(bits: number, of: { readonly isEncrypted: boolean }): ReadonlySet<LinkPermission> {
  const may = mayOf(bits);
  return new Set(linkPermissions.filter((name) => may[name] && !(name === 'labels' && of.isEncrypted)));
}

/** The links of this server. */
export class LinkStore {
  readonly #ports: LinkStorePorts;

  constructor(ports: LinkStorePorts) {
    this.#ports = ports;
  }

  /** The links of a list, oldest first. */
  all(scope: Id): Promise<StoredLink[]> {
    return this.#ports.db
      .selectFrom('public_link')
      .selectAll()
      .where('scope', '=', scope)
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  }

  /** One of them, through its list: a link of another list is none. */
  one(scope: Id, id: Id): Promise<StoredLink | undefined> {
    return this.#ports.db
      .selectFrom('public_link')
      .selectAll()
      .where('scope', '=', scope)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
  }

  /** The token of a link; null: this server cannot read it anymore. */
  tokenOf({ id, token_sealed: sealed }: StoredLink): string | null {
    const token = this.#ports.sealing.open(sealed, about(id));
    return token === null ? null : Buffer.from(token).toString();
  }

  /** Null: the list has that many already. */
  async make(
    of: Pick<StoredLink, 'scope' | 'account' | 'name' | 'may' | 'keys'>,
    most: number,
  ): Promise<StoredLink | null> {
    const { db, newId, clock, sealing } = this.#ports;
    const id = newId();
    const token = createSecret();
    const link = {
      ...of,
      id,
      token_hash: digestOf(token),
      token_sealed: sealing.seal(Buffer.from(token), about(id)),
      created_at: Math.round(clock.now()),
      paused_at: null,
      deleted_at: null,
      visits: 0,
      changes: 0,
      visited_at: null,
    };
    const made = await db.transaction().execute(async (tx) => {
      // Locked, so that of many who make one at once each counts those before.
      await tx
        .updateTable('shared_list')
        .set((row) => ({ total: row('total', '+', 0) }))
        .where('scope', '=', of.scope)
        .execute();
      const { count } = await tx
        .selectFrom('public_link')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('scope', '=', of.scope)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (Number(count) >= most) return false;
      await tx.insertInto('public_link').values(link).execute();
      return true;
    });
    return made ? link : null;
  }

  async change(
    { id, scope }: Pick<StoredLink, 'id' | 'scope'>,
    change: Partial<Pick<StoredLink, 'name' | 'may' | 'paused_at' | 'account'>>,
  ): Promise<void> {
    if (Object.keys(change).length === 0) return;
    await this.#ports.db
      .updateTable('public_link')
      .set(change)
      .where('scope', '=', scope)
      .where('id', '=', id)
      .execute();
  }

  /** Ends links for good, also after a restore. */
  async end(links: readonly StoredLink[]): Promise<void> {
    const { db, clock } = this.#ports;
    if (links.length === 0) return;
    const at = Math.round(clock.now());
    const ids = links.map(({ id }) => id);
    const entries = links.map((link) => ({ type: 'public_link_deleted', at, hash: markOf(link) }) as const);
    await ending(this.#ports, entries, async () => {
      await db.updateTable('public_link').set({ deleted_at: at }).where('id', 'in', ids).execute();
      await db.deleteFrom('public_logo').where('link', 'in', ids).execute();
      return { done: undefined, hasEnded: true };
    });
  }

  /** The link of a token as it is at this moment, by one look at the database. */
  async find(token: string): Promise<OpenLink | Closed> {
    const hash = secretDigest(token);
    if (hash === null) return 'ended';
    const found = await this.#open((query) => query.where('public_link.token_hash', '=', hash));
    return found[0]?.[1] ?? 'ended';
  }

  /** Likewise for many that were open a moment ago. Those that have ended are not among the result. */
  async again(ids: readonly Id[]): Promise<ReadonlyMap<Id, OpenLink | Closed>> {
    if (ids.length === 0) return new Map();
    return new Map(await this.#open((query) => query.where('public_link.id', 'in', ids)));
  }

  async #open(
    which: (query: ReturnType<typeof openLinks>) => ReturnType<typeof openLinks>,
  ): Promise<readonly (readonly [Id, OpenLink | Closed])[]> {
    const rows = await which(openLinks(this.#ports.db)).execute();
    return rows.map((row) => {
      // Who does not belong to the list anymore opens it to nobody.
      if (row.paused_at !== null || row.maker === null) return [row.id, 'paused'] as const;
      const { id: link, scope, list, name, logo } = row;
      const keys = keysIn(row.keys);
      const state = { phase: row.scope_phase, generation: Number(row.scope_generation) };
      if (!isOfNow(keys, state)) return [row.id, 'outdated'] as const;
      const isEncrypted = keys !== null || (row.phase !== null && row.phase !== 'plain');
      const may = permitted(row.may, { isEncrypted });
      const visitor = { type: 'link', link, scope, list, may } as const;
      const owner = { account: row.owner, personal: row.personal };
      return [link, { visitor, name, logo, owner, keys }] as const;
    });
  }

  /** Counts a visit, or a change that was made. */
  async count(id: Id, what: 'visits' | 'changes'): Promise<void> {
    const visitedAt = Math.round(this.#ports.clock.now());
    await this.#ports.db
      .updateTable('public_link')
      .set((row) => ({ [what]: row(what, '+', 1), ...(what === 'visits' ? { visited_at: visitedAt } : {}) }))
      .where('id', '=', id)
      .execute();
  }
}

/** Links whose list is shared and whose owner is there. */
function openLinks(db: Kysely<Tables>) {
  return db
    .selectFrom('public_link')
    .innerJoin('shared_list', (join) =>
      join
        .onRef('shared_list.scope', '=', 'public_link.scope')
        .on('shared_list.state', 'in', ['filling', 'open']),
    )
    .innerJoin('scope', 'scope.id', 'public_link.scope')
    .innerJoin('account', (join) =>
      join
        .onRef('account.id', '=', 'scope.owner')
        .on('account.deleted_at', 'is', null)
        .on('account.erase_at', 'is', null)
        .on('account.disabled_at', 'is', null),
    )
    .leftJoin('member', (join) =>
      join
        .onRef('member.scope', '=', 'public_link.scope')
        .onRef('member.account', '=', 'public_link.account'),
    )
    .leftJoin('public_logo', 'public_logo.link', 'public_link.id')
    .leftJoin('scope as own', 'own.id', 'account.personal_scope')
    .select([
      'public_link.id',
      'public_link.scope',
      'public_link.name',
      'public_link.may',
      'public_link.paused_at',
      'shared_list.list',
      'scope.owner',
      'account.personal_scope as personal',
      'member.account as maker',
      'public_logo.mark as logo',
      'own.sealing_phase as phase',
      'public_link.keys',
      'scope.sealing_phase as scope_phase',
      'scope.sealing_generation as scope_generation',
    ])
    .where('public_link.deleted_at', 'is', null);
}
