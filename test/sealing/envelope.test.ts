// Values in envelopes: what was sealed opens, and only where it belongs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { must } from '#core/assert.ts';
import { paddedLength } from '#core/sealing/padding.ts';
import type { Id } from '#core/ids.ts';
import {
  generationOf,
  isEnvelope,
  longestEnvelope,
  openValue,
  sealValue,
  type Envelope,
  type Home,
  type Sealer,
} from '#core/sealing/envelope.ts';
import { seal } from '#core/sealing/cipher.ts';
import { concat, framed, fromText, toText, u32, utf8, varint } from '#core/sealing/bytes.ts';
import { keysOf, otherTask, owner, ringOf, sealerOf, title, writer } from './material.ts';

function sealed(sealer: Sealer, home: Home, value: unknown): Envelope {
  const result = sealValue(sealer, home, { value, writer });
  assert.ok(result.ok);
  return result.value;
}

const bytesOf = (envelope: Envelope) => must(fromText(envelope.e), 'an envelope of base64');

describe('envelopes', () => {
  const sealer = sealerOf('ada');

  test('[SEAL-1] open to what was sealed, any JSON, with its writer', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.maxSafeNat(), fc.maxSafeNat(), (value, seq, device) => {
        const content = { value: JSON.parse(JSON.stringify(value)) as unknown, writer: { seq, device } };
        const result = sealValue(sealer, title, content);
        assert.ok(result.ok);
        const opened = openValue(sealer.ring, title, result.value);
        assert.deepEqual(opened, { ok: true, value: { ...content, generation: 1 } });
      }),
      { numRuns: 300 },
    );
  });

  test('[SEAL-1] carry every text as it is: lone surrogates, NUL, byte order marks, nothing', () => {
    for (const text of ['', '\0', '\uFEFFa', '\uD800', 'a\uDC00b', '😀', '\u2028', 'ß'.repeat(5_000)]) {
      const opened = openValue(sealer.ring, title, sealed(sealer, title, text));
      assert.ok(opened.ok);
      assert.equal(opened.value.value, text);
    }
  });

  test('[SEAL-1] open at no other row, type, register, scope, account or generation', () => {
    const envelope = sealed(sealer, title, 'Call the plumber');
    const ring = (whose: Partial<typeof owner>) => ringOf(keysOf('ada'), { ...owner, ...whose });
    const elsewhere = [
      openValue(sealer.ring, { ...title, id: otherTask }, envelope),
      openValue(sealer.ring, { ...title, type: 'list' }, envelope),
      openValue(sealer.ring, { ...title, register: 'notes' }, envelope),
      openValue(ring({ scope: otherTask }), title, envelope),
      openValue(ring({ account: 8 }), title, envelope),
    ];
    for (const opened of elsewhere) assert.deepEqual(opened, { ok: false, problem: { type: 'altered' } });

    // The same key as two generations: what differs is the number alone.
    const { account, generations } = keysOf('ada');
    const key = must(generations.get(1), 'a key');
    const twice = ringOf({
      account,
      generations: new Map([
        [1, key],
        [2, key],
      ]),
    });
    const bytes = bytesOf(envelope);
    bytes[4] = 2;
    const renamed = openValue(twice, title, { e: toText(bytes) });
    assert.deepEqual(renamed, { ok: false, problem: { type: 'altered' } });
  });

  test('[SEAL-1] join no two parts of a home: where one ends is bound, too', () => {
    const home = (id: string, register: string): Home => ({ ...title, id: id as Id, register });
    const key = new Uint8Array(32).fill(1);
    // One key for all rows, so that only what is bound differs.
    const one: Sealer = { ...sealer, ring: { ...sealer.ring, rowKey: () => key } };
    const envelope = sealed(one, home('ab', 'c'), 'x');
    assert.ok(openValue(one.ring, home('ab', 'c'), envelope).ok);
    assert.equal(openValue(one.ring, home('a', 'bc'), envelope).ok, false);
  });

  test('[SEAL-2] open with no other key', () => {
    const envelope = sealed(sealer, title, 'Call the plumber');
    const other = openValue(ringOf(keysOf('bob')), title, envelope);
    assert.deepEqual(other, { ok: false, problem: { type: 'altered' } });
  });

  test('[SEAL-2] no single bit, no missing and no added byte goes unnoticed', () => {
    const bytes = bytesOf(sealed(sealer, title, 'Call the plumber'));
    const refused = (changed: Uint8Array) => {
      const opened = openValue(sealer.ring, title, { e: toText(changed) });
      assert.equal(opened.ok, false);
    };
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = bytes.slice();
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      refused(changed);
    }
    for (let length = 0; length < bytes.length; length += 1) refused(bytes.subarray(0, length));
    refused(Uint8Array.of(...bytes, 0));
  });

  test('[SEAL-3] have one form: other texts of the same bytes, other shapes and other versions are refused', () => {
    const { e } = sealed(sealer, title, 'Call the plumber');
    const malformed = [
      null,
      e,
      [e],
      {},
      { e, more: 1 },
      { e: 1 },
      { e: '' },
      { e: `${e}=` },
      { e: ` ${e}` },
      { e: `${e.slice(0, 8)}\n${e.slice(8)}` },
      { e: 'é'.repeat(200) },
      { e: `AA${e.slice(2)}` },
      { e: 'A'.repeat(3_000_000) },
    ];
    for (const value of malformed)
      assert.deepEqual(openValue(sealer.ring, title, value), { ok: false, problem: { type: 'malformed' } });
    const later = bytesOf({ e });
    later[0] = 3;
    assert.deepEqual(openValue(sealer.ring, title, { e: toText(later) }), {
      ok: false,
      problem: { type: 'newer', version: 3 },
    });
  });

  test('[SEAL-3] of which the last character has other unused bits are refused', () => {
    // One byte over a multiple of three leaves four unused bits in the last character.
    const bytes = bytesOf(sealed(sealer, title, 'Call'));
    const text = toText(bytes.subarray(0, bytes.length - ((bytes.length + 2) % 3)));
    assert.equal(text.length % 4, 2);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(text.at(-1) ?? '');
    assert.equal(fromText(`${text.slice(0, -1)}${alphabet[last ^ 1]}`), null);
  });

  test('[SEAL-3] hold a frame of one form only, even if it was sealed with the right key', () => {
    /** The frame that a strange program seals: numbers, JSON, what follows. */
    function opened(numbers: readonly Uint8Array[], text: Uint8Array, padding: Uint8Array): unknown {
      const nonce = new Uint8Array(24).fill(5);
      const { account, scope } = owner;
      const parts = ['ph1', String(account), scope, title.id, title.type, title.register, u32(1)];
      const key = must(sealer.ring.rowKey(1, title.id), 'a key');
      const content = seal({ key, nonce, bound: framed(...parts) }, concat(...numbers, text, padding));
      const result = openValue(sealer.ring, title, {
        e: toText(concat(Uint8Array.of(1), u32(1), nonce, content)),
      });
      return result.ok ? result.value.value : result.problem.type;
    }
    const [one, text] = [varint(1), utf8('"abc"')];
    const head = [one, one, varint(text.length)];
    const zeros = (count: number) => new Uint8Array(count);
    assert.equal(opened(head, text, zeros(24)), 'abc');
    for (const count of [0, 23, 25, 32, 1_000]) {
      // Too short for any envelope, or padded to another length.
      const answer = opened(head, text, zeros(count));
      assert.ok(answer === 'content' || answer === 'malformed', `${count}`);
    }
    assert.equal(opened(head, text, zeros(24).with(23, 1)), 'content');
    assert.equal(opened(head, text, zeros(24).with(0, 32)), 'content');
    assert.equal(opened([Uint8Array.of(0x81, 0), one, varint(5)], text, zeros(23)), 'content');
    assert.equal(
      opened([Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 127), one, varint(5)], text, zeros(17)),
      'content',
    );
    assert.equal(opened([one, one, varint(6)], text, zeros(24)), 'content');
    assert.equal(opened([one, one, varint(2 ** 53 - 1)], text, zeros(17)), 'content');
    assert.equal(opened(head, utf8('{a:1}'), zeros(24)), 'content');
    assert.equal(opened(head, Uint8Array.of(34, 0xc3, 0x28, 97, 34), zeros(24)), 'content');
    assert.equal(opened([one, one, varint(0)], utf8(''), zeros(29)), 'content');
    assert.equal(opened([one, one, varint(8)], utf8('\uFEFF"abc"'), zeros(21)), 'content');
    assert.equal(opened([], utf8(''), new Uint8Array(32).fill(255)), 'content');
  });

  test('[SEAL-8] are sealed in the newest generation and open in each one there is a key of', () => {
    const [first, second] = [sealerOf('ada', 1), sealerOf('ada', 2)];
    const [old, recent] = [sealed(first, title, 'old'), sealed(second, title, 'recent')];
    assert.deepEqual([generationOf(old), generationOf(recent)], [1, 2]);
    assert.ok(openValue(second.ring, title, old).ok);
    assert.ok(openValue(second.ring, title, recent).ok);
    assert.deepEqual(openValue(first.ring, title, recent), {
      ok: false,
      problem: { type: 'no-key', generation: 2 },
    });
    const none = { ...first, ring: ringOf({ ...keysOf('ada'), generations: new Map() }) };
    assert.deepEqual(sealValue(none, title, { value: 'x', writer }), {
      ok: false,
      problem: { type: 'no-key', generation: 0 },
    });
  });

  test('[SEAL-4] are equally long for contents of nearly the same length, and another text each time', () => {
    const lengths = new Set<number>();
    const texts = new Set<string>();
    for (let length = 0; length < 20; length += 1) {
      const { e } = sealed(sealer, title, 'x'.repeat(length));
      lengths.add(e.length);
      texts.add(sealed(sealer, title, 'x').e);
    }
    assert.equal(lengths.size, 1);
    assert.equal(texts.size, 20);
  });

  test('[SEAL-4] grow by at most 12 % beyond 32 bytes, and never shrink', () => {
    let before = 0;
    for (let length = 0; length < 300_000; length += length < 3_000 ? 1 : 997) {
      const padded = paddedLength(length);
      assert.ok(padded >= length && padded >= 32 && padded >= before, `${length}`);
      assert.ok(padded <= Math.max(32, length * 1.12), `${length} becomes ${padded}`);
      before = padded;
    }
    for (let bits = 5; bits < 31; bits += 1) assert.equal(paddedLength(2 ** bits), 2 ** bits);
  });

  test('[SEAL-4] are no longer than a server is told to let through', () => {
    for (const length of [0, 1, 30, 1_000, 16_000, 262_144]) {
      const value = 'x'.repeat(length);
      const result = sealValue(sealer, title, {
        value,
        writer: { device: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER },
      });
      assert.ok(result.ok && result.value.e.length <= longestEnvelope(length + 2), `${length}`);
    }
  });

  test('[SEAL-3] are told from plain values by their form', () => {
    assert.ok(isEnvelope({ e: 'AQ' }));
    for (const value of ['e', null, 1, [], ['e'], { e: 1 }, { e: 'x', f: 1 }, { on: '2026-01-01' }])
      assert.equal(isEnvelope(value), false);
  });
});
