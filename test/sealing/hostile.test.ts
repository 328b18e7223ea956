// A server that may do anything with what it keeps: change, cut, join, swap and invent. Everything is refused, nothing is thrown.
// `SEAL_FUZZ=100000 node --test test/sealing/hostile.test.ts` tries more; `SEAL_SEED` begins elsewhere.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { concat, fromText, toText } from '#core/sealing/bytes.ts';
import { openValue, sealValue, type Home, type Sealer } from '#core/sealing/envelope.ts';
import { newRecoverySecret, readRecoveryCode } from '#core/sealing/recovery-code.ts';
import { openByRecovery, openGeneration, stretchingOf, wrapByRecovery } from '#core/sealing/wraps.ts';
import { keysOf, numbers, otherTask, owner, ringOf, seeded, sealerOf, task, writer } from './material.ts';

const COUNT = Number(process.env['SEAL_FUZZ'] ?? '4000');
const SEED = Number(process.env['SEAL_SEED'] ?? '1');
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ \n.é';

interface Sealed {
  readonly sealer: Sealer;
  readonly home: Home;
  readonly e: string;
}

/** Envelopes of two rows, two types, several registers, two scopes and two generations. */
function corpus(): readonly Sealed[] {
  const scopes = [owner, { ...owner, scope: otherTask }, { ...owner, account: 8 }];
  return scopes.flatMap((whose) =>
    [1, 2].flatMap((generations) => {
      const sealer = sealerOf('ada', generations, whose);
      return [task, otherTask].flatMap((id) =>
        (['task', 'list'] as const).flatMap((type) =>
          ['title', 'notes', 'name'].map((register): Sealed => {
            const home = { id, type, register };
            const value = `${register} of ${type} ${id} `.repeat(register === 'notes' ? 20 : 1);
            const sealed = sealValue(sealer, home, { value, writer });
            assert.ok(sealed.ok);
            return { sealer: { ...sealer, ring: ringOf(keysOf('ada', 2), whose) }, home, e: sealed.value.e };
          }),
        ),
      );
    }),
  );
}

type Below = (below: number) => number;
type Mutation = (bytes: Uint8Array, other: Uint8Array, below: Below) => Uint8Array;

/** Every way of changing bytes that a server has, with another envelope at hand. */
const MUTATIONS: readonly Mutation[] = [
  (bytes, _other, below) => bytes.with(below(bytes.length), below(256)),
  (bytes, _other, below) => {
    const at = below(bytes.length);
    return bytes.with(at, (bytes[at] ?? 0) ^ (1 << below(8)));
  },
  (bytes, _other, below) => bytes.subarray(0, below(bytes.length)),
  (bytes, _other, below) => bytes.subarray(1 + below(bytes.length)),
  (bytes, other, below) => concat(bytes, other.subarray(0, 1 + below(other.length))),
  (bytes, _other, below) => {
    const at = below(bytes.length);
    return concat(bytes.subarray(0, at), bytes.subarray(at + 1 + below(8)));
  },
  (bytes, other, below) => {
    const at = below(bytes.length);
    return concat(bytes.subarray(0, at), other.subarray(at));
  },
  // The generation, the nonce and the tag of another one.
  (bytes, other) => concat(bytes.subarray(0, 1), other.subarray(1, 5), bytes.subarray(5)),
  (bytes, other) => concat(bytes.subarray(0, 5), other.subarray(5, 29), bytes.subarray(29)),
  (bytes, other) => concat(bytes.subarray(0, -16), other.subarray(-16)),
  (bytes) => concat(bytes.subarray(0, 29), bytes.subarray(29).toReversed()),
  (_bytes, _other, below) => Uint8Array.from({ length: below(200) }, () => below(256)),
  (bytes, _other, below) =>
    concat(
      bytes.subarray(0, 5),
      Uint8Array.from({ length: 24 + 16 + 32 }, () => below(256)),
    ),
];

