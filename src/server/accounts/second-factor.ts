// The second factor: one-time codes of an authenticator app, and recovery codes in case it is lost. Required wherever a
// password is checked, once it is set up. Not here: passkeys, which need no password.
import { createHash, randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import { endedEntries, ending, type Ledger } from '../care/ledger.ts';
import type { EssentialWrites } from '../care/room.ts';
import type { Tables } from '../data/tables.ts';
import { codesMark, recoveryCodesMark } from './credential-marks.ts';
import { createSecret, keyUri, stepOf, toBase32 } from './one-time-codes.ts';
import type { SealedSecret } from './sealed.ts';
import type { Sealing } from './sealing.ts';
import type { Account } from './sessions.ts';

const RECOVERY_CODES = 10;
/** Without look-alike letters; 10 of them hold 49 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODE_LENGTH = 10;

export interface SecondFactorState {
  readonly isOn: boolean;
  /** When codes were turned on; null: they are off. */
  readonly since: number | null;
  /** Number of unused ones. */
  readonly recoveryCodes: number;
}

/** One-time codes and recovery codes of accounts. Every code works once. */
export interface SecondFactor {
  state(account: number): Promise<SecondFactorState>;
  /** Whether this is a code of the app, or an unused recovery code; either works once. */
  check(account: number, code: string): Promise<boolean>;
  /** Creates a key, which is required only after `confirm`. Null: codes are already on. */
  begin(account: {
    readonly id: number;
    readonly email: string;
  }): Promise<{ readonly secret: string; readonly uri: string } | null>;
  /**
   * Turns codes on if the app's code is right, and returns the recovery codes, shown only now. Null: wrong code, or the
   * credentials of the account have changed since it was read.
   */
  confirm(account: Pick<Account, 'id' | 'entry_version'>, code: string): Promise<readonly string[] | null>;
  /** Returns new recovery codes; the old ones stop working. */
  renew(account: number): Promise<readonly string[]>;
  turnOff(account: number): Promise<void>;
}

