// Searches and smart lists over many tasks on a slow machine: every look at the clock takes a millisecond, so that each key
// gets a portion only, and edits come between the portions.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, type Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';

const MANY = 9_000;

function crowded(): { readonly desk: Desk; readonly ids: readonly Id[] } {
  const desk = new Desk('> First');
  const ids = Array.from({ length: MANY }, () => desk.replica.newId());
  const actions = ids.map((id, at): Action => ({
    a: 'create',
    id,
    type: 'task',
    fields: {
      title: `${at % 3 === 0 ? 'Plan' : 'Trip'} ${at}`,
      due: { on: `2026-12-${String((at % 28) + 1).padStart(2, '0')}` },
    },
    place: { parent: inboxId(SCOPE) },
  }));
  for (let from = 0; from < MANY; from += 500) desk.replica.issue(actions.slice(from, from + 500));
  return { desk, ids };
}

/** From here on the clock goes on by a millisecond with every look at it. */
function slow(desk: Desk): void {
  const now = desk.replica.now.bind(desk.replica);
  let looks = 0;
  desk.replica.now = () => {
    looks += 1;
    return now() + looks;
  };
}

const count = (desk: Desk) => desk.app.view.header.get().count;
const titles = (desk: Desk) => desk.rows().map(({ title }) => title);

function finish(desk: Desk): number {
  let portions = 0;
  for (; count(desk) === null; portions += 1) {
    assert.ok(portions < 1_000, 'it comes to an end');
    desk.timers.advance(1);
  }
  return portions;
}

describe('looking through many tasks', () => {
  test('[SEARCH-16] what is found first is there with the key, the rest in portions, edits among them', () => {
    const { desk, ids } = crowded();
    slow(desk);
    desk.press('/');
    desk.app.searchInput('plan');
    assert.equal(count(desk), null);
    assert.equal(titles(desk)[0], 'Plan 0');
    assert.ok(desk.rows().length > 30);
    const made = desk.replica.newId();
    desk.replica.issue([
      { a: 'delete', id: ids[0] as Id },
      { a: 'delete', id: ids[MANY - 3] as Id },
      { a: 'set', id: ids[1] as Id, field: 'title', value: 'Plan made of a trip' },
      {
        a: 'create',
        id: made,
        type: 'task',
        fields: { title: 'Plan made now' },
        place: { parent: inboxId(SCOPE) },
      },
    ]);
    assert.equal(titles(desk)[0], 'Plan 3');
    assert.ok(finish(desk) > 0);
    assert.equal(count(desk), MANY / 3 - 2 + 2);
    // A longer query begins where the shorter one was left.
    desk.app.searchInput('plan m');
    desk.app.searchInput('plan ma');
    finish(desk);
    assert.deepEqual(titles(desk).toSorted(), ['Plan made now', 'Plan made of a trip']);
    desk.app.searchInput('zzz');
    assert.equal(desk.app.view.empty.get(), null, 'nothing is said before all were looked at');
    finish(desk);
    assert.match(desk.app.view.empty.get()?.heading ?? '', /No task matches/);
  });

  test('[SEARCH-17] in an order: the first page, then all of it, without what went meanwhile', () => {
    const { desk, ids } = crowded();
    desk.press('/');
    desk.app.searchInput('trip sort:due-date-desc');
    const expected = titles(desk);
    assert.equal(count(desk), (MANY / 3) * 2);
    slow(desk);
    desk.app.searchInput('trip -zzz sort:due-date-desc');
    assert.equal(count(desk), null);
    desk.replica.issue([{ a: 'delete', id: ids[MANY - 1] as Id }]);
    finish(desk);
    assert.equal(count(desk), (MANY / 3) * 2 - 1);
    assert.deepEqual(
      titles(desk),
      expected.filter((title) => title !== `Trip ${MANY - 1}`).slice(0, titles(desk).length),
    );
  });

  test('[SMART-1] a list is counted in portions, and edits meanwhile count', () => {
    const { desk, ids } = crowded();
    slow(desk);
    desk.press('/');
    desk.app.searchInput('plan sort:alphabetically');
    desk.press('Mod+Enter');
    desk.type('Plans');
    desk.press('Enter');
    const openCount = () => desk.app.view.sidebar.rows.get().find(({ name }) => name === 'Plans')?.openCount;
    assert.equal(openCount(), null);
    desk.replica.issue([
      { a: 'delete', id: ids[0] as Id },
      { a: 'set', id: ids[MANY - 2] as Id, field: 'title', value: 'Plan late' },
    ]);
    for (let portions = 0; openCount() === null; portions += 1) {
      assert.ok(portions < 1_000);
      desk.timers.advance(1);
    }
    assert.equal(openCount(), MANY / 3);
    for (let left = 200; left > 0; left -= 1) desk.timers.advance(1);
    assert.deepEqual(titles(desk).slice(0, 3), ['Plan 1002', 'Plan 1005', 'Plan 1008']);
    desk.press('End');
    assert.equal(titles(desk).at(-1), 'Plan late');
  });
});
