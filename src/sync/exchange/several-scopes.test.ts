// A device that holds several scopes: rows that move between them, heard in any order and in any number of answers.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import { registerChecks } from '#wire/registers.ts';
import { syncResponseSchema, type ScopeChanges } from '#wire/sync.ts';
import { stoodOf } from '../replica/generation-history.ts';
import type { Cursor, DeviceMeta } from '../replica/ports.ts';
import { createMemoryStorage, MemoryContents } from '../replica/memory-storage.ts';
import { DeviceReplica } from '../replica/replica.ts';
import { SaveQueue } from '../replica/save-queue.ts';
import { rowToWire } from '../rows/codec.ts';
import { DigestSum } from '../rows/digest.ts';
import { asRow, fieldOf, type Fields, type Row, type Stamp, type StoredRow } from '../rows/row.ts';
import { Bootstraps } from './bootstrap.ts';
import { heal } from './healing.ts';
import { FIRST_PLACE, Readings } from './reading.ts';
import { keepOnly, receive, receivePage, type Received } from './taking-in.ts';

const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };
const clock = { now: () => 1_000_000, monotonic: () => 0 };
const newId = createIdSource({ now: clock.now, random: random.fill });

/** The personal scope, two shared ones, and a list in the first of them with a task. */
const [A, B, C] = [newId(), newId(), newId()] as const;
const [list, task] = [newId(), newId()] as const;

interface At {
  readonly scope: Id;
  readonly version: number;
  readonly hops?: number;
  readonly title?: string;
  readonly writtenAt?: number;
}

/** The row of the list or of its task, as the server holds it there. */
function rowOf(id: Id, { scope, version, hops, title = 'As it was', writtenAt = version }: At): StoredRow {
  const stamp: Stamp = [writtenAt, 5, 9, 1];
  const place = { parent: id === list ? listsRoot(scope) : list, key: 'a5' };
  const fields = id === list ? { name: title, listType: 'list', place } : { title, place };
  const type = id === list ? 'list' : 'task';
  const row = { id, type, scope, version, fields, stamp, createdAt: 1, updatedAt: version } as const;
  return asRow(hops === undefined ? row : { ...row, hops });
}

const inbox = asRow({
  id: inboxId(A),
  type: 'list',
  scope: A,
  version: 1,
  fields: { listType: 'inbox', place: { parent: listsRoot(A), key: 'a0' } },
  stamp: [1, 1, 9, 1],
  createdAt: 1,
  updatedAt: 1,
});

const before: readonly StoredRow[] = [
  inbox,
  rowOf(list, { scope: A, version: 4_999 }),
  rowOf(task, { scope: A, version: 5_000 }),
];
const inB: readonly StoredRow[] = [
  rowOf(list, { scope: B, version: 1, hops: 1 }),
  rowOf(task, { scope: B, version: 2, hops: 1 }),
];

function createReplica(
  rows: readonly StoredRow[] = before,
  cursors: Readonly<Record<Id, Cursor>> = {},
): DeviceReplica {
  const meta: DeviceMeta = {
    device: newId(),
    deviceNumber: 3,
    scope: A,
    account: 7,
    seq: 0,
    acked: 0,
    cursors: { [A]: { generation: 'g', version: 5_000 }, ...cursors },
    trails: { [A]: [['g', 5_000]] },
    clockOffsetMs: 0,
  };
  const replica = new DeviceReplica(meta, [], { checks: registerChecks, clock, random });
  replica.load(rows);
  replica.loaded();
  return replica;
}

const sumOf = (rows: readonly StoredRow[]): string => {
  const sum = new DigestSum();
  for (const { id, version } of rows) sum.add(id, version);
  return sum.value;
};

type Said = Partial<Omit<ScopeChanges, 'rows'>> & { readonly rows?: readonly StoredRow[] };

/** What a scope has to tell up to a version, and what its rows add up to there. */
const news = (
  scope: Id,
  to: number,
  all: readonly StoredRow[],
  { rows = [], ...said }: Said = {},
): ScopeChanges => ({
  scope,
  generation: 'g',
  from: 0,
  to,
  rows: rows.map(rowToWire),
  gone: [],
  more: false,
  digest: sumOf(all),
  ...said,
});

