// What a trial of a macro says is what a run comes to, on random accounts with random macros; the account is as it was after the
// trial, and after the undo of the run (macro-world.ts).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Counts, tryMacros } from './macro-world.ts';

/** Each account lives through some macros; what they changed partly stays, so that each meets another account. */
const ACCOUNTS = 200;
const ROUNDS = 5;
const AT_ONCE = 50;

/** What has to occur, and at least how often. */
const OCCUR: Readonly<Record<string, number>> = {
  'start: nothing selected': 50,
  'start: one task': 100,
  'start: several': 100,
  'start: search': 30,
  'start: smart list': 50,
  'end: ran': 150,
  'end: stopped': 150,
  'end: asks': 1,
  'stop: in an inner macro': 30,
  'stop: A macro can’t run itself.': 1,
  'stop: It threw.': 10,
  'stop: Select a task first.': 20,
  'stop: The step before it asks for something.': 5,
  'stop: There is no variable ….': 10,
  'stop: There’s no list ….': 10,
  'stop: This version doesn’t have this command.': 10,
  'row: none': 50,
  'row: changed': 200,
  'row: created': 100,
  'row: deleted': 30,
  'step: selection.found': 10,
  'step: task.due': 20,
  'step: task.complete': 20,
  'step: task.setTitle': 20,
  'step: task.setNotes': 10,
  'step: task.appendNotes': 10,
  'step: task.addTo': 20,
  'step: task.addUnder': 20,
  'step: task.move': 10,
  'step: task.delete': 20,
  'step: task.snooze': 10,
  'step: task.repeat': 10,
  'step: label.put': 20,
  'step: list.create': 10,
  'step: go.list': 10,
  'script: reads': 50,
  'inner macro': 50,
  undone: 150,
};

describe('a trial of a macro', () => {
  const counts: Counts = new Map();

  for (let first = 1; first <= ACCOUNTS; first += AT_ONCE)
    test(`[MACRO-20] [MACRO-21] says what a run comes to, leaves everything as it was, and the run is one undo: accounts ${first} to ${first + AT_ONCE - 1}`, async () => {
      for (let seed = first; seed < first + AT_ONCE; seed += 1)
        // oxlint-disable-next-line no-await-in-loop -- One after the other, so that a failure names its seed.
        await tryMacros(seed, ROUNDS, counts);
    });

  test('meets every kind of step, stop and start', () => {
    for (const [what, least] of Object.entries(OCCUR))
      assert.ok((counts.get(what) ?? 0) >= least, `${what}: ${counts.get(what) ?? 0} of ${least}`);
    assert.equal(counts.get('tried'), ACCOUNTS * ROUNDS);
    const steps = [...counts.keys()].filter((what) => what.startsWith('step: '));
    assert.ok(steps.length >= 150, `${steps.length} kinds of steps`);
    const stops = [...counts.keys()].filter((what) => what.startsWith('stop: '));
    assert.ok(stops.length >= 30, `${stops.length} kinds of stops`);
  });
});
