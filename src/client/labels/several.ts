// Several labels typed at once, separated by commas: the text after the last comma is the query (choices.ts), the names
// before it are added with the choice.
import { fold } from '#core/search/fold.ts';
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { inBatches } from '../commands/rows.ts';
import type { Program } from '../app/program.ts';
import { inWords, labelled } from './applying.ts';
import { groupOf, isExclusive, labelName } from './catalog.ts';
import { carries, labelInScope, labelsFor, scopeOfTask, scopeOfTasks } from './label-scopes.ts';
import { labelNamed, nameProblem, newLabels, privateLabels, same } from './creating.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { readField } from '#core/model.ts';

/** The distinct names before the last comma, and the query after it. A label's own name may contain a comma. */
export function namesTyped(
  program: Program,
  text: string,
): { readonly before: readonly string[]; readonly last: string } {
  const typed = fold(text.trim());
  const isOne = labelsFor(program.replica, labelled(program)).some(({ row }) =>
    fold(labelName(row)).startsWith(typed),
  );
  if (isOne || !text.includes(',')) return { before: [], last: text };
  const names = new Map<string, string>();
  for (const name of text.split(',').map((part) => part.trim()))
    if (name !== '' && !names.has(fold(name))) names.set(fold(name), name);
  const before = [...names.values()];
  return { last: before.pop() ?? '', before };
}

/** "with Home and new ‘errand’"; empty: no other names. */
export function sayOthers(program: Program, names: readonly string[], chosen: string): string {
  const offered = labelsFor(program.replica, labelled(program));
  const others = names
    .filter((name) => !same(name, chosen))
    .map((name) => {
      const known = labelNamed(program, name, offered);
      return known === null ? `new ‘${name}’` : labelName(program.replica.row(known));
    });
  return others.length === 0 ? '' : `with ${others.join(' and ')}`;
}

/**
 * Puts these labels on the target tasks, creating missing ones, as one undo; of an exclusive group only the last. `isPrivate`: what is
 * created nobody else sees.
 */
export function putNamed(program: Program, names: readonly string[], isPrivate = false): CommandResult {
  const tasks = labelled(program);
  if (tasks.length === 0) return refused('Select a task first.');
  program.editor.flush();
  const { replica } = program;
  const offered = labelsFor(replica, tasks);
  const unknown = names.filter((name) => labelNamed(program, name, offered) === null);
  const taken = isPrivate ? unknown.map((name) => nameProblem(program, 'label', name)) : [];
  for (const problem of taken) if (problem !== null) return refused(`${problem} It isn’t private.`);
  const made = isPrivate
    ? privateLabels(program, unknown)
    : newLabels(program, unknown, scopeOfTasks(replica, tasks));
  const known = names.map((name) => labelNamed(program, name, offered));
  const ids = names.flatMap((name, index): Id[] => {
    const id = known[index] ?? made[unknown.indexOf(name)]?.id;
    const isReplaced = known.slice(index + 1).some((later) => excludes(program, later, known[index]));
    return id === undefined || isReplaced ? [] : [id];
  });
  const put = tasks.flatMap((task) =>
    ids
      .filter((id) => !carries(program, task, id))
      .map((id): Action => {
        const label = replica.row(id);
        const there = label === undefined ? id : labelInScope(replica, label, scopeOfTask(replica, task));
        return { a: 'set', id: task.id, field: `label:${there}`, value: true };
      }),
  );
  const whom = program.describe(tasks.map(({ id }) => id));
  const nameOf = (id: Id) => {
    const { fields } = made.find((label) => label.id === id) ?? {};
    return (fields && readField(fields, 'name')) ?? fieldOf(program.replica.row(id), 'name') ?? '';
  };
  const said = inWords(ids.map(nameOf));
  const did = `labeled ${whom} with ${said}`;
  const group = program.gestureOf();
  // Where a label is written depends on whether it is known to be private.
  if (isPrivate) program.change(made, did, { atomic: true, group });
  inBatches(program, isPrivate ? put : [...made, ...put], did, group);
  if (made.length < ids.length) return announced(`Labeled ${whom} with ${said}.`);
  if (isPrivate) return announced(`Created ${said}, which only you see, and added it to ${whom}.`);
  return announced(
    made.length === 1
      ? `Created label ${said} and added it to ${whom}.`
      : `Created labels ${said} and added them to ${whom}.`,
  );
}

function excludes(program: Program, later: Id | null | undefined, id: Id | null | undefined): boolean {
  const [one, other] = [later, id].map((label) => (label ? program.replica.row(label) : undefined));
  if (!one || !other) return false;
  const group = groupOf(program.replica, one);
  return isExclusive(group) && group?.id === groupOf(program.replica, other)?.id;
}
