// What others get to see when a list is shared: its tasks, and the labels on them.
import type { Id } from '#core/ids.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import type { Program } from '../app/program.ts';
import { isLivingLabel, labelName } from '../labels/catalog.ts';
import { isPrivate } from '../labels/visibility.ts';
import { decryptingTime } from './opening.ts';
import type { OfferView } from './sharing-view.ts';

const PREFIX = 'label:';

/** All tasks beneath a list that are not in the trash. Works as long as there are tasks. */
function tasksIn({ replica }: Program, list: Id): readonly Row[] {
  const found: Row[] = [];
  const waiting: Id[] = [list];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop())
    for (const row of replica.children(parent))
      if (row.type === 'task' && !isTrashed(row)) {
        found.push(row);
        waiting.push(row.id);
      }
  return found;
}

function namesOf({ replica }: Program, labels: ReadonlySet<Id>): readonly string[] {
  return [...labels]
    .map((id) => replica.row(id))
    .filter((row) => isLivingLabel(replica, row))
    .map((row) => labelName(row))
    .toSorted((a, b) => a.localeCompare(b));
}

/** Counted once, when the dialog opens. */
export function offerOf(program: Program, list: Id): OfferView {
  const shared = new Set<Id>();
  const own = new Set<Id>();
  const tasks = tasksIn(program, list);
  for (const task of tasks) {
    for (const [register, value] of Object.entries(registersOf(task)))
      if (value === true && register.startsWith(PREFIX)) {
        const id = register.slice(PREFIX.length) as Id;
        (isPrivate(program.replica.row(id) ?? null) ? own : shared).add(id);
      }
    for (const id of program.workspace.facts.ownLabelsOf(task.id)) own.add(id);
  }
  return {
    tasks: tasks.length,
    labels: namesOf(program, shared),
    privateLabels: namesOf(program, own),
    decrypting: decryptingTime(program, tasks.length),
  };
}
