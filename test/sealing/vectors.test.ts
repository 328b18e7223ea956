// What an earlier build has sealed opens in this one, and in another library that knows only the description of the format.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import { openValue, sealValue, type SealedWriter } from '#core/sealing/envelope.ts';
import { createKeyring, createNonces, type AccountKey, type GenerationKey } from '#core/sealing/keys.ts';
import { readRecoveryCode } from '#core/sealing/recovery-code.ts';
import { hiddenRegister } from '#core/sealing/sealable.ts';
import { leastStretching, openByPassphrase, openByRecovery, openGeneration } from '#core/sealing/wraps.ts';
import {
  hiddenName,
  openEnvelope,
  openGenerationWrap,
  openPassphraseWrap,
  openRecoveryWrap,
} from './independent.ts';
import { seeded } from './material.ts';
import { makeVectors, type Vectors } from './make-vectors.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/vectors-1.json');
const bytes = (hex: string | undefined) => Uint8Array.fromHex(hex ?? '');

describe('vectors of version 1', () => {
  const vectors = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Vectors;
  const owner = { account: vectors.account, scope: vectors.scope as Id };
  const account = bytes(vectors.accountKey) as Uint8Array as AccountKey;
  const generationKeys = new Map(
    Object.entries(vectors.generationKeys).map(
      ([generation, hex]) => [Number(generation), bytes(hex) as Uint8Array as GenerationKey] as const,
    ),
  );
  const ring = createKeyring(account, owner, generationKeys);

  test('[SEAL-6] are made the same by this build, byte for byte', () => {
    assert.deepEqual(makeVectors(), vectors);
  });

  test('[SEAL-6] open in this build', () => {
    assert.equal(vectors.values.length, 30);
    for (const { id, type, register, e, value, device, seq, generation } of vectors.values) {
      const writer: SealedWriter = { device, seq };
      assert.deepEqual(openValue(ring, { id: id as Id, type, register }, { e }), {
        ok: true,
        value: { value: JSON.parse(value), writer, generation },
      });
    }
    const secret = readRecoveryCode(vectors.recoveryCode);
    assert.ok(secret.ok);
    const key = { ok: true, value: account };
    assert.deepEqual(openByRecovery(vectors.recoveryWrap, owner.account, secret.value), key);
    const passphrase = { text: vectors.passphrase, account: owner.account, stretching: leastStretching };
    assert.deepEqual(openByPassphrase(vectors.passphraseWrap, passphrase), key);
    for (const [generation, expected] of generationKeys) {
      const wrapped = vectors.generationWraps[generation] ?? '';
      assert.deepEqual(openGeneration(wrapped, account, { ...owner, generation }), {
        ok: true,
        value: expected,
      });
    }
    for (const { id, register, hidden } of vectors.hiddenNames)
      assert.equal(hiddenRegister(ring, id as Id, register), hidden);
  });

  test('[SEAL-7] open in another library, by the description alone', () => {
    for (const { value, e, device, seq, generation, ...home } of vectors.values)
      assert.deepEqual(openEnvelope(bytes(vectors.generationKeys[generation]), { ...owner, ...home }, e), {
        value: JSON.parse(value),
        device,
        seq,
        generation,
      });
    const { recoveryWrap, recoveryCode, passphraseWrap, passphrase } = vectors;
    const key = vectors.accountKey;
    assert.equal(openRecoveryWrap(recoveryWrap, owner.account, recoveryCode).toHex(), key);
    assert.equal(openPassphraseWrap(passphraseWrap, owner.account, passphrase).toHex(), key);
    for (const [generation, wrapped] of Object.entries(vectors.generationWraps))
      assert.equal(
        openGenerationWrap(wrapped, account, owner, Number(generation)).toHex(),
        vectors.generationKeys[generation],
      );
    for (const { id, register, hidden } of vectors.hiddenNames)
      assert.equal(hidden.split('~')[1], hiddenName(account, owner, id, register));
  });

  test('[SEAL-7] open there whatever the value, its home and its writer', () => {
    const nonce = createNonces(seeded('two libraries'));
    const key = bytes(vectors.generationKeys[2]);
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\0', ':', '"') });
    const home = fc.record({
      id: text,
      register: text,
      type: fc.constantFrom<EntityType>('task', 'list', 'mine'),
    });
    fc.assert(
      fc.property(home, fc.jsonValue(), fc.maxSafeNat(), fc.maxSafeNat(), (at, value, device, seq) => {
        const content = { value, writer: { device, seq } };
        const sealed = sealValue({ ring, nonce }, { ...at, id: at.id as Id }, content);
        assert.ok(sealed.ok);
        const opened = openEnvelope(key, { ...owner, ...at }, sealed.value.e);
        const expected = JSON.parse(JSON.stringify(value)) as unknown;
        assert.deepEqual(opened, { value: expected, device, seq, generation: 2 });
      }),
      { numRuns: Number(process.env['SEAL_FUZZ'] ?? '200') },
    );
  });

  test('[SEAL-7] do not open there either, once anything is changed', () => {
    const [first] = vectors.values;
    assert.ok(first);
    const key = bytes(vectors.generationKeys[1]);
    const home = { ...owner, id: first.id, type: first.type, register: first.register };
    assert.throws(() => openEnvelope(key, { ...home, register: 'notes' }, first.e));
    assert.throws(() => openEnvelope(bytes(vectors.generationKeys[2]), home, first.e));
  });
});
