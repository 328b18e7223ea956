// Accounts: signing up, the one place where passwords are checked, and what an operator may do to them.
// Every door that checks a password comes through `signIn` and so shares one throttle. Not here: HTTP, cookies, sessions.
import { createHash, randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/ports.ts';
import type { Tables } from '../data/tables.ts';
import type { Store } from '../data/store.ts';
import type { Limiter } from '../limits/rates.ts';
import type { Refused } from '../limits/window.ts';
import { parseEmail } from './email.ts';
import { createGuesses } from './guesses.ts';
import { HashingBusy, type Passwords } from './password-hash.ts';
import { passwordProblem } from './password-rule.ts';
import type { SecondFactor } from './second-factor.ts';
import type { SecurityEvents } from './security-events.ts';
import type { Account } from './sessions.ts';

const HIGHEST_ACCOUNT = 2 ** 31 - 1;
const ID_TRIES = 20;

/** Where a request came from, as far as that is used. */
export interface Client {
  /** What limits are counted by: an IPv4 address, or the /64 of an IPv6 one. */
  readonly key: string;
  /** What may be written down: the /24 or /48. */
  readonly network: string;
  readonly userAgent: string;
}

export type AccountFailure =
  | { readonly type: 'limited'; readonly refused: Refused }
  | { readonly type: 'busy' }
  | { readonly type: 'invalid'; readonly field: 'email' | 'password'; readonly message: string }
  | { readonly type: 'taken' }
  /** The pair is wrong; whether the address is known stays open. */
  | { readonly type: 'wrong' }
  /** The pair is right, but an operator closed the account. */
  | { readonly type: 'disabled' }
  /** The pair is right, and a one-time code is wanted too: none came, or a wrong one. */
  | { readonly type: 'code_wanted'; readonly isWrong: boolean };

export type AccountResult =
  | {
      readonly ok: true;
      readonly account: Account;
      /** Its erasure had been asked for; signing in took that back. */
      readonly isKept?: boolean;
    }
  | { readonly ok: false; readonly failure: AccountFailure };

export interface SignInCredentials {
  readonly email: string;
  readonly password: string;
  /** One-time or recovery code, where one is wanted. */
  readonly code: string | null;
}

export interface Accounts {
  signUp(email: string, password: string, client: Client): Promise<AccountResult>;
  signIn(credentials: SignInCredentials, client: Client): Promise<AccountResult>;
  /** For who proved by a passkey whose account it is. */
  enter(account: number): Promise<AccountResult>;
  /** Whether somebody who is signed in knows the password and code too. Counts like signing in. */
  confirm(account: Account, proof: Omit<SignInCredentials, 'email'>, client: Client): Promise<AccountResult>;
  /** As sign-up, for an operator: no limits. */
  create(email: string, password: string): Promise<AccountResult>;
  setPassword(account: Account, password: string): Promise<AccountFailure | null>;
  /** False when the address is another account's. */
  setEmail(account: Account, email: string): Promise<boolean>;
  setErasure(account: Account, at: number | null): Promise<void>;
  setDisabled(account: Account, isDisabled: boolean): Promise<void>;
  byEmail(email: string): Promise<Account | undefined>;
  byId(id: number): Promise<Account | undefined>;
  all(): Promise<readonly Account[]>;
  /** Makes the personal scope when a crash came between the account and it. */
  heal(account: Account): Promise<void>;
}

export interface AccountPorts {
  readonly db: Kysely<Tables>;
  readonly store: Pick<Store, 'createScope' | 'scope'>;
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly passwords: Passwords;
  readonly events: SecurityEvents;
  readonly secondFactor: Pick<SecondFactor, 'state' | 'check'>;
  readonly newId: () => Id;
}

const failed = (failure: AccountFailure): AccountResult => ({ ok: false, failure });

/** Limits remember addresses only like this. */
const digestOf = (email: string) => createHash('sha256').update(email).digest('base64url').slice(0, 22);

class DatabaseAccounts implements Accounts {
  readonly #ports: AccountPorts;
  readonly #guesses = createGuesses();

  constructor(ports: AccountPorts) {
    this.#ports = ports;
  }

  async signUp(email: string, password: string, client: Client): Promise<AccountResult> {
    const { limiter } = this.#ports;
    const taken = limiter.take('sign_up_ip', client.key);
    if (!taken.allowed) return failed({ type: 'limited', refused: taken });
    const result = await this.create(email, password);
    // A refused form is not a sign-up; a taken address is counted, so that addresses cannot be tried in bulk.
    if (!result.ok && (result.failure.type === 'invalid' || result.failure.type === 'busy'))
      limiter.giveBack('sign_up_ip', client.key);
    return result;
  }

  async signIn({ email: rawEmail, password, code }: SignInCredentials, client: Client) {
    const email = parseEmail(rawEmail) ?? rawEmail.slice(0, 1_000);
    return this.#prove(email, { password, code }, client);
  }

  async confirm(account: Account, proof: Omit<SignInCredentials, 'email'>, client: Client) {
    return this.#prove(account.email, proof, client);
  }

  async enter(id: number): Promise<AccountResult> {
    const account = await this.byId(id);
    if (!account || account.deleted_at !== null) return failed({ type: 'wrong' });
    return this.#admit(account);
  }

  /** The one place where a password is checked, and the code that is wanted beside it. */
  async #prove(
    email: string,
    { password, code }: Omit<SignInCredentials, 'email'>,
    client: Client,
  ): Promise<AccountResult> {
    const { limiter, events } = this.#ports;
    const key = digestOf(email);
    const stopped = this.#stopped(key, client);
    if (stopped) return stopped;
    const notATry = () => {
      limiter.giveBack('sign_in_account', key);
      this.#guesses.giveBack(key);
    };
    const account = await this.byEmail(email);
    const checked = await this.#check(password, account);
    if (checked === null) {
      notATry();
      return failed({ type: 'busy' });
    }
    const detail = { network: client.network };
    if (!account || !checked.isRight || account.deleted_at !== null) {
      await events.record({ type: 'sign_in_failed', account: account?.id ?? null, detail });
      return failed({ type: 'wrong' });
    }
    const refused = await this.#secondProof(account, code);
    if (refused) {
      if (!refused.isWrong) notATry();
      else await events.record({ type: 'sign_in_failed', account: account.id, detail });
      return failed(refused);
    }
    limiter.giveBack('sign_in_account', key);
    this.#guesses.succeeded(key);
    if (checked.isOutdated) await this.#rehash(account, password);
    return this.#admit(account);
  }

  /** Null when none is wanted, or the right one came. */
  async #secondProof(account: Account, code: string | null) {
    const { secondFactor } = this.#ports;
    if (!(await secondFactor.state(account.id)).isOn) return null;
    if (code === null || code.trim() === '') return { type: 'code_wanted', isWrong: false } as const;
    return (await secondFactor.check(account.id, code))
      ? null
      : ({ type: 'code_wanted', isWrong: true } as const);
  }

  /** Whoever has proved who they are. */
  async #admit(account: Account): Promise<AccountResult> {
    if (account.disabled_at !== null) return failed({ type: 'disabled' });
    await this.heal(account);
    if (account.erase_at === null) return { ok: true, account };
    await this.setErasure(account, null);
    await this.#ports.events.record({ type: 'erasure_withdrawn', account: account.id, detail: {} });
    return { ok: true, account: { ...account, erase_at: null }, isKept: true };
  }

  /** The answer to a try that is one too many. A try that is heard counts as wrong until it turns out right. */
  #stopped(key: string, client: Client): AccountResult | null {
    const { limiter, clock } = this.#ports;
    const wait = this.#guesses.waitMs(key, clock.monotonic());
    if (wait > 0)
      return failed({ type: 'limited', refused: { allowed: false, limit: 1, retryAfterMs: wait } });
    const byAddress = limiter.take('sign_in_ip', client.key);
    if (!byAddress.allowed) return failed({ type: 'limited', refused: byAddress });
    const byAccount = limiter.take('sign_in_account', key);
    if (!byAccount.allowed) return failed({ type: 'limited', refused: byAccount });
    // Counted before it is checked, so that tries made at the same time cannot slip through together.
    this.#guesses.failed(key, clock.monotonic());
    return null;
  }

  async create(rawEmail: string, password: string): Promise<AccountResult> {
    const email = parseEmail(rawEmail);
    if (email === null)
      return failed({ type: 'invalid', field: 'email', message: 'Enter a valid email address.' });
    const problem = passwordProblem(password, email);
    if (problem) return failed({ type: 'invalid', field: 'password', message: problem.message });
    if (await this.byEmail(email)) return failed({ type: 'taken' });
    const hash = await this.#hash(password);
    if (hash === null) return failed({ type: 'busy' });
    const account = await this.#insert(email, hash);
    if (!account) return failed({ type: 'taken' });
    // A crash right here leaves an account without its scope; the next sign-in or request heals it.
    await this.heal(account);
    return { ok: true, account };
  }

  async setPassword(account: Account, password: string): Promise<AccountFailure | null> {
    const problem = passwordProblem(password, account.email);
    if (problem) return { type: 'invalid', field: 'password', message: problem.message };
    const hash = await this.#hash(password);
    if (hash === null) return { type: 'busy' };
    const { db } = this.#ports;
    await db.updateTable('account').set({ password_hash: hash }).where('id', '=', account.id).execute();
    return null;
  }

  async setEmail(account: Account, email: string): Promise<boolean> {
    const { db, clock } = this.#ports;
    const owner = await this.byEmail(email);
    if (owner && owner.id !== account.id) return false;
    await db
      .updateTable('account')
      .set({ email, verified_at: clock.now() })
      .where('id', '=', account.id)
      .execute();
    return true;
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

  /** Null when too many are waiting. */
  async #hash(password: string): Promise<string | null> {
    try {
      return await this.#ports.passwords.hash(password);
    } catch (error) {
      if (error instanceof HashingBusy) return null;
      throw error;
    }
  }

  /** Null when too many are waiting. */
  async #check(password: string, account: Account | undefined) {
    try {
      return await this.#ports.passwords.check(password, account?.password_hash ?? null);
    } catch (error) {
      if (error instanceof HashingBusy) return null;
      throw error;
    }
  }

  /** The stored hash was made with weaker parameters than today's. When the gate is busy the next sign-in does it. */
  async #rehash(account: Account, password: string): Promise<void> {
    const hash = await this.#hash(password);
    if (hash === null) return;
    await this.#ports.db
      .updateTable('account')
      .set({ password_hash: hash })
      .where('id', '=', account.id)
      .where('password_hash', '=', account.password_hash)
      .execute();
  }
}

export function createAccounts(ports: AccountPorts): Accounts {
  return new DatabaseAccounts(ports);
}
