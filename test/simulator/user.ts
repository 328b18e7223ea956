// What the people of a simulated world do: every kind of action, often on the same few things, in ways that collide.
import { inboxId, labelsRoot, listsRoot, mineId, settingId, type Id } from '#core/ids.ts';
import type { When } from '#core/when.ts';
import type { Action, NextOccurrence, Position } from '#sync/rows/operation.ts';
import type { Issued, Replica } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { parentOf } from '#sync/rows/ancestors.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import type { SimulatedDevice } from './device.ts';
import type { SeededRandom } from './random.ts';

type Make = (world: Sight) => readonly Action[];

/** What the person sees. */
interface Sight {
  readonly replica: Replica;
  readonly random: SeededRandom;
  readonly tasks: readonly Row[];
  readonly lists: readonly Row[];
  readonly labels: readonly Row[];
  readonly groups: readonly Row[];
}

const SETTINGS = ['theme', 'week-start'];

/** People work on the same few things, which is where they collide. */
function favourite(random: SeededRandom, rows: readonly Row[]): Row {
  return random.pick(random.chance(0.7) ? rows.slice(0, 4) : rows);
}

function day(random: SeededRandom): When {
  return { on: `2026-0${random.between(1, 9)}-${random.between(10, 28)}` };
}

function position(sight: Sight, parent: Id): Position {
  const { random, replica } = sight;
  const siblings = replica.children(parent);
  const draw = random.below(6);
  if (siblings.length === 0 || draw === 0) return { parent };
  if (draw === 1) return { parent, at: 'start' };
  if (draw === 2) return { parent, before: random.pick(siblings).id };
  if (draw === 3) return { parent, after: random.pick(siblings).id, before: random.pick(siblings).id };
  return { parent, after: random.pick(siblings).id };
}

function taskParent({ random, replica, tasks, lists }: Sight): Id {
  const homes = lists.filter((row) => fieldOf(row, 'listType') !== 'folder');
  if (tasks.length > 0 && random.chance(0.6)) return favourite(random, tasks).id;
  return homes.length > 0 ? random.pick(homes).id : inboxId(replica.scope);
}

function newTask(sight: Sight, place: Position, extra: Record<string, unknown> = {}): Action {
  const { replica, random } = sight;
  const id = replica.newId();
  const fields = { title: `task ${random.below(1_000)}`, ...extra };
  return { a: 'create', id, type: 'task', fields, place };
}

const makeTask: Make = (sight) => {
  const { random, labels } = sight;
  const extra: Record<string, unknown> = {};
  if (random.chance(0.4)) extra['due'] = day(random);
  if (random.chance(0.5))
    extra['repeat'] = {
      value: 1,
      unit: 'days',
      metadata: null,
      from: 'due date',
      missed: 'every',
      anchorDay: null,
    };
  if (labels.length > 0 && random.chance(0.3))
    for (const label of labels.slice(0, 2)) extra[`label:${label.id}`] = true;
  return [newTask(sight, position(sight, taskParent(sight)), extra)];
};

/** Line by line, each after the one before. */
const makeRun: Make = (sight) => {
  const parent = taskParent(sight);
  const actions: Action[] = [newTask(sight, position(sight, parent))];
  for (let count = sight.random.between(2, 6); count > 0; count -= 1) {
    const last = actions.at(-1) as Action;
    actions.push(newTask(sight, { parent, after: last.id }));
  }
  return actions;
};

const makeNest: Make = (sight) => {
  const actions: Action[] = [];
  let parent = taskParent(sight);
  for (let depth = 0; depth < 5; depth += 1) {
    const action = newTask(sight, { parent });
    actions.push(action);
    parent = action.id;
  }
  return actions;
};

const makeList: Make = (sight) => {
  const { replica, random, lists } = sight;
  const folders = lists.filter((row) => fieldOf(row, 'listType') === 'folder');
  const parent =
    folders.length > 0 && random.chance(0.4) ? random.pick(folders).id : listsRoot(replica.scope);
  const listType = parent === listsRoot(replica.scope) && random.chance(0.4) ? 'folder' : 'list';
  return [
    {
      a: 'create',
      id: replica.newId(),
      type: 'list',
      fields: { listType, name: `list ${random.below(100)}` },
      place: position(sight, parent),
    },
  ];
};