describe('a hostile server', () => {
  const sealed = corpus();

  test(`[SEAL-2] ${COUNT} changed envelopes are refused`, () => {
    const below = numbers(SEED);
    const pick = () => must(sealed[below(sealed.length)], 'an envelope');
    const problems = new Map<string, number>();
    for (let round = 0; round < COUNT; round += 1) {
      const { sealer, home, e } = pick();
      const instead = pick().e;
      const [bytes, other] = [e, instead].map((text) => must(fromText(text), 'an envelope'));
      const mutate = must(MUTATIONS[round % MUTATIONS.length], 'a mutation');
      const changed = toText(mutate(bytes as Uint8Array, other as Uint8Array, below));
      // Whole ones at other homes are tried below.
      if (changed === e || changed === instead) continue;
      const opened = openValue(sealer.ring, home, { e: changed });
      assert.equal(opened.ok, false, `SEAL_SEED=${SEED}, round ${round}: ${changed}`);
      if (!opened.ok) problems.set(opened.problem.type, (problems.get(opened.problem.type) ?? 0) + 1);
    }
    // Nothing is taken for an authentic content that cannot be read.
    assert.deepEqual([...problems.keys()].toSorted(), ['altered', 'malformed', 'newer', 'no-key']);
  });

  test(`[SEAL-3] ${COUNT} changed texts are refused, also where they mean the same bytes`, () => {
    const below = numbers(SEED + 1);
    for (let round = 0; round < COUNT; round += 1) {
      const { sealer, home, e } = must(sealed[below(sealed.length)], 'an envelope');
      const at = below(e.length + 1);
      const sign = ALPHABET[below(ALPHABET.length)] ?? '';
      const changed = `${e.slice(0, at)}${sign}${e.slice(at + below(2))}`;
      if (changed === e) continue;
      const opened = openValue(sealer.ring, home, { e: changed });
      assert.equal(opened.ok, false, `SEAL_SEED=${SEED}, round ${round}: ${changed}`);
    }
  });

  test('[SEAL-1] every envelope is refused at every home but its own', () => {
    let refused = 0;
    for (const { e } of sealed)
      for (const { sealer, home, e: own } of sealed) {
        if (e === own) continue;
        const opened = openValue(sealer.ring, home, { e });
        const of = sealed.find((each) => each.e === e);
        const isSameHome =
          of?.home.id === home.id &&
          of.home.type === home.type &&
          of.home.register === home.register &&
          of.sealer.ring.scope === sealer.ring.scope &&
          of.sealer.ring.account === sealer.ring.account;
        // Two generations of one home open both there: they are two values of one register.
        assert.equal(opened.ok, isSameHome);
        if (!opened.ok) {
          assert.equal(opened.problem.type, 'altered');
          refused += 1;
        }
      }
    assert.equal(refused, sealed.length * (sealed.length - 2));
  });

  test('[SEAL-2] values of any kind in the place of an envelope are refused', () => {
    const { ring } = sealerOf('ada');
    const home: Home = { id: task, type: 'task', register: 'title' };
    const values: unknown[] = [undefined, null, 0, NaN, '', 'AQ', true, [], {}, () => 1, Symbol('e'), 1n];
    values.push(Object.create({ e: 'AQ' }), { e: { e: 'AQ' } }, { __proto__: null, e: null }, new Map());
    for (const value of values) assert.equal(openValue(ring, home, value).ok, false);
  });

  test(`[SEAL-11] ${Math.ceil(COUNT / 4)} changed wraps are refused`, () => {
    const below = numbers(SEED + 2);
    const random = seeded('wraps');
    const { account } = keysOf('ada');
    const secret = newRecoverySecret(random);
    const [one, other] = [1, 2].map(() => wrapByRecovery(account, 7, secret, random));
    for (let round = 0; round < COUNT / 4; round += 1) {
      const mutate = must(MUTATIONS[round % MUTATIONS.length], 'a mutation');
      const bytes = [one, other].map((text) => must(fromText(text ?? ''), 'a wrap'));
      const changed = toText(mutate(bytes[0] as Uint8Array, bytes[1] as Uint8Array, below));
      if (changed === one || changed === other) continue;
      assert.equal(openByRecovery(changed, 7, secret).ok, false, `SEAL_SEED=${SEED}, round ${round}`);
      assert.equal(openGeneration(changed, account, { ...owner, generation: 1 }).ok, false);
      assert.equal(stretchingOf(changed).ok, false);
    }
  });

  test('[SEAL-10] texts of any kind in the place of a recovery code are refused', () => {
    const below = numbers(SEED + 3);
    for (let round = 0; round < COUNT; round += 1) {
      const text = Array.from({ length: below(40) }, () => String.fromCharCode(below(0x3000))).join('');
      assert.equal(readRecoveryCode(text).ok, false);
    }
  });

  test('[SEAL-14] a row whose id is chosen to look like another one’s has a key of its own', () => {
    const { ring } = sealerOf('ada');
    const keys = ['a', 'a\0', '\0a', '', 'row', 'a'.repeat(300)].map((id) =>
      ring.rowKey(1, id as Id)?.toHex(),
    );
    assert.equal(new Set(keys).size, keys.length);
  });
});
