// Own words that somebody else's replaced come back with the answer that says so.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { registerChecks } from '#wire/registers.ts';
import { createIdSource, type Id } from '#core/ids.ts';
import { receive } from '../exchange/taking-in.ts';
import { mergeNote } from '../notes/note-merging.ts';
import { NoteSession } from '../notes/note-session.ts';
import type { Operation, Verdict } from './operation.ts';
import { DeviceReplica } from '../replica/replica.ts';
import { asRow, fieldOf } from './row.ts';

const fill = (bytes: Uint8Array) => void randomFillSync(bytes);
const clock = { now: () => 1_000_000, monotonic: () => 0 };
const newId = createIdSource({ now: clock.now, random: fill });
const scope = newId();
const task = newId();

/** A device that holds one task and wrote `writes` into it. */
function createReplica(
  writes: readonly (readonly [field: string, value: unknown])[],
  outbox: readonly Operation[] = [],
): DeviceReplica {
  const meta = {
    device: newId(),
    deviceNumber: 3,
    scope,
    account: 7,
    seq: 0,
    acked: 0,
    cursors: { [scope]: { generation: 'g', version: 10 } },
    clockOffsetMs: 0,
  };
  const replica = new DeviceReplica(meta, outbox, {
    checks: registerChecks,
    clock,
    random: { fill, fraction: () => 0.5 },
  });
  const stamp = [1, 1, 9, 1] as const;
  const fields = { title: 'theirs', notes: 'theirs' };
  replica.load([
    asRow({ id: task, type: 'task', scope, version: 1, stamp, createdAt: 1, updatedAt: 1, fields }),
  ]);
  replica.loaded();
  for (const [field, value] of writes) replica.issue([{ a: 'set', id: task, field, value }]);
  return replica;
}

function answered(
  replica: DeviceReplica,
  results: readonly (readonly [number, Verdict])[],
): readonly unknown[] {
  const answer = { results, changes: [], left: [] as Id[], deviceNumber: 3, clockOffsetMs: 0 };
  const { refused } = receive(replica, answer);
  return refused.map(({ operation, verdict }) => [verdict, operation.a === 'set' && operation.value]);
}

describe('text that another one replaced', () => {
  it('is handed over to be kept, once, as it was last written', () => {
    const replica = createReplica([
      ['notes', 'mine'],
      ['notes', 'mine, all'],
    ]);
    const kept = answered(replica, [
      [1, 'superseded'],
      [2, 'superseded'],
    ]);
    assert.deepEqual(kept, [['superseded', 'mine, all']]);
  });

  it('is not kept where this device wrote on, or the same words stand', () => {
    const replica = createReplica([
      ['title', 'mine'],
      ['title', 'mine, all'],
      ['notes', 'theirs'],
      ['due', { date: '2026-11-27' }],
    ]);
    const kept = answered(replica, [
      [1, 'superseded'],
      [2, 'ok'],
      [3, 'superseded'],
      [4, 'superseded'],
    ]);
    assert.deepEqual(kept, []);
  });

  it('is kept also where a newer edit stands that was not made in the same go', () => {
    const replica = createReplica([]);
    const seed = newId();
    const edit = (group: Id, text: string) =>
      replica.issue([{ a: 'note', id: task, seed, update: '', text }], { group });
    const [one, other] = [newId(), newId()];
    edit(one, 'mine');
    edit(one, 'mine, all');
    edit(other, 'begun anew');
    const { refused } = receive(replica, {
      results: [
        [1, 'superseded'],
        [2, 'superseded'],
        [3, 'ok'],
      ],
      changes: [],
      left: [],
      deviceNumber: 3,
      clockOffsetMs: 0,
    });
    const kept = refused.map(({ operation }) => operation.a === 'note' && operation.text);
    assert.deepEqual(kept, ['mine, all'], 'the last of one go, not of the other');
  });

  it('[SYNC-16] is not given up for a later edit that was begun without it', () => {
    const group = newId();
    const [far, near] = [new NoteSession(() => 5_000), new NoteSession(() => 6_000)];
    far.load('theirs', undefined);
    far.change('theirs, far', true);
    // Needs what was typed before, which the server has lost and this device has not.
    const edit = far.change('theirs, far away', true);
    const first = {
      ...edit,
      a: 'note',
      id: task,
      q: 1,
      n: 1,
      u: newId(),
      scope,
      t: 1,
      b: 1,
      g: group,
    } as const;
    const replica = createReplica([], [first]);
    replica.learnToMerge(mergeNote);
    assert.equal(fieldOf(replica.row(task), 'notes'), 'theirs');
    near.load('theirs', undefined);
    replica.issue([{ a: 'note', id: task, ...near.change('theirs, near', true) }], { group });
    assert.deepEqual(replica.compact(0), []);
    assert.deepEqual(
      replica.pending.map(({ q }) => q),
      [1, 2],
    );
  });

  it('[SYNC-29] of what was brought back in vain, is kept as a write of its own', () => {
    const replica = createReplica([]);
    const fields = { title: 'mine', notes: 'mine too', flag: true };
    const offer = { a: 'reoffer', id: task, type: 'task', fields, at: 5, times: {}, createdAt: 1 } as const;
    const [operation] = replica.inFront([{ action: offer, scope }]);
    assert.ok(operation);
    replica.amend({ queue: [operation] });
    const kept = answered(replica, [[operation.q, 'superseded']]);
    assert.deepEqual(kept, [
      ['superseded', 'mine'],
      ['superseded', 'mine too'],
    ]);
  });
});
