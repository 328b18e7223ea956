// The keys of a person's own scope on this device, and the directory that it follows: read from where they are kept, renewed from the
// server, opened by a recovery code. What is done with them is sealed-transport.ts, walk.ts and turning.ts.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import {
  createKeyring,
  createNonces,
  type AccountKey,
  type EarlierKey,
  type Keyring,
  type Owner,
} from '#core/sealing/keys.ts';
import { digest } from '#core/sealing/algorithms.ts';
import { isEqual, utf8 } from '#core/sealing/bytes.ts';
import type { Sealer } from '#core/sealing/envelope.ts';
import { readRecoveryCode, type RecoveryProblem } from '#core/sealing/recovery-code.ts';
import {
  leastStretching,
  openByPasskey,
  openByRecovery,
  openEarlier,
  openGeneration,
} from '#core/sealing/wraps.ts';
import {
  comparedWith,
  readDirectory,
  wrapsIn,
  writeDirectory,
  type Directory,
  type KeyHolder,
  type KeyWay,
  type ListWrap,
  type SealedDirectory,
  type Wraps,
} from './directory.ts';
import type { Sealing } from '#wire/sealing.ts';
import type { KeptKeys, SealingFailure, SealingPlatform } from './ports.ts';
import { areListsSame, neverSealed, positionOf, sealsIn, type ScopeSealing } from './scope-state.ts';

/**
 * Why a recovery code or a passphrase opened nothing. `closed`: it is a code, but not the one of this account. `passphrase`: it isn't the
 * passphrase. `passkey`: none was shown, or it opens nothing here. `none`: there is nothing to open. `missing`: what opens passphrases can't be had now.
 */
export type UnlockProblem =
  | { readonly type: 'code'; readonly problem: RecoveryProblem }
  | { readonly type: 'closed' | 'passphrase' | 'passkey' | 'none' | 'altered' | 'missing' }
  | { readonly type: 'server'; readonly failure: SealingFailure };

/** Three groups of four and a digit: who typed this meant a recovery code. */
const CODE_LIKE = /^(?=.*\d)\s*(?:[\da-z]{4}[\s-]+){2,}[\da-z]{4}/i;

const PASSKEY = 'passkey-';
/** Hexadecimal characters of a digest, as many as a name of a wrap has room for. */
const PASSKEY_CHARACTERS = 32;

/** The name of the wrap that a passkey opens. */
export function passkeyWrap(credential: string): string {
  return `${PASSKEY}${digest(utf8(credential)).toHex().slice(0, PASSKEY_CHARACTERS)}`;
}

/** Whether this is the name of a wrap that a passkey opens. */
export const isPasskeyWrap = (name: string): boolean => name.startsWith(PASSKEY);

/** The account keys of before, oldest first: each opens with the present one. */
export function earlierKeys(
  key: AccountKey,
  owner: Owner,
  { earlier = [] }: Directory,
): readonly EarlierKey[] {
  return earlier.flatMap(({ until, wrap }) => {
    const opens = openEarlier(wrap, key, { ...owner, generation: until });
    return opens.ok ? [{ key: opens.value, until }] : [];
  });
}

function ringOf(key: AccountKey, owner: Owner, directory: Directory): Keyring {
  const earlier = earlierKeys(key, owner, directory);
  const opened = Object.entries(directory.generations).flatMap(([name, wrap]) => {
    const generation = Number(name);
    const of = earlier.find(({ until }) => until >= generation)?.key ?? key;
    const opens = openGeneration(wrap, of, { ...owner, generation });
    return opens.ok ? [[generation, opens.value] as const] : [];
  });
  return createKeyring(key, owner, new Map(opened), earlier);
}

