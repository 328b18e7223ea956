// What a plan needs to know of the person and of what is here: their way of writing dates, their labels.
import type { Program } from '../app/program.ts';
import { labelName, labelsIn, shelves } from '../labels/catalog.ts';
import { nextColor } from '../labels/colors.ts';
import { phraseContext } from '../pickers/phrase-context.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { evening } from '../settings/general.ts';
import type { PlanContext, ReadContext } from './port.ts';

/** New labels get different colors as long as there are enough. */
const COLORS = 24;

export function readContextOf(program: Program): ReadContext {
  return { phrase: phraseContext(program, null), eveningHour: program.settings.get(evening) };
}

export function contextOf(program: Program): PlanContext {
  const { replica, workspace } = program;
  const { scope } = replica;
  const labels = labelsIn(replica, scope);
  const used = labels.map(({ row }) => fieldOf(row, 'color') ?? '');
  const colors: string[] = [];
  for (let count = 0; count < COLORS; count += 1) colors.push(nextColor([...used, ...colors]));
  return {
    scope,
    inbox: workspace.inbox,
    phrase: phraseContext(program, null),
    labels: labels.map(({ row, group }) => ({ id: row.id, name: labelName(row), group: group?.id ?? null })),
    groups: shelves(replica).flatMap(({ group }) =>
      group === null ? [] : [{ id: group.id, name: labelName(group), group: null }],
    ),
    colors,
  };
}
