// A device of a sealed account: the production engine with its loop, on a disk and a network in memory.
import { randomFillSync, randomUUID } from 'node:crypto';
import { listsRoot, type Id } from '#core/ids.ts';
import { ok } from '#core/result.ts';
import { leastStretching, openByPassphrase, wrapByPassphrase } from '#core/sealing/wraps.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import type { Transport } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { mergeNote } from '#sync/notes/note-merging.ts';
import { NoteSession } from '#sync/notes/note-session.ts';
import { noteDocOf, noteTextOf } from '#sync/notes/note.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { keepsEncrypted } from '#client/sealing/writes-locked.ts';
import { DeviceKeys } from '#sync/sealing/device-keys.ts';
import type {
  KeptKeys,
  KeyStore,
  PasskeyWork,
  PassphraseWork,
  SealingPlatform,
  ListServer,
  SealingServer,
} from '#sync/sealing/ports.ts';
import { ListKeys } from '#sync/sealing/lists/list-keys.ts';
import { ListDesk } from '#sync/sealing/lists/list-desk.ts';
import { sendLists } from '#sync/sealing/leaving/list-walk.ts';
import type { ListWay } from '#sync/sealing/scope-state.ts';
import { SealedFiles } from '#sync/sealing/sealed-files.ts';
import { prepare, Turning, type Prepared } from '#sync/sealing/turning.ts';
import { registerChecks } from '#wire/registers.ts';
import { MemoryFiles, noContents, type ContentOffice } from './contents.ts';

const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };

/** Everything that is ready to happen has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Passphrases on the thread that asks, with as little stretching as is accepted. */
export const quickPassphrases: PassphraseWork = {
  wrap: (key, passphrase) =>
    Promise.resolve(ok(wrapByPassphrase(key, { ...passphrase, stretching: leastStretching }, random.fill))),
  open: (wrapped, passphrase) => Promise.resolve(openByPassphrase(wrapped, passphrase)),
};

/** A browser without passkeys. */
export const noPasskeys: PasskeyWork = { isPossible: false, secret: () => Promise.resolve(null) };

export class MemoryKeys implements KeyStore {
  kept: KeptKeys | null = null;
  read(): Promise<KeptKeys | null> {
    return Promise.resolve(this.kept);
  }
  write(kept: KeptKeys): Promise<void> {
    this.kept = kept;
    return Promise.resolve();
  }
  erase(): Promise<void> {
    this.kept = null;
    return Promise.resolve();
  }
}

/** What a device of an account has to do with: a server in memory (sealed-server.ts), or a whole one. */
export interface Office {
  readonly scope: Id;
  readonly account: number;
  readonly routes: SealingServer;
  /** Absent: there are no shared lists. */
  listServer?(scope: Id): ListServer;
  /** Absent: there are no files. */
  readonly contents?: ContentOffice;
  transport(): Transport;
}

/** What survives a restart of a device. */
export interface Disk {
  readonly contents: MemoryContents;
  readonly store: MemoryKeys;
  readonly files: MemoryFiles;
  /** Keys of lists that stay encrypted, by scope. */
  readonly lists: Map<Id, MemoryKeys>;
}

export const newDisk = (): Disk => ({
  contents: new MemoryContents(),
  store: new MemoryKeys(),
  files: new MemoryFiles(),
  lists: new Map(),
});

export class SealedDevice {
  readonly disk: Disk;
  readonly engine: Engine;
  readonly keys: DeviceKeys;
  readonly turning: Turning;
  /** Lists that stay encrypted. */
  readonly lists: ListDesk;
  readonly #server: Office;
  readonly #platform: SealingPlatform;
  isOnline = true;
  /** What encryption takes for the time. */
  now = 1_000;
  /** How often what seals and opens was loaded. */
  loads = 0;

