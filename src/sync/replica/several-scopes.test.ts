// What a device with several scopes writes: for which scope, on what base, and where it predicts that it goes.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { createIdSource, inboxId, labelsRoot, listsRoot, mineId, settingId, type Id } from '#core/ids.ts';
import { registerChecks } from '#wire/registers.ts';
import { receive } from '../exchange/taking-in.ts';
import type { Action, Operation } from '../rows/operation.ts';
import { placeOf } from '../rows/row-reading.ts';
import { asRow, fieldOf, type Fields, type Row, type Stamp } from '../rows/row.ts';
import type { DeviceMeta } from './ports.ts';
import { DeviceReplica } from './replica.ts';

const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };
const clock = { now: () => 1_000_000, monotonic: () => 0 };
const newId = createIdSource({ now: clock.now, random: random.fill });

/** The personal scope with a list and a task, and a shared one with its list, a task in that and a subtask of it. */
const [A, B] = [newId(), newId()] as const;
const [mineList, mineTask, ownLabel] = [newId(), newId(), newId()] as const;
const [list, task, subtask] = [newId(), newId(), newId()] as const;

interface Of {
  readonly scope: Id;
  readonly version?: number;
  readonly type?: Row['type'];
  readonly stamps?: Readonly<Record<string, Stamp>>;
}

function rowOf(id: Id, fields: Fields, { scope, version = 2, type = 'task', stamps }: Of): Row {
  const row = {
    id,
    type,
    scope,
    version,
    fields,
    stamp: [version, 5, 9, 1],
    createdAt: 1,
    updatedAt: 1,
  } as const;
  return asRow(stamps === undefined ? row : { ...row, stamps });
}

const under = (parent: Id, key = 'a1') => ({ place: { parent, key } });

const rows: readonly Row[] = [
  rowOf(inboxId(A), { listType: 'inbox', ...under(listsRoot(A), 'a0') }, { scope: A, type: 'list' }),
  rowOf(mineList, { name: 'Mine', listType: 'list', ...under(listsRoot(A)) }, { scope: A, type: 'list' }),
  rowOf(mineTask, { title: 'My task', ...under(mineList) }, { scope: A }),
  rowOf(ownLabel, { name: 'own', ...under(labelsRoot(A)) }, { scope: A, type: 'label' }),
  rowOf(list, { name: 'Trip', listType: 'list', ...under(listsRoot(B)) }, { scope: B, type: 'list' }),
  rowOf(task, { title: 'Book', ...under(list) }, { scope: B }),
  rowOf(subtask, { title: 'Ask', ...under(task) }, { scope: B }),
];

function createReplica(more: readonly Row[] = [], queue: readonly Operation[] = [], lane = 0): DeviceReplica {
  const meta: DeviceMeta = {
    device: newId(),
    deviceNumber: 3,
    scope: A,
    account: 7,
    seq: 0,
    acked: 0,
    cursors: { [A]: { generation: 'g', version: 5_003 }, [B]: { generation: 'g', version: 2 } },
    clockOffsetMs: 0,
  };
  const replica = new DeviceReplica(meta, queue, { checks: registerChecks, clock, random, lane });
  const held = new Map([...rows, ...more].map((row) => [row.id, row]));
  replica.load([...held.values()]);
  replica.loaded();
  return replica;
}

const set = (id: Id, field: string, value: unknown): Action => ({ a: 'set', id, field, value });
const create = (parent: Id, type: 'task' | 'list' | 'label' = 'task', fields: Fields = {}): Action => ({
  a: 'create',
  id: newId(),
  type,
  fields,
  place: { parent },
});

/** The verdict of an action on a fresh device, and the operation made of it. */
function issued(
  action: Action,
  replica = createReplica(),
): readonly [string, Id | undefined, number | undefined] {
  const { verdicts, operations } = replica.issue([action]);
  return [String(verdicts[0]), operations[0]?.scope, operations[0]?.b];
}

