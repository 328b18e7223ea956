// Texts of people in the small storage: encrypted at once while a disk is, opened by its key alone, and never written over unread.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { beginDisk, endDisk, forgetTexts } from './open-disks.ts';
import { over, settleTexts } from './small-texts.ts';

const UNSAVED = 'posthaste.unsaved.01900000-0000-7000-8000-000000000001';
const DRAFT = 'posthaste.preference.entry.kept.7';
const WIDTH = 'posthaste.preference.width.list';

/** A storage as browsers have it: its keys are its own. */
function createStorage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return Object.hasOwn(this, key) ? (this[key] ?? null) : null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods) as Storage;
}

function begin(name: string, fill: number, isOn: boolean) {
  const disk = { name, key: new Uint8Array(32).fill(fill), isOn };
  beginDisk(disk);
  return disk;
}

describe('texts beside an encrypted disk', () => {
  test('[SEAL-340] what is typed is encrypted and read again, the rest is as it was', () => {
    const storage = createStorage();
    const through = over(storage);
    const texts = begin('small-one', 1, true);
    try {
      through.setItem(UNSAVED, '[{"canary":"žluťoučký"}]');
      through.setItem(DRAFT, 'canary draft');
      through.setItem(WIDTH, '240');
      assert.doesNotMatch(JSON.stringify({ ...storage }), /canary/);
      assert.equal(through.getItem(UNSAVED), '[{"canary":"žluťoučký"}]');
      assert.equal(through.getItem(DRAFT), 'canary draft');
      assert.equal(storage.getItem(WIDTH), '240');
      through.setItem(DRAFT, '');
      assert.equal(storage.getItem(DRAFT), '');
      through.removeItem(UNSAVED);
      assert.equal(through.getItem(UNSAVED), null);
    } finally {
      endDisk(texts);
    }
    // The disk of a plain account is open now.
    through.setItem(DRAFT, 'plain draft');
    assert.equal(storage.getItem(DRAFT), 'plain draft');
  });

  test('[SEAL-340] texts from before change over with the disk, and back', () => {
    const storage = createStorage();
    storage.setItem(DRAFT, 'canary draft');
    const on = begin('small-two', 2, true);
    settleTexts(on, storage);
    assert.match(storage.getItem(DRAFT) ?? '', /^sealed:small-two:/);
    endDisk(on);
    const off = begin('small-two', 2, false);
    settleTexts(off, storage);
    assert.equal(storage.getItem(DRAFT), 'canary draft');
    endDisk(off);
  });

  test('[SEAL-340] one that doesn’t open is read as nothing and kept apart before its place is taken', () => {
    const storage = createStorage();
    const through = over(storage);
    const texts = begin('small-three', 3, true);
    try {
      const foreign = 'sealed:small-of-a-lost-key:AAAA';
      storage.setItem(UNSAVED, foreign);
      assert.equal(through.getItem(UNSAVED), null);
      through.setItem(UNSAVED, '[]');
      assert.equal(through.getItem(UNSAVED), '[]');
      assert.equal(storage.getItem(`${UNSAVED}.unreadable`), foreign);
      // A text in the place of another doesn't open there.
      through.setItem(DRAFT, 'canary draft');
      storage.setItem(UNSAVED, storage.getItem(DRAFT) ?? '');
      assert.equal(through.getItem(UNSAVED), null);
    } finally {
      endDisk(texts);
    }
  });

  test('[SEAL-341] when the disk goes its texts go, and no others', () => {
    const storage = createStorage();
    const through = over(storage);
    const [one, other] = [begin('small-four', 4, true), begin('small-five', 5, false)];
    through.setItem(DRAFT, 'canary draft');
    storage.setItem(WIDTH, '240');
    storage.setItem(UNSAVED, 'plain');
    forgetTexts('small-four', storage);
    assert.deepEqual({ ...storage }, { [WIDTH]: '240', [UNSAVED]: 'plain' });
    endDisk(one);
    endDisk(other);
  });
});
