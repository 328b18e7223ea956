// Puts a label on tasks and takes it off, as one undo. The label is chosen by the picker, the palette or its own key.
import { labelsRoot, type Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import { isLabelPrivate } from '#sync/rows/label-mapping.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { inBatches, rowsOf } from '../commands/rows.ts';
import { quoted } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import { groupOf, isLivingLabel, labelName } from './catalog.ts';
import type { Create } from './creating.ts';
import { carriedAs, carries, labelInScope, replacedBy, scopeOfTask } from './label-scopes.ts';

/** The tasks that labels are put on now. */
export function labelled(program: Program): Row[] {
  return rowsOf(program, program.workspace.targets()).filter(({ type }) => type === 'task');
}

export function inWords(names: readonly string[]): string {
  return names.map((name) => quoted(name)).join(', ');
}

/**
 * The label that stands for this one in a scope. That of an encrypted list is made here where there is none, as its server reads no names. `made`:
 * what was made before for the same change, by scope and name; what is made is added.
 */
export function labelThere(
  { replica, engine }: Program,
  label: Row,
  { scope, made }: { readonly scope: Id; readonly made: Map<string, Create> },
): Id {
  const known = labelInScope(replica, label, scope);
  const isOther = known === label.id && label.scope !== scope;
  const isPrivate = isLabelPrivate({ row: label, group: groupOf(replica, label) ?? undefined });
  if (!isOther || isPrivate || engine.facts().lists?.[scope] !== 'open') return known;
  const key = madeKey(scope, labelName(label));
  const before = made.get(key);
  if (before !== undefined) return before.id;
  const fields = { name: labelName(label), color: fieldOf(label, 'color') ?? null };
  const create: Create = {
    a: 'create',
    id: replica.newId(),
    type: 'label',
    fields,
    place: { parent: labelsRoot(scope) },
  };
  made.set(key, create);
  return create.id;
}

/** The name of what was made, for `labelThere`. */
export const madeKey = (scope: Id, name: string): string => `${scope} ${fold(name.trim())}`;

/**
 * Puts it on all of them; takes it off if all have it. `isWanted`: it is only put on, or only taken off. A task of a shared list gets the
 * label of the list that stands for it; where there is none the server makes one.
 */
export function toggleLabel(program: Program, id: Id, isWanted?: boolean): CommandResult {
  const label = program.replica.row(id);
  if (!isLivingLabel(program.replica, label)) return refused('That label is gone.');
  const tasks = labelled(program);
  if (tasks.length === 0) return refused('Select a task first.');
  program.editor.flush();
  const without = tasks.filter((task) => !carries(program, task, id));
  const isAdding = isWanted ?? without.length > 0;
  const chosen = isAdding ? without : tasks.filter((task) => carries(program, task, id));
  const name = quoted(labelName(label));
  if (chosen.length === 0)
    return announced(`Nothing to do: ${name} is ${isAdding ? 'on all' : 'on none'} of them.`);
  const replaced = new Set(
    isAdding ? chosen.flatMap((task) => replacedBy(program, label, task).map(labelName)) : [],
  );
  const made = new Map<string, Create>();
  const sets = chosen.flatMap((task) => {
    const ids = isAdding
      ? [labelThere(program, label, { scope: scopeOfTask(program.replica, task), made })]
      : carriedAs(program, task, id);
    return ids.map((each): Action => {
      return { a: 'set', id: task.id, field: `label:${each}`, value: isAdding ? true : null };
    });
  });
  const actions: readonly Action[] = [...made.values(), ...sets];
  const whom = program.describe(chosen.map((task) => task.id));
  inBatches(program, actions, isAdding ? `labeled ${whom} with ${name}` : `removed ${name} from ${whom}`);
  if (!isAdding) return announced(`Removed ${name} from ${whom}.`);
  const instead = replaced.size === 0 ? '' : ` instead of ${inWords([...replaced])}`;
  return announced(`Labeled ${whom} with ${name}${instead}.`);
}
