// Tasks that were made in a shared list while somebody else deleted it: the server refuses them, and they are made again in the
// Inbox, with what was written in them. Other refused changes wait for the person (recovered-actions.ts).
import { counted } from '#core/counted.ts';
import { inboxId, type Id } from '#core/ids.ts';
import type { RecoveredItem } from '#sync/replica/ports.ts';
import { rowAndAbove } from '#sync/rows/ancestors.ts';
import type { Action } from '#sync/rows/operation.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Row } from '#sync/rows/row.ts';
import { definePart } from '../app/part.ts';
import type { Program } from '../app/program.ts';
import { nameOf } from '../outline/row-facts.ts';
import { quoted } from '../text/editor.ts';
import { actionOf } from './unsent-actions.ts';

/** The tasks that were put into the Inbox: later changes of them are made again, too. */
export const deletedLists = definePart({
  name: 'Tasks for lists that were deleted',
  create: () => ({ made: new Set<Id>() }),
});

/** The deleted shared list that a place is in. */
function deletedListAt({ replica }: Program, place: Id | undefined): Row | undefined {
  if (place === undefined) return undefined;
  for (const row of rowAndAbove(replica.row(place), (id) => replica.row(id)))
    if (row.type === 'list' && row.scope !== replica.scope) return isTrashed(row) ? row : undefined;
  return undefined;
}

/** Makes them again in the Inbox, and says so. Returns the other changes. */
export function takeToInbox(program: Program, news: readonly RecoveredItem[]): readonly RecoveredItem[] {
  const { replica, engine } = program;
  const { made } = program.part(deletedLists);
  const lists = new Set<Row>();
  const taken: RecoveredItem[] = [];
  const actions: Action[] = [];
  let tasks = 0;
  for (const item of news.toSorted((a, b) => (a.operation.n ?? 0) - (b.operation.n ?? 0))) {
    const { operation } = item;
    if (operation.a === 'create' && operation.type === 'task') {
      const list = deletedListAt(program, operation.place?.parent);
      const isUnder = operation.place !== undefined && made.has(operation.place.parent);
      if (!list && !isUnder) continue;
      const parent = isUnder ? operation.place.parent : inboxId(replica.scope);
      // Nobody else has heard of it: it keeps its id, so that what follows finds it.
      actions.push({ ...operationOf(operation), place: { parent }, createdAt: operation.t });
      made.add(operation.id);
      tasks += 1;
      if (list) lists.add(list);
    } else if (made.has(operation.id) && operation.a !== 'create') {
      // A place beside what is not in the Inbox is none anymore.
      if (operation.a !== 'place' || made.has(operation.place.parent)) actions.push(actionOf(operation));
    } else continue;
    taken.push(item);
  }
  if (taken.length === 0) return news;
  program.change(actions, 'put tasks of a deleted list into the Inbox', { rescues: true });
  engine.dropRecovered(taken.map(({ operation }) => operation.q));
  const [list] = lists;
  const what = tasks === 1 ? 'your task is' : `your ${counted(tasks, 'task')} are`;
  if (list) program.say(`${quoted(nameOf(list))} was deleted, so ${what} in the Inbox.`);
  return news.filter((item) => !taken.includes(item));
}

const operationOf = (operation: Extract<RecoveredItem['operation'], { a: 'create' }>) =>
  actionOf(operation) as Extract<Action, { a: 'create' }>;