const hear = (
  replica: DeviceReplica,
  changes: readonly ScopeChanges[],
  left: readonly Id[] = [],
): Received => {
  const head = { serverNow: 1, deviceNumber: 3, account: 7, personalScope: A, minSchema: 1, results: [] };
  const read = syncResponseSchema.parse(JSON.parse(JSON.stringify({ ...head, left, changes })));
  return receive(replica, { results: [], changes: read.changes, left: read.left });
};

const held = (replica: DeviceReplica) =>
  new Map([...replica.stored()].map((row) => [row.id, `${row.scope} ${row.hops ?? 0} ${row.version}`]));

/** Each scope has exactly these rows, and the sums say so. */
function assertHeld(replica: DeviceReplica, rows: readonly StoredRow[]): void {
  const byId = (all: Iterable<StoredRow>) => [...all].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  assert.deepEqual(byId(replica.stored()), byId(rows));
  for (const scope of [A, B, C])
    assert.equal(replica.digestOf(scope), sumOf(rows.filter((row) => row.scope === scope)));
}

const goneFromA = news(A, 5_002, [inbox], { gone: [list, task] });
const movedFromA = news(A, 5_002, [inbox], {
  moved: [
    [list, B, 1, 4_999, 1],
    [task, B, 1, 5_000, 2],
  ],
});
const intoB = news(B, 2, inB, { rows: inB });

const timers = { after: (_delayMs: number, work: () => void) => (setImmediate(work), () => undefined) };
const notAsked = () => Promise.reject(new Error('not asked'));
const ports = {
  clock,
  timers,
  random,
  transport: { sync: notAsked, snapshot: notAsked, listen: () => () => undefined },
  changed: () => undefined,
  wake: () => undefined,
};
const savesOf = ({ meta }: DeviceReplica) =>
  new SaveQueue({
    storage: createMemoryStorage(new MemoryContents()),
    timers,
    meta: () => meta,
    onChange: () => undefined,
  });

