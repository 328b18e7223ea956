// The keys of people and of lists that stay encrypted: wraps, signatures, words, and who belongs to a list by its directory.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Id } from '#core/ids.ts';
import { identityOf, isSignedBy, safetyWords, signed, type PublicIdentity } from '#core/sealing/identity.ts';
import { FIRST_LIST_GENERATION, newAccountKey, type AccountKey } from '#core/sealing/keys.ts';
import {
  linkSigning,
  newInvitationSecret,
  openByInvitation,
  openForMember,
  openForOwn,
  openSecret,
  readInvitationSecret,
  wrapByInvitation,
  wrapForMember,
  wrapForOwn,
  wrapSecret,
  writeInvitationSecret,
  type InvitationSecret,
} from '#core/sealing/list-wraps.ts';
import { spokenWords } from '#core/sealing/spoken-words.ts';
import {
  isKeyBy,
  keyFor,
  memberOf,
  peopleIn,
  signedLink,
  standings,
  vouchedFor,
  voucherOf,
  type ListPeople,
} from '#sync/sealing/lists/list-people.ts';
import { identityIn, isSignature, openInvitationWrap, openMemberWrap, openOwnWrap } from './independent.ts';
import { ANN, BEN, makeListVectors, SCOPE, type ListVectors } from './list-vectors.ts';
import { seeded } from './material.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures/list-vectors-1.json');
const bytes = (hex: string) => Uint8Array.fromHex(hex);
const OTHER_SCOPE = '01890000-0000-7000-8000-0000000000bb' as Id;
const of = { scope: SCOPE, generation: FIRST_LIST_GENERATION };
const random = seeded('list keys');
const key = newAccountKey(random);
const personOf = (account: number, secret = newAccountKey(random)) => ({
  account,
  secret,
  identity: identityOf(secret, account),
});
const [ann, ben, eve] = [personOf(ANN), personOf(BEN), personOf(31)];