export interface SecondFactorPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly room: EssentialWrites;
  readonly ledger: Pick<Ledger, 'record'>;
  /** Marks of ended credentials that the database could not record. */
  readonly ended?: ReadonlySet<string>;
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
  /** Codes used while nothing could be written: they still work only once. */
  readonly #used = new Set<string>();

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
    const since = row?.confirmed_at ?? null;
    return { isOn: since !== null, since, recoveryCodes: Number(count) };
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

  async confirm(
    { id, entry_version: version }: Pick<Account, 'id' | 'entry_version'>,
    code: string,
  ): Promise<readonly string[] | null> {
    const { db, clock } = this.#ports;
    if (!(await this.#useStep(id, code, 'unconfirmed'))) return null;
    const codes = await this.renew(id);
    const { numUpdatedRows } = await db
      .updateTable('one_time_code')
      .set({ confirmed_at: clock.now() })
      .where('account', '=', id)
      .where((where) =>
        where.exists(
          where.selectFrom('account').select('id').where('id', '=', id).where('entry_version', '=', version),
        ),
      )
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return null;
    await this.#noteSet(id);
    return codes;
  }

  async renew(account: number): Promise<readonly string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newCode);
    const before = await this.#recoveryMarks(account);
    return this.#ending(before, 'recovery_codes', async () => {
      await this.#ports.db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('recovery_code').where('account', '=', account).execute();
        const rows = codes.map((code) => ({ account, hash: hashOf(account, code), used_at: null }));
        await transaction.insertInto('recovery_code').values(rows).execute();
      });
      return { done: codes, hasEnded: true };
    });
  }

  async turnOff(account: number): Promise<void> {
    const row = await this.#row(account);
    await this.#ending(row ? [codesMark(row.secret)] : [], 'codes', async () => {
      await this.#ports.db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('one_time_code').where('account', '=', account).execute();
        await transaction.deleteFrom('recovery_code').where('account', '=', account).execute();
      });
      return { done: undefined, hasEnded: true };
    });
  }

  #ending<T>(
    marks: readonly string[],
    what: 'codes' | 'recovery_codes',
    work: () => Promise<{ readonly done: T; readonly hasEnded: boolean }>,
  ): Promise<T> {
    return ending(this.#ports, endedEntries(what, marks, Math.round(this.#ports.clock.now())), work);
  }

  /** After a restore this tells replaced codes from codes that were turned off. */
  async #noteSet(account: number): Promise<void> {
    const { ledger, clock } = this.#ports;
    const row = await this.#row(account);
    const at = Math.round(clock.now());
    if (row) await ledger.record([{ type: 'codes_set', at, account, mark: codesMark(row.secret) }]);
  }

  /** Marks of the present codes, if any. */
  async #recoveryMarks(account: number): Promise<readonly string[]> {
    const query = this.#ports.db.selectFrom('recovery_code').select('hash').where('account', '=', account);
    const rows = await query.execute();
    return rows.length === 0 ? [] : [recoveryCodesMark(rows.map(({ hash }) => hash))];
  }

  async #marks(account: number): Promise<readonly string[]> {
    const row = await this.#row(account);
    return [...(row ? [codesMark(row.secret)] : []), ...(await this.#recoveryMarks(account))];
  }

  #isEnded(marks: readonly string[]): boolean {
    return marks.some((mark) => this.#ports.ended?.has(mark) === true);
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
    if (this.#isEnded([codesMark(row.secret)])) return false;
    const secret = sealing.open(row.secret, aboutOf(account));
    const step = secret && stepOf(code, { secret, after: row.last_step }, clock.now());
    if (step === null) return false;
    const update = db
      .updateTable('one_time_code')
      .set({ last_step: step })
      .where('account', '=', account)
      .where('last_step', '<', step);
    return this.#useOnce(`${account} ${step}`, () => update.executeTakeFirst());
  }

  async #useRecovery(account: number, code: string): Promise<boolean> {
    const { db, clock } = this.#ports;
    const hash = hashOf(account, code);
    const unused = await db
      .selectFrom('recovery_code')
      .select('account')
      .where('account', '=', account)
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (unused === undefined || this.#isEnded(await this.#marks(account))) return false;
    const update = db
      .updateTable('recovery_code')
      .set({ used_at: clock.now() })
      .where('account', '=', account)
      .where('hash', '=', hash)
      .where('used_at', 'is', null);
    return this.#useOnce(hash.toString('hex'), () => update.executeTakeFirst());
  }

  /** Whether this was the first use: decided by the database, and by this process while the database cannot be written. */
  async #useOnce(name: string, update: () => Promise<{ readonly numUpdatedRows: bigint }>): Promise<boolean> {
    if (this.#used.has(name)) return false;
    this.#used.add(name);
    let isFirst: boolean | undefined;
    try {
      await this.#ports.room.eventually(async () => {
        isFirst = (await update()).numUpdatedRows === 1n;
        this.#used.delete(name);
      });
    } catch (error) {
      this.#used.delete(name);
      throw error;
    }
    return isFirst ?? true;
  }
}

/** The second factor in the database, with keys sealed. */
export function createSecondFactor(ports: SecondFactorPorts): SecondFactor {
  return new DatabaseSecondFactor(ports);
}

/** The keys of authenticator apps as they are stored, with the e-mail addresses of their accounts; at most `limit`. */
export async function sealedCodes(
  db: Kysely<Tables>,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<readonly (SealedSecret & { readonly email: string })[]> {
  const rows = await db
    .selectFrom('one_time_code')
    .innerJoin('account', 'account.id', 'one_time_code.account')
    .select(['account.id', 'account.email', 'one_time_code.secret'])
    .where('one_time_code.confirmed_at', 'is not', null)
    .orderBy('account.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, email, secret }) => ({ email, sealed: secret, about: aboutOf(id) }));
}
