// Turning encryption on and off, a new key, and what opens it: what one device does once, because a person asked for it. Nothing is sealed before
// the wrapped key was read back from the server and opened. The rest is the walk's.
import { failed, ok, type Result } from '#core/result.ts';
import { isEqual } from '#core/sealing/bytes.ts';
import {
  newAccountKey,
  newGenerationKey,
  type AccountKey,
  type EarlierKey,
  type Owner,
} from '#core/sealing/keys.ts';
import { newRecoverySecret, writeRecoveryCode, type RecoverySecret } from '#core/sealing/recovery-code.ts';
import {
  leastStretching,
  openByPasskey,
  openByRecovery,
  usualStretching,
  wrapByPasskey,
  wrapByRecovery,
  wrapEarlier,
  wrapGeneration,
} from '#core/sealing/wraps.ts';
import type { Sealing, SealingStep } from '#wire/sealing.ts';
import { numberIn, wrapsIn, writeDirectory, type Directory } from './directory.ts';
import { isPasskeyWrap, passkeyWrap, type DeviceKeys } from './device-keys.ts';
import type { SealingFailure, SealingPlatform } from './ports.ts';

/** The names of the wraps that a recovery code and a passphrase open. */
const CODE = 'code';
const PASSPHRASE = 'passphrase';
/** The wrap of a new key under its code, before that is in force. */
const NEXT_CODE = 'code-next';

/**
 * Why nothing was turned. `locked`: this device has no key. `unread`: the server gave back another wrap than it was given. `missing`: what
 * wraps under passphrases can't be had now. `passkey`: none was shown, or it has no secret.
 */
export type TurnProblem = SealingFailure | { readonly type: 'locked' | 'unread' | 'missing' | 'passkey' };

/** A key with a new code for it, before anything of it was sent. */
export interface Prepared {
  readonly key: AccountKey;
  readonly secret: RecoverySecret;
  /** As it is shown: seven groups. */
  readonly code: string;
}

/** A new recovery code, for the key of this device or for a new one. */
export function prepare(keys: DeviceKeys, { random }: Pick<SealingPlatform, 'random'>): Prepared {
  const secret = newRecoverySecret(random);
  return { key: keys.key ?? newAccountKey(random), secret, code: writeRecoveryCode(secret) };
}

/** A new account key with its code, to take the place of the present one. */
export function prepareNewKey({ random }: Pick<SealingPlatform, 'random'>): Prepared {
  const secret = newRecoverySecret(random);
  return { key: newAccountKey(random), secret, code: writeRecoveryCode(secret) };
}

/** Turns a scope for the person at this device. */
export class Turning {
  readonly #keys: DeviceKeys;
  readonly #platform: SealingPlatform;
  readonly #owner: Owner;

  constructor(keys: DeviceKeys, platform: SealingPlatform, owner: Owner) {
    this.#keys = keys;
    this.#platform = platform;
    this.#owner = owner;
  }