describe('a list that moves to another scope', () => {
  for (const [name, fromA] of [
    ['gone', goneFromA],
    ['moved', movedFromA],
  ] as const) {
    it(`[SYNC-76] [SYNC-77] is there when its old scope says “${name}”, in whatever order one answer tells`, () => {
      for (const changes of [
        [fromA, intoB],
        [intoB, fromA],
      ]) {
        const replica = createReplica();
        const { rowsPut, rowsRemove, unequal } = hear(replica, changes);
        assertHeld(replica, [inbox, ...inB]);
        assert.deepEqual([rowsPut.length, rowsRemove, unequal], [2, [], []]);
      }
    });

    it(`[SYNC-77] is there when its new scope is heard first and “${name}” in a later answer`, () => {
      const replica = createReplica();
      const first = hear(replica, [intoB]);
      assertHeld(replica, [inbox, ...inB]);
      const second = hear(replica, [fromA]);
      assertHeld(replica, [inbox, ...inB]);
      assert.deepEqual([first.unequal, second.rowsPut, second.rowsRemove, second.unequal], [[], [], [], []]);
    });
  }

  it('[SYNC-78] moves along as it is with the word of its old scope, before its new one is read', () => {
    const replica = createReplica();
    const seen: unknown[] = [];
    replica.subscribe((changes) => seen.push(...changes.map(({ after }) => after?.scope)));
    const { unequal, rowsRemove } = hear(replica, [movedFromA]);
    assert.deepEqual(seen, [B, B]);
    assert.deepEqual([unequal, rowsRemove], [[], []]);
    assert.equal(replica.row(task)?.stamp[0], 1, 'what it has of A’s versions means nothing in B');
    assert.equal(replica.digestOf(B), sumOf(inB));
    assert.deepEqual(replica.meta.cursors[B], { generation: 'moved', version: 0 });
    // The server gave them a new time of change.
    hear(replica, [intoB]);
    assertHeld(replica, [inbox, ...inB]);
  });

  it('[SYNC-78] is shown as it is held where it was changed before it moved, until the new scope is read', () => {
    const replica = createReplica();
    const { unequal } = hear(replica, [
      news(A, 5_003, [inbox], {
        moved: [
          [list, B, 1, 4_999, 1],
          [task, B, 1, 5_001, 2],
        ],
      }),
    ]);
    assert.deepEqual(unequal, []);
    assert.equal(fieldOf(replica.row(task), 'title'), 'As it was');
    assert.equal(held(replica).get(task), `${B} 1 0`, 'whatever comes from B is later');
    const changed = [inB[0]!, rowOf(task, { scope: B, version: 2, hops: 1, title: 'Changed before' })];
    assert.deepEqual(hear(replica, [news(B, 2, changed, { rows: changed })]).unequal, []);
    assertHeld(replica, [inbox, ...changed]);
  });

  it('[SYNC-78] is asked for by name, so that it goes when the scope may not be read after all', () => {
    const replica = createReplica();
    hear(replica, [movedFromA]);
    hear(replica, [], [B]);
    assertHeld(replica, [inbox]);
    assert.equal(replica.meta.cursors[B], undefined);
  });

  it('[SYNC-76] comes back to where it was, in one answer or in several', () => {
    const back = [
      rowOf(list, { scope: A, version: 5_003, hops: 2 }),
      rowOf(task, { scope: A, version: 5_004, hops: 2 }),
    ];
    const intoA = news(A, 5_004, [inbox, ...back], { rows: back });
    const outOfB = news(B, 4, [], {
      moved: [
        [list, A, 2, 1, 5_003],
        [task, A, 2, 2, 5_004],
      ],
    });
    for (const answers of [
      [[intoA, outOfB]],
      [[outOfB, intoA]],
      [[outOfB], [intoA]],
      [[intoA], [outOfB]],
      [[movedFromA, intoB], [outOfB], [intoA]],
      [[movedFromA, intoB], [intoA], [outOfB]],
      [[movedFromA], [intoA], [outOfB]],
      [[movedFromA, outOfB], [intoA]],
    ]) {
      const replica = createReplica();
      for (const changes of answers) assert.deepEqual(hear(replica, changes).unequal, []);
      assertHeld(replica, [inbox, ...back]);
    }
  });

  it('[SYNC-76] [SYNC-78] goes on to a third scope, in whatever order the three are heard', () => {
    const there = [
      rowOf(list, { scope: C, version: 10, hops: 2 }),
      rowOf(task, { scope: C, version: 11, hops: 2 }),
    ];
    const outOfB = news(B, 4, [], {
      moved: [
        [list, C, 2, 1, 10],
        [task, C, 2, 2, 11],
      ],
    });
    const intoC = news(C, 11, there, { rows: there });
    const chased = createReplica();
    hear(chased, [outOfB]);
    assert.equal(held(chased).get(task), `${C} 2 0`, 'B knows that it has moved on');
    hear(chased, [news(B, 4, []), movedFromA]);
    assert.equal(held(chased).get(task), `${C} 2 0`, 'and it is shown until C is read');
    const passed = createReplica();
    // What was read of B ended between its coming and its going.
    hear(passed, [news(B, 3, [])]);
    hear(passed, [movedFromA, outOfB]);
    assert.equal(held(passed).get(task), `${C} 2 0`, 'the next move says where it is');
    const both = createReplica();
    hear(both, [outOfB, movedFromA]);
    assert.equal(held(both).get(task), `${C} 2 11`);
    for (const first of [0, 1, 2])
      for (const second of [0, 1, 2].filter((at) => at !== first))
        for (const sizes of [[3], [1, 2], [2, 1], [1, 1, 1]]) {
          const all = [movedFromA, outOfB, intoC];
          const order = [first, second, 3 - first - second].map((at) => all[at] as ScopeChanges);
          const replica = createReplica();
          for (const size of sizes) assert.deepEqual(hear(replica, order.splice(0, size)).unequal, []);
          assertHeld(replica, [inbox, ...there]);
        }
  });

  it('[SYNC-78] is not shown for ever in a scope that it had left again before its old scope was heard', () => {
    const replica = createReplica();
    hear(replica, [news(B, 9, [], { gone: [list, task] })]);
    assert.equal(held(replica).size, 3, 'B says nothing of what A holds');
    hear(replica, [movedFromA]);
    assertHeld(replica, [inbox]);
  });

  it('[SYNC-78] stays shown while its new scope is only partly read', () => {
    const replica = createReplica();
    const { moved } = movedFromA;
    hear(replica, [
      news(A, 5_002, [inbox], { moved: moved! }),
      news(B, 2, [], { more: true, digest: undefined }),
    ]);
    assert.equal(held(replica).get(task), `${B} 1 2`);
    const reading = createReplica(before, { [B]: { generation: 'g', version: 9 } });
    reading.setReading(B, { next: null, read: 0, total: null, replaces: false });
    hear(reading, [movedFromA]);
    assert.equal(held(reading).get(task), `${B} 1 2`);
  });

  it('[SYNC-77] is not brought back by a page of a scope that was read before it moved on', async () => {
    const replica = createReplica([inbox], { [B]: { generation: 'g', version: 2 } });
    let answerPage: (() => void) | undefined;
    let isRead: (() => void) | undefined;
    const done = new Promise<void>((resolve) => (isRead = resolve));
    replica.setReading(B, { next: FIRST_PLACE, read: 0, total: null, replaces: false, from: 2 });
    const reading = new Bootstraps({
      ...ports,
      replica,
      saves: savesOf(replica),
      transport: {
        ...ports.transport,
        snapshot: () =>
          new Promise((resolve) => {
            answerPage = () => resolve({ ok: true, value: { rows: inB, next: null, generation: 'g' } });
          }),
      },
      wake: () => isRead?.(),
    });
    reading.wake();
    const onwards = news(B, 4, [], { moved: [[task, C, 2, 2, 11]] });
    hear(replica, [onwards]);
    reading.noted(onwards);
    answerPage?.();
    await done;
    assert.deepEqual([...held(replica).keys()], [inbox.id, list]);
  });

  it('[SYNC-83] a verdict waits while the scope to which its row has moved is read from the start', () => {
    const replica = createReplica([inbox, ...inB], { [B]: { generation: 'g', version: 2 } });
    const readings = new Readings({ ...ports, replica, saves: savesOf(replica) });
    const { operations } = createReplica().issue([{ a: 'set', id: task, field: 'title', value: 'Other' }]);
    const [operation] = operations;
    assert.ok(operation?.scope === A);
    assert.equal(readings.mayHold(operation), false);
    replica.setReading(B, { next: null, read: 0, total: null, replaces: false, from: 2 });
    assert.equal(readings.mayHold(operation), true);
    const [later] = replica.issue([{ a: 'set', id: task, field: 'title', value: 'Other' }]).operations;
    assert.equal(later && readings.mayHold(later), false, 'it was made after the reading began');
  });

  it('[SYNC-76] stays where it is when an old message of its way arrives late', () => {
    const back = [
      rowOf(list, { scope: A, version: 5_003, hops: 2 }),
      rowOf(task, { scope: A, version: 5_004, hops: 2 }),
    ];
    const replica = createReplica([inbox, ...back]);
    hear(replica, [
      { ...movedFromA, digest: sumOf([inbox, ...back]) },
      news(B, 2, inB, { rows: inB, digest: undefined }),
    ]);
    assertHeld(replica, [inbox, ...back]);
  });

  it('[SYNC-76] is where the present history of the server has it, when that moved it elsewhere', () => {
    const replica = createReplica([inbox, ...inB.map((row) => ({ ...row, version: 40 }))]);
    const there = [
      rowOf(list, { scope: C, version: 1, hops: 1 }),
      rowOf(task, { scope: C, version: 2, hops: 1 }),
    ];
    hear(replica, [news(C, 2, there, { rows: there })]);
    assertHeld(replica, [inbox, ...there]);
  });

  it('[SYNC-157] is where one answer has it in an earlier state, if the scope under which it is held has lost it', () => {
    const replica = createReplica([inbox, ...inB], { [B]: { generation: 'g', version: 1 } });
    const there = [
      rowOf(list, { scope: A, version: 5_001 }),
      rowOf(task, { scope: A, version: 5_002, title: 'Put back' }),
    ];
    hear(replica, [news(A, 5_002, [inbox, ...there], { rows: there }), news(B, 3, [], { resync: true })]);
    assertHeld(replica, [inbox, ...there]);
  });

  it('[SYNC-156] is known to have been seen in its new scope, before that is read', () => {
    const replica = createReplica();
    hear(replica, [movedFromA]);
    assert.deepEqual(stoodOf(replica.meta), { [B]: { generation: 'g', version: 2 } });
    receivePage(replica, [rowOf(task, { scope: A, version: 5_009, hops: 2 })]);
    assert.deepEqual(stoodOf(replica.meta)?.[A], { generation: 'g', version: 5_009 });
    hear(replica, [news(A, 5_009, [], { digest: undefined })]);
    assert.equal(stoodOf(replica.meta)?.[A], undefined, 'its cursor says it by now');
  });

  it('[SYNC-77] goes with the scope that it is held under, and with no other', () => {
    const replica = createReplica([inbox, ...inB], { [B]: { generation: 'g', version: 2 } });
    assert.deepEqual(keepOnly(replica, A, new Set([inbox.id])), []);
    assert.deepEqual(hear(replica, [news(A, 5_003, [inbox], { gone: [task] })]).rowsRemove, []);
    // A fresh start of the old scope brings the state from before.
    const old = news(A, 5_003, before, { rows: before, resync: true });
    assert.deepEqual(
      hear(replica, [old]).rowsPut.map(({ id }) => id),
      [inbox.id],
    );
    assert.deepEqual(
      receivePage(replica, before, () => true).map(({ id }) => id),
      [inbox.id],
    );
    assertHeld(replica, [inbox, ...inB]);
    assert.deepEqual(new Set(keepOnly(replica, B, new Set([list]))), new Set([task]));
    hear(replica, [], [B]);
    assertHeld(replica, [inbox]);
  });

  it('[SYNC-79] is no reason to read a scope again when the scopes of one answer were read at different moments', () => {
    // A after the move, B before it; then the other way round.
    const early = news(B, 0, []);
    const ahead = createReplica();
    assert.deepEqual(hear(ahead, [movedFromA, early]).unequal, []);
    assert.deepEqual(hear(ahead, [intoB]).unequal, []);
    const late = createReplica();
    assert.deepEqual(hear(late, [news(A, 5_000, before), intoB]).unequal, []);
    assert.deepEqual(hear(late, [movedFromA]).unequal, []);
    // What really differs is noticed all the same.
    assert.deepEqual(hear(late, [news(A, 5_003, before)]).unequal, [A]);
    assert.deepEqual(hear(ahead, [news(B, 3, before)]).unequal, [B]);
  });

  it('[SYNC-135] is as the server made it there when that comes back from a backup, before it was ever read', () => {
    const replica = createReplica(before, { [B]: { generation: 'g', version: 2 } });
    const unread: DeviceMeta = { ...replica.meta, trails: { ...replica.meta.trails, [B]: [['g', 2]] } };
    replica.amend({
      meta: { ...unread, cursors: { ...unread.cursors, [B]: { generation: 'g', version: 0 } } },
    });
    hear(replica, [movedFromA]);
    const made = inB.map((row) => ({ ...row, updatedAt: 90 }));
    const change = news(B, 2, made, { generation: 'h', resync: true, rollback: { known: [['g', 2]] } });
    heal(replica, change, made);
    assertHeld(replica, [inbox, ...made]);
  });

  it('[SYNC-139] leaves its texts in Recovered when it is offered, and somebody has it whose scope is not to be read', () => {
    const replica = createReplica([inbox, ...inB.map((row) => ({ ...row, version: 40 }))], {
      [B]: { generation: 'g', version: 40 },
    });
    heal(replica, news(B, 1, [], { generation: 'h', resync: true, rollback: { known: [] } }), []);
    const offers = replica.pending.filter(({ a }) => a === 'reoffer');
    const results = offers.map(({ q, id }) => [q, id === task ? 'exists' : 'ok'] as const);
    const { refused } = receive(replica, { results, changes: [], left: [] });
    assert.deepEqual(
      refused.map(({ operation, verdict }) => [verdict, 'value' in operation && operation.value]),
      [['exists', 'As it was']],
    );
  });

  it('[SHARE-372] a refused change says in which list it was made, also where that goes with the same answer', () => {
    const named = inB.map((row) =>
      row.type === 'list' ? asRow({ ...row, fields: { ...row.fields, name: 'Trip' } } as Row) : row,
    );
    const replica = createReplica([inbox, ...named], { [B]: { generation: 'g', version: 2 } });
    const made = newId();
    replica.issue([
      { a: 'set', id: task, field: 'notes', value: 'By the lake' },
      { a: 'create', id: made, type: 'task', fields: { title: 'Tent' }, place: { parent: task } },
      { a: 'set', id: inbox.id, field: 'notes', value: 'Mine' },
    ]);
    const results = replica.pending.map(({ q }) => [q, 'gone'] as const);
    const { refused } = receive(replica, { results, changes: [], left: [B] });
    assert.equal(replica.row(list), undefined);
    assert.deepEqual(
      refused.map(({ list: name }) => name),
      ['Trip', 'Trip', 'Inbox'],
    );
  });

  it('[SHARE-296] what is on a task that is out of reach now is in Recovered when its offer finds no place', () => {
    const on = (type: 'comment' | 'attachment', fields: Fields) => {
      const head = { id: newId(), scope: B, version: 40, createdAt: 1, updatedAt: 1 };
      const place = { parent: task, key: 'a0' };
      return asRow({ ...head, type, fields: { ...fields, place }, stamp: [40, 5, 9, 1] });
    };
    const comment = on('comment', { text: 'Which train?', author: 1 });
    const file = on('attachment', { name: 'plan.pdf' });
    const replica = createReplica([inbox, ...inB, comment, file], { [B]: { generation: 'g', version: 40 } });
    heal(replica, news(B, 1, inB, { generation: 'h', resync: true, rollback: { known: [['g', 2]] } }), inB);
    const offers = replica.pending.filter(({ a }) => a === 'reoffer');
    assert.deepEqual(new Set(offers.map(({ id }) => id)), new Set([comment.id, file.id]));
    const results = offers.map(({ q }) => [q, 'badparent'] as const);
    const { refused } = receive(replica, { results, changes: [], left: [] });
    assert.deepEqual(
      refused
        .map(({ operation, verdict }) => {
          const { text, name } = 'fields' in operation ? operation.fields : {};
          return `${verdict}: ${String(text ?? name)}`;
        })
        .toSorted(),
      ['badparent: Which train?', 'badparent: plan.pdf'],
    );
  });

  it('[SYNC-77] stays where it is when its old scope comes back from before the move', () => {
    const replica = createReplica([inbox, ...inB], { [B]: { generation: 'g', version: 2 } });
    const change = news(A, 4_000, before, {
      generation: 'h',
      resync: true,
      rollback: { known: [['g', 4_000]] },
    });
    heal(replica, change, before);
    assertHeld(replica, [inbox, ...inB]);
  });

  it('[SYNC-155] leaves its text in Recovered that came along from another scope, where the server’s is a later one', () => {
    // It arrived just after what both histories have: its text has the last version of that.
    const moved = { ...rowOf(task, { scope: B, version: 4, hops: 1 }), stamp: [1, 5, 9, 1] } as const;
    const replica = createReplica([inbox, asRow({ ...moved, version: 4 })], {
      [B]: { generation: 'g', version: 4 },
    });
    replica.amend({ meta: { ...replica.meta, trails: { ...replica.meta.trails, [B]: [['g', 4]] } } });
    const other = [rowOf(task, { scope: B, version: 9, hops: 3, title: 'Later', writtenAt: 8 })];
    const rollback: ScopeChanges['rollback'] = { known: [['g', 1]] };
    const { batch } = heal(replica, news(B, 9, other, { generation: 'h', resync: true, rollback }), other);
    assert.deepEqual(
      batch.recoveredAdd.map(({ operation }) => 'value' in operation && operation.value),
      ['As it was'],
    );
  });
});
