// What the database keeps sealed under the key of the server, taken together: whether the key at hand opens it, and how to give
// up what no key opens any more. Nothing that cannot be opened is ever replaced on the server's own account: the right key may
// yet be found.
import type { Kysely } from 'kysely';
import type { Clock } from '#sync/replica/ports.ts';
import type { Ledger } from '../care/ledger.ts';
import { plainWrites } from '../care/room.ts';
import { IN_MEMORY, type Config } from '../config.ts';
import { takesNoWrites } from '../data/storage-trouble.ts';
import type { Tables } from '../data/tables.ts';
import { sealedCalendars } from '../calendars/secrets.ts';
import { createMailAddresses, sealedMailAddresses } from '../mail/addresses.ts';
import { dropPushKeys, openPushKeys, sealedPushKeys } from '../push/keys.ts';
import { createSealing, createServerKey, hasServerKey, openServerKey, type Sealing } from './sealing.ts';
import { sealedCodes } from './second-factor.ts';

/** Something sealed, and what it was sealed for. */
export interface SealedSecret {
  readonly sealed: Uint8Array;
  readonly about: string;
}

const REMEDY =
  'Start with the key they were sealed with: the server.key that was beside this database, or what SERVER_KEY was then. ' +
  'If it is lost, npm run admin -- secrets says what that means.';

/** The start is refused: this key opens nothing of what the database keeps sealed. */
export class OtherServerKey extends Error {
  constructor(what: string) {
    super(`${what} ${REMEDY}`);
    this.name = 'OtherServerKey';
  }
}

/** A few of the secrets. The pair for push services is made at the first start and is there ever after. */
async function someSecrets(db: Kysely<Tables>): Promise<readonly SealedSecret[]> {
  const pair = await sealedPushKeys(db);
  if (pair) return [pair];
  return [
    ...(await sealedMailAddresses(db, 1)),
    ...(await sealedCodes(db, 1)),
    ...(await sealedCalendars(db, 1)),
  ];
}

function keyOf({ dataDir, serverKey }: Pick<Config, 'dataDir' | 'serverKey'>): Uint8Array {
  if (serverKey !== null) return serverKey;
  return dataDir === IN_MEMORY ? createServerKey() : openServerKey(dataDir);
}

/**
 * The sealing of a server. Makes the pair for push services, if there is none: the next start knows its key by that. Throws
 * `OtherServerKey` when the key does not open what is sealed, or when there is none beside a database with sealed secrets;
 * then nothing was made or changed.
 */
export async function openSealing(
  config: Pick<Config, 'dataDir' | 'serverKey'>,
  db: Kysely<Tables>,
): Promise<Sealing> {
  const secrets = await someSecrets(db);
  const isFound = config.serverKey !== null || hasServerKey(config.dataDir);
  if (secrets.length > 0 && !isFound)
    throw new OtherServerKey(
      `The secrets in this database are sealed, and ${config.dataDir} has no server.key.`,
    );
  const sealing = createSealing(keyOf(config));
  if (secrets.length > 0 && secrets.every(({ sealed, about }) => sealing.open(sealed, about) === null))
    throw new OtherServerKey('The secrets in this database were sealed with another key.');
  try {
    await openPushKeys(db, sealing);
  } catch (error) {
    // On a full disk; it is tried again when it is needed.
    if (!takesNoWrites(error)) throw error;
  }
  return sealing;
}

/** What the key does not open. */
export interface LostSecrets {
  readonly isPushKeyLost: boolean;
  readonly mailAddresses: number;
  /** E-mail addresses of accounts whose one-time codes cannot be checked. */
  readonly codes: readonly string[];
  /** Calendars of other programs whose address cannot be read. */
  readonly calendars: number;
}

/** Reads everything sealed, and says what this key does not open. */
export async function findLostSecrets(db: Kysely<Tables>, sealing: Sealing): Promise<LostSecrets> {
  const isLost = ({ sealed, about }: SealedSecret) => sealing.open(sealed, about) === null;
  const pair = await sealedPushKeys(db);
  const addresses = await sealedMailAddresses(db);
  const codes = await sealedCodes(db);
  const calendars = await sealedCalendars(db);
  return {
    isPushKeyLost: pair !== null && isLost(pair),
    mailAddresses: addresses.filter(isLost).length,
    codes: codes.filter(isLost).map(({ email }) => email),
    calendars: calendars.filter(isLost).length,
  };
}

/**
 * Gives up what this key does not open: lists get new addresses and push services a new key. One-time codes stay; their
 * accounts have recovery codes, or the operator turns them off. Calendars stay with their events; their accounts add them again.
 */
export async function replaceLostSecrets(ports: {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly ledger: Pick<Ledger, 'record'>;
}): Promise<LostSecrets> {
  const { db, sealing } = ports;
  const lost = await findLostSecrets(db, sealing);
  const addresses = createMailAddresses({ ...ports, room: plainWrites, domain: '' });
  for (const { scope, list, sealed, about } of await sealedMailAddresses(db))
    if (sealing.open(sealed, about) === null) await addresses.renew({ scope, list, name: '' });
  if (lost.isPushKeyLost) {
    await dropPushKeys(db);
    await openPushKeys(db, sealing);
  }
  return lost;
}
