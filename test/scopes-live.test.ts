// What a device with several scopes believes of the live channel, and of a server that was put back, when a task has moved
// from one scope to the other.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must } from '#core/assert.ts';
import type { Id } from '#core/ids.ts';
// What the engine loads when it needs it is here from the start.
import '#sync/exchange/healing.ts';
import { MemoryContents } from '#sync/replica/memory-storage.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { DigestSum } from '#sync/rows/digest.ts';
import type { ScopeChanges, SyncResponse, WireRow } from '#wire/sync.ts';
import { newId, openLoop, settled } from './scopes-loop.ts';

const rowAt = (id: Id, v: number, h = 0): WireRow => {
  return { id, type: 'task', v, f: {}, m: [1, 1, 1, 1], c: 1, u: v, h };
};

function sumOf(...rows: readonly WireRow[]): string {
  const sum = new DigestSum();
  for (const { id, v } of rows) sum.add(id, v);
  return sum.value;
}

/** A device that has read two scopes. A task of the first one then moves to the other. */
async function readingBoth() {
  const [scope, shared, id, other] = [newId(), newId(), newId(), newId()];
  const loop = await openLoop(new MemoryContents(), scope);
  const said = { generation: 'g', gone: [], more: false };
  const [before, after] = [rowAt(id, 1), rowAt(other, 2)];
  await loop.answer({
    changes: [
      { ...said, scope, from: 0, to: 1, rows: [before] },
      { ...said, scope: shared, from: 0, to: 0, rows: [] },
    ],
  });
  const first = { rows: [before], digest: sumOf(before) };
  const arrives = { ...said, scope: shared, from: 0, to: 2, rows: [rowAt(id, 2, 1)] };
  const beforeThat = { ...said, scope, from: 1, to: 2, rows: [after], digest: sumOf(before, after) };
  return { ...loop, scope, shared, id, first, arrives, beforeThat };
}

/** Changes of two scopes, of which a task moves from one to the other. */
interface Heard {
  readonly arrives: ScopeChanges;
  readonly moved: ScopeChanges;
  readonly id: Id;
}

