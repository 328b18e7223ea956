// Pairing, from both ends: a device that asks another one for the account key, and one that gives it. What they say is
// core/sealing/pairing.ts; the server carries it and is asked again and again whether the other has said something. Either the person has
// compared words at both devices, or the one with the key has read a picture on the screen of the other.
import { failed, ok, type Result } from '#core/result.ts';
import {
  agreement,
  answerPairing,
  beginPairing,
  handOver,
  isAsCommitted,
  pictureText,
  readPicture,
  takeOver,
  withPicture,
  type Agreement,
  type NewDevice,
  type OldDevice,
} from '#core/sealing/pairing.ts';
import type { AccountKey, Owner } from '#core/sealing/keys.ts';
import type { Id } from '#core/ids.ts';
import type { Pairing } from '#wire/pairing.ts';
import type { DeviceKeys, UnlockProblem } from './device-keys.ts';
import type { SealingFailure, SealingPlatform } from './ports.ts';

type Answered<T> = Promise<Result<T, SealingFailure>>;

/** The calls about pairings (wire/pairing.ts). They never reject. */
export interface PairingServer {
  begin(commitment: string): Answered<Pairing>;
  /** Those of other devices that nobody has answered. */
  waiting(): Answered<readonly Pairing[]>;
  read(id: Id): Answered<Pairing>;
  answer(id: Id, oldKey: string): Answered<Pairing>;
  reveal(id: Id, newKey: string, nonce: string): Answered<Pairing>;
  handOver(id: Id, handed: string): Answered<Pairing>;
  /** The key has come, and was what it should be. */
  take(id: Id): Answered<Pairing>;
  refuse(id: Id): Answered<Pairing>;
}

/** What both devices show, to be compared by the person. */
export type Shown = Pick<Agreement, 'words' | 'digits'>;

/**
 * How far a pairing is.
 * - `waiting` for the other device; `compare` what both show, which the person confirms at both (`isConfirmed`: here they have)
 * - `certain` without comparing: the key can be given; `handed` it was, and the other device hasn't taken it yet
 * - `open` this device has the key; `ended` one of the two has ended it
 */
export type PairingState =
  | { readonly type: 'waiting' | 'certain' | 'handed' }
  | { readonly type: 'compare'; readonly shown: Shown; readonly isConfirmed: boolean }
  | { readonly type: 'open' | 'ended' };

/**
 * Why it goes no further. `altered`: what came is not what was said, so somebody stands between the two. `late`: the other device said so after the
 * key was given.
 */
export type PairingProblem = SealingFailure | { readonly type: 'altered' | 'locked' | 'late' };

interface Ports {
  readonly server: PairingServer;
  readonly keys: DeviceKeys;
  readonly platform: Pick<SealingPlatform, 'random'>;
  readonly owner: Owner;
}

