// What a person does about encryption on one device, behind its dialog: sees the state, turns it on and off, opens this device by a code, and
// gets a new one. Works beside the copy's own transport, which hears of it from the server and finds the key where it is kept.
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { Owner } from '#core/sealing/keys.ts';
import { isRecoveryGroup, recoveryGroups } from '#core/sealing/recovery-code.ts';
import { wrapsIn, type KeyHolder } from './directory.ts';
import { DeviceKeys, isPasskeyWrap, type UnlockProblem } from './device-keys.ts';
import { ListDesk } from './lists/list-desk.ts';
import { sendLists } from './leaving/list-walk.ts';
import { PairingDesk, type PairingServer } from './pairing-desk.ts';
import type { SealingFailure, SealingPlatform } from './ports.ts';
import type { ListWay, ScopeSealing } from './scope-state.ts';
import { SealedFiles } from './sealed-files.ts';
import { prepare, prepareNewKey, Turning, type Prepared, type TurnProblem } from './turning.ts';

/** Encryption of the person's own tasks, as this device and the server have it. */
export interface DeskState {
  readonly phase: ScopeSealing['phase'];
  readonly generation: number;
  /** This device has the key. */
  readonly isOpen: boolean;
  /** This device has the key of before: another one has made a new one since. */
  readonly isOutdated: boolean;
  /** A passphrase opens it, too. */
  readonly hasPassphrase: boolean;
  /** A passkey opens it, too. */
  readonly hasPasskey: boolean;
  /** Devices that said that they have the key, this one among them, oldest first. Nothing while this device is locked. */
  readonly devices: readonly DeskDevice[];
  /** Registers that are not yet in the form that the state leads to; null: not known, or nothing is under way. */
  readonly left: number | null;
  /** Contents of attachments that are still to be encrypted, or decrypted. */
  readonly filesLeft: number;
  /** The server can't be asked: this is how the device knows it. */
  readonly isOffline?: true;
}

/** A device that has the key, by its own word. */
export interface DeskDevice extends KeyHolder {
  readonly isThis: boolean;
}

/** A code that was made and is in force nowhere yet. */
export interface NewCode {
  readonly prepared: Prepared;
  readonly groups: readonly string[];
  /** Two groups that the person types once more, counted from 0. */
  readonly asked: readonly [number, number];
}

const OFFLINE_WITHOUT_KEY: SealingFailure = {
  type: 'offline',
  message: 'This device has no key, so what is encrypted is locked here. Go online to unlock it.',
};

/** One device's encryption, for the dialog. */
export class SealingDesk {
  readonly #keys: DeviceKeys;
  readonly #turning: Turning;
  readonly #platform: SealingPlatform;
  /** How the key comes here from another device, and goes to another. */
  readonly pairing: PairingDesk;
  /** Lists that stay encrypted while they are shared. */
  readonly lists: ListDesk;

  constructor(platform: SealingPlatform, owner: Owner, pairings: PairingServer) {
    this.#platform = platform;
    this.#keys = new DeviceKeys(platform, owner);
    this.pairing = new PairingDesk({ server: pairings, keys: this.#keys, platform, owner });
    this.lists = new ListDesk(platform, { account: owner.account, keys: this.#keys });
    this.#turning = new Turning(this.#keys, platform, owner);
  }

  /** Asks the server, and follows what its directory says. `alsoOffline`: what the device knows is enough. */
  async state(alsoOffline = false): Promise<Result<DeskState, SealingFailure>> {
    await this.#keys.load();
    const answer = await this.#keys.refresh();
    if (!answer.ok) return alsoOffline && answer.problem.type === 'offline' ? this.#known() : answer;
    const { phase, generation } = answer.value.state;
    const followed = this.#keys.directory?.state.generation;
    const isOpen = this.#keys.ring !== null && followed === generation;
    const isOutdated = this.#keys.key !== null && followed !== undefined && followed < generation;
    const wraps = wrapsIn(answer.value);
    const hasPassphrase = wraps['passphrase'] !== undefined;
    const hasPasskey = Object.keys(wraps).some(isPasskeyWrap);
    const devices = isOpen ? this.#devices() : [];
    const { left, filesLeft } = answer.value;
    return ok({
      phase,
      generation,
      isOpen,
      isOutdated,
      hasPassphrase,
      hasPasskey,
      devices,
      left,
      filesLeft: filesLeft ?? 0,
    });
  }

  /** How it stands by what this device keeps. */
  #known(): Result<DeskState, SealingFailure> {
    const { key, ring, state, directory } = this.#keys;
    if (key === null || ring === null || directory === null) return failed(OFFLINE_WITHOUT_KEY);
    return ok({
      phase: state.phase,
      generation: state.generation,
      isOpen: true,
      isOutdated: false,
      hasPassphrase: false,
      hasPasskey: false,
      devices: this.#devices(),
      left: null,
      filesLeft: 0,
      isOffline: true,
    });
  }

  #devices(): readonly DeskDevice[] {
    const own = this.#keys.ownHolder;
    return Object.entries<KeyHolder>({ ...this.#keys.directory?.devices, ...own })
      .map(([id, holder]) => ({ ...holder, isThis: Object.hasOwn(own, id) }))
      .toSorted((one, other) => one.at - other.at);
  }

  /** How many older values the server gave back in the place of later ones. Told once. */
  tellReplays(): Promise<number> {
    return this.#keys.tellReplays();
  }

  /** Whether this device has a key, as it is kept now. */
  async hasKey(): Promise<boolean> {
    return (await this.#platform.keys.read()) !== null;
  }

  /** This device is to forget the key: its copy locks what is open here, and then erases it. */
  async leave(): Promise<void> {
    await this.#keys.load();
    await this.#keys.leave();
  }

  /**
   * What seals and opens contents of attachments with the keys that are on this device: those of the own scope, or of a list that stays
   * encrypted. Asks nobody.
   */
  async files(list: Id | null = null): Promise<SealedFiles> {
    const keys = list === null ? this.#keys : this.lists.keysHere(list);
    await keys.load();
    const work = await this.#platform.files();
    return new SealedFiles(keys, { work, random: this.#platform.random });
  }

  /** A new code for the key of this device, or for a new key where it has none. */
  newCode(): NewCode {
    return this.#shown(prepare(this.#keys, this.#platform));
  }

  /** A new key with its code, to take the place of the present one. */
  newKey(): NewCode {
    return this.#shown(prepareNewKey(this.#platform));
  }

  #shown(prepared: Prepared): NewCode {
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
    return sendLists({ keys: this.#keys, server: this.#platform.server }, { [list]: way });
  }

  /** Puts a new key in the place of the present one. */
  rotate({ prepared }: NewCode): Promise<Result<unknown, TurnProblem>> {
    return this.#turning.rotate(prepared);
  }

  /** No passkey opens the account any more. */
  removePasskeys(): Promise<Result<unknown, TurnProblem>> {
    return this.#turning.removePasskeys(null);
  }

  /** This passkey opens the account no more. `credential`: its id. */
  async removePasskey(credential: string): Promise<Result<unknown, TurnProblem>> {
    await this.#keys.load();
    return await this.#turning.removePasskeys(credential);
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
