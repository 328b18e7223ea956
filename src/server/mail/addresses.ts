// The e-mail address of each list: `<name>-<code>@<domain>`. Only the code counts, twenty letters that nobody guesses; the
// name is for people's address books. Stored as a digest for look-ups, and sealed to be shown again.
import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { SealedSecret } from '../accounts/sealed.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { EssentialWrites } from '../care/room.ts';
import { ending, type Ledger, type LedgerEntry } from '../care/ledger.ts';
import type { MailAddressTable } from '../data/mail-tables.ts';
import type { Tables } from '../data/tables.ts';

/**
 * Base 32 in lower case, without look-alike digits: 100 bits in twenty letters that survive mail systems changing the case.
 */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const CODE_LETTERS = 20;
const CODE = /^(?:.*-)?([a-z2-7]{20})$/s;
const LONGEST_NAME = 30;
const STEP = 100;

/** The list that gets an address. */
export interface AddressedList {
  readonly scope: Id;
  readonly list: Id;
  readonly name: string;
}

export interface MailAddresses {
  /** Addresses by list; lists without one are given one. Absent: it was sealed with another key of the server. */
  of(lists: readonly AddressedList[]): Promise<ReadonlyMap<Id, string>>;
  /** Creates a new address. When this resolves the old one no longer works, not even after a restore. */
  renew(list: AddressedList): Promise<string>;
  /** The list of this address. */
  find(address: string): Promise<{ readonly scope: Id; readonly list: Id } | null>;
}

export interface AddressPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly ledger: Pick<Ledger, 'record'>;
  readonly room: EssentialWrites;
  readonly domain: string;
}

const newCode = () => [...randomBytes(CODE_LETTERS)].map((byte) => ALPHABET[byte & 31] ?? '').join('');

const hashOf = (code: string): Uint8Array => createHash('sha256').update(code).digest();
const about = ({ scope, list }: Pick<AddressedList, 'scope' | 'list'>) => `mail ${scope} ${list}`;
/** A list may have moved to another scope since its code was sealed. */
const sealedAbout = (row: Pick<MailAddressTable, 'scope' | 'list'> & { readonly sealed_in: Id | null }) =>
  about({ scope: row.sealed_in ?? row.scope, list: row.list });

/** The name reduced to characters that every mail system accepts. */
function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replaceAll(/^-|-$/g, '');
  return plain === '' ? 'list' : plain;
}

class StoredAddresses implements MailAddresses {
  readonly #ports: AddressPorts;

  constructor(ports: AddressPorts) {
    this.#ports = ports;
  }

  async of(lists: readonly AddressedList[]): Promise<ReadonlyMap<Id, string>> {
    let known = await this.#codes(lists);
    const without = lists.filter(({ list }) => !known.has(list));
    for (const list of without) await this.#give(list);
    if (without.length > 0) known = await this.#codes(lists);
    return new Map(
      lists.flatMap(({ list, name }) => {
        const code = known.get(list);
        return code === undefined ? [] : [[list, this.#addressOf(name, code)] as const];
      }),
    );
  }

  async renew(list: AddressedList): Promise<string> {
    const { db, clock } = this.#ports;
    const before = await this.#row(list);
    const at = Math.round(clock.now());
    const code = newCode();
    const row = this.#rowFor(list, code);
    const hash = before && Buffer.from(before.code_hash).toString('hex');
    const entries: readonly LedgerEntry[] =
      hash === undefined ? [] : [{ type: 'mail_address_ended', at, hash }];
    return ending(this.#ports, entries, async () => {
      await db
        .insertInto('mail_address')
        .values(row)
        .onConflict((conflict) => conflict.columns(['scope', 'list']).doUpdateSet(row))
        .execute();
      return { done: this.#addressOf(list.name, code), hasEnded: true };
    });
  }

  async find(address: string): Promise<{ readonly scope: Id; readonly list: Id } | null> {
    const { db, domain } = this.#ports;
    const at = address.lastIndexOf('@');
    if (address.slice(at + 1).toLowerCase() !== domain) return null;
    const code = CODE.exec(address.slice(0, Math.max(0, at)).toLowerCase())?.[1];
    if (code === undefined) return null;
    const row = await db
      .selectFrom('mail_address')
      .select(['scope', 'list'])
      .where('code_hash', '=', hashOf(code))
      .executeTakeFirst();
    return row ?? null;
  }

  #addressOf(name: string, code: string): string {
    return `${slugOf(name)}-${code}@${this.#ports.domain}`;
  }

  #rowFor({ scope, list }: AddressedList, code: string) {
    const { sealing, clock } = this.#ports;
    return {
      scope,
      list,
      code_hash: hashOf(code),
      sealed_code: sealing.seal(Buffer.from(code), about({ scope, list })),
      created_at: Math.round(clock.now()),
      sealed_in: null,
    };
  }

  #row({ scope, list }: AddressedList) {
    return this.#ports.db
      .selectFrom('mail_address')
      .select(['scope', 'list', 'code_hash', 'sealed_code', 'sealed_in'])
      .where('scope', '=', scope)
      .where('list', '=', list)
      .executeTakeFirst();
  }

  async #codes(lists: readonly AddressedList[]): Promise<Map<Id, string>> {
    const { db, sealing } = this.#ports;
    const found = new Map<Id, string>();
    for (let from = 0; from < lists.length; from += STEP) {
      const step = lists.slice(from, from + STEP);
      const rows = await db
        .selectFrom('mail_address')
        .select(['scope', 'list', 'sealed_code', 'sealed_in'])
        .where('scope', 'in', [...new Set(step.map(({ scope }) => scope))])
        .where(
          'list',
          'in',
          step.map(({ list }) => list),
        )
        .execute();
      for (const row of rows) {
        const code = sealing.open(row.sealed_code, sealedAbout(row));
        if (code !== null) found.set(row.list, Buffer.from(code).toString());
      }
    }
    return found;
  }

  /** One that cannot be opened is not replaced: mail to it goes on arriving, and the right key may yet be found. */
  async #give(list: AddressedList): Promise<void> {
    await this.#ports.db
      .insertInto('mail_address')
      .values(this.#rowFor(list, newCode()))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The codes of addresses as they are stored, at most `limit`. */
export async function sealedMailAddresses(
  db: Kysely<Tables>,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<readonly (SealedSecret & Pick<AddressedList, 'scope' | 'list'>)[]> {
  const rows = await db
    .selectFrom('mail_address')
    .select(['scope', 'list', 'sealed_code', 'sealed_in'])
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    scope: row.scope,
    list: row.list,
    sealed: row.sealed_code,
    about: sealedAbout(row),
  }));
}

/** Addresses of lists in the database. */
export function createMailAddresses(ports: AddressPorts): MailAddresses {
  return new StoredAddresses(ports);
}
