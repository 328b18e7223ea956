// Passwords that may be set and passwords that may not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commonWords } from './common-words.ts';
import { passwordLength } from '#core/password.ts';
import { passwordProblem } from './password-rule.ts';

const EMAIL = 'margarethe.olafsdottir@mailbox.example';
const typeOf = (password: string) => passwordProblem(password, EMAIL)?.type ?? null;

describe('password rule', () => {
  test('[ACC-20] counts code points, not bytes or UTF-16 units', () => {
    assert.equal(typeOf('kf9#Lq2xTm7'), 'tooShort');
    assert.equal(typeOf('kf9#Lq2xTm7v'), null);
    assert.equal(typeOf('🦊🍋🧭🪁🎻🛶🌵🧲🪴🧶🥁🪶'), null, 'twelve emoji are twelve');
    const long = 'Njq8 '.repeat(15).slice(0, 71);
    assert.equal(typeOf(`${long}🦊`), null, '72 code points, 75 bytes');
    assert.equal(typeOf(`${long}🦊x`), 'tooLong');
  });

  test('takes nothing that could not be typed again', () => {
    assert.equal(typeOf('kf9#Lq2\u0000xyzTm7'), 'unwritable');
    assert.equal(typeOf('kf9#Lq2\ud800xyzTm7'), 'unwritable');
    assert.equal(typeOf('kf9#Lq2\tdearTm7'), 'unwritable');
  });

  test('accents written in two ways are one password', () => {
    const composed = 'b\u00e9ryl kn\u00fcpf vor';
    assert.equal(typeOf(composed), typeOf(composed.normalize('NFD')));
    assert.equal(
      typeOf('\u0065\u0301'.repeat(6)),
      'tooShort',
      'six letters, twelve code points before normalising',
    );
  });

  const common = [
    'password',
    'Password1',
    'Password123!',
    'P@ssw0rd',
    'p4$$w0rd2024',
    'passwordpassword',
    'drowssap1',
    'qwertyuiop',
    'Qwerty123',
    'asdfghjkl',
    '1q2w3e4r5t',
    '1qaz2wsx',
    'zaq12wsx',
    '12345678',
    '123456789012',
    '87654321',
    '11111111',
    'aaaaaaaaaaaa',
    'abababababab',
    'abcdefgh',
    'abc123abc123',
    'abcd1234',
    '19840523',
    '23.05.1984',
    'iloveyou!',
    'sunshine99',
    'Dragon2024!',
    'letmein123',
    'l3tm31n!!',
    'welcome1!',
    'monkey!!1',
    'football7',
    'princess1',
    'Summer2025!',
    'posthaste1',
    'Posthaste2026',
    'correcthorsebatterystaple',
    'bluedragon',
    'superstars',
    'motdepasse1',
  ];
  // Those that are too short as they stand are no better with as much of them again behind them.
  for (const password of common)
    test(`${password} is common`, () => {
      const isShort = [...password].length < passwordLength.least;
      assert.equal(typeOf(isShort ? password.repeat(2) : password), 'common');
    });

  const good = [
    'violet anchor under moss',
    'tR7#vmQpK2!x',
    'kumquat-lantern-58',
    'the quick fox sleeps early',
    'Zug nach Nirgendwo',
    'x9!fjK2-qq7Zp',
    'ужин без соли',
    'password manager made this: 8fK',
  ];
  for (const password of good) test(`${password} is accepted`, () => assert.equal(typeOf(password), null));

  test('what follows from the address is refused', () => {
    for (const password of [EMAIL, 'margarethe12', 'Olafsdottir!7', 'mailbox-9999'])
      assert.equal(typeOf(password), 'fromEmail', password);
  });

  test('the words are lower-case letters', () => {
    for (const word of commonWords) assert.match(word, /^[a-z]{2,}$/);
    assert.ok(commonWords.size > 700, `${commonWords.size} words`);
  });

  test('long hostile passwords cost no more than short ones', () => {
    // Of the processor: the clock says more about what else the machine does.
    const started = process.cpuUsage();
    for (const unit of ['1q2w', 'a', 'ab', 'pass', '$']) passwordProblem(unit.repeat(1_000), EMAIL);
    assert.ok(process.cpuUsage(started).user < 1_000_000);
  });
});
