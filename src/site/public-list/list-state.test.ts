// The tasks that a page of a public list holds stand in the order of the server, whatever is heard of them one by one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ShownTask } from '#wire/public-links.ts';
import { outlined } from '#wire/shown-outline.ts';
import { ListState } from './list-state.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const task = fc.record({
  id: fc.constantFrom(...ids),
  parent: fc.constantFrom(null, null, null, ...ids),
  key: fc.constantFrom('k1', 'k2', 'k3'),
  title: fc.constantFrom('One', 'Two'),
});
const step = fc.oneof(
  fc.record({ put: fc.array(task, { maxLength: 3 }) }),
  fc.record({ renamed: fc.constantFrom(...ids), title: fc.string({ maxLength: 3 }) }),
  fc.record({ gone: fc.array(fc.constantFrom(...ids), { maxLength: 2 }) }),
);

describe('the tasks of a public list', () => {
  test('[PUBLIC-120] what is heard of some of them leaves the others as they are, in the order of all', () => {
    fc.assert(
      fc.property(fc.array(task, { maxLength: 8 }), fc.array(step, { maxLength: 12 }), (tasks, steps) => {
        const state = new ListState();
        const held = new Map<string, ShownTask>();
        const put = (some: readonly ShownTask[]) => {
          for (const each of some) held.set(each.id, each);
          state.put(some);
        };
        state.replace(tasks);
        for (const each of tasks) held.set(each.id, each);
        for (const each of steps) {
          const before = new Set(state.outline);
          if ('put' in each) put(each.put);
          else if ('renamed' in each) {
            const was = held.get(each.renamed);
            if (was === undefined) continue;
            put([{ ...was, title: each.title }]);
            const kept = state.outline.filter((shown) => before.has(shown)).length;
            assert.ok(kept >= before.size - 1, 'the others are the same');
          } else {
            for (const id of each.gone) held.delete(id);
            state.remove(each.gone);
          }
          assert.deepEqual(state.outline, outlined(held.values()));
        }
      }),
      { numRuns: 500, seed: 20_261_128 },
    );
  });
});
