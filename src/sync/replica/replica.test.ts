// A device's picture by itself: numbering, compaction, undo and provisional keys.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { registerChecks } from '#wire/registers.ts';
import { createIdSource, inboxId, labelsRoot, listsRoot, type Id } from '#core/ids.ts';
import { receive } from '../exchange/taking-in.ts';
import { becomeDevice } from '../exchange/new-identity.ts';
import type { Action } from '../rows/operation.ts';
import { placeOf } from '../rows/row-reading.ts';
import type { DeviceMeta } from './ports.ts';
import { pointless } from './compaction.ts';
import { DeviceReplica } from './replica.ts';
import { fieldOf, type Row } from '../rows/row.ts';

const random = {
  fill(bytes: Uint8Array): void {
    randomFillSync(bytes);
  },
  fraction: () => 0.5,
};
const clock = { now: () => 1_000_000, monotonic: () => 0 };
const newId = createIdSource({ now: clock.now, random: (bytes) => random.fill(bytes) });
const scope = newId();
const inbox = inboxId(scope);

function createReplica(rows: readonly Row[] = [], account = 7): DeviceReplica {
  const meta: DeviceMeta = {
    device: newId(),
    deviceNumber: 3,
    scope,
    account,
    seq: 0,
    acked: 0,
    cursors: { [scope]: { generation: 'g', version: 10 } },
    clockOffsetMs: 0,
  };
  const replica = new DeviceReplica(meta, [], { checks: registerChecks, clock, random });
  const stamp = [1, 1, 9, 1] as const;
  const home = { place: { parent: listsRoot(scope), key: 'a0' }, listType: 'inbox' as const };
  const base = { scope, version: 1, stamp, createdAt: 1, updatedAt: 1 };
  replica.load([{ ...base, id: inbox, type: 'list', fields: home }, ...rows]);
  replica.loaded();
  return replica;
}

function task(replica: DeviceReplica, title = ''): Id {
  const id = newId();
  replica.issue([{ a: 'create', id, type: 'task', fields: { title }, place: { parent: inbox } }]);
  return id;
}

const set = (id: Id, field: string, value: unknown): Action => ({ a: 'set', id, field, value });

describe('a copy that takes a new identity', () => {
  it('keeps its numbers, so that what is known by number stays apart', () => {
    const replica = createReplica();
    const id = task(replica);
    replica.issue([set(id, 'title', 'x')]);
    becomeDevice(replica, newId());
    assert.deepEqual(
      replica.pending.map(({ q }) => q),
      [1, 2],
    );
    replica.issue([set(id, 'notes', 'y')]);
    assert.equal(replica.pending.at(-1)?.q, 3);
  });

  it('drops only undos of what the old identity had confirmed', () => {
    const replica = createReplica();
    const id = task(replica);
    const { inverses } = replica.issue([set(id, 'title', 'x')]);
    replica.issue(inverses);
    replica.issue([{ a: 'set', id, field: 'title', value: 'z', only: 3 }]);
    receive(replica, {
      results: [
        [1, 'ok'],
        [2, 'ok'],
      ],
      changes: [],
      left: [],
      deviceNumber: 3,
      clockOffsetMs: 0,
    });
    assert.deepEqual(becomeDevice(replica, newId()), [3]);
    assert.deepEqual(
      replica.pending.map(({ q }) => q),
      [4],
    );
  });
});

