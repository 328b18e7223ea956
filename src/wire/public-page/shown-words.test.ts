// The words of a public list by hand are those of the browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutText } from './shown-words.ts';

test('what a visitor can do is told as English lists it', () => {
  const deeds = [
    ['add', 'add tasks'],
    ['complete', 'complete tasks'],
    ['titles', 'edit titles'],
    ['notes', 'edit notes'],
  ] as const;
  for (let bits = 1; bits < 16; bits += 1) {
    const chosen = deeds.filter((_deed, at) => (bits >> at) % 2 === 1);
    const has = (name: string) => chosen.some(([each]) => each === name);
    const may = { add: has('add'), complete: has('complete'), titles: has('titles'), notes: has('notes') };
    const list = new Intl.ListFormat('en-US').format(chosen.map(([, words]) => words));
    assert.equal(aboutText({ ...may, labels: true })[0], `You can ${list}.`);
  }
});
