// Which tasks a change of rows may affect: the changed ones, descendants of moved ones, and parents that gained or lost
// children. Also which names now have another meaning.
import type { Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import type { Expression } from '#core/search/query.ts';
import type { RowChange } from '#sync/replica/replica-types.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isCleared, isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { World } from '#sync/query/world.ts';

export interface Affected {
  readonly tasks: ReadonlySet<Id>;
  /** Folded old and new names of everything that was renamed, added, removed or moved; their ids; and one for all people. */
  readonly names: ReadonlySet<string>;
}

/** Stands for all names of people: they are found by beginnings. No name is folded to it. */
const PEOPLE = 'A person';

function nameOfMember(row: Row | undefined): string | undefined {
  return row?.type === 'member' ? row.fields.name : undefined;
}

export function affectedBy(world: World, changes: readonly RowChange[]): Affected {
  const tasks = new Set<Id>();
  const names = new Set<string>();
  const named = (row: Row | undefined) => {
    if (row) names.add(fold(nameOf(row))).add(row.id);
  };
  for (const change of changes) {
    const { id, before, after } = change;
    const row = after ?? before;
    if (row?.type === 'task' || row?.type === 'completion') tasks.add(id);
    if (row?.type === 'mine') tasks.add(row.fields.of);
    const hangsElsewhere = movesOrHides(change);
    if (row?.type === 'task' || row?.type === 'attachment' || row?.type === 'comment')
      addParents(change, tasks);
    if (row?.type === 'member' && nameOfMember(before) !== nameOfMember(after)) names.add(PEOPLE);
    const isNamed =
      row?.type === 'task' || row?.type === 'list' || row?.type === 'label' || row?.type === 'labelGroup';
    if (isNamed && (hangsElsewhere || nameOf(before) !== nameOf(after))) {
      named(before);
      named(after);
      // Queries also find a group by its labels.
      if (row.type === 'label') for (const one of [before, after]) named(groupOf(world, one));
    }
    if (hangsElsewhere && (row?.type === 'task' || row?.type === 'list'))
      addUnder(world, id, { tasks, named });
  }
  // A completed occurrence has the place of its task.
  for (const id of tasks) for (const record of world.index.recordsOf(id)) tasks.add(record);
  return { tasks, names };
}

function movesOrHides({ before, after }: RowChange): boolean {
  return (
    placeOf(before)?.parent !== placeOf(after)?.parent ||
    isTrashed(before) !== isTrashed(after) ||
    fieldOf(before, 'archivedAt') !== fieldOf(after, 'archivedAt')
  );
}

/** They may have got their first task, or lost the last. */
function addParents({ before, after }: RowChange, tasks: Set<Id>): void {
  const stays = placeOf(before)?.parent === placeOf(after)?.parent;
  if (stays && isTrashed(before) === isTrashed(after) && isCleared(before) === isCleared(after)) return;
  for (const row of [before, after]) {
    const parent = placeOf(row)?.parent;
    if (parent !== undefined) tasks.add(parent);
  }
}

function groupOf({ replica }: World, label: Row | undefined): Row | undefined {
  const parent = placeOf(label)?.parent;
  return parent === undefined ? undefined : replica.row(parent);
}

interface Found {
  readonly tasks: Set<Id>;
  /** Called for rows whose name now means something else; queries do not know names of hidden rows. */
  readonly named: (row: Row) => void;
}

function addUnder({ replica }: World, start: Id, { tasks, named }: Found): void {
  const waiting: Id[] = [start];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const child of replica.children(id)) {
      if (child.type !== 'task' && child.type !== 'list') continue;
      if (child.type === 'task') tasks.add(child.id);
      named(child);
      waiting.push(child.id);
    }
  }
}

/** Folded names and name parts in a query that refer to lists, tasks, labels and groups. */
export function namesIn(expression: Expression): readonly string[] {
  switch (expression.type) {
    case 'all':
    case 'none':
      return [];
    case 'and':
    case 'or':
      return expression.parts.flatMap(namesIn);
    case 'not':
      return namesIn(expression.part);
    case 'term': {
      const { term } = expression;
      if (term.type === 'person') return [PEOPLE];
      if (term.type !== 'place' && term.type !== 'label' && term.type !== 'group') return [];
      const name = fold(term.name.trim());
      return name.includes('/') ? [name, ...name.split('/')] : [name];
    }
  }
}