describe('a task that moves to another scope', () => {
  for (const hasRead of [true, false])
    it(`[SYNC-135] has a row where a restored server has it, from before it moved to a scope ${hasRead ? 'that was restored too' : 'that it had not read'}`, async () => {
      const { engine, sent, scope, shared, id, arrives, first, answer } = await readingBoth();
      engine.nudge();
      await settled();
      const said = { ...arrives, scope, from: 1, to: 2, rows: [] };
      const left: ScopeChanges = { ...said, moved: [[id, shared, 1, 1, 2]] };
      await answer({ changes: hasRead ? [arrives, left] : [left] });
      assert.equal(engine.replica.row(id)?.scope, shared);
      engine.nudge();
      await settled();
      const restored = { generation: 'h', from: 0, to: 1, gone: [], more: false, resync: true };
      const empty = { scope: shared, rows: [], digest: new DigestSum().value, rollback: { known: [] } };
      const back: ScopeChanges = { ...restored, scope, ...first, rollback: { known: [['g', 1]] } };
      await answer({ changes: hasRead ? [back, { ...restored, ...empty }] : [back] });
      assert.equal(engine.replica.row(id)?.scope, scope);
      const { cursors } = must(sent.at(-1), 'it asks').request;
      assert.deepEqual(cursors[scope], { generation: 'h', version: 1 }, 'it has all of it');
      await engine.close();
    });

  it('[SYNC-138] is brought back as it is held, although a restored server has an older state of it in another scope', async () => {
    const { engine, sent, scope, shared, id, first, answer } = await readingBoth();
    engine.nudge();
    await settled();
    const restored = { generation: 'h', from: 0, to: 1, gone: [], more: false };
    const rollback: ScopeChanges['rollback'] = { known: [['g', 0]] };
    const elsewhere = { ...restored, scope: shared, rows: [rowAt(id, 1, 2)] };
    await answer({ changes: [elsewhere, { ...restored, scope, rows: [], resync: true, rollback }] });
    // The offer has to be on the disk before it is sent.
    await answer({ changes: [elsewhere] });
    const { ops } = must(sent.at(-1), 'it asks').request;
    assert.deepEqual(
      (ops as Operation[]).map((operation) => [operation.a, operation.id, operation.scope]),
      [['reoffer', first.rows[0]?.id, scope]],
    );
    assert.equal(engine.replica.row(id)?.scope, shared);
    await engine.close();
  });

  it('[SYNC-138] is brought back as it is held, although another restored scope of the answer has it after a move', async () => {
    const { engine, sent, scope, shared, id, first, answer } = await readingBoth();
    engine.nudge();
    await settled();
    const restored = { generation: 'h', from: 0, gone: [], more: false, resync: true };
    const rollback: ScopeChanges['rollback'] = { known: [['g', 0]] };
    const moved = { ...restored, to: 2, scope: shared, rows: [rowAt(id, 2, 1)], rollback };
    await answer({ changes: [moved, { ...restored, to: 1, scope, rows: [], rollback }] });
    // The offer has to be on the disk before it is sent.
    await answer();
    const { ops } = must(sent.at(-1), 'it asks').request;
    assert.deepEqual(
      (ops as Operation[]).map((operation) => [operation.a, operation.id, operation.scope]),
      [['reoffer', first.rows[0]?.id, scope]],
    );
    assert.equal(engine.replica.row(id)?.scope, shared);
    await engine.close();
  });

  it('[SYNC-138] stays as it is held until its own scope is read, although another restored scope has it after a move', async () => {
    const { engine, scope, shared, id, answer } = await readingBoth();
    engine.nudge();
    await settled();
    const restored = { generation: 'h', from: 0, gone: [], more: false };
    const rollback: ScopeChanges['rollback'] = { known: [['g', 0]] };
    const moved = { ...restored, to: 2, scope: shared, rows: [rowAt(id, 2, 1)], resync: true, rollback };
    // This one has to be asked for, and the server cannot be reached anymore.
    await answer({ changes: [moved, { ...restored, to: 1, scope, rows: [], bootstrap: true, rollback }] });
    assert.equal(engine.replica.row(id)?.scope, scope);
    await engine.close();
  });

  it('[SYNC-136] is nothing to bring back for who has left that scope, and belongs to it again', async () => {
    const { engine, sent, shared, arrives, answer } = await readingBoth();
    const again = async (said: Partial<SyncResponse>) => {
      engine.nudge();
      await settled();
      await answer(said);
    };
    await again({ changes: [arrives] });
    await again({ left: [shared] });
    // The server was put back to before anything was in it.
    const empty = { scope: shared, generation: 'h', from: 0, to: 0, rows: [], gone: [], more: false };
    await again({ changes: [empty] });
    engine.nudge();
    await settled();
    const { cursors, stood } = must(sent.at(-1), 'it asks').request;
    assert.deepEqual([cursors[shared], stood], [{ generation: 'h', version: 0 }, undefined]);
    await engine.close();
  });

  it('[SYNC-132] asks, and reads no scope again, where the live channel tells of a move before what the old scope was', async () => {
    const { engine, live, sent, scope, shared, arrives, beforeThat } = await readingBoth();
    const asked = sent.length;
    live.on?.delta(arrives);
    live.on?.delta(beforeThat);
    await settled();
    assert.equal(sent.length, asked + 1);
    const { cursors } = must(sent.at(-1), 'it asks').request;
    assert.deepEqual([cursors[scope]?.version, cursors[shared]?.version], [1, 2]);
    await engine.close();
  });

  const empty = { rows: [], digest: new DigestSum().value };
  for (const [name, newsOf, isHeld] of [
    [
      'it is gone from where it went',
      ({ arrives, moved, id }) => [{ ...arrives, ...empty, to: 3, gone: [id] }, moved],
      false,
    ],
    [
      'it is gone from where it was, for who could not read on where',
      ({ arrives, moved, id }) => [{ ...moved, moved: [], gone: [id] }, arrives],
      true,
    ],
    [
      'it has come, and is gone from where it was',
      ({ arrives, moved, id }) => [arrives, { ...moved, moved: [], gone: [id] }],
      true,
    ],
    [
      'it has come and is gone from there again',
      ({ arrives, moved, id }) => [arrives, { ...arrives, ...empty, from: 2, to: 3, gone: [id] }, moved],
      false,
    ],
  ] as readonly [string, (of: Heard) => readonly ScopeChanges[], boolean][])
    it(`[SYNC-153] is not read for again, nor its scopes, where the live channel says first that ${name}`, async () => {
      const { engine, live, sent, answer, scope, shared, id, arrives } = await readingBoth();
      const there = { ...arrives, digest: sumOf(rowAt(id, 2)) };
      const moved = { ...arrives, ...empty, scope, from: 1, to: 2, moved: [[id, shared, 1, 1, 2]] } as const;
      const news = newsOf({ arrives: there, moved: { ...moved, moved: [...moved.moved] as never }, id });
      for (const change of news) {
        live.on?.delta(change);
        await settled();
      }
      // What it asks for meanwhile brings what it has heard once more.
      for (let turn = 0; turn < 3; turn += 1) {
        await answer({ changes: [...new Map(news.map((change) => [change.scope, change])).values()] });
        engine.nudge();
        await settled();
      }
      assert.equal(engine.replica.row(id)?.scope, isHeld ? shared : undefined);
      for (const { request } of sent.slice(1))
        for (const each of [scope, shared])
          assert.equal(
            request.cursors[each]?.generation,
            'g',
            'it asks for what is new, and for nothing else',
          );
      const { cursors } = must(sent.at(-1), 'it asks').request;
      assert.deepEqual(cursors[shared]?.version, news.findLast((each) => each.scope === shared)?.to);
      await engine.close();
    });

  it('[SYNC-132] asks, and reads no scope again, where it hears of a new row in its second scope first', async () => {
    const { engine, live, sent, scope, arrives, beforeThat } = await readingBoth();
    const [{ id }] = beforeThat.rows as [WireRow];
    const asked = sent.length;
    live.on?.delta({ ...arrives, rows: [rowAt(id, 2, 1)] });
    live.on?.delta(beforeThat);
    await settled();
    assert.equal(sent.length, asked + 1);
    assert.deepEqual(must(sent.at(-1), 'it asks').request.cursors[scope], { generation: 'g', version: 2 });
    await engine.close();
  });

  it('[SYNC-132] asks where the live channel tells of a scope that the last answer did not know', async () => {
    const { engine, live, sent, scope, shared, id, arrives, beforeThat, answer } = await readingBoth();
    engine.nudge();
    await settled();
    // The row comes with an answer that does not know where it was.
    await answer({ changes: [arrives], unknown: [scope] });
    const asked = sent.length;
    live.on?.delta(beforeThat);
    await settled();
    assert.equal(sent.length, asked + 1);
    assert.equal(must(sent.at(-1), 'it asks').request.cursors[scope]?.version, 1);
    assert.equal(engine.replica.row(id)?.scope, shared);
    await engine.close();
  });
});