const makeLabel: Make = (sight) => {
  const { replica, random, groups } = sight;
  const root = labelsRoot(replica.scope);
  if (groups.length === 0 || random.chance(0.05)) {
    const group = replica.newId();
    return [
      {
        a: 'create',
        id: group,
        type: 'labelGroup',
        fields: { name: 'group', exclusive: true },
        place: { parent: root },
      },
      ...['red', 'green'].map((name) => ({
        a: 'create' as const,
        id: replica.newId(),
        type: 'label' as const,
        fields: { name },
        place: { parent: group },
      })),
    ];
  }
  const parent = groups.length > 0 && random.chance(0.8) ? random.pick(groups).id : root;
  return [
    {
      a: 'create',
      id: replica.newId(),
      type: 'label',
      fields: { name: `label ${random.below(9)}` },
      place: position(sight, parent),
    },
  ];
};

const editTask: Make = ({ tasks, random }) => {
  if (tasks.length === 0) return [];
  const { id } = favourite(random, tasks);
  const edits: readonly [string, unknown][] = [
    ['title', `title ${random.below(10_000)}`],
    ['title', `title ${random.below(10_000)}`],
    ['notes', `note ${random.below(10_000)}\nmore`],
    ['due', random.chance(0.2) ? null : day(random)],
    ['start', day(random)],
    ['duration', random.below(600)],
  ];
  const [field, value] = random.pick(edits);
  return [{ a: 'set', id, field, value }];
};

/** A burst of keystrokes in one title: what compaction is for. */
const typeTitle: Make = ({ tasks, random }) => {
  if (tasks.length === 0) return [];
  const { id } = favourite(random, tasks);
  return Array.from({ length: random.between(2, 6) }, (_, index) => ({
    a: 'set' as const,
    id,
    field: 'title',
    value: `typing ${index} ${random.below(99)}`,
  }));
};

const toggleLabel: Make = ({ tasks, labels, random }) => {
  if (tasks.length === 0 || labels.length === 0) return [];
  return [
    {
      a: 'set',
      id: favourite(random, tasks).id,
      field: `label:${favourite(random, labels).id}`,
      value: random.chance(0.75) ? true : null,
    },
  ];
};

const editMetadata: Make = ({ tasks, random }) => {
  if (tasks.length === 0) return [];
  const value = random.chance(0.2) ? null : 'm'.repeat(random.pick([3, 3, 600, 900]));
  return [
    { a: 'set', id: favourite(random, tasks).id, field: `meta:${random.pick(['a', 'b', 'c'])}`, value },
  ];
};

const markMine: Make = ({ replica, tasks, labels, random }) => {
  if (tasks.length === 0) return [];
  const of = favourite(random, tasks).id;
  const id = mineId(replica.scope, of);
  const edits: Record<string, unknown>[] = [
    { bookmarkedAt: random.below(1_000) },
    { collapsed: random.chance(0.5) },
    { snooze: day(random), snoozeCount: 1 },
  ];
  if (labels.length > 0) edits.push({ [`label:${favourite(random, labels).id}`]: true });
  const fields = random.pick(edits);
  if (replica.row(id) === undefined || random.chance(0.2))
    return [{ a: 'create', id, type: 'mine', fields: { of, ...fields } }];
  return Object.entries(fields).map(([field, value]) => ({ a: 'set' as const, id, field, value }));
};

const changeSetting: Make = ({ replica, random }) => {
  const key = random.pick(SETTINGS);
  const id = settingId(replica.scope, key);
  const value = { mode: random.below(50) };
  if (replica.row(id) !== undefined && random.chance(0.5)) return [{ a: 'set', id, field: 'value', value }];
  return [{ a: 'create', id, type: 'setting', fields: { key, value } }];
};

