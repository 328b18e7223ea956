// The keys of a sealed scope and what is derived from them. The account key is random and opens everything; each generation of a
// scope has a random key of its own; every row and every file has one that is derived. How keys are kept is wraps.ts.
import { assert } from '../assert.ts';
import type { Id } from '../ids.ts';
import { agree, authenticate, deriveFrom, deriverOf, pairOf, rootOf, type KeyPair } from './algorithms.ts';
import { keyBytes, nonceBytes } from './cipher.ts';
import { framed, isEqual, toText, utf8 } from './bytes.ts';

/** Fills the bytes with cryptographically strong random ones. */
export type Random = (bytes: Uint8Array) => void;

/** The key of an account that opens all others: 32 random bytes, made on a device and never sent unwrapped. */
export type AccountKey = Uint8Array & { readonly isAccountKey: true };
/** The key of one generation of a scope: 32 random bytes. */
export type GenerationKey = Uint8Array & { readonly isGenerationKey: true };

/** Whose content it is, and in which scope: part of everything that is derived and bound. */
export interface Owner {
  /** Account number. */
  readonly account: number;
  readonly scope: Id;
}

/** Names the first version of the format in everything that is derived and bound. */
export const FORMAT = 'ph1';
/** Generations count from 1; 0 means unsealed. */
export const MOST_GENERATIONS = 0xff_ff_ff_ff;
/** Generations of shared lists are higher, so that a value tells by itself whose key it was sealed with. */
export const LIST_GENERATIONS = 0x80_00_00_00;
/** The first generation of a list. */
export const FIRST_LIST_GENERATION = LIST_GENERATIONS + 1;

/** Whether this is a generation of a list, and not one of somebody's own scope. */
export const isListGeneration = (generation: number): boolean => generation > LIST_GENERATIONS;

/** What is sealed in the scope of a list that stays encrypted belongs to no account. */
export const ownerOfList = (scope: Id): Owner => ({ account: 0, scope });
/** Nonces per request for randomness: one request for each costs more than sealing with it. */
const POOLED_NONCES = 64;

function randomKey(random: Random): Uint8Array {
  const key = new Uint8Array(keyBytes);
  random(key);
  assert(
    key.some((byte) => byte !== 0),
    'randomness fills its bytes',
  );
  return key;
}

/** A new account key. */
export const newAccountKey = (random: Random): AccountKey => randomKey(random) as AccountKey;
/** A new key for one generation of a scope. */
export const newGenerationKey = (random: Random): GenerationKey => randomKey(random) as GenerationKey;

/** Gives nonces, each of them once. */
export function createNonces(random: Random): () => Uint8Array {
  const pool = new Uint8Array(POOLED_NONCES * nonceBytes);
  let used = POOLED_NONCES;
  return () => {
    if (used === POOLED_NONCES) {
      random(pool);
      used = 0;
    }
    used += 1;
    return pool.slice((used - 1) * nonceBytes, used * nonceBytes);
  };
}

/** Which purposes an account key has besides opening the keys of generations. */
export type AccountPurpose = 'directory' | 'identity' | 'inbox' | 'list' | 'names' | 'wrap';

/** The key that an account key gives for one purpose, further named by `of`. */
export function accountPurposeKey(
  key: AccountKey,
  purpose: AccountPurpose,
  ...of: readonly string[]
): Uint8Array {
  return deriveFrom(rootOf(key, utf8(`${FORMAT} account`)), framed(purpose, ...of));
}

/** The pair of a scope's inbox: the public key is in the directory of the generation, the secret one is derived when it is needed. */
export function inboxPair(key: AccountKey, { account, scope }: Owner, generation: number): KeyPair {
  return pairOf(accountPurposeKey(key, 'inbox', String(account), scope, String(generation)));
}

/** The root of what is sealed to an inbox with one ephemeral key: both ends come to the same. */
export function inboxRootOf(shared: Uint8Array, ephemeral: Uint8Array, inbox: Uint8Array): Uint8Array {
  return rootOf(shared, framed(FORMAT, 'inbox', ephemeral, inbox));
}

/** The keys by which the values and files of one scope are sealed and opened. */
export interface Keyring extends Owner {
  /** The highest generation it has a key of, in which new values are sealed; 0 without any. */
  readonly newest: number;
  /** Rings of other scopes, for what rows bring with them from there; absent: nothing. */
  readonly others?: () => readonly Keyring[];
  /** The key of a row's registers; null where the ring has no key of the generation. */
  rowKey(generation: number, row: Id): Uint8Array | null;
  /** The key of one content of an attachment, which a salt tells from its other contents. */
  fileKey(generation: number, attachment: Id, salt: Uint8Array): Uint8Array | null;
  /** The root of what was sealed to the inbox of a generation with this ephemeral public key; null where nobody can have done that. */
  inboxRoot(generation: number, ephemeral: Uint8Array): Uint8Array | null;
  /** What stands for the rest of an open name (`meta:…`): the same in every generation, another in every row. */
  hiddenName(row: Id, register: string): string;
}

/** An account key that another one has taken the place of, and the latest generation that was made under it. */
export interface EarlierKey {
  readonly key: AccountKey;
  readonly until: number;
}

/**
 * The ring of a scope, from the keys of its generations by number. `earlier`: account keys of before, oldest first. The oldest gives the
 * hidden names, which stay the same when the account key changes.
 */
export function createKeyring(
  account: AccountKey,
  owner: Owner,
  generations: ReadonlyMap<number, GenerationKey>,
  earlier: readonly EarlierKey[] = [],
): Keyring {
  const whose = [String(owner.account), owner.scope];
  const derivers = new Map<number, (purpose: Uint8Array) => Uint8Array>();
  for (const [generation, key] of generations) {
    assert(generation >= 1 && generation <= MOST_GENERATIONS, 'generations count from 1');
    derivers.set(
      generation,
      deriverOf(rootOf(key, framed(FORMAT, 'generation', ...whose, String(generation)))),
    );
  }
  const names = accountPurposeKey(earlier[0]?.key ?? account, 'names', ...whose);
  const accountOf = (generation: number) => earlier.find(({ until }) => until >= generation)?.key ?? account;
  let last: { readonly generation: number; readonly row: Id; readonly key: Uint8Array } | null = null;
  let lastInbox: {
    readonly generation: number;
    readonly ephemeral: Uint8Array;
    readonly root: Uint8Array;
  } | null = null;
  return {
    ...owner,
    newest: Math.max(0, ...derivers.keys()),
    rowKey(generation, row) {
      // The registers of a row are opened one after the other.
      if (last?.generation === generation && last.row === row) return last.key;
      const derive = derivers.get(generation);
      if (derive === undefined) return null;
      last = { generation, row, key: derive(framed('row', row)) };
      return last.key;
    },
    fileKey(generation, attachment, salt) {
      const derive = derivers.get(generation);
      return derive === undefined ? null : derive(framed('file', attachment, salt));
    },
    inboxRoot(generation, ephemeral) {
      // The registers of one write have the same ephemeral key.
      if (lastInbox?.generation === generation && isEqual(lastInbox.ephemeral, ephemeral))
        return lastInbox.root;
      const pair = inboxPair(accountOf(generation), owner, generation);
      const shared = agree(pair.secret, ephemeral);
      if (shared === null) return null;
      const root = inboxRootOf(shared, ephemeral, pair.publicKey);
      lastInbox = { generation, ephemeral: ephemeral.slice(), root };
      return root;
    },
    hiddenName: (row, register) => toText(authenticate(names, framed(row, register))),
  };
}
