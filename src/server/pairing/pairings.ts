// Pairings of devices, as they are stored: each of the four messages is said once, by the device whose turn it is, and kept for five
// minutes. What the messages mean, this server does not know.
import type { Kysely, Selectable } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { type Pairing, pairingLimits } from '#wire/pairing.ts';
import type { AccountActor } from '../access/authorise.ts';
import type { PairingTable } from '../data/tables/device-tables.ts';
import type { Tables } from '../data/tables.ts';

type Speaker = Pick<AccountActor, 'account' | 'session'>;
type StoredPairing = Selectable<PairingTable>;

/** What storing pairings needs. */
export interface PairingPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => Id;
}

/** What a device says next. */
export type Said =
  | { readonly step: 'answer'; readonly oldKey: string }
  | { readonly step: 'reveal'; readonly newKey: string; readonly nonce: string }
  | { readonly step: 'hand-over'; readonly handed: string }
  | { readonly step: 'take' | 'refuse' };

/** Why it wasn't taken: it isn't this device's turn, or it is over; or there is no such pairing. */
export type PairingProblem = 'not-now' | 'gone';

/** Forgets pairings whose time is over. Returns how many. */
export async function forgetPairings(db: Kysely<Tables>, now: number): Promise<number> {
  const gone = await db
    .deleteFrom('pairing')
    .where('created_at', '<=', now - pairingLimits.keptMs)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}

function shown(stored: StoredPairing): Pairing {
  const { id, device, commitment, nonce, handed } = stored;
  return {
    id,
    device,
    startedAt: stored.created_at,
    commitment,
    oldKey: stored.old_key,
    newKey: stored.new_key,
    nonce,
    handed,
    isRefused: stored.is_refused === 1,
    isTaken: stored.is_taken === 1,
  };
}

/** The pairings of this installation. */
export class Pairings {
  readonly #ports: PairingPorts;

  constructor(ports: PairingPorts) {
    this.#ports = ports;
  }

  /** Begins one for this device, which ends another that it had begun. Null: the account has too many. */
  async begin({ account, session }: Speaker, device: string, commitment: string): Promise<Pairing | null> {
    const { db, clock, newId } = this.#ports;
    const now = Math.round(clock.now());
    await forgetPairings(db, now);
    await db.deleteFrom('pairing').where('account', '=', account).where('asked_by', '=', session).execute();
    const open = await db
      .selectFrom('pairing')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('account', '=', account)
      .where('is_refused', '=', 0)
      .where('handed', 'is', null)
      .executeTakeFirst();
    if (Number(open?.count ?? 0) >= pairingLimits.open) return null;
    const made: StoredPairing = {
      account,
      id: newId(),
      asked_by: session,
      answered_by: null,
      device,
      commitment,
      old_key: null,
      new_key: null,
      nonce: null,
      handed: null,
      is_refused: 0,
      is_taken: 0,
      created_at: now,
    };
    await db.insertInto('pairing').values(made).execute();
    return shown(made);
  }

  /** Those that other devices of the account have begun and nobody has answered, the latest first. */
  async waiting({ account, session }: Speaker): Promise<readonly Pairing[]> {
    const found = await this.#present(account)
      .where('asked_by', '!=', session)
      .where('answered_by', 'is', null)
      .where('is_refused', '=', 0)
      .orderBy('created_at', 'desc')
      .execute();
    return found.map(shown);
  }

  /** The pairing, if this device takes part in it or may still do so. */
  async get(speaker: Speaker, id: Id): Promise<Pairing | null> {
    const found = await this.#stored(speaker, id);
    return found ? shown(found) : null;
  }

  /** Takes what a device says. It is said once, and only by the device whose turn it is. */
  async say(speaker: Speaker, id: Id, said: Said): Promise<Pairing | PairingProblem> {
    const stored = await this.#stored(speaker, id);
    if (!stored) return 'gone';
    const { account, session } = speaker;
    const own = this.#ports.db.updateTable('pairing').where('account', '=', account).where('id', '=', id);
    const unrefused = own.where('is_refused', '=', 0).where('is_taken', '=', 0);
    const open = unrefused.where('handed', 'is', null);
    const change =
      said.step === 'answer'
        ? open
            .set({ old_key: said.oldKey, answered_by: session })
            .where('asked_by', '!=', session)
            .where('answered_by', 'is', null)
        : said.step === 'reveal'
          ? open
              .set({ new_key: said.newKey, nonce: said.nonce })
              .where('asked_by', '=', session)
              .where('old_key', 'is not', null)
              .where('new_key', 'is', null)
          : said.step === 'hand-over'
            ? open
                .set({ handed: said.handed })
                .where('answered_by', '=', session)
                .where('new_key', 'is not', null)
            : said.step === 'take'
              ? unrefused.set({ is_taken: 1 }).where('asked_by', '=', session).where('handed', 'is not', null)
              : // Also once the key was handed over: then the other one has to hear that the words differed.
                unrefused.set({ is_refused: 1 });
    const changed = await change.executeTakeFirst();
    if (Number(changed.numUpdatedRows) === 0) return 'not-now';
    const now = await this.#stored(speaker, id);
    return now ? shown(now) : 'gone';
  }

  #present(account: number) {
    const { db, clock } = this.#ports;
    return db
      .selectFrom('pairing')
      .selectAll()
      .where('account', '=', account)
      .where('created_at', '>', Math.round(clock.now()) - pairingLimits.keptMs);
  }

  /** Other devices than the two see it only until one of them has answered. */
  async #stored({ account, session }: Speaker, id: Id): Promise<StoredPairing | undefined> {
    const found = await this.#present(account).where('id', '=', id).executeTakeFirst();
    const isOpen = found?.answered_by === null;
    return found && (isOpen || found.asked_by === session || found.answered_by === session)
      ? found
      : undefined;
  }
}
