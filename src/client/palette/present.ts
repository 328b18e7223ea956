// What stands beside a command in the palette: the value that it would change, of the one task it acts on or of a setting.
import type { Command } from '../commands/define.ts';
import type { Program } from '../app/program.ts';
import type { RowView } from '../app/view.ts';

const OF_TASK: Readonly<Record<string, (row: RowView) => string | null | undefined>> = {
  'task.due': ({ due }) => due?.text,
  'task.start': ({ start }) => start,
  'task.snooze': ({ snoozed }) => snoozed,
  'task.repeat': ({ repeats }) => repeats,
  'task.duration': ({ duration }) => duration,
  'label.pick': ({ labels }) => labels.map(({ name }) => name).join(', '),
};

function rowOf({ workspace, rowFacts }: Program): RowView | null {
  const { cursor, outline } = workspace;
  const [target, ...others] = workspace.targets();
  if (cursor === null || others.length > 0 || target !== cursor || !outline.has(cursor)) return null;
  return rowFacts.rowAt(outline.indexOf(cursor), null, []);
}

/** Empty: there is none, or the command changes no single value. */
export function presentOf(program: Program, command: Command): string {
  const ofTask = OF_TASK[command.id];
  if (ofTask) {
    const row = rowOf(program);
    return (row && ofTask(row)) ?? '';
  }
  const [argument] = command.args;
  const value = command.chosen(program);
  return argument?.choices?.find((choice) => choice.value === value)?.title ?? '';
}
