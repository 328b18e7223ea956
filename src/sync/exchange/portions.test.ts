// A large answer taken in by portions, and what shows between them.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import { registerChecks } from '#wire/registers.ts';
import type { ScopeChanges } from '#wire/sync.ts';
import type { DeviceMeta } from '../replica/ports.ts';
import { DeviceReplica } from '../replica/replica.ts';
import { arrived } from '../rows/arrived.ts';
import { rowToWire } from '../rows/codec.ts';
import { DigestSum } from '../rows/digest.ts';
import { asRow, fieldOf, type Row, type StoredRow } from '../rows/row.ts';
import { placeOf } from '../rows/row-reading.ts';
import { portionsOf } from './portions.ts';
import { receive } from './taking-in.ts';

const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };
const clock = { now: () => 1_000_000, monotonic: () => 0 };
const newId = createIdSource({ now: clock.now, random: random.fill });
const [A, B, list] = [newId(), newId(), newId()] as const;
const TASKS = 1_000;
const PORTION = 200;
const ids = Array.from({ length: TASKS }, newId);

function rowOf(id: Id, type: 'list' | 'task', scope: Id, fields: Record<string, unknown>): Row {
  const times = { createdAt: 1, updatedAt: 1 };
  return asRow({ id, type, scope, version: 1, fields, stamp: [1, 5, 9, 1], ...times });
}

const under = (parent: Id, key: string) => ({ place: { parent, key } });
const tree = ids.map((id, at) => {
  const parent = at === 0 ? inboxId(A) : (ids[Math.floor((at - 1) / 10)] ?? inboxId(A));
  return rowOf(id, 'task', A, { title: 'As it was', ...under(parent, `a${String(at % 10)}`) });
});
const before: readonly Row[] = [
  rowOf(inboxId(A), 'list', A, { listType: 'inbox', ...under(listsRoot(A), 'a0') }),
  rowOf(list, 'list', B, { listType: 'list', ...under(listsRoot(B), 'a0') }),
  ...tree,
];
const there = tree.map((row): StoredRow => ({
  ...arrived(row, { scope: B, version: 5, hops: 1 }),
  updatedAt: 9,
}));

function createReplica(): DeviceReplica {
  const read = { generation: 'g', version: 1 };
  const ends = { device: newId(), deviceNumber: 3, scope: A, account: 7, seq: 0, acked: 0 };
  const meta: DeviceMeta = { ...ends, cursors: { [A]: read, [B]: read }, clockOffsetMs: 0 };
  const replica = new DeviceReplica(meta, [], { checks: registerChecks, clock, random });
  replica.load(before);
  replica.loaded();
  return replica;
}

const sumOf = (rows: readonly StoredRow[]): string => {
  const sum = new DigestSum();
  for (const { id, version } of rows) sum.add(id, version);
  return sum.value;
};

const said = { generation: 'g', from: 1, to: 5, gone: [], more: false };
const left: ScopeChanges = {
  ...said,
  scope: A,
  rows: [],
  moved: tree.map(({ id, version }) => [id, B, 1, version, 5]),
  digest: sumOf(before.slice(0, 1)),
};
const came: ScopeChanges = {
  ...said,
  scope: B,
  rows: there.map(rowToWire),
  digest: sumOf([...before.slice(1, 2), ...there]),
};

/** As the loop does. Returns the most rows that changed at a time. */
function takeIn(replica: DeviceReplica, changes: readonly ScopeChanges[], between: () => void): number {
  let most = 0;
  const stop = replica.subscribe((rows) => {
    most = Math.max(most, rows.length);
  });
  for (const portion of portionsOf(changes, replica.meta.cursors, () => true)) {
    receive(replica, { results: [], changes: portion, left: [] });
    between();
  }
  assert.deepEqual(receive(replica, { results: [], changes, left: [] }).unequal, []);
  between();
  stop();
  return most;
}

describe('a tree of many rows that moved', () => {
  for (const [how, answers] of [
    ['with the rows of its new scope', [[left, came]]],
    ['before the rows of its new scope', [[left], [came]]],
    ['after the rows of its new scope', [[came], [left]]],
  ] as const)
    it(`[SYNC-147] is taken in by portions, ${how}, and shown all the while`, () => {
      const replica = createReplica();
      const edited = ids[500] ?? list;
      replica.issue([{ a: 'set', id: edited, field: 'title', value: 'Edited meanwhile' }]);
      const { cursors } = replica.meta;
      let turns = 0;
      for (const changes of answers)
        assert.ok(
          takeIn(replica, changes, () => {
            turns += 1;
            for (const row of tree) {
              const shown = replica.row(row.id);
              assert.equal(shown && placeOf(shown)?.parent, placeOf(row)?.parent);
            }
            assert.equal(fieldOf(replica.row(edited) ?? before[0]!, 'title'), 'Edited meanwhile');
            if (turns < TASKS / PORTION) assert.deepEqual(replica.meta.cursors, cursors);
          }) <= PORTION,
        );
      assert.ok(turns > TASKS / PORTION);
      const whole = createReplica();
      receive(whole, { results: [], changes: [left, came], left: [] });
      for (const scope of [A, B]) assert.equal(replica.digestOf(scope), whole.digestOf(scope));
      assert.deepEqual(
        new Map(replica.stored().map((row) => [row.id, row])),
        new Map(whole.stored().map((row) => [row.id, row])),
      );
      assert.deepEqual(replica.meta.cursors, whole.meta.cursors);
    });

  it('[SYNC-147] leaves small answers whole, and scopes that are read anew to the answer', () => {
    const { cursors } = createReplica().meta;
    const few = { ...came, rows: came.rows.slice(0, PORTION) };
    assert.deepEqual(
      portionsOf([few], cursors, () => true),
      [],
    );
    for (const change of [
      { ...came, resync: true },
      { ...came, bootstrap: true },
    ])
      assert.deepEqual(
        portionsOf([change], cursors, () => true),
        [],
      );
    assert.deepEqual(
      portionsOf([came], cursors, () => false),
      [],
    );
    assert.deepEqual(
      portionsOf([came], {}, () => true),
      [],
    );
  });
});
