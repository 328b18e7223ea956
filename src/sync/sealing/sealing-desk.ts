// What a person does about encryption on one device, behind its dialog: sees the state, turns it on and off, opens this device by a code, and
// gets a new one. Works beside the copy's own transport, which hears of it from the server and finds the key where it is kept.
import type { Id } from '#core/ids.ts';
import { ok, type Result } from '#core/result.ts';
import type { Owner } from '#core/sealing/keys.ts';
import { isRecoveryGroup, recoveryGroups } from '#core/sealing/recovery-code.ts';
import { DeviceKeys, hasPasskeyWrap, type UnlockProblem } from './device-keys.ts';
import { sendList } from './list-walk.ts';
import { PairingDesk, type PairingServer } from './pairing-desk.ts';
import type { SealingFailure, SealingPlatform } from './ports.ts';
import type { ListWay, ScopeSealing } from './scope-state.ts';
import { SealedFiles } from './sealed-files.ts';
import { prepare, Turning, type Prepared, type TurnProblem } from './turning.ts';

/** Encryption of the person's own tasks, as this device and the server have it. */
export interface DeskState {
  readonly phase: ScopeSealing['phase'];
  readonly generation: number;
  /** This device has the key. */
  readonly isOpen: boolean;
  /** A passphrase opens it, too. */
  readonly hasPassphrase: boolean;
  /** A passkey opens it, too. */
  readonly hasPasskey: boolean;
  /** Registers that are not yet in the form that the state leads to; null: not known, or nothing is under way. */
  readonly left: number | null;
  /** Contents of attachments that are still to be encrypted, or decrypted. */
  readonly filesLeft: number;
}

/** A code that was made and is in force nowhere yet. */
export interface NewCode {
  readonly prepared: Prepared;
  readonly groups: readonly string[];
  /** Two groups that the person types once more, counted from 0. */
  readonly asked: readonly [number, number];
}

/** One device's encryption, for the dialog. */
export class SealingDesk {
  readonly #keys: DeviceKeys;
  readonly #turning: Turning;
  readonly #platform: SealingPlatform;
  /** How the key comes here from another device, and goes to another. */
  readonly pairing: PairingDesk;

  constructor(platform: SealingPlatform, owner: Owner, pairings: PairingServer) {
    this.#platform = platform;
    this.#keys = new DeviceKeys(platform, owner);
    this.pairing = new PairingDesk({ server: pairings, keys: this.#keys, platform, owner });
    this.#turning = new Turning(this.#keys, platform, owner);
  }

  /** Asks the server, and follows what its directory says. */
  async state(): Promise<Result<DeskState, SealingFailure>> {
    await this.#keys.load();
    const answer = await this.#keys.refresh();
    if (!answer.ok) return answer;
    const { state, left, filesLeft } = answer.value;
    const { phase, generation } = state;
    const isOpen = this.#keys.ring !== null && this.#keys.directory?.state.generation === generation;
    const hasPassphrase = answer.value.wraps['passphrase'] !== undefined;
    const hasPasskey = hasPasskeyWrap(answer.value.wraps);
    return ok({ phase, generation, isOpen, hasPassphrase, hasPasskey, left, filesLeft: filesLeft ?? 0 });
  }

  /** What seals and opens contents of attachments with the key that is on this device. Asks nobody. */
  async files(): Promise<SealedFiles> {
    await this.#keys.load();
    const work = await this.#platform.files();
    return new SealedFiles(this.#keys, { work, random: this.#platform.random });
  }

  /** A new code for the key of this device, or for a new key where it has none. */
  newCode(): NewCode {
    const prepared = prepare(this.#keys, this.#platform);
    const groups = recoveryGroups(prepared.code);
    const chance = new Uint8Array(2);
    this.#platform.random(chance);
    const first = (chance[0] ?? 0) % groups.length;
    const second = (first + 1 + ((chance[1] ?? 0) % (groups.length - 1))) % groups.length;
    return { prepared, groups, asked: first < second ? [first, second] : [second, first] };
  }

  /** Whether a group was typed as it is, however it is written. */
  isGroup({ prepared }: NewCode, group: number, typed: string): boolean {
    return isRecoveryGroup(prepared.code, group, typed);
  }

  begin({ prepared }: NewCode): Promise<Result<unknown, TurnProblem>> {
    return this.#turning.begin(prepared);
  }

  /** Puts a code in force in place of the one before. */
  keep({ prepared }: NewCode): Promise<Result<unknown, TurnProblem>> {
    return this.#turning.keepCode(prepared);
  }

  /** Says where a list goes: out of the sealed scope, back, or neither. Null: the scope is plain. */
  sendList(list: Id, way: ListWay): Promise<Result<unknown, TurnProblem> | null> {
    return sendList({ keys: this.#keys, server: this.#platform.server }, list, way);
  }

  end(): Promise<Result<unknown, TurnProblem>> {
    return this.#turning.end();
  }

  /** A passphrase that opens the account besides the code; null: none from now on. */
  keepPassphrase(text: string | null): Promise<Result<unknown, TurnProblem>> {
    return this.#turning.keepPassphrase(text);
  }

  /** Whether this browser has passkeys. */
  get knowsPasskeys(): boolean {
    return this.#platform.passkeys.isPossible;
  }

  /** A passkey that opens the account besides the code. */
  keepPasskey(): Promise<Result<unknown, TurnProblem>> {
    return this.#turning.keepPasskey();
  }

  unlockByPasskey(): Promise<Result<unknown, UnlockProblem>> {
    return this.#keys.unlockByPasskey();
  }

  /** Opens this device by a recovery code or the passphrase. */
  unlock(typed: string): Promise<Result<unknown, UnlockProblem>> {
    return this.#keys.unlock(typed);
  }
}
