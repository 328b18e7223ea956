// The cipher and the alphabet of what is sealed: short contents are opened in room that is used again, so they are compared with the library's own
// way, and texts with a plain description of their form.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import fc from 'fast-check';
import { deriveFrom, deriverOf } from '#core/sealing/algorithms.ts';
import { fromText, toText } from '#core/sealing/bytes.ts';
import { keyBytes, nonceBytes, open, seal } from '#core/sealing/cipher.ts';

/** Bytes that begin anywhere in their memory, as a part of an envelope does. */
const bytes = (from: number, to: number) =>
  fc
    .tuple(fc.uint8Array({ minLength: from, maxLength: to }), fc.integer({ min: 0, max: 7 }))
    .map(([content, offset]) => {
      const memory = new Uint8Array(content.length + offset);
      memory.set(content, offset);
      return memory.subarray(offset);
    });

const lock = fc.record({
  key: bytes(keyBytes, keyBytes),
  nonce: bytes(nonceBytes, nonceBytes),
  bound: fc.oneof(bytes(0, 40), bytes(1_000, 1_040)),
});
/** About the blocks of the stream and of the tag, and about the length from which the library's own way is taken. */
const content = fc.oneof(bytes(0, 20), bytes(40, 140), bytes(990, 1_030));

describe('the cipher', () => {
  test('[SEAL-423] opens what the library has sealed, and seals what the library opens', () => {
    fc.assert(
      fc.property(lock, content, (of, plain) => {
        const library = xchacha20poly1305(of.key, of.nonce, of.bound);
        const before = [of.key.slice(), of.nonce.slice(), of.bound.slice()];
        const sealed = library.encrypt(plain);
        assert.deepEqual(open(of, sealed), Uint8Array.from(plain));
        assert.deepEqual(library.decrypt(seal(of, plain)), Uint8Array.from(plain));
        assert.deepEqual([of.key.slice(), of.nonce.slice(), of.bound.slice()], before, 'nothing is written');
      }),
      { numRuns: 600, seed: 12 },
    );
  });

  test('[SEAL-423] opens nothing in which one bit is another, of any part', () => {
    const parts = fc.constantFrom('key', 'nonce', 'bound', 'sealed');
    fc.assert(
      fc.property(lock, content, parts, fc.nat(), (of, plain, name, drawn) => {
        const all = { ...of, sealed: xchacha20poly1305(of.key, of.nonce, of.bound).encrypt(plain) };
        const part = all[name].slice();
        fc.pre(part.length > 0);
        const bit = drawn % (part.length * 8);
        part[bit >> 3] = (part[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const changed = { ...all, [name]: part };
        assert.equal(open(changed, changed.sealed), null);
        assert.equal(open(of, all.sealed.subarray(0, drawn % all.sealed.length)), null, 'nor a shorter one');
        assert.deepEqual(open(of, all.sealed), Uint8Array.from(plain), 'and the next opens again');
      }),
      { numRuns: 600, seed: 13 },
    );
  });

  test('[SEAL-423] gives each content room of its own', () => {
    const of = {
      key: new Uint8Array(keyBytes).fill(1),
      nonce: new Uint8Array(nonceBytes).fill(2),
      bound: Uint8Array.of(3),
    };
    const one = open(of, seal(of, Uint8Array.of(1, 2, 3)));
    const other = open({ ...of, key: new Uint8Array(keyBytes).fill(4) }, seal(of, Uint8Array.of(1, 2, 3)));
    const next = open(of, seal(of, Uint8Array.of(9, 9, 9)));
    assert.deepEqual([one, other, next], [Uint8Array.of(1, 2, 3), null, Uint8Array.of(9, 9, 9)]);
  });

  test('[SEAL-423] keys that are derived one after the other are those of HKDF', () => {
    fc.assert(
      fc.property(
        bytes(32, 32),
        fc.array(bytes(0, 120), { minLength: 1, maxLength: 4 }),
        (root, purposes) => {
          const derive = deriverOf(root);
          const keys = purposes.map((purpose) => derive(purpose));
          assert.deepEqual(
            keys,
            purposes.map((purpose) => deriveFrom(root, purpose)),
          );
        },
      ),
      { numRuns: 200, seed: 14 },
    );
  });
});

describe('the text of what is sealed', () => {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

  /** By the description: six bits to a character, the highest first, and zeros for what is over. */
  function described(text: string): Uint8Array | null {
    const digits = [...text].map((letter) => ALPHABET.indexOf(letter));
    if (digits.includes(-1) || text.length % 4 === 1) return null;
    const bits = digits.map((digit) => digit.toString(2).padStart(6, '0')).join('');
    const whole = bits.length - (bits.length % 8);
    if (bits.slice(whole).includes('1')) return null;
    return Uint8Array.from(bits.slice(0, whole).match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  }

  test('[SEAL-424] has one form: no spaces, no padding, no other alphabet, no bits that are over', () => {
    const letter = fc.constantFrom(...ALPHABET, ...'AAQgw', ...'+/= \n\t\r\f', 'é', '\u0000', '😀');
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 14 }), (letters) => {
        const text = letters.join('');
        assert.deepEqual(fromText(text), described(text), JSON.stringify(text));
      }),
      { numRuns: 20_000, seed: 15 },
    );
    for (const text of ['', 'AA', 'AA==', 'AAA=', 'AAAA ', ' AAAA', 'AA AA', 'AAAA====', 'A', 'AB', 'AA\n\n'])
      assert.deepEqual(fromText(text), described(text), JSON.stringify(text));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (all) => {
        assert.deepEqual(fromText(toText(all)), all);
      }),
      { numRuns: 500, seed: 16 },
    );
  });
});
