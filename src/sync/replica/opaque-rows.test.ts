// Rows and registers of a newer program on a device that does not know them: kept and handed on as they came, shown to
// nobody.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import { registerChecks } from '#wire/registers.ts';
import { partPageSchema, syncResponseSchema, type ScopeChanges, type WireRow } from '#wire/sync.ts';
import { keepOnly, receive, receivePage } from '../exchange/taking-in.ts';
import { heal } from '../exchange/healing.ts';
import { partFromWire, rowFromWire, rowToWire } from '../rows/codec.ts';
import { DigestSum } from '../rows/digest.ts';
import type { Action, Operation, Reoffer } from '../rows/operation.ts';
import { fieldOf, registersOf, type StoredRow } from '../rows/row.ts';
import type { DeviceMeta } from './ports.ts';
import { DeviceReplica } from './replica.ts';

const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };
const clock = { now: () => 1_000_000, monotonic: () => 0 };
const newId = createIdSource({ now: clock.now, random: random.fill });
const scope = newId();
const inbox = inboxId(scope);

const wireRow = (
  fields: Record<string, unknown>,
  of: { id?: Id; type?: string; v?: number } = {},
): WireRow => {
  const { id = newId(), type = 'habit', v = 2 } = of;
  const row = { id, type, v, f: fields, m: [v, 5, 9, 1], c: 3, u: 4 };
  return row as unknown as WireRow;
};

const inboxRow = wireRow(
  { place: { parent: listsRoot(scope), key: 'a0' }, listType: 'inbox' },
  { id: inbox, type: 'list', v: 1 },
);
const inInbox = { place: { parent: inbox, key: 'a1' }, name: 'Run', every: { days: 2 } };

function createReplica(stored: readonly WireRow[] = [], queue: readonly Operation[] = []): DeviceReplica {
  const meta: DeviceMeta = {
    device: newId(),
    deviceNumber: 3,
    scope,
    account: 7,
    seq: 0,
    acked: 0,
    cursors: { [scope]: { generation: 'g', version: 10 } },
    trails: { [scope]: [['g', 10]] },
    clockOffsetMs: 0,
  };
  const replica = new DeviceReplica(meta, queue, { checks: registerChecks, clock, random });
  replica.load([inboxRow, ...stored].map((row) => rowFromWire(row, scope)));
  replica.loaded();
  return replica;
}

const news = (rows: readonly WireRow[], more: Partial<ScopeChanges> = {}): ScopeChanges => {
  const to = Math.max(10, ...rows.map(({ v }) => v));
  return { scope, generation: 'g', from: 10, to, rows: [...rows], gone: [], more: false, ...more };
};

const hear = (replica: DeviceReplica, change: ScopeChanges) =>
  receive(replica, { results: [], changes: [change], left: [] });

const keptBy = (replica: DeviceReplica) => [...replica.stored()].map(({ id }) => id);

/** The answer as a device reads it from its network. */
function overTheWire(changes: readonly ScopeChanges[]): readonly ScopeChanges[] {
  const head = { serverNow: 1, deviceNumber: 3, account: 7, personalScope: scope, minSchema: 1, left: [] };
  const text = JSON.stringify({ ...head, results: [], changes });
  return syncResponseSchema.parse(JSON.parse(text)).changes;
}

function sumOf(rows: Iterable<{ readonly id: Id; readonly version: number }>): string {
  const sum = new DigestSum();
  for (const { id, version } of rows) sum.add(id, version);
  return sum.value;
}

const stampArb = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat());
const anyRow: fc.Arbitrary<WireRow> = fc
  .record({
    id: fc.constant(null).map(() => newId()),
    type: fc.stringMatching(/^[A-Z]\w{0,39}$/),
    v: fc.integer({ min: 1, max: 1_000_000 }),
    f: fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()),
    m: stampArb,
    fm: fc.dictionary(fc.string({ minLength: 1 }), stampArb),
    c: fc.nat(),
    u: fc.nat(),
  })
  .map((row) => JSON.parse(JSON.stringify(row)) as WireRow);

