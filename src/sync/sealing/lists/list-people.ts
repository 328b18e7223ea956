// Who belongs to a list that stays encrypted, as the directory of its keys says it: everybody with their public keys, vouched for by who let them
// in, and with the key of the list wrapped for them. The server keeps members of its own; who is only there has no key.
import type { Id } from '#core/ids.ts';
import { isRecord } from '#core/json.ts';
import {
  isIdentity,
  isSameIdentity,
  isSignedBy,
  signed,
  type Identity,
  type PublicIdentity,
} from '#core/sealing/identity.ts';
import { wrapForMember, type ListGeneration } from '#core/sealing/list-wraps.ts';
import type { AccountKey, Random } from '#core/sealing/keys.ts';

/** The key of the list for one member, and who wrapped it. */
export interface MemberWrap {
  readonly wrap: string;
  /** Their account. */
  readonly by: number;
  readonly signature: string;
}

/** Somebody who belongs to the list. */
export interface ListMember extends PublicIdentity {
  /** Who let them in: `a` and an account, or `l` and the public key of a link. */
  readonly by: string;
  readonly signature: string;
  readonly key: MemberWrap;
}

/** A link by which one comes in with the key. */
export interface ListLink {
  /** The key of the list under the secret of the link, and that secret under the key of the list. */
  readonly wrap: string;
  readonly secret: string;
  /** Who made it, and that it is theirs. */
  readonly by: number;
  readonly signature: string;
}

/** Who belongs to a list and by which links one comes in. */
export interface ListPeople {
  /** The account that vouches for itself: it made the list, or the present key. */
  readonly founder: number;
  /** By account. */
  readonly members: Readonly<Record<string, ListMember>>;
  /** By the public keys of their secrets. */
  readonly links: Readonly<Record<string, ListLink>>;
}

/** More than a list has members. */
const MOST = 500;
const LONGEST_TEXT = 500;

type Texts<Name extends string> = Readonly<Record<Name, string>>;

function hasTexts<Name extends string>(
  value: Readonly<Record<string, unknown>>,
  ...names: readonly Name[]
): value is Readonly<Record<string, unknown>> & Texts<Name> {
  return names.every((name) => {
    const text = value[name];
    return typeof text === 'string' && text.length <= LONGEST_TEXT;
  });
}

const isAccount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

function wrapIn(value: unknown): MemberWrap | null {
  if (!isRecord(value) || !hasTexts(value, 'wrap', 'signature') || !isAccount(value['by'])) return null;
  const { wrap, signature, by } = value;
  return { wrap, signature, by };
}

function memberIn(value: unknown): ListMember | null {
  if (!isRecord(value) || !hasTexts(value, 'agree', 'verify', 'by', 'signature')) return null;
  const { agree, verify, by, signature } = value;
  const key = wrapIn(value['key']);
  if (key === null || !isIdentity({ agree, verify })) return null;
  return { agree, verify, by, signature, key };
}

function linkIn(value: unknown): ListLink | null {
  if (!isRecord(value) || !hasTexts(value, 'wrap', 'secret', 'signature') || !isAccount(value['by']))
    return null;
  const { wrap, secret, signature, by } = value;
  return { wrap, secret, signature, by };
}

function eachIn<T>(value: unknown, name: RegExp, read: (each: unknown) => T | null): Record<string, T> {
  if (!isRecord(value)) return {};
  const all = Object.entries(value).slice(0, MOST);
  return Object.fromEntries(
    all.flatMap(([key, each]) => {
      const one = name.test(key) ? read(each) : null;
      return one === null ? [] : [[key, one] as const];
    }),
  );
}

/** What a directory says of people; null: nothing. What is not in its form is left out. */
export function peopleIn(value: unknown): ListPeople | null {
  if (!isRecord(value) || !isAccount(value['founder'])) return null;
  return {
    founder: value['founder'],
    members: eachIn(value['members'], /^[1-9]\d{0,15}$/, memberIn),
    links: eachIn(value['links'], /^[\w-]{43}$/, linkIn),
  };
}

const MEMBER = 'list member';
const LINK = 'list link';
const KEY = 'list key';

const membership = (scope: Id, account: number, { agree, verify }: PublicIdentity, by: string) =>
  [scope, String(account), agree, verify, by] as const;

/** Who takes part in a list: an account with its identity. */
export interface Participant {
  readonly account: number;
  readonly identity: Identity;
}

/** What lets somebody in: the secret half that signs, and how it is named. */
export interface Voucher {
  readonly by: string;
  readonly signing: Uint8Array;
}

