// Seals small secrets that the server must be able to read again (keys of one-time codes) under a key that is stored beside
// the database and not in it: a stolen backup of the database alone reveals none of them. The same key signs texts that the
// server hands out and must recognize.
import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from '../data/new-file.ts';

const KEY_FILE = 'server.key';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Authenticated encryption and signatures with the key of the server. */
export interface Sealing {
  /** `about` binds the secret to its owner; `open` needs the same text. */
  seal(secret: Uint8Array, about: string): Uint8Array;
  /** Null: sealed under another key, for something else, or altered. */
  open(sealed: Uint8Array, about: string): Uint8Array | null;
  /** For URLs: base64url. */
  sign(text: string): string;
  isSigned(text: string, signature: string): boolean;
}

/** Seals with AES-256-GCM under `key`, and signs with HMAC-SHA-256 under a key derived from it. */
export function createSealing(key: Uint8Array): Sealing {
  // Signing has its own key, so that neither use reveals anything about the other.
  const signingKey = createHmac('sha256', key).update('signing').digest();
  const sign = (text: string) => createHmac('sha256', signingKey).update(text).digest();

  return {
    sign: (text) => sign(text).toString('base64url'),
    isSigned(text, signature) {
      const [wanted, given] = [sign(text), Buffer.from(signature, 'base64url')];
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    },
    seal(secret, about) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
      return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, about) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(about))
        .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      const body = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]);
      } catch {
        // GCM's only way to report a wrong tag.
        return null;
      }
    },
  };
}

/** A new random key. */
export const createServerKey = (): Uint8Array => randomBytes(KEY_BYTES);

/** Reads a key given in text, base64 or base64url. Null: it has another length. */
export function parseServerKey(text: string): Uint8Array | null {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES ? key : null;
}

/** Whether the data folder has its key already. */
export const hasServerKey = (dataDir: string): boolean => existsSync(join(dataDir, KEY_FILE));

/** The key of a data folder, created at its first start and readable only by its owner. */
export function openServerKey(dataDir: string): Uint8Array {
  const path = join(dataDir, KEY_FILE);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    const file = openSync(path, 'wx', 0o600);
    const key = createServerKey();
    writeSync(file, key);
    fsyncSync(file);
    closeSync(file);
    syncPath(dataDir);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readFileSync(path);
  if (key.length !== KEY_BYTES) throw new Error(`${path} isn't the original key. Restore it from a backup.`);
  return key;
}
