// Random tasks of samples.ts as rows, with an index over them: what searches by column are tried on.
import { deriveId, mineId, type Id } from '#core/ids.ts';
import { blockRegister, wallOf } from '#core/calendar/blocks.ts';
import type { When } from '#core/when.ts';
import type { Moment } from '#core/search/evaluate.ts';
import { Subjects } from '#sync/query/subjects.ts';
import { TaskIndex } from '#sync/query/task-index.ts';
import type { World } from '#sync/query/world.ts';
import { asRow, fieldOf, type Fields, type Row } from '#sync/rows/row.ts';
import { ids, idsNamed, type Sample } from './samples.ts';

const scope = deriveId('sets', 'scope');
const idOf = (at: number, name: string): Id => deriveId('sets', `${at} ${name}`);

function make(id: Id, type: Row['type'], fields: Fields, { createdAt, updatedAt }: Sample): Row {
  const kept = Object.entries(fields).filter(([, value]) => value !== null && value !== '');
  return asRow({
    id,
    type,
    scope,
    version: 1,
    fields: Object.fromEntries(kept),
    stamp: [1, 0, 1, 1],
    createdAt,
    updatedAt,
  });
}

const under = (parent: Id) => ({ place: { parent, key: 'a' } });

function taskOf(sample: Sample, at: number): Row {
  const { title, notes, due, start, scalars, completedAt, isCleared } = sample;
  const cleared = isCleared && completedAt !== null ? { cleared: completedAt } : {};
  const row = make(
    idOf(at, 'task'),
    'task',
    {
      title,
      notes,
      due,
      start,
      ...scalars,
      assignee: sample.assignee,
      status: completedAt === null ? null : { done: completedAt, ...cleared },
      repeat: sample.isRepeating ? {} : null,
      origin: sample.isEmailed ? {} : null,
      ...Object.fromEntries(sample.labels.map((label) => [`label:${label}`, true])),
      ...Object.fromEntries([...sample.metadata].map(([key, value]) => [`meta:${key}`, value])),
      ...under(idOf(at, 'home')),
    },
    sample,
  );
  return sample.isShared ? { ...row, scope: deriveId('sets', 'shared') } : row;
}

/** A block that starts then. One of another occurrence, which no query finds, stands beside it. */
function blockFields(starts: readonly When[]): Fields {
  const blocks = starts.flatMap((when, at) => {
    const start =
      'at' in when ? wallOf(when.at, when.zone) : 'local' in when ? Date.parse(`${when.local}Z`) : 0;
    const block = { start, minutes: 45, occ: 0, ...('at' in when ? { zone: when.zone } : {}) };
    return [[blockRegister(`${at}`), block] as const];
  });
  const other = [blockRegister('other'), { start: Date.UTC(2026, 10, 20, 9), minutes: 45, occ: 3 }] as const;
  return Object.fromEntries([...blocks, other]);
}

/** A task with all that the sample says, under a chain of a home, a list for each id above it, and a list on top. */
function rowsOf(sample: Sample, at: number): Row[] {
  const chain = [...sample.above.map((id) => idOf(at, id)), idOf(at, 'top')];
  const [first = idOf(at, 'top')] = chain;
  const task = idOf(at, 'task');
  const home = sample.isNested ? { title: 'home' } : { listType: 'list' };
  const list = (id: Id, parent: Id, archivedAt: number | null): Row =>
    make(id, 'list', { listType: 'list', archivedAt, ...under(parent) }, sample);
  const { snooze, isBookmarked } = sample;
  return [
    taskOf(sample, at),
    make(
      mineId(scope, task),
      'mine',
      { of: task, snooze, bookmarkedAt: isBookmarked ? 1 : null, ...blockFields(sample.blocks) },
      sample,
    ),
    make(idOf(at, 'home'), sample.isNested ? 'task' : 'list', { ...home, ...under(first) }, sample),
    ...chain.map((id, step) =>
      list(id, chain[step + 1] ?? scope, step === chain.length - 1 && sample.isArchived ? 1 : null),
    ),
    ...(sample.hasChildren ? [make(idOf(at, 'child'), 'task', { title: 'c', ...under(task) }, sample)] : []),
    ...(sample.hasComment
      ? [make(idOf(at, 'comment'), 'comment', { text: 'x', ...under(task) }, sample)]
      : []),
    ...(sample.hasAttachment ? [make(idOf(at, 'file'), 'attachment', under(task), sample)] : []),
  ];
}

export interface TaskSet {
  readonly samples: readonly Sample[];
  readonly world: World;
  readonly subjects: Subjects;
  readonly names: Moment['names'];
  /** Of the samples. */
  readonly slots: readonly number[];
}

export function taskSet(samples: readonly Sample[], context: World['context']): TaskSet {
  const rows = new Map<Id, Row>();
  const children = new Map<Id, Row[]>();
  for (const row of samples.flatMap(rowsOf)) {
    rows.set(row.id, row);
    const { parent } = (fieldOf(row, 'place') ?? {}) as { parent?: Id };
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  const replica = {
    scope,
    row: (id: Id) => rows.get(id),
    children: (parent: Id) => children.get(parent) ?? [],
    all: () => rows.values(),
  };
  const index = new TaskIndex(replica);
  index.readSome(Number.MAX_SAFE_INTEGER);
  const facts = { isHidden: () => false };
  const world: World = {
    replica,
    index,
    facts,
    showsSnoozed: () => false,
    people: () => [],
    account: 0,
    context,
  };
  /** By the letter of the name: the lists that stand for it above each task. */
  const placesBy = new Map<string, ReadonlySet<Id>>();
  for (const id of ids) placesBy.set(id, new Set(samples.map((_, at) => idOf(at, id))));
  const nowhere: ReadonlySet<Id> = new Set();
  const names = {
    places: (_kind: string, name: string) => placesBy.get([...idsNamed(name)][0] ?? '') ?? nowhere,
    labels: idsNamed,
    groupLabels: idsNamed,
    people: () => new Set<number>(),
  };
  const slots = samples.map((_, at) => index.slotOf(idOf(at, 'task')) as number);
  return { samples, world, subjects: new Subjects(world), names, slots };
}
