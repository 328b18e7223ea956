// What a person does about a list that stays encrypted: shares it, sends a link with its secret, comes in by one, lets somebody in whose words were
// compared, and gives it a new key when somebody has left. Works beside the copy's own transport, as the desk of encryption does.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { isEqual } from '#core/sealing/bytes.ts';
import { identityOf, isIdentity, isSameIdentity, safetyWords } from '#core/sealing/identity.ts';
import {
  FIRST_LIST_GENERATION,
  newAccountKey,
  newGenerationKey,
  ownerOfList,
  type AccountKey,
} from '#core/sealing/keys.ts';
import {
  linkSigning,
  newInvitationSecret,
  openByInvitation,
  openSecret,
  readInvitationSecret,
  wrapByInvitation,
  wrapSecret,
  writeInvitationSecret,
  type ListGeneration,
} from '#core/sealing/list-wraps.ts';
import { wrapEarlier, wrapGeneration } from '#core/sealing/wraps.ts';
import { earlierKeys, type DeviceKeys } from '../device-keys.ts';
import { uncheckedDirectory, writeDirectory, type Directory, type SealedDirectory } from '../directory.ts';
import type { LinkKeys } from '#wire/public-links.ts';
import { ListKeys } from './list-keys.ts';
import { publicLinkOf, publicSecretOf, type PublicLinkKeys } from './public-link-keys.ts';
import {
  keyFor,
  memberOf,
  signedLink,
  standings,
  vouchedFor,
  voucherOf,
  type ListMember,
  type ListPeople,
  type Participant,
  type SaidMember,
  type Standing,
} from './list-people.ts';
import type { SealingFailure, SealingPlatform } from '../ports.ts';

/**
 * Why something about such a list wasn't done. `locked`: this device has no key of the account. `stranger`: the account
 * has no key of the list. `ended`: the link has no secret that opens
 * the list now. `changed`: somebody's public keys aren't those that were shown.
 */
export type ListProblem = SealingFailure | { readonly type: 'locked' | 'stranger' | 'ended' | 'changed' };

/** Somebody of the list, as this device sees them. */
export interface ListPerson {
  readonly account: number;
  /** `unsure`: this device has no key of the list, so it can't tell. */
  readonly standing: Standing | 'unsure';
  /** To be compared with what they see; null: they have no keys yet, or it is the person at this device. */
  readonly words: readonly string[] | null;
}

/** With what a list that stays encrypted begins. */
export interface FoundedList {
  readonly scope: Id;
  readonly directory: SealedDirectory;
}

const LOCKED = failed({ type: 'locked' } as const);
const RENEWED = failed({
  type: 'moved',
  message: 'This list is getting a new key right now. Try again in a minute.',
} as const);

/** Everybody of a list vouched for by one member, who has the key. */
function revouched(
  scope: Id,
  people: ListPeople,
  by: Participant,
  keys: Readonly<Record<string, ListMember>>,
): ListPeople {
  const members = Object.entries(keys).map(([account, { agree, verify, key }]) => {
    const of = { account: Number(account), agree, verify };
    return [account, memberOf(scope, of, key, voucherOf(by))] as const;
  });
  return { ...people, founder: by.account, members: Object.fromEntries(members) };
}

/** One device's part in lists that stay encrypted. */
export class ListDesk {
  readonly #platform: SealingPlatform;
  readonly #own: { readonly account: number; readonly keys: DeviceKeys };

  constructor(platform: SealingPlatform, own: { readonly account: number; readonly keys: DeviceKeys }) {
    this.#platform = platform;
    this.#own = own;
  }

