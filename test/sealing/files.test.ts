// The content of attachments, sealed by the platform's cipher and by a library: the same bytes, and only whole.
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { describe, test } from 'node:test';
import { gcm } from '@noble/ciphers/aes.js';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { Lock } from '#core/sealing/cipher.ts';
import { concat, framed, u32 } from '#core/sealing/bytes.ts';
import { openFile, sealedFileBytes, sealFile, type FileCipher } from '#core/sealing/files.ts';
import { keysOf, numbers, otherTask, owner, ringOf, seeded, task } from './material.ts';

const buffered = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;

async function asked({ key, nonce, bound }: Lock, use: 'encrypt' | 'decrypt') {
  const imported = await webcrypto.subtle.importKey('raw', buffered(key), 'AES-GCM', false, [use]);
  const parameters = { name: 'AES-GCM', iv: buffered(nonce), additionalData: buffered(bound) };
  return [parameters, imported] as const;
}

/** As browsers and Node have it. */
const platform: FileCipher = {
  async seal(lock, content) {
    const [parameters, key] = await asked(lock, 'encrypt');
    return new Uint8Array(await webcrypto.subtle.encrypt(parameters, key, buffered(content)));
  },
  async open(lock, sealed) {
    const [parameters, key] = await asked(lock, 'decrypt');
    try {
      return new Uint8Array(await webcrypto.subtle.decrypt(parameters, key, buffered(sealed)));
    } catch {
      return null;
    }
  },
};

/** Written independently of it. */
const library: FileCipher = {
  seal: ({ key, nonce, bound }, content) => Promise.resolve(gcm(key, nonce, bound).encrypt(content)),
  open: ({ key, nonce, bound }, sealed) => {
    try {
      return Promise.resolve(gcm(key, nonce, bound).decrypt(sealed));
    } catch {
      return Promise.resolve(null);
    }
  },
};

const MIB = 1024 * 1024;
const ring = ringOf(keysOf('ada'));
const salt = new Uint8Array(32).fill(9);

function bytes(length: number): Uint8Array {
  const content = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) content[at] = (at * 31) & 255;
  return content;
}

async function sealed(cipher: FileCipher, content: Uint8Array, by = salt): Promise<Uint8Array> {
  const result = await sealFile(cipher, { ring, attachment: task, salt: by }, content);
  assert.ok(result.ok);
  return result.value;
}

async function problem(changed: Uint8Array, attachment: Id = task, by = ring): Promise<unknown> {
  const opened = await openFile(platform, by, attachment, changed);
  return opened.ok ? 'opened' : opened.problem;
}

describe('sealed files', () => {
  test('[SEAL-20] come back byte for byte, sealed by one implementation and opened by the other', async () => {
    for (const length of [0, 1, 28, 1_000, MIB - 4, MIB - 3, MIB + 77]) {
      const content = bytes(length);
      const [one, other] = [await sealed(platform, content), await sealed(library, content)];
      assert.deepEqual(one, other, `${length}`);
      assert.equal(one.length, sealedFileBytes(length));
      for (const cipher of [platform, library]) {
        const opened = await openFile(cipher, ring, task, one);
        assert.ok(opened.ok);
        assert.ok(Buffer.from(opened.value).equals(content), `${length}`);
      }
    }
  });

  test('[SEAL-20] open at no other attachment, scope, account or generation', async () => {
    const file = await sealed(platform, bytes(100));
    assert.deepEqual(await problem(file, otherTask), { type: 'altered' });
    const elsewhere = ringOf(keysOf('ada'), { ...owner, scope: otherTask });
    assert.deepEqual(await problem(file, task, elsewhere), { type: 'altered' });
    assert.deepEqual(await problem(file, task, ringOf(keysOf('bob'))), { type: 'altered' });
    file[4] = 2;
    assert.deepEqual(await problem(file), { type: 'no-key', generation: 2 });
    file[0] = 2;
    assert.deepEqual(await problem(file), { type: 'newer', version: 2 });
  });

  test('[SEAL-20] with chunks swapped, repeated, missing or of another file do not open', async () => {
    const [file, other] = [
      await sealed(platform, bytes(3 * MIB)),
      await sealed(platform, bytes(3 * MIB), new Uint8Array(32).fill(8)),
    ];
    const chunk = (index: number, of = file) =>
      of.subarray(37 + index * (MIB + 16), 37 + (index + 1) * (MIB + 16));
    const header = file.subarray(0, 37);
    const rest = file.subarray(37 + 2 * (MIB + 16));
    const altered = [
      concat(header, chunk(1), chunk(0), rest),
      concat(header, chunk(0), chunk(0), rest),
      concat(header, chunk(0), rest),
      concat(header, chunk(0), chunk(1)),
      concat(header, chunk(0)),
      concat(header, chunk(0), chunk(1, other), rest),
      concat(header, chunk(0), chunk(1), rest, rest),
      concat(file, new Uint8Array(1)),
      concat(file, new Uint8Array(17)),
      file.subarray(0, -1),
      concat(other.subarray(0, 37), file.subarray(37)),
    ];
    for (const changed of altered) assert.deepEqual(await problem(changed), { type: 'altered' });
  });

  test('[SEAL-20] cut off or changed anywhere do not open, and say nothing but that', async () => {
    const file = await sealed(platform, bytes(200));
    for (let length = 0; length < file.length; length += 1)
      assert.notEqual(await problem(file.subarray(0, length)), 'opened');
    const below = numbers(1);
    for (let round = 0; round < 300; round += 1) {
      const changed = file.slice();
      const at = below(file.length);
      changed[at] = (changed[at] ?? 0) ^ (1 + below(255));
      assert.notEqual(await problem(changed), 'opened');
    }
  });

  test('[SEAL-20] hold one form of padding only, even if they were sealed with the right key', async () => {
    const file = await sealed(platform, bytes(20));
    const header = file.subarray(0, 37);
    const bound = framed('ph1', 'file', String(owner.account), owner.scope, task, header);
    const key = must(ring.fileKey(1, task, salt), 'a key');
    const holding = async (stream: Uint8Array) => {
      const lock = { key, nonce: new Uint8Array(12).with(11, 1), bound };
      return await problem(concat(header, await platform.seal(lock, stream)));
    };
    assert.equal(await holding(concat(u32(20), bytes(20), new Uint8Array(8))), 'opened');
    const strange = [
      concat(u32(20), bytes(20), new Uint8Array(8).with(3, 1)),
      concat(u32(20), bytes(20), new Uint8Array(12)),
      concat(u32(29), bytes(28)),
      concat(u32(0xffffffff), bytes(28)),
      u32(0),
      bytes(3),
    ];
    for (const stream of strange) assert.deepEqual(await holding(stream), { type: 'content' });
  });

  test('[SEAL-20] tell their length only roughly', () => {
    assert.equal(sealedFileBytes(0), sealedFileBytes(28));
    assert.equal(sealedFileBytes(20 * MIB - 5_000), sealedFileBytes(20 * MIB - 4));
  });

  test('[SEAL-14] have a key that no other content has, also of the same attachment', async () => {
    const random = seeded('salts');
    const salts = [new Uint8Array(32), new Uint8Array(32)];
    for (const each of salts) random(each);
    const [one, other] = await Promise.all(salts.map((each) => sealed(platform, bytes(50), each)));
    assert.notDeepEqual(one?.subarray(37), other?.subarray(37));
  });
});
