// Which seeds notice that a safeguard was taken away. Those that did when they were last looked for are tried first, as most
// histories that notice nothing say nothing; where they no longer do, all seeds from 1 on are.
import assert from 'node:assert/strict';
import type { MutantName } from './mutants.ts';
import type { ScopeMutantName } from './scope-mutants.ts';

/** By how many seeds each alteration is to be noticed: one could be luck. */
const LEAST = 2;

/**
 * Where to look first. They change with what people do in histories: the tests print them when a line is out of date. Other
 * seeds may do as well, and be quicker than the first: histories that do not come to rest are long.
 */
const KNOWN: Readonly<Partial<Record<MutantName | ScopeMutantName, readonly number[]>>> = {
  'late edits of notes dropped': [2, 3],
  'made without cloud sync and kept': [5, 6],
  'nothing brought back': [2, 7],
  'no look at the history': [9, 11],
  'refused and not kept': [7, 10],
  'no cycle check': [1, 2],
  'no de-duplication': [2, 3],
  'keys chosen without looking': [1, 2],
  'no compare-and-set of occurrences': [9, 14],
  'arrival order instead of age': [1, 13],
  'sums not compared': [24, 6],
  'verdicts forgotten before they are kept': [22, 7],
  'copied storage not noticed': [3, 6],
  'hung under what is in the trash': [2, 5],
  'undone over the writes of others': [28, 106],
  'two labels of an exclusive group': [16, 6],
  'circles shown': [164, 176],
  'rows of unknown types dropped': [23, 9],
  'rows of unknown types left out of the sum': [1, 5],
  'versions compared across scopes': [2, 3],
  'hops not counted': [3, 7],
  'hops ignored where a row moved': [2, 3],
  'only stated scopes locked': [7, 20],
  'gone whatever scope says so': [10, 30],
  'counted in the scope that it left': [2, 3],
  'counted by the server in the scope that it left': [2, 3],
  'moved told as gone': [2, 3],
  'what arrived taken for what is held': [3, 15],
  'what was seen of one scope taken for another': [19, 21],
  'writes keep their versions of the scope that was left': [2, 3],
  'writes that arrive told from no others': [13, 39],
  'writes get new numbers': [3, 27],
  'history erased by a move': [2, 3],
  'directory not told of a move': [2, 3],
  'not looked up again under the lock': [7, 8],
  'what was left is kept': [2, 17],
  'unknown told as left': [3, 5],
  'the move of a large tree not written down': [2, 3],
  'what is left behind looked for beneath the root alone': [3, 4],
  'rows follow to where their parents were before the lock': [8, 102],
  'labels stay those of the scope that was left': [4, 7],
  'labels of what follows its root stay': [3, 12],
  'labels of operations stay those that were named': [2, 3],
  'that a label was taken off is lost on the way': [3, 19],
  'that a label was taken off before counts only under its new name': [19, 43],
};

/** Fails unless the alteration is noticed by two seeds: known ones, or of those from 1 to `most`. */
export async function expectNoticed(
  name: MutantName | ScopeMutantName,
  live: (seed: number) => Promise<unknown>,
  most: number,
): Promise<void> {
  const known = KNOWN[name] ?? [];
  const found: number[] = [];
  for (const seed of new Set([...known, ...Array.from({ length: most }, (_, at) => at + 1)])) {
    await live(seed).catch((error: unknown) => {
      assert.ok(error instanceof assert.AssertionError, `seed ${seed} fails a check: ${String(error)}`);
      found.push(seed);
    });
    if (found.length === LEAST) break;
  }
  assert.equal(found.length, LEAST, `of ${most} seeds only ${found.join() || 'none'} noticed`);
  if (found.join() !== known.join())
    console.log(`test/simulator/noticing.ts: “${name}” is noticed by the seeds ${found.join(', ')}.`);
}