/** A member who vouches for others. */
export const voucherOf = ({ account, identity }: Participant): Voucher => ({
  by: `a${account}`,
  signing: identity.signing,
});

/** Wraps the key of the list for somebody, by somebody; null where the public key is none. */
export function keyFor(
  key: AccountKey,
  of: ListGeneration,
  {
    to,
    by,
    random,
  }: {
    readonly to: PublicIdentity & { readonly account: number };
    readonly by: Participant;
    readonly random: Random;
  },
): MemberWrap | null {
  const wrap = wrapForMember(key, to, of, random);
  if (wrap === null) return null;
  const parts = [of.scope, String(of.generation), String(to.account), wrap] as const;
  return { wrap, by: by.account, signature: signed(by.identity.signing, KEY, ...parts) };
}

/** Whether a key was wrapped by who is named, as they are known. */
export function isKeyBy(
  verify: string,
  { wrap, signature }: MemberWrap,
  of: ListGeneration,
  account: number,
): boolean {
  return isSignedBy(verify, signature, KEY, of.scope, String(of.generation), String(account), wrap);
}

/** Somebody as a member, let in by a voucher. */
export function memberOf(
  scope: Id,
  { account, agree, verify }: PublicIdentity & { readonly account: number },
  key: MemberWrap,
  { by, signing }: Voucher,
): ListMember {
  const signature = signed(signing, MEMBER, ...membership(scope, account, { agree, verify }, by));
  return { agree, verify, by, signature, key };
}

/** Signs a link. `verify`: its public key. */
export const signedLink = (scope: Id, verify: string, { identity }: Participant): string =>
  signed(identity.signing, LINK, scope, verify);

/** Whether a link was made by a member of the list. */
function isMembersLink(
  scope: Id,
  verify: string,
  { members, links }: ListPeople,
  vouched: ReadonlySet<number>,
) {
  const link = links[verify];
  const maker = link && members[link.by];
  if (link === undefined || maker === undefined || !vouched.has(link.by)) return false;
  return isSignedBy(maker.verify, link.signature, LINK, scope, verify);
}

function isVouchedFor(scope: Id, account: number, people: ListPeople, vouched: ReadonlySet<number>): boolean {
  const member = people.members[account];
  if (member === undefined) return false;
  const name = member.by.slice(1);
  const isLink = member.by.startsWith('l');
  if (isLink && !isMembersLink(scope, name, people, vouched)) return false;
  const isRoot = !isLink && account === people.founder && name === String(account);
  const voucher = isLink ? name : people.members[name]?.verify;
  if (voucher === undefined || (!isLink && !isRoot && !vouched.has(Number(name)))) return false;
  return isSignedBy(voucher, member.signature, MEMBER, ...membership(scope, account, member, member.by));
}

/** The accounts that belong to the list: let in by somebody who belongs to it, up to its founder. */
export function vouchedFor(scope: Id, people: ListPeople): ReadonlySet<number> {
  const vouched = new Set<number>();
  const all = Object.keys(people.members).map(Number);
  for (let before = -1; vouched.size > before;) {
    before = vouched.size;
    for (const account of all)
      if (!vouched.has(account) && isVouchedFor(scope, account, people, vouched)) vouched.add(account);
  }
  return vouched;
}

/** Somebody of the list as the server says it. Null: their account has told no keys. */
export interface SaidMember {
  readonly account: number;
  readonly identity: PublicIdentity | null;
}

/**
 * How somebody stands to the list: `member` has the key; `stranger` is only the server's member, and nobody wraps the key for them by themselves; `changed`
 * has other public keys than the list knows; `former` is not the server's member any more, and the key has to change.
 */
export type Standing = 'member' | 'stranger' | 'changed' | 'former';

/** How everybody stands, by account. */
export function standings(
  scope: Id,
  people: ListPeople,
  said: readonly SaidMember[],
): ReadonlyMap<number, Standing> {
  const vouched = vouchedFor(scope, people);
  const there = new Map<number, Standing>();
  for (const { account, identity } of said) {
    const known = vouched.has(account) ? people.members[account] : undefined;
    const isChanged = known !== undefined && identity !== null && !isSameIdentity(known, identity);
    there.set(account, known === undefined ? 'stranger' : isChanged ? 'changed' : 'member');
  }
  for (const account of Object.keys(people.members).map(Number))
    if (!there.has(account)) there.set(account, 'former');
  return there;
}