describe('keys of people and lists', () => {
  test('[SEAL-230] follow from the account key, and are others under another one', () => {
    const again = identityOf(ann.secret, ANN);
    assert.deepEqual(again.shown, ann.identity.shown);
    assert.notDeepEqual(identityOf(ann.secret, BEN).shown, ann.identity.shown);
    assert.notDeepEqual(identityOf(newAccountKey(random), ANN).shown, ann.identity.shown);
    assert.notEqual(again.shown.agree, again.shown.verify);
  });

  test('[SEAL-231] open for whom they were wrapped, for this list and generation alone', () => {
    const wrap = wrapForMember(key, { account: BEN, agree: ben.identity.shown.agree }, of, random) ?? '';
    const opens = (text: string, { account, identity } = ben, where = of) =>
      openForMember(text, { account, pair: identity.agreement }, where);
    assert.deepEqual(opens(wrap), { ok: true, value: key });
    const closed = { ok: false, problem: { type: 'closed' } };
    assert.deepEqual(opens(wrap, { ...ann, account: BEN }), closed);
    assert.deepEqual(opens(wrap, { ...ben, account: ANN }), closed);
    assert.deepEqual(opens(wrap, ben, { ...of, scope: OTHER_SCOPE }), closed);
    assert.deepEqual(opens(wrap, ben, { ...of, generation: of.generation + 1 }), closed);
    const secret = newInvitationSecret(random);
    const invited = wrapByInvitation(key, secret, of, random);
    assert.deepEqual(openByInvitation(invited, secret, of), { ok: true, value: key });
    assert.deepEqual(openByInvitation(invited, newInvitationSecret(random), of), closed);
    assert.deepEqual(openByInvitation(invited, secret, { ...of, scope: OTHER_SCOPE }), closed);
    const own = wrapForOwn(key, { key: ben.secret, account: BEN }, of, random);
    assert.deepEqual(openForOwn(own, { key: ben.secret, account: BEN }, of), { ok: true, value: key });
    assert.deepEqual(openForOwn(own, { key: ann.secret, account: BEN }, of), closed);
    const kept = wrapSecret(secret, key, of, random);
    assert.deepEqual(openSecret(kept, key, of), secret);
    assert.equal(openSecret(kept, newAccountKey(random), of), null);
    assert.deepEqual(readInvitationSecret(writeInvitationSecret(secret)), secret);
    assert.equal(readInvitationSecret('short'), null);
    assert.equal(wrapForMember(key, { account: BEN, agree: 'AAAA' }, of, random), null);
  });

  test('[SEAL-231] with one bit changed they open for nobody', () => {
    const wrap = wrapForMember(key, { account: BEN, agree: ben.identity.shown.agree }, of, random) ?? '';
    const sent = Buffer.from(wrap, 'base64url');
    const bits = fc.integer({ min: 0, max: sent.length * 8 - 1 });
    fc.assert(
      fc.property(bits, (bit) => {
        const changed = Buffer.from(sent);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const text = changed.toString('base64url');
        return !openForMember(text, { account: BEN, pair: ben.identity.agreement }, of).ok;
      }),
      { numRuns: 200, seed: 11 },
    );
  });

  test('[SEAL-232] are made the same by this build, and open in another library', () => {
    // Words are compared by people and kept nowhere: those of an earlier build need not come again.
    const { words: _words, ...vectors } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as ListVectors & {
      readonly words: readonly string[];
    };
    assert.deepEqual(makeListVectors(), vectors);
    const { accountKeys, listKey, memberWrap, ownWrap, invitationWrap, generation, scope } = vectors;
    const [annKey, benKey] = [bytes(accountKeys.ann), bytes(accountKeys.ben)];
    const where = { account: BEN, scope };
    assert.equal(Buffer.from(openMemberWrap(memberWrap, benKey, where, generation)).toString('hex'), listKey);
    assert.equal(Buffer.from(openOwnWrap(ownWrap, benKey, where, generation)).toString('hex'), listKey);
    const invited = openInvitationWrap(invitationWrap, bytes(vectors.secret), { scope, generation });
    assert.equal(Buffer.from(invited.key).toString('hex'), listKey);
    assert.equal(invited.verify, vectors.linkVerify);
    assert.deepEqual(identityIn(annKey, ANN), vectors.identities.ann);
    assert.deepEqual(identityIn(benKey, BEN), vectors.identities.ben);
    const parts = ['list key', scope, String(generation), String(BEN), memberWrap] as const;
    assert.equal(isSignature(vectors.identities.ann.verify, vectors.signature, ...parts), true);
    const mine = { account: BEN, pair: identityOf(benKey as AccountKey, BEN).agreement };
    assert.deepEqual(openForMember(memberWrap, mine, { scope: SCOPE, generation }), {
      ok: true,
      value: bytes(listKey),
    });
    const secret = bytes(vectors.secret) as InvitationSecret;
    assert.ok(openByInvitation(invitationWrap, secret, { scope: SCOPE, generation }).ok);
    assert.ok(
      openForOwn(ownWrap, { key: benKey as AccountKey, account: BEN }, { scope: SCOPE, generation }).ok,
    );
  });

  test('[SEAL-233] two people see the same words, and others with another key', () => {
    const words = safetyWords(ann.identity.shown, ben.identity.shown);
    assert.equal(words.length, 16);
    assert.deepEqual(safetyWords(ben.identity.shown, ann.identity.shown), words);
    const halves = { agree: eve.identity.shown.agree, verify: ben.identity.shown.verify };
    assert.notDeepEqual(safetyWords(ann.identity.shown, halves), words);
    assert.notDeepEqual(safetyWords(ann.identity.shown, eve.identity.shown), words);
  });

  test('[SEAL-420] no word comes twice, and eight of them follow from each identity alone', () => {
    const random = seeded('safety words');
    const people = Array.from({ length: 24 }, (_, at) => identityOf(newAccountKey(random), at + 1).shown);
    for (const [at, one] of people.entries())
      for (const other of people.slice(at + 1)) {
        const words = safetyWords(one, other);
        assert.equal(new Set(words).size, 16, words.join(' '));
        const [first, second] = [one, other].toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
        assert.ok(first && second);
        assert.deepEqual(words.slice(0, 8), wordsAlone(first, []));
        assert.deepEqual(words.slice(8), wordsAlone(second, words.slice(0, 8)));
      }
  });
});

const textOf = ({ agree, verify }: PublicIdentity) => `${agree} ${verify}`;

