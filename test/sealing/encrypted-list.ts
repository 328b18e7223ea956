// People with encrypted accounts on a whole server, and a list that stays encrypted while they share it: for every test of such lists.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id } from '#core/ids.ts';
import { openDatabase, type Database } from '#server/data/database.ts';
import { isKnown } from '#sync/rows/row.ts';
import { leftIn } from '#sync/sealing/reencoding.ts';
import { callSharing, confirmEmail, joinList, told } from '../sharing.ts';
import { newDisk, SealedDevice, type Disk } from './sealed-device.ts';
import { WholeOffice } from './whole-office.ts';

/** In every text that nobody but the members may read. */
export const SECRET = 'canarysharedzq9';

/** However long a database takes to answer. */
const MOST_TURNS = 60;

/** Somebody with one device, which has the key of their account. */
export interface Somebody {
  readonly office: WholeOffice;
  readonly device: SealedDevice;
}

/** Syncs until everything that was begun has come to its end. */
export async function settle(...people: readonly (Somebody | SealedDevice)[]): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1)
    for (const each of people) await ('device' in each ? each.device : each).sync();
}

/** Syncs until something has happened: contents are sealed beside other work. */
export async function until(is: () => boolean | Promise<boolean>, ...people: readonly Somebody[]) {
  for (let round = 0; !(await is()); round += 1) {
    assert.ok(round < 40, 'it happens');
    await settle(...people);
  }
}

/** Somebody whose account is encrypted. */
export async function encrypted(office: WholeOffice, disk: Disk = newDisk()): Promise<Somebody> {
  await confirmEmail(office.server, office.account);
  const device = await new SealedDevice(office, disk).start();
  await device.turnOn();
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    await device.sync();
    const read = await office.routes.read();
    if (turn >= 3 && read.ok && read.value.state.phase === 'sealed') break;
  }
  return { office, device };
}

/** Another device of somebody, with the key of their account and nothing else. */
export async function another({ office, device }: Somebody): Promise<Somebody> {
  const disk = newDisk();
  disk.store.kept = device.disk.store.kept;
  return { office, device: await new SealedDevice(office, disk).start() };
}

/** A server with an owner, Ida, who has a list. */
export class World {
  readonly ida: Somebody;
  readonly list: Id;
  readonly #dataDir: string;
  readonly #devices: SealedDevice[] = [];
  scope = '' as Id;

  private constructor(ida: Somebody, list: Id, dataDir: string) {
    this.ida = ida;
    this.list = list;
    this.#dataDir = dataDir;
    this.#devices.push(ida.device);
  }

  /** `database`: another one than SQLite in a folder of its own. */
  static async open(database?: () => Promise<Database>): Promise<World> {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthaste-kept-'));
    const office = await WholeOffice.open(database ?? (() => openDatabase({ dataDir })));
    const ida = await encrypted(office);
    const list = ida.device.add(`${SECRET} trip`);
    await settle(ida);
    return new World(ida, list, dataDir);
  }

  call({ office }: Somebody, call: string, body?: unknown) {
    return told(callSharing(office.server, office.session, call, body));
  }

  /** Shares the list as it is, as the dialog does, once the server has it: databases answer in their own time. */
  async share(): Promise<void> {
    const { ida, list } = this;
    await until(() => ida.device.engine.facts().pending.length === 0, ida);
    const founded = await ida.device.lists.found();
    assert.ok(founded.ok);
    const { scope, directory } = founded.value;
    const answer = await this.call(ida, `POST sharing/lists/${list}/encrypted`, { scope, directory });
    assert.equal(answer.status, 200, JSON.stringify(answer));
    this.scope = scope;
    await settle(ida);
  }

  /** The link with its secret, as it is sent to somebody. */
  async link(of: Somebody = this.ida): Promise<{ readonly token: string; readonly secret: string }> {
    const { link } = await this.call(of, `GET sharing/lists/${this.list}`);
    const secret = await of.device.lists.secretOf(this.scope);
    assert.ok(secret.ok, JSON.stringify(secret));
    return { token: (link as { token: string }).token, secret: secret.value };
  }

  async comes(name: string): Promise<Somebody> {
    const somebody = await encrypted(await this.ida.office.neighbour(`${name}@example.org`));
    this.#devices.push(somebody.device);
    return somebody;
  }

  /** Joins by the link, as the dialog does. */
  async joins(
    somebody: Somebody,
    { token, secret }: { readonly token: string; readonly secret: string | null },
  ) {
    const { office, device } = somebody;
    await joinList(office.server, office.session, token);
    const done = secret === null ? null : await device.lists.join(this.scope, secret);
    await settle(somebody);
    return done;
  }

  /** Somebody who has joined by the link. */
  async joined(name: string): Promise<Somebody> {
    const somebody = await this.comes(name);
    const done = await this.joins(somebody, await this.link());
    assert.ok(done?.ok, JSON.stringify(done));
    return somebody;
  }

  /** Whether a text is in the files of the database, or in one of a content that was attached. */
  async has(text: string): Promise<boolean> {
    for (const folder of [this.#dataDir, this.ida.office.server.files]) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      for (const entry of entries) {
        if (!entry.isFile()) continue;
        if ((await readFile(join(entry.parentPath, entry.name))).includes(text)) return true;
      }
    }
    return false;
  }

  /** Rows of the list's scope that hold something in another form than its state asks for. */
  async left(): Promise<readonly Id[]> {
    const { store } = this.ida.office.server.database;
    const state = (await store.scope(this.scope))?.sealing;
    assert.ok(state);
    const rows = await store.snapshot(this.scope, null, 10_000);
    return rows.flatMap((row) => (isKnown(row) && leftIn(state, row) > 0 ? [row.id] : []));
  }

  async state() {
    return (await this.ida.office.server.database.store.scope(this.scope))?.sealing;
  }

  async close(...more: readonly SealedDevice[]): Promise<void> {
    for (const device of [...this.#devices, ...more]) await device.close();
    await this.ida.office.close();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
