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
  | { readonly type: 'disabled' };

export type AccountResult =
  | { readonly ok: true; readonly account: Account }
  | { readonly ok: false; readonly failure: AccountFailure };

export interface Accounts {
  signUp(email: string, password: string, client: Client): Promise<AccountResult>;
  signIn(email: string, password: string, client: Client): Promise<AccountResult>;
  /** As sign-up, for an operator: no limits. */
  create(email: string, password: string): Promise<AccountResult>;
  setPassword(account: Account, password: string): Promise<AccountFailure | null>;
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
  newId(): Id;
}

const failed = (failure: AccountFailure): AccountResult => ({ ok: false, failure });
const refused = (retryAfterMs: number): AccountResult =>
  failed({ type: 'limited', refused: { allowed: false, limit: 1, retryAfterMs } });

/** Limits remember addresses only like this. */
const digestOf = (email: string) => createHash('sha256').update(email).digest('base64url').slice(0, 22);

export function createAccounts(ports: AccountPorts): Accounts {
  const { db, store, clock, limiter, passwords, events } = ports;
  const guesses = createGuesses();

  const byEmail = (email: string) =>
    db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst();
  const byId = (id: number) => db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst();

  async function heal(account: Account): Promise<void> {
    if ((await store.scope(account.personal_scope)) !== null) return;
    await store.createScope({ id: account.personal_scope, kind: 'personal', owner: account.id });
  }

  /** Undefined when the address was taken meanwhile. */
  async function insert(email: string, passwordHash: string): Promise<Account | undefined> {
    for (let tries = 0; tries < ID_TRIES; tries += 1) {
      const account: Account = {
        id: randomInt(1, HIGHEST_ACCOUNT),
        email,
        password_hash: passwordHash,
        personal_scope: ports.newId(),
        created_at: clock.now(),
        verified_at: null,
        disabled_at: null,
        deleted_at: null,
      };
      const inserted = await db
        .insertInto('account')
        .values(account)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 1n) return account;
      if (await byEmail(email)) return undefined;
    }
    throw new Error('No free account number was found');
  }

  async function create(rawEmail: string, password: string): Promise<AccountResult> {
    const email = parseEmail(rawEmail);
    if (email === null)
      return failed({ type: 'invalid', field: 'email', message: 'Enter a valid email address.' });
    const problem = passwordProblem(password, email);
    if (problem) return failed({ type: 'invalid', field: 'password', message: problem.message });
    if (await byEmail(email)) return failed({ type: 'taken' });
    const hash = await hashUnlessBusy(password);
    if (hash === null) return failed({ type: 'busy' });
    const account = await insert(email, hash);
    if (!account) return failed({ type: 'taken' });
    // A crash right here leaves an account without its scope; the next sign-in or request heals it.
    await heal(account);
    return { ok: true, account };
  }

  async function hashUnlessBusy(password: string): Promise<string | null> {
    try {
      return await passwords.hash(password);
    } catch (error) {
      if (error instanceof HashingBusy) return null;
      throw error;
    }
  }

  async function check(password: string, account: Account | undefined) {
    try {
      return await passwords.check(password, account?.password_hash ?? null);
    } catch (error) {
      if (error instanceof HashingBusy) return null;
      throw error;
    }
  }

  async function signIn(rawEmail: string, password: string, client: Client): Promise<AccountResult> {
    const email = parseEmail(rawEmail) ?? rawEmail.slice(0, 1_000);
    const key = digestOf(email);
    const wait = guesses.waitMs(key, clock.monotonic());
    if (wait > 0) return refused(wait);
    const byAddress = limiter.take('sign_in_ip', client.key);
    if (!byAddress.allowed) return failed({ type: 'limited', refused: byAddress });
    const byAccount = limiter.take('sign_in_account', key);
    if (!byAccount.allowed) return failed({ type: 'limited', refused: byAccount });
    // Counted before it is checked, so that tries made at the same time cannot slip through together.
    guesses.failed(key, clock.monotonic());

    const account = await byEmail(email);
    const checked = await check(password, account);
    if (checked === null) {
      limiter.giveBack('sign_in_account', key);
      guesses.giveBack(key);
      return failed({ type: 'busy' });
    }
    if (!account || !checked.isRight || account.deleted_at !== null) {
      await events.record({
        type: 'sign_in_failed',
        account: account?.id ?? null,
        detail: { network: client.network },
      });
      return failed({ type: 'wrong' });
    }
    limiter.giveBack('sign_in_account', key);
    guesses.succeeded(key);
    if (account.disabled_at !== null) return failed({ type: 'disabled' });
    if (checked.isOutdated) await rehash(account, password);
    await heal(account);
    return { ok: true, account };
  }

  /** The stored hash was made with weaker parameters than today's. When the gate is busy the next sign-in does it. */
  async function rehash(account: Account, password: string): Promise<void> {
    const hash = await hashUnlessBusy(password);
    if (hash === null) return;
    await db
      .updateTable('account')
      .set({ password_hash: hash })
      .where('id', '=', account.id)
      .where('password_hash', '=', account.password_hash)
      .execute();
  }

  return {
    async signUp(email, password, client) {
      const taken = limiter.take('sign_up_ip', client.key);
      if (!taken.allowed) return failed({ type: 'limited', refused: taken });
      const result = await create(email, password);
      // A refused form is not a sign-up; a taken address is counted, so that addresses cannot be tried in bulk.
      if (!result.ok && (result.failure.type === 'invalid' || result.failure.type === 'busy'))
        limiter.giveBack('sign_up_ip', client.key);
      return result;
    },
    signIn,
    create,
    async setPassword(account, password) {
      const problem = passwordProblem(password, account.email);
      if (problem) return { type: 'invalid', field: 'password', message: problem.message };
      const hash = await hashUnlessBusy(password);
      if (hash === null) return { type: 'busy' };
      await db.updateTable('account').set({ password_hash: hash }).where('id', '=', account.id).execute();
      return null;
    },
    async setDisabled(account, isDisabled) {
      await db
        .updateTable('account')
        .set({ disabled_at: isDisabled ? clock.now() : null })
        .where('id', '=', account.id)
        .execute();
    },
    byEmail: (email) => byEmail(parseEmail(email) ?? email),
    byId,
    all: () => db.selectFrom('account').selectAll().orderBy('created_at').orderBy('id').execute(),
    heal,
  };
}
