// Several labels typed at once, their names separated by commas: what is typed behind the last comma is looked for (choices.ts),
// the names before it go along with what is chosen.
import { fold } from '#core/search/fold.ts';
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import type { Program } from '../program.ts';
import { inWords, labelled } from './applying.ts';
import { allLabels, carries, groupOf, isExclusive, labelName } from './catalog.ts';
import { labelNamed, newLabels, same } from './creating.ts';

/** The names before the last comma, each once, and what is typed behind it. A label may have a comma in its own name. */
export function namesTyped(
  program: Program,
  text: string,
): { readonly before: readonly string[]; readonly last: string } {
  const typed = fold(text.trim());
  const isOne = allLabels(program.replica).some(({ row }) => fold(labelName(row)).startsWith(typed));
  if (isOne || !text.includes(',')) return { before: [], last: text };
  const names = new Map<string, string>();
  for (const name of text.split(',').map((part) => part.trim()))
    if (name !== '' && !names.has(fold(name))) names.set(fold(name), name);
  const before = [...names.values()];
  return { last: before.pop() ?? '', before };
}

/** "with Home and new ‘errand’"; empty: nothing goes along with the chosen one. */
export function sayOthers(program: Program, names: readonly string[], chosen: string): string {
  const others = names
    .filter((name) => !same(name, chosen))
    .map((name) => {
      const known = labelNamed(program, name);
      return known === null ? `new ‘${name}’` : labelName(program.replica.row(known));
    });
  return others.length === 0 ? '' : `with ${others.join(' and ')}`;
}

/** Puts them on the chosen tasks, making those that there are not, as one undo; of one exclusive group only the last. */
export function putNamed(program: Program, names: readonly string[]): CommandResult {
  const tasks = labelled(program);
  if (tasks.length === 0) return refused('Select a task first.');
  program.editor.flush();
  const unknown = names.filter((name) => labelNamed(program, name) === null);
  const made = newLabels(program, unknown);
  const known = names.map((name) => labelNamed(program, name));
  const ids = names.flatMap((name, index): Id[] => {
    const id = known[index] ?? made[unknown.indexOf(name)]?.id;
    const isReplaced = known.slice(index + 1).some((later) => excludes(program, later, known[index]));
    return id === undefined || isReplaced ? [] : [id];
  });
  const put = tasks.flatMap((task) =>
    ids
      .filter((id) => !carries(program, task, id))
      .map((id): Action => ({ a: 'set', id: task.id, field: `label:${id}`, value: true })),
  );
  const whom = program.describe(tasks.map(({ id }) => id));
  const nameOf = (id: Id) =>
    made.find((label) => label.id === id)?.fields.name ?? program.replica.row(id)?.fields.name;
  const said = inWords(ids.map((id) => String(nameOf(id))));
  inBatches(program, [...made, ...put], `labelled ${whom} with ${said}`);
  if (made.length < ids.length) return announced(`Labelled ${whom} with ${said}.`);
  return announced(
    made.length === 1
      ? `Created label ${said} and put it on ${whom}.`
      : `Created labels ${said} and put them on ${whom}.`,
  );
}

function excludes(program: Program, later: Id | null | undefined, id: Id | null | undefined): boolean {
  const [one, other] = [later, id].map((label) => (label ? program.replica.row(label) : undefined));
  if (!one || !other) return false;
  const group = groupOf(program.replica, one);
  return isExclusive(group) && group?.id === groupOf(program.replica, other)?.id;
}