/** The words of one identity by the description alone, without those that stand before them. */
function wordsAlone({ agree, verify }: PublicIdentity, before: readonly string[]): readonly string[] {
  const part = (text: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const hash = (of: Buffer) => createHash('sha256').update(of).digest();
  let bytes = hash(Buffer.concat(['ph1', 'safety words', agree, verify].map((text) => part(text))));
  for (let round = 0; round < 1_024; round += 1) bytes = hash(bytes);
  const all = [...bytes, ...hash(bytes)].map((byte) => spokenWords[byte] ?? '');
  return [...new Set(all)].filter((word) => !before.includes(word)).slice(0, 8);
}

type Somebody = typeof ann;

/** Somebody as a member, let in by a voucher. */
function entry({ account, identity }: Somebody, voucher: Parameters<typeof memberOf>[3], scope = SCOPE) {
  const wrapped = keyFor(key, of, { to: { account, ...identity.shown }, by: ann, random });
  assert.ok(wrapped);
  return memberOf(scope, { account, ...identity.shown }, wrapped, voucher);
}

describe('who belongs to a list by its directory', () => {
  const founder = { [ANN]: entry(ann, voucherOf(ann)) };
  const people = (members: ListPeople['members'], links: ListPeople['links'] = {}): ListPeople => ({
    founder: ANN,
    members: { ...founder, ...members },
    links,
  });
  const belong = (of: ListPeople) => [...vouchedFor(SCOPE, of)].toSorted((one, other) => one - other);

  test('[SEAL-234] is who was let in by a member, or by a link of one', () => {
    assert.deepEqual(belong(people({})), [ANN]);
    assert.deepEqual(belong(people({ [BEN]: entry(ben, voucherOf(ann)) })), [ANN, BEN]);
    const chain = { [BEN]: entry(ben, voucherOf(ann)), 31: entry(eve, voucherOf(ben)) };
    assert.deepEqual(belong(people(chain)), [ANN, BEN, 31]);
    const { signing, verify } = linkSigning(newInvitationSecret(random));
    const link = { wrap: '', secret: '', by: ANN, signature: signedLink(SCOPE, verify, ann) };
    const byLink = { [BEN]: entry(ben, { by: `l${verify}`, signing }) };
    assert.deepEqual(belong(people(byLink, { [verify]: link })), [ANN, BEN]);
    assert.deepEqual(belong(people(byLink)), [ANN], 'a link that nobody made lets nobody in');
    const others = { ...link, signature: signedLink(SCOPE, verify, eve) };
    assert.deepEqual(belong(people(byLink, { [verify]: others })), [ANN]);
  });

  test('[SEAL-234] isn’t who let themselves in, was let in by a stranger, or into another list', () => {
    assert.deepEqual(belong(people({ 31: entry(eve, voucherOf(eve)) })), [ANN]);
    assert.deepEqual(belong(people({ [BEN]: entry(ben, voucherOf(eve)) })), [ANN]);
    assert.deepEqual(belong(people({ [BEN]: entry(ben, voucherOf(ann), OTHER_SCOPE) })), [ANN]);
    const circle = { [BEN]: entry(ben, voucherOf(eve)), 31: entry(eve, voucherOf(ben)) };
    assert.deepEqual(belong(people(circle)), [ANN]);
    assert.deepEqual(
      belong(people({ [BEN]: { ...entry(eve, voucherOf(ann)) } })),
      [ANN],
      'for another account',
    );
    const swapped = { ...entry(ben, voucherOf(ann)), agree: eve.identity.shown.agree };
    assert.deepEqual(belong(people({ [BEN]: swapped })), [ANN]);
  });

  test('[SEAL-234] a key counts for the account, list and generation that its wrap was signed for', () => {
    const wrapped = keyFor(key, of, { to: { account: BEN, ...ben.identity.shown }, by: ann, random });
    assert.ok(wrapped);
    const { verify } = ann.identity.shown;
    assert.equal(isKeyBy(verify, wrapped, of, BEN), true);
    assert.equal(isKeyBy(verify, wrapped, of, ANN), false);
    assert.equal(isKeyBy(verify, wrapped, { ...of, scope: OTHER_SCOPE }, BEN), false);
    assert.equal(isKeyBy(verify, wrapped, { ...of, generation: of.generation + 1 }, BEN), false);
    assert.equal(isKeyBy(eve.identity.shown.verify, wrapped, of, BEN), false);
    const made = signed(ann.identity.signing, 'list link', 'a', 'b');
    assert.equal(isSignedBy(verify, made, 'list link', 'a', 'b'), true);
    assert.equal(isSignedBy(verify, made, 'list member', 'a', 'b'), false);
    assert.equal(isSignedBy(verify, made, 'list link', 'ab', ''), false);
  });

  test('[SEAL-250] [SEAL-251] everybody stands as the list and the server say together', () => {
    const list = people({ [BEN]: entry(ben, voucherOf(ann)) });
    const said = [
      { account: ANN, identity: ann.identity.shown },
      { account: BEN, identity: eve.identity.shown },
      { account: 31, identity: eve.identity.shown },
    ];
    const shown = [...standings(SCOPE, list, said)];
    assert.deepEqual(shown, [
      [ANN, 'member'],
      [BEN, 'changed'],
      [31, 'stranger'],
    ]);
    assert.equal(standings(SCOPE, list, said.slice(0, 1)).get(BEN), 'former');
    assert.equal(standings(SCOPE, list, [{ account: BEN, identity: null }]).get(BEN), 'member');
  });

  test('[SEAL-235] what isn’t in its form is left out', () => {
    const list = people({ [BEN]: entry(ben, voucherOf(ann)) });
    assert.deepEqual(peopleIn(JSON.parse(JSON.stringify(list))), list);
    for (const wrong of [null, 3, [], { members: {} }, { founder: '7' }, { founder: 0 }])
      assert.equal(peopleIn(wrong), null);
    const broken = {
      ...list,
      members: { ...list.members, '-3': list.members[BEN], 40: { agree: 1 }, 41: null },
    };
    assert.deepEqual(peopleIn(broken), list);
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (members, links) => {
        const read = peopleIn({ founder: ANN, members, links });
        return read !== null && vouchedFor(SCOPE, read).size === 0;
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});
