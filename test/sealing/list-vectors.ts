// Makes the test vectors of lists that stay encrypted: `node test/sealing/list-vectors.ts` prints them. What stands in fixtures/ is what an earlier build
// has made and every later one has to open.
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { identityOf, signed } from '#core/sealing/identity.ts';
import { FIRST_LIST_GENERATION, newAccountKey } from '#core/sealing/keys.ts';
import {
  linkSigning,
  newInvitationSecret,
  wrapByInvitation,
  wrapForMember,
  wrapForOwn,
} from '#core/sealing/list-wraps.ts';
import { seeded } from './material.ts';

export const SCOPE = '01890000-0000-7000-8000-0000000000aa' as Id;
export const ANN = 7;
export const BEN = 12;

/** All vectors of lists. Bytes are hex, texts as they are kept. */
export function makeListVectors() {
  const random = seeded('list vectors');
  const [ann, ben, list] = [newAccountKey(random), newAccountKey(random), newAccountKey(random)];
  const secret = newInvitationSecret(random);
  const of = { scope: SCOPE, generation: FIRST_LIST_GENERATION };
  const [one, other] = [identityOf(ann, ANN), identityOf(ben, BEN)];
  const link = linkSigning(secret);
  const memberWrap = must(
    wrapForMember(list, { account: BEN, agree: other.shown.agree }, of, random),
    'a key',
  );
  return {
    scope: SCOPE,
    generation: of.generation,
    accountKeys: { ann: ann.toHex(), ben: ben.toHex() },
    listKey: list.toHex(),
    identities: { ann: one.shown, ben: other.shown },
    memberWrap,
    ownWrap: wrapForOwn(list, { key: ben, account: BEN }, of, random),
    secret: secret.toHex(),
    invitationWrap: wrapByInvitation(list, secret, of, random),
    linkVerify: link.verify,
    signature: signed(one.signing, 'list key', SCOPE, String(of.generation), String(BEN), memberWrap),
  };
}

export type ListVectors = ReturnType<typeof makeListVectors>;

if (import.meta.main) process.stdout.write(`${JSON.stringify(makeListVectors(), null, 2)}\n`);
