// The keys of a person's own scope on this device, and the directory that it follows: read from where they are kept, renewed from the
// server, opened by a recovery code. What is done with them is sealed-transport.ts, walk.ts and turning.ts.
import { failed, ok, type Result } from '#core/result.ts';
import {
  createKeyring,
  createNonces,
  type AccountKey,
  type Keyring,
  type Owner,
} from '#core/sealing/keys.ts';
import { digest } from '#core/sealing/algorithms.ts';
import { utf8 } from '#core/sealing/bytes.ts';
import type { Sealer } from '#core/sealing/envelope.ts';
import { readRecoveryCode, type RecoveryProblem } from '#core/sealing/recovery-code.ts';
import { leastStretching, openByPasskey, openByRecovery, openGeneration } from '#core/sealing/wraps.ts';
import {
  comparedWith,
  readDirectory,
  writeDirectory,
  type Directory,
  type SealedDirectory,
} from './directory.ts';
import type { Sealing } from '#wire/sealing.ts';
import type { KeptKeys, SealingFailure, SealingPlatform } from './ports.ts';
import { areListsSame, neverSealed, sealsIn, type ScopeSealing } from './scope-state.ts';

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

/** Whether a wrap is there that a passkey opens. */
export const hasPasskeyWrap = (wraps: Readonly<Record<string, string>>): boolean =>
  Object.keys(wraps).some((name) => name.startsWith(PASSKEY));

function ringOf(key: AccountKey, owner: Owner, { generations }: Directory): Keyring {
  const opened = Object.entries(generations).flatMap(([name, wrap]) => {
    const generation = Number(name);
    const opens = openGeneration(wrap, key, { ...owner, generation });
    return opens.ok ? [[generation, opens.value] as const] : [];
  });
  return createKeyring(key, owner, new Map(opened));
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

  /** What values are opened with; null without a key. */
  get ring(): Keyring | null {
    return this.#ring;
  }

  /** What values are sealed with; null without a key of the generation that is followed. */
  get sealer(): Sealer | null {
    const ring = this.#ring;
    return ring !== null && ring.newest === this.state.generation ? { ring, nonce: this.#nonce } : null;
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

  /** Reads what this device keeps. Returns whether it has a key that it did not have before. */
  async load(): Promise<boolean> {
    const kept = await this.#platform.keys.read();
    if (kept === null) return false;
    const isNew = this.#kept === null;
    const isLater = (kept.pin?.n ?? -1) > (this.#kept?.pin?.n ?? -1);
    if (!isNew && !isLater) return false;
    this.#kept = kept;
    if (kept.directory !== null) this.#adopt(kept.key, kept.directory);
    return isNew;
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
    return compared === 'ahead' || (compared === 'same' && !areListsSame(this.state, said));
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
    await this.follow(this.#kept.key, answer.directory);
    return ok(answer);
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
  async follow(key: AccountKey, sealed: SealedDirectory): Promise<Directory | null> {
    const directory = this.#adopt(key, sealed);
    if (directory === null) return null;
    const { n, state } = directory;
    this.#kept = { key, pin: { n, mac: sealed.mac, state }, directory: sealed };
    await this.#platform.keys.write(this.#kept);
    return directory;
  }

  /** Keeps a key that no directory names yet. */
  async keep(key: AccountKey): Promise<void> {
    this.#kept = { key, pin: this.#kept?.pin ?? null, directory: this.#kept?.directory ?? null };
    await this.#platform.keys.write(this.#kept);
  }

  /** Opens the account key by a recovery code or the passphrase, as a person types it, and keeps it on this device. */
  async unlock(typed: string): Promise<Result<Directory, UnlockProblem>> {
    const secret = readRecoveryCode(typed);
    return await this.#open(async ({ wraps }) => {
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
    return await this.#open(({ wraps }) => {
      const key = openByPasskey(wraps[passkeyWrap(secret.credential)] ?? '', { ...secret, account });
      return Promise.resolve(key.ok ? key : failed({ type: 'passkey' }));
    });
  }

  /** Keeps an account key that another device has given, if it is the one of this account. */
  async openWith(key: AccountKey): Promise<Result<Directory, UnlockProblem>> {
    return await this.#open(() => Promise.resolve(ok(key)));
  }

  async #open(
    keyIn: (answer: Sealing) => Promise<Result<AccountKey, UnlockProblem>>,
  ): Promise<Result<Directory, UnlockProblem>> {
    const answer = await this.#platform.server.read();
    if (!answer.ok) return failed({ type: 'server', failure: answer.problem });
    if (answer.value.directory === null) return failed({ type: 'none' });
    const key = await keyIn(answer.value);
    if (!key.ok) return key;
    const directory = await this.follow(key.value, answer.value.directory);
    return directory === null ? failed({ type: 'altered' }) : ok(directory);
  }
}
