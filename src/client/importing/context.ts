// What a plan needs to know of the person and of what is here: their way of writing dates, their labels, the open list.
import type { Program } from '../app/program.ts';
import { currentList } from '../commands/lists.ts';
import { labelName, labelsIn, shelves } from '../labels/catalog.ts';
import { nextColor } from '../labels/colors.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import type { Id } from '#core/ids.ts';
import { isTrashed, nameOf } from '#sync/rows/row-reading.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { evening } from '../settings/general.ts';
import type { IntoList, PlanContext, ReadContext } from './port.ts';

/** New labels get different colors as long as there are enough. */
const COLORS = 24;

export function readContextOf(program: Program): ReadContext {
  return { phrase: phraseContext(program, null), eveningHour: program.settings.get(evening) };
}

function labelsOf({ replica }: Program, scope: Id): Pick<PlanContext, 'labels' | 'groups'> {
  return {
    labels: labelsIn(replica, scope).map(({ row, group }) => ({
      id: row.id,
      name: labelName(row),
      group: group?.id ?? null,
    })),
    groups: shelves(replica, scope).flatMap(({ group }) =>
      group === null ? [] : [{ id: group.id, name: labelName(group), group: null }],
    ),
  };
}

/** The list that is open; null: none, or the Inbox, where files put what belongs there anyway. */
export function openList(program: Program): Id | null {
  const list = currentList(program);
  return list !== undefined && fieldOf(list, 'listType') === 'list' && !isTrashed(list) ? list.id : null;
}

/** Whether the list is still there: it was not deleted, and its person has not left it. */
export function isThere({ replica }: Program, id: Id): boolean {
  const row = replica.row(id);
  return row?.type === 'list' && !isTrashed(row);
}

/** The list as an import can go into it; null: it is not there. */
function intoList(program: Program, id: Id | null): IntoList | null {
  const { replica } = program;
  const row = id === null ? undefined : replica.row(id);
  if (row?.type !== 'list' || isTrashed(row)) return null;
  const { scope } = row;
  const isShared = scope !== replica.scope;
  return { id: row.id, name: nameOf(row), scope, isShared, ...labelsOf(program, scope) };
}

/** `into`: the list that was open. */
export function contextOf(program: Program, into: Id | null): PlanContext {
  const { replica, workspace } = program;
  const { scope } = replica;
  const list = intoList(program, into);
  const used = labelsIn(replica, list?.scope ?? scope).map(({ row }) => fieldOf(row, 'color') ?? '');
  const colors: string[] = [];
  for (let count = 0; count < COLORS; count += 1) colors.push(nextColor([...used, ...colors]));
  return {
    scope,
    inbox: workspace.inbox,
    phrase: phraseContext(program, null),
    ...labelsOf(program, scope),
    ...(list === null ? {} : { into: list }),
    colors,
  };
}
