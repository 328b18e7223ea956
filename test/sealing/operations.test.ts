// Operations and rows of a sealed scope: no content leaves in the open, all of it comes back, and what doesn't open is kept.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { deriveId, type Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import { sealValue, type Envelope } from '#core/sealing/envelope.ts';
import { isReplay, type Opening } from '#sync/sealing/registers.ts';
import { openOperation, sealOperation, type SentOperation } from '#sync/sealing/sealed-operation.ts';
import { openRow } from '#sync/sealing/sealed-row.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { asRow, registersOf, type Fields, type StoredRow } from '#sync/rows/row.ts';
import { registerChecks } from '#wire/registers.ts';
import { keysOf, otherTask, owner, ringOf, sealerOf, task, writer } from './material.ts';

const CANARY = 'canary';
const at = (hour: string) => ({ on: `2026-12-${hour}` });
const label = deriveId('label');

/** Registers of each type with content, all of it with the canary where that is possible. */
const samples: readonly (readonly [EntityType, Fields])[] = [
  [
    'task',
    {
      title: `${CANARY} title`,
      notes: `${CANARY} notes\n`,
      due: at('01'),
      start: at('02'),
      duration: 45_127,
      series: { occ: 3, due: at('03'), start: null, title: `${CANARY} series` },
      origin: { from: `${CANARY}@example.org`, messageId: CANARY, at: 12 },
      [`meta:${CANARY}`]: `${CANARY} meta`,
      [`label:${label}`]: true,
      status: { done: 5 },
      occ: 3,
    },
  ],
  [
    'list',
    {
      listType: 'smart',
      name: `${CANARY} list`,
      notes: CANARY,
      query: `${CANARY} due:today`,
      clearAfter: 24,
    },
  ],
  ['label', { name: CANARY, color: '#ca4a21', hotkey: CANARY, visibility: 'private' }],
  ['labelGroup', { name: CANARY, exclusive: true }],
  ['mine', { of: task, snooze: at('04'), 'remind:before-45127': { before: 45_127 }, collapsed: true }],
  ['completion', { task, occ: 2, at: 5, title: CANARY, due: at('05'), start: at('06') }],
  ['attachment', { name: `${CANARY}.pdf`, fileType: `application/${CANARY}`, sizeBytes: 12 }],
  ['comment', { text: CANARY }],
  ['setting', { key: 'theme', value: { deep: [CANARY] } }],
];

const CONTENT = /canary|2026-12|45127|45_127|#ca4a21/;

const head = (q: number) => ({ q, u: deriveId('u', String(q)), scope: owner.scope, t: 1_000, b: 4 });
const operationOf = (action: Action, q = 41): Operation => ({ ...head(q), ...action });
const sealing = (type: EntityType = 'task') => ({ sealer: sealerOf('ada'), device: 3, typeOf: () => type });
const opening: Opening = { ring: ringOf(keysOf('ada')), checks: registerChecks, acceptsPlain: false };

function sealed(operation: Operation, type: EntityType = 'task'): SentOperation {
  const sent = sealOperation(sealing(type), operation);
  assert.ok(sent.ok);
  return sent.value;
}

function rowOf(type: EntityType, fields: Fields, id: Id = task): StoredRow {
  const stamp = [9, 1_000, 3, 41] as const;
  return asRow({ id, type, scope: owner.scope, version: 9, fields, stamp, createdAt: 1, updatedAt: 2 });
}

const actions: readonly (readonly [EntityType, Action])[] = [
  ...samples.map(([type, fields]) => [type, { a: 'create', id: otherTask, type, fields }] as const),
  ...samples.flatMap(([type, fields]) =>
    Object.entries(fields).map(([field, value]) => [type, { a: 'set', id: task, field, value }] as const),
  ),
  ...samples.map(
    ([type, fields]) =>
      [
        type,
        {
          a: 'reoffer',
          id: task,
          type,
          fields,
          at: 1,
          times: { [Object.keys(fields)[0] ?? '']: 1 },
          createdAt: 1,
        },
      ] as const,
  ),
  [
    'task',
    {
      a: 'complete',
      id: task,
      occ: 3,
      at: 7,
      anew: [otherTask],
      next: { due: at('07'), start: null, title: CANARY, notes: CANARY },
    },
  ],
  ['task', { a: 'complete', id: task, occ: 3, at: 7, next: null }],
  ['task', { a: 'reopen', id: task, occ: 3, previous: { due: at('08'), start: at('09'), duration: 45_127 } }],
  ['task', { a: 'note', id: task, seed: label, update: btoa(CANARY), text: CANARY }],
  ['list', { a: 'note', id: task, seed: label, update: btoa(CANARY), text: CANARY }],
  ['task', { a: 'place', id: task, place: { parent: otherTask, at: 'start' } }],
  ['task', { a: 'delete', id: task }],
  ['task', { a: 'restore', id: task, only: 4 }],
];

