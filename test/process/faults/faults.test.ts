// A handful of every fault on real processes at once (fault-run.ts), and the checker of it on evidence that is wrong.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check, type Evidence, mayWin } from './check.ts';
import { runFaults } from './fault-run.ts';
import type { Entry } from './ledger.ts';
import { makePlan } from './plan.ts';
import type { RawRow } from './reading.ts';

/** `npm run soak -- --mode faults` goes on for longer. */
const SEEDS = [41];
const KILLS = 3;
/** Processes that are killed and started anew: 35 s alone, three times as long beside everything else. */
const LIMIT_MS = 240_000;

describe('a server, devices and a way between them that all fail', () => {
  for (const seed of SEEDS)
    it(
      `[SYNC-20] [SYNC-27] [SYNC-29] [API-21] ${KILLS} kills and a restore, seed ${seed}: what was acknowledged is there, once`,
      { timeout: LIMIT_MS },
      async () => {
        const options = {
          seed,
          store: 'sqlite',
          engines: 4,
          kills: KILLS,
          restores: 1,
          paceMs: 120,
        } as const;
        const report = await runFaults(options);
        assert.deepEqual([...report.violations, ...report.lostWords], []);
        assert.ok(report.kept > 100, `only ${report.kept} changes: that was no load`);
        assert.equal(report.faults.get('kill server'), KILLS);
        assert.equal(report.faults.get('restore'), 1);
      },
    );

  it('has one plan for a seed', () => {
    const options = { engines: 4, kills: 75, restores: 10 };
    assert.deepEqual(makePlan({ seed: 1, ...options }), makePlan({ seed: 1, ...options }));
    assert.notDeepEqual(makePlan({ seed: 1, ...options }), makePlan({ seed: 2, ...options }));
    const count = (type: string) =>
      makePlan({ seed: 1, ...options }).filter(({ fault }) => fault.type === type).length;
    assert.deepEqual([count('kill server'), count('restore')], [75, 10]);
  });
});

const SCOPE = 'scope';

function row(id: string, f: Record<string, unknown> = {}, type = 'task'): RawRow {
  return { id, type, v: 1, f: { place: { parent: 'inbox', key: id }, title: 'e0 1', ...f } };
}

const inbox: RawRow = { id: 'inbox', type: 'list', v: 1, f: { place: { parent: SCOPE, key: 'a' } } };

/** What was told while one device made one task, `t`, and went on with what is given. */
function evidence(
  entries: readonly Entry[],
  rows: readonly RawRow[],
  other: Partial<Evidence> = {},
): Evidence {
  const made: Entry[] = [
    { k: 'create', n: 1, id: 't', title: 'e0 1' },
    ...entries,
    { k: 'kept', from: 0, n: 9 },
  ];
  const all = [inbox, ...rows];
  const tasks = rows.filter(({ type, f }) => type === 'task' && f['del'] === undefined);
  return {
    scope: SCOPE,
    rows: all,
    apiTasks: tasks.map(({ id, f }) => ({ id, title: f['title'] as string, notes: null })),
    history: '',
    logs: [{ name: 'e0', entries: made }],
    devices: [{ name: 'e0', rows: all, recovered: [] }],
    ...other,
  };
}

describe('the check of a fault run', () => {
  const done = { status: { done: 1 } };
  const record = row('r', { task: 't', occ: 0, title: 'e0 1' }, 'completion');
  const wrong: readonly (readonly [what: string, evidence: Evidence, RegExp])[] = [
    ['a task that is gone', evidence([], []), /is nowhere/],
    ['a task nobody made', evidence([], [row('t'), row('x')]), /made by nobody/],
    [
      'an old title',
      evidence([{ k: 'write', n: 2, id: 't', field: 'title', value: 'b', saw: 'e0 1' }], [row('t')]),
      /title of t/,
    ],
    [
      'a completed task that is open',
      evidence([{ k: 'complete', n: 2, id: 't', occ: null }], [row('t')]),
      /is open/,
    ],
    [
      'an occurrence taken back',
      evidence([{ k: 'complete', n: 2, id: 't', occ: 0 }], [row('t'), record]),
      /is at 0/,
    ],
    [
      'an occurrence without its record',
      evidence([{ k: 'complete', n: 2, id: 't', occ: 0 }], [row('t', { occ: 1 })]),
      /no record/,
    ],
    [
      'a deleted task that is back',
      evidence([{ k: 'delete', n: 2, id: 't' }], [row('t')]),
      /deleted by e0 and is not/,
    ],
    ['a task in the trash', evidence([], [row('t', { del: { at: 1, by: 1 } })]), /nobody deleted it/],
    [
      'a lost word',
      evidence([{ k: 'note', n: 2, id: 't', word: 'word-1.' }], [row('t')]),
      /^word-1\., written by e0/,
    ],
    ['an orphan', evidence([], [row('t', { place: { parent: 'y', key: 'a' } })]), /hangs under y/],
    [
      'a circle',
      evidence([], [row('t', { place: { parent: 't', key: 'a' } })], { apiTasks: [] }),
      /in a circle/,
    ],
    [
      'two with one key',
      evidence(
        [{ k: 'create', n: 2, id: 'z', title: 'e0 1' }],
        [row('t'), row('z', { place: { parent: 'inbox', key: 't' } })],
      ),
      /which another has/,
    ],
    [
      'a device that is behind',
      evidence([], [row('t', done)], { devices: [{ name: 'e0', rows: [inbox, row('t')], recovered: [] }] }),
      /e0 has/,
    ],
    ['a task the API does not list', evidence([], [row('t')], { apiTasks: [] }), /API does not list/],
  ];
  for (const [what, told, expected] of wrong)
    it(`sees ${what}`, () => {
      const { violations, lostWords } = check(told);
      assert.match([...violations, ...lostWords].join('\n'), expected);
    });

  it('is content with what is right', () => {
    assert.deepEqual(check(evidence([], [row('t')])).violations, []);
  });

  it('lets concurrent writes win and what was seen lose', () => {
    const write = (writer: string, value: string, saw: string | null, isKept = true) => ({
      writer,
      n: 1,
      value,
      saw,
      isKept,
    });
    const first = write('a', '1', null);
    assert.deepEqual([...mayWin([first, write('b', '2', '1'), write('c', '3', '1')])], ['2', '3']);
    assert.deepEqual([...mayWin([first, write('b', '2', '1', false)])], ['1', '2']);
    assert.deepEqual([...mayWin([first, write('b', '2', '1'), write('c', '3', '2')])], ['3']);
  });
});
