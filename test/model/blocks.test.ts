// Time blocks in documents: an export has each of them, and its import plans the same times.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { documentToCreates } from '#core/formats/json-import.ts';
import { parseJson } from '#core/formats/json-check.ts';
import { exportJson } from '#core/formats/json.ts';
import { exportedOf } from '#core/formats/exported.ts';
import { deriveId, inboxId, mineId, type Id } from '#core/ids.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';

const SCOPE = deriveId('blocks', 'scope');
const TASK = deriveId('blocks', 'task');
const MINE = mineId(SCOPE, TASK);

describe('time blocks', () => {
  test('[CAL-86] export and import carry them', () => {
    const inbox = inboxId(SCOPE);
    const first = `block:${deriveId('blocks', 'first')}` as const;
    const second = `block:${deriveId('blocks', 'second')}` as const;
    const kept = {
      [first]: { start: Date.UTC(2026, 10, 27, 14), minutes: 45, occ: 0 },
      [second]: { start: Date.UTC(2026, 10, 28, 9), minutes: 90, zone: 'Asia/Kathmandu', occ: 2 },
    };
    const base = { createdAt: 1, stamp: [1, 1, 1, 1] as const };
    const rows = [
      { ...base, id: inbox, type: 'list', fields: { place: { parent: SCOPE, key: 'a' }, listType: 'inbox' } },
      { ...base, id: TASK, type: 'task', fields: { place: { parent: inbox, key: 'a' }, title: 'Plan' } },
      { ...base, id: MINE, type: 'mine', fields: { of: TASK, ...kept } },
    ] as const;
    const text = exportJson(exportedOf(rows), { kind: 'account' });
    const checks = { names: registerNames, check: checkRegister };
    const read = parseJson(text, checks);
    assert.ok(read.ok);
    const makeId = () => '0193b3a0-0000-7000-8000-00000000000a' as Id;
    const creates = documentToCreates(read.value, { newIds: 'keep', makeId, scope: SCOPE });
    assert.deepEqual(creates.find(({ id }) => id === MINE)?.fields, { of: TASK, ...kept });
    assert.equal(parseJson(text.replace('"minutes":45', '"minutes":0'), checks).ok, false);
  });
});
