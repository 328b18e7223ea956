// The tasks that a page of a public list holds stand in the order of the server, whatever is heard of them one by one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ShownTask } from '#wire/public-links.ts';
import { outlined } from '#wire/public-page/shown-outline.ts';
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
  test('[PUBLIC-130] new tasks stay one behind the other while the first of them get their places', () => {
    const state = new ListState();
    const at = (key: string, id: string, title: string) => ({ id, parent: null, key, title });
    state.replace([at('a0', 'train', 'Train'), at('a1', 'tent', 'Tent')], 'g.1');
    const add = (id: string, after: string) => {
      state.put([at(state.keyFor(null, after), id, id)]);
      state.stayBehind(id, after);
    };
    add('new-bread', 'train');
    add('new-eggs', 'new-bread');
    add('new-milk', 'new-eggs');
    const shown = () => state.outline.map(({ task: { id } }) => id);
    const order = ['train', 'new-bread', 'new-eggs', 'new-milk', 'tent'];
    assert.deepEqual(shown(), order);
    // The server has put the first between the two that were there.
    state.know('new-bread', 'bread');
    state.put([state.own(at('a0V', 'bread', 'Bread'))]);
    assert.deepEqual(shown(), order);
    state.replace(
      [at('a0', 'train', 'Train'), { ...state.own(at('a0k', 'bread', 'Bread')) }, at('a1', 'tent', 'Tent')],
      'g.2',
    );
    assert.deepEqual(shown(), order);
    state.know('new-eggs', 'eggs');
    state.put([state.own(at('a0l', 'eggs', 'Eggs'))]);
    assert.deepEqual(shown(), order);
  });

  test('[PUBLIC-120] what is heard of some of them leaves the others as they are, in the order of all', () => {
    fc.assert(
      fc.property(fc.array(task, { maxLength: 8 }), fc.array(step, { maxLength: 12 }), (tasks, steps) => {
        const state = new ListState();
        const held = new Map<string, ShownTask>();
        const put = (some: readonly ShownTask[]) => {
          for (const each of some) held.set(each.id, each);
          state.put(some);
        };
        state.replace(tasks, 'g.1');
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

  test('[PUBLIC-114] what the server answered stands until something newer is heard, whichever way it comes', () => {
    const of = (title: string): ShownTask => ({ id: 'a', parent: null, key: 'k', title });
    const titles = (state: ListState) => state.outline.map(({ task: { title } }) => title);
    const hear = (state: ListState, tasks: readonly ShownTask[], at: string) =>
      state.put(state.newest(tasks, at));
    const read = (state: ListState, tasks: readonly ShownTask[], at: string) =>
      state.replace(state.newest(tasks, at), at);
    const state = new ListState();
    read(state, [of('One')], 'g.8');
    state.answered('a', { task: of('Two'), at: 'g.10' });
    hear(state, [of('Two')], 'g.10');
    hear(state, [of('One')], 'g.9');
    assert.deepEqual(titles(state), ['Two']);
    assert.deepEqual(state.stillGone(['a'], 'g.9'), []);
    for (const older of [[of('One')], []]) {
      read(state, older, 'g.9');
      assert.deepEqual(titles(state), ['Two']);
    }
    hear(state, [of('Three')], 'g.11');
    assert.deepEqual(titles(state), ['Three']);
    assert.deepEqual(state.stillGone(['a'], 'g.12'), ['a']);

    state.answered('a', { task: null, at: 'g.13' });
    state.remove(['a']);
    hear(state, [of('Three')], 'g.12');
    read(state, [of('Three')], 'g.12');
    assert.deepEqual(titles(state), []);
    // A server that was set back begins anew.
    read(state, [of('Four')], 'h.2');
    assert.deepEqual(titles(state), ['Four']);
  });
});
