// The keys of a list that stays encrypted, on one device of a member: found by the member's own account key in the directory of the list, and followed from
// there as the directory of an account is. A key that comes later is believed only from somebody who was known before, or if it opens the one before.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Sealer } from '#core/sealing/envelope.ts';
import { isEqual } from '#core/sealing/bytes.ts';
import { identityOf, isSameIdentity } from '#core/sealing/identity.ts';
import { ownerOfList, type AccountKey, type Keyring } from '#core/sealing/keys.ts';
import { openForMember, openForOwn, wrapForOwn } from '#core/sealing/list-wraps.ts';
import type { Sealing } from '#wire/sealing.ts';
import { DeviceKeys, earlierKeys } from '../device-keys.ts';
import {
  numberIn,
  uncheckedDirectory,
  writeDirectory,
  type Directory,
  type SealedDirectory,
} from '../directory.ts';
import { isKeyBy, type ListMember, type ListPeople, type Participant } from './list-people.ts';
import type { ScopeSealing } from '../scope-state.ts';
import type { ListServer, SealingFailure, SealingPlatform } from '../ports.ts';

const TRIES = 4;

interface Own {
  /** Account number of the person at this device. */
  readonly account: number;
  /** The keys of their own scope. */
  readonly keys: DeviceKeys;
}

/** The keys of one list. */
export class ListKeys extends DeviceKeys {
  readonly scope: Id;
  readonly #own: Own;
  readonly #server: ListServer;
  readonly #platform: SealingPlatform;
  #isSaying = false;
  /** The public key of this account that the server has, as far as this device knows. */
  #told = '';

  constructor(platform: SealingPlatform, scope: Id, own: Own) {
    const server = platform.lists.server(scope);
    super({ ...platform, keys: platform.lists.keys(scope), server }, ownerOfList(scope));
    this.scope = scope;
    this.#own = own;
    this.#server = server;
    this.#platform = platform;
  }

  /** Who belongs to the list, as the directory that is followed says; null: none is. */
  get people(): ListPeople | null {
    return this.directory?.people ?? null;
  }

  /** The person at this device, by the public keys that they have now; null: there is no account key here. */
  get participant(): Participant | null {
    const { account, keys } = this.#own;
    return keys.key === null ? null : { account, identity: identityOf(keys.key, account) };
  }

  /** The person at this device as the list knows them: maybe by a key of before. Null: it doesn't. */
  get known(): Participant | null {
    const { account } = this.#own;
    const entry = this.people?.members[account];
    const identities = this.#ownKeys.map((key) => identityOf(key, account));
    const identity = entry && identities.find(({ shown }) => isSameIdentity(shown, entry));
    return identity === undefined ? null : { account, identity };
  }

  /** Whether the list knows the person by public keys that they have given up. */
  get isOutgrown(): boolean {
    const { known, participant } = this;
    return (
      known !== null &&
      participant !== null &&
      !isSameIdentity(known.identity.shown, participant.identity.shown)
    );
  }

