// The description of a line for screen readers, after its title: the details shown beside the title, as words. Level,
// position among siblings, and expanded or selected states are properties of the row.
import type { RowView } from '../app/view.ts';

const KINDS: Readonly<Record<RowView['kind'], string>> = { task: '', list: 'list', folder: 'folder' };

function dueWords({ due }: RowView): string {
  if (due === null) return '';
  return due.overdue ? `overdue, was due ${due.text}` : `due ${due.text}`;
}

function labelWords({ labels }: RowView): string {
  const names = labels.map(({ name }) => name).join(', ');
  return labels.length < 2 ? names && `label ${names}` : `labels ${names}`;
}

/** "completed, due tomorrow, label Work"; empty if there is nothing but the title. */
export function rowWords(row: RowView): string {
  const details = detailWords(row);
  if (!row.done || row.kind !== 'task') return details;
  return details === '' ? 'completed' : `completed, ${details}`;
}

/** The same without whether it is completed: "due tomorrow, label Work". */
export function detailWords(row: RowView): string {
  const words = [
    KINDS[row.kind],
    row.locked ? 'encrypted' : '',
    row.unread ? 'changed by others' : '',
    row.snoozed ?? '',
    row.start ?? '',
    row.planned ?? '',
    dueWords(row),
    row.repeats === null ? '' : `repeats ${row.repeats}`.trim(),
    row.duration === null ? '' : `takes ${row.duration}`,
    row.assignee === null ? '' : `assigned to ${row.assignee.name}`.trim(),
    labelWords(row),
    row.childCount === 0 ? '' : `${row.childrenDone} of ${row.childCount} done`,
    row.bookmarked ? 'bookmarked' : '',
    row.hasNotes ? 'has notes' : '',
    row.hasFiles ? 'has files' : '',
    row.comments === 0 ? '' : row.comments === 1 ? '1 comment' : `${row.comments} comments`,
    row.reminds ? 'has a reminder' : '',
    row.path === null ? '' : `in ${row.path}`,
    row.trashed ?? '',
  ];
  return words.filter((word) => word !== '').join(', ');
}
