// Makes the test vectors of sealing: `node test/sealing/make-vectors.ts` prints them. They are the same each time, because all
// randomness comes from seeds. What stands in fixtures/ is what an earlier build has made and every later one has to open.
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import { sealValue } from '#core/sealing/envelope.ts';
import { createKeyring, createNonces } from '#core/sealing/keys.ts';
import { newRecoverySecret, writeRecoveryCode } from '#core/sealing/recovery-code.ts';
import { hiddenRegister } from '#core/sealing/sealable.ts';
import { leastStretching, wrapByPassphrase, wrapByRecovery, wrapGeneration } from '#core/sealing/wraps.ts';
import { keysOf, owner, seeded } from './material.ts';

/** A value with its home, and the envelope of it. */
export interface ValueVector {
  readonly generation: number;
  readonly id: string;
  readonly type: EntityType;
  readonly register: string;
  readonly device: number;
  readonly seq: number;
  /** JSON. */
  readonly value: string;
  readonly e: string;
}

export interface Vectors {
  readonly account: number;
  readonly scope: string;
  readonly accountKey: string;
  readonly generationKeys: Readonly<Record<string, string>>;
  readonly generationWraps: Readonly<Record<string, string>>;
  readonly recoveryCode: string;
  readonly recoveryWrap: string;
  readonly passphrase: string;
  readonly passphraseWrap: string;
  readonly hiddenNames: readonly {
    readonly id: string;
    readonly register: string;
    readonly hidden: string;
  }[];
  readonly values: readonly ValueVector[];
}

const HOMES: readonly (readonly [EntityType, string, unknown])[] = [
  ['task', 'title', 'Call the plumber'],
  ['task', 'title', ''],
  ['task', 'title', 'Zażółć gęślą jaźń 😀 \uFEFF\u2028'],
  ['task', 'notes', `# Plan\n\n${'- every line of it\n'.repeat(40)}`],
  ['task', 'due', { on: '2026-11-29' }],
  ['task', 'due', { at: 1_795_900_000_000, zone: 'Europe/Warsaw' }],
  [
    'task',
    'repeat',
    { value: 2, unit: 'weeks', metadata: { weekdays: ['Mon'] }, from: null, missed: 'skip', anchorDay: null },
  ],
  ['task', 'duration', 45],
  ['list', 'name', 'House'],
  ['list', 'query', 'label:phone due:today'],
  ['label', 'color', '#ff8800'],
  ['mine', 'snooze', { on: '2026-12-01' }],
  ['attachment', 'name', 'offer.pdf'],
  ['comment', 'text', 'Nine at the latest.'],
  ['setting', 'value', { keys: ['a', 'b'], deep: [[1.5, null, true]] }],
];

function idOf(index: number): Id {
  return `01890000-0000-7000-8000-${index.toString(16).padStart(12, '0')}` as Id;
}

/** All vectors of this version of the format. */
export function makeVectors(): Vectors {
  const { account, generations } = keysOf('vectors', 2);
  const random = seeded('vectors more');
  const nonce = createNonces(seeded('vectors nonces'));
  const secret = newRecoverySecret(random);
  const passphrase = 'correct horse ﬁne café';
  const values = HOMES.flatMap(([type, register, value], index) =>
    [1, 2].map((generation): ValueVector => {
      const ring = createKeyring(account, owner, new Map([...generations].slice(0, generation)));
      const [id, device, seq] = [idOf(index + 1), index * 127, 2 ** (3 * index)];
      const sealed = sealValue({ ring, nonce }, { id, type, register }, { value, writer: { device, seq } });
      if (!sealed.ok) throw new Error(sealed.problem.type);
      return { generation, id, type, register, device, seq, value: JSON.stringify(value), e: sealed.value.e };
    }),
  );
  const ring = createKeyring(account, owner, generations);
  const byNumber = (of: (generation: number) => string) =>
    Object.fromEntries([...generations.keys()].map((generation) => [generation, of(generation)]));
  return {
    account: owner.account,
    scope: owner.scope,
    accountKey: account.toHex(),
    generationKeys: byNumber((generation) => must(generations.get(generation), 'a key').toHex()),
    generationWraps: byNumber((generation) =>
      wrapGeneration(must(generations.get(generation), 'a key'), account, { ...owner, generation }, random),
    ),
    recoveryCode: writeRecoveryCode(secret),
    recoveryWrap: wrapByRecovery(account, owner.account, secret, random),
    passphrase,
    passphraseWrap: wrapByPassphrase(
      account,
      { text: passphrase, account: owner.account, stretching: leastStretching },
      random,
    ),
    hiddenNames: ['meta:customer', 'remind:before-10'].map((register) => ({
      id: idOf(1),
      register,
      hidden: hiddenRegister(ring, idOf(1), register),
    })),
    values,
  };
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(makeVectors(), null, 2)}\n`);
