// Rows that arrive by themselves: pages from disk in any order, changes from other devices. The outline on screen must be
// what a plain recomputation gives after every one of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId, mineId, type Id } from '#core/ids.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { asRow, fieldOf, type Row, withFields } from '#sync/rows/row.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { createReplica, SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { Timers } from './timers.ts';
import { createRandom, naiveCount, naiveLines, shownLines } from './naive.ts';

const inbox = inboxId(SCOPE);
type Random = (below: number) => number;

/** Rows of a random tree, with some collapsed, done and trashed. */
function randomRows(random: Random, count: number): Row[] {
  const replica = createReplica(new Timers());
  const ids: Id[] = [inbox];
  for (let index = 0; index < count; index += 1) {
    const id = replica.newId();
    const parent = ids[random(Math.min(ids.length, 1 + random(12)))] ?? inbox;
    const fields = random(6) === 0 ? { title: `t${index}`, status: { done: 1 } } : { title: `t${index}` };
    replica.issue([
      { a: 'create', id, type: 'task', fields, place: { parent, at: random(2) === 0 ? 'start' : 'end' } },
    ]);
    if (random(7) === 0) {
      replica.issue([
        { a: 'create', id: mineId(SCOPE, id), type: 'mine', fields: { of: id, collapsed: true } },
      ]);
    }
    if (random(12) === 0) replica.issue([{ a: 'delete', id }]);
    ids.push(id);
  }
  return [...replica.all()].filter(({ id }) => id !== inbox);
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = random(index + 1);
    [mixed[index], mixed[other]] = [mixed[other] as T, mixed[index] as T];
  }
  return mixed;
}

function check(desk: Desk, label: string): void {
  assert.deepEqual(shownLines(desk.rows()), naiveLines(desk.replica, inbox), label);
  const cursors = desk.rows().filter(({ cursor }) => cursor).length;
  assert.equal(cursors, Math.min(1, desk.rows().length), label);
  const { openCount } = desk.lists()[0] ?? {};
  assert.equal(openCount, naiveCount(desk.replica, inbox), `${label}: count`);
}

/** One random change as another device might have made it. */
function remoteChange(desk: Desk, random: Random, version: number): Row | null {
  const tasks = [...desk.replica.all()].filter(({ type }) => type === 'task');
  const row = tasks[random(Math.max(1, tasks.length))];
  const other = tasks[random(Math.max(1, tasks.length))];
  if (!row || !other) return null;
  const stamp = [version, version, 7, version] as const;
  const fields: Record<string, unknown> = { ...row.fields };
  switch (random(5)) {
    case 0:
      fields.del = fields.del ? undefined : { at: 1, by: 7 };
      break;
    case 1:
      fields.status = fields.status ? undefined : { done: 1 };
      break;
    case 2:
      fields.status = { done: 1, cleared: 1 };
      break;
    default: {
      // Also beneath itself: a page of news may show a new place before the old one of what it hangs under has gone.
      const parent = random(3) === 0 ? inbox : other.id;
      fields.place = { parent, key: `a${random(10)}${'VkzZ'[random(4)]}` };
    }
  }
  for (const name of Object.keys(fields)) if (fields[name] === undefined) delete fields[name];
  return asRow({ ...row, version, fields, stamp, stamps: {} });
}

function titled(desk: Desk, title: string): Row {
  const row = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === title);
  assert.ok(row);
  return row;
}

