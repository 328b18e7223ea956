// What a trial of a macro says is what a run comes to, on random accounts with random macros; the account is as it was after the
// trial, and after the undo of the run (macro-world.ts).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Counts, tryMacros } from './macro-world.ts';

/** Each account lives through some macros; what they changed partly stays, so that each meets another account. */
const ACCOUNTS = 80;
const ROUNDS = 5;

/** What has to occur, and at least how often. */
const OCCUR: Readonly<Record<string, number>> = {
  'start: nothing selected': 12,
  'start: one task': 25,
  'start: several': 25,
  'start: search': 7,
  'start: smart list': 12,
  'end: ran': 37,
  'end: stopped': 37,
  'end: asks': 1,
  'stop: in an inner macro': 7,
  'stop: A macro can’t run itself.': 1,
  'stop: It threw.': 2,
  'stop: Select a task first.': 5,
  'stop: The step before it asks for something.': 1,
  'stop: There is no variable ….': 2,
  'stop: There’s no list ….': 2,
  'stop: This version doesn’t have this command.': 2,
  'row: none': 12,
  'row: changed': 50,
  'row: created': 25,
  'row: deleted': 7,
  'step: selection.found': 2,
  'step: task.due': 5,
  'step: task.complete': 5,
  'step: task.setTitle': 5,
  'step: task.setNotes': 2,
  'step: task.appendNotes': 2,
  'step: task.addTo': 2,
  'step: task.addUnder': 5,
  'step: task.move': 2,
  'step: task.delete': 5,
  'step: task.snooze': 2,
  'step: task.repeat': 2,
  'step: label.put': 5,
  'step: list.create': 2,
  'step: go.list': 2,
  'script: reads': 12,
  'inner macro': 12,
  undone: 37,
};

describe('a trial of a macro', () => {
  test('[MACRO-20] [MACRO-21] says what a run comes to, leaves everything as it was, and the run is one undo', async () => {
    const counts: Counts = new Map();
    for (let seed = 1; seed <= ACCOUNTS; seed += 1)
      // oxlint-disable-next-line no-await-in-loop -- One after the other, so that a failure names its seed.
      await tryMacros(seed, ROUNDS, counts);
    for (const [what, least] of Object.entries(OCCUR))
      assert.ok((counts.get(what) ?? 0) >= least, `${what}: ${counts.get(what) ?? 0} of ${least}`);
    assert.equal(counts.get('tried'), ACCOUNTS * ROUNDS);
    const steps = [...counts.keys()].filter((what) => what.startsWith('step: '));
    assert.ok(steps.length >= 120, `${steps.length} kinds of steps`);
    const stops = [...counts.keys()].filter((what) => what.startsWith('stop: '));
    assert.ok(stops.length >= 30, `${stops.length} kinds of stops`);
  });
});
