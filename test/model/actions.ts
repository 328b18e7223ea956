// Generators of actions over a handful of ids, so that they collide; fast-check shrinks what fails.
import fc from 'fast-check';
import { deriveId, inboxId, labelsRoot, listsRoot, mineId, settingId, type Id } from '#core/ids.ts';
import type { Action, Position } from '#sync/rows/operation.ts';

export const scope = deriveId('model', 'scope');
export const inbox = inboxId(scope);
const named = (kind: string, count: number): Id[] =>
  Array.from({ length: count }, (_, index) => deriveId('model', kind, String(index)));
export const tasks = named('task', 6);
export const lists = named('list', 3);
export const labels = named('label', 3);
export const groups = named('group', 2);

const anything = fc.constantFrom(
  ...tasks,
  ...lists,
  ...labels,
  ...groups,
  inbox,
  listsRoot(scope),
  labelsRoot(scope),
);
const task = fc.constantFrom(...tasks);
const only = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined, freq: 4 });
const when = fc.constantFrom(null, { on: '2026-01-01' }, { on: '2026-02-02' }, { local: '2026-03-03T09:00' });
const label = fc.constantFrom(...labels).map((id) => `label:${id}`);

function optional<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}

export const position: fc.Arbitrary<Position> = fc
  .record({
    parent: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(inbox, ...tasks, ...lists) },
      { weight: 1, arbitrary: anything },
    ),
    after: fc.option(task, { nil: undefined }),
    before: fc.option(task, { nil: undefined }),
    at: fc.constantFrom(undefined, 'start' as const, 'end' as const),
  })
  .map((value) => optional(value) as Position);

const createTask = fc
  .record({
    id: task,
    place: position,
    title: fc.string({ maxLength: 3 }),
    label: fc.option(label),
    repeat: fc.boolean(),
  })
  .map(({ id, place, title, label: chosen, repeat }): Action => {
    const rule = { value: 1, unit: 'days', metadata: null, from: null, missed: 'every', anchorDay: null };
    return {
      a: 'create',
      id,
      type: 'task',
      fields: { title, ...(chosen === null ? {} : { [chosen]: true }), ...(repeat ? { repeat: rule } : {}) },
      place,
    };
  });

const createOther: fc.Arbitrary<Action> = fc.oneof(
  fc
    .record({ id: fc.constantFrom(...lists), parent: anything, listType: fc.constantFrom('list', 'folder') })
    .map(({ id, parent, listType }): Action => ({
      a: 'create',
      id,
      type: 'list',
      fields: { listType },
      place: { parent },
    })),
  fc
    .constantFrom(...labels)
    .chain((id) =>
      fc
        .constantFrom(...groups, labelsRoot(scope))
        .map((parent): Action => ({ a: 'create', id, type: 'label', fields: {}, place: { parent } })),
    ),
  fc.constantFrom(...groups).map((id): Action => ({
    a: 'create',
    id,
    type: 'labelGroup',
    fields: { exclusive: true },
    place: { parent: labelsRoot(scope) },
  })),
  task.chain((of) =>
    fc.record({ bookmarkedAt: fc.integer({ min: 0, max: 9 }) }).map((fields): Action => ({
      a: 'create',
      id: mineId(scope, of),
      type: 'mine',
      fields: { of, ...fields },
    })),
  ),
  fc.integer({ min: 0, max: 9 }).map((value): Action => ({
    a: 'create',
    id: settingId(scope, 'k'),
    type: 'setting',
    fields: { key: 'k', value },
  })),
);

const write = fc
  .oneof(
    fc.tuple(fc.constant('title'), fc.string({ maxLength: 3 })),
    fc.tuple(fc.constant('due'), when),
    fc.tuple(fc.constant('series'), fc.constantFrom(null, { occ: 0, due: null, start: null })),
    fc.tuple(fc.constant('status'), fc.constantFrom(null, { done: 1 }, { done: 1, cleared: 2 })),
    fc.tuple(label, fc.constantFrom(true, null)),
    fc.tuple(fc.constantFrom('meta:a', 'meta:b'), fc.constantFrom('x', 'm'.repeat(600), null)),
    fc.tuple(fc.constantFrom('place', 'occ', 'del', 'nothing'), fc.constantFrom(null, 1)),
  )
  .chain(([field, value]) =>
    fc
      .record({ id: fc.oneof({ weight: 5, arbitrary: task }, { weight: 1, arbitrary: anything }), only })
      .map((rest) => optional({ a: 'set', field, value, ...rest }) as Action),
  );

const exclusive = fc
  .constantFrom(...groups)
  .chain((id) => fc.boolean().map((value): Action => ({ a: 'set', id, field: 'exclusive', value })));
const place = fc
  .record({
    id: fc.oneof({ weight: 5, arbitrary: task }, { weight: 1, arbitrary: anything }),
    place: position,
    only,
  })
  .map((rest) => optional({ a: 'place', ...rest }) as Action);
const trash = fc
  .record({ a: fc.constantFrom('delete', 'restore'), id: anything, only })
  .map((action) => optional(action) as Action);
const occ = fc.integer({ min: 0, max: 2 });
const series = fc.option(fc.record({ occ, due: when, start: when }).map(optional), { nil: null });
const next = fc.option(
  fc
    .record({
      due: when,
      start: when,
      title: fc.option(fc.constantFrom(null, 'plan'), { nil: undefined }),
      notes: fc.option(fc.constantFrom(null, 'steps'), { nil: undefined }),
      duration: fc.option(fc.constantFrom(null, 30), { nil: undefined }),
      series: fc.option(series, { nil: undefined }),
    })
    .map(optional),
  { nil: null },
);
const complete = fc
  .record({ id: task, occ, next, anew: fc.option(fc.array(anything, { maxLength: 3 }), { nil: undefined }) })
  .map(({ anew, ...rest }): Action => {
    const begins =
      anew === undefined || rest.next === null ? {} : { anew: anew.filter((id) => id !== rest.id) };
    return { a: 'complete', at: 7, ...rest, ...begins } as Action;
  });
const reopen = fc
  .record({ id: task, occ, previous: next })
  .map((rest): Action => ({ a: 'reopen', ...rest }) as Action);

export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: createTask },
  { weight: 4, arbitrary: createOther },
  { weight: 6, arbitrary: write },
  { weight: 1, arbitrary: exclusive },
  { weight: 5, arbitrary: place },
  { weight: 3, arbitrary: trash },
  { weight: 4, arbitrary: complete },
  { weight: 2, arbitrary: reopen },
);

/** What makes the first rows: an Inbox, and some of everything in it. */
export const opening: readonly Action[] = [
  {
    a: 'create',
    id: inbox,
    type: 'list',
    fields: { listType: 'inbox' },
    place: { parent: listsRoot(scope) },
  },
  ...tasks
    .slice(0, 4)
    .map((id): Action => ({ a: 'create', id, type: 'task', fields: {}, place: { parent: inbox } })),
  {
    a: 'create',
    id: groups[0] as Id,
    type: 'labelGroup',
    fields: { exclusive: true },
    place: { parent: labelsRoot(scope) },
  },
  ...labels.slice(0, 2).map((id): Action => ({
    a: 'create',
    id,
    type: 'label',
    fields: {},
    place: { parent: groups[0] as Id },
  })),
];