describe('operations of a sealed scope', () => {
  test('[SEAL-40] leave without content, whatever they ask for, and open to what they were', () => {
    for (const [type, action] of actions) {
      const operation = operationOf(action);
      const sent = sealed(operation, type);
      // By the text, as it is sent.
      const text = JSON.stringify(sent);
      assert.doesNotMatch(text, CONTENT, text);
      assert.ok(!text.includes(btoa(CANARY)), text);
      const opened = openOperation(opening, JSON.parse(text) as SentOperation, type);
      assert.equal(opened.locked.size, 0, [...opened.locked.values()].map(({ type: why }) => why).join());
      // Times are named as the server names them.
      const times = 'times' in operation ? { times: sent['times'] } : {};
      assert.deepEqual(opened.operation, { ...operation, ...times });
    }
  });

  test('[SEAL-41] keep what the server decides by: ids, numbers, places, states, times, and what is emptied', () => {
    const create = operationOf({
      a: 'create',
      id: otherTask,
      type: 'task',
      fields: samples[0]?.[1] ?? {},
      place: { parent: task },
    });
    const { fields, ...rest } = sealed(create) as SentOperation & { readonly fields: Fields };
    const { fields: before, ...restBefore } = create as SentOperation & { readonly fields: Fields };
    assert.deepEqual(rest, restBefore);
    for (const register of ['status', 'occ', `label:${label}`])
      assert.deepEqual(fields[register], before[register]);
    const emptied = sealed(operationOf({ a: 'set', id: task, field: 'due', value: null }));
    assert.deepEqual(emptied, operationOf({ a: 'set', id: task, field: 'due', value: null }));
    const next = { due: null, start: null, title: 'x' };
    const done = sealed(operationOf({ a: 'complete', id: task, occ: 0, at: 1, next }));
    const sentNext = done['next'] as Fields;
    assert.deepEqual(Object.keys(sentNext), ['due', 'start', 'title']);
    assert.deepEqual([sentNext['due'], sentNext['start']], [null, null]);
  });

  test('[SEAL-42] are not sealed while it is not known what they are about', () => {
    const unknown = { ...sealing(), typeOf: () => undefined };
    assert.deepEqual(
      sealOperation(unknown, operationOf({ a: 'set', id: task, field: 'title', value: 'x' })),
      {
        ok: false,
        problem: { type: 'unknown-row', id: task },
      },
    );
    const keyless = {
      ...sealing(),
      sealer: { ...sealerOf('ada'), ring: ringOf({ ...keysOf('ada'), generations: new Map() }) },
    };
    for (const [, action] of actions.slice(0, 9)) {
      const sent = sealOperation(keyless, operationOf(action));
      assert.deepEqual(sent, { ok: false, problem: { type: 'no-key', generation: 0 } });
    }
  });

  test('[SEAL-43] hand back what stays locked as it came, under the name that it came with', () => {
    const { e } = sealed(operationOf({ a: 'set', id: task, field: 'title', value: 'x' }))[
      'value'
    ] as Envelope;
    const hidden = `meta:~${'a'.repeat(43)}`;
    const action: Action = {
      a: 'reoffer',
      id: task,
      type: 'task',
      fields: { title: { e }, [hidden]: { e }, notes: 'n' },
      at: 1,
      times: { title: 2, [hidden]: 3, 'meta:x': 4 },
      createdAt: 1,
    };
    const sent = sealed(operationOf(action)) as SentOperation & { fields: Fields; times: Fields };
    assert.deepEqual([sent.fields['title'], sent.fields[hidden]], [{ e }, { e }]);
    assert.notDeepEqual(sent.fields['notes'], 'n');
    assert.deepEqual(
      Object.keys(sent.times).map((name) => name.slice(0, 6)),
      ['title', 'meta:~', 'meta:~'],
    );
    assert.equal(sent.times[hidden], 3);
    // Elsewhere a value that only looks like an envelope is content.
    const value = sealed(operationOf({ a: 'set', id: task, field: 'value', value: { e } }), 'setting')[
      'value'
    ];
    assert.notEqual((value as Envelope).e, e);
  });

  test('[SEAL-44] an edit of one text of a note is not an edit of another', () => {
    const note = sealed(operationOf({ a: 'note', id: task, seed: label, update: 'AAAA', text: 'x' }));
    const moved = openOperation(opening, { ...note, seed: otherTask }, 'task');
    assert.deepEqual([...moved.locked.keys()], [`notes/update/${otherTask}`]);
    assert.equal(moved.operation['update'], note['update']);
  });
});

