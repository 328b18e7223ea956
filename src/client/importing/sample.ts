// The first tasks of the list that is active in the rehearsal, as rows show them.
import { isWhen } from '#core/when.ts';
import type { Program } from '../app/program.ts';
import { DueDates } from '../clock/dates.ts';
import type { PlanSummary } from './port.ts';
import type { RehearsalRow, RehearsalView } from './view.ts';

/** `row`: the active line; on an option, the first list that has tasks. */
export function sampleOf(
  program: Program,
  { summary, row }: { readonly summary: PlanSummary; readonly row: RehearsalRow | undefined },
): RehearsalView['sample'] {
  const [, number] = /^list (\d+)$/.exec(row?.id ?? '') ?? [];
  const list =
    number === undefined
      ? summary.lists.find(({ sample }) => sample.length > 0)
      : summary.lists[Number(number)];
  if (list === undefined || list.sample.length === 0) return null;
  const dates = new DueDates(program.moment());
  const tasks = list.sample.map(({ due, ...task }) => ({
    ...task,
    due: isWhen(due) ? dates.show(due).text : '',
  }));
  return { list: list.isInbox ? 'Inbox' : list.name, tasks, more: list.tasks - tasks.length };
}