describe('what a device with several scopes writes', () => {
  it('[SYNC-80] is for the scope of the row that it names, on what was seen of that', () => {
    const next = { due: { on: '2026-05-02' }, start: null };
    for (const action of [
      set(task, 'title', 'Other'),
      { a: 'place', id: subtask, place: { parent: list } } as const,
      { a: 'delete', id: subtask } as const,
      { a: 'complete', id: task, occ: 0, at: 1, next } as const,
    ])
      assert.deepEqual(issued(action), ['ok', B, 2], action.a);
    assert.deepEqual(issued(set(mineTask, 'title', 'Other')), ['ok', A, 5_003]);
  });

  it('[SYNC-80] is for the scope in which something new is put, also beneath what is new itself', () => {
    assert.deepEqual(issued(create(list)), ['ok', B, 2]);
    assert.deepEqual(issued(create(labelsRoot(B), 'label', { name: 'theirs' })), ['ok', B, 2]);
    assert.deepEqual(issued(create(labelsRoot(A), 'label', { name: 'mine' })), ['ok', A, 5_003]);
    assert.deepEqual(issued(create(listsRoot(A), 'list', { listType: 'list' })), ['ok', A, 5_003]);
    const replica = createReplica();
    const parent = create(task);
    replica.issue([parent]);
    assert.deepEqual(issued(create(parent.id), replica), ['ok', B, 2]);
    assert.equal(replica.row(parent.id)?.scope, B);
  });

  it('[SYNC-80] is for the scope of the task, if it is the record of one of its occurrences', () => {
    const fields = { task, occ: 4, at: 5, title: 'Book' };
    const record: Action = { a: 'create', id: newId(), type: 'completion', fields };
    assert.equal(createReplica().scopeOf(record), B);
    const replica = createReplica();
    const [operation] = replica.issue([
      { a: 'complete', id: task, occ: 0, at: 1, next: { due: { on: '2026-05-02' }, start: null } },
    ]).operations;
    assert.ok(operation);
    const made = [...replica.all()].find(({ type }) => type === 'completion');
    assert.equal(made?.scope, B);
  });

  it('[SYNC-80] is for one’s own scope, if it is one’s own', () => {
    const mine: Action = {
      a: 'create',
      id: mineId(A, task),
      type: 'mine',
      fields: { of: task },
    };
    const setting: Action = {
      a: 'create',
      id: settingId(A, 'theme'),
      type: 'setting',
      fields: { key: 'theme' },
    };
    for (const action of [mine, setting]) assert.deepEqual(issued(action).slice(1), [A, 5_003], action.type);
  });

  it('[SYNC-80] does not claim to have seen what only the versions of another scope would say', () => {
    // Somebody else wrote a title of B's version 3 later than this device, which has read B up to 2.
    const other: Stamp = [3, 2_000_000, 9, 7];
    const replica = createReplica();
    replica.issue([set(task, 'title', 'Mine')]);
    receive(replica, {
      results: [],
      left: [],
      changes: [
        {
          scope: B,
          generation: 'g',
          from: 2,
          to: 3,
          gone: [],
          more: false,
          rows: [
            {
              id: task,
              type: 'task',
              v: 3,
              f: { title: 'Theirs', ...under(list) },
              m: [2, 5, 9, 1],
              fm: { title: [...other] },
              c: 1,
              u: 1,
            },
          ],
        },
      ],
    });
    assert.equal(fieldOf(replica.row(task), 'title'), 'Theirs');
  });

  it('[SYNC-87] claims of a row that moved ahead of its scope to have seen what it was before it moved, and no more', () => {
    const replica = createReplica();
    const move = (id: Id, was: number, version: number) => {
      const moved: [Id, Id, number, number, number][] = [[id, B, 1, was, version]];
      const news = {
        scope: A,
        generation: 'g',
        from: 5_003,
        to: 5_004,
        rows: [],
        gone: [],
        more: false,
        moved,
      };
      receive(replica, { results: [], left: [], changes: [news] });
    };
    // With its version in B come its place there and what was written with that.
    move(mineTask, 2, 9);
    assert.deepEqual(issued(set(mineTask, 'title', 'Mine'), replica), ['ok', B, 8]);
    // It was changed before it moved, and that is not here yet.
    move(mineList, 4_000, 3);
    assert.deepEqual(issued(set(mineList, 'name', 'Mine'), replica), ['ok', B, 0]);
  });

  it('[SYNC-81] shows what was written before the row moved, and keeps it as it was made', () => {
    // Its author had seen what somebody with a fast clock wrote last, in A as in B.
    const moved = (scope: Id, version: number): Row => {
      const stamps = { title: [version, 2_000_000, 9, 1] } as const;
      return rowOf(mineTask, { title: 'Theirs', ...under(mineList) }, { scope, version, stamps });
    };
    const replica = createReplica([moved(A, 4_000)]);
    const below = create(mineTask);
    replica.issue([set(mineTask, 'title', 'Written before'), below]);
    const made = [...replica.pending];
    const there = asRow({ ...moved(B, 9), hops: 1 });
    replica.amend({ incoming: new Map([[mineTask, there]]) });
    assert.equal(fieldOf(replica.row(mineTask), 'title'), 'Written before');
    assert.equal(replica.row(mineTask)?.scope, B);
    assert.deepEqual(replica.pending, made);
    assert.deepEqual(
      made.map(({ scope, b }) => [scope, b]),
      [
        [A, 5_003],
        [A, 5_003],
      ],
    );
    // What is written from now on has seen the row in its new scope, which is ahead of what was read of that.
    assert.deepEqual(issued(set(mineTask, 'title', 'Written after'), replica), ['ok', B, 9]);
    assert.deepEqual(issued(create(mineTask), replica), ['ok', B, 2]);
    const again = createReplica([asRow({ ...there })], made);
    assert.equal(again.row(below.id)?.scope, B, 'what is new is where its parent is now');
  });
});

