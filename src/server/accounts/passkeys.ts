// Passkeys: credentials that a device keeps behind its own lock. The library verifies the answers of authenticators; this
// file keeps open challenges and keys, and makes each challenge work once.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import { endedEntries, ending, type Ledger } from '../care/ledger.ts';
import type { EssentialWrites } from '../care/room.ts';
import { takesNoWrites } from '../data/storage-trouble.ts';
import type { PasskeyTable, Tables } from '../data/tables.ts';
import { passkeyMark } from './credential-marks.ts';

export type Passkey = Selectable<PasskeyTable>;

/** What a challenge is for: an answer to one purpose is not accepted for another. */
type Purpose = 'register' | 'sign_in' | 'confirm';

/** The passkeys of all accounts, and the WebAuthn ceremonies that add and use them. */
export interface Passkeys {
  list(account: number): Promise<readonly Passkey[]>;
  registration(
    account: { readonly id: number; readonly email: string },
    origin: string,
  ): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** Null: the answer proves nothing. */
  register(wanted: {
    readonly account: number;
    readonly name: string;
    readonly response: RegistrationResponseJSON;
    readonly origin: string;
  }): Promise<Passkey | null>;
  /** `account`: whose passkey is requested; null: any account, to sign in. */
  request(account: number | null, origin: string): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** The account of the passkey that answered; null: the answer proves nothing. */
  verify(wanted: {
    readonly account: number | null;
    readonly response: AuthenticationResponseJSON;
    readonly origin: string;
  }): Promise<number | null>;
  /** Whether any account has this passkey. */
  holds(id: string): Promise<boolean>;
  /** False: the account has no such passkey. */
  remove(account: number, id: string): Promise<boolean>;
  /** Removes all passkeys of an account, and open challenges for registering more. */
  removeAll(account: number): Promise<void>;
}

export interface PasskeyPorts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly room: EssentialWrites;
  readonly ledger: Pick<Ledger, 'record'>;
  /** Marks of ended credentials that the database could not record. */
  readonly ended?: ReadonlySet<string>;
}

const CEREMONY_MS = 5 * 60_000;
export const MOST_PASSKEYS = 20;

/** Loaded with the first passkey: its parsers take a third of a second that no start should pay for. */
const library = () => import('@simplewebauthn/server');

/**
 * COSE algorithms: EdDSA, ES256, RS256. Explicit, because by default the library also probes a newer one, which Node
 * supports as an experiment and warns about.
 */
const KEY_KINDS = [-8, -7, -257];

const hostOf = (origin: string) => new URL(origin).hostname;
const transportsOf = ({ transports }: Passkey) =>
  transports === '' ? [] : (transports.split(',') as AuthenticatorTransport[]);
type AuthenticatorTransport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb';

type TakeChallenge = (challenge: string) => Promise<boolean>;

/**
 * The library's result, null when it refuses the answer: it throws for an answer that proves nothing. Challenges are
 * consumed meanwhile, and a failing database is no refusal: its error is passed on.
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

const MOST_UNWRITTEN = 1_000;

interface Ceremony {
  readonly account: number | null;
  readonly purpose: Purpose;
  readonly expires_at: number;
}

class DatabasePasskeys implements Passkeys {
  readonly #ports: PasskeyPorts;
  readonly #unwritten = new Map<string, Ceremony>();

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
    const { db, clock, room, ended } = this.#ports;
    const key = await db.selectFrom('passkey').selectAll().where('id', '=', response.id).executeTakeFirst();
    if (!key || (account !== null && key.account !== account)) return null;
    if (ended?.has(passkeyMark(key.id)) === true) return null;
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
    const used = { counter: verified.authenticationInfo.newCounter, last_used_at: clock.now() };
    await room.eventually(() => db.updateTable('passkey').set(used).where('id', '=', key.id).execute());
    return key.account;
  }

  async holds(id: string): Promise<boolean> {
    const { db } = this.#ports;
    const query = db.selectFrom('passkey').select('id').where('id', '=', id);
    return (await query.executeTakeFirst()) !== undefined;
  }

  async remove(account: number, id: string): Promise<boolean> {
    const known = await this.list(account);
    if (!known.some((key) => key.id === id)) return false;
    return this.#ending([id], async () => {
      const { numDeletedRows } = await this.#ports.db
        .deleteFrom('passkey')
        .where('id', '=', id)
        .where('account', '=', account)
        .executeTakeFirst();
      const isGone = numDeletedRows === 1n;
      return { done: isGone, hasEnded: isGone };
    });
  }

  async removeAll(account: number): Promise<void> {
    const { db } = this.#ports;
    await db.deleteFrom('ceremony').where('account', '=', account).execute();
    const ids = (await this.list(account)).map(({ id }) => id);
    await this.#ending(ids, async () => {
      await db.deleteFrom('passkey').where('account', '=', account).execute();
      return { done: undefined, hasEnded: true };
    });
  }

  #ending<T>(
    ids: readonly string[],
    work: () => Promise<{ readonly done: T; readonly hasEnded: boolean }>,
  ): Promise<T> {
    const now = Math.round(this.#ports.clock.now());
    return ending(this.#ports, endedEntries('passkey', ids.map(passkeyMark), now), work);
  }

  async #open(challenge: string, purpose: Purpose, account: number | null): Promise<void> {
    const { db, clock, room } = this.#ports;
    const now = clock.now();
    const ceremony = { challenge, account, purpose, expires_at: now + CEREMONY_MS };
    try {
      await room.essential(async () => {
        await db.deleteFrom('ceremony').where('expires_at', '<=', now).execute();
        await db.insertInto('ceremony').values(ceremony).execute();
      });
    } catch (error) {
      if (!takesNoWrites(error)) throw error;
      // Challenges expire in minutes: on a full disk only this process remembers them.
      if (this.#unwritten.size >= MOST_UNWRITTEN) this.#unwritten.clear();
      this.#unwritten.set(challenge, ceremony);
    }
  }

  /** Whether the challenge was open for this purpose; it is closed now. */
  async #close(challenge: string, purpose: Purpose, account: number | null): Promise<boolean> {
    const { db, clock } = this.#ports;
    const known = this.#unwritten.get(challenge);
    if (known !== undefined) {
      this.#unwritten.delete(challenge);
      return known.purpose === purpose && known.account === account && clock.now() < known.expires_at;
    }
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

/** Passkeys in the database. */
export function createPasskeys(ports: PasskeyPorts): Passkeys {
  return new DatabasePasskeys(ports);
}
