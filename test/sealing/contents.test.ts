// Contents of attachments of an encrypted account: sealed before they leave their device, opened on others, and brought into their form where they
// were there before. Two devices and a whole server with its files.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sealedFileBytes } from '#core/sealing/files.ts';
import { openDatabase } from '#server/data/database.ts';
import { SealedDevice, newDisk, settled, type Disk } from './sealed-device.ts';
import { WholeOffice } from './whole-office.ts';

const CANARY = 'canary-content-zq7';
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Everything in a folder, files of the database among them. */
async function filesIn(folder: string): Promise<readonly Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return await Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  );
}

describe('contents of attachments in an encrypted account', () => {
  let office: WholeOffice;
  let dataDir: string;
  const open: SealedDevice[] = [];
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'posthaste-contents-'));
    office = await WholeOffice.open(() => openDatabase({ dataDir }));
  });
  after(async () => {
    for (const device of open) await device.close();
    await office.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function device(disk: Disk = newDisk()): Promise<SealedDevice> {
    const started = await new SealedDevice(office, disk).start();
    open.push(started);
    return started;
  }

  /** As if everything had been stored yesterday: what is younger than an hour is left to housekeeping. */
  async function age(): Promise<void> {
    for (const entry of await readdir(office.server.files, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), 1_000, 1_000);
  }

  /** Where the text is in what the server keeps. */
  async function kept(text: string): Promise<number> {
    const all = [...(await filesIn(dataDir)), ...(await filesIn(office.server.files))];
    return all.filter((content) => content.includes(text)).length;
  }

  async function sealedBy(one: SealedDevice): Promise<string> {
    const { code } = await one.turnOn();
    for (let round = 0; round < 6; round += 1) await one.sync();
    const state = await office.routes.read();
    assert.ok(state.ok);
    assert.equal(state.value.state.phase, 'sealed');
    return code;
  }

  test('[SEAL-150] old ones are sealed once their account is, and opened by another device; the server keeps nothing of before', async () => {
    const one = await device();
    await one.sync();
    const old = await one.attach('old.txt', bytesOf(`${CANARY} old`));
    await one.sync();
    const plain = one.file(old).hash;
    await age();
    assert.equal(await kept(CANARY), 1);
    const code = await sealedBy(one);
    await settled();
    await one.sync();
    const { hash, sizeBytes, content } = one.file(old);
    assert.notEqual(hash, plain);
    assert.equal(sizeBytes, sealedFileBytes(`${CANARY} old`.length));
    assert.deepEqual(content, { hash: plain, bytes: `${CANARY} old`.length, of: old });
    assert.equal(await kept(CANARY), 0);
    assert.equal(await one.read(old), `${CANARY} old`);

    const two = await device();
    await two.sync();
    assert.equal(two.file(old).content, undefined);
    assert.ok((await two.keys.unlock(code)).ok);
    await two.sync();
    assert.equal(await two.read(old), `${CANARY} old`);
    const fresh = await two.attach('new.txt', bytesOf(`${CANARY} new`));
    await two.sync();
    await one.sync();
    assert.equal(await one.read(fresh), `${CANARY} new`);
    assert.equal(await kept(CANARY), 0);
  });
});