describe('two tabs of a device with several scopes', () => {
  it('[SYNC-60] [SYNC-81] show what they wrote for different scopes in the order in which it was written', () => {
    const there = asRow({
      ...rowOf(mineTask, { title: 'My task', ...under(list) }, { scope: B, version: 9 }),
      hops: 1,
    });
    const behind = createReplica();
    const [first] = behind.issue([set(mineTask, 'title', 'First')]).operations;
    assert.ok(first);
    const ahead = createReplica([there], [first], 1);
    const [made] = ahead.issue([set(mineTask, 'notes', 'Second')]).operations;
    assert.ok(made?.a === 'set');
    // A second later.
    const second = { ...made, field: 'title', t: first.t + 1_000 };
    assert.deepEqual([first.scope, second.scope], [A, B]);
    // Each hears of the other's, and one of the move.
    behind.amend({ queue: [second, first] });
    ahead.amend({ queue: [second, first] });
    for (const tab of [behind, ahead]) assert.equal(fieldOf(tab.row(mineTask), 'title'), 'Second');
    behind.amend({ incoming: new Map([[mineTask, there]]) });
    assert.equal(fieldOf(behind.row(mineTask), 'title'), 'Second');
    assert.deepEqual(
      behind.pending.map(({ q }) => q),
      [first.q, second.q],
    );
  });
});

describe('a repeating task of a device with several scopes', () => {
  it('[SYNC-14] lets nothing begin anew that is in another scope now', () => {
    const done = { done: 5 };
    const elsewhere = rowOf(task, { title: 'Book', status: done, ...under(list) }, { scope: B });
    const beneath = rowOf(newId(), { status: done, ...under(mineTask) }, { scope: A });
    const replica = createReplica([elsewhere, beneath]);
    const anew = [task, beneath.id];
    const next = { due: { on: '2026-01-02' as const }, start: null };
    replica.issue([{ a: 'complete', id: mineTask, occ: 0, at: 9, next, anew }]);
    assert.equal(fieldOf(replica.row(mineTask), 'occ'), 1);
    assert.equal(fieldOf(replica.row(beneath.id), 'status'), undefined);
    assert.deepEqual(fieldOf(replica.row(task), 'status'), done);
  });
});

