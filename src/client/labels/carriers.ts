// The open tasks that carry each label: how many, and one of them to show. Read in one pass over all rows.
import type { Id } from '#core/ids.ts';
import { quoted } from '#core/search/pieces.ts';
import { registersOf, type Row } from '#sync/rows/row.ts';
import { isDone, isShown, nameOf } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import { groupOf, isLivingLabel, labelName } from './catalog.ts';

/** What carries a label, or any label of a group. */
export interface Carriers {
  readonly count: number;
  /** The title of one of them that has a title; null: there is none. */
  readonly sample: string | null;
}

const LABEL = 'label:';

function* labelsOn({ workspace }: Program, task: Row): Generator<Id> {
  for (const register in task.fields)
    if (register.startsWith(LABEL) && registersOf(task)[register] === true)
      yield register.slice(LABEL.length) as Id;
  yield* workspace.facts.ownLabelsOf(task.id);
}

/** By label and by group; what nothing carries is absent. Visits every row. */
export function carriersOf(program: Program): ReadonlyMap<Id, Carriers> {
  const { replica, workspace } = program;
  const found = new Map<Id, { count: number; sample: string | null }>();
  for (const task of replica.all()) {
    if (!isShown(task) || isDone(task)) continue;
    const carried = new Set<Id>();
    for (const id of labelsOn(program, task)) {
      const label = replica.row(id);
      if (!isLivingLabel(replica, label)) continue;
      carried.add(id);
      const group = groupOf(replica, label);
      if (group !== null) carried.add(group.id);
    }
    if (carried.size === 0 || workspace.facts.isHidden(task.id)) continue;
    for (const id of carried) {
      const { count, sample } = found.get(id) ?? { count: 0, sample: null };
      found.set(id, { count: count + 1, sample: sample ?? (nameOf(task) || null) });
    }
  }
  return found;
}

/** The query that finds what carries a label or a label of a group, done or not. */
export function queryOf(row: Row): string {
  const name = labelName(row);
  const value = /^(?:none|any)$/i.test(name) ? `"${name}"` : quoted(name);
  return `${row.type === 'labelGroup' ? 'group' : 'label'}:${value}`;
}
