// The secret addresses at which other programs read a person's plan: one for an account, found by the digest of its token, which is sealed to be
// shown again. Not here: what is in the plan (feed-tasks.ts).
import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { FeedChoice } from '#core/calendar/feed.ts';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { Sealing } from '../accounts/sealing.ts';
import { ending, type Ledger } from '../care/ledger.ts';
import type { EssentialWrites } from '../care/room.ts';
import type { CalendarFeedTable } from '../data/tables/calendar-tables.ts';
import type { Tables } from '../data/tables.ts';
import { createSecret, digestOf, secretDigest } from '../site/secret-link.ts';

/** What storing addresses needs. */
export interface FeedStorePorts {
  readonly db: Kysely<Tables>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sealing: Sealing;
  readonly ledger: Pick<Ledger, 'record'>;
  readonly room: EssentialWrites;
}

/** An address that is open, and whose plan it shows. */
export interface OpenFeed {
  readonly account: number;
  readonly personal: Id;
  readonly choice: FeedChoice;
  readonly zone: string | null;
  readonly hash: Uint8Array;
  readonly readAt: number | null;
}

const about = (account: number) => `calendar feed ${account}`;
const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex');
/** That it is read is written down so often. */
const READ_STEP_MS = 3_600_000;

const columnsOf = ({ hasBlocks, hasDue, hasNames, hasDone }: FeedChoice) => ({
  has_blocks: Number(hasBlocks),
  has_due: Number(hasDue),
  has_names: Number(hasNames),
  has_done: Number(hasDone),
});

/** What was chosen, from its columns. */
export const choiceOf = (row: Omit<CalendarFeedTable, 'account'>): FeedChoice => ({
  hasBlocks: row.has_blocks === 1,
  hasDue: row.has_due === 1,
  hasNames: row.has_names === 1,
  hasDone: row.has_done === 1,
});

/** The addresses of this server. */
export class FeedStore {
  readonly #ports: FeedStorePorts;

  constructor(ports: FeedStorePorts) {
    this.#ports = ports;
  }

  async of(account: number): Promise<CalendarFeedTable | undefined> {
    const { db } = this.#ports;
    return await db.selectFrom('calendar_feed').selectAll().where('account', '=', account).executeTakeFirst();
  }

  /** Null: this server can't read it anymore. */
  tokenOf({ account, token_sealed: sealed }: CalendarFeedTable): string | null {
    const token = this.#ports.sealing.open(sealed, about(account));
    return token === null ? null : Buffer.from(token).toString();
  }

  /** Makes the address of an account, or changes what is in it. */
  async choose(account: number, choice: FeedChoice, zone: string | null): Promise<void> {
    await this.#ports.db
      .insertInto('calendar_feed')
      .values(this.#rowFor(account, choice, zone))
      .onConflict((conflict) => conflict.column('account').doUpdateSet({ ...columnsOf(choice), zone }))
      .execute();
  }

  /** Makes a new address. When this resolves the old one no longer works, not even after a restore. False: there is none. */
  async renew(account: number): Promise<boolean> {
    return await this.#ended(account, async (before) => {
      const { token_hash, token_sealed, created_at } = this.#rowFor(account, choiceOf(before), before.zone);
      const changed = await this.#ports.db
        .updateTable('calendar_feed')
        .set({ token_hash, token_sealed, created_at, read_at: null })
        .where('account', '=', account)
        .where('token_hash', '=', before.token_hash)
        .executeTakeFirst();
      return changed.numUpdatedRows > 0n;
    });
  }

  /** Ends the address of an account, likewise. */
  async end(account: number): Promise<boolean> {
    return await this.#ended(account, async (before) => {
      const deleted = await this.#ports.db
        .deleteFrom('calendar_feed')
        .where('account', '=', account)
        .where('token_hash', '=', before.token_hash)
        .executeTakeFirst();
      return deleted.numDeletedRows > 0n;
    });
  }

  /** The address of a token, by one look at the database; null: it never was, has ended, or shows nothing now. */
  async find(token: string): Promise<OpenFeed | null> {
    const hash = secretDigest(token);
    if (hash === null) return null;
    const row = await this.#ports.db
      .selectFrom('calendar_feed')
      .innerJoin('account', (join) =>
        join
          .onRef('account.id', '=', 'calendar_feed.account')
          .on('account.deleted_at', 'is', null)
          .on('account.erase_at', 'is', null)
          .on('account.disabled_at', 'is', null),
      )
      .selectAll('calendar_feed')
      .select('account.personal_scope as personal')
      .where('calendar_feed.token_hash', '=', hash)
      .executeTakeFirst();
    if (row === undefined || !timingSafeEqual(row.token_hash, hash)) return null;
    const { account, personal, zone, read_at: readAt } = row;
    return { account, personal, choice: choiceOf(row), zone, hash, readAt };
  }

  /** Writes down that another program has read it. Never rejects: reading goes on without. */
  async wasRead({ hash, readAt }: OpenFeed): Promise<void> {
    const now = Math.round(this.#ports.clock.now());
    if (readAt !== null && now - readAt < READ_STEP_MS) return;
    await this.#ports.db
      .updateTable('calendar_feed')
      .set({ read_at: now })
      .where('token_hash', '=', hash)
      .execute()
      .catch(() => undefined);
  }

  #rowFor(account: number, choice: FeedChoice, zone: string | null): CalendarFeedTable {
    const { sealing, clock } = this.#ports;
    const token = createSecret();
    return {
      account,
      token_hash: digestOf(token),
      token_sealed: sealing.seal(Buffer.from(token), about(account)),
      ...columnsOf(choice),
      zone,
      created_at: Math.round(clock.now()),
      read_at: null,
    };
  }

  async #ended(account: number, work: (before: CalendarFeedTable) => Promise<boolean>): Promise<boolean> {
    const before = await this.of(account);
    if (before === undefined) return false;
    const at = Math.round(this.#ports.clock.now());
    const entry = { type: 'calendar_feed_ended', at, hash: hex(before.token_hash) } as const;
    return await ending(this.#ports, [entry], async () => {
      const hasEnded = await work(before);
      return { done: hasEnded, hasEnded };
    });
  }
}
