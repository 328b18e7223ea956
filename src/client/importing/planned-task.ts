// The registers of one task of a plan, with the mark by which the next import knows it again. Dates are understood already; what was
// not is in the notes. Pure.
import type { ImportedFile, ImportedTask } from '#core/formats/import/shape.ts';
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { registerOf } from '#core/reminders.ts';
import { taskText } from '../text/long-text.ts';
import { comparedRegisters, comparedValue, digestOf, IMPORT_META, writeMark } from './digest.ts';
import { PRIORITY_GROUP, type PlannedLabels } from './planned-labels.ts';
import type { ImportOptions } from './port.ts';

/** What every task of a file is planned with. */
export interface TaskPlanner {
  readonly labels: PlannedLabels;
  readonly options: ImportOptions;
  /** By key. */
  readonly labelsOfFile: ReadonlyMap<string, ImportedFile['labels'][number]>;
  /** Keys of labels that say “someday”. */
  readonly someday: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A task with its registers; `rest`: notes that do not fit in it. */
export interface PlannedTask {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly mine: Readonly<Record<string, unknown>> | null;
  readonly createdAt: number | null;
  readonly rest: string;
}

/** Of the mark besides the id, as JSON. */
const MARK_ROOM = 130;

function labelsOf(task: ImportedTask, planner: TaskPlanner): ReadonlySet<Id> {
  const { labels, options, labelsOfFile, someday } = planner;
  const found = new Set<Id>();
  for (const key of task.labels) {
    const label = labelsOfFile.get(key);
    if (label === undefined || (options.somedayIsList && someday.has(key))) continue;
    found.add(labels.id(label));
  }
  if (task.priority !== null && options.hasPriorities)
    found.add(labels.id({ name: task.priority, group: PRIORITY_GROUP, color: null, hotkey: null }));
  return found;
}

/** Metadata that fits beside the mark; the rest as lines for the notes. */
function metadataOf(metadata: ImportedTask['metadata'], room: number) {
  const fields: Record<string, string> = {};
  const lines: string[] = [];
  let left = room;
  for (const [name, value] of Object.entries(metadata)) {
    const size = JSON.stringify({ [name]: value }).length;
    if (size <= left && `meta:${name}` !== IMPORT_META) {
      fields[`meta:${name}`] = value;
      left -= size;
    } else lines.push(`${name}: ${value}`);
  }
  return { fields, lines };
}

function mineOf(task: ImportedTask, now: number): Readonly<Record<string, unknown>> | null {
  const mine: Record<string, unknown> = {};
  if (task.isCollapsed && task.children.length > 0) mine['collapsed'] = true;
  if (task.isBookmarked) mine['bookmarkedAt'] = now;
  if (task.snooze !== null) mine['snooze'] = task.snooze;
  for (const reminder of task.reminders) mine[registerOf(reminder)] = reminder;
  return Object.keys(mine).length === 0 ? null : mine;
}

/** `isFound`: its id is its own, so the next import is to know it by it. */
export function planTask(
  task: ImportedTask,
  { isFound, parent }: { readonly isFound: boolean; readonly parent: Id },
  planner: TaskPlanner,
): PlannedTask {
  const foreign = isFound ? (task.id ?? '').replaceAll(/\s/g, encodeURIComponent) : '';
  const room = limits.metadataCharacters - (foreign === '' ? 0 : MARK_ROOM + foreign.length);
  const meta = metadataOf(task.metadata, room);
  const notes = [task.notes, meta.lines.join('\n')].filter((part) => part !== '').join('\n\n');
  const text = taskText(task.title, notes);
  const fields: Record<string, unknown> = { ...text.fields, ...meta.fields, ...task.scalars };
  for (const register of ['due', 'start', 'repeat'] as const)
    if (task[register] !== null) fields[register] = task[register];
  if (task.done !== null) fields['status'] = { done: Math.min(task.done.at ?? planner.now, planner.now) };
  for (const label of labelsOf(task, planner)) fields[`label:${label}`] = true;
  if (foreign !== '') {
    const digests = Object.fromEntries(
      comparedRegisters.map((register) => [register, digestOf(comparedValue(register, fields, parent))]),
    );
    fields[IMPORT_META] = writeMark(foreign, digests);
  }
  return { fields, mine: mineOf(task, planner.now), createdAt: task.createdAt, rest: text.rest };
}
