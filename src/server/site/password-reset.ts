// A forgotten password, and undoing a change of address by somebody else: a link by mail that works once and sets a new
// password. It signs nobody in, and every session ends. docs/rules/account.md states what else ends. Not here: the rules
// for passwords (accounts/password-rule.ts).
import { timingSafeEqual } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import type { AccountFailure, Accounts } from '../accounts/accounts.ts';
import { parseEmail } from '#core/email.ts';
import { passwordProblem } from '../accounts/password-rule.ts';
import type { SecurityEvents } from '../accounts/security-events.ts';
import type { Account } from '../accounts/sessions.ts';
import type { PasswordResetTable, Tables } from '../data/tables.ts';
import type { Endings } from '../accounts/endings.ts';
import type { EmailUndo, EmailUndos } from '../accounts/email-undo.ts';
import type { Notices, StillOpen } from '../accounts/notices.ts';
import type { Passkeys } from '../accounts/passkeys.ts';
import type { SecondFactor } from '../accounts/second-factor.ts';
import type { Letters } from '../mail/letters.ts';
import { createSecret, digestOf, secretDigest } from './secret-link.ts';

const LIFETIME_MS = 30 * 60_000;

export type ResetOutcome =
  | { readonly type: 'reset' }
  /** The link is valid, the password is not acceptable. */
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'busy' }
  | { readonly type: 'unknown' };

export interface PasswordResets {
  /** Sends a link if there is such an account. It replaces an earlier one. */
  ask(email: string): Promise<void>;
  use(token: string, password: string): Promise<ResetOutcome>;
}

export interface PasswordResetPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly letters: Letters;
  readonly notices: Pick<Notices, 'passwordReset' | 'emailPutBack'>;
  readonly accounts: Pick<Accounts, 'byEmail' | 'byId' | 'setPassword' | 'setErasure' | 'isTaken'>;
  readonly endings: Endings;
  readonly undos: EmailUndos;
  readonly passkeys: Pick<Passkeys, 'list'>;
  readonly secondFactor: Pick<SecondFactor, 'state' | 'turnOff'>;
  readonly events: Pick<SecurityEvents, 'record'>;
  readonly origin: string;
}

/** The result of looking up a link. */
type Found =
  | { readonly type: 'forgotten'; readonly account: Account; readonly row: Selectable<PasswordResetTable> }
  | { readonly type: 'undo'; readonly account: Account; readonly undo: EmailUndo };

const stampOf = (account: Account) => digestOf(account.password_hash);

const askedText = (link: string) =>
  `Someone, probably you, asked to reset the password for this address.\n\nChoose a new one within 30 minutes. The link works once:\n${link}\n\nIf it wasn't you, do nothing. Your password won't change.\n`;

class DatabaseResets implements PasswordResets {
  readonly #ports: PasswordResetPorts;

  constructor(ports: PasswordResetPorts) {
    this.#ports = ports;
  }

  async ask(text: string): Promise<void> {
    const { db, clock, letters, accounts, origin } = this.#ports;
    const email = parseEmail(text);
    if (email === null) return;
    const account = await accounts.byEmail(email);
    if (!account || account.deleted_at !== null || account.disabled_at !== null) return;
    const token = createSecret();
    const row = {
      token_hash: digestOf(token),
      password_stamp: stampOf(account),
      expires_at: Math.round(clock.now()) + LIFETIME_MS,
    };
    const link = `${origin}/reset-password?token=${token}`;
    const refused = await letters.send({
      kind: 'reset',
      isProved: account.verified_at !== null,
      to: account.email,
      subject: 'Choose a new password',
      text: askedText(link),
    });
    // The earlier link stays valid then.
    if (refused) return;
    await db
      .insertInto('password_reset')
      .values({ account: account.id, ...row })
      .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
      .execute();
  }

