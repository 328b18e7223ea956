// A forgotten password: a link by mail that is good once, for half an hour, and for the password it was asked for. Nobody is
// signed in by it, and every session ends. Not here: what a password must be (accounts/password-rule.ts).
import { timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#sync/ports.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { parseEmail } from '../accounts/email.ts';
import { passwordProblem } from '../accounts/password-rule.ts';
import type { SecurityEvents } from '../accounts/security-events.ts';
import type { Account, Sessions } from '../accounts/sessions.ts';
import type { Tables } from '../data/tables.ts';
import type { Limiter } from '../limits/rates.ts';
import type { Post } from '../mail/post.ts';
import { createSecret, digestOf, secretDigest } from './secret-link.ts';

const LIFETIME_MS = 30 * 60_000;

export type ResetOutcome =
  | { readonly type: 'reset' }
  /** The link is good, the password is not. */
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'busy' }
  | { readonly type: 'unknown' };

export interface PasswordResets {
  /** Sends a link if there is such an account. One that was sent before holds no longer. */
  ask(email: string): Promise<void>;
  use(token: string, password: string): Promise<ResetOutcome>;
}

export interface PasswordResetPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly post: Pick<Post, 'send'>;
  readonly limiter: Limiter;
  readonly accounts: Pick<Accounts, 'byEmail' | 'byId' | 'setPassword'>;
  readonly sessions: Pick<Sessions, 'list' | 'revoke'>;
  readonly events: Pick<SecurityEvents, 'record'>;
  readonly origin: string;
}

const stampOf = (account: Account) => digestOf(account.password_hash);

const askedText = (link: string) =>
  `Somebody, probably you, asked for a new password for this address.\n\nChoose it here within 30 minutes. The link works once:\n${link}\n\nIf it was not you, do nothing: your password stays as it is.\n`;

const changedText = (origin: string) =>
  `The password of your Posthaste account was changed by a link that was sent to this address. Every device was signed out.\n\nIf it was not you, write to us at once: ${origin}/contact\n`;

class DatabaseResets implements PasswordResets {
  readonly #ports: PasswordResetPorts;

  constructor(ports: PasswordResetPorts) {
    this.#ports = ports;
  }

  async ask(text: string): Promise<void> {
    const { db, clock, post, limiter, accounts, origin } = this.#ports;
    const email = parseEmail(text);
    if (email === null) return;
    const limitKey = Buffer.from(digestOf(email)).toString('base64url');
    if (!limiter.take('reset_ask_address', limitKey).allowed) return;
    const account = await accounts.byEmail(email);
    if (!account || account.deleted_at !== null || account.disabled_at !== null) return;
    const token = createSecret();
    const row = {
      token_hash: digestOf(token),
      password_stamp: stampOf(account),
      expires_at: Math.round(clock.now()) + LIFETIME_MS,
    };
    await db
      .insertInto('password_reset')
      .values({ account: account.id, ...row })
      .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
      .execute();
    const link = `${origin}/reset-password?token=${token}`;
    await post.send({ to: account.email, subject: 'Choose a new password', text: askedText(link) });
  }

  async use(token: string, password: string): Promise<ResetOutcome> {
    const { db, accounts } = this.#ports;
    const found = await this.#find(token);
    if (!found) return { type: 'unknown' };
    const problem = passwordProblem(password, found.account.email);
    if (problem) return { type: 'refused', message: problem.message };
    // Taken before it is used: of two that come at once only one finds it.
    const { numDeletedRows } = await db
      .deleteFrom('password_reset')
      .where('token_hash', '=', found.hash)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) return { type: 'unknown' };
    const failure = await accounts.setPassword(found.account, password);
    if (failure) {
      await db.insertInto('password_reset').values(found.row).execute();
      return failure.type === 'invalid' ? { type: 'refused', message: failure.message } : { type: 'busy' };
    }
    await this.#afterwards(found.account);
    return { type: 'reset' };
  }

  async #find(token: string) {
    const { db, clock, accounts } = this.#ports;
    const hash = secretDigest(token);
    if (hash === null) return null;
    const row = await db
      .selectFrom('password_reset')
      .selectAll()
      .where('token_hash', '=', hash)
      .executeTakeFirst();
    if (!row || row.expires_at <= clock.now()) return null;
    const account = await accounts.byId(row.account);
    if (!account || account.disabled_at !== null || account.deleted_at !== null) return null;
    return timingSafeEqual(stampOf(account), row.password_stamp) ? { account, row, hash } : null;
  }

  async #afterwards(account: Account): Promise<void> {
    const { sessions, events, post, origin } = this.#ports;
    const ids = (await sessions.list(account.id)).map(({ id }) => id);
    await sessions.revoke(ids);
    await events.record({ type: 'password_changed', account: account.id, detail: { door: 'reset' } });
    await post.send({ to: account.email, subject: 'Your password was changed', text: changedText(origin) });
  }
}

export function createPasswordResets(ports: PasswordResetPorts): PasswordResets {
  return new DatabaseResets(ports);
}
