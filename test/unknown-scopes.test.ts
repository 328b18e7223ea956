// A server that was restored to before a list was shared does not know its scope: the device keeps what it holds and makes
// there, sends none of it, and sends all of it once the server knows the scope again.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import { MemoryContents } from '#sync/replica/memory-storage.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { asRow, fieldOf, type StoredRow } from '#sync/rows/row.ts';
import type { ScopeChanges, SyncRequest } from '#wire/sync.ts';
import { newId, openLoop, settled } from './scopes-loop.ts';

const [A, B] = [newId(), newId()] as const;
const [list, task, own] = [newId(), newId(), newId()] as const;

const rowOf = (id: Id, scope: Id, fields: Record<string, unknown>, hops?: number): StoredRow => {
  const type = 'listType' in fields ? 'list' : 'task';
  const row = {
    id,
    type,
    scope,
    version: 2,
    fields,
    stamp: [2, 5, 9, 1],
    createdAt: 1,
    updatedAt: 1,
  } as const;
  return asRow(hops === undefined ? row : { ...row, hops });
};
const under = (parent: Id) => ({ place: { parent, key: 'a1' } });
const rows = [
  rowOf(inboxId(A), A, { listType: 'inbox', ...under(listsRoot(A)) }),
  rowOf(own, A, { title: 'Mine', ...under(inboxId(A)) }),
  rowOf(list, B, { name: 'Trip', listType: 'list', ...under(listsRoot(B)) }, 1),
  rowOf(task, B, { title: 'Book', ...under(list) }, 1),
];

function contentsBefore(): MemoryContents {
  const contents = new MemoryContents();
  const cursor = { generation: 'g', version: 2 };
  contents.meta = {
    device: newId(),
    deviceNumber: 3,
    scope: A,
    account: 7,
    seq: 0,
    acked: 0,
    cursors: { [A]: cursor, [B]: cursor },
    trails: { [A]: [['g', 2]], [B]: [['g', 2]] },
    clockOffsetMs: 0,
  };
  for (const row of rows) contents.rows.set(row.id, row);
  return contents;
}

async function open(contents: MemoryContents) {
  const loop = await openLoop(contents, A);
  return { ...loop, titles: () => titlesIn(operationsIn(loop.sent.at(-1)!.request)) };
}

const operationsIn = ({ ops }: SyncRequest) => ops as Operation[];
const titlesIn = (operations: Iterable<Operation>) =>
  [...operations].map((operation) => (operation.a === 'set' ? operation.value : operation.a));
const title = (id: Id, value: string): Action => ({ a: 'set', id, field: 'title', value });
const unknown = { unknown: [B] };

