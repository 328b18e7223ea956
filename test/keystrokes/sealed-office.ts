// Desks with the dialog of encryption, and the office over which two of them are paired.
import assert from 'node:assert/strict';
import { randomFillSync, randomUUID } from 'node:crypto';
import type { Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { AccountPort } from '#client/app/app.ts';
import type { FilesPort } from '#client/files/port.ts';
import type { SafetyPort } from '#client/safety/port.ts';
import type { SealingAction, SealingStep } from '#client/sealing/view.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { Pairings, type PairingProblem, type Said } from '#server/pairing/pairings.ts';
import type { PairingServer } from '#sync/sealing/pairing-desk.ts';
import { DeviceKeys } from '#sync/sealing/device-keys.ts';
import type { KeyStore, ListPlatform, SealingFailure, SealingPlatform } from '#sync/sealing/ports.ts';
import type { SharingPort } from '#client/sharing/port.ts';
import { SealingDesk } from '#sync/sealing/sealing-desk.ts';
import { Walk } from '#sync/sealing/walk.ts';
import type { Pairing } from '#wire/pairing.ts';
import { registerChecks } from '#wire/registers.ts';
import { MemoryFiles, noContents } from '../sealing/contents.ts';
import { MemoryKeys, quickPassphrases } from '../sealing/sealed-device.ts';
import { SealedServer } from '../sealing/sealed-server.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { noAccount } from './no-server.ts';

const ACCOUNT = 1;

const OVER: SealingFailure = {
  type: 'refused',
  message: 'That pairing is over. Start again on the new device.',
};

/** Carries what devices say, by the server's own code. */
export class PairingOffice {
  readonly #pairings: Pairings;
  readonly #database: Database;
  /** What somebody between the devices makes of a pairing that is read. */
  change: (seen: Pairing) => Pairing = (seen) => seen;

  private constructor(database: Database) {
    this.#database = database;
    this.#pairings = new Pairings({
      db: database.db,
      clock: { now: () => Date.now() },
      newId: () => randomUUID() as Id,
    });
  }

  static async open(): Promise<PairingOffice> {
    return new PairingOffice(await openDatabase({ dataDir: ':memory:' }));
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** The calls of one device. `isConfirmed`: its person has shown who they are. */
  callsOf(device: string, isConfirmed: () => boolean): PairingServer {
    const speaker = { account: ACCOUNT, session: randomUUID() as Id };
    const answer = (said: Pairing | PairingProblem | null): Result<Pairing, SealingFailure> =>
      said === null || typeof said === 'string' ? failed(OVER) : ok(this.change(said));
    const say = async (id: Id, said: Said) => answer(await this.#pairings.say(speaker, id, said));
    return {
      begin: async (commitment) => answer(await this.#pairings.begin(speaker, device, commitment)),
      waiting: async () => ok(await this.#pairings.waiting(speaker)),
      read: async (id) => answer(await this.#pairings.get(speaker, id)),
      answer: (id, oldKey) => say(id, { step: 'answer', oldKey }),
      reveal: (id, newKey, nonce) => say(id, { step: 'reveal', newKey, nonce }),
      handOver: (id, handed) =>
        isConfirmed()
          ? say(id, { step: 'hand-over', handed })
          : Promise.resolve(failed({ type: 'unconfirmed', message: 'Confirm first.' })),
      take: (id) => say(id, { step: 'take' }),
      refuse: (id) => say(id, { step: 'refuse' }),
    };
  }
}

const nobody = () => Promise.resolve(failed<SealingFailure>(OVER));
const noPairings: PairingServer = {
  begin: nobody,
  waiting: nobody,
  read: nobody,
  answer: nobody,
  reveal: nobody,
  handOver: nobody,
  take: nobody,
  refuse: nobody,
};

function callsOf(office: PairingOffice | undefined, isConfirmed: () => boolean): PairingServer {
  return office?.callsOf('A browser', isConfirmed) ?? noPairings;
}

/** A desk with the dialog of encryption, at a server that others may use, too. */
export class SealedOffice {
  readonly server: SealedServer;
  readonly store = new MemoryKeys();
  readonly files = new MemoryFiles();
  readonly desk: Desk;
  readonly passwords: string[] = [];
  readonly #platform: SealingPlatform;
  /** What the person's passkey answers; null: they show none. */
  passkey: { readonly credential: string; readonly answer: Uint8Array } | null = null;

  constructor(
    server = new SealedServer(SCOPE, ACCOUNT),
    pairings?: PairingOffice,
    attached?: FilesPort,
    shared?: { readonly port: SharingPort; readonly lists?: ListPlatform },
  ) {
    this.server = server;
    const platform = {
      keys: this.store as KeyStore,
      server: server.routes,
      lists:
        shared?.lists ??
        ({
          server() {
            throw new Error('this server has no lists');
          },
          keys: () => new MemoryKeys(),
        } satisfies ListPlatform),
      passphrases: quickPassphrases,
      passkeys: {
        isPossible: true,
        secret: () => Promise.resolve(this.passkey),
      },
      random: (bytes: Uint8Array) => void randomFillSync(bytes),
      checks: registerChecks,
      newId: () => randomUUID() as Id,
      now: () => 1_000,
      name: 'Chrome on Linux',
      files: () => Promise.resolve(this.files.workOf(noContents)),
    };
    this.#platform = platform;
    const safety = {
      confirm: (password: string) => {
        this.passwords.push(password);
        server.isConfirmed = true;
        return Promise.resolve(ok(undefined));
      },
    } as unknown as SafetyPort;
    const account: AccountPort = {
      ...noAccount,
      email: 'ida@example.org',
      sealing: () =>
        Promise.resolve(
          new SealingDesk(
            platform,
            { account: ACCOUNT, scope: SCOPE },
            callsOf(pairings, () => server.isConfirmed),
          ),
        ),
      safety: () => Promise.resolve(safety),
      ...(shared === undefined ? {} : { sharing: () => Promise.resolve(shared.port) }),
    };
    this.desk = new Desk('> A', {
      sync: { type: 'synced' },
      isConfirmed: true,
      account,
      ...(attached === undefined ? {} : { attached }),
    });
  }

  async #keys(): Promise<DeviceKeys> {
    const keys = new DeviceKeys(this.#platform, { account: ACCOUNT, scope: SCOPE });
    await keys.load();
    await keys.refresh();
    return keys;
  }

  /** Does what the copy of this device does when the scope is on its way: everything gets its form. */
  async finish(): Promise<boolean> {
    const { server, checks } = this.#platform;
    const keys = await this.#keys();
    return await new Walk({ keys, server, checks, breathe: () => Promise.resolve() }).run();
  }

  /** Says that this device has the key, as its copy does. */
  async announce(): Promise<void> {
    await (await this.#keys()).announce();
  }

  /** Whether this device has kept a key. */
  get hasKey(): boolean {
    return this.store.kept !== null;
  }

  get step(): SealingStep | null {
    const dialog = this.desk.app.view.dialog.get();
    return dialog?.type === 'sealing' ? dialog.sealing.step : null;
  }

  async settled(): Promise<void> {
    for (let turn = 0; turn < 30; turn += 1) await this.desk.settle();
  }

  /** Lets a second pass, after which the dialog looks again, and all of it happen. */
  async wait(): Promise<void> {
    this.desk.timers.advance(1_000);
    await this.settled();
    this.desk.timers.advance(1_000);
    await this.settled();
  }

  async run(command: string): Promise<SealingStep | null> {
    this.desk.app.run(command);
    await this.settled();
    return this.step;
  }

  async answer(action: SealingAction): Promise<SealingStep | null> {
    this.desk.app.answer('sealing', action);
    await this.settled();
    return this.step;
  }

  /** As `finish`, and everybody here knows of it. */
  async finishAndClose(): Promise<void> {
    assert.ok(await this.finish());
    this.desk.engine.known = { isApart: true };
    this.desk.app.closeDialog();
    await this.settled();
  }

  /** Goes as far as to the code, and gives it. */
  async code(command = 'sealing.turnOn'): Promise<Extract<SealingStep, { readonly type: 'code' }>> {
    const first = await this.run(command);
    const step = first?.type === 'check' ? await this.answer({ action: 'next' }) : first;
    assert.ok(step?.type === 'code');
    return step;
  }

  async typeAgain({
    groups,
    asked,
  }: Extract<SealingStep, { readonly type: 'code' }>): Promise<SealingStep | null> {
    await this.answer({ action: 'next' });
    const [group0 = '', group1 = ''] = asked.map((group) => (groups[group] ?? '').toLowerCase());
    return this.answer({ action: 'send', values: { group0, group1 } });
  }

  async turnOn(): Promise<string> {
    const shown = await this.code();
    await this.typeAgain(shown);
    return shown.groups.join('-');
  }
}
