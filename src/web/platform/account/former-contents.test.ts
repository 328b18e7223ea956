// Contents that an erased account leaves on a device: those that were encrypted stay readable without its key.
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { randomFillSync, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { listsRoot, type Id } from '#core/ids.ts';
import { newAccountKey, newGenerationKey } from '#core/sealing/keys.ts';
import { wrapGeneration } from '#core/sealing/wraps.ts';
import { adoptActions } from '#sync/replica/adopt.ts';
import { asRow, type Row } from '#sync/rows/row.ts';
import type { SealingPlatform } from '#sync/sealing/ports.ts';
import { registerChecks } from '#wire/registers.ts';
import { DeviceKeys } from '#sync/sealing/device-keys.ts';
import { writeDirectory } from '#sync/sealing/directory.ts';
import { SealedFiles } from '#sync/sealing/sealed-files.ts';
import { contentWork } from '../storage/content-work.ts';
import { openFiles, storeContent } from '../storage/file-store.ts';
import { createKeyStore, createListKeyStore, forgetKeys } from '../storage/key-store.ts';
import { keepFormer } from './former-contents.ts';

const owner = { account: 7, scope: '01900000-0000-7000-8000-000000000000' as Id };
const random = (bytes: Uint8Array) => void randomFillSync(bytes);
const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}` as Id;

const nothing = () => Promise.reject(new Error('Nobody is asked.'));

/** This browser, without a network. */
const platform: SealingPlatform = {
  keys: createKeyStore(owner.account),
  server: {
    read: nothing,
    step: nothing,
    changeWraps: nothing,
    tell: nothing,
    left: nothing,
    reencode: nothing,
    formFile: nothing,
  },
  lists: {
    server: () => {
      throw new Error('Nobody is asked.');
    },
    keys: (scope) => createListKeyStore(owner.account, scope),
  },
  passphrases: { wrap: nothing, open: nothing },
  passkeys: { isPossible: false, secret: nothing },
  random,
  checks: registerChecks,
  newId: () => randomUUID() as Id,
  now: () => 1_000,
  name: 'Test device',
  files: () => Promise.resolve(contentWork),
};

async function keysOnDevice(): Promise<DeviceKeys> {
  const keys = new DeviceKeys(platform, owner);
  const account = newAccountKey(random);
  const wrap = wrapGeneration(newGenerationKey(random), account, { ...owner, generation: 1 }, random);
  const state = { phase: 'sealed', generation: 1 } as const;
  assert.ok(
    await keys.follow(account, writeDirectory(account, { ...owner, n: 1, state, generations: { 1: wrap } })),
  );
  return keys;
}

const attachment = (id: Id, fields: object): Row =>
  asRow({
    id,
    type: 'attachment',
    scope: owner.scope,
    version: 1,
    fields: { name: 'a', ...fields, place: { parent: idOf(1), key: 'a0' } },
    stamp: [1, 1, 1, 1],
    createdAt: 1,
    updatedAt: 1,
  });

describe('contents of an erased account', () => {
  test('[SEAL-164] that were encrypted stay readable on a device that has them, and go with it into another account', async () => {
    const files = new SealedFiles(await keysOnDevice(), { work: contentWork, random });
    const [here, away] = [idOf(2), idOf(3)];
    const content = new TextEncoder().encode('a canary');
    const sealed = await files.seal(here, content);
    const other = await files.seal(away, new TextEncoder().encode('not here'));
    assert.ok(sealed.ok && other.ok);
    await storeContent(sealed.value.hash, sealed.value.bytes);
    const rowOf = (id: Id, { hash, bytes, content: says }: typeof sealed.value) =>
      attachment(id, { hash, sizeBytes: bytes.length, content: says });
    const rows = [
      rowOf(here, sealed.value),
      rowOf(away, other.value),
      attachment(idOf(4), { hash: 'b'.repeat(64) }),
    ];
    await keepFormer(owner, rows, () => Promise.resolve(platform));
    await forgetKeys(owner.account);
    const plain = sealed.value.content.hash;
    assert.deepEqual(await contentWork.kept(plain), content);
    const db = await openFiles();
    const waiting = (await db.getAll('unsent')).map(({ hash }) => hash);
    db.close();
    assert.deepEqual(waiting.toSorted(), [plain, sealed.value.hash].toSorted());
    const local = {
      all: () => rows,
      children: (parent: Id) => (parent === listsRoot(owner.scope) ? rows : []),
    };
    const [made] = adoptActions(local, owner.scope, idOf(9), true);
    assert.ok(made?.a === 'create');
    const { hash, sizeBytes, content: says } = made.fields as Record<string, unknown>;
    assert.deepEqual([hash, sizeBytes, says], [plain, content.length, undefined]);
  });
});