const move: Make = (sight) => {
  const { tasks, lists, labels, groups, random, replica } = sight;
  const draw = random.below(10);
  if (draw === 0 && lists.length > 0) {
    const folders = lists.filter((row) => fieldOf(row, 'listType') === 'folder');
    const parent = folders.length > 0 ? random.pick(folders).id : listsRoot(replica.scope);
    return [{ a: 'place', id: random.pick(lists).id, place: position(sight, parent) }];
  }
  if (draw === 1 && labels.length > 0 && groups.length > 0)
    return [{ a: 'place', id: favourite(random, labels).id, place: position(sight, random.pick(groups).id) }];
  if (tasks.length === 0) return [];
  return [{ a: 'place', id: favourite(random, tasks).id, place: position(sight, taskParent(sight)) }];
};

/**
 * What hangs beneath something is taken out, then that is put beneath it, with other work before and after: between two
 * pages of news the two moves can lie on either side, and the old place of one closes a circle with the new place of the other.
 */
const swapNesting: Make = (sight) => {
  const { tasks, random, replica } = sight;
  const ids = new Set(tasks.map(({ id }) => id));
  const nested = tasks.filter((row) => ids.has(parentOf(row) as Id));
  if (nested.length === 0) return [];
  const inner = favourite(random, nested);
  const outer = parentOf(inner) as Id;
  const above = parentOf(replica.row(outer)) as Id;
  return [
    { a: 'place', id: inner.id, place: { parent: above, after: outer } },
    ...(random.chance(0.5) ? makeRun(sight) : []),
    { a: 'place', id: outer, place: { parent: inner.id } },
    ...(random.chance(0.7) ? makeRun(sight) : []),
    { a: 'set', id: inner.id, field: 'title', value: `swapped ${random.below(1_000)}` },
  ];
};

const trash: Make = ({ tasks, lists, labels, random }) => {
  const things = random.chance(0.8) ? tasks : [...lists, ...labels];
  return things.length === 0 ? [] : [{ a: 'delete', id: favourite(random, things).id }];
};

const restore: Make = ({ replica, random }) => {
  const trashed = [...replica.all()].filter((row) => fieldOf(row, 'del') !== undefined);
  return trashed.length === 0 ? [] : [{ a: 'restore', id: favourite(random, trashed).id }];
};

function nextOf(row: Row, random: SeededRandom): NextOccurrence | null {
  if (fieldOf(row, 'repeat') === undefined || random.chance(0.15)) return null;
  return { due: day(random), start: fieldOf(row, 'start') ?? null };
}

const complete: Make = ({ tasks, random, replica }) => {
  const repeating = tasks.filter((row) => fieldOf(row, 'repeat') !== undefined);
  const choice = repeating.length > 0 && random.chance(0.6) ? repeating : tasks;
  if (choice.length === 0) return [];
  const row = favourite(random, choice);
  const occ = fieldOf(row, 'occ') ?? 0;
  const at = random.below(1_000_000);
  const next = nextOf(row, random);
  if (next === null) return [{ a: 'complete', id: row.id, occ, at, next }];
  const below = replica.children(row.id).filter((held) => fieldOf(held, 'status') !== undefined);
  return [{ a: 'complete', id: row.id, occ, at, next, anew: below.map(({ id }) => id) }];
};

const reopen: Make = ({ tasks, random }) => {
  const done = tasks.filter(
    (row) => fieldOf(row, 'status') !== undefined || fieldOf(row, 'occ') !== undefined,
  );
  if (done.length === 0) return [];
  const row = favourite(random, done);
  const occ = fieldOf(row, 'occ') ?? 0;
  if (fieldOf(row, 'status') !== undefined) return [{ a: 'reopen', id: row.id, occ, previous: null }];
  return [{ a: 'reopen', id: row.id, occ: occ - 1, previous: { due: day(random), start: null } }];
};