  /** The account keys, the present one first. */
  get #ownKeys(): readonly AccountKey[] {
    const { key, earlier } = this.#own.keys;
    return key === null ? [] : [key, ...earlier.map((each) => each.key)];
  }

  /** What the list was sealed with before it came here opens as well, at its owner. */
  override get ring(): Keyring | null {
    const ring = super.ring;
    const { keys } = this.#own;
    return ring === null ? null : { ...ring, others: () => (keys.ring === null ? [] : [keys.ring]) };
  }

  override get sealer(): Sealer | null {
    const sealer = super.sealer;
    const { ring } = this;
    return sealer === null || ring === null ? null : { ...sealer, ring };
  }

  override async load(): Promise<boolean> {
    await this.#own.keys.load();
    return super.load();
  }

  /** It goes with the key of the account. */
  override get isLeaving(): boolean {
    return super.isLeaving || this.#own.keys.isLeaving;
  }

  override hears(said: ScopeSealing): boolean {
    const isNews = super.hears(said);
    // Somebody may have wrapped the key for this account since, or another account key may have come that opens it.
    return isNews || (this.participant !== null && (this.key === null || this.isBehind));
  }

  override async take(answer: Sealing): Promise<Result<Sealing, SealingFailure>> {
    const taken = await super.take(answer);
    const { directory: sealed } = answer;
    if (!taken.ok || sealed === null) return taken;
    const isFollowed = this.key !== null && this.opens(this.key, sealed);
    const key = isFollowed ? null : this.#keyIn(sealed);
    if (key !== null) await this.follow(key, sealed, 'pairing');
    else if (!isFollowed && this.key !== null && !this.isBehind) await this.#tellOver(this.key, sealed);
    // Others have to know for whom they could wrap it.
    if (this.key === null) await this.announce();
    return taken;
  }

  /** Somebody without the key has written a directory over the one that is followed here: this one takes its place again. */
  async #tellOver(key: AccountKey, sealed: SealedDirectory): Promise<void> {
    const { directory } = this;
    if (directory === null) return;
    const n = Math.max(directory.n, numberIn(sealed)) + 1;
    const answer = await this.#server.tell(writeDirectory(key, { ...directory, n }));
    if (answer.ok && answer.value.directory !== null) await this.follow(key, answer.value.directory);
  }

  /** The key that this device may take from a directory; null: none. */
  #keyIn(sealed: SealedDirectory): AccountKey | null {
    const { account, keys } = this.#own;
    const read = uncheckedDirectory(sealed);
    const generation = read?.state.generation ?? 0;
    const of = { scope: this.scope, generation };
    const told = keys.directory?.listKeys?.[this.scope];
    const entry = read?.people?.members[account];
    for (const mine of this.#ownKeys) {
      const own = told?.generation === generation ? openForOwn(told.wrap, { key: mine, account }, of) : null;
      if (own?.ok === true && this.opens(own.value, sealed)) return own.value;
      const pair = identityOf(mine, account).agreement;
      const opened = entry === undefined ? null : openForMember(entry.key.wrap, { account, pair }, of);
      if (read === null || entry === undefined || opened?.ok !== true) continue;
      if (this.opens(opened.value, sealed) && this.#isTrusted(opened.value, read, entry)) return opened.value;
    }
    return null;
  }

  /** Whether a key that comes now is the list's, and not one that its server has made. */
  #isTrusted(key: AccountKey, read: Directory, entry: ListMember): boolean {
    const { account } = this.#own;
    const of = { scope: this.scope, generation: read.state.generation };
    // Somebody may have come, or changed their own keys, after what is followed here: then the key itself tells that they were in the list.
    const [held, signer] = [this.people, read.people].map((people) => people?.members[entry.key.by]);
    const isSame = held !== undefined && signer !== undefined && isSameIdentity(held, signer);
    if (isSame && !isKeyBy(signer.verify, entry.key, of, account)) return false;
    const earlier = [key, ...earlierKeys(key, ownerOfList(this.scope), read).map((each) => each.key)];
    const { key: present } = this;
    const before = present === null ? this.#toldKey() : [present];
    // No device of this person has had a key of the list: the first is taken.
    return before === null || before.some((one) => earlier.some((other) => isEqual(one, other)));
  }

  /** The key that a device of this person has seen last; null: none has. */
  #toldKey(): readonly AccountKey[] | null {
    const { account, keys } = this.#own;
    const told = keys.directory?.listKeys?.[this.scope];
    if (told === undefined) return null;
    const of = { scope: this.scope, generation: told.generation };
    return this.#ownKeys.flatMap((key) => {
      const opened = openForOwn(told.wrap, { key, account }, of);
      return opened.ok ? [opened.value] : [];
    });
  }

  /** Tells others the public keys of this account, and its other devices the key of the list. */
  override async announce(): Promise<void> {
    if (this.#isSaying) return;
    this.#isSaying = true;
    try {
      await this.#tellIdentity();
      if (this.key !== null && !this.isBehind) await this.#tellKey(this.key);
    } finally {
      this.#isSaying = false;
    }
  }

  async #tellIdentity(): Promise<void> {
    const { participant } = this;
    // Others drop whose public keys have changed: first the list learns the new ones. A device with an account key of before has none to tell.
    if (this.#own.keys.isBehind) return;
    const { shown } = participant?.identity ?? {};
    if (participant === null || shown === undefined || this.isOutgrown || this.#told === shown.verify) return;
    const answer = await this.#server.members();
    if (!answer.ok) return;
    const said = answer.value.find(({ account }) => account === participant.account);
    if (said === undefined) return;
    const isSaid = said.identity !== null && isSameIdentity(said.identity, shown);
    if (isSaid || (await this.#server.tellIdentity(shown)).ok) this.#told = shown.verify;
  }

  async #tellKey(listKey: AccountKey): Promise<void> {
    const { account, keys } = this.#own;
    const { generation } = this.state;
    if (keys.key === null || keys.directory?.listKeys?.[this.scope]?.generation === generation) return;
    const of = { scope: this.scope, generation };
    const wrap = wrapForOwn(listKey, { key: keys.key, account }, of, this.#platform.random);
    await keys.tellListKey(this.scope, { generation, wrap });
  }

  /** Writes what the directory says of people, and once more where somebody else was faster. Null: nothing is to be changed. */
  async change(
    changed: (people: ListPeople) => ListPeople | null,
  ): Promise<Result<null, SealingFailure | { readonly type: 'locked' }>> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { key, directory } = this;
      if (key === null || directory?.people === undefined) return failed({ type: 'locked' });
      const people = changed(directory.people);
      if (people === null) return ok(null);
      const answer = await this.#server.tell(
        writeDirectory(key, { ...directory, n: directory.n + 1, people }),
      );
      if (answer.ok) {
        await this.take(answer.value);
        return ok(null);
      }
      if (answer.problem.type !== 'moved') return answer;
      const read = await this.catchUp(answer.problem);
      if (!read.ok) return read;
    }
    return failed({ type: 'moved', message: 'Others changed this list at the same time. Try again.' });
  }
}
