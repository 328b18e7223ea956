// Which registers are sealed, against the registers that there are.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fixedRegisters, scalarNames, type EntityType } from '#core/model.ts';
import { fateOf, hiddenRegister, isHiddenRegister } from '#core/sealing/sealable.ts';
import { registerNames } from '#wire/registers.ts';
import { keysOf, otherTask, ringOf, task } from './material.ts';

const types = Object.keys(fixedRegisters) as EntityType[];

/** All that a server sees of a row besides `label:<id>`. Whatever is added here is no longer secret. */
const PLAIN: Readonly<Record<EntityType, readonly string[]>> = {
  task: ['assignee', 'del', 'occ', 'place', 'status'],
  list: ['archivedAt', 'clearAfter', 'del', 'listType', 'mailAddress', 'place', 'sort'],
  label: ['associatedSharedListID', 'del', 'place', 'visibility'],
  labelGroup: ['del', 'exclusive', 'place', 'visibility'],
  mine: ['bookmarkedAt', 'collapsed', 'of', 'order', 'reminded', 'snoozeCount', 'wake'],
  completion: ['at', 'del', 'occ', 'task'],
  attachment: ['del', 'hash', 'place', 'sizeBytes'],
  comment: ['author', 'del', 'place', 'seal'],
  setting: ['key'],
  mount: ['hiddenAt', 'joinedAt', 'muted', 'of', 'ownSort', 'place', 'seenVersion'],
  member: ['account', 'color', 'emoji', 'initials', 'joinedAt', 'leftAt', 'name', 'role'],
};

describe('sealed registers', () => {
  test('[SEAL-30] are all but those that the server needs', () => {
    for (const type of types) {
      const plain = [...registerNames(type), 'place'].filter(
        (register) => fateOf(type, register) === 'plain',
      );
      const isPlaced = PLAIN[type].includes('place');
      assert.deepEqual(
        plain.filter((register) => register !== 'place' || isPlaced).toSorted(),
        PLAIN[type],
        type,
      );
    }
    for (const name of scalarNames) assert.equal(fateOf('task', name), 'sealed');
    assert.equal(fateOf('task', `label:${task}`), 'plain');
  });

  test('[SEAL-30] include every register that is not known', () => {
    for (const register of ['energy', 'notesDoc', '__proto__', 'toString', 'constructor', ''])
      assert.equal(fateOf('task', register), 'sealed');
  });

  test('[SEAL-31] whose names are content have names that tell nothing, by row, and the same in each generation', () => {
    const ring = ringOf(keysOf('ada'));
    const hidden = hiddenRegister(ring, task, 'meta:customer');
    assert.ok(isHiddenRegister(hidden));
    assert.match(hidden, /^meta:~[\w-]{43}$/);
    assert.equal(fateOf('task', hidden), 'hidden');
    assert.notEqual(hidden, hiddenRegister(ring, otherTask, 'meta:customer'));
    assert.notEqual(hidden, hiddenRegister(ring, task, 'meta:client'));
    assert.equal(hidden, hiddenRegister(ringOf(keysOf('ada', 2)), task, 'meta:customer'));
    assert.notEqual(hidden, hiddenRegister(ringOf(keysOf('bob')), task, 'meta:customer'));
    assert.match(hiddenRegister(ring, task, 'remind:before-10'), /^remind:~[\w-]{43}$/);
    for (const name of ['meta:a', 'meta:~', `meta:~${'a'.repeat(42)}`, `label:~${'a'.repeat(43)}`])
      assert.equal(isHiddenRegister(name), false);
  });
});
