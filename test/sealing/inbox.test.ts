// What programs and mail write into a sealed scope: sealed with a public key, opened by whom has the account key and by nobody else.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { fromText, toText } from '#core/sealing/bytes.ts';
import { generationOf, inboxGenerationOf, openValue, type Home } from '#core/sealing/envelope.ts';
import { createInboxSealer, type Inbox } from '#core/sealing/inbox.ts';
import { inboxPair } from '#core/sealing/keys.ts';
import { openInboxEnvelope } from './independent.ts';
import { keysOf, numbers, otherTask, owner, ringOf, seeded, task, title } from './material.ts';

const keys = keysOf('inbox', 2);
const ring = ringOf(keys);
const writer = { device: 12, seq: 5 };

const inboxOf = (generation: number, whose = owner): Inbox => ({
  ...whose,
  generation,
  publicKey: toText(inboxPair(keys.account, whose, generation).publicKey),
});

const sealerTo = (inbox: Inbox, seed = 'server') =>
  must(createInboxSealer(inbox, seeded(seed)), 'a sealer for a public key');

const notes: Home = { ...title, register: 'notes' };

describe('the inbox of a sealed scope', () => {
  test('[SEAL-130] what was sealed with the public key opens with the account key, registers of one write and of several', () => {
    const seal = sealerTo(inboxOf(2));
    const [one, other] = [
      seal(title, { value: 'Call the plumber', writer }),
      seal(notes, { value: 'é \u0000 𝒳', writer }),
    ];
    const third = sealerTo(inboxOf(1), 'later')(title, { value: { a: [1, null] }, writer });
    for (const [home, envelope, value, generation] of [
      [title, one, 'Call the plumber', 2],
      [notes, other, 'é \u0000 𝒳', 2],
      [title, third, { a: [1, null] }, 1],
      [title, one, 'Call the plumber', 2],
    ] as const)
      assert.deepEqual(openValue(ring, home, envelope), {
        ok: true,
        value: { value, writer, generation, isFromInbox: true },
      });
  });

  test('[SEAL-130] another library opens it by the description of the format alone', () => {
    const { e } = sealerTo(inboxOf(2))(title, { value: 'Call', writer });
    const opened = openInboxEnvelope(keys.account, { ...owner, ...title }, e);
    assert.deepEqual(opened, { value: 'Call', seq: 5, device: 12, generation: 2 });
  });

  test('[SEAL-6] what an earlier build has sealed opens', () => {
    const envelope = {
      e: 'AgAAAAG1aw2iwSditGOoMYCw-LanFKnN9WyTmjdv2q3ciImdSnVYV4gOEg2UWfipZ5WPS_gy4CrNuUUY3jwLZSw3SJBMzq-zdTXYvWZ1HKbJibkJWS4h1KTr1Uz4u8wdOulrlAIyyA-HKDl_cg',
    };
    assert.deepEqual(openValue(ring, title, envelope), {
      ok: true,
      value: { value: 'Buy stamps', writer, generation: 1, isFromInbox: true },
    });
  });

  test('[SEAL-131] it is told from what a device has sealed, and is not yet in the form of a generation', () => {
    const envelope = sealerTo(inboxOf(2))(title, { value: 'Call', writer });
    assert.equal(inboxGenerationOf(envelope), 2);
    assert.equal(generationOf(envelope), null);
    assert.equal(inboxGenerationOf({ e: 'AgAA' }), null);
    assert.equal(inboxGenerationOf({ e: '' }), null);
  });

  test('[SEAL-1] it opens at its home alone', () => {
    const envelope = sealerTo(inboxOf(2))(title, { value: 'Call', writer });
    const others: readonly Home[] = [
      { ...title, id: otherTask },
      notes,
      { id: task, type: 'list', register: 'title' },
    ];
    for (const home of others)
      assert.deepEqual(openValue(ring, home, envelope), { ok: false, problem: { type: 'altered' } });
    for (const whose of [
      { ...owner, account: 8 },
      { ...owner, scope: otherTask },
    ])
      assert.equal(openValue(ringOf(keys, whose), title, envelope).ok, false);
    assert.equal(openValue(ringOf(keysOf('somebody else', 2)), title, envelope).ok, false);
  });

  test('[SEAL-2] changed bits, cut and joined ones are refused', () => {
    const below = numbers(41);
    const whole = [title, notes].map((home) =>
      must(fromText(sealerTo(inboxOf(2), home.register)(home, { value: 'Call', writer }).e), 'bytes'),
    );
    for (let round = 0; round < 1_500; round += 1) {
      const bytes = must(whole[round % 2], 'one').slice();
      const other = must(whole[(round + 1) % 2], 'the other');
      const at = below(bytes.length);
      if (round % 3 === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
      else if (round % 3 === 1) bytes.set(other.subarray(at));
      const changed = round % 3 === 2 ? bytes.subarray(0, at) : bytes;
      // A splice may change nothing, or give the other one whole.
      const isSame =
        changed.length === bytes.length && whole.some((each) => each.every((byte, i) => byte === changed[i]));
      if (isSame) continue;
      const opened = openValue(ring, round % 2 === 0 ? title : notes, { e: toText(changed) });
      assert.equal(opened.ok, false, `round ${round}`);
    }
  });

  test('[SEAL-132] equal values look different, and a key that is none seals nothing', () => {
    const seal = sealerTo(inboxOf(2));
    assert.notEqual(seal(title, { value: 'Call', writer }).e, seal(title, { value: 'Call', writer }).e);
    for (const publicKey of [
      '',
      'AAAA',
      toText(new Uint8Array(32)),
      toText(Uint8Array.of(1, ...new Uint8Array(31))),
    ])
      assert.equal(createInboxSealer({ ...inboxOf(2), publicKey }, seeded('server')), null, publicKey);
  });
});