describe('compaction', () => {
  it('drops writes that a later one of the same register makes pointless', () => {
    const replica = createReplica();
    const id = task(replica);
    for (const title of ['a', 'ab', 'abc']) replica.issue([set(id, 'title', title)]);
    assert.deepEqual(replica.compact(0).toReversed(), [2, 3]);
  });

  it('[SYNC-12] keeps writes of one register for different scopes: the row has moved between them', () => {
    const replica = createReplica();
    const id = task(replica);
    replica.issue([set(id, 'title', 'a'), set(id, 'title', 'b')]);
    const other = newId();
    const [create, first, second] = replica.pending;
    assert.ok(create && first && second);
    const queue = (scope: Id) => [create, first, { ...second, scope }];
    assert.deepEqual(pointless(queue(other), { lane: 0, sent: 0 }), []);
    assert.deepEqual(pointless(queue(scope), { lane: 0, sent: 0 }), [first.q]);
  });

  it('keeps what the record of a completed occurrence will remember', () => {
    const replica = createReplica();
    const id = task(replica);
    replica.issue([
      set(id, 'title', 'water the plants'),
      { a: 'complete', id, occ: 0, at: 5, next: { due: { on: '2026-05-02' }, start: null } },
      set(id, 'title', 'water the garden'),
    ]);
    assert.deepEqual(replica.compact(0), []);
  });

  it('keeps switches that labels chosen in between depend on', () => {
    const replica = createReplica();
    const group = newId();
    replica.issue([
      { a: 'create', id: group, type: 'labelGroup', fields: {}, place: { parent: labelsRoot(scope) } },
      set(group, 'exclusive', true),
      set(group, 'exclusive', false),
    ]);
    assert.deepEqual(replica.compact(0), []);
  });
});

describe('undo of what was issued together', () => {
  it('goes back to what stood before the first of several writes', () => {
    const replica = createReplica();
    const id = task(replica, 'first');
    const { inverses } = replica.issue([set(id, 'title', 'second'), set(id, 'title', 'third')]);
    replica.issue(inverses);
    assert.equal(fieldOf(replica.row(id), 'title'), 'first');
  });

  it('goes back over several moves and a deletion', () => {
    const replica = createReplica();
    const [a, b, c] = [task(replica), task(replica), task(replica)];
    const order = (): Id[] => replica.children(inbox).map((row) => row.id);
    const { inverses } = replica.issue([
      { a: 'place', id: a, place: { parent: inbox, after: b } },
      { a: 'place', id: a, place: { parent: c } },
      { a: 'delete', id: c },
      { a: 'restore', id: c },
    ]);
    replica.issue(inverses);
    assert.deepEqual(order(), [a, b, c]);
    assert.equal(fieldOf(replica.row(c), 'del'), undefined);
  });
});

describe('provisional keys', () => {
  it('leave the siblings of a crowded gap alone, so that nothing predicted outlives its operation', () => {
    const stamp = [1, 1, 9, 1] as const;
    const base = { scope, version: 1, stamp, createdAt: 1, updatedAt: 1, type: 'task' as const };
    const crowded = ['a0', `a0${'0'.repeat(30)}V`].map((key) => ({
      ...base,
      id: newId(),
      fields: { place: { parent: inbox, key } },
    }));
    const replica = createReplica(crowded);
    const ids = Array.from({ length: 40 }, () => newId());
    const after = crowded[0]?.id as Id;
    for (const id of ids)
      replica.issue([{ a: 'create', id, type: 'task', fields: {}, place: { parent: inbox, after } }]);
    for (const row of crowded) assert.equal(replica.row(row.id), replica.confirmed(row.id));
    assert.deepEqual(
      replica.children(inbox).map(({ id }) => id),
      [after, ...ids.toReversed(), crowded[1]?.id],
    );
    assert.ok((placeOf(replica.row(ids.at(-1) as Id) as Row)?.key.length ?? 0) > 32);
  });
});

describe('a tab that begins to decide', () => {
  it('[SYNC-61] shows what it made before all the while, and keeps it when somebody writes to it in between', () => {
    const replica = createReplica([], 0);
    replica.isFollower = true;
    const id = task(replica, 'Fo');
    replica.isFollower = false;
    const seen: unknown[] = [];
    replica.subscribe((changes) => {
      for (const { after } of changes) seen.push(after?.id);
      // An editor whose row has changed writes what was typed on.
      if (seen.length === 1) replica.issue([set(id, 'title', 'Four')]);
    });
    replica.judge(replica.pending);
    assert.deepEqual([...new Set(seen)], [id], 'the row was never gone');
    assert.equal(fieldOf(replica.confirmed(id), 'title'), 'Four');
    assert.deepEqual(replica.pending, []);
  });
});
