// What a script reads: the fixture is the contract with everybody's scripts, and is never changed, only added to.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId, inboxId, labelsRoot, listsRoot, mineId, type Id } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import { asRow, type Row } from '#sync/rows/row.ts';
import { builtInId } from '../../search/built-in.ts';
import contract from './fixture.json' with { type: 'json' };
import { scriptStateOf, type Chosen } from './state.ts';

const scope = deriveId('scope');
const id = (name: string): Id => deriveId('row', name);
const MOMENT = { now: Date.UTC(2026, 10, 28, 2, 30), zone: 'Europe/Paris', dayStart: 4 };
const at = (day: number) => Date.UTC(2026, 10, day, 9);

/** A few rows by hand, in the order in which they are given. */
class Rows {
  readonly scope = scope;
  readonly scopes = [scope];
  readonly #rows = new Map<Id, Row>();
  readonly #under = new Map<Id, Set<Id>>();
  readonly row = (of: Id): Row | undefined => this.#rows.get(of);

  children(parent: Id): readonly Row[] {
    return [...(this.#under.get(parent) ?? [])].flatMap((child) => this.row(child) ?? []);
  }

  put(row: Id, type: EntityType, fields: Readonly<Record<string, unknown>>, parent?: Id): this {
    const place = parent === undefined ? {} : { place: { parent, key: 'a' } };
    const made = { ...fields, ...place };
    if (parent !== undefined) this.#under.set(parent, (this.#under.get(parent) ?? new Set<Id>()).add(row));
    this.#rows.set(
      row,
      asRow({
        id: row,
        type,
        scope,
        version: 1,
        fields: made,
        stamp: [1, 1, 0, 1],
        createdAt: 1,
        updatedAt: 1,
      }),
    );
    return this;
  }

  task(name: string, parent: Id, fields: Readonly<Record<string, unknown>> = {}): this {
    return this.put(id(name), 'task', { title: name, ...fields }, parent);
  }

  list(name: string, parent: Id, fields: Readonly<Record<string, unknown>> = {}): this {
    return this.put(id(name), 'list', { name, listType: 'list', ...fields }, parent);
  }

  label(name: string, parent: Id, fields: Readonly<Record<string, unknown>> = {}): this {
    return this.put(id(name), 'label', { name, ...fields }, parent);
  }

  mine(name: string, fields: Readonly<Record<string, unknown>>): this {
    return this.put(mineId(scope, id(name)), 'mine', { of: id(name), ...fields });
  }
}

/** Everything that a field can hold, at least once. */
function office(): Rows {
  return new Rows()
    .list('Clients', listsRoot(scope), { listType: 'folder' })
    .list('Meadow Street', id('Clients'), {
      notes: 'Second floor',
      archivedAt: at(20),
      sort: { field: 'due-date', order: 'asc' },
    })
    .label('urgent', labelsRoot(scope), { color: '#c03030' })
    .put(id('where'), 'labelGroup', { name: 'where' }, labelsRoot(scope))
    .label('office', id('where'), { associatedSharedListID: id('Meadow Street') })
    .task('Send the invoice', id('Meadow Street'), {
      notes: 'To *Jo*',
      due: { at: at(30), zone: 'Europe/Paris' },
      start: { local: '2026-11-29T08:30' },
      duration: 45,
      repeat: {
        value: 2,
        unit: 'weeks',
        metadata: { weekdays: ['Mon'] },
        from: 'due date',
        missed: 'skip',
        anchorDay: null,
      },
      [`label:${id('office')}`]: true,
      'meta:ticket': '42',
      'meta:__proto__': 'x',
    })
    .mine('Send the invoice', {
      snooze: { on: '2026-12-01' },
      snoozeCount: 3,
      bookmarkedAt: at(21),
      [`label:${id('urgent')}`]: true,
    })
    .task('Add the hours', id('Send the invoice'), { status: { done: at(27) }, due: { on: '2026-11-27' } })
    .task('Cleared', id('Meadow Street'), {
      status: { done: at(2), cleared: at(3) },
      start: { on: '2026-11-01' },
    })
    .task('Trashed', id('Meadow Street'), { del: { at: at(1), by: 1 } })
    .task('Call Jo', id('Meadow Street'));
}

function stateOf(rows: Rows, chosen: Chosen) {
  const state = scriptStateOf(rows, chosen, MOMENT);
  assert.ok(state.ok, state.ok ? '' : state.problem.message);
  return state.value;
}

describe('the state of a script', () => {
  test('[MACRO-100] is the contract, field by field', () => {
    const state = stateOf(office(), {
      list: id('Meadow Street'),
      selected: [id('Call Jo'), id('Send the invoice'), id('Cleared')],
    });
    assert.deepEqual(JSON.parse(JSON.stringify(state)), contract);
    assert.deepEqual(Object.keys(state.selectedTasks[0]!.metadata), []);
    assert.equal(Object.hasOwn(state.selectedTasks[1]!.metadata, '__proto__'), true);
  });

  test('[MACRO-100] a new day begins when the person says so', () => {
    assert.equal(stateOf(office(), { list: null, selected: [] }).today, '2026-11-27');
  });

  test('[MACRO-101] leaves out what is gone, trashed, or below something trashed', () => {
    const rows = office().task('Below', id('Trashed'));
    const selected = [id('nothing'), id('Trashed'), id('Below'), id('Meadow Street'), id('Call Jo')];
    const state = stateOf(rows, { list: id('gone'), selected });
    assert.equal(state.selectedList, null);
    assert.deepEqual(
      state.selectedTasks.map(({ title }) => title),
      ['Call Jo'],
    );
  });

  test('[MACRO-101] a task in both places is one object', () => {
    const { selectedList, selectedTasks } = stateOf(office(), {
      list: id('Meadow Street'),
      selected: [id('Add the hours'), id('Add the hours')],
    });
    assert.equal(selectedTasks[0], selectedList?.tasks[1]);
    assert.equal(selectedTasks[0], selectedTasks[1]);
  });

  test('[MACRO-101] a smart list has its members, a folder none, and an Inbox without a row is there', () => {
    const rows = office().list('Soon', listsRoot(scope), { listType: 'smart', query: 'is:due' });
    const smart = stateOf(rows, { list: id('Soon'), members: [id('Call Jo')], selected: [] }).selectedList;
    assert.deepEqual(
      [smart?.smartListQuery, smart?.tasks.map(({ title }) => title)],
      ['is:due', ['Call Jo']],
    );
    assert.equal(smart?.tasks[0]?.listID, id('Meadow Street'));
    assert.deepEqual(stateOf(rows, { list: id('Clients'), selected: [] }).selectedList?.tasks, []);
    const inbox = stateOf(rows.task('Note', inboxId(scope)), { list: inboxId(scope), selected: [] });
    assert.deepEqual([inbox.selectedList?.name, inbox.selectedList?.listType], ['Inbox', 'inbox']);
    assert.equal(inbox.selectedList?.tasks.length, 1);
    const today = stateOf(rows, { list: builtInId(scope, 'today'), members: [], selected: [] }).selectedList;
    assert.deepEqual([today?.name, today?.listType], ['Today', 'smart']);
  });

  test('[MACRO-102] more than it may read is a sentence', () => {
    const ids = Array.from({ length: 5_001 }, (_, index) => id(`task ${index}`));
    const rows = new Rows().list('Long', listsRoot(scope));
    for (const one of ids) rows.put(one, 'task', { title: 'x' }, id('Long'));
    const read = (selected: readonly Id[]) => scriptStateOf(rows, { list: null, selected }, MOMENT);
    assert.ok(read(ids.slice(1)).ok);
    const many = read(ids);
    assert.match(many.ok ? '' : many.problem.message, /^A script can read 5,000 tasks, and there are more/);
    const whole = scriptStateOf(rows, { list: id('Long'), selected: [] }, MOMENT);
    assert.equal(whole.ok ? '' : whole.problem.type, 'large');
    for (let index = 0; index < 21; index += 1)
      rows.put(ids[index]!, 'task', { notes: 'x'.repeat(250_000) }, id('Long'));
    const long = read(ids.slice(0, 21));
    assert.match(long.ok ? '' : long.problem.message, /^A script can read 5 MB of text/);
  });
});
