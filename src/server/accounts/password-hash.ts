// Hashes and checks passwords: Argon2id behind a gate, so that a flood of sign-ins cannot take the memory and worker
// threads that everything else needs. Not here: which passwords are allowed (password-rule.ts).
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Cost parameters of Argon2id. */
export interface HashParameters {
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's minimum for Argon2id: 19 MiB, two passes. */
export const defaultHashParameters: HashParameters = { memory: 19_456, passes: 2, parallelism: 1 };

const HASH_BYTES = 32;
const SALT_BYTES = 16;

const derive = promisify(argon2);

interface StoredHash extends HashParameters {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

function format({ memory, passes, parallelism, salt, hash }: StoredHash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{22,128})$/;

function parse(phc: string): StoredHash | null {
  const match = PHC.exec(phc);
  if (!match) return null;
  const [, memory, passes, parallelism, salt = '', hash = ''] = match;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

/** Stored instead of a hash when a password has to be set before one can sign in again. */
export const NO_PASSWORD = '';

/** Null: not a hash of ours. */
export const saltOf = (phc: string): Uint8Array | null => parse(phc)?.salt ?? null;

async function run(
  password: string,
  { memory, passes, parallelism, salt, hash }: StoredHash,
): Promise<Buffer> {
  return derive('argon2id', {
    message: password.normalize('NFC'),
    nonce: salt,
    memory,
    passes,
    parallelism,
    tagLength: hash.length,
  });
}

/** Too many requests are waiting; the caller answers 503. */
export class HashingBusy extends Error {}

/** Runs at most `width` jobs at once, with `queue` waiting. */
export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>;
  waiting(): number;
}

export function createGate(width: number, queue: number): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (running >= width) {
        if (waiting.length >= queue) throw new HashingBusy('Too many passwords are being checked');
        // A finished job hands its slot over, so `running` stays as it is.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
    waiting: () => waiting.length,
  };
}

/** Hashing and checking passwords, with bounded concurrency. */
export interface Passwords {
  /**
   * Resolves with a PHC string, rejects with HashingBusy. `before`: the present hash of the same password; its salt is
   * kept.
   */
  hash(password: string, before?: string): Promise<string>;
  /**
   * Whether the password matches the stored hash; with null the same work is done and the answer is no, so that an unknown
   * address takes as long as a known one. `isOutdated`: hash again with today's parameters.
   */
  check(
    password: string,
    stored: string | null,
  ): Promise<{ readonly isRight: boolean; readonly isOutdated: boolean }>;
  waiting(): number;
}

/**
 * 2 jobs at once and 32 waiting: each takes `parameters.memory`, and a worker thread shared with file access and name
 * lookups.
 */
export function createPasswords(parameters: HashParameters, gate: Gate = createGate(2, 32)): Passwords {
  const fresh = (): StoredHash => ({
    ...parameters,
    salt: randomBytes(SALT_BYTES),
    hash: Buffer.alloc(HASH_BYTES),
  });
  const nobody = fresh();
  return {
    hash: (password, before) =>
      gate.run(async () => {
        const made = fresh();
        const wanted = { ...made, salt: parse(before ?? NO_PASSWORD)?.salt ?? made.salt };
        return format({ ...wanted, hash: await run(password, wanted) });
      }),
    check: (password, stored) =>
      gate.run(async () => {
        const known = stored === null ? null : parse(stored);
        const against = known ?? nobody;
        const computed = await run(password, against);
        const isRight = timingSafeEqual(computed, against.hash) && known !== null;
        const isOutdated =
          against.memory < parameters.memory ||
          against.passes < parameters.passes ||
          against.parallelism < parameters.parallelism;
        return { isRight, isOutdated: isRight && isOutdated };
      }),
    waiting: () => gate.waiting(),
  };
}
