// Work of the leader of several servers, without a database: where it runs, and where it ends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPace, Interrupted } from '../care/pace.ts';
import { fencedTerm, unfenced } from '../data/fence.ts';
import { soleProcess } from '../data/presence.ts';
import { mayGoOn, whileLeading } from './leading.ts';

const turn = (work: () => void) => void setImmediate(work);

describe('work of the leader', () => {
  test('[NODE-8] is done by a process that holds its database alone', async () => {
    assert.equal(await whileLeading(soleProcess.leadership, async () => 'done'), 'done');
    assert.equal(soleProcess.isLost, false);
  });

  test('[NODE-2] ends before its next step when another one leads', async () => {
    const leadership: { term: number | null } = { term: 3 };
    const pace = createPace(turn, () => mayGoOn(leadership));
    const steps: string[] = [];
    const work = whileLeading(leadership, async () => {
      await pace.rest();
      steps.push('first');
      leadership.term = null;
      await pace.rest();
      steps.push('second');
    });
    await assert.rejects(work, Interrupted);
    assert.deepEqual(steps, ['first']);
    // What an operator starts by a command is nobody's in particular.
    await pace.rest();
    leadership.term = 4;
    assert.equal(await whileLeading(leadership, async () => pace.rest().then(() => fencedTerm())), 4);
  });

  test('[NODE-7] is fenced until it has ended; what it leaves behind, and what is done for others, is not', async () => {
    const later = Promise.withResolvers<number | null>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    await whileLeading({ term: 5 }, async () => {
      void ended.then(() => later.resolve(fencedTerm()));
      await new Promise<void>((resolve) => turn(resolve));
      assert.equal(fencedTerm(), 5);
      assert.equal(unfenced(fencedTerm), null);
    });
    end();
    assert.equal(await later.promise, null);
    assert.equal(fencedTerm(), null);
  });
});
