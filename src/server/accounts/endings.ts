// Ends access when something about an account changes: sessions, tokens, passkeys, one-time codes, pending links and codes,
// and push subscriptions. docs/rules/account.md states what ends when; the endpoints decide who may request it.
import type { Kysely } from 'kysely';
import type { Id } from '#core/ids.ts';
import type { EssentialWrites } from '../care/room.ts';
import type { Tables } from '../data/tables.ts';
import type { Passkeys } from './passkeys.ts';
import type { SecondFactor } from './second-factor.ts';
import type { Sessions } from './sessions.ts';

/** Ends access to an account, in the database and for requests already under way. */
export interface Endings {
  /**
   * Ends sessions, for an account whose password or other credentials have just changed. `kept`: the session of the
   * request; null: none is kept. `tokens`: also ends API tokens. Resolves with the number of ended sessions.
   */
  sessions(account: number, of: { readonly kept: Id | null; readonly tokens: boolean }): Promise<number>;
  /** One session or token, for its account. */
  session(of: { readonly account: number; readonly id: Id }): Promise<void>;
  /** Passkeys, and open challenges for registering more. */
  passkeys(account: number): Promise<void>;
  /** Codes and links that were sent and not used: they may be in somebody else's mailbox. */
  letters(account: number): Promise<void>;
  /** All of these, and one-time codes: somebody else may have set them up. */
  everything(account: number, kept: Id | null): Promise<void>;
}

export interface EndingPorts {
  readonly db: Kysely<Tables>;
  readonly sessions: Pick<Sessions, 'list' | 'revoke' | 'forget'>;
  readonly secondFactor: Pick<SecondFactor, 'turnOff'>;
  readonly passkeys: Pick<Passkeys, 'removeAll'>;
  readonly room: EssentialWrites;
}

/** Endings for all kinds of credentials. */
export function createEndings({ db, sessions, secondFactor, passkeys, room }: EndingPorts): Endings {
  /** Requests under way that began before this notice the new entry version and give up. */
  const moveOn = (account: number) =>
    db
      .updateTable('account')
      .set((row) => ({ entry_version: row('entry_version', '+', 1) }))
      .where('id', '=', account)
      .execute();
  const endings: Endings = {
    async sessions(account, { kept, tokens }) {
      // First: a sign-in under way either sees this, or its session is in the list. Ending does not wait for room.
      await room.eventually(() => moveOn(account));
      const known = await sessions.list(account);
      const ids = known.flatMap(({ id, kind }) => (id === kept || (kind === 'api' && !tokens) ? [] : [id]));
      await sessions.revoke(ids);
      // Those that stay are read anew, with the changed account.
      sessions.forget(known.map(({ id }) => id));
      // Their sessions have ended: nothing is sent to them in any case.
      if (ids.length > 0)
        await room.eventually(() => db.deleteFrom('push_subscription').where('session', 'in', ids).execute());
      return ids.length;
    },
    async session({ account, id }) {
      await sessions.revoke([id]);
      // What it had begun is not finished in its name. What the others begin from now on is.
      await room.eventually(() => moveOn(account));
      sessions.forget((await sessions.list(account)).map((other) => other.id));
    },
    passkeys: (account) => passkeys.removeAll(account),
    async letters(account) {
      await db.deleteFrom('email_proof').where('account', '=', account).execute();
      await db.deleteFrom('password_reset').where('account', '=', account).execute();
    },
    async everything(account, kept) {
      // Before, for credentials being set up at this moment; and again with the sessions, for sign-ins at this moment.
      await room.essential(() => moveOn(account));
      await endings.passkeys(account);
      await secondFactor.turnOff(account);
      await endings.letters(account);
      await endings.sessions(account, { kept, tokens: true });
    },
  };
  return endings;
}