describe('rows of types that this program does not know', () => {
  it('[SYNC-70] stay exactly as they came in an answer, on a page and on the disk, and count in the sum', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 5 }), (rows) => {
        const [change] = overTheWire([news(rows)]);
        assert.ok(change);
        const [byAnswer, byPage] = [createReplica(), createReplica()];
        const { rowsPut } = hear(byAnswer, change);
        const page = JSON.stringify({ scope, rows, next: null });
        receivePage(byPage, partFromWire(partPageSchema.parse(JSON.parse(page))).rows);
        const fromDisk = createReplica();
        fromDisk.load(structuredClone(rowsPut));
        for (const replica of [byAnswer, byPage, fromDisk]) {
          const held = new Map([...replica.stored()].map((row) => [row.id, row]));
          for (const row of rows) assert.deepEqual(rowToWire(held.get(row.id) as StoredRow), row);
          assert.equal(replica.digestOf(scope), sumOf(held.values()));
        }
      }),
      { numRuns: 30, seed: 70 },
    );
  });

  it('[SYNC-70] are shown to nobody, and nobody is told of them', () => {
    const replica = createReplica();
    const told: unknown[] = [];
    replica.subscribe((changes) => told.push(...changes));
    const row = wireRow(inInbox);
    hear(replica, news([row]));
    hear(replica, news([{ ...row, v: 3 }]));
    replica.load([rowFromWire(wireRow(inInbox), scope)]);
    assert.equal(replica.row(row.id), undefined);
    assert.equal(replica.confirmed(row.id), undefined);
    assert.deepEqual(replica.children(inbox), []);
    assert.deepEqual(
      [...replica.all()].map(({ id }) => id),
      [inbox],
    );
    assert.equal(replica.size, 1);
    assert.deepEqual(told, []);
    assert.equal(keptBy(replica).length, 3);
  });

  it('[SYNC-70] are not touched: what would change one is not offered, and its id stays taken', () => {
    const row = wireRow(inInbox);
    const replica = createReplica([row]);
    const { id } = row;
    const place = { parent: inbox };
    const actions: readonly Action[] = [
      { a: 'set', id, field: 'name', value: 'Walk' },
      { a: 'place', id, place },
      { a: 'delete', id },
      { a: 'restore', id },
      { a: 'complete', id, occ: 0, at: 1, next: null },
      { a: 'create', id, type: 'task', fields: {}, place },
    ];
    for (const action of actions) {
      const { verdicts, operations } = replica.issue([action]);
      assert.notDeepEqual(verdicts, ['ok'], action.a);
      assert.deepEqual(operations, []);
    }
    const under = { a: 'create', id: newId(), type: 'task', fields: {}, place: { parent: id } } as const;
    assert.deepEqual(replica.issue([under]).verdicts, ['badparent']);
    assert.deepEqual(rowToWire([...replica.stored()].find((held) => held.id === id) as StoredRow), row);
  });

  it('[SYNC-70] follow the server: newer ones replace older ones, purged ones go, and so do those of a scope that was left', () => {
    const [first, second] = [wireRow(inInbox, { v: 5 }), wireRow({ of: 1 }, { v: 6 })];
    const replica = createReplica([first, second]);
    const versionOf = (id: Id) => [...replica.stored()].find((row) => row.id === id)?.version;
    assert.deepEqual(hear(replica, news([{ ...first, v: 4 }])).rowsPut, [], 'an older one is no news');
    hear(replica, news([{ ...first, v: 11 }]));
    assert.equal(versionOf(first.id), 11);
    assert.equal(replica.digestOf(scope), sumOf(replica.stored()));
    assert.deepEqual(hear(replica, news([], { gone: [first.id] })).rowsRemove, [first.id]);
    assert.deepEqual(keptBy(replica), [inbox, second.id]);
    assert.deepEqual(keepOnly(replica, scope, new Set([inbox])), [second.id]);
    assert.equal(replica.digestOf(scope), sumOf(replica.stored()));
    hear(replica, news([second]));
    const left = receive(replica, { results: [], changes: [], left: [scope] });
    assert.deepEqual(left.rowsRemove.toSorted(), [inbox, second.id].toSorted());
    assert.deepEqual(keptBy(replica), []);
  });

  it('[SYNC-70] a tab of a newer version makes and changes them: that waits, and changes nothing here', () => {
    const row = wireRow(inInbox);
    const head = { scope, t: 1, b: 10 };
    const made = {
      a: 'create',
      id: newId(),
      type: 'habit',
      fields: { name: 'Swim' },
      place: { parent: inbox },
    };
    const changed = { a: 'set', id: row.id, field: 'every', value: 3 };
    const queue = [made, changed].map(
      (action, at) => ({ ...head, ...action, q: at + 1, u: newId() }) as unknown as Operation,
    );
    for (const replica of [createReplica([row], queue), createReplica([row])]) {
      replica.amend({ queue });
      hear(replica, news([{ ...row, v: 12 }]));
      assert.deepEqual(
        replica.pending.map(({ q }) => q),
        [1, 2],
      );
      assert.deepEqual(replica.compact(0), []);
      assert.deepEqual(replica.children(inbox), []);
      assert.equal(replica.row(made.id), undefined);
    }
  });
});