  constructor(server: Office, disk: Disk = newDisk()) {
    this.#server = server;
    this.disk = disk;
    const owner = { account: server.account, scope: server.scope };
    this.#platform = {
      keys: disk.store,
      server: server.routes,
      lists: {
        server(scope) {
          if (server.listServer === undefined) throw new Error('this server has no lists');
          return server.listServer(scope);
        },
        keys(scope) {
          const kept = disk.lists.get(scope) ?? new MemoryKeys();
          disk.lists.set(scope, kept);
          return kept;
        },
      },
      passphrases: quickPassphrases,
      passkeys: noPasskeys,
      random: random.fill,
      checks: registerChecks,
      newId: () => randomUUID() as Id,
      now: () => this.now,
      name: 'Test device',
      files: () => Promise.resolve(disk.files.workOf(server.contents ?? noContents)),
    };
    this.keys = new DeviceKeys(this.#platform, owner);
    this.lists = new ListDesk(this.#platform, { account: server.account, keys: this.keys });
    this.turning = new Turning(this.keys, this.#platform, owner);
    const network = server.transport();
    this.engine = createEngine(
      {
        checks: registerChecks,
        storage: createMemoryStorage(disk.contents),
        transport: {
          ...network,
          sync: (request) =>
            this.isOnline
              ? network.sync(request)
              : Promise.resolve({ ok: false, problem: { type: 'offline' } }),
          sealing: () => {
            this.loads += 1;
            return Promise.resolve(this.#platform);
          },
        },
        clock: { now: () => 1_000, monotonic: () => 0 },
        // Only what is due at once: nothing here waits for back-offs and safety pulls.
        timers: {
          after(delayMs, work) {
            const timer = delayMs === 0 ? setImmediate(work) : undefined;
            return () => clearImmediate(timer);
          },
        },
        random,
      },
      owner,
    );
  }

  async start(): Promise<this> {
    await this.engine.open();
    await this.engine.loaded();
    this.engine.replica.learnToMerge(mergeNote);
    this.engine.replica.learnToKeep(keepsEncrypted);
    await settled();
    return this;
  }

  async sync(): Promise<void> {
    this.engine.nudge();
    await settled();
  }

  add(title: string): Id {
    const { replica } = this.engine;
    const id = replica.newId();
    const place = { parent: listsRoot(this.#server.scope) };
    replica.issue([{ a: 'create', id, type: 'list', fields: { name: title, listType: 'list' }, place }]);
    return id;
  }

  /** A task beneath a list or a task. */
  addTask(parent: Id, title: string): Id {
    const { replica } = this.engine;
    const id = replica.newId();
    replica.issue([{ a: 'create', id, type: 'task', fields: { title }, place: { parent } }]);
    return id;
  }

  /** A task with a file, sealed before it waits where the scope is sealed, as the app does it. Sends the file if it can. */
  async attach(name: string, content: Uint8Array, parent: Id = this.add(`For ${name}`)): Promise<Id> {
    const { replica } = this.engine;
    const [task, id] = [replica.newId(), replica.newId()];
    replica.issue([{ a: 'create', id: task, type: 'task', fields: { title: name }, place: { parent } }]);
    const scope = this.row(parent)?.scope ?? this.#server.scope;
    const list = this.engine.facts().lists?.[scope] === undefined ? null : scope;
    const files = await this.files(list);
    const isApart = list !== null || (scope === this.#server.scope && this.engine.facts().isApart);
    const sealed = isApart && files.form !== 'plain' ? await files.seal(id, content) : null;
    if (sealed?.ok === false) throw new Error(sealed.problem.type);
    const sent = sealed?.value.bytes ?? content;
    const hash = await this.disk.files.keep(sent);
    const says = sealed === null ? {} : { content: sealed.value.content };
    const fields = { name, fileType: '', sizeBytes: sent.length, hash, ...says };
    replica.issue([{ a: 'create', id, type: 'attachment', fields, place: { parent: task } }]);
    if (this.isOnline) await this.send(hash, scope);
    return id;
  }

  /** Sends a content that waits. */
  async send(hash: string, scope = this.#server.scope): Promise<'sent' | 'offline' | 'refused'> {
    const work = await this.#platform.files();
    const content = await work.kept(hash);
    if (content === null) throw new Error('the content is here');
    return await work.send(scope, hash, content);
  }

  /** What seals and opens contents of the own scope, or of an encrypted list, as the dialog of files has it. */
  async files(list: Id | null = null): Promise<SealedFiles> {
    const { account, scope } = this.#server;
    const keys =
      list === null ? new DeviceKeys(this.#platform, { account, scope }) : this.lists.keysHere(list);
    await keys.load();
    return new SealedFiles(keys, { work: await this.#platform.files(), random: random.fill });
  }

  /** What an attachment names. */
  file(id: Id): Readonly<Row & { type: 'attachment' }>['fields'] {
    const row = this.row(id);
    if (row?.type !== 'attachment') throw new Error('the attachment is here');
    return row.fields;
  }

  /** The content of an attachment as text, as a person sees it who opens it, from the server; a word for why not. */
  async read(id: Id): Promise<string> {
    const { content } = this.file(id);
    const scope = this.row(id)?.scope ?? this.#server.scope;
    const sent = await this.#server.contents?.fetchFile(scope, id);
    if (!(sent instanceof Uint8Array)) return sent ?? 'missing';
    if (content === undefined || content === null) return Buffer.from(sent).toString();
    const opened = await (await this.files(content.scope ?? null)).open(content, sent);
    return opened.ok ? Buffer.from(opened.value).toString() : opened.problem.type;
  }

  rename(id: Id, name: string): void {
    const field = this.row(id)?.type === 'task' ? 'title' : 'name';
    this.engine.replica.issue([{ a: 'set', id, field, value: name }]);
  }

  row(id: Id): Row | undefined {
    return this.engine.replica.row(id);
  }

  name(id: Id): unknown {
    const row = this.row(id);
    return fieldOf(row, row?.type === 'task' ? 'title' : 'name');
  }

  notes(id: Id): string {
    const row = this.row(id);
    return row === undefined ? '' : noteTextOf(row);
  }

  /** Edits a note as an editor does. */
  write(id: Id, text: string): void {
    const row = this.row(id);
    if (row === undefined) throw new Error('the row is here');
    const session = new NoteSession(() => randomFillSync(new Uint32Array(1))[0] ?? 0);
    session.load(noteTextOf(row), noteDocOf(row));
    this.engine.replica.issue([{ a: 'note', id, ...session.change(text, true) }]);
  }

  /** Turns encryption on as the dialog does. */
  async turnOn(): Promise<Prepared> {
    await this.keys.load();
    const prepared = prepare(this.keys, this.#platform);
    const begun = await this.turning.begin(prepared);
    if (!begun.ok) throw new Error(begun.problem.type);
    await this.sync();
    return prepared;
  }

  /** A new code for the key that is here, in force once `turning.keepCode` has sent it. */
  newCode(): Prepared {
    return prepare(this.keys, this.#platform);
  }

  /** Says where a list of the sealed scope goes, as the dialogs of sharing do. */
  async move(list: Id, way: ListWay): Promise<void> {
    const sent = await sendLists({ keys: this.keys, server: this.#server.routes }, { [list]: way });
    if (sent?.ok !== true) throw new Error(sent === null ? 'it is plain' : sent.problem.type);
  }

  /** The keys of a list as they lie on this device. */
  async listKeys(scope: Id): Promise<ListKeys> {
    const keys = new ListKeys(this.#platform, scope, { account: this.#server.account, keys: this.keys });
    await keys.load();
    return keys;
  }

  async close(): Promise<void> {
    await this.engine.close();
  }
}