  /** Puts the wrap of a code in force: sent, read back and opened. The code before no longer opens anything. */
  async keepCode({ key, secret }: Prepared): Promise<Result<Sealing, TurnProblem>> {
    const { account } = this.#owner;
    const wrap = wrapByRecovery(key, account, secret, this.#platform.random);
    return await this.#put(key, CODE, {
      wrap,
      opens: (kept) => Promise.resolve(openByRecovery(kept, account, secret)),
    });
  }

  /** Puts a passphrase in force beside the code; null removes it. It was read back from the server and opened when this has succeeded. */
  async keepPassphrase(text: string | null): Promise<Result<Sealing, TurnProblem>> {
    const { passphrases } = this.#platform;
    const { account } = this.#owner;
    const { key } = this.#keys;
    if (key === null) return failed({ type: 'locked' });
    if (text === null) return await this.#change(key, { [PASSPHRASE]: null });
    const passphrase = { text, account, stretching: usualStretching };
    const wrap = await passphrases.wrap(key, passphrase);
    if (!wrap.ok) return wrap;
    return await this.#put(key, PASSPHRASE, {
      wrap: wrap.value,
      opens: (kept) => passphrases.open(kept, { ...passphrase, stretching: leastStretching }),
    });
  }

  /** Puts a passkey in force beside the code, which the person chooses. */
  async keepPasskey(): Promise<Result<Sealing, TurnProblem>> {
    const { passkeys, random } = this.#platform;
    const { key } = this.#keys;
    if (key === null) return failed({ type: 'locked' });
    const secret = await passkeys.secret();
    if (secret === null) return failed({ type: 'passkey' });
    const passkey = { ...secret, account: this.#owner.account };
    return await this.#put(key, passkeyWrap(secret.credential), {
      wrap: wrapByPasskey(key, passkey, random),
      opens: (kept) => Promise.resolve(openByPasskey(kept, passkey)),
    });
  }

  /** Passkeys open nothing any more. `credential`: the id of the only one that is meant; null: all. */
  async removePasskeys(credential: string | null): Promise<Result<Sealing, TurnProblem>> {
    const { key, directory } = this.#keys;
    if (key === null || directory === null) return failed({ type: 'locked' });
    const answer = await this.#keys.refresh();
    if (!answer.ok) return answer;
    const isMeant = credential === null ? isPasskeyWrap : (name: string) => name === passkeyWrap(credential);
    const names = Object.keys(wrapsIn(answer.value)).filter(isMeant);
    if (names.length === 0) return answer;
    return await this.#change(key, Object.fromEntries(names.map((name) => [name, null])));
  }

  /** Puts a wrap in force, and opens what the server gives back. */
  async #put(
    key: AccountKey,
    name: string,
    {
      wrap,
      opens,
    }: {
      readonly wrap: string;
      readonly opens: (kept: string) => Promise<Result<AccountKey, unknown>>;
    },
  ): Promise<Result<Sealing, TurnProblem>> {
    const sent = await this.#change(key, { [name]: wrap });
    if (!sent.ok) return sent;
    const back = await this.#platform.server.read();
    if (!back.ok) return back;
    const { directory, wraps } = back.value;
    // The directory of a key that is given up for a new one says nothing of it.
    const isOfKey = directory !== null && this.#keys.opens(key, directory);
    for (const kept of isOfKey ? [wraps[name], wrapsIn(back.value)[name]] : [wraps[name]]) {
      const opened = await opens(kept ?? '');
      if (!opened.ok || !isEqual(opened.value, key)) return failed({ type: 'unread' });
    }
    return back;
  }

  /** Changes what opens the account key, on the server and in the directory. Refused where the account has another key by now. */
  async #change(
    key: AccountKey,
    changes: Readonly<Record<string, string | null>>,
  ): Promise<Result<Sealing, TurnProblem>> {
    const before = await this.#keys.refresh();
    if (!before.ok) return before;
    const { directory: there, at, state } = before.value;
    const isOthers = there !== null && !this.#keys.opens(key, there);
    // A device that never had the key makes a new one where nothing is sealed.
    const isAnew = this.#keys.key === null && state.phase === 'plain';
    if (isOthers && !isAnew) return failed({ type: 'locked' });
    const { directory } = this.#keys;
    const kept = Object.entries({ ...wrapsIn(before.value), ...changes });
    const wraps = Object.fromEntries(kept.filter((each): each is [string, string] => each[1] !== null));
    const told =
      directory === null || isOthers
        ? {}
        : { directory: writeDirectory(key, { ...directory, n: directory.n + 1, wraps }) };
    const sent = await this.#platform.server.changeWraps({
      wrapsVersion: at.wrapsVersion,
      wraps: changes,
      ...told,
    });
    return sent.ok ? await this.#keys.take(sent.value) : sent;
  }

  /** Begins to seal everything, under the key of a code that was kept. */
  async begin(prepared: Prepared): Promise<Result<Directory, TurnProblem>> {
    const { random } = this.#platform;
    const kept = await this.keepCode(prepared);
    if (!kept.ok) return kept;
    const { key } = prepared;
    await this.#keys.keep(key);
    const from = kept.value.state;
    const generation = from.generation + 1;
    const wrap = wrapGeneration(newGenerationKey(random), key, { ...this.#owner, generation }, random);
    const before = this.#keys.directory;
    // Others than the code open a key of before, if this device doesn't have the account's.
    const { [CODE]: code = '', ...others } = kept.value.wraps;
    const wraps = before === null ? { [CODE]: code } : { ...others, [CODE]: code };
    const directory = {
      ...before,
      ...this.#owner,
      n: Math.max(numberIn(kept.value.directory), before?.n ?? 0) + 1,
      state: { phase: 'sealing', generation },
      generations: { ...before?.generations, [generation]: wrap },
      wraps,
      devices: { ...before?.devices, ...this.#keys.ownHolder },
    } as const;
    return this.#step({ from, step: 'begin' }, key, directory);
  }

  /**
   * Begins to seal everything anew, under a new account key of which nobody knows who has only the present one. The code of the new key was
   * read back and opened before that; what else opened the present key opens nothing from then on.
   */
  async rotate({ key, secret }: Prepared): Promise<Result<Directory, TurnProblem>> {
    const { server, random } = this.#platform;
    const answer = await this.#keys.refresh();
    if (!answer.ok) return answer;
    const { key: present, directory, earlier } = this.#keys;
    const { directory: there, at } = answer.value;
    const isPresent = present !== null && there !== null && this.#keys.opens(present, there);
    if (!isPresent || directory === null) return failed({ type: 'locked' });
    const wrap = wrapByRecovery(key, this.#owner.account, secret, random);
    const sent = await server.changeWraps({ wrapsVersion: at.wrapsVersion, wraps: { [NEXT_CODE]: wrap } });
    if (!sent.ok) return sent;
    const back = await server.read();
    if (!back.ok) return back;
    const opened = openByRecovery(back.value.wraps[NEXT_CODE] ?? '', this.#owner.account, secret);
    if (!opened.ok || !isEqual(opened.value, key)) return failed({ type: 'unread' });
    await this.#keys.keepNext(key);
    const from = directory.state;
    const next = this.#underNewKey(key, directory, [...earlier, { key: present, until: from.generation }]);
    const others = Object.keys(back.value.wraps).map((name) => [name, null] as const);
    return await this.#step(
      { from, step: 'rotate' },
      key,
      { ...next, wraps: { [CODE]: wrap } },
      {
        wraps: { ...Object.fromEntries(others), [CODE]: wrap },
        wrapsVersion: back.value.at.wrapsVersion,
      },
    );
  }

  /** The directory in which a new account key takes the place of the present one, in a new generation. */
  #underNewKey(key: AccountKey, before: Directory, earlier: readonly EarlierKey[]): Directory {
    const { random } = this.#platform;
    const owner = this.#owner;
    const generation = before.state.generation + 1;
    const wrap = wrapGeneration(newGenerationKey(random), key, { ...owner, generation }, random);
    return {
      ...owner,
      n: before.n + 1,
      state: { phase: 'sealing', generation },
      generations: { ...before.generations, [generation]: wrap },
      earlier: earlier.map(({ key: old, until }) => ({
        until,
        wrap: wrapEarlier(old, key, { ...owner, generation: until }, random),
      })),
      devices: this.#keys.holderNow('made'),
      ...(before.listKeys !== undefined && { listKeys: before.listKeys }),
    };
  }

  /** Begins to open everything again. The key stays on this device. */
  async end(): Promise<Result<Directory, TurnProblem>> {
    const answer = await this.#keys.refresh();
    if (!answer.ok) return answer;
    const { key, directory } = this.#keys;
    if (key === null || directory === null) return failed({ type: 'locked' });
    const from = directory.state;
    const state = { phase: 'unsealing', generation: from.generation } as const;
    return this.#step({ from, step: 'unseal' }, key, { ...directory, n: directory.n + 1, state });
  }

  async #step(
    step: { readonly from: Directory['state']; readonly step: 'begin' | 'rotate' | 'unseal' },
    key: AccountKey,
    directory: Directory,
    changes: Pick<SealingStep, 'wraps' | 'wrapsVersion'> = {},
  ): Promise<Result<Directory, TurnProblem>> {
    const told = { ...step, ...changes, directory: writeDirectory(key, directory) };
    const answer = await this.#platform.server.step(told);
    if (!answer.ok) return answer;
    const sealed = answer.value.directory;
    const followed = sealed && (await this.#keys.follow(key, sealed, 'made'));
    return followed ? ok(followed) : failed({ type: 'unread' });
  }
}
