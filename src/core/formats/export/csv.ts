// Writes a table of our own columns, which sources/own-csv.ts reads back whole. A cell that a spreadsheet would take for a formula gets
// an apostrophe in front, which the reader takes away.
import { sayRepeat } from '../../dates/words.ts';
import { exactMetadata, exactMoment, exactReminders, exactRule, exactWhen, joinNames } from './exact.ts';
import { aboutLines, type OutLabel, type OutList, type OutTask, type OutTree } from './tree.ts';

/** The headings, in order. The reader knows a table of ours by them. */
export const csvColumns = [
  'Kind',
  'Folder',
  'List',
  'Title',
  'Notes',
  'Completed',
  'Created',
  'Due',
  'Start',
  'Snoozed until',
  'Repeat',
  'Repeat rule',
  'Duration (minutes)',
  'Labels',
  'Reminders',
  'Bookmarked',
  'Collapsed',
  'Metadata',
  'About',
  'Shared',
  'ID',
  'Parent ID',
] as const;
/** A heading. */
export type CsvColumn = (typeof csvColumns)[number];
type Row = Readonly<Partial<Record<CsvColumn, string>>>;

const FORMULA = /^'*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;
const GUARDED = /^'(?='*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20])/;

/** The text of a cell, so that no spreadsheet runs it. */
export const guardCell = (text: string) => (FORMULA.test(text) ? `'${text}` : text);
/** The text that a guarded cell stands for. */
export const unguardCell = (text: string) => text.replace(GUARDED, '');

function cell(text: string): string {
  const guarded = guardCell(text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll('\0', ''));
  return /[",;\t\r\n]|^\s|\s$/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

const labelText = ({ group, name }: OutLabel) => joinNames(group === null ? [name] : [group, name], '/');
const yes = (value: boolean) => (value ? 'yes' : '');

function listRow(list: OutList): Row {
  const { id, name, folders, notes, isInbox, isShared, isBookmarked, archivedAt } = list;
  return {
    Kind: isInbox ? 'inbox' : 'list',
    Folder: joinNames(folders, '/'),
    List: name,
    Title: name,
    Notes: notes,
    Completed: archivedAt === null ? '' : exactMoment(archivedAt),
    Bookmarked: yes(isBookmarked),
    Shared: yes(isShared),
    ID: id,
  };
}

function taskRow(task: OutTask, { id, name, folders, isShared }: OutList): Row {
  const { due, start, snooze, repeat, done, duration } = task;
  return {
    Kind: 'task',
    Folder: joinNames(folders, '/'),
    List: name,
    Title: task.title,
    Notes: task.notes,
    Completed: done === null ? '' : exactMoment(done),
    Created: exactMoment(task.createdAt),
    Due: due === null ? '' : exactWhen(due),
    Start: start === null ? '' : exactWhen(start),
    'Snoozed until': snooze === null ? '' : exactWhen(snooze),
    Repeat: repeat === null ? '' : sayRepeat(repeat),
    'Repeat rule': repeat === null ? '' : exactRule(repeat),
    'Duration (minutes)': duration === null ? '' : String(duration),
    Labels: joinNames(task.labels.map(labelText), '; '),
    Reminders: exactReminders(task.reminders),
    Bookmarked: yes(task.isBookmarked),
    Collapsed: yes(task.isCollapsed),
    Metadata: exactMetadata(task.metadata),
    About: aboutLines(task).join('\n'),
    Shared: yes(isShared),
    ID: task.id,
    'Parent ID': task.parent ?? id,
  };
}

/** The table of a tree, for Excel and its like: UTF-8 with its mark, lines end in CRLF. */
export function writeCsv({ lists }: OutTree): string {
  const rows = lists.flatMap((list) => [listRow(list), ...list.tasks.map((task) => taskRow(task, list))]);
  const lines = rows.map((row) => csvColumns.map((column) => cell(row[column] ?? '')).join(','));
  return `\uFEFF${[csvColumns.join(','), ...lines].join('\r\n')}\r\n`;
}
