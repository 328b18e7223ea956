// An account with files: a whole server on a disk, and devices with the production engine.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openDatabase } from '#server/data/database.ts';
import { SealedDevice, newDisk, type Disk } from './sealed-device.ts';
import { WholeOffice } from './whole-office.ts';

/** Everything in a folder, files of the database among them. */
async function filesIn(folder: string): Promise<readonly Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  );
}

/** An account with its server on a disk, and devices. */
export class Account {
  readonly office: WholeOffice;
  readonly #dataDir: string;
  readonly #open: SealedDevice[] = [];

  private constructor(office: WholeOffice, dataDir: string) {
    this.office = office;
    this.#dataDir = dataDir;
  }

  static async open(t: TestContext): Promise<Account> {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthaste-contents-'));
    const account = new Account(await WholeOffice.open(() => openDatabase({ dataDir })), dataDir);
    t.after(async () => {
      for (const device of account.#open) await device.close();
      await account.office.close();
      await rm(dataDir, { recursive: true, force: true });
    });
    return account;
  }

  async device(disk: Disk = newDisk()): Promise<SealedDevice> {
    const started = await new SealedDevice(this.office, disk).start();
    this.#open.push(started);
    await started.sync();
    return started;
  }

  /** A device that has the key. */
  async opened(code: string, disk: Disk = newDisk()): Promise<SealedDevice> {
    const device = await this.device(disk);
    assert.ok((await device.keys.unlock(code)).ok);
    await device.sync();
    return device;
  }

  /** As if all that is stored were from long ago: what is younger than an hour is left to housekeeping. */
  async age(): Promise<void> {
    for (const entry of await readdir(this.office.server.files, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), 1_000, 1_000);
  }

  /** How many files of the server have the text in them. */
  async kept(text: string): Promise<number> {
    const all = [...(await filesIn(this.#dataDir)), ...(await filesIn(this.office.server.files))];
    return all.filter((content) => content.includes(text)).length;
  }

  async state() {
    const state = await this.office.routes.read();
    assert.ok(state.ok);
    return state.value;
  }

  /** Lets a device and the server come to an end with what is under way. */
  async settle(...devices: readonly SealedDevice[]): Promise<void> {
    for (let round = 0; round < 2; round += 1)
      for (const device of devices) {
        await device.sync();
      }
  }

  /** As `settle`, until something has happened. */
  async until(has: () => boolean | Promise<boolean>, ...devices: readonly SealedDevice[]): Promise<void> {
    for (let round = 0; !(await has()); round += 1) {
      assert.ok(round < 100, 'it happens');
      await this.settle(...devices);
    }
  }

  /** No content is left in its earlier form, and devices know. */
  async formed(...devices: readonly SealedDevice[]): Promise<void> {
    await this.until(async () => (await this.state()).filesLeft === 0, ...devices);
    await this.settle(...devices);
  }

  /** Turns encryption on at a device; answers the code. */
  async seal(one: SealedDevice, ...others: readonly SealedDevice[]): Promise<string> {
    const { code } = await one.turnOn();
    await this.settle(one, ...others);
    await this.until(async () => (await this.state()).state.phase === 'sealed', one, ...others);
    return code;
  }

  async unseal(one: SealedDevice): Promise<void> {
    await one.keys.load();
    assert.ok((await one.turning.end()).ok);
    await this.settle(one);
    await this.until(async () => (await this.state()).state.phase === 'plain', one);
  }
}
