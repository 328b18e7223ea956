// The details of one task as a dialog with state: on a phone they are the task's sheet, in which it and its subtasks are
// completed, and which is there again once one of its properties was asked for. A lazy part, with details.ts.
import { whenOf } from '#core/calendar/blocks.ts';
import { counted } from '#core/counted.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import { sayRepeat } from '#core/dates/words.ts';
import type { Id } from '#core/ids.ts';
import { remindersIn } from '#core/reminders.ts';
import type { When } from '#core/when.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isDone, isShown, isTrashed } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import { blocksOf, isUndone } from '../blocks/task-blocks.ts';
import { type DateContext, DueDates } from '../clock/dates.ts';
import { revealRow } from '../commands/places.ts';
import { completeRows } from '../commands/tasks.ts';
import type { DetailsAction, SheetProperty, TaskSheetView } from '../dialogs/dialog-view.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import { reopenAfter } from '../dialogs/reopening.ts';
import { sayReminder } from '../reminders/words.ts';
import { detailsOf } from './details.ts';
import { mineOf } from './personal-fields.ts';
import { nameOf } from './row-facts.ts';

/** What these ask is about the task: the sheet is there again afterwards. */
const PROPERTIES: ReadonlySet<string> = new Set([
  'task.due',
  'task.start',
  'task.repeat',
  'task.remind',
  'task.duration',
  'task.planTime',
  'task.move',
  'label.pick',
  'file.show',
  'palette.task',
]);

/** The dialog of a task's details. */
export class TaskSheet implements OpenDialog {
  readonly type = 'details';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #id: Id;

  constructor(program: Program, id: Id) {
    this.#program = program;
    this.#id = id;
  }

  submit(action: DetailsAction): void {
    switch (action.action) {
      case 'complete':
        this.#complete(action.id);
        return;
      case 'open':
        this.#open(action.id);
        return;
      case 'run':
        this.#run(action.command);
    }
  }

  refresh(): void {
    const { dialog } = this.#program;
    const details = detailsOf(this.#program, this.#id);
    if (details === null) dialog.close();
    else dialog.show({ type: 'details', details, sheet: sheetOf(this.#program, this.#id) });
  }

  leave(): void {
    // Nothing is typed in it.
  }

  #complete(id: Id): void {
    const row = this.#program.replica.row(id);
    if (!isShown(row)) return;
    const result = completeRows(this.#program, [row]);
    if (result.type === 'done') this.#program.say(result.announce ?? '', { undo: true });
    this.refresh();
  }

  #open(id: Id): void {
    const program = this.#program;
    const row = program.replica.row(id);
    if (!row) return;
    if (program.workspace.outline.has(id)) program.moveTo(id);
    else if (!revealRow(program, row)) return;
    program.dialog.open(new TaskSheet(program, id));
  }

  #run(command: string): void {
    const program = this.#program;
    program.dialog.close();
    const { type } = program.run(command);
    if (type !== 'refused' && PROPERTIES.has(command)) comeBack(program, this.#id);
  }
}

/** Shows the sheet again once what was opened over the list is closed, if the task is still the one at the cursor. */
function comeBack(program: Program, id: Id): void {
  reopenAfter(
    program,
    () => program.dialog.open(new TaskSheet(program, id)),
    () => isShown(program.replica.row(id)) && program.workspace.cursor === id,
  );
}

/** What the sheet of a task shows. Null: there is no such task. */
export function sheetOf(program: Program, id: Id): TaskSheetView | null {
  const row = program.replica.row(id);
  if (row?.type !== 'task') return null;
  const dates = new DueDates(program.moment());
  const all = propertiesOf(program, row, dates);
  const items = program.workspace.children.of(id).items;
  const subtasks = items.flatMap(({ id: child }) => {
    const under = program.replica.row(child);
    return isShown(under) ? [subtaskOf(under, dates)] : [];
  });
  return {
    isDone: isDone(row),
    path: program.rowFacts.path(row),
    lines: all.filter(({ text }) => text !== ''),
    chips: all.filter(({ text, isChip }) => text === '' && isChip),
    subtasks,
  };
}

function subtaskOf(row: Row, dates: DueDates): TaskSheetView['subtasks'][number] {
  const due = fieldOf(row, 'due') ?? null;
  return {
    id: row.id,
    title: nameOf(row) || 'Untitled',
    isDone: isDone(row),
    due: sayDay(dates, due),
    isLate: due !== null && !isDone(row) && dates.show(due).overdue,
  };
}

/** "Today", "Fri 17:00"; empty: none. */
function sayDay(dates: DueDates, when: When | null): string {
  const text = when === null ? '' : dates.show(when).text;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

type Property = SheetProperty & { readonly isChip: boolean };

function propertiesOf(program: Program, row: Row, dates: DueDates): readonly Property[] {
  const context = program.moment();
  const { replica, workspace } = program;
  const due = fieldOf(row, 'due') ?? null;
  const until = workspace.away.snoozedUntil(row.id);
  const rule = fieldOf(row, 'repeat') ?? null;
  const minutes = fieldOf(row, 'duration') ?? null;
  const labels = program.rowFacts.labelsOf(row);
  const files = replica.children(row.id).filter((child) => child.type === 'attachment' && !isTrashed(child));
  const comments = workspace.facts.commentsOf(row.id);
  const property = (command: string, name: string, text: string, more: Partial<Property> = {}): Property => ({
    command,
    name,
    text,
    isChip: true,
    ...more,
  });
  return [
    property('task.due', 'Due', sayDay(dates, due), {
      isLate: due !== null && !isDone(row) && dates.show(due).overdue,
    }),
    property('label.pick', 'Labels', labels.map(({ name }) => name).join(', '), { labels }),
    ...(row.scope === replica.scope
      ? []
      : [property('task.assign', 'Assigned to', program.rowFacts.personOf(row)?.name ?? '')]),
    property('task.duration', 'Takes', minutes === null ? '' : sayDuration(minutes)),
    property('task.planTime', 'Plan', plannedOf(program, row, dates)),
    property('task.remind', 'Remind', remindersOf(program, row.id, context)),
    property('task.repeat', 'Repeat', rule === null ? '' : sayRepeat(rule)),
    property('task.start', 'Start', sayDay(dates, fieldOf(row, 'start') ?? null)),
    property('task.snooze', 'Snoozed until', sayDay(dates, until), { isChip: false }),
    property('task.comments', 'Comments', comments === 0 ? '' : counted(comments, 'comment'), {
      isChip: false,
    }),
    property('file.show', 'Files', files.length === 0 ? '' : counted(files.length, 'file'), {
      isChip: false,
    }),
  ];
}

/** "Tomorrow 9:00; Fri 14:00": the blocks in which it is still to be done; empty: none. */
function plannedOf(program: Program, row: Row, dates: DueDates): string {
  const open = blocksOf(program, row).filter(isUndone);
  return open.map(({ block }) => sayDay(dates, whenOf(block))).join('; ');
}

function remindersOf(program: Program, id: Id, context: DateContext): string {
  const held = remindersIn(mineOf(program.replica, id));
  return held.map(({ reminder }) => sayReminder(reminder, context)).join('; ');
}
