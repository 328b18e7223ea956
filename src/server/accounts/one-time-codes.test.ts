// One-time codes against the figures of RFC 6238, and sealing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codeOf, keyUri, stepAt, stepOf, toBase32 } from './one-time-codes.ts';
import { createSealing, createServerKey } from './sealing.ts';

const secret = Buffer.from('12345678901234567890');

describe('one-time codes', () => {
  test('are those of RFC 6238, appendix B', () => {
    const known = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ] as const;
    for (const [seconds, code] of known) assert.equal(codeOf(secret, stepAt(seconds * 1_000)), code);
  });

  test('hold one step before and after, and only once', () => {
    const now = 1_111_111_111_000;
    const step = stepAt(now);
    const key = { secret, after: 0 };
    for (const away of [-1, 0, 1]) assert.equal(stepOf(codeOf(secret, step + away), key, now), step + away);
    for (const away of [-2, 2]) assert.equal(stepOf(codeOf(secret, step + away), key, now), null);
    assert.equal(stepOf(codeOf(secret, step), { secret, after: step }, now), null);
    for (const nonsense of ['', '12345', '1234567', 'abcdef', '１２３４５６']) {
      assert.equal(stepOf(nonsense, key, now), null);
    }
  });

  test('come with a key as apps read it', () => {
    assert.equal(toBase32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    assert.equal(
      keyUri(secret, 'ada@example.org'),
      'otpauth://totp/Posthaste%3Aada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Posthaste',
    );
  });

  test('[ACC-4] their keys open only under the same key, for the same account, unaltered', () => {
    const sealing = createSealing(createServerKey());
    const sealed = sealing.seal(secret, 'one');
    assert.deepEqual(Buffer.from(sealing.open(sealed, 'one') ?? []), secret);
    assert.equal(sealing.open(sealed, 'two'), null);
    assert.equal(createSealing(createServerKey()).open(sealed, 'one'), null);
    assert.equal(
      sealing.open(
        sealed.map((byte, at) => (at === 20 ? byte ^ 1 : byte)),
        'one',
      ),
      null,
    );
    assert.equal(sealing.open(new Uint8Array(3), 'one'), null);
  });
});
