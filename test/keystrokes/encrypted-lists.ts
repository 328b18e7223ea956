// Lists that stay encrypted at a server in memory, as the devices of several people see them: for desks. It keeps what it is told and reads none of it.
import { randomFillSync, randomUUID } from 'node:crypto';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
import { failed, ok } from '#core/result.ts';
import { newAccountKey } from '#core/sealing/keys.ts';
import type { PublicIdentity } from '#core/sealing/identity.ts';
import { DeviceKeys } from '#sync/sealing/device-keys.ts';
import { uncheckedDirectory, type SealedDirectory } from '#sync/sealing/directory.ts';
import { ListDesk } from '#sync/sealing/lists/list-desk.ts';
import type { ListPlatform, ListServer, SealingPlatform } from '#sync/sealing/ports.ts';
import { registerChecks } from '#wire/registers.ts';
import { noContents, MemoryFiles } from '../sealing/contents.ts';
import { MemoryKeys, noPasskeys, quickPassphrases } from '../sealing/sealed-device.ts';
import { SealedServer } from '../sealing/sealed-server.ts';

const random = (bytes: Uint8Array) => void randomFillSync(bytes);

/** The server of all encrypted lists, and who is in them for it. */
export class EncryptedLists {
  readonly #scopes = new Map<Id, SealedServer>();
  readonly #identities = new Map<number, PublicIdentity>();
  /** Accounts that the server names as members. */
  readonly members: number[] = [];

  begin(scope: Id, directory: SealedDirectory): void {
    const server = this.#at(scope);
    server.state = must(uncheckedDirectory(directory), 'a directory').state;
    server.directory = directory;
  }

  #at(scope: Id): SealedServer {
    const server = this.#scopes.get(scope) ?? new SealedServer(scope, 0);
    this.#scopes.set(scope, server);
    return server;
  }

  /** The server says other public keys of somebody than they have told. */
  exchange(account: number, identity: PublicIdentity): void {
    this.#identities.set(account, identity);
  }

  identityOf(account: number): PublicIdentity | undefined {
    return this.#identities.get(account);
  }

  /** The lists as the devices of one account see them. */
  of(account: number): ListPlatform {
    const kept = new Map<Id, MemoryKeys>();
    const server = (scope: Id): ListServer => {
      const { routes } = this.#at(scope);
      return {
        ...routes,
        members: () =>
          Promise.resolve(
            ok(this.members.map((each) => ({ account: each, identity: this.#identities.get(each) ?? null }))),
          ),
        tellIdentity: (identity) => {
          this.#identities.set(account, identity);
          return Promise.resolve(ok(null));
        },
      };
    };
    return {
      server(scope) {
        return server(scope);
      },
      keys(scope) {
        const keys = kept.get(scope) ?? new MemoryKeys();
        kept.set(scope, keys);
        return keys;
      },
    };
  }

  /** Somebody else with an encrypted account, as far as lists go. */
  async somebody(account: number): Promise<ListDesk> {
    const store = new MemoryKeys();
    store.kept = { key: newAccountKey(random), pin: null, directory: null };
    const own = new SealedServer(randomUUID() as Id, account);
    const platform: SealingPlatform = {
      keys: store,
      server: {
        ...own.routes,
        step: () => Promise.resolve(failed({ type: 'refused', message: 'not here' })),
      },
      lists: this.of(account),
      passphrases: quickPassphrases,
      passkeys: noPasskeys,
      random,
      checks: registerChecks,
      newId: () => randomUUID() as Id,
      now: () => 1_000,
      name: 'Another device',
      files: () => Promise.resolve(new MemoryFiles().workOf(noContents)),
    };
    const keys = new DeviceKeys(platform, { account, scope: own.scope });
    await keys.load();
    return new ListDesk(platform, { account, keys });
  }
}
