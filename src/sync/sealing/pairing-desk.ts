// Pairing, from both ends: a device that asks another one for the account key, and one that gives it. What they say is
// core/sealing/pairing.ts; the server carries it and is asked again and again whether the other has said something.
import { failed, ok, type Result } from '#core/result.ts';
import {
  agreement,
  answerPairing,
  beginPairing,
  handOver,
  isAsCommitted,
  takeOver,
  type Agreement,
  type NewDevice,
  type OldDevice,
} from '#core/sealing/pairing.ts';
import type { Owner } from '#core/sealing/keys.ts';
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
  refuse(id: Id): Answered<Pairing>;
}

/** What both devices show, to be compared by the person. */
export type Shown = Pick<Agreement, 'words' | 'digits'>;

/**
 * How far a pairing is.
 * - `waiting` for the other device; `compare` what both show, which the person confirms at the device with the key
 * - `open` this device has the key; `ended` one of the two has ended it
 */
export type PairingState =
  | { readonly type: 'waiting' }
  | { readonly type: 'compare'; readonly shown: Shown }
  | { readonly type: 'open' | 'ended' };

/** Why it goes no further. `altered`: what came is not what was said, so somebody stands between the two. */
export type PairingProblem = SealingFailure | { readonly type: 'altered' | 'locked' };

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

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#own = beginPairing(ports.platform.random);
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
    return handed === null ? ok({ type: 'compare', shown: agreed }) : await this.#take(agreed, handed);
  }

  async end(): Promise<void> {
    if (this.#id !== null) await this.#ports.server.refuse(this.#id);
  }

  async #take(agreed: Agreement, handed: string): Promise<Result<PairingState, PairingProblem>> {
    const key = takeOver(agreed, handed);
    const opened = key && (await this.#ports.keys.openWith(key));
    if (opened?.ok === true) return ok({ type: 'open' });
    return failed(problemOf(opened?.problem));
  }
}

function problemOf(problem: UnlockProblem | undefined): PairingProblem {
  return problem?.type === 'server' ? problem.failure : { type: 'altered' };
}

/** The device that has the key, once the person has chosen who gets it. */
export class KeyGiver {
  readonly #ports: Ports;
  readonly #own: OldDevice;
  readonly #pairing: Pairing;
  #agreed: Agreement | null = null;

  constructor(ports: Ports, pairing: Pairing) {
    this.#ports = ports;
    this.#pairing = pairing;
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
    const { newKey, nonce, isRefused, handed } = seen.value;
    if (isRefused) return ok({ type: 'ended' });
    if (handed !== null) return ok({ type: 'open' });
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
    return ok({ type: 'compare', shown: this.#agreed });
  }

  /** Gives the key: the person has seen the same words on both devices. */
  async give(): Promise<Result<PairingState, PairingProblem>> {
    const { keys, server, platform } = this.#ports;
    if (keys.key === null || this.#agreed === null) return failed({ type: 'locked' });
    const handed = handOver(this.#agreed, keys.key, platform.random);
    const given = await server.handOver(this.#pairing.id, handed);
    return given.ok ? ok({ type: 'open' }) : given;
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
    return new KeyGiver(this.#ports, pairing);
  }

  /** Devices that ask for the key now. */
  waiting(): Answered<readonly Pairing[]> {
    return this.#ports.server.waiting();
  }
}
