// Random histories of one note: several copies that type, delete and replace at the same time, away from each other for a
// while, with flattening, the API and texts that were replaced in between.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Authority, Characters, Copy, NOTE, type Dice } from './note-world.ts';

/** Park and Miller's generator: the same numbers for the same seed everywhere. */
function diceOf(seed: number): Dice {
  let state = (seed % 2_147_483_646) + 1;
  return {
    below(limit) {
      state = (state * 48_271) % 2_147_483_647;
      return Math.floor((state / 2_147_483_647) * limit);
    },
  };
}

interface Tally {
  merged: number;
  recovered: number;
  late: number;
}

/** Puts in, takes out or replaces some characters; what is taken out may be missing in the end. */
function randomEdit(text: string, dice: Dice, characters: Characters, removed: Set<string>): string {
  const points = [...text];
  const at = dice.below(points.length + 1);
  const remove = dice.below(3) === 0 ? dice.below(5) : 0;
  const put: string[] = [];
  if (remove === 0 || dice.below(2) === 0)
    for (let count = 1 + dice.below(4); count > 0; count -= 1) put.push(characters.take());
  for (const point of points.slice(at, at + remove)) removed.add(point);
  points.splice(at, remove, ...put);
  return points.join('');
}

function history(seed: number, tally: Tally): void {
  const dice = diceOf(seed);
  const characters = new Characters();
  const removed = new Set<string>();
  const put = new Set<string>();
  const start = dice.below(3) === 0 ? '' : `${characters.take()}line\n${characters.take()}`;
  const authority = new Authority(start);
  const copies = Array.from(
    { length: 2 + dice.below(3) },
    (_, index) => new Copy(authority, index + 1, dice),
  );
  const edit = (text: string): string => {
    const to = randomEdit(text, dice, characters, removed);
    for (const point of to) if (point > '\u2fff') put.add(point);
    return to;
  };
  for (let step = 4 + dice.below(24); step > 0; step -= 1) {
    authority.time += dice.below(5);
    const copy = copies[dice.below(copies.length)] as Copy;
    const kind = dice.below(24);
    if (kind < 13) copy.edit(edit);
    else if (kind < 20) copy.sync(dice.below(3) === 0 ? 1 : Infinity);
    else if (kind === 20) copy.reopen();
    else if (kind < 23) authority.flatten();
    else {
      const value = edit(authority.text);
      const head = { q: 1_000 - step, b: authority.version, t: authority.time };
      const verdict = authority.apply({ ...head, a: 'set', id: NOTE, field: 'notes', value }, 99);
      assert.equal(verdict, 'ok');
    }
  }
  tally.merged += 1;
  for (let round = 0; round < 2; round += 1) for (const copy of copies) copy.sync();
  const where = `seed ${seed}`;
  for (const copy of copies) {
    assert.equal(copy.replica.pending.length, 0, where);
    assert.equal(copy.text, authority.text, where);
    if (copy.recovered.length > 0) tally.recovered += 1;
  }
  tally.late += authority.epochs.size > 1 ? 1 : 0;
  assert.ok(authority.text.isWellFormed() && !authority.text.includes('\uFFFD'), where);
  const counts = new Map<string, number>();
  for (const point of authority.text) counts.set(point, (counts.get(point) ?? 0) + 1);
  const kept = copies.map((copy) => copy.recovered.join('')).join('');
  for (const point of put) {
    const count = counts.get(point) ?? 0;
    if (count > 1) assert.fail(`${where}: a character is there ${count} times`);
    if (count === 0 && !removed.has(point) && !kept.includes(point))
      assert.fail(`${where}: a character is lost`);
  }
}

describe('notes that merge', () => {
  test('[SYNC-16] nothing put in is lost or doubled, and all copies agree, in 3,000 histories', () => {
    const tally: Tally = { merged: 0, recovered: 0, late: 0 };
    for (let seed = 1; seed <= 3_000; seed += 1) history(seed, tally);
    assert.equal(tally.merged, 3_000);
    assert.ok(tally.recovered <= 5, `${tally.recovered} texts had to be recovered`);
    assert.ok(tally.late > 500, `only ${tally.late} histories met replaced texts`);
  });

  test('[SYNC-16] the same in histories in which something was lost once', () => {
    // One text edited anew with the same words; a deletion sent on in a plain text; an edit that does not hold the one before.
    for (const seed of [14_499, 22_726, 48_843, 96_453, 98_167])
      history(seed, { merged: 0, recovered: 0, late: 0 });
  });
});