/** The device that asks for the key. */
export class KeyAsker {
  readonly #ports: Ports;
  readonly #own: NewDevice;
  #id: Id | null = null;
  #agreed: Agreement | null = null;
  #isConfirmed = false;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#own = beginPairing(ports.platform.random);
  }

  /** The text of the picture that the other device can read, instead of comparing words. */
  get picture(): string {
    return pictureText(this.#own);
  }

  /**
   * The person has seen the same words on both devices. Nothing is taken before that: the server could hand over a key of its own, and read
   * what is sealed with it from then on.
   */
  confirm(): void {
    this.#isConfirmed = true;
  }

  async begin(): Promise<Result<PairingState, PairingProblem>> {
    const begun = await this.#ports.server.begin(this.#own.commitment);
    if (!begun.ok) return begun;
    this.#id = begun.value.id;
    return ok({ type: 'waiting' });
  }

  /** Looks whether the other device has said something, and answers it. */
  async look(): Promise<Result<PairingState, PairingProblem>> {
    const { server } = this.#ports;
    if (this.#id === null) return ok({ type: 'waiting' });
    const seen = await server.read(this.#id);
    if (!seen.ok) return seen;
    const { oldKey, newKey, handed, isRefused } = seen.value;
    if (isRefused) return ok({ type: 'ended' });
    if (oldKey === null) return ok({ type: 'waiting' });
    const { secret, publicKey, nonce } = this.#own;
    const transcript = { account: this.#ports.owner.account, newKey: publicKey, nonce, oldKey };
    // The first key counts: another one would have other words.
    this.#agreed ??= agreement(secret, oldKey, transcript);
    const agreed = this.#agreed;
    if (agreed === null || agreed.transcript.oldKey !== oldKey) return failed({ type: 'altered' });
    if (newKey === null) {
      const said = await server.reveal(this.#id, publicKey, nonce);
      if (!said.ok) return said;
    }
    if (handed !== null) {
      const byPicture = takeOver(withPicture(agreed, this.#own.shown), handed);
      const key = byPicture ?? takeOver(agreed, handed);
      if (key === null) return failed({ type: 'altered' });
      if (byPicture !== null || this.#isConfirmed) return await this.#take(key);
    }
    return ok({ type: 'compare', shown: agreed, isConfirmed: this.#isConfirmed });
  }

  async end(): Promise<void> {
    if (this.#id !== null) await this.#ports.server.refuse(this.#id);
  }

  async #take(key: AccountKey): Promise<Result<PairingState, PairingProblem>> {
    const opened = await this.#ports.keys.openWith(key);
    if (!opened.ok) return failed(problemOf(opened.problem));
    if (this.#id !== null) await this.#ports.server.take(this.#id);
    return ok({ type: 'open' });
  }
}

function problemOf(problem: UnlockProblem): PairingProblem {
  return problem.type === 'server' ? problem.failure : { type: 'altered' };
}

/** The device that has the key, once the person has chosen who gets it. */
export class KeyGiver {
  readonly #ports: Ports;
  readonly #own: OldDevice;
  readonly #pairing: Pairing;
  /** What the picture of the other device shows; null: words are compared. */
  readonly #shown: Uint8Array | null;
  #agreed: Agreement | null = null;

  constructor(ports: Ports, pairing: Pairing, shown: Uint8Array | null) {
    this.#ports = ports;
    this.#pairing = pairing;
    this.#shown = shown;
    this.#own = answerPairing(ports.platform.random);
  }

  async begin(): Promise<Result<PairingState, PairingProblem>> {
    const answered = await this.#ports.server.answer(this.#pairing.id, this.#own.publicKey);
    return answered.ok ? ok({ type: 'waiting' }) : answered;
  }

  /** Looks whether the other device has shown what it had committed itself to. */
  async look(): Promise<Result<PairingState, PairingProblem>> {
    const seen = await this.#ports.server.read(this.#pairing.id);
    if (!seen.ok) return seen;
    const { newKey, nonce, isRefused, isTaken, handed } = seen.value;
    if (isRefused) return handed === null ? ok({ type: 'ended' }) : failed({ type: 'late' });
    if (handed !== null) return ok({ type: isTaken ? 'open' : 'handed' });
    if (newKey === null || nonce === null) return ok({ type: 'waiting' });
    // What it is held to is what this device saw when the person chose it.
    const isSame = isAsCommitted(this.#pairing.commitment, newKey, nonce);
    const { secret, publicKey } = this.#own;
    const transcript = { account: this.#ports.owner.account, newKey, nonce, oldKey: publicKey };
    this.#agreed ??= isSame ? agreement(secret, newKey, transcript) : null;
    if (!isSame || this.#agreed === null) {
      await this.end();
      return failed({ type: 'altered' });
    }
    if (this.#shown !== null) return ok({ type: 'certain' });
    return ok({ type: 'compare', shown: this.#agreed, isConfirmed: false });
  }

  /** Gives the key: the person has seen the same words on both devices, or this one has read the picture of the other. */
  async give(): Promise<Result<PairingState, PairingProblem>> {
    const { keys, server, platform } = this.#ports;
    if (keys.key === null || this.#agreed === null) return failed({ type: 'locked' });
    const agreed = this.#shown === null ? this.#agreed : withPicture(this.#agreed, this.#shown);
    const handed = handOver(agreed, keys.key, platform.random);
    const given = await server.handOver(this.#pairing.id, handed);
    return given.ok ? ok({ type: 'handed' }) : given;
  }

  async end(): Promise<void> {
    await this.#ports.server.refuse(this.#pairing.id);
  }
}

/** Pairing for the dialog of encryption. */
export class PairingDesk {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  asker(): KeyAsker {
    return new KeyAsker(this.#ports);
  }

  giver(pairing: Pairing): KeyGiver {
    return new KeyGiver(this.#ports, pairing, null);
  }

  /** The device whose picture was read. Null: the picture is another one, or that device doesn't ask any more, or is of another account. */
  async giverFor(text: string): Promise<Result<KeyGiver | null, SealingFailure>> {
    const read = readPicture(text);
    if (read === null) return ok(null);
    const waiting = await this.waiting();
    if (!waiting.ok) return waiting;
    const pairing = waiting.value.find(({ commitment }) => commitment === read.commitment);
    return ok(pairing === undefined ? null : new KeyGiver(this.#ports, pairing, read.shown));
  }

  /** Devices that ask for the key now. */
  waiting(): Answered<readonly Pairing[]> {
    return this.#ports.server.waiting();
  }
}
