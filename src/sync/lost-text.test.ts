// Own words that somebody else's replaced come back with the answer that says so.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { registerChecks } from '#wire/registers.ts';
import { createIdSource, type Id } from '#core/ids.ts';
import type { Verdict } from './operation.ts';
import { DeviceReplica } from './replica.ts';

const fill = (bytes: Uint8Array) => void randomFillSync(bytes);
const clock = { now: () => 1_000_000, monotonic: () => 0 };
const newId = createIdSource({ now: clock.now, random: fill });
const scope = newId();
const task = newId();

/** A device that holds one task and wrote `writes` into it. */
function createReplica(writes: readonly (readonly [field: string, value: unknown])[]): DeviceReplica {
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
  const replica = new DeviceReplica(meta, [], {
    checks: registerChecks,
    clock,
    random: { fill, fraction: () => 0.5 },
  });
  const stamp = [1, 1, 9, 1] as const;
  const fields = { title: 'theirs', notes: 'theirs' };
  replica.load([{ id: task, type: 'task', scope, version: 1, stamp, createdAt: 1, updatedAt: 1, fields }]);
  replica.loaded();
  for (const [field, value] of writes) replica.issue([{ a: 'set', id: task, field, value }]);
  return replica;
}

function answered(
  replica: DeviceReplica,
  results: readonly (readonly [number, Verdict])[],
): readonly unknown[] {
  const answer = { results, changes: [], left: [] as Id[], deviceNumber: 3, clockOffsetMs: 0 };
  const { refused } = replica.receive(answer);
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
    const { refused } = replica.receive({
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
});