/** The keys of one copy, and the state of its scope that it follows. */
export class DeviceKeys {
  readonly #platform: SealingPlatform;
  readonly #owner: Owner;
  readonly #nonce: () => Uint8Array;
  #kept: KeptKeys | null = null;
  #directory: Directory | null = null;
  #ring: Keyring | null = null;
  /** What the server says, for a device without a key, which can follow nothing better. */
  #said: ScopeSealing = neverSealed;
  /** A state of the server whose directory this device's key doesn't open: it isn't asked for again. */
  #unfollowed: ScopeSealing | null = null;
  /** The generation in which this device has said that it has the key: a new key begins the list of devices anew. */
  #announcedIn = 0;

  constructor(platform: SealingPlatform, owner: Owner) {
    this.#platform = platform;
    this.#owner = owner;
    this.#nonce = createNonces(platform.random);
  }

  /** The account key; null: this device is locked, or the account has none. */
  get key(): AccountKey | null {
    return this.#kept?.key ?? null;
  }

  /** The directory that is followed; null: none. */
  get directory(): Directory | null {
    return this.#directory;
  }

  /** The account keys of before, oldest first. */
  get earlier(): readonly EarlierKey[] {
    const { key } = this;
    return key === null || this.#directory === null ? [] : earlierKeys(key, this.#owner, this.#directory);
  }