describe('registers that this program does not know', () => {
  const fields = { place: { parent: inbox, key: 'a1' }, title: 'Plan', energy: { level: 'high' }, mood: 3 };

  it('[SYNC-71] stay as they came, whatever is done to their row', () => {
    const row = { ...wireRow(fields, { type: 'task' }), fm: { energy: [2, 4, 9, 1] } } as unknown as WireRow;
    const { id } = row;
    const [change] = overTheWire([news([row])]);
    const replica = createReplica();
    assert.ok(change);
    hear(replica, change);
    const other = newId();
    const { verdicts } = replica.issue([
      { a: 'create', id: other, type: 'task', fields: {}, place: { parent: inbox } },
      { a: 'set', id, field: 'title', value: 'Plan B' },
      { a: 'set', id, field: 'meta:size', value: 'XL' },
      { a: 'place', id, place: { parent: other } },
      { a: 'complete', id, occ: 0, at: 1, next: null },
      { a: 'delete', id },
      { a: 'restore', id },
    ]);
    assert.deepEqual(new Set(verdicts), new Set(['ok']));
    const { energy, mood, title } = registersOf(replica.row(id));
    assert.deepEqual({ energy, mood, title }, { energy: { level: 'high' }, mood: 3, title: 'Plan B' });
    const confirmed = [...replica.stored()].find((held) => held.id === id) as StoredRow;
    assert.deepEqual(rowToWire(confirmed), row);
    const unknown = replica.issue([{ a: 'set', id, field: 'energy', value: { level: 'low' } }]);
    assert.deepEqual([unknown.verdicts, unknown.operations], [['invalid'], []]);
  });
});

describe('what a device brings back to a server that was put back', () => {
  const said = {
    stamps: { energy: [12, 40, 9, 2], title: [12, 41, 9, 2] },
    task: { place: { parent: inbox, key: 'a1' }, title: 'Plan', energy: { level: 'high' } },
  };
  const task = (v: number) =>
    ({ ...wireRow(said.task, { type: 'task', v }), fm: said.stamps }) as unknown as WireRow;

  function healed(stored: readonly WireRow[], fresh: readonly WireRow[] = []) {
    const replica = createReplica(stored);
    const change = news([], { rollback: { known: [['g', 1]] }, resync: true, generation: 'h', to: 1 });
    const rows = [inboxRow, ...fresh].map((row) => rowFromWire(row, scope));
    const { outboxAdd = [] } = heal(replica, change, rows).batch;
    return { replica, offers: outboxAdd as readonly (Operation & Reoffer)[] };
  }

  it('[SYNC-71] are registers that it does not know too, verbatim with their times, and they stay shown', () => {
    const row = task(12);
    const { replica, offers } = healed([row]);
    const offer = offers.find(({ id }) => id === row.id);
    assert.deepEqual(offer?.fields, { title: 'Plan', energy: { level: 'high' } });
    assert.deepEqual(offer.times, { energy: 40, title: 41 });
    assert.deepEqual(fieldOf(replica.row(row.id), 'title'), 'Plan');
    assert.deepEqual(registersOf(replica.row(row.id))['energy'], { level: 'high' });
  });

  it('[SYNC-71] are only those that are newer here than there', () => {
    const row = task(12);
    const there = {
      ...row,
      v: 1,
      f: { ...said.task, energy: { level: 'low' } },
      fm: { energy: [1, 39, 9, 1] },
    };
    const { offers, replica } = healed([row], [there as unknown as WireRow]);
    assert.deepEqual(
      offers.map(({ fields }) => fields),
      [{ title: 'Plan', energy: { level: 'high' } }],
    );
    assert.deepEqual(registersOf(replica.row(row.id))['energy'], { level: 'high' });
  });

  it('[SYNC-70] are rows of types that it does not know, with their place among their siblings, deletions last', () => {
    const first = wireRow({ ...inInbox, place: { parent: inbox, key: 'a2' } }, { v: 12 });
    const second = wireRow(
      { ...inInbox, place: { parent: inbox, key: 'a3' }, del: { at: 5, by: 7 } },
      { v: 13 },
    );
    const single = wireRow({ of: inbox }, { v: 14 });
    const { replica, offers } = healed([second, single, task(12), first]);
    const habits = offers.filter(({ type }) => (type as string) === 'habit');
    assert.deepEqual(
      habits.map(({ id }) => id),
      [first.id, second.id, single.id, second.id],
    );
    const [offered, , unplaced, deletion] = habits;
    assert.deepEqual(offered?.fields, { name: 'Run', every: { days: 2 } });
    assert.deepEqual([offered.place?.parent, offered.place?.before], [inbox, second.id]);
    assert.deepEqual([unplaced?.fields, unplaced?.place], [{ of: inbox }, undefined]);
    assert.deepEqual(deletion?.fields, { del: { at: 5, by: 7 } });
    assert.equal(replica.children(inbox).length, 1, 'only the task is shown');
    for (const { id } of [first, second, single]) assert.equal(replica.row(id), undefined);
  });
});
