// Marks that identify ended credentials in the ledger, to recognize them in a restored database: digests of the stored
// values. A mark signs nobody in, and the credential cannot be guessed from it.
import { createHash } from 'node:crypto';
import { saltOf } from './password-hash.ts';

const digestOf = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** `id`: the authenticator's own. */
export const passkeyMark = (id: string): string => digestOf('passkey ', id);

/** `sealed`: the sealed key of an authenticator app. */
export const codesMark = (sealed: Uint8Array): string => digestOf('codes ', sealed);

/** `hashes`: of all recovery codes that were created together, including used ones, in any order. */
export const recoveryCodesMark = (hashes: readonly Uint8Array[]): string =>
  digestOf(
    'recovery codes ',
    hashes
      .map((hash) => Buffer.from(hash).toString('hex'))
      .toSorted()
      .join(' '),
  );

/** Made from the salt: rehashing with newer parameters keeps it. */
export const passwordMark = (stored: string): string => digestOf('password ', saltOf(stored) ?? stored);
