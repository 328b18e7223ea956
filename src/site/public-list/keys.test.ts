// The page of a public list has no key that means something else in the app, and none for what its link does not permit.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultBindings } from '#client/keys/default-keymap.ts';
import { linkPermissions, type LinkMay } from '#wire/public-links.ts';
import { actOf, keyOf, listKeys } from './keys.ts';

const mayOf = (bits: number) =>
  Object.fromEntries(linkPermissions.map((name, at) => [name, (bits & (1 << at)) !== 0])) as LinkMay;

describe('the keys of a public list', () => {
  test('[PUBLIC-25] are the app’s keys for the same things', () => {
    for (const { key, command } of listKeys) {
      const found = defaultBindings.find((binding) => binding.context === 'navigate' && binding.keys === key);
      assert.equal(found?.command, command, key);
    }
  });

  test('[PUBLIC-25] do what the link permits, and nothing else', () => {
    for (let bits = 0; bits < 2 ** linkPermissions.length; bits += 1) {
      const may = mayOf(bits);
      for (const { key, act, needs } of listKeys)
        assert.equal(
          actOf(key, may),
          needs === undefined || may[needs] ? act : undefined,
          `${key} with ${bits}`,
        );
    }
    assert.equal(actOf('Delete', mayOf(31)), undefined);
  });

  test('[PUBLIC-25] are named as in the app, whatever the layout needs to write a sign', () => {
    const plain = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false };
    assert.equal(keyOf({ ...plain, key: 'ArrowDown' }), 'Down');
    assert.equal(keyOf({ ...plain, key: ' ' }), 'Space');
    assert.equal(keyOf({ ...plain, key: '?', shiftKey: true }), '?');
    assert.equal(keyOf({ ...plain, key: 'Enter', ctrlKey: true }), 'Ctrl+Enter');
    assert.equal(keyOf({ ...plain, key: 'Enter', shiftKey: true }), 'Shift+Enter');
    assert.equal(keyOf({ ...plain, key: 'e', metaKey: true }), 'Meta+e');
  });
});
