// What the tests of sealing are made of: fixed keys, owners and homes, and bytes that look random and are the same each time.
import { createHash } from 'node:crypto';
import type { Id } from '#core/ids.ts';
import type { Home, Sealer } from '#core/sealing/envelope.ts';
import {
  createKeyring,
  createNonces,
  newAccountKey,
  newGenerationKey,
  type AccountKey,
  type GenerationKey,
  type Keyring,
  type Owner,
  type Random,
} from '#core/sealing/keys.ts';

/** Bytes from a seed: SHA-256 of the seed and a counter. Only for tests. */
export function seeded(seed: string): Random {
  let counter = 0;
  let rest = new Uint8Array();
  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) {
      if (rest.length === 0) {
        rest = new Uint8Array(createHash('sha256').update(`${seed} ${counter}`).digest());
        counter += 1;
      }
      bytes[at] = rest[0] ?? 0;
      rest = rest.subarray(1);
    }
  };
}

/** A generator of whole numbers below a bound. */
export function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export const owner: Owner = { account: 7, scope: '01890000-0000-7000-8000-00000000000a' as Id };
export const task = '01890000-0000-7000-8000-000000000001' as Id;
export const otherTask = '01890000-0000-7000-8000-000000000002' as Id;
export const title: Home = { id: task, type: 'task', register: 'title' };
export const writer = { device: 3, seq: 41 };

export interface Keys {
  readonly account: AccountKey;
  readonly generations: ReadonlyMap<number, GenerationKey>;
}

/** Keys of an account with this many generations. */
export function keysOf(seed: string, generations = 1): Keys {
  const random = seeded(seed);
  const account = newAccountKey(random);
  const keys = Array.from(
    { length: generations },
    (_, index) => [index + 1, newGenerationKey(random)] as const,
  );
  return { account, generations: new Map(keys) };
}

export function ringOf({ account, generations }: Keys, whose: Owner = owner): Keyring {
  return createKeyring(account, whose, generations);
}

/** Seals with the keys of a seed. */
export function sealerOf(seed: string, generations = 1, whose: Owner = owner): Sealer {
  return { ring: ringOf(keysOf(seed, generations), whose), nonce: createNonces(seeded(`${seed} nonces`)) };
}
