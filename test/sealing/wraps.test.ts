// Keys under codes, passphrases and other keys, and the recovery code as people type it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { must } from '#core/assert.ts';
import { concat, fromText, toText, u32 } from '#core/sealing/bytes.ts';
import {
  accountPurposeKey,
  createKeyring,
  createNonces,
  newAccountKey,
  newGenerationKey,
  type GenerationKey,
} from '#core/sealing/keys.ts';
import {
  isRecoveryGroup,
  newRecoverySecret,
  readRecoveryCode,
  recoveryGroups,
  writeRecoveryCode,
  type RecoverySecret,
} from '#core/sealing/recovery-code.ts';
import {
  leastStretching,
  openByPassphrase,
  openByRecovery,
  openGeneration,
  stretchingOf,
  usualStretching,
  wrapByPassphrase,
  wrapByRecovery,
  wrapGeneration,
} from '#core/sealing/wraps.ts';
import { keysOf, otherTask, owner, seeded, task } from './material.ts';

const account = newAccountKey(seeded('account'));
const secret = newRecoverySecret(seeded('secret'));
const code = writeRecoveryCode(secret);
const closed = { ok: false, problem: { type: 'closed' } };

describe('the recovery code', () => {
  test('[SEAL-10] is 28 characters in seven groups and reads back, whatever the secret', () => {
    const secrets = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(secrets, (bytes) => {
        const text = writeRecoveryCode(bytes as Uint8Array as RecoverySecret);
        assert.match(text, /^(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
        const read = readRecoveryCode(text);
        assert.ok(read.ok);
        assert.deepEqual([...read.value], [...bytes]);
      }),
    );
  });

  test('[SEAL-10] is read as people type it', () => {
    const typed = [
      code.toLowerCase(),
      code.replaceAll('-', ''),
      code.replaceAll('-', ' '),
      ` ${code.replaceAll('-', '\n')}\t`,
      code.replaceAll('-', '–'),
      code.replaceAll('0', 'O').replaceAll('1', 'l'),
      code.replaceAll('0', 'o').replaceAll('1', 'I'),
    ];
    for (const text of typed) assert.deepEqual(readRecoveryCode(text), { ok: true, value: secret }, text);
  });

  test('[SEAL-10] says what is wrong with it', () => {
    assert.deepEqual(readRecoveryCode(`U${code.slice(1)}`), {
      ok: false,
      problem: { type: 'character', at: 0 },
    });
    assert.deepEqual(readRecoveryCode(code.slice(0, -3)), {
      ok: false,
      problem: { type: 'length', missing: 3 },
    });
    assert.deepEqual(readRecoveryCode(`${code}${'0'.repeat(100_000)}`), {
      ok: false,
      problem: { type: 'length', missing: -100_000 },
    });
    assert.deepEqual(readRecoveryCode(''), { ok: false, problem: { type: 'length', missing: 28 } });
    for (const text of ['😀', '\0', 'ſ', 'ß', 'K'.normalize('NFKD') + '\u0301'])
      assert.equal(readRecoveryCode(`${code.slice(0, 9)}${text}${code.slice(10)}`).ok, false);
  });

  test('[SEAL-10] notices one character in place of another, and two that changed places, but for one in 4,096', () => {
    const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    let wrong = 0;
    let unnoticed = 0;
    const attempt = (text: string) => {
      if (text.replaceAll('-', '') === code.replaceAll('-', '')) return;
      wrong += 1;
      if (readRecoveryCode(text).ok) unnoticed += 1;
    };
    for (let at = 0; at < code.length; at += 1) {
      if (code[at] === '-') continue;
      for (const character of alphabet) attempt(`${code.slice(0, at)}${character}${code.slice(at + 1)}`);
      attempt(`${code.slice(0, at)}${code[at + 1] ?? ''}${code[at]}${code.slice(at + 2)}`);
    }
    assert.ok(wrong > 850 && unnoticed <= 3, `${unnoticed} of ${wrong}`);
  });

  test('[SEAL-10] is asked for again by its groups', () => {
    const groups = recoveryGroups(code);
    assert.equal(groups.length, 7);
    for (const [index, group] of groups.entries()) {
      assert.ok(isRecoveryGroup(code, index, ` ${group.toLowerCase()} `));
      assert.equal(isRecoveryGroup(code, index, groups[(index + 1) % 7] ?? ''), false);
      assert.equal(isRecoveryGroup(code, index, ''), false);
    }
    assert.equal(isRecoveryGroup(code, 7, ''), false);
  });
});

describe('wraps', () => {
  const random = seeded('wraps');
  const least = { text: 'correct horse', account: 7, stretching: leastStretching };

  test('[SEAL-11] a recovery code opens the account key it was made for, no other code and no other account', () => {
    const wrapped = wrapByRecovery(account, 7, secret, random);
    assert.deepEqual(openByRecovery(wrapped, 7, secret), { ok: true, value: account });
    assert.deepEqual(openByRecovery(wrapped, 8, secret), closed);
    assert.deepEqual(openByRecovery(wrapped, 7, newRecoverySecret(random)), closed);
  });

  test('[SEAL-12] a passphrase opens it, composed in whichever way, and no other does', () => {
    const wrapped = wrapByPassphrase(account, { ...least, text: 'café 1' }, random);
    assert.deepEqual(openByPassphrase(wrapped, { ...least, text: 'cafe\u0301 1' }), {
      ok: true,
      value: account,
    });
    assert.deepEqual(openByPassphrase(wrapped, { ...least, text: 'cafe 1' }), closed);
  });

  test('[SEAL-13] less stretching than the device knows is refused before the passphrase is touched', () => {
    const wrapped = wrapByPassphrase(account, least, random);
    assert.deepEqual(stretchingOf(wrapped), { ok: true, value: leastStretching });
    const before = process.threadCpuUsage().user;
    const refused = openByPassphrase(wrapped, { ...least, stretching: usualStretching });
    assert.deepEqual(refused, { ok: false, problem: { type: 'weak' } });
    const bytes = must(fromText(wrapped), 'a wrap');
    const asking = (memoryKiB: number, passes: number) => {
      const changed = bytes.slice();
      changed.set(concat(u32(memoryKiB), u32(passes)), 2);
      return openByPassphrase(toText(changed), least);
    };
    for (const [memory, passes] of [
      [8, 1],
      [19_455, 2],
      [19_456, 1],
      [0, 0],
    ] as const)
      assert.deepEqual(asking(memory, passes), { ok: false, problem: { type: 'weak' } });
    for (const [memory, passes] of [
      [0xffffffff, 3],
      [65_536, 0xffffffff],
      [262_145, 2],
    ] as const)
      assert.deepEqual(asking(memory, passes), { ok: false, problem: { type: 'heavy' } });
    // Stretching at least takes some 100 ms of the processor.
    assert.ok(process.threadCpuUsage().user - before < 50_000);
  });

  test('[SEAL-11] the account key opens exactly this generation of this scope', () => {
    const { generations } = keysOf('ada');
    const key = must(generations.get(1), 'a key');
    const of = { ...owner, generation: 1 };
    const wrapped = wrapGeneration(key, account, of, random);
    assert.deepEqual(openGeneration(wrapped, account, of), { ok: true, value: key });
    assert.deepEqual(openGeneration(wrapped, account, { ...of, generation: 2 }), closed);
    assert.deepEqual(openGeneration(wrapped, account, { ...of, scope: task }), closed);
    assert.deepEqual(openGeneration(wrapped, account, { ...of, account: 8 }), closed);
    assert.deepEqual(openGeneration(wrapped, newAccountKey(random), of), closed);
  });

  test('[SEAL-11] one kind is never taken for another, and no altered one opens', () => {
    const of = { ...owner, generation: 1 };
    const wrapped = wrapByRecovery(account, 7, secret, random);
    const generation = wrapGeneration(newGenerationKey(random), account, of, random);
    const malformed = { ok: false, problem: { type: 'malformed' } };
    assert.deepEqual(openByRecovery(generation, 7, secret), malformed);
    assert.deepEqual(openGeneration(wrapped, account, of), malformed);
    assert.deepEqual(stretchingOf(wrapped), malformed);
    for (const text of ['', 'é', 'A'.repeat(100_000), `${wrapped}A`, wrapped.slice(0, -4)])
      assert.deepEqual(openByRecovery(text, 7, secret), malformed);
    const bytes = must(fromText(wrapped), 'a wrap');
    for (let bit = 16; bit < bytes.length * 8; bit += 1) {
      const changed = bytes.slice();
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.deepEqual(openByRecovery(toText(changed), 7, secret), closed);
    }
    bytes[0] = 2;
    assert.deepEqual(openByRecovery(toText(bytes), 7, secret), { ok: false, problem: { type: 'newer' } });
  });

  test('[SEAL-11] are other bytes each time', () => {
    const wraps = Array.from({ length: 20 }, () => wrapByRecovery(account, 7, secret, random));
    assert.equal(new Set(wraps).size, 20);
  });
});

describe('derived keys', () => {
  test('[SEAL-14] differ by row, generation, scope, account and purpose', () => {
    const { generations } = keysOf('ada');
    const key = must(generations.get(1), 'a key');
    const same = new Map<number, GenerationKey>([
      [1, key],
      [2, key],
    ]);
    const ring = createKeyring(account, owner, same);
    const salt = new Uint8Array(32);
    const derived = [
      ring.rowKey(1, task),
      ring.rowKey(1, otherTask),
      ring.rowKey(2, task),
      ring.fileKey(1, task, salt),
      ring.fileKey(
        1,
        task,
        salt.map(() => 1),
      ),
      createKeyring(account, { ...owner, account: 8 }, same).rowKey(1, task),
      createKeyring(account, { ...owner, scope: otherTask }, same).rowKey(1, task),
      accountPurposeKey(account, 'directory'),
      accountPurposeKey(account, 'wrap'),
      accountPurposeKey(account, 'names'),
      accountPurposeKey(account, 'names', 'a', 'b'),
      accountPurposeKey(account, 'names', 'ab'),
      key,
      account,
    ].map((bytes) => must(bytes, 'a key').toHex());
    assert.equal(new Set(derived).size, derived.length);
    assert.deepEqual(ring.rowKey(1, task)?.toHex(), derived[0]);
    assert.equal(ring.rowKey(3, task), null);
    assert.equal(ring.rowKey(0, task), null);
  });

  test('[SEAL-14] come from randomness that is passed in; one that fills nothing is noticed', () => {
    assert.throws(() => newAccountKey(() => {}), /Impossible/);
    const next = createNonces(seeded('nonces'));
    const nonces = Array.from({ length: 1_000 }, () => next().toHex());
    assert.equal(new Set(nonces).size, 1_000);
    assert.ok(nonces.every((nonce) => nonce.length === 48));
  });
});