  async use(token: string, password: string): Promise<ResetOutcome> {
    const { accounts } = this.#ports;
    const found = await this.#find(token);
    if (!found) return { type: 'unknown' };
    const { id } = found.account;
    const email = found.type === 'undo' ? found.undo.email : found.account.email;
    const problem = passwordProblem(password, email);
    if (problem) return { type: 'refused', message: problem.message };
    // Consumed before it is used: of two concurrent requests only one finds it.
    if (!(await this.#take(found))) return { type: 'unknown' };
    const isFirst = found.type === 'forgotten' && found.account.verified_at === null;
    const proved = isFirst || found.type === 'undo' ? { email } : undefined;
    let failure: AccountFailure | null;
    try {
      // Before the password: if anything fails from here on, no earlier session survives.
      await this.#end(found);
      const account = await accounts.byId(id);
      failure = account ? await accounts.setPassword(account, password, proved) : null;
    } catch (error) {
      // No password was set: the link stays good. Where it cannot be put back either, the first failure is the one to report.
      await this.#putBack(found).catch(() => undefined);
      throw error;
    }
    if (failure) {
      await this.#putBack(found);
      return failure.type === 'invalid' ? { type: 'refused', message: failure.message } : { type: 'busy' };
    }
    await this.#afterwards(found, isFirst);
    return { type: 'reset' };
  }

  async #find(token: string): Promise<Found | null> {
    const { db, clock, accounts, undos } = this.#ports;
    const hash = secretDigest(token);
    if (hash === null) return null;
    const row = await db
      .selectFrom('password_reset')
      .selectAll()
      .where('token_hash', '=', hash)
      .executeTakeFirst();
    const undo = row ? undefined : await undos.find(hash);
    const account = await accounts.byId(row?.account ?? undo?.account ?? 0);
    if (!account || account.disabled_at !== null || account.deleted_at !== null) return null;
    if (undo) return { type: 'undo', account, undo };
    if (!row || row.expires_at <= clock.now()) return null;
    return timingSafeEqual(stampOf(account), row.password_stamp) ? { type: 'forgotten', account, row } : null;
  }

  async #take(found: Found): Promise<boolean> {
    if (found.type === 'undo') return this.#ports.undos.use(found.undo);
    const { numDeletedRows } = await this.#ports.db
      .deleteFrom('password_reset')
      .where('token_hash', '=', found.row.token_hash)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async #putBack(found: Found): Promise<void> {
    if (found.type === 'undo') await this.#ports.undos.putBack(found.undo);
    else
      await this.#ports.db
        .insertInto('password_reset')
        .values(found.row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  }

  /** Credentials set up by somebody who could not read this address's mail do not survive its verification. */
  async #end(found: Found): Promise<void> {
    const { endings, undos, secondFactor } = this.#ports;
    const { account } = found;
    if (found.type === 'forgotten' && account.verified_at === null) {
      await endings.everything(account.id, null);
      return;
    }
    await endings.letters(account.id);
    await endings.sessions(account.id, { kept: null, tokens: true });
    if (found.type === 'forgotten') return;
    // After the sessions: nobody is left who could add more.
    await endings.passkeys(account.id);
    const { since } = await secondFactor.state(account.id);
    if (since === null || undos.isSuspect(found.undo, since)) await secondFactor.turnOff(account.id);
  }

  async #afterwards(found: Found, isFirst: boolean): Promise<void> {
    const { accounts, endings, events, notices, passkeys, secondFactor } = this.#ports;
    const { id } = found.account;
    // Again: somebody may have signed in with the old password until it was changed.
    if (isFirst) await endings.everything(id, null);
    else await endings.sessions(id, { kept: null, tokens: true });
    const account = await accounts.byId(id);
    if (!account) return;
    const [keys, codes] = await Promise.all([passkeys.list(id), secondFactor.state(id)]);
    const still: StillOpen = { passkeys: keys.map(({ name }) => name), tokens: [], codes: codes.isOn };
    if (found.type === 'undo') {
      // The person who changed the address may have requested the erasure too.
      await accounts.setErasure(account, null);
      await events.record({ type: 'email_put_back', account: id, detail: { door: 'undo' } });
      await notices.emailPutBack(account, still);
      return;
    }
    if (isFirst) await events.record({ type: 'email_verified', account: id, detail: { door: 'reset' } });
    await events.record({ type: 'password_changed', account: id, detail: { door: 'reset' } });
    await notices.passwordReset(account, still, isFirst);
  }
}

export function createPasswordResets(ports: PasswordResetPorts): PasswordResets {
  return new DatabaseResets(ports);
}
