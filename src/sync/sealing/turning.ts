// Turning encryption on and off, and a new recovery code: what one device does once, because a person asked for it. Nothing is sealed before
// the wrapped key was read back from the server and opened. The rest is the walk's.
import { failed, ok, type Result } from '#core/result.ts';
import { isEqual } from '#core/sealing/bytes.ts';
import { newAccountKey, newGenerationKey, type AccountKey, type Owner } from '#core/sealing/keys.ts';
import { newRecoverySecret, writeRecoveryCode, type RecoverySecret } from '#core/sealing/recovery-code.ts';
import {
  leastStretching,
  openByPasskey,
  openByRecovery,
  usualStretching,
  wrapByPasskey,
  wrapByRecovery,
  wrapGeneration,
} from '#core/sealing/wraps.ts';
import { isRecord } from '#core/json.ts';
import type { Sealing } from '#wire/sealing.ts';
import { writeDirectory, type Directory } from './directory.ts';
import { passkeyWrap, type DeviceKeys } from './device-keys.ts';
import type { SealingFailure, SealingPlatform } from './ports.ts';

/** The names of the wraps that a recovery code and a passphrase open. */
const CODE = 'code';
const PASSPHRASE = 'passphrase';

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

/** The number of a directory that somebody else has written, so that the next one is higher. */
function numberIn({ directory }: Sealing): number {
  try {
    const body: unknown = JSON.parse(directory?.body ?? '{}');
    return isRecord(body) && Number.isSafeInteger(body['n']) ? Number(body['n']) : 0;
  } catch {
    return 0;
  }
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
    const { server, random } = this.#platform;
    const { account } = this.#owner;
    const before = await server.read();
    if (!before.ok) return before;
    const wrap = wrapByRecovery(key, account, secret, random);
    const { wrapsVersion } = before.value.at;
    const sent = await server.changeWraps({ wrapsVersion, wraps: { [CODE]: wrap } });
    if (!sent.ok) return sent;
    const back = await server.read();
    if (!back.ok) return back;
    const opened = openByRecovery(back.value.wraps[CODE] ?? '', account, secret);
    return opened.ok && isEqual(opened.value, key) ? ok(back.value) : failed({ type: 'unread' });
  }

  /** Puts a passphrase in force beside the code; null removes it. It was read back from the server and opened when this has succeeded. */
  async keepPassphrase(text: string | null): Promise<Result<Sealing, TurnProblem>> {
    const { server, passphrases } = this.#platform;
    const { account } = this.#owner;
    const { key } = this.#keys;
    if (key === null) return failed({ type: 'locked' });
    const before = await server.read();
    if (!before.ok) return before;
    const passphrase = { text: text ?? '', account, stretching: usualStretching };
    const wrap = text === null ? ok(null) : await passphrases.wrap(key, passphrase);
    if (!wrap.ok) return wrap;
    const { wrapsVersion } = before.value.at;
    const sent = await server.changeWraps({ wrapsVersion, wraps: { [PASSPHRASE]: wrap.value } });
    if (!sent.ok || text === null) return sent;
    const back = await server.read();
    if (!back.ok) return back;
    const kept = back.value.wraps[PASSPHRASE] ?? '';
    const opened = await passphrases.open(kept, { ...passphrase, stretching: leastStretching });
    return opened.ok && isEqual(opened.value, key) ? ok(back.value) : failed({ type: 'unread' });
  }

  /** Puts a passkey in force beside the code, which the person chooses. */
  async keepPasskey(): Promise<Result<Sealing, TurnProblem>> {
    const { server, passkeys, random } = this.#platform;
    const { key } = this.#keys;
    if (key === null) return failed({ type: 'locked' });
    const secret = await passkeys.secret();
    if (secret === null) return failed({ type: 'passkey' });
    const passkey = { ...secret, account: this.#owner.account };
    const before = await server.read();
    if (!before.ok) return before;
    const name = passkeyWrap(secret.credential);
    const { wrapsVersion } = before.value.at;
    const wraps = { [name]: wrapByPasskey(key, passkey, random) };
    const sent = await server.changeWraps({ wrapsVersion, wraps });
    if (!sent.ok) return sent;
    const back = await server.read();
    if (!back.ok) return back;
    const opened = openByPasskey(back.value.wraps[name] ?? '', passkey);
    return opened.ok && isEqual(opened.value, key) ? ok(back.value) : failed({ type: 'unread' });
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
    const directory = {
      ...this.#owner,
      n: Math.max(numberIn(kept.value), before?.n ?? 0) + 1,
      state: { phase: 'sealing', generation },
      generations: { ...before?.generations, [generation]: wrap },
    } as const;
    return this.#step({ from, step: 'begin' }, key, directory);
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
    step: { readonly from: Directory['state']; readonly step: 'begin' | 'unseal' },
    key: AccountKey,
    directory: Directory,
  ): Promise<Result<Directory, TurnProblem>> {
    const answer = await this.#platform.server.step({ ...step, directory: writeDirectory(key, directory) });
    if (!answer.ok) return answer;
    const followed = answer.value.directory && (await this.#keys.follow(key, answer.value.directory));
    return followed ? ok(followed) : failed({ type: 'unread' });
  }
}
