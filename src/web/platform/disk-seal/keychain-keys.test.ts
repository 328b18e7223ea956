// Keys of encrypted disks in the desktop client: in the keychain where one opens, as in a browser where none does, and never made anew while the one
// that opens a disk can't be had.
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { openDB } from 'idb';
import { forgetKey, makeKey, readKey } from './disk-keys.ts';
import type { SystemKeychain } from './keychain-keys.ts';

/** The keychain of a system, in memory. */
class Keychain implements SystemKeychain {
  readonly kept = new Map<string, string>();
  isOpen = true;

  read(name: string): Promise<string | null> {
    return Promise.resolve(this.isOpen ? (this.kept.get(name) ?? null) : null);
  }

  write(name: string, text: string | null): Promise<boolean> {
    if (!this.isOpen) return Promise.resolve(false);
    if (text === null) this.kept.delete(name);
    else this.kept.set(name, text);
    return Promise.resolve(true);
  }
}

function inDesktop(): Keychain {
  const keychain = new Keychain();
  Object.assign(globalThis, { desktop: { keychain } });
  return keychain;
}

const IV = new Uint8Array(12);
const encrypt = (key: CryptoKey) =>
  crypto.subtle.encrypt({ name: 'AES-GCM', iv: IV }, key, new TextEncoder().encode('canary'));

async function heldOf(name: string): Promise<unknown> {
  const db = await openDB(`key-of-${name}`);
  const held: unknown = await db.get('kept', 'key');
  db.close();
  return held;
}

describe('keys of disks in the desktop client', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'desktop');
  });

  test('[DESK-41] are in the keychain: the disk says that, and has nothing that opens it', async () => {
    const keychain = inDesktop();
    const made = await makeKey('one');
    assert.equal(keychain.kept.size, 1);
    assert.equal(await heldOf('one'), 'keychain');
    const read = await readKey('one');
    assert.ok(read);
    assert.deepEqual(read.small, made.small);
    assert.deepEqual(await encrypt(read.cipher), await encrypt(made.cipher));
    await assert.rejects(crypto.subtle.exportKey('raw', read.cipher), 'no script reads it');
    const [other] = await Promise.all([makeKey('two'), makeKey('two')]);
    assert.deepEqual((await readKey('two'))?.small, other.small, 'two windows at once make one');
    await forgetKey('one');
    assert.deepEqual([await readKey('one'), keychain.kept.size], [null, 1]);
  });

  test('[DESK-41] a start that ended before it was written down goes on with the key that it made', async () => {
    const keychain = inDesktop();
    const made = await makeKey('cut');
    const [text = ''] = keychain.kept.values();
    await forgetKey('cut');
    await keychain.write('cut', text);
    assert.deepEqual((await makeKey('cut')).small, made.small);
  });

  test('[DESK-42] without a keychain they are as in a browser, and stay so', async () => {
    const keychain = inDesktop();
    keychain.isOpen = false;
    const made = await makeKey('none');
    assert.notEqual(await heldOf('none'), 'keychain');
    keychain.isOpen = true;
    assert.deepEqual((await makeKey('none')).small, made.small);
    assert.equal(keychain.kept.size, 0);
    Reflect.deleteProperty(globalThis, 'desktop');
    assert.deepEqual((await readKey('none'))?.small, made.small);
  });

  test('[DESK-43] a keychain that doesn’t open any more is said, and no other key takes the place of its own', async () => {
    const keychain = inDesktop();
    const made = await makeKey('locked');
    keychain.isOpen = false;
    await assert.rejects(readKey('locked'), /in your keychain, which doesn’t open/);
    await assert.rejects(makeKey('locked'), /in your keychain, which doesn’t open/);
    keychain.isOpen = true;
    assert.deepEqual((await readKey('locked'))?.small, made.small);
    keychain.kept.set('locked', 'abc');
    await assert.rejects(makeKey('locked'), 'neither does one that somebody else wrote there');
  });
});