describe('where a device with several scopes predicts that something goes', () => {
  const trashed = (row: Row): Row => asRow({ ...row, fields: { ...row.fields, del: { at: 1, by: 1 } } });
  const shared = rows.find(({ id }) => id === list) as Row;
  const home = rows.find(({ id }) => id === task) as Row;

  it('[SYNC-82] goes to the nearest living ancestor, at last to the list at the top of the scope', () => {
    const replica = createReplica([trashed(home)]);
    const action = create(subtask);
    replica.issue([action]);
    assert.equal(placeOf(replica.row(action.id))?.parent, list);
    const folder = rowOf(
      newId(),
      { listType: 'folder', ...under(listsRoot(B), 'a2') },
      { scope: B, type: 'list' },
    );
    const orphaned = rowOf(newId(), { title: 'x', ...under(folder.id) }, { scope: B });
    const other = createReplica([folder, trashed(orphaned)]);
    const late = create(orphaned.id);
    other.issue([late]);
    assert.equal(placeOf(other.row(late.id))?.parent, list, 'there is no Inbox of a shared scope');
  });

  it('[SYNC-82] is refused when the whole list is in the trash', () => {
    assert.equal(issued(create(task), createReplica([trashed(shared)]))[0], 'badparent');
  });

  it('[SYNC-82] a task may be put into another scope, and nothing else', () => {
    const replica = createReplica();
    const { verdicts } = replica.issue([
      { a: 'place', id: mineTask, place: { parent: task } },
      set(mineTask, 'title', 'Seen before it went'),
    ]);
    assert.deepEqual(verdicts, ['ok', 'ok']);
    assert.equal(placeOf(replica.row(mineTask))?.parent, task);
    // Until the server has moved it, what is written is written where it is held.
    assert.deepEqual(
      replica.pending.map(({ scope, b }) => [scope, b]),
      [
        [A, 5_003],
        [A, 5_003],
      ],
    );
    const folder = rowOf(
      newId(),
      { listType: 'folder', ...under(listsRoot(A), 'a2') },
      { scope: A, type: 'list' },
    );
    const group = rowOf(
      newId(),
      { name: 'g', ...under(labelsRoot(B), 'a2') },
      { scope: B, type: 'labelGroup' },
    );
    const more = [folder, group];
    for (const place of [
      { a: 'place', id: list, place: { parent: folder.id } },
      { a: 'place', id: list, place: { parent: listsRoot(A) } },
      { a: 'place', id: mineList, place: { parent: listsRoot(B) } },
      { a: 'place', id: ownLabel, place: { parent: group.id } },
      { a: 'place', id: ownLabel, place: { parent: labelsRoot(B) } },
    ] as const)
      assert.equal(issued(place, createReplica(more))[0], 'badparent', place.id);
  });

  it('[SYNC-82] a task that is put into the trash of another scope goes to what lives there', () => {
    const lost = trashed(rowOf(newId(), { title: 'x', ...under(newId()) }, { scope: B }));
    const replica = createReplica([lost]);
    replica.issue([{ a: 'place', id: mineTask, place: { parent: lost.id } }]);
    assert.equal(placeOf(replica.row(mineTask))?.parent, list);
    const first = rowOf(
      newId(),
      { listType: 'folder', ...under(listsRoot(B), 'a0') },
      { scope: B, type: 'list' },
    );
    assert.equal(issued(create(lost.id), createReplica([lost, first]))[0], 'badparent');
  });

  it('[SYNC-82] closes no circle across scopes', () => {
    const inside = rowOf(mineTask, { title: 'x', ...under(subtask) }, { scope: A });
    const replica = createReplica([inside]);
    assert.equal(issued({ a: 'place', id: task, place: { parent: mineTask } }, replica)[0], 'cycle');
  });

  it('[SYNC-82] a row that had no place goes back to the top of its own scope', () => {
    const lost = rowOf(newId(), { name: 'Lost', listType: 'list' }, { scope: B, type: 'list' });
    const { inverses } = createReplica([lost]).issue([
      { a: 'place', id: lost.id, place: { parent: listsRoot(B) } },
    ]);
    assert.deepEqual(
      inverses.map((action) => action.a === 'place' && action.place.parent),
      [listsRoot(B)],
    );
  });

  it('[SEAL-108] moves nothing into the own scope or out of it while that is sealed and can’t be opened here, and everything else as usual', () => {
    const replica = createReplica();
    replica.amend({ meta: { ...replica.meta, apart: true } }, null);
    const place = (id: Id, parent: Id): Action => ({ a: 'place', id, place: { parent } });
    const issued = replica.issue([
      place(mineTask, list),
      place(task, mineList),
      place(subtask, list),
      place(mineTask, inboxId(A)),
    ]);
    assert.deepEqual(issued.verdicts, ['forbidden', 'forbidden', 'ok', 'ok']);
    assert.deepEqual(
      replica.pending.map(({ id }) => id),
      [subtask, mineTask],
    );
    assert.equal(placeOf(replica.row(task))?.parent, list);
    replica.amend({ meta: { ...replica.meta, bridge: true } }, null);
    assert.deepEqual(replica.issue([place(mineTask, list), place(mineTask, inboxId(A))]).verdicts, [
      'ok',
      'ok',
    ]);
    const { apart: _apart, bridge: _bridge, ...plain } = replica.meta;
    replica.amend({ meta: plain }, null);
    assert.deepEqual(replica.issue([place(task, mineList)]).verdicts, ['ok']);
  });
});
