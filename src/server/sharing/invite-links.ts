// Links that invite to a shared list: one at a time for each list. A link is found by the digest of its token; the token itself
// is sealed, so that members can copy it again. Who may make, end or use one is decided before (shared-lists.ts).
import type { Kysely, Selectable } from 'kysely';
import { DAY_MS } from '#core/time.ts';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { InviteLink } from '#wire/sharing.ts';
import type { Sealing } from '../accounts/sealing.ts';
import { ending, type Ledger } from '../care/ledger.ts';
import type { EssentialWrites } from '../care/room.ts';
import type { ListInvitationTable, Tables } from '../data/tables.ts';
import { createSecret, digestOf, secretDigest } from '../site/secret-link.ts';

/** A link as it is stored. */
export type Invitation = Selectable<ListInvitationTable>;

export interface InviteLinkPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sealing: Sealing;
  readonly ledger: Pick<Ledger, 'record'>;
  readonly room: EssentialWrites;
}

/** A link to be made; `days`: until it expires, null for never. */
export interface NewLink {
  readonly scope: Id;
  /** Who makes it. */
  readonly account: number;
  readonly days: number | null;
}

/** The invitation links of shared lists. */
export interface InviteLinks {
  /** The link of a list that works now. */
  current(scope: Id): Promise<InviteLink | null>;
  /** Makes the first one, unless there was one ever. */
  begin(of: NewLink): Promise<void>;
  /** Makes one; the one before ends, also after a restore. */
  make(of: NewLink): Promise<void>;
  /** Ends the link of a list, also after a restore. */
  end(scope: Id): Promise<void>;
  /** The link of a token, if it works. */
  find(token: string): Promise<Invitation | undefined>;
}

const about = (scope: Id) => `list link ${scope}`;

/** The digest of a link as the ledger names it. */
const markOf = ({ token_hash: hash }: Pick<Invitation, 'token_hash'>) => Buffer.from(hash).toString('hex');

class StoredLinks implements InviteLinks {
  readonly #ports: InviteLinkPorts;

  constructor(ports: InviteLinkPorts) {
    this.#ports = ports;
  }

  async current(scope: Id): Promise<InviteLink | null> {
    const row = await this.#row(scope);
    if (row === undefined || this.#isOver(row)) return null;
    const { token_sealed: sealed, created_at: createdAt, expires_at: expiresAt, uses } = row;
    const token = this.#ports.sealing.open(sealed, about(scope));
    return { token: token === null ? null : Buffer.from(token).toString(), createdAt, expiresAt, uses };
  }

  async begin(of: NewLink): Promise<void> {
    const { db } = this.#ports;
    const { scope } = of;
    const known = await db
      .selectFrom('list_invitation')
      .select('scope')
      .where('scope', '=', scope)
      .executeTakeFirst();
    if (known !== undefined) return;
    const first = await this.#newRow(of);
    await db
      .insertInto('list_invitation')
      .values(first)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async make(of: NewLink): Promise<void> {
    await this.#replace(of.scope, await this.#newRow(of));
  }

  async #newRow({ scope, account, days }: NewLink): Promise<Invitation> {
    const token = createSecret();
    const now = Math.round(this.#ports.clock.now());
    return {
      token_hash: digestOf(token),
      token_sealed: this.#ports.sealing.seal(Buffer.from(token), about(scope)),
      scope,
      account,
      created_at: Math.max(now, await this.#lastLeft(scope)),
      expires_at: days === null ? null : now + days * DAY_MS,
      revoked_at: null,
      uses: 0,
    };
  }

  end(scope: Id): Promise<void> {
    return this.#replace(scope, null);
  }

  async find(token: string): Promise<Invitation | undefined> {
    const hash = secretDigest(token);
    if (hash === null) return undefined;
    const row = await this.#ports.db
      .selectFrom('list_invitation')
      .selectAll()
      .where('token_hash', '=', hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return row === undefined || this.#isOver(row) ? undefined : row;
  }

  #isOver({ expires_at: expiresAt }: Invitation): boolean {
    return expiresAt !== null && expiresAt <= this.#ports.clock.now();
  }

  #row(scope: Id): Promise<Invitation | undefined> {
    return this.#ports.db
      .selectFrom('list_invitation')
      .selectAll()
      .where('scope', '=', scope)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
  }

  /** Just after the last member left: who left knows all links before, and comes in by none of them. */
  async #lastLeft(scope: Id): Promise<number> {
    const { last } = await this.#ports.db
      .selectFrom('former_member')
      .select((select) => select.fn.max<number | null>('left_at').as('last'))
      .where('scope', '=', scope)
      .executeTakeFirstOrThrow();
    return last === null ? 0 : last + 1;
  }

  async #replace(scope: Id, next: Invitation | null): Promise<void> {
    const { db, clock } = this.#ports;
    const at = Math.round(clock.now());
    const before = await this.#row(scope);
    const entries = before === undefined ? [] : [{ type: 'link_ended', at, hash: markOf(before) } as const];
    await ending(this.#ports, entries, async () => {
      await db.transaction().execute(async (tx) => {
        await tx
          .updateTable('list_invitation')
          .set({ revoked_at: at })
          .where('scope', '=', scope)
          .where('revoked_at', 'is', null)
          .execute();
        if (next !== null) await tx.insertInto('list_invitation').values(next).execute();
      });
      return { done: undefined, hasEnded: before !== undefined };
    });
  }
}

/** Links in the database. */
export function createInviteLinks(ports: InviteLinkPorts): InviteLinks {
  return new StoredLinks(ports);
}
