// Clearing against what others do meanwhile: a person who opens a task again, unseen by the one who clears it, is right.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Status } from '#core/model.ts';
import type { Id } from '#core/ids.ts';
import { statusStamp } from './clearing.ts';
import { asRow, type Row, type Stamp } from './row.ts';

const completed = (status: Status, stamp: Stamp): Row =>
  asRow({
    id: '00000000-0000-4000-8000-000000000001' as Id,
    type: 'task',
    scope: '00000000-0000-4000-8000-000000000002' as Id,
    version: stamp[0],
    fields: status === null ? {} : { status },
    stamp: [1, 1, 1, 1],
    stamps: { status: stamp },
    createdAt: 1,
    updatedAt: 1,
  });

const clears = { done: 100, cleared: 900 };
const unseen = { version: 9, time: 1_000, device: 2, seq: 5, base: 3 };

describe('[CLEAR-4] clearing', () => {
  it('is superseded where the task was opened, or completed anew, unseen', () => {
    assert.equal(statusStamp(completed(null, [7, 500, 1, 4]), clears, unseen), null);
    assert.equal(statusStamp(completed({ done: 400 }, [7, 500, 1, 4]), clears, unseen), null);
  });

  it('counts as old as the completion, so that who opened the task before hearing of it wins', () => {
    const stamp = statusStamp(completed({ done: 100 }, [3, 100, 1, 4]), clears, unseen);
    assert.deepEqual(stamp, [9, 101, 2, 5]);
  });

  it('is taken at its word where its author saw the task open', () => {
    const stamp = statusStamp(completed(null, [3, 100, 1, 4]), clears, unseen);
    assert.deepEqual(stamp, [9, 1_000, 2, 5]);
  });

  it('changes nothing twice: another device’s clearing of the same completion', () => {
    const row = completed(clears, [8, 101, 1, 4]);
    const stamp = statusStamp(row, clears, unseen);
    assert.notEqual(stamp, null);
    assert.deepEqual({ ...row.fields, status: clears }, row.fields);
  });
});
