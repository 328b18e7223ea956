// What a visitor of a public link sees. THE function that names visible fields: it builds a new object from named fields, so that
// what a task gets in the future stays hidden until somebody names it here. Pure.
import type { Id } from '#core/ids.ts';
import { plainColor } from '#core/model.ts';
import { walkUp } from '#core/walk-up.ts';
import { isDone, isShown, isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import { ruleOf } from '#sync/rows/completing.ts';
import type { Row, TaskRow } from '#sync/rows/row.ts';
import type { ShownLabel, ShownTask } from '#wire/public-links.ts';
import { authorise, type LinkActor } from '../access/authorise.ts';

/** A task, with the ids that the link shows for it and for what it hangs under. */
export interface Shown {
  readonly row: TaskRow;
  readonly id: string;
  /** Null: the list. */
  readonly parent: string | null;
}

/** A label's row, if the scope has it and it is for everybody in the list. */
export type LabelOf = (id: Id) => Row | undefined;

function labelsOf(row: TaskRow, labelOf: LabelOf): readonly ShownLabel[] {
  return Object.keys(row.fields).flatMap((register) => {
    if (!register.startsWith('label:')) return [];
    const label = labelOf(register.slice('label:'.length) as Id);
    if (label?.type !== 'label' || isTrashed(label) || label.fields.visibility === 'private') return [];
    return [{ name: label.fields.name ?? '', color: label.fields.color ?? plainColor }];
  });
}

/** Everything that a visitor may know of a task. */
export function visibleFields(visitor: LinkActor, { row, id, parent }: Shown, labelOf: LabelOf): ShownTask {
  const { title = '', notes = '', due, start, place } = row.fields;
  const { link } = visitor;
  const seesLabels = authorise(visitor, { type: 'link', what: 'labels', link }).allowed;
  const labels = seesLabels ? labelsOf(row, labelOf) : [];
  return {
    id,
    parent,
    key: place.key,
    title,
    ...(notes === '' ? {} : { notes }),
    ...(isDone(row) ? { isDone: true as const } : {}),
    ...(due ? { due } : {}),
    ...(start ? { start } : {}),
    ...(ruleOf(row) === null ? {} : { repeats: true as const }),
    ...(labels.length === 0 ? {} : { labels: [...labels] }),
  };
}

/**
 * The tasks of a list that its link shows, in no order: not in the trash and not cleared, and nothing above them is.
 */
export function shownTasks(rows: ReadonlyMap<Id, Row>, list: Id): ReadonlyMap<Id, TaskRow> {
  const shown = new Map<Id, TaskRow>();
  const known = new Map<Id, boolean>([[list, !isTrashed(rows.get(list))]]);
  const parentOf = (row: Row) => {
    const place = placeOf(row);
    return place === undefined ? undefined : rows.get(place.parent);
  };
  for (const row of rows.values()) {
    const path: TaskRow[] = [];
    // A row that is no task, or hidden, hides what is under it; so does a circle, which cannot be stored.
    let isSeen = false;
    for (const above of walkUp<Row>(row, parentOf)) {
      isSeen = known.get(above.id) ?? false;
      if (known.has(above.id) || !isShown(above)) break;
      path.push(above);
    }
    for (const task of path) {
      known.set(task.id, isSeen);
      if (isSeen) shown.set(task.id, task);
    }
  }
  return shown;
}