describe('rows that arrive', () => {
  test('[KEY-2] [LIST-5] pages from disk, in any order', () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = createRandom(seed);
      const rows = shuffled(randomRows(random, 5 + random(80)), random);
      const desk = new Desk();
      while (rows.length > 0) {
        desk.replica.load(rows.splice(0, 1 + random(30)));
        check(desk, `seed ${seed}`);
        assert.equal(desk.rows()[0]?.cursor ?? true, true, `seed ${seed}: the cursor waits on the first row`);
      }
    }
  });

  test('[KEY-2] [LIST-5] [SYNC-32] changes from other devices, in batches of any size, in circles too, between keys', () => {
    for (let seed = 1; seed <= 120; seed += 1) {
      const random = createRandom(seed);
      const desk = new Desk();
      desk.replica.load(randomRows(random, 5 + random(60)));
      for (let step = 0; step < 12; step += 1) {
        const version = 1_000_000 + step;
        const batch = Array.from({ length: 1 + random(random(4) === 0 ? 40 : 3) }, () =>
          remoteChange(desk, random, version),
        );
        const byId = new Map(batch.filter((row) => row !== null).map((row) => [row.id, row]));
        receivePage(desk.replica, [...byId.values()]);
        check(desk, `seed ${seed} step ${step}`);
        desk.press(['Down', 'Up', 'Tab', 'Space', 'Alt+Down'][random(5)] ?? 'Down');
        check(desk, `seed ${seed} step ${step}, key`);
      }
    }
  });

  test('[SYNC-32] a task beneath what it held before comes in two pages: with the focus on it, nothing hangs or goes', () => {
    const desk = new Desk('  P\n>   Q\n      deep', { isConfirmed: true });
    const [p, q] = [titled(desk, 'P'), titled(desk, 'Q')];
    desk.app.run('task.focusIn');
    const moved = (row: Row, parent: Id, version: number): Row =>
      asRow({ ...row, version, fields: { ...row.fields, place: { parent, key: 'a1' } } });
    // The first page has P beneath Q; that Q has left P comes with the second.
    receivePage(desk.replica, [moved(p, q.id, 1_000_000)]);
    desk.press('Enter');
    desk.type(' down');
    desk.press('Escape');
    assert.equal(placeOf(desk.replica.row(p.id))?.parent, inbox);
    receivePage(desk.replica, [moved(q, inbox, 1_000_001)]);
    desk.app.run('task.focusOut');
    assert.equal(placeOf(desk.replica.row(p.id))?.parent, q.id);
    assert.deepEqual(shownLines(desk.rows()), naiveLines(desk.replica, inbox));
    assert.deepEqual(
      desk.rows().map(({ title }) => title),
      ['Q', 'deep down', 'P'],
    );
  });

  test('[SYNC-32] rows on the disk that name each other in a circle are shown, and can be put right by hand', () => {
    const source = new Desk('> A\n  B\n  C');
    const [a, b, c] = [titled(source, 'A'), titled(source, 'B'), titled(source, 'C')];
    const beneath = (row: Row, { id }: Row): Row =>
      withFields(row, { ...row.fields, place: { parent: id, key: 'a1' } });
    const desk = new Desk();
    desk.replica.load([beneath(a, c)]);
    desk.replica.load([beneath(b, a), beneath(c, b)]);
    desk.replica.loaded();
    assert.deepEqual(
      desk
        .rows()
        .map(({ title }) => title)
        .toSorted(),
      ['A', 'B', 'C'],
    );
    assert.deepEqual(shownLines(desk.rows()), naiveLines(desk.replica, inbox));
  });

  test('[LIST-4] the place that was open last opens when its rows arrive, unless something was done before', () => {
    const source = new Desk('> A');
    source.app.run('list.create', { name: 'Home' });
    source.app.pasted('Paint\nSweep');
    const rows = [...source.replica.all()].filter(({ id }) => id !== inbox);
    const desk = new Desk('', { preferences: new Map(source.preferences) });
    assert.equal(desk.app.view.header.get().kind, 'inbox');
    desk.replica.load(rows);
    assert.equal(desk.app.view.header.get().title, 'Home');
    assert.equal(desk.screen(), '> Paint\n  Sweep');
    const busy = new Desk('', { preferences: new Map(source.preferences) });
    busy.press('Down');
    busy.replica.load(rows);
    assert.equal(busy.app.view.header.get().kind, 'inbox');
  });

  test('[KEY-2] a large page is taken over at once', () => {
    const desk = new Desk();
    const random = createRandom(5);
    desk.replica.load(randomRows(random, 1_500));
    check(desk, 'first');
    desk.replica.load(randomRows(random, 1_500));
    check(desk, 'second');
  });
});