  /** This device among those that have the key, as it says so; nothing without a key. */
  get ownHolder(): Readonly<Record<Id, KeyHolder>> {
    const holder = this.#kept?.holder;
    if (holder === undefined) return {};
    const { id, how, at } = holder;
    return { [id]: { name: this.#platform.name, how, at } };
  }

  /** As `ownHolder`, of a key that comes to this device now. */
  holderNow(how: KeyWay): Readonly<Record<Id, KeyHolder>> {
    const id = this.#kept?.holder?.id ?? this.#platform.newId();
    return { [id]: { name: this.#platform.name, how, at: this.#platform.now() } };
  }

  /** What values are opened with; null without a key. */
  get ring(): Keyring | null {
    return this.#ring;
  }

  /** What values are sealed with; null without a key of the generation that is followed, or while the server has a later one. */
  get sealer(): Sealer | null {
    const ring = this.#ring;
    const isKnown = ring !== null && ring.newest === this.state.generation && !this.isBehind;
    return isKnown ? { ring, nonce: this.#nonce } : null;
  }

  /** What rows are locked with when the key is forgotten; null without a key. */
  get lastSealer(): Sealer | null {
    const ring = this.#ring;
    return ring === null || ring.newest === 0 ? null : { ring, nonce: this.#nonce };
  }

  /**
   * The server says a generation that the key of this device doesn't lead to: another device has made a new key, or the server lies. Nothing
   * with content goes out meanwhile, as a device that was lost could read it.
   */
  get isBehind(): boolean {
    return this.#kept !== null && this.#said.generation > this.state.generation;
  }

  /** Its person wants this device to forget the key. */
  get isLeaving(): boolean {
    return this.#kept?.isLeaving === true;
  }

  /** The state that is followed: of the directory, not what the server says. */
  get state(): ScopeSealing {
    return this.#directory?.state ?? this.#said;
  }

  /**
   * The state that values are brought into: the one that is followed, or where a restored server stands on its way there
   * again.
   */
  get walked(): ScopeSealing {
    const { state } = this;
    const isSame = this.#said.generation === state.generation && sealsIn(this.#said) === sealsIn(state);
    return isSame ? this.#said : state;
  }

  /** Whether the content of what is sent has to be sealed. */
  get seals(): boolean {
    return sealsIn(this.state);
  }

  /** Reads what this device keeps. Returns whether something may open by it that did not before. */
  async load(): Promise<boolean> {
    const kept = await this.#platform.keys.read();
    if (kept === null) {
      // The copy, or another tab, has forgotten it.
      if (this.isLeaving) this.#let();
      return false;
    }
    const before = [this.#ring?.newest, positionOf(this.state)].join(' ');
    const isNew = this.#kept === null;
    const isLater = (kept.pin?.n ?? -1) > (this.#kept?.pin?.n ?? -1);
    if (!isNew && !isLater) {
      this.#note(kept);
      return false;
    }
    this.#kept = kept;
    if (kept.directory !== null) this.#adopt(kept.key, kept.directory);
    if (kept.holder === undefined) await this.#holdFromNow(kept);
    return isNew || [this.#ring?.newest, positionOf(this.state)].join(' ') !== before;
  }

  /** What the dialog of this device has kept beside the key that is known here. */
  #note({ isLeaving, next }: KeptKeys): void {
    if (this.#kept === null) return;
    if (isLeaving === true) this.#kept = { ...this.#kept, isLeaving };
    if (next === undefined || (this.#kept.next && isEqual(next, this.#kept.next))) return;
    this.#kept = { ...this.#kept, next };
    // What the present key doesn't open, this one may.
    this.#unfollowed = null;
  }

  /** Of a key that an earlier build has kept nobody knows how it came. */
  async #holdFromNow(kept: KeptKeys): Promise<void> {
    const platform = this.#platform;
    this.#kept = { ...kept, holder: { id: platform.newId(), how: 'unknown', at: platform.now() } };
    await platform.keys.write(this.#kept);
  }

  #adopt(key: AccountKey, sealed: SealedDirectory): Directory | null {
    const read = readDirectory(key, this.#owner.account, sealed, this.#kept?.pin ?? null);
    if (!read.ok || read.value.scope !== this.#owner.scope) return null;
    this.#directory = read.value;
    this.#ring = ringOf(key, this.#owner, read.value);
    return read.value;
  }

  /** A state that the server says. Returns whether a later directory has to be fetched. */
  hears(said: ScopeSealing): boolean {
    this.#said = said;
    if (this.key === null) return false;
    const compared = comparedWith(this.state, said);
    const isNews = compared === 'ahead' || (compared === 'same' && !areListsSame(this.state, said));
    return isNews && (this.#unfollowed === null || comparedWith(this.#unfollowed, said) !== 'same');
  }

  /** Fetches the directory and follows it, if it may be followed. */
  async refresh(): Promise<Result<Sealing, SealingFailure>> {
    const answer = await this.#platform.server.read();
    return answer.ok ? this.take(answer.value) : answer;
  }

  /** Follows the directory of an answer. One that is older, or that nobody with the key has written, changes nothing. */
  async take(answer: Sealing): Promise<Result<Sealing, SealingFailure>> {
    this.hears(answer.state);
    if (this.#kept === null || answer.directory === null) return ok(answer);
    const { key, next } = this.#kept;
    const followed =
      (await this.follow(key, answer.directory)) ?? (next && (await this.follow(next, answer.directory)));
    this.#unfollowed = followed ? null : answer.state;
    return ok(answer);
  }

  /** Whether a key has written a directory. */
  opens(key: AccountKey, sealed: SealedDirectory): boolean {
    return readDirectory(key, this.#owner.account, sealed, null).ok;
  }

  /**
   * Tells a server that says an earlier state what it has forgotten: it was restored, or lies. Only that everything is sealed:
   * what ends that asks for the person.
   */
  async tellAgain(): Promise<void> {
    const { key, directory } = this;
    const isBehind = comparedWith(this.state, this.#said) === 'behind';
    if (key === null || directory === null || !isBehind || !this.seals) return;
    const again = writeDirectory(key, { ...directory, n: directory.n + 1 });
    const answer = await this.#platform.server.step({ from: this.#said, step: 'catch-up', directory: again });
    if (answer.ok) await this.take(answer.value);
  }

  /** Follows a directory and keeps it with the key. Null where it may not be followed. */
  async follow(key: AccountKey, sealed: SealedDirectory, how?: KeyWay): Promise<Directory | null> {
    const directory = this.#adopt(key, sealed);
    if (directory === null) return null;
    const { n, state } = directory;
    const pin = { n, mac: sealed.mac, state };
    await this.#keep({ ...this.#further(key, how), key, pin, directory: sealed });
    return directory;
  }

  /** What is kept further beside a key. `how`: it came to this device now. */
  #further(key: AccountKey, how: KeyWay | undefined): Pick<KeptKeys, 'next' | 'holder'> {
    const before = this.#kept;
    const isSame = before !== null && isEqual(before.key, key);
    const next = isSame ? before.next : undefined;
    const isFirst = how !== undefined && (!isSame || before.holder === undefined);
    const id = before?.holder?.id ?? this.#platform.newId();
    const holder = isFirst ? { id, how, at: this.#platform.now() } : before?.holder;
    return { ...(next && { next }), ...(holder && { holder }) };
  }

  /** Keeps the keys, unless another tab or dialog of this device has kept later ones. */
  async #keep(kept: KeptKeys): Promise<void> {
    const there = await this.#platform.keys.read();
    this.#kept = kept;
    const isSame = there !== null && isEqual(there.key, kept.key);
    if (there !== null && (there.pin?.n ?? -1) > (kept.pin?.n ?? -1)) return;
    const next = isSame ? (kept.next ?? there.next) : kept.next;
    const holder = (isSame ? there.holder : undefined) ?? kept.holder;
    const isLeaving = isSame && there.isLeaving === true;
    const replays = there?.replays;
    await this.#platform.keys.write({
      ...kept,
      ...(next && { next }),
      ...(holder && { holder }),
      ...(isLeaving && { isLeaving }),
      ...(replays !== undefined && { replays }),
    });
  }

  /** Keeps for the person that the server gave back so many older values. */
  async notice(count: number): Promise<void> {
    const kept = await this.#platform.keys.read();
    if (kept === null) return;
    await this.#platform.keys.write({ ...kept, replays: (kept.replays ?? 0) + count });
  }

  /** How many older values the server gave back since this was asked last: the person is told once. */
  async tellReplays(): Promise<number> {
    const kept = await this.#platform.keys.read();
    if (kept?.replays === undefined) return 0;
    const { replays, ...others } = kept;
    await this.#platform.keys.write(others);
    return replays;
  }

  /** Says among the devices that have the key that this one does, once. What the server answers changes nothing here. */
  async announce(): Promise<void> {
    const { key, directory } = this;
    const isSaid = Object.keys(this.ownHolder).every((id) => directory?.devices?.[id] !== undefined);
    if (key === null || directory === null || isSaid || this.isBehind) return;
    if (this.#announcedIn === directory.state.generation) return;
    this.#announcedIn = directory.state.generation;
    await this.#tell(({ devices }) => ({ devices: { ...devices, ...this.ownHolder } }));
  }

  /** Tells the other devices of the account the key of a list. Nothing while this device can't write the directory. */
  async tellListKey(scope: Id, wrap: ListWrap): Promise<void> {
    if (this.isBehind) return;
    await this.#tell(({ listKeys }) => ({ listKeys: { ...listKeys, [scope]: wrap } }));
  }

  /** Tells the directory with something else in it, and once more where somebody else was faster. */
  async #tell(changed: (directory: Directory) => Partial<Directory>): Promise<boolean> {
    for (let tries = 0; tries < 2; tries += 1) {
      const { key, directory } = this;
      if (key === null || directory === null) return false;
      const next = { ...directory, ...changed(directory), n: directory.n + 1 };
      const answer = await this.#platform.server.tell(writeDirectory(key, next));
      if (answer.ok) {
        await this.take(answer.value);
        return true;
      }
      if (answer.problem.type !== 'moved' || !(await this.catchUp(answer.problem)).ok) return false;
    }
    return false;
  }

  /** Follows what another device was first with: as the refusal says it, or else as the server is asked for it. */
  catchUp({ now }: SealingFailure): Promise<Result<Sealing, SealingFailure>> {
    return now === undefined ? this.refresh() : this.take(now);
  }

  /**
   * The person wants this device to forget the key. The copy locks its rows first, so the key goes when that is done. Says so among the
   * devices, if the server can be asked.
   */
  async leave(): Promise<void> {
    if (this.#kept === null) return;
    const own = this.ownHolder;
    await this.#tell(({ devices = {} }) => ({
      devices: Object.fromEntries(Object.entries(devices).filter(([id]) => !Object.hasOwn(own, id))),
    }));
    this.#kept = { ...this.#kept, isLeaving: true };
    await this.#platform.keys.write(this.#kept);
  }

  /** Erases the key and what was kept with it. */
  async forget(): Promise<void> {
    await this.#platform.keys.erase();
    this.#let();
  }

  #let(): void {
    this.#kept = null;
    this.#directory = null;
    this.#ring = null;
    this.#unfollowed = null;
    this.#announcedIn = 0;
  }

  /** Keeps a key that no directory names yet. */
  async keep(key: AccountKey): Promise<void> {
    const { pin = null, directory = null } = this.#kept ?? {};
    this.#kept = { ...this.#further(key, 'made'), key, pin, directory };
    await this.#platform.keys.write(this.#kept);
  }

  /** Keeps a key that is to take the place of the present one, until a directory of it is followed. */
  async keepNext(next: AccountKey): Promise<void> {
    if (this.#kept === null) return;
    this.#kept = { ...this.#kept, next };
    await this.#platform.keys.write(this.#kept);
  }

  /** Opens the account key by a recovery code or the passphrase, as a person types it, and keeps it on this device. */
  async unlock(typed: string): Promise<Result<Directory, UnlockProblem>> {
    const secret = readRecoveryCode(typed);
    return await this.#open(secret.ok ? 'code' : 'passphrase', async (wraps) => {
      if (secret.ok) {
        if (wraps['code'] === undefined) return failed({ type: 'none' });
        const key = openByRecovery(wraps['code'], this.#owner.account, secret.value);
        return key.ok ? key : failed({ type: 'closed' });
      }
      const wrap = wraps['passphrase'];
      if (wrap === undefined || CODE_LIKE.test(typed))
        return failed({ type: 'code', problem: secret.problem });
      return await this.#openByPassphrase(wrap, typed);
    });
  }

  async #openByPassphrase(wrap: string, text: string): Promise<Result<AccountKey, UnlockProblem>> {
    const { account } = this.#owner;
    const key = await this.#platform.passphrases.open(wrap, { text, account, stretching: leastStretching });
    if (key.ok) return key;
    if (key.problem.type === 'missing') return failed({ type: 'missing' });
    return failed({ type: key.problem.type === 'closed' ? 'passphrase' : 'altered' });
  }

  /** Opens the account key by a passkey that the person chooses, and keeps it on this device. */
  async unlockByPasskey(): Promise<Result<Directory, UnlockProblem>> {
    const secret = await this.#platform.passkeys.secret();
    if (secret === null) return failed({ type: 'passkey' });
    const { account } = this.#owner;
    return await this.#open('passkey', (wraps) => {
      const key = openByPasskey(wraps[passkeyWrap(secret.credential)] ?? '', { ...secret, account });
      return Promise.resolve(key.ok ? key : failed({ type: 'passkey' }));
    });
  }

  /** Keeps an account key that another device has given, if it is the one of this account. */
  async openWith(key: AccountKey): Promise<Result<Directory, UnlockProblem>> {
    return await this.#open('pairing', () => Promise.resolve(ok(key)));
  }

  async #open(
    how: KeyWay,
    keyIn: (wraps: Wraps) => Promise<Result<AccountKey, UnlockProblem>>,
  ): Promise<Result<Directory, UnlockProblem>> {
    const answer = await this.#platform.server.read();
    if (!answer.ok) return failed({ type: 'server', failure: answer.problem });
    if (answer.value.directory === null) return failed({ type: 'none' });
    const key = await keyIn(wrapsIn(answer.value));
    if (!key.ok) return key;
    const directory = await this.follow(key.value, answer.value.directory, how);
    return directory === null ? failed({ type: 'altered' }) : ok(directory);
  }
}
