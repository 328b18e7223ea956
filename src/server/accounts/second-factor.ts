// The second thing that proves who somebody is: one-time codes of an authenticator app, and recovery codes for the day it is
// lost. Asked for wherever a password is checked, once it is set up. Not here: passkeys, which need no password.
import { createHash, randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#sync/ports.ts';
import type { Tables } from '../data/tables.ts';
import { createSecret, keyUri, stepOf, toBase32 } from './one-time-codes.ts';
import type { Sealing } from './sealing.ts';

const RECOVERY_CODES = 10;
/** No letters that are taken for others; 10 of them hold 49 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODE_LENGTH = 10;

export interface SecondFactorState {
  readonly isOn: boolean;
  /** Unused ones. */
  readonly recoveryCodes: number;
}

export interface SecondFactor {
  state(account: number): Promise<SecondFactorState>;
  /** Whether this is a code of the app, or an unused recovery code; either counts once. */
  check(account: number, code: string): Promise<boolean>;
  /** A new key; it is asked for only after `confirm`. Null when codes are on already. */
  begin(account: {
    readonly id: number;
    readonly email: string;
  }): Promise<{ readonly secret: string; readonly uri: string } | null>;
  /** Turns codes on when the app shows the right one; the recovery codes are shown this once. Null: the code is wrong. */
  confirm(account: number, code: string): Promise<readonly string[] | null>;
  /** New recovery codes; the old ones hold no longer. */
  renew(account: number): Promise<readonly string[]>;
  turnOff(account: number): Promise<void>;
}

export interface SecondFactorPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly sealing: Sealing;
}

const aboutOf = (account: number) => `one-time-code ${account}`;
const normalise = (code: string) => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const hashOf = (account: number, code: string) =>
  createHash('sha256')
    .update(`${account} ${normalise(code)}`)
    .digest();

function newCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join(
    '',
  );
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}

class DatabaseSecondFactor implements SecondFactor {
  readonly #ports: SecondFactorPorts;

  constructor(ports: SecondFactorPorts) {
    this.#ports = ports;
  }

  async state(account: number): Promise<SecondFactorState> {
    const row = await this.#row(account);
    const { db } = this.#ports;
    const { count } = await db
      .selectFrom('recovery_code')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('account', '=', account)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow();
    return { isOn: row !== undefined && row.confirmed_at !== null, recoveryCodes: Number(count) };
  }

  async check(account: number, code: string): Promise<boolean> {
    return (await this.#useStep(account, code, 'confirmed')) || this.#useRecovery(account, code);
  }

  async begin({ id, email }: { readonly id: number; readonly email: string }) {
    const { db, sealing } = this.#ports;
    const secret = createSecret();
    const sealed = sealing.seal(secret, aboutOf(id));
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('one_time_code')
      .values({ account: id, secret: sealed, confirmed_at: null, last_step: 0 })
      .onConflict((conflict) =>
        conflict
          .column('account')
          .doUpdateSet({ secret: sealed, last_step: 0 })
          .where('one_time_code.confirmed_at', 'is', null),
      )
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n ? { secret: toBase32(secret), uri: keyUri(secret, email) } : null;
  }

  async confirm(account: number, code: string): Promise<readonly string[] | null> {
    const { db, clock } = this.#ports;
    if (!(await this.#useStep(account, code, 'unconfirmed'))) return null;
    const codes = await this.renew(account);
    await db
      .updateTable('one_time_code')
      .set({ confirmed_at: clock.now() })
      .where('account', '=', account)
      .execute();
    return codes;
  }

  async renew(account: number): Promise<readonly string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newCode);
    await this.#ports.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('recovery_code').where('account', '=', account).execute();
      const rows = codes.map((code) => ({ account, hash: hashOf(account, code), used_at: null }));
      await transaction.insertInto('recovery_code').values(rows).execute();
    });
    return codes;
  }

  async turnOff(account: number): Promise<void> {
    const { db } = this.#ports;
    await db.deleteFrom('one_time_code').where('account', '=', account).execute();
    await db.deleteFrom('recovery_code').where('account', '=', account).execute();
  }

  #row(account: number) {
    return this.#ports.db
      .selectFrom('one_time_code')
      .selectAll()
      .where('account', '=', account)
      .executeTakeFirst();
  }

  async #useStep(account: number, code: string, which: 'confirmed' | 'unconfirmed'): Promise<boolean> {
    const { db, clock, sealing } = this.#ports;
    const row = await this.#row(account);
    if (!row || (row.confirmed_at !== null) !== (which === 'confirmed')) return false;
    const secret = sealing.open(row.secret, aboutOf(account));
    const step = secret && stepOf(code, { secret, after: row.last_step }, clock.now());
    if (step === null) return false;
    const { numUpdatedRows } = await db
      .updateTable('one_time_code')
      .set({ last_step: step })
      .where('account', '=', account)
      .where('last_step', '<', step)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async #useRecovery(account: number, code: string): Promise<boolean> {
    const { db, clock } = this.#ports;
    const { numUpdatedRows } = await db
      .updateTable('recovery_code')
      .set({ used_at: clock.now() })
      .where('account', '=', account)
      .where('hash', '=', hashOf(account, code))
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
}

export function createSecondFactor(ports: SecondFactorPorts): SecondFactor {
  return new DatabaseSecondFactor(ports);
}
