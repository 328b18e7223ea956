// The connections of accounts to Google, and those that are being made. Tokens are sealed with the key of the server; what is asked for a person is
// asked with an access token that is renewed when it is over.
import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { failed, ok } from '#core/result.ts';
import type { Sealing } from '../../accounts/sealing.ts';
import type { Tables } from '../../data/tables.ts';
import { createSecret, digestOf, secretDigest } from '../../site/secret-link.ts';
import type { GoogleAnswer, GoogleClient, GoogleFailure, GoogleTokens } from './client.ts';

/** What keeping connections needs. */
export interface GrantPorts {
  readonly db: Kysely<Tables>;
  readonly sealing: Sealing;
  readonly client: GoogleClient;
  /** Wall milliseconds. */
  readonly now: () => number;
}

const FLOW_MS = 15 * 60_000;
/** An access token that ends sooner is renewed before it is used. */
const EARLY_MS = 60_000;

const about = (account: number) => `google ${account}`;
const AGAIN: GoogleFailure = { problem: 'again', afterMs: 0 };

/** Connections in the database. */
export class GoogleGrants {
  readonly #ports: GrantPorts;

  constructor(ports: GrantPorts) {
    this.#ports = ports;
  }

  /** Begins a connection. `address`: where the person says yes. `state`: has to come back by the same browser. */
  async begin(
    account: number,
    redirect: string,
  ): Promise<{ readonly address: string; readonly state: string }> {
    const { db, sealing, client, now } = this.#ports;
    const state = createSecret();
    const verifier = randomBytes(48).toString('base64url');
    await db
      .deleteFrom('google_flow')
      .where('created_at', '<', now() - FLOW_MS)
      .execute();
    await db
      .insertInto('google_flow')
      .values({
        state_hash: digestOf(state),
        account,
        verifier: sealing.seal(Buffer.from(verifier), about(account)),
        redirect,
        created_at: now(),
      })
      .execute();
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    return { address: client.consent({ state, challenge, redirect }), state };
  }

  /** Completes the connection that `state` began, once. Resolves with its account; null: there is none, or its time is over. */
  async complete(state: string, code: string): Promise<GoogleAnswer<number> | null> {
    const { db, sealing, client, now } = this.#ports;
    const hash = secretDigest(state);
    if (hash === null) return null;
    const flow = await db
      .deleteFrom('google_flow')
      .where('state_hash', '=', hash)
      .where('created_at', '>=', now() - FLOW_MS)
      .returningAll()
      .executeTakeFirst();
    if (flow === undefined) return null;
    const { account, redirect } = flow;
    const verifier = sealing.open(flow.verifier, about(account));
    if (verifier === null) return null;
    const answer = await client.exchange({ code, redirect, verifier: Buffer.from(verifier).toString() });
    if (!answer.ok) return answer;
    const { refresh_token: refresh } = answer.value;
    if (refresh === undefined) return failed({ problem: 'refused', afterMs: 0 });
    const row = {
      account,
      refresh: sealing.seal(Buffer.from(refresh), about(account)),
      ...this.#accessOf(account, answer.value),
      is_over: 0,
      created_at: now(),
    };
    await db
      .insertInto('google_grant')
      .values(row)
      .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
      .execute();
    return ok(account);
  }

  /** `isOver`: Google has ended it, or its tokens can't be read anymore. Null: there is none. */
  async of(account: number): Promise<{ readonly isOver: boolean } | null> {
    const row = await this.#row(account);
    return row === undefined ? null : { isOver: row.is_over === 1 };
  }

  /** Asks Google with the access token of an account; with a new one where that is over. */
  async with<T>(
    account: number,
    ask: (access: string) => Promise<GoogleAnswer<T>>,
  ): Promise<GoogleAnswer<T>> {
    const access = await this.#access(account, false);
    if (!access.ok) return access;
    const answer = await ask(access.value);
    if (answer.ok || answer.problem.problem !== 'token') return answer;
    const renewed = await this.#access(account, true);
    if (!renewed.ok) return renewed;
    const again = await ask(renewed.value);
    if (again.ok || again.problem.problem !== 'token') return again;
    await this.#end(account);
    return failed(AGAIN);
  }

  /** Forgets a connection, here and at Google. */
  async forget(account: number): Promise<void> {
    const { db, sealing, client } = this.#ports;
    const row = await this.#row(account);
    if (row === undefined) return;
    await db.deleteFrom('google_grant').where('account', '=', account).execute();
    const token = sealing.open(row.refresh, about(account));
    if (token !== null) await client.revoke(Buffer.from(token).toString());
  }

  async #row(account: number) {
    return await this.#ports.db
      .selectFrom('google_grant')
      .selectAll()
      .where('account', '=', account)
      .executeTakeFirst();
  }

  #accessOf(account: number, { access_token: access, expires_in: seconds }: GoogleTokens) {
    const { sealing, now } = this.#ports;
    return {
      access: sealing.seal(Buffer.from(access), about(account)),
      access_until: now() + Math.round(seconds * 1_000),
    };
  }

  async #access(account: number, isOver: boolean): Promise<GoogleAnswer<string>> {
    const { db, sealing, client, now } = this.#ports;
    const row = await this.#row(account);
    // Said once: nobody asks Google again before the person does.
    if (row === undefined || row.is_over === 1) return failed(AGAIN);
    const known = sealing.open(row.access, about(account));
    if (!isOver && known !== null && row.access_until - EARLY_MS > now())
      return ok(Buffer.from(known).toString());
    const refresh = sealing.open(row.refresh, about(account));
    const answer = refresh === null ? failed(AGAIN) : await client.refresh(Buffer.from(refresh).toString());
    if (!answer.ok) {
      if (answer.problem.problem === 'again') await this.#end(account);
      return answer;
    }
    const { refresh_token: next } = answer.value;
    await db
      .updateTable('google_grant')
      .set({
        ...this.#accessOf(account, answer.value),
        ...(next === undefined ? {} : { refresh: sealing.seal(Buffer.from(next), about(account)) }),
      })
      .where('account', '=', account)
      .execute();
    return ok(answer.value.access_token);
  }

  async #end(account: number): Promise<void> {
    await this.#ports.db
      .updateTable('google_grant')
      .set({ is_over: 1 })
      .where('account', '=', account)
      .execute();
  }
}
