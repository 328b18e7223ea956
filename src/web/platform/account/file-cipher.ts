// The cipher of contents of attachments as the platform has it (the FileCipher port): Web Crypto, off the thread that answers keys.
import type { Lock } from '#core/sealing/cipher.ts';
import type { FileCipher } from '#core/sealing/files.ts';

const CIPHER = 'AES-GCM';

/** Web Crypto takes no memory that is shared between threads, and ours never is. */
const own = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;

const keyOf = ({ key }: Lock, use: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', own(key), CIPHER, false, [use]);

const parametersOf = ({ nonce, bound }: Lock) => ({
  name: CIPHER,
  iv: own(nonce),
  additionalData: own(bound),
});

/** AES-256-GCM by Web Crypto, in browsers and Node. */
export const fileCipher: FileCipher = {
  async seal(lock, content) {
    const key = await keyOf(lock, 'encrypt');
    return new Uint8Array(await crypto.subtle.encrypt(parametersOf(lock), key, own(content)));
  },
  async open(lock, sealed) {
    const key = await keyOf(lock, 'decrypt');
    try {
      return new Uint8Array(await crypto.subtle.decrypt(parametersOf(lock), key, own(sealed)));
    } catch (error) {
      // So it says that the tag is wrong.
      if (error instanceof DOMException && error.name === 'OperationError') return null;
      throw error;
    }
  },
};

/** SHA-256, hex. */
export async function digestOf(content: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', own(content)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
