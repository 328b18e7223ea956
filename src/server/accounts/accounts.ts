// Accounts: signing up, the one place where passwords are checked, and what an operator may do to accounts.
// Every endpoint that checks a password goes through `signIn` and so shares one throttle. Not here: HTTP, cookies,
// sessions.
import { createHash, randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { EssentialWrites } from '../care/room.ts';
import { endedEntries, ending, type Ledger, type LedgerEntry } from '../care/ledger.ts';
import { takesNoWrites } from '../data/storage-trouble.ts';
import type { Tables } from '../data/tables.ts';
import type { Store } from '../data/store.ts';
import type { Limiter } from '../limits/rates.ts';
import type { Refused } from '../limits/window.ts';
import { parseEmail } from '#core/email.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { createGuesses, type Guesses } from '../limits/guesses.ts';
import { passwordMark } from './credential-marks.ts';
import { HashingBusy, NO_PASSWORD, type Passwords } from './password-hash.ts';
import type { Notices } from './notices.ts';
import { passwordProblem } from './password-rule.ts';
import type { SecondFactor } from './second-factor.ts';
import type { SecurityEvents } from './security-events.ts';
import type { Account, FoundSession } from './sessions.ts';

const HIGHEST_ACCOUNT = 2 ** 31 - 1;
const ID_TRIES = 20;

/** The origin of a request, reduced to what is used of it. */
export interface Client {
  /** Key for limits: an IPv4 address, or the /64 of an IPv6 one. */
  readonly key: string;
  /** The part that may be recorded: the /24 or /48. */
  readonly network: string;
  readonly userAgent: string;
}

/** Expected failures of account operations. `busy`: too many passwords are being hashed. */
export type AccountFailure =
  | { readonly type: 'limited'; readonly refused: Refused }
  | { readonly type: 'busy' }
  | { readonly type: 'invalid'; readonly field: 'email' | 'password'; readonly message: string }
  | { readonly type: 'taken' }
  /** Wrong email or password; the answer does not tell whether the address is known. */
  | { readonly type: 'wrong' }
  /** The server was restored from a backup older than the password: no password works until a new one is set. */
  | { readonly type: 'password_ended' }
  /** Correct, but an operator disabled the account. */
  | { readonly type: 'disabled' }
  /** The credentials of the account were changed by another request meanwhile. */
  | { readonly type: 'changed' }
  /** Email and password are correct, and a one-time code is required too: missing or wrong. */
  | { readonly type: 'code_wanted'; readonly isWrong: boolean };

/** The account that was made or signed in to. */
export interface Admitted {
  readonly account: Account;
  /** An erasure had been requested; signing in canceled it. */
  readonly isKept?: boolean;
}

export type AccountResult = Result<Admitted, AccountFailure>;

export interface SignInCredentials {
  readonly email: string;
  readonly password: string;
  /** One-time or recovery code, where one is required. */
  readonly code: string | null;
}

/** Accounts and their credentials. Expected failures are values; passwords and codes are throttled inside. */
export interface Accounts {
  signUp(email: string, password: string, client: Client): Promise<AccountResult>;
  signIn(credentials: SignInCredentials, client: Client): Promise<AccountResult>;
  /** Signs in without a password: a passkey proved the account. */
  enter(account: number): Promise<AccountResult>;
  /**
   * Whether a signed-in person knows password and code as well. Tries are counted per session, so that guessing from
   * elsewhere does not delay the owner.
   */
  confirm(
    found: Omit<FoundSession, 'replacement'>,
    proof: Omit<SignInCredentials, 'email'>,
    client: Client,
  ): Promise<AccountResult>;
  /** As sign-up, for an operator: no limits. */
  create(email: string, password: string): Promise<AccountResult>;
  /**
   * `account`: the row from when permission was checked; a change since then refuses this. `proved`: the address counts as
   * verified from now on, in the same step.
   */
  setPassword(
    account: Account,
    password: string,
    proved?: { readonly email: string },
  ): Promise<AccountFailure | null>;
  /** Sets a verified address. Null: done. */
  setEmail(account: Account, email: string): Promise<AccountFailure | null>;
  /** Whether another account has the address, or it is reserved for an owner who may take it back. */
  isTaken(email: string, but?: number): Promise<boolean>;
  setErasure(account: Account, at: number | null): Promise<void>;
  setDisabled(account: Account, isDisabled: boolean): Promise<void>;
  byEmail(email: string): Promise<Account | undefined>;
  byId(id: number): Promise<Account | undefined>;
  all(): Promise<readonly Account[]>;
  /** Creates the personal scope if a crash came between creating the account and its scope. */
  heal(account: Account): Promise<void>;
}

export interface AccountPorts {
  readonly db: Kysely<Tables>;
  readonly store: Pick<Store, 'createScope' | 'scope'>;
  readonly clock: Clock;
  readonly limiter: Limiter;
  /** Absent: of this process alone. */
  readonly guesses?: Guesses;
  readonly passwords: Passwords;
  readonly events: SecurityEvents;
  readonly secondFactor: Pick<SecondFactor, 'state' | 'check'>;
  readonly newId: () => Id;
  readonly ledger: Pick<Ledger, 'record'>;
  readonly room: EssentialWrites;
  /** Marks of ended credentials that the database could not record. */
  readonly ended?: ReadonlySet<string>;
  /** Absent: this instance never checks codes. */
  readonly notices?: Pick<Notices, 'codesGuessed'>;
}

/** Keys under which tries are counted. */
interface Counted {
  /** For the growing delay. */
  readonly guesses: string;
  /** For the limit per account. */
  readonly account: string;
}

/** Limits store addresses only in this form. */
const digestOf = (email: string) => createHash('sha256').update(email).digest('base64url').slice(0, 22);

class DatabaseAccounts implements Accounts {
  readonly #ports: AccountPorts;
  readonly #guesses: Guesses;

  constructor(ports: AccountPorts) {
    this.#ports = ports;
    this.#guesses = ports.guesses ?? createGuesses(() => ports.clock.monotonic());
  }

  async signUp(email: string, password: string, client: Client): Promise<AccountResult> {
    const { limiter } = this.#ports;
    const taken = await limiter.take('sign_up_ip', client.key);
    if (!taken.allowed) return failed({ type: 'limited', refused: taken });
    const result = await this.create(email, password);
    // A rejected form does not count as a sign-up; a taken address does, so that addresses cannot be tested in bulk.
    if (!result.ok && (result.problem.type === 'invalid' || result.problem.type === 'busy'))
      await limiter.giveBack('sign_up_ip', client.key);
    return result;
  }

  async signIn({ email: rawEmail, password, code }: SignInCredentials, client: Client) {
    const email = parseEmail(rawEmail) ?? rawEmail.slice(0, 1_000);
    const account = await this.byEmail(email);
    const key = digestOf(email);
    const isKnown = await this.#ports.events.isKnown(account?.id ?? 0, client.network);
    return this.#prove(account, { password, code }, client, {
      guesses: `${key} ${client.key}`,
      account: isKnown ? `${key} ${client.network}` : key,
    });
  }

  async confirm(
    { account, session }: Omit<FoundSession, 'replacement'>,
    proof: Omit<SignInCredentials, 'email'>,
    client: Client,
  ) {
    const key = `${account.id} ${session.id}`;
    return this.#prove(await this.byId(account.id), proof, client, { guesses: key, account: key });
  }

  async enter(id: number): Promise<AccountResult> {
    const account = await this.byId(id);
    if (!account || account.deleted_at !== null) return failed({ type: 'wrong' });
    return this.#admit(account);
  }

  /** The one place where a password is checked, and the code required beside it. */
  async #prove(
    account: Account | undefined,
    { password, code }: Omit<SignInCredentials, 'email'>,
    client: Client,
    counted: Counted,
  ): Promise<AccountResult> {
    const { limiter, events } = this.#ports;
    const stopped = await this.#stopped(counted, client);
    if (stopped) return stopped;
    const notATry = async () => {
      await limiter.giveBack('sign_in_account', counted.account);
      await this.#guesses.giveBack(counted.guesses);
    };
    // Said for any password, so that the answer does not confirm the newest one.
    if (account?.deleted_at === null && this.#isEnded(account)) {
      await notATry();
      return failed({ type: 'password_ended' });
    }
    const checked = await this.#check(password, account);
    if (checked === null) {
      await notATry();
      return failed({ type: 'busy' });
    }
    const detail = { network: client.network };
    if (!account || !checked.isRight || account.deleted_at !== null) {
      await events.record({ type: 'sign_in_failed', account: account?.id ?? null, detail });
      return failed({ type: 'wrong' });
    }
    const refused = await this.#secondProof(account, code, counted);
    if (refused) {
      if (refused.type === 'code_wanted' && !refused.isWrong) await notATry();
      else await events.record({ type: 'sign_in_failed', account: account.id, detail });
      return failed(refused);
    }
    await limiter.giveBack('sign_in_account', counted.account);
    await this.#guesses.succeeded(counted.guesses);
    if (checked.isOutdated) await this.#rehash(account, password);
    return this.#admit(account);
  }

  #isEnded({ password_hash: stored }: Account): boolean {
    return stored === NO_PASSWORD || this.#ports.ended?.has(passwordMark(stored)) === true;
  }

  /** Null: no code is required, or it was right. */
  async #secondProof(
    account: Account,
    code: string | null,
    counted: Counted,
  ): Promise<Extract<AccountFailure, { type: 'code_wanted' | 'limited' }> | null> {
    const { secondFactor, limiter, notices } = this.#ports;
    if (!(await secondFactor.state(account.id)).isOn) return null;
    if (code === null || code.trim() === '') return { type: 'code_wanted', isWrong: false };
    // Six digits can be guessed with the password and enough time: far fewer tries than for passwords, and the owner is
    // notified.
    const taken = await limiter.take('sign_in_code', counted.account);
    if (!taken.allowed) {
      await notices?.codesGuessed(account);
      return { type: 'limited', refused: taken };
    }
    if (!(await secondFactor.check(account.id, code))) return { type: 'code_wanted', isWrong: true };
    await limiter.giveBack('sign_in_code', counted.account);
    return null;
  }

  /** Admits an account that proved its identity. */
  async #admit(account: Account): Promise<AccountResult> {
    if (account.disabled_at !== null) return failed({ type: 'disabled' });
    await this.heal(account);
    if (account.erase_at === null) return ok({ account });
    await this.setErasure(account, null);
    await this.#ports.events.record({ type: 'erasure_withdrawn', account: account.id, detail: {} });
    return ok({ account: { ...account, erase_at: null }, isKept: true });
  }

  /** The answer when there were too many tries. An admitted try counts as wrong until it turns out right. */
  async #stopped({ guesses, account }: Counted, client: Client): Promise<AccountResult | null> {
    const { limiter } = this.#ports;
    // Counted before it is checked, so that concurrent tries cannot slip through together.
    const wait = await this.#guesses.admit(guesses);
    if (wait > 0)
      return failed({ type: 'limited', refused: { allowed: false, limit: 1, retryAfterMs: wait } });
    const byAddress = await limiter.take('sign_in_ip', client.key);
    const taken = byAddress.allowed ? await limiter.take('sign_in_account', account) : byAddress;
    if (taken.allowed) return null;
    await this.#guesses.giveBack(guesses);
    return failed({ type: 'limited', refused: taken });
  }

  async create(rawEmail: string, password: string): Promise<AccountResult> {
    const email = parseEmail(rawEmail);
    if (email === null)
      return failed({ type: 'invalid', field: 'email', message: 'Enter a valid email address.' });
    const problem = passwordProblem(password, email);
    if (problem) return failed({ type: 'invalid', field: 'password', message: problem.message });
    if (await this.isTaken(email)) return failed({ type: 'taken' });
    const hash = await this.#hash(password);
    if (hash === null) return failed({ type: 'busy' });
    const account = await this.#insert(email, hash);
    if (!account) return failed({ type: 'taken' });
    // A crash right here leaves an account without its scope; the next sign-in or request heals it.
    await this.heal(account);
    return ok({ account });
  }

  async setPassword(
    account: Account,
    password: string,
    proved?: { readonly email: string },
  ): Promise<AccountFailure | null> {
    const problem = passwordProblem(password, proved?.email ?? account.email);
    if (problem) return { type: 'invalid', field: 'password', message: problem.message };
    const hash = await this.#hash(password);
    if (hash === null) return { type: 'busy' };
    const to = { password_hash: hash, ...(proved ? this.#provedAs(proved.email) : {}) };
    return this.#change(account, to);
  }

  async setEmail(account: Account, email: string): Promise<AccountFailure | null> {
    return this.#change(account, this.#provedAs(email));
  }

  #provedAs(email: string) {
    return { email, verified_at: Math.round(this.#ports.clock.now()) };
  }

  /** Writes only if the account is unchanged since it was read: of two concurrent credential changes one is refused. */
  async #change(
    account: Account,
    to: { readonly email?: string; readonly password_hash?: string; readonly verified_at?: number },
  ): Promise<AccountFailure | null> {
    if (to.email !== undefined && (await this.isTaken(to.email, account.id))) return { type: 'taken' };
    const before = to.password_hash === undefined ? undefined : await this.byId(account.id);
    const change = async () => {
      const isDone = await this.#ports.db.transaction().execute(async (transaction) => {
        let update = transaction
          .updateTable('account')
          .set(to)
          .where('id', '=', account.id)
          .where('entry_version', '=', account.entry_version);
        if (before !== undefined) update = update.where('password_hash', '=', before.password_hash);
        return (await update.executeTakeFirst()).numUpdatedRows === 1n;
      });
      return { done: isDone, hasEnded: isDone };
    };
    return (await ending(this.#ports, this.#endedBy(before), change)) ? null : { type: 'changed' };
  }

  #endedBy(before: Account | undefined): readonly LedgerEntry[] {
    if (before === undefined || before.password_hash === NO_PASSWORD) return [];
    const marks = [passwordMark(before.password_hash)];
    return endedEntries('password', marks, Math.round(this.#ports.clock.now()));
  }

  async isTaken(email: string, but = 0): Promise<boolean> {
    const owner = await this.byEmail(email);
    if (owner) return owner.id !== but;
    const { db, clock } = this.#ports;
    const kept = await db
      .selectFrom('email_undo')
      .select('account')
      .where('email', '=', email)
      .where('account', '!=', but)
      .where('expires_at', '>', Math.round(clock.now()))
      .executeTakeFirst();
    return kept !== undefined;
  }

  async setErasure(account: Account, at: number | null): Promise<void> {
    await this.#ports.db
      .updateTable('account')
      .set({ erase_at: at })
      .where('id', '=', account.id)
      .where('deleted_at', 'is', null)
      .execute();
  }

  async setDisabled(account: Account, isDisabled: boolean): Promise<void> {
    await this.#ports.db
      .updateTable('account')
      .set({ disabled_at: isDisabled ? this.#ports.clock.now() : null })
      .where('id', '=', account.id)
      .execute();
  }

  byEmail(email: string): Promise<Account | undefined> {
    const canonical = parseEmail(email) ?? email;
    return this.#ports.db.selectFrom('account').selectAll().where('email', '=', canonical).executeTakeFirst();
  }

  byId(id: number): Promise<Account | undefined> {
    return this.#ports.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst();
  }

  all(): Promise<readonly Account[]> {
    return this.#ports.db.selectFrom('account').selectAll().orderBy('created_at').orderBy('id').execute();
  }

  async heal(account: Account): Promise<void> {
    const { store } = this.#ports;
    if ((await store.scope(account.personal_scope)) !== null) return;
    await store.createScope({ id: account.personal_scope, kind: 'personal', owner: account.id });
  }

  /** Undefined when the address was taken meanwhile. */
  async #insert(email: string, passwordHash: string): Promise<Account | undefined> {
    const { db, clock, newId } = this.#ports;
    for (let tries = 0; tries < ID_TRIES; tries += 1) {
      const account: Account = {
        id: randomInt(1, HIGHEST_ACCOUNT),
        email,
        password_hash: passwordHash,
        personal_scope: newId(),
        created_at: clock.now(),
        verified_at: null,
        disabled_at: null,
        deleted_at: null,
        rates: null,
        erase_at: null,
        entry_version: 0,
      };
      const inserted = await db
        .insertInto('account')
        .values(account)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 1n) return account;
      if (await this.byEmail(email)) return undefined;
    }
    throw new Error('No free account number was found');
  }

  /** Null when too many requests are waiting. */
  async #hash(password: string, before?: string): Promise<string | null> {
    try {
      return await this.#ports.passwords.hash(password, before);
    } catch (error) {
      if (error instanceof HashingBusy) return null;
      throw error;
    }
  }

  /** Null when too many requests are waiting. */
  async #check(password: string, account: Account | undefined) {
    try {
      return await this.#ports.passwords.check(password, account?.password_hash ?? null);
    } catch (error) {
      if (error instanceof HashingBusy) return null;
      throw error;
    }
  }

  /**
   * For a stored hash with weaker parameters than today's. When the hasher is busy or the disk full, the next sign-in does
   * it.
   */
  async #rehash(account: Account, password: string): Promise<void> {
    const hash = await this.#hash(password, account.password_hash);
    if (hash === null) return;
    try {
      await this.#ports.db
        .updateTable('account')
        .set({ password_hash: hash })
        .where('id', '=', account.id)
        .where('password_hash', '=', account.password_hash)
        .execute();
    } catch (error) {
      if (!takesNoWrites(error)) throw error;
    }
  }
}

/** Accounts in the database. */
export function createAccounts(ports: AccountPorts): Accounts {
  return new DatabaseAccounts(ports);
}