describe('a scope that the server does not know', () => {
  it('[SYNC-84] keeps its rows and what is written there; only the rest is sent', async () => {
    const contents = contentsBefore();
    const { engine, answer, issue, titles } = await open(contents);
    await answer(unknown);
    const made = engine.replica.newId();
    await issue(
      title(task, 'Kept'),
      { a: 'create', id: made, type: 'task', fields: {}, place: { parent: task } },
      { a: 'place', id: own, place: { parent: list } },
      title(own, 'Sent'),
    );
    assert.deepEqual(titles(), ['Sent']);
    await answer(unknown);
    assert.deepEqual(titlesIn(contents.outbox.values()), ['Kept', 'create', 'place']);
    assert.deepEqual(contents.meta?.unknown, [B]);
    assert.equal(fieldOf(engine.replica.row(task), 'title'), 'Kept');
    assert.equal(engine.replica.row(made)?.scope, B);
    assert.equal(contents.rows.size, rows.length);
    assert.deepEqual(engine.recovered.get(), []);
    await engine.close();
    // Also by the next run of the app.
    const again = await open(contents);
    await again.issue(title(own, 'Sent later'));
    // What an earlier run left is sent once the server's time is known.
    await again.answer(unknown);
    assert.deepEqual(again.titles(), ['Sent later']);
    await again.answer(unknown);
    assert.deepEqual(titlesIn(contents.outbox.values()), ['Kept', 'create', 'place']);
    assert.ok(
      [...contents.outbox.keys()].every((q) => q > (contents.meta?.acked ?? 0)),
      'still waiting',
    );
    await again.engine.close();
  });

  it('[SYNC-84] keeps what was refused with the same word, and what is one transaction with it', async () => {
    const contents = contentsBefore();
    const { engine, answer, titles, sent } = await open(contents);
    await answer();
    const kept = [title(task, 'Kept'), title(own, 'Kept, too')];
    engine.replica.issue(kept, { atomic: true });
    engine.replica.issue([{ a: 'set', id: own, field: 'notes', value: 'Sent' }]);
    await settled();
    // Whatever was asked while the disk took them one by one.
    await answer({ results: [] });
    assert.deepEqual(titles(), ['Kept', 'Kept, too', 'Sent']);
    const [first, second, third] = operationsIn(sent.at(-1)!.request).map(({ q }) => q);
    assert.ok(first && second && third);
    await answer({
      ...unknown,
      results: [
        [first, 'gone'],
        [second, 'gone'],
        [third, 'ok'],
      ],
    });
    assert.deepEqual(titlesIn(contents.outbox.values()), ['Kept', 'Kept, too']);
    assert.deepEqual(engine.recovered.get(), []);
    assert.equal(contents.meta?.acked, 0);
    assert.deepEqual(engine.state.get(), { type: 'onDevice', waiting: 2, online: true });
    await engine.close();
  });

  it('[SYNC-84] sends it with new numbers once the server knows it again, undos among them', async () => {
    const contents = contentsBefore();
    const { engine, answer, issue, sent, titles } = await open(contents);
    await answer(unknown);
    const { inverses } = engine.replica.issue([{ a: 'set', id: task, field: 'notes', value: 'Undone' }]);
    await issue(title(task, 'Kept'), title(own, 'Sent'), ...inverses);
    const before = engine.facts().pending.map(({ q }) => q);
    assert.deepEqual(titles(), ['Sent']);
    await answer(unknown);
    await answer();
    const operations = operationsIn(sent.at(-1)!.request);
    assert.deepEqual(titlesIn(operations), ['Undone', 'Kept', null]);
    assert.ok(operations.every(({ q }) => q > Math.max(...before)));
    const [undone, , undo] = operations;
    assert.equal(undo && 'only' in undo && undo.only, undone?.q);
    assert.deepEqual(
      [...contents.outbox.keys()],
      operations.map(({ q }) => q),
    );
    assert.equal(contents.meta?.unknown, undefined);
    await answer();
    assert.deepEqual(engine.state.get(), { type: 'synced' });
    await engine.close();
  });

  it('[SYNC-88] what waits for it is sent with a new number when its row is found in a scope that the server knows', async () => {
    const contents = contentsBefore();
    const { engine, answer, issue, sent, titles } = await open(contents);
    await answer(unknown);
    await issue({ a: 'place', id: own, place: { parent: list } }, title(own, 'Sent'));
    assert.deepEqual(titles(), ['Sent']);
    const [first] = operationsIn(sent.at(-1)!.request);
    const [C, f] = [newId(), { name: 'Trip', listType: 'list' }];
    const there = { id: list, type: 'list', v: 2, m: [2, 5, 9, 1], c: 1, u: 2, h: 2 } as const;
    const found = {
      ...there,
      m: [...there.m] as [number, number, number, number],
      f: { ...f, ...under(listsRoot(C)) },
    };
    const change = { scope: C, generation: 'g', from: 0, to: 2, rows: [found], gone: [], more: false };
    await answer({ ...unknown, changes: [change] });
    const [moved] = operationsIn(sent.at(-1)!.request);
    assert.equal(moved?.a, 'place');
    assert.ok(first && moved && moved.q > first.q, 'the server has judged a later one than its first');
    assert.deepEqual([...contents.outbox.keys()], [moved.q]);
    await answer(unknown);
    assert.deepEqual(contents.outbox.size, 0);
    await engine.close();
  });

  it('[SYNC-84] is no reason to read the scope again from which its rows came', async () => {
    const contents = contentsBefore();
    const { engine, answer, sent } = await open(contents);
    const change: ScopeChanges = {
      scope: A,
      generation: 'g',
      from: 2,
      to: 3,
      rows: [],
      gone: [],
      more: false,
      digest: '1234567812345678',
    };
    await answer({ ...unknown, changes: [change] });
    assert.equal(sent.length, 1);
    assert.equal(contents.meta?.cursors[A]?.version, 3);
    engine.nudge();
    await settled();
    await answer({ changes: [change] });
    assert.equal(sent.at(-1)?.request.cursors[A]?.version, 0);
    await engine.close();
  });

  it('[SYNC-84] whose account has left it says what was not sent: it goes to Recovered', async () => {
    const contents = contentsBefore();
    const { engine, answer, issue, titles } = await open(contents);
    await answer(unknown);
    await issue(title(task, 'Kept'));
    await answer({ left: [B] });
    assert.equal(engine.replica.row(task), undefined);
    assert.deepEqual(titles(), ['Kept']);
    await answer({}, 'gone');
    assert.deepEqual(
      engine.recovered.get().map(({ operation }) => titlesIn([operation])),
      [['Kept']],
    );
    await engine.close();
  });

  it('[SYNC-85] a copy is whole only when every scope of it has been read', async () => {
    const contents = contentsBefore();
    const { engine, answer } = await open(contents);
    await answer();
    assert.equal(engine.facts().isWhole, true);
    engine.nudge();
    await settled();
    const change = { scope: A, generation: 'g', from: 2, to: 3, rows: [], gone: [], more: false };
    await answer({ changes: [{ ...change, moved: [[own, newId(), 1, 2, 1]] }] });
    assert.equal(engine.facts().isWhole, false);
    await engine.close();
  });
});