  /** Keys for a list that is to be shared, in a scope of its own, kept on this device. Nothing is sent. */
  async found(): Promise<Result<FoundedList, ListProblem>> {
    const { keys: own, account } = this.#own;
    const { random } = this.#platform;
    await own.load();
    if (own.key === null) return LOCKED;
    const me = { account, identity: identityOf(own.key, account) };
    const scope = this.#platform.newId();
    const owner = ownerOfList(scope);
    const of = { scope, generation: FIRST_LIST_GENERATION };
    const key = newAccountKey(random);
    const mine = keyFor(key, of, { to: { account, ...me.identity.shown }, by: me, random });
    if (mine === null) return LOCKED;
    const member = memberOf(scope, { account, ...me.identity.shown }, mine, voucherOf(me));
    const wrap = wrapGeneration(
      newGenerationKey(random),
      key,
      { ...owner, generation: of.generation },
      random,
    );
    const directory = {
      ...owner,
      n: 1,
      state: { phase: 'sealing', generation: of.generation },
      generations: { [of.generation]: wrap },
      people: { founder: account, members: { [account]: member }, links: {} },
    } as const;
    const written = writeDirectory(key, directory);
    // Before it is sent: from then on no other key is taken for it here.
    await new ListKeys(this.#platform, scope, this.#own).follow(key, written, 'made');
    return ok({ scope, directory: written });
  }

  /** The keys of a list as this device has them, before they are loaded. */
  keysHere(scope: Id): ListKeys {
    return new ListKeys(this.#platform, scope, this.#own);
  }

  /** The keys of a list as they are now, by the server. */
  async keysOf(scope: Id): Promise<Result<ListKeys, ListProblem>> {
    const keys = this.keysHere(scope);
    await keys.load();
    const read = await keys.refresh();
    if (!read.ok) return read;
    if (keys.participant === null) return LOCKED;
    return keys.key === null || keys.people === null || keys.isBehind
      ? failed({ type: 'stranger' })
      : ok(keys);
  }

  /** The secret that stands in the link of a list. `isNew`: the one before opens nothing from then on. */
  async secretOf(scope: Id, isNew = false): Promise<Result<string, ListProblem>> {
    const found = await this.keysOf(scope);
    if (!found.ok) return found;
    const keys = found.value;
    const known = isNew ? null : this.#knownSecret(keys);
    if (known !== null) return ok(known);
    const { random } = this.#platform;
    const secret = newInvitationSecret(random);
    const { verify } = linkSigning(secret);
    const changed = await keys.change((people) => {
      const { key, participant: me } = keys;
      if (key === null || me === null) return null;
      const of = { scope, generation: keys.state.generation };
      const link = {
        wrap: wrapByInvitation(key, secret, of, random),
        secret: wrapSecret(secret, key, of, random),
        by: me.account,
        signature: signedLink(scope, verify, me),
      };
      // Who came by the link that ends is vouched for by who ends it.
      const vouched = vouchedFor(scope, people);
      const members = Object.entries(people.members).filter(([account]) => vouched.has(Number(account)));
      const again = revouched(scope, people, me, Object.fromEntries(members));
      return { ...again, links: { [verify]: link } };
    });
    return changed.ok ? ok(writeInvitationSecret(secret)) : changed;
  }

  /** Nobody comes in by a link any more. */
  async endLinks(scope: Id): Promise<Result<null, ListProblem>> {
    const found = await this.keysOf(scope);
    if (!found.ok) return found;
    const keys = found.value;
    return await keys.change((people) => {
      const { participant: me } = keys;
      if (me === null || Object.keys(people.links).length === 0) return null;
      const vouched = vouchedFor(scope, people);
      const members = Object.entries(people.members).filter(([account]) => vouched.has(Number(account)));
      return { ...revouched(scope, people, me, Object.fromEntries(members)), links: {} };
    });
  }

  /** The keys of a new public link of the list, and the secret that stands in its fragment alone. */
  async publicLink(scope: Id): Promise<Result<PublicLinkKeys, ListProblem>> {
    const found = await this.keysOf(scope);
    if (!found.ok) return found;
    const made = publicLinkOf(found.value, this.#platform.random);
    return made === null ? RENEWED : ok(made);
  }

  /** The secrets of public links of the list, each as it stands in the address; null: not with the keys of now. */
  async publicSecrets(
    scope: Id,
    links: readonly LinkKeys[],
  ): Promise<Result<readonly (string | null)[], ListProblem>> {
    const found = await this.keysOf(scope);
    return found.ok ? ok(links.map((each) => publicSecretOf(found.value, each))) : found;
  }

  #knownSecret(keys: ListKeys): string | null {
    const { key, people, scope, state } = keys;
    const [link] = Object.values(people?.links ?? {});
    if (link === undefined || key === null) return null;
    const secret = openSecret(link.secret, key, { scope, generation: state.generation });
    return secret === null ? null : writeInvitationSecret(secret);
  }

  /** Comes in by the secret of a link, as a member whom the server has let in by its own part of it. */
  async join(scope: Id, text: string): Promise<Result<null, ListProblem>> {
    const secret = readInvitationSecret(text);
    if (secret === null) return failed({ type: 'ended' });
    const keys = this.keysHere(scope);
    await keys.load();
    const read = await keys.refresh();
    if (!read.ok) return read;
    const { participant: me } = keys;
    if (me === null) return LOCKED;
    const { directory: sealed } = read.value;
    const directory = sealed && uncheckedDirectory(sealed);
    const { verify, signing } = linkSigning(secret);
    const of = { scope, generation: directory?.state.generation ?? 0 };
    const key = openByInvitation(directory?.people?.links[verify]?.wrap ?? '', secret, of);
    if (sealed === null || !key.ok) return keys.key === null ? failed({ type: 'ended' }) : ok(null);
    const { key: known } = keys;
    if (known === null || !keys.opens(known, sealed)) {
      // Who comes back has a key of before: that of the list opens it, and one that a server has made up doesn't.
      const earlier = directory === null ? [] : earlierKeys(key.value, ownerOfList(scope), directory);
      const isSame = known === null || earlier.some((each) => isEqual(each.key, known));
      if (!isSame || (await keys.follow(key.value, sealed, 'pairing')) === null)
        return failed({ type: 'ended' });
    }
    const voucher = { by: `l${verify}`, signing };
    return await keys.change((people) => this.#joined(keys, people, { me, voucher }));
  }

  #joined(
    keys: ListKeys,
    people: ListPeople,
    { me, voucher }: { readonly me: Participant; readonly voucher: ReturnType<typeof voucherOf> },
  ): ListPeople | null {
    const { scope, key } = keys;
    const { account, identity } = me;
    const known = people.members[account];
    const isHere = known !== undefined && isSameIdentity(known, identity.shown);
    if (key === null || (isHere && vouchedFor(scope, people).has(account))) return null;
    const { random } = this.#platform;
    const of = { scope, generation: keys.state.generation };
    const mine = keyFor(key, of, { to: { account, ...identity.shown }, by: me, random });
    if (mine === null) return null;
    const member = memberOf(scope, { account, ...identity.shown }, mine, voucher);
    return { ...people, members: { ...people.members, [account]: member } };
  }

  /** How everybody of the list stands, with the words to compare. Without the key of the list this device has only the server's word for them. */
  async people(scope: Id): Promise<Result<readonly ListPerson[], ListProblem>> {
    const keys = this.keysHere(scope);
    await keys.load();
    const read = await keys.refresh();
    if (!read.ok) return read;
    const said = await this.#platform.lists.server(scope).members();
    const { people, participant: me } = keys;
    if (!said.ok) return said;
    if (me === null) return LOCKED;
    const identities = new Map(said.value.map(({ account, identity }) => [account, identity]));
    const standing =
      people === null
        ? new Map(said.value.map(({ account }) => [account, 'unsure'] as const))
        : standings(scope, people, said.value);
    return ok(
      [...standing].map(([account, each]) => {
        const known = each === 'member' ? people?.members[account] : identities.get(account);
        const isMe = account === me.account;
        const words = isMe || !known || !isIdentity(known) ? null : safetyWords(me.identity.shown, known);
        return { account, standing: each, words };
      }),
    );
  }

  /** Lets somebody in whom the server names as a member, with the public keys whose words were compared. */
  async letIn(scope: Id, account: number, words: readonly string[]): Promise<Result<null, ListProblem>> {
    const found = await this.keysOf(scope);
    if (!found.ok) return found;
    const keys = found.value;
    const said = await this.#platform.lists.server(scope).members();
    const { participant: me } = keys;
    if (!said.ok) return said;
    const identity = said.value.find((each) => each.account === account)?.identity ?? null;
    if (me === null) return LOCKED;
    const isShown =
      identity !== null && safetyWords(me.identity.shown, identity).join(' ') === words.join(' ');
    if (!isShown) return failed({ type: 'changed' });
    const { random } = this.#platform;
    return await keys.change((people) => {
      const to = { account, ...identity };
      const of = { scope, generation: keys.state.generation };
      const wrapped = keys.key && keyFor(keys.key, of, { to, by: me, random });
      if (wrapped === null) return null;
      return {
        ...people,
        members: { ...people.members, [account]: memberOf(scope, to, wrapped, voucherOf(me)) },
      };
    });
  }

  /**
   * Gives the list a new key, which is wrapped for those alone who belong to it by now, by the public keys that were known. What is
   * written from then on nobody else opens. Of two who do so at once one is told that the other was first.
   */
  async renew(scope: Id): Promise<Result<null, ListProblem>> {
    const found = await this.keysOf(scope);
    if (!found.ok) return found;
    const keys = found.value;
    const server = this.#platform.lists.server(scope);
    const said = await server.members();
    const { key: present, directory, participant: me, known } = keys;
    if (!said.ok) return said;
    if (present === null || directory === null || me === null || known === null) return LOCKED;
    const { random } = this.#platform;
    const key = newAccountKey(random);
    const next = this.#underNewKey(keys, { present, directory, me, known, key, said: said.value });
    if (next === null) return LOCKED;
    await keys.keepNext(key);
    const step = { from: directory.state, step: 'rotate', directory: writeDirectory(key, next) } as const;
    const answer = await server.step(step);
    if (!answer.ok) return answer;
    await keys.take(answer.value);
    return ok(null);
  }

  #underNewKey(
    keys: ListKeys,
    {
      present,
      directory,
      me,
      known: by,
      key,
      said,
    }: {
      readonly present: AccountKey;
      readonly directory: Directory;
      readonly me: Participant;
      /** The same person, as the others know them by now: maybe with public keys of before. */
      readonly known: Participant;
      readonly key: AccountKey;
      readonly said: readonly SaidMember[];
    },
  ): Directory | null {
    const { scope } = keys;
    const { random } = this.#platform;
    const owner = ownerOfList(scope);
    const { people, state: before } = directory;
    if (people === undefined) return null;
    const of: ListGeneration = { scope, generation: before.generation + 1 };
    const staying = [...standings(scope, people, said)].flatMap(([account, standing]) => {
      const known = account === me.account ? me.identity.shown : people.members[account];
      // Whatever the server says of their keys now: the known ones are those of a member.
      const isStaying = standing === 'member' || standing === 'changed' || account === me.account;
      const wrapped =
        !isStaying || known === undefined ? null : keyFor(key, of, { to: { account, ...known }, by, random });
      return wrapped === null || known === undefined ? [] : [{ account, ...known, key: wrapped }];
    });
    const members = Object.fromEntries(
      staying.map(
        ({ account, ...member }) => [String(account), { ...member, by: '', signature: '' }] as const,
      ),
    );
    if (members[me.account] === undefined) return null;
    const again = revouched(scope, { ...people, links: {} }, me, members);
    const wrap = wrapGeneration(
      newGenerationKey(random),
      key,
      { ...owner, generation: of.generation },
      random,
    );
    const earlier = [...keys.earlier, { key: present, until: before.generation }];
    return {
      ...owner,
      n: directory.n + 1,
      state: { phase: 'sealing', generation: of.generation },
      generations: { ...directory.generations, [of.generation]: wrap },
      earlier: earlier.map(({ key: old, until }) => ({
        until,
        wrap: wrapEarlier(old, key, { ...owner, generation: until }, random),
      })),
      people: again,
    };
  }
}
