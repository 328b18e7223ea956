// The key in the fragment of a public link: what opens it, what doesn't, and what another library makes of it by the description alone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import {
  FIRST_LIST_GENERATION,
  newAccountKey,
  newGenerationKey,
  type AccountKey,
} from '#core/sealing/keys.ts';
import { newInvitationSecret, wrapByInvitation, wrapSecret } from '#core/sealing/list-wraps.ts';
import {
  newVisitorSecret,
  openForVisitor,
  openVisitorSecret,
  readVisitorSecret,
  wrapForVisitors,
  wrapVisitorSecret,
  writeVisitorSecret,
} from '#core/sealing/visitor-link.ts';
import { openVisitorSecretWrap, openVisitorWrap } from './independent.ts';
import { seeded } from './material.ts';

const scope = '01890000-0000-7000-8000-0000000000aa' as Id;
const of = { scope, generation: FIRST_LIST_GENERATION };

function made() {
  const random = seeded('visitor link');
  const [list, key, secret] = [newAccountKey(random), newGenerationKey(random), newVisitorSecret(random)];
  return {
    random,
    list,
    key,
    secret,
    wrap: wrapForVisitors(key, secret, of, random),
    sealed: wrapVisitorSecret(secret, list, of, random),
  };
}

/** What an earlier build has made: every later one opens it. */
interface Vector {
  readonly listKey: string;
  readonly generationKey: string;
  readonly secret: string;
  readonly wrap: string;
  readonly sealed: string;
}

const vector = JSON.parse(
  readFileSync(new URL('fixtures/visitor-link-1.json', import.meta.url), 'utf8'),
) as Vector;

describe('the key of a public link', () => {
  test('[SEAL-372] opens by its secret for this list and generation alone', () => {
    const { random, key, secret, wrap } = made();
    const opened = openForVisitor(wrap, secret, of);
    assert.ok(opened.ok);
    assert.deepEqual(opened.value, key);
    const other = { scope: '01890000-0000-7000-8000-0000000000ab' as Id, generation: of.generation };
    for (const [text, by, where] of [
      [wrap, newVisitorSecret(random), of],
      [wrap, secret, other],
      [wrap, secret, { scope, generation: of.generation + 1 }],
      [wrap.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), secret, of],
      [wrap.slice(0, -2), secret, of],
      ['', secret, of],
      // Of an invitation with the same secret.
      [wrapByInvitation(key as never, secret as never, of, random), secret, of],
    ] as const)
      assert.equal(openForVisitor(text, by, where).ok, false);
  });

  test('[SEAL-372] its secret opens for members, and nothing that was sealed for another purpose opens as one', () => {
    const { random, list, secret, sealed } = made();
    assert.deepEqual(openVisitorSecret(sealed, list, of), secret);
    assert.equal(openVisitorSecret(sealed, newAccountKey(random), of), null);
    assert.equal(openVisitorSecret(sealed, list, { scope, generation: of.generation + 1 }), null);
    const invitation = newInvitationSecret(random);
    assert.equal(openVisitorSecret(wrapSecret(invitation, list, of, random), list, of), null);
    assert.deepEqual(readVisitorSecret(writeVisitorSecret(secret)), secret);
    for (const text of ['', 'k', writeVisitorSecret(secret).slice(1), `${writeVisitorSecret(secret)}A`])
      assert.equal(readVisitorSecret(text), null);
  });

  test('[SEAL-372] opens as an earlier build has made it, here and by another library', () => {
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
    const secret = readVisitorSecret(vector.secret);
    assert.ok(secret);
    const opened = openForVisitor(vector.wrap, secret, of);
    assert.ok(opened.ok);
    assert.equal(opened.value.toHex(), vector.generationKey);
    const list = bytes(vector.listKey);
    assert.deepEqual(openVisitorSecret(vector.sealed, list as AccountKey, of), secret);
    const { generation } = of;
    const hex = (read: Uint8Array) => Buffer.from(read).toString('hex');
    assert.equal(hex(openVisitorWrap(vector.wrap, secret, scope, generation)), vector.generationKey);
    assert.equal(hex(openVisitorSecretWrap(vector.sealed, list, scope, generation)), hex(secret));
    const { list: listKey, key, secret: again, wrap, sealed } = made();
    assert.deepEqual(vector, {
      listKey: listKey.toHex(),
      generationKey: key.toHex(),
      secret: writeVisitorSecret(again),
      wrap,
      sealed,
    });
  });
});