describe('rows of a sealed scope', () => {
  /** The row that a server makes of a creation. */
  function stored(type: EntityType, fields: Fields): StoredRow {
    const create = sealed(operationOf({ a: 'create', id: task, type, fields }));
    return rowOf(type, JSON.parse(JSON.stringify(create['fields'])) as Fields);
  }

  test('[SEAL-40] open to what was written, of every type, with who wrote it', () => {
    for (const [type, fields] of samples) {
      const opened = openRow(opening, stored(type, fields));
      assert.deepEqual(registersOf(opened.row), fields);
      assert.equal(opened.locked.size, 0);
      for (const writer of opened.writers.values()) assert.deepEqual(writer, { device: 3, seq: 41 });
    }
  });

  test('[SEAL-45] keep what does not open as it came, and open the rest', () => {
    const fields = samples[0]?.[1] ?? {};
    const row = stored('task', fields);
    const other = stored('task', { title: 'other' });
    const damaged = {
      ...registersOf(row),
      title: registersOf(other)['title'],
      notes: registersOf(row)['title'],
    };
    const opened = openRow(opening, rowOf('task', damaged));
    assert.deepEqual([...opened.locked], [['notes', { type: 'altered' }]]);
    assert.deepEqual(registersOf(opened.row), { ...fields, title: 'other', notes: damaged.notes });
    const locked = openRow({ ...opening, ring: ringOf({ ...keysOf('ada'), generations: new Map() }) }, row);
    assert.deepEqual(registersOf(locked.row), registersOf(row));
    for (const problem of locked.locked.values())
      assert.deepEqual(problem, { type: 'no-key', generation: 1 });
    assert.equal(locked.locked.size, 8);
  });

  test('[SEAL-46] refuse what is plain and should not be, except while the scope is on its way', () => {
    const row = rowOf('task', { title: 'put there by the server', occ: 1 });
    const opened = openRow(opening, row);
    assert.deepEqual([...opened.locked], [['title', { type: 'plain' }]]);
    const mixed = openRow({ ...opening, acceptsPlain: true }, row);
    assert.equal(mixed.locked.size, 0);
    assert.deepEqual(registersOf(mixed.row), registersOf(row));
  });

  test('[SEAL-47] hold no value that the server would have refused if it could read', () => {
    const bad: readonly (readonly [EntityType, string, unknown])[] = [
      ['task', 'title', 'x'.repeat(4_001)],
      ['task', 'due', { on: 'tomorrow' }],
      ['task', 'duration', -1],
      ['label', 'color', 'red'],
      ['mine', 'remind:before-10', { before: 11 }],
      ['task', `meta:${'x'.repeat(181)}`, 'x'],
    ];
    for (const [type, register, value] of bad) {
      const row = stored(type, { [register]: value });
      const opened = openRow(opening, row);
      assert.deepEqual([...opened.locked.values()], [{ type: 'content' }], register);
      assert.deepEqual(registersOf(opened.row), registersOf(row));
    }
  });

  test('[SEAL-31] have their hidden registers and stamps back under their names, and no two of them swapped', () => {
    const row = stored('task', { 'meta:one': '1', 'meta:two': '2' });
    const names = Object.keys(registersOf(row));
    const stamp = [12, 1_000, 5, 2] as const;
    const opened = openRow(opening, { ...row, stamps: { [names[0] ?? '']: stamp } });
    assert.deepEqual(opened.row.stamps, { 'meta:one': stamp });
    const values = registersOf(row);
    const swapped = rowOf('task', {
      [names[0] ?? '']: values[names[1] ?? ''],
      [names[1] ?? '']: values[names[0] ?? ''],
    });
    assert.equal(openRow(opening, swapped).locked.size, 2);
    // Nor is another name inside believed, or anything but a name and a value.
    const home = { id: task, type: 'task', register: names[0] ?? '' } as const;
    for (const value of [
      ['meta:two', 'x'],
      ['meta:one', 'x', 'y'],
      ['meta:one'],
      'x',
      { 0: 'meta:one', 1: 'x' },
    ]) {
      const strange = sealValue(sealerOf('ada'), home, { value, writer });
      assert.ok(strange.ok);
      const answer = openRow(opening, rowOf('task', { [home.register]: strange.value }));
      assert.deepEqual([...answer.locked.values()], [{ type: 'content' }]);
    }
  });

  test('[SEAL-48] a completion has title and dates of its task as its server copied them', () => {
    const row = registersOf(stored('task', { title: 'Water', due: at('01') }));
    const copied = rowOf(
      'completion',
      { task, occ: 0, at: 5, title: row['title'], due: row['due'] },
      deriveId('c'),
    );
    assert.deepEqual(registersOf(openRow(opening, copied).row), {
      task,
      occ: 0,
      at: 5,
      title: 'Water',
      due: at('01'),
    });
    const other = rowOf('completion', { task: otherTask, occ: 0, at: 5, title: row['title'] }, deriveId('c'));
    assert.deepEqual([...openRow(opening, other).locked.values()], [{ type: 'altered' }]);
  });

  test('[SEAL-5] an older value of the same device in the place of a newer one is a replay', () => {
    const now = must(openRow(opening, stored('task', { title: 'x' })).writers.get('title'), 'a writer');
    assert.equal(isReplay({ device: 3, seq: 42 }, now), true);
    assert.equal(isReplay({ device: 3, seq: 41 }, now), false);
    assert.equal(isReplay({ device: 4, seq: 99 }, now), false);
    assert.equal(isReplay(undefined, now), false);
  });
});
