// The small parts of accounts: tokens, hashes, the gate, addresses, guessing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentName } from '#core/agent-name.ts';
import { parseEmail } from '#core/email.ts';
import { createGuesses } from '../limits/guesses.ts';
import { createGate, createPasswords, defaultHashParameters, HashingBusy } from './password-hash.ts';

import { createToken, tokenDigest, tokenKind } from './tokens.ts';

const weak = { memory: 64, passes: 1, parallelism: 1 };

describe('tokens', () => {
  test('say what they are and cannot be mistyped', () => {
    for (const kind of ['web', 'device', 'api'] as const) {
      const token = createToken(kind);
      assert.equal(tokenKind(token), kind);
      assert.equal(tokenDigest(token).length, 32);
      for (let at = 0; at < token.length; at += 1) {
        const other = token[at] === 'A' ? 'B' : 'A';
        assert.equal(tokenKind(token.slice(0, at) + other + token.slice(at + 1)), null, `position ${at}`);
      }
    }
    assert.equal(new Set(Array.from({ length: 100 }, () => createToken('web'))).size, 100);
  });

  test('noise is turned away', () => {
    for (const text of [
      '',
      'phs_',
      'ph_abc',
      `${createToken('web')}x`,
      ` ${createToken('api')}`,
      'x'.repeat(5_000),
    ])
      assert.equal(tokenKind(text), null);
  });
});

describe('password hashes', () => {
  test('are Argon2id in the PHC form with the parameters of the rule', async () => {
    const hash = await createPasswords(defaultHashParameters).hash('violet anchor');
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  test('tell passwords apart behind the 72nd character', async () => {
    const passwords = createPasswords(weak);
    const hash = await passwords.hash(`${'a'.repeat(72)}X`);
    assert.deepEqual(await passwords.check(`${'a'.repeat(72)}X`, hash), { isRight: true, isOutdated: false });
    assert.equal((await passwords.check(`${'a'.repeat(72)}Y`, hash)).isRight, false);
    assert.equal((await passwords.check('a'.repeat(72), hash)).isRight, false);
  });

  test('treat composed and decomposed accents alike', async () => {
    const passwords = createPasswords(weak);
    const hash = await passwords.hash('zu\u0308rcher sommer'.normalize('NFD'));
    assert.equal((await passwords.check('z\u00fcrcher sommer', hash)).isRight, true);
  });

  test('nobody’s password is never right, also not an empty one', async () => {
    const passwords = createPasswords(weak);
    for (const stored of [
      null,
      '',
      'plain',
      '$2b$10$abcdefghijklmnopqrstuv',
      '$argon2id$v=19$m=64,t=1,p=1$$',
    ])
      assert.deepEqual(await passwords.check('', stored), { isRight: false, isOutdated: false });
  });

  test('weaker parameters are noticed at the next sign-in', async () => {
    const hash = await createPasswords(weak).hash('violet anchor');
    const stronger = createPasswords({ ...weak, passes: 2 });
    assert.deepEqual(await stronger.check('violet anchor', hash), { isRight: true, isOutdated: true });
    assert.deepEqual(await stronger.check('wrong anchor', hash), { isRight: false, isOutdated: false });
  });

  test('the gate lets two in, 32 wait, and turns the rest away', async () => {
    const gate = createGate(2, 32);
    const releases: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => releases.push(resolve));
      running -= 1;
    };
    const all = Array.from({ length: 40 }, () => gate.run(work));
    const settled = Promise.allSettled(all);
    assert.equal(gate.waiting(), 32);
    while (running > 0 || gate.waiting() > 0) {
      releases.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const results = await settled;
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 34);
    assert.ok(
      results.every((result) => result.status === 'fulfilled' || result.reason instanceof HashingBusy),
    );
    assert.equal(most, 2);
  });

  test('work that throws leaves the gate open', async () => {
    const gate = createGate(1, 1);
    await assert.rejects(
      gate.run(() => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await gate.run(() => Promise.resolve(5)), 5);
  });
});

describe('email addresses', () => {
  test('one spelling per account', () => {
    assert.equal(parseEmail('  Person@Example.ORG '), 'person@example.org');
    assert.equal(parseEmail('first.last+tag@sub.example.org'), 'first.last+tag@sub.example.org');
    assert.equal(parseEmail('jörg@bücher.example'), 'jörg@bücher.example');
  });

  test('what mail could not reach is refused', () => {
    const wrong = [
      '',
      'person',
      '@example.org',
      'person@',
      'person@example',
      'a b@example.org',
      'a@b@example.org',
    ];
    const more = [
      '.a@example.org',
      'a..b@example.org',
      'a@-example.org',
      'a@example..org',
      'a\n@example.org',
      '<a@example.org>',
    ];
    for (const text of [
      ...wrong,
      ...more,
      `${'a'.repeat(65)}@example.org`,
      `a@${'b'.repeat(250)}.org`,
      '\ud800@example.org',
    ])
      assert.equal(parseEmail(text), null, JSON.stringify(text));
  });
});

describe('guessing', () => {
  test('ten tries are free, then each waits longer, at most a minute, and it passes', async () => {
    let now = 0;
    const guesses = createGuesses(() => now);
    for (let tries = 0; tries < 10; tries += 1) assert.equal(await guesses.admit('a'), 0);
    const waits: number[] = [];
    for (let tries = 0; tries < 9; tries += 1) {
      const wait = await guesses.admit('a');
      waits.push(wait);
      now += wait - 1;
      assert.equal(await guesses.admit('a'), 1, 'what was not admitted makes nobody wait longer');
      now += 1;
      assert.equal(await guesses.admit('a'), 0);
    }
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    assert.equal(await guesses.admit('b'), 0, 'others are not held up');
    now += 16 * 60_000;
    assert.equal(await guesses.admit('a'), 0, 'never a lock-out');
    for (let tries = 0; tries < 9; tries += 1) await guesses.admit('a');
    assert.equal(await guesses.admit('a'), 1_000);
    await guesses.succeeded('a');
    assert.equal(await guesses.admit('a'), 0);
  });
});

describe('session names', () => {
  test('say browser and system, and nothing that was not understood', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
    assert.equal(agentName(chrome), 'Chrome on Linux');
    assert.equal(agentName(chrome.replace('Chrome/', 'HeadlessChrome/')), 'Chrome on Linux');
    assert.equal(
      agentName(`${chrome} Edg/156.0.0.0`.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64')),
      'Edge on Windows',
    );
    assert.equal(
      agentName(
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      ),
      'Safari on macOS',
    );
    assert.equal(
      agentName('Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0'),
      'Firefox on macOS',
    );
    assert.equal(agentName('<script>'), 'Unknown');
    assert.equal(agentName(''), 'Unknown');
  });
});
