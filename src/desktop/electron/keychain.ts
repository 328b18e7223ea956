// The keychain of the system, by Electron: the key that encrypts is in Keychain, the Credential Manager or the keyring; what it encrypts is in one file.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { safeStorage } from 'electron';
import type { Keychain } from '../shell.ts';

const OWNER_ONLY = 0o600;

type Sealed = Readonly<Record<string, string>>;

async function readAll(path: string): Promise<Sealed> {
  try {
    const all: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof all === 'object' && all !== null ? (all as Sealed) : {};
  } catch {
    // There is none yet, or it was cut off: then the person signs in once more.
    return {};
  }
}

/** `path`: of the file. */
export function createKeychain(path: string): Keychain {
  const isReal = () =>
    safeStorage.isEncryptionAvailable() &&
    (process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text');
  /** One after the other: each replaces the whole file. */
  let writing: Promise<unknown> = Promise.resolve();
  const write = async (name: string, text: string | null): Promise<boolean> => {
    if (!isReal()) return false;
    const { [name]: _before, ...others } = await readAll(path);
    const all =
      text === null ? others : { ...others, [name]: safeStorage.encryptString(text).toString('base64') };
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(`${path}.new`, JSON.stringify(all), { mode: OWNER_ONLY });
      await rename(`${path}.new`, path);
      return true;
    } catch {
      // A full disk: the session lasts until the program ends.
      return false;
    }
  };
  return {
    async read(name) {
      const sealed = (await readAll(path))[name];
      if (sealed === undefined || !isReal()) return null;
      try {
        return safeStorage.decryptString(Buffer.from(sealed, 'base64'));
      } catch {
        // Of another person of this machine, or of a keychain that is gone.
        return null;
      }
    },
    write(name, text) {
      const written = writing.then(() => write(name, text));
      writing = written;
      return written;
    },
  };
}
