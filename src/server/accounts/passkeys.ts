// Passkeys: the keys of an account that a device keeps behind its own lock. The library verifies what authenticators say;
// here it is kept which challenges are open, which keys belong to whom, and that each challenge counts once.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#sync/ports.ts';
import type { PasskeyTable, Tables } from '../data/tables.ts';

export type Passkey = Selectable<PasskeyTable>;

/** What a challenge was given out for: an answer to one is none to another. */
type Purpose = 'register' | 'sign_in' | 'confirm';

export interface Passkeys {
  list(account: number): Promise<readonly Passkey[]>;
  registration(
    account: { readonly id: number; readonly email: string },
    origin: string,
  ): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** Null when the answer proves nothing. */
  register(wanted: {
    readonly account: number;
    readonly name: string;
    readonly response: RegistrationResponseJSON;
    readonly origin: string;
  }): Promise<Passkey | null>;
  /** `account`: whose key is asked for; null: whoever signs in. */
  request(account: number | null, origin: string): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** The account whose key answered; null when the answer proves nothing. */
  verify(wanted: {
    readonly account: number | null;
    readonly response: AuthenticationResponseJSON;
    readonly origin: string;
  }): Promise<number | null>;
  /** False when the account has no such key. */
  remove(account: number, id: string): Promise<boolean>;
}

export interface PasskeyPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
}

const CEREMONY_MS = 5 * 60_000;
export const MOST_PASSKEYS = 20;

/** Loaded with the first passkey: its parsers take a third of a second that no start should pay for. */
const library = () => import('@simplewebauthn/server');

/**
 * Kinds of keys by their COSE numbers: EdDSA, ES256, RS256. Said outright: left to itself the library asks this Node for a
 * newer one, which Node has as an experiment and warns about.
 */
const KEY_KINDS = [-8, -7, -257];

const hostOf = (origin: string) => new URL(origin).hostname;
const transportsOf = ({ transports }: Passkey) =>
  transports === '' ? [] : (transports.split(',') as AuthenticatorTransport[]);
type AuthenticatorTransport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb';

type TakeChallenge = (challenge: string) => Promise<boolean>;

/**
 * What the library found, null when it refuses the answer: it throws where an answer proves nothing. Challenges are taken while
 * it works, and a database that fails there is no refusal: its error goes on.
 */
async function proven<T>(
  take: TakeChallenge,
  verify: (expectedChallenge: TakeChallenge) => Promise<T>,
): Promise<T | null> {
  const failures: unknown[] = [];
  const verified = await verify((challenge) =>
    take(challenge).catch((error: unknown) => {
      failures.push(error);
      return false;
    }),
  ).catch(() => null);
  if (failures.length > 0) throw failures[0];
  return verified;
}

class DatabasePasskeys implements Passkeys {
  readonly #ports: PasskeyPorts;

  constructor(ports: PasskeyPorts) {
    this.#ports = ports;
  }

  list(account: number): Promise<readonly Passkey[]> {
    return this.#ports.db
      .selectFrom('passkey')
      .selectAll()
      .where('account', '=', account)
      .orderBy('created_at')
      .execute();
  }

  async registration(account: { readonly id: number; readonly email: string }, origin: string) {
    const { generateRegistrationOptions } = await library();
    const known = await this.list(account.id);
    const options = await generateRegistrationOptions({
      rpName: 'Posthaste',
      rpID: hostOf(origin),
      userName: account.email,
      userID: new Uint8Array(Buffer.from(`posthaste-${account.id}`)),
      attestationType: 'none',
      supportedAlgorithmIDs: KEY_KINDS,
      excludeCredentials: known.map((key) => ({ id: key.id, transports: transportsOf(key) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.#open(options.challenge, 'register', account.id);
    return options;
  }

  async register({ account, name, response, origin }: Parameters<Passkeys['register']>[0]) {
    const { verifyRegistrationResponse } = await library();
    const { db, clock } = this.#ports;
    const close = (challenge: string) => this.#close(challenge, 'register', account);
    const verified = await proven(close, (expectedChallenge) =>
      verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: hostOf(origin),
        requireUserVerification: true,
        supportedAlgorithmIDs: KEY_KINDS,
      }),
    );
    if (!verified?.verified) return null;
    const { credential } = verified.registrationInfo;
    const passkey: Passkey = {
      id: credential.id,
      account,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).join(','),
      name,
      created_at: clock.now(),
      last_used_at: null,
    };
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('passkey')
      .values(passkey)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n ? passkey : null;
  }

  async request(account: number | null, origin: string) {
    const { generateAuthenticationOptions } = await library();
    const known = account === null ? [] : await this.list(account);
    const options = await generateAuthenticationOptions({
      rpID: hostOf(origin),
      userVerification: 'required',
      allowCredentials: known.map((key) => ({ id: key.id, transports: transportsOf(key) })),
    });
    await this.#open(options.challenge, account === null ? 'sign_in' : 'confirm', account);
    return options;
  }

  async verify({ account, response, origin }: Parameters<Passkeys['verify']>[0]) {
    const { verifyAuthenticationResponse } = await library();
    const { db, clock } = this.#ports;
    const key = await db.selectFrom('passkey').selectAll().where('id', '=', response.id).executeTakeFirst();
    if (!key || (account !== null && key.account !== account)) return null;
    const purpose = account === null ? 'sign_in' : 'confirm';
    const close = (challenge: string) => this.#close(challenge, purpose, account);
    const verified = await proven(close, (expectedChallenge) =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: hostOf(origin),
        requireUserVerification: true,
        credential: {
          id: key.id,
          publicKey: new Uint8Array(key.public_key),
          counter: key.counter,
          transports: transportsOf(key),
        },
      }),
    );
    if (!verified?.verified) return null;
    await db
      .updateTable('passkey')
      .set({ counter: verified.authenticationInfo.newCounter, last_used_at: clock.now() })
      .where('id', '=', key.id)
      .execute();
    return key.account;
  }

  async remove(account: number, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#ports.db
      .deleteFrom('passkey')
      .where('id', '=', id)
      .where('account', '=', account)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async #open(challenge: string, purpose: Purpose, account: number | null): Promise<void> {
    const { db, clock } = this.#ports;
    await db.deleteFrom('ceremony').where('expires_at', '<=', clock.now()).execute();
    await db
      .insertInto('ceremony')
      .values({ challenge, account, purpose, expires_at: clock.now() + CEREMONY_MS })
      .execute();
  }

  /** Whether it was open for this; it is not any more. */
  async #close(challenge: string, purpose: Purpose, account: number | null): Promise<boolean> {
    const { db, clock } = this.#ports;
    const { numDeletedRows } = await db
      .deleteFrom('ceremony')
      .where('challenge', '=', challenge)
      .where('purpose', '=', purpose)
      .where('account', account === null ? 'is' : '=', account)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }
}

export function createPasskeys(ports: PasskeyPorts): Passkeys {
  return new DatabasePasskeys(ports);
}