const clear: Make = ({ tasks }) =>
  tasks.flatMap((row) => {
    const status = fieldOf(row, 'status');
    return status === undefined || status.cleared !== undefined
      ? []
      : [{ a: 'set' as const, id: row.id, field: 'status', value: { ...status, cleared: status.done + 1 } }];
  });

/** What nobody may do, or what makes no sense: the server has to say no. */
const trespass: Make = ({ replica, tasks, random }) => {
  const actions: Action[] = [
    { a: 'set', id: replica.newId(), field: 'title', value: 'nobody' },
    { a: 'delete', id: inboxId(replica.scope) },
    { a: 'set', id: inboxId(replica.scope), field: 'listType', value: 'folder' },
    { a: 'place', id: replica.newId(), place: { parent: listsRoot(replica.scope) } },
  ];
  if (tasks.length > 0) actions.push({ a: 'set', id: favourite(random, tasks).id, field: 'occ', value: 9 });
  return [random.pick(actions)];
};

const habits: readonly (readonly [weight: number, make: Make])[] = [
  [9, makeTask],
  [3, makeRun],
  [1, makeNest],
  [3, makeList],
  [5, makeLabel],
  [18, editTask],
  [4, typeTitle],
  [10, toggleLabel],
  [5, editMetadata],
  [5, markMine],
  [4, changeSetting],
  [20, move],
  [12, swapNesting],
  [7, trash],
  [4, restore],
  [10, complete],
  [4, reopen],
  [1, clear],
  [1, trespass],
];
const totalWeight = habits.reduce((sum, [weight]) => sum + weight, 0);

function choose(random: SeededRandom): Make {
  let draw = random.below(totalWeight);
  for (const [weight, make] of habits) {
    if (draw < weight) return make;
    draw -= weight;
  }
  return editTask;
}

function look(replica: Replica, random: SeededRandom): Sight {
  const rows = [...replica.all()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const of = (type: Row['type']): Row[] => rows.filter((row) => row.type === type);
  return {
    replica,
    random,
    tasks: of('task'),
    lists: of('list'),
    labels: of('label'),
    groups: of('labelGroup'),
  };
}

/** Again and again between the two that were placed last: the gap gets crowded, whatever keys grow from. */
export function crowd(device: SimulatedDevice, count: number): void {
  const { replica } = device.engine ?? {};
  if (replica === undefined || !device.isReady) return;
  const parent = inboxId(replica.scope);
  // Where it is most crowded already.
  const lengthOf = (row: Row) => placeOf(row)?.key.length ?? 0;
  const [most] = replica.children(parent).toSorted((a, b) => lengthOf(b) - lengthOf(a));
  let anchor = most?.id;
  const actions = Array.from({ length: count }, (_, at): Action => {
    const id = replica.newId();
    const place = { parent, ...(anchor === undefined ? {} : { after: anchor }) };
    if (at % 2 === 1) anchor = id;
    return { a: 'create', id, type: 'task', fields: {}, place };
  });
  replica.issue(actions);
}

/** Where a person works. */
export type Person = Pick<SimulatedDevice, 'engine' | 'isReady' | 'done' | 'undone'> &
  Partial<Pick<SimulatedDevice, 'unknown'>>;

/** One thing a person does on the device; sometimes undo or redo. */
export function act(device: Person, random: SeededRandom): void {
  const { engine } = device;
  if (engine === null || !device.isReady) return;
  const { replica } = engine;
  const draw = random.fraction();
  if (draw < 0.06 && device.done.length > 0) {
    device.undone.push(replica.issue((device.done.pop() as Issued).inverses));
    return;
  }
  if (draw < 0.08 && device.undone.length > 0) {
    device.done.push(replica.issue((device.undone.pop() as Issued).inverses));
    return;
  }
  const wanted = choose(random)(look(replica, random));
  // Nobody makes what the app does not know.
  const actions = wanted.filter(
    (action) => action.a !== 'create' || device.unknown?.has(action.type) !== true,
  );
  const atomic = random.chance(0.5);
  device.done.push(
    replica.issue(actions, { atomic, ...(random.chance(0.3) ? { group: replica.newId() } : {}) }),
  );
}
