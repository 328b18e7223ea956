// How a new device gets the account key from one that has it, by way of a server that may read, change and make up what it carries.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { fromText, toText } from '#core/sealing/bytes.ts';
import {
  agreement,
  answerPairing,
  beginPairing,
  handOver,
  isAsCommitted,
  pictureText,
  readPicture,
  takeOver,
  withPicture,
  type Transcript,
} from '#core/sealing/pairing.ts';
import { spokenWords } from '#core/sealing/spoken-words.ts';
import { openByPasskey, openByRecovery, wrapByPasskey } from '#core/sealing/wraps.ts';
import { newRecoverySecret } from '#core/sealing/recovery-code.ts';
import { openPasskeyWrap } from './independent.ts';
import { keysOf, seeded } from './material.ts';

const { account: accountKey } = keysOf('pairing');

/** Both ends of a pairing that nobody disturbs. */
function paired(seed: string) {
  const newer = beginPairing(seeded(`${seed} new`));
  const older = answerPairing(seeded(`${seed} old`));
  const transcript: Transcript = {
    account: 7,
    newKey: newer.publicKey,
    nonce: newer.nonce,
    oldKey: older.publicKey,
  };
  const atNew = must(agreement(newer.secret, older.publicKey, transcript), 'an agreement');
  const atOld = must(agreement(older.secret, newer.publicKey, transcript), 'an agreement');
  return { newer, older, transcript, atNew, atOld };
}

describe('pairing two devices', () => {
  test('[SEAL-135] both show the same words and digits, and the key arrives', () => {
    const { newer, atNew, atOld } = paired('one');
    assert.equal(isAsCommitted(newer.commitment, newer.publicKey, newer.nonce), true);
    assert.deepEqual([atNew.words, atNew.digits], [atOld.words, atOld.digits]);
    assert.equal(atNew.words.length, 3);
    assert.match(atNew.digits, /^\d{6}$/);
    assert.ok(atNew.words.every((word) => spokenWords.includes(word)));
    assert.deepEqual(takeOver(atNew, handOver(atOld, accountKey, seeded('nonce'))), accountKey);
  });

  test('[SEAL-136] somebody who stands between them shows each other words, and gets no key', () => {
    let same = 0;
    for (let round = 0; round < 300; round += 1) {
      const { newer, older, transcript, atNew } = paired(`round ${round}`);
      const between = answerPairing(seeded(`between ${round}`));
      const falseOld = must(
        agreement(newer.secret, between.publicKey, { ...transcript, oldKey: between.publicKey }),
        'an agreement',
      );
      const falseNew = must(
        agreement(older.secret, between.publicKey, { ...transcript, newKey: between.publicKey }),
        'an agreement',
      );
      if (falseOld.digits === falseNew.digits || falseOld.words.join() === falseNew.words.join()) same += 1;
      const handed = handOver(falseNew, accountKey, seeded('nonce'));
      assert.equal(takeOver(falseOld, handed), null);
      assert.equal(takeOver(atNew, handed), null);
    }
    assert.equal(same, 0);
  });

  test('[SEAL-136] who has committed to a key can show no other', () => {
    const { newer } = paired('one');
    const other = beginPairing(seeded('other'));
    for (const [key, nonce] of [
      [other.publicKey, newer.nonce],
      [newer.publicKey, other.nonce],
      [newer.publicKey.slice(1), newer.nonce],
      [newer.nonce, newer.publicKey],
    ] as const)
      assert.equal(isAsCommitted(newer.commitment, key, nonce), false);
    assert.equal(isAsCommitted('', newer.publicKey, newer.nonce), false);
    assert.equal(isAsCommitted('?', newer.publicKey, newer.nonce), false);
  });

  test('[SEAL-137] the words depend on all that was said in the open', () => {
    const { newer, older, transcript, atNew } = paired('one');
    for (const other of [
      { ...transcript, account: 8 },
      { ...transcript, nonce: beginPairing(seeded('other')).nonce },
      { ...transcript, newKey: older.publicKey },
    ]) {
      const instead = must(agreement(newer.secret, older.publicKey, other), 'an agreement');
      assert.notDeepEqual(instead.words, atNew.words);
      assert.equal(takeOver(instead, handOver(atNew, accountKey, seeded('nonce'))), null);
    }
  });

  test('[SEAL-137] a key that is none, and what was altered, give nothing', () => {
    const { newer, transcript, atNew, atOld } = paired('one');
    for (const key of ['', 'AAAA', toText(new Uint8Array(32)), '!'])
      assert.equal(agreement(newer.secret, key, transcript), null, key);
    const handed = must(fromText(handOver(atOld, accountKey, seeded('nonce'))), 'bytes');
    for (let at = 0; at < handed.length; at += 1) {
      const changed = handed.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(takeOver(atNew, toText(changed)), null, `byte ${at}`);
    }
    for (const text of ['', 'AAAA', toText(handed.subarray(1)), `${toText(handed)}A`])
      assert.equal(takeOver(atNew, text), null);
  });

  test('[SEAL-124] what is handed over by the picture opens for who showed it, and not by the words', () => {
    const { newer, atNew, atOld } = paired('one');
    const read = must(readPicture(pictureText(newer)), 'a picture');
    assert.deepEqual(read, { commitment: newer.commitment, shown: newer.shown });
    const handed = handOver(withPicture(atOld, read.shown), accountKey, seeded('nonce'));
    assert.deepEqual(takeOver(withPicture(atNew, newer.shown), handed), accountKey);
    assert.equal(takeOver(atNew, handed), null);
    assert.equal(takeOver(withPicture(atNew, beginPairing(seeded('other')).shown), handed), null);
    assert.equal(
      takeOver(withPicture(atNew, newer.shown), handOver(atOld, accountKey, seeded('nonce'))),
      null,
    );
    for (const text of [
      '',
      'posthaste:pair:',
      pictureText(newer).slice(1),
      `${pictureText(newer)}A`,
      'https://example.org',
    ])
      assert.equal(readPicture(text), null, text);
  });

  test('[SEAL-138] the words are 256, each once, and stay the same', () => {
    assert.equal(new Set(spokenWords).size, 256);
    assert.ok(spokenWords.every((word) => /^[a-z]{4,9}$/.test(word)));
    const digest = createHash('sha256').update(spokenWords.join(' ')).digest('hex');
    assert.equal(digest, '3d354e537dd62a1d3daf668b3dacebb4b318dbf3915d9efd2971b24dfb16354e');
  });
});

describe('an account key under a passkey', () => {
  const passkey = { account: 7, credential: 'a-credential', answer: new Uint8Array(32).fill(9) };
  const wrapped = wrapByPasskey(accountKey, passkey, seeded('wrap'));

  test('[SEAL-139] opens with what this passkey answers, for this account', () => {
    assert.deepEqual(openByPasskey(wrapped, passkey), { ok: true, value: accountKey });
    assert.deepEqual(
      Uint8Array.from(openPasskeyWrap(wrapped, 7, 'a-credential', passkey.answer)),
      accountKey,
    );
    for (const other of [
      { ...passkey, account: 8 },
      { ...passkey, credential: 'another' },
      { ...passkey, answer: new Uint8Array(32).fill(8) },
    ])
      assert.deepEqual(openByPasskey(wrapped, other), { ok: false, problem: { type: 'closed' } });
  });

  test('[SEAL-11] is no wrap of another kind', () => {
    const secret = newRecoverySecret(seeded('code'));
    assert.deepEqual(openByRecovery(wrapped, 7, secret), { ok: false, problem: { type: 'malformed' } });
  });
});
