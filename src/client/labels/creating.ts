// Creating labels and groups, checking their names, and commands on one label by name.
import { type Id, labelsRoot } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { quoted } from '../text/editor.ts';
import { fitName } from '../text/fitting.ts';
import type { Program } from '../app/program.ts';
import { type LabelEntry, labelName, labelsIn, shelves } from './catalog.ts';
import { allLabels } from './label-scopes.ts';
import { nextColor } from './colors.ts';
import { fieldOf } from '#sync/rows/row.ts';

type Kind = 'label' | 'group';

/** Whether two names are one, ignoring case, accents and spaces around them. */
export const same = (a: string, b: string): boolean => fold(a.trim()) === fold(b.trim());

/** The label of that name among these, without them among all, ignoring case and accents; null: there is none. */
export function labelNamed(program: Program, name: string, among?: readonly LabelEntry[]): Id | null {
  const labels = among ?? allLabels(program.replica);
  return labels.find(({ row }) => same(labelName(row), name))?.row.id ?? null;
}

function groupNamed(program: Program, name: string, scope: Id): Id | null {
  const groups = shelves(program.replica, scope).flatMap(({ group }) => group ?? []);
  return groups.find((group) => same(labelName(group), name))?.id ?? null;
}

/** Null: the name is free. `except`: the entity that may keep its name; without one, a new one of one's own is meant. */
export function nameProblem(program: Program, kind: Kind, name: string, except?: Id): string | null {
  if (name.trim() === '') return `A ${kind} needs a name.`;
  const { replica } = program;
  const scope = (except === undefined ? undefined : replica.row(except)?.scope) ?? replica.scope;
  const taken =
    kind === 'label' ? labelNamed(program, name, labelsIn(replica, scope)) : groupNamed(program, name, scope);
  if (taken === null || taken === except) return null;
  return `There’s already a ${kind} ${quoted(labelName(program.replica.row(taken)))}.`;
}

/** An action that makes something. */
export type Create = Extract<Action, { a: 'create' }>;

/** The action that creates a label, in the least used color. Check the name with `nameProblem` first. */
export function newLabel(program: Program, name: string, scope = program.replica.scope): Create {
  const [label] = newLabels(program, [name], scope) as [Create];
  return label;
}

/** One per name, in different colors as long as there are enough; one's own, or of a shared list's scope. */
export function newLabels(
  program: Program,
  names: readonly string[],
  scope = program.replica.scope,
): readonly Create[] {
  const { replica } = program;
  const used = labelsIn(replica, scope).map(({ row }) => fieldOf(row, 'color') ?? '');
  return names.map((name): Create => {
    const color = nextColor(used);
    used.push(color);
    const fields = { name: fitName(name.trim()).text, color };
    const place = { parent: labelsRoot(scope) };
    return { a: 'create', id: replica.newId(), type: 'label', fields, place };
  });
}

/** Of one's own, for nobody else's eyes. */
export function privateLabels(program: Program, names: readonly string[]): readonly Create[] {
  return newLabels(program, names).map((label) => ({
    ...label,
    fields: { ...label.fields, visibility: 'private' },
  }));
}

export function newGroup(program: Program, name: string): Create {
  const { replica } = program;
  const fields = { name: fitName(name.trim()).text };
  const place = { parent: labelsRoot(replica.scope) };
  return { a: 'create', id: replica.newId(), type: 'labelGroup', fields, place };
}

export function createNamed(program: Program, kind: 'label' | 'group', name: string): CommandResult {
  const problem = nameProblem(program, kind, name);
  if (problem !== null) return refused(problem);
  const said = `${kind} ${quoted(name.trim())}`;
  const action = (kind === 'label' ? newLabel : newGroup)(program, name);
  const { verdicts } = program.change([action], `created ${said}`);
  return verdicts[0] === 'ok' ? announced(`Created ${said}.`) : refused(`Couldn’t create the ${kind}.`);
}

export function renameLabel(program: Program, id: Id, name: string): CommandResult {
  const problem = nameProblem(program, 'label', name, id);
  if (problem !== null) return refused(problem);
  const before = quoted(labelName(program.replica.row(id)));
  const said = `enamed label ${before} to ${quoted(name.trim())}`;
  program.change([{ a: 'set', id, field: 'name', value: name.trim() }], `r${said}`);
  return announced(`R${said}.`);
}

export function deleteLabel(program: Program, id: Id): CommandResult {
  const name = quoted(labelName(program.replica.row(id)));
  program.change([{ a: 'delete', id }], `deleted label ${name}`);
  return announced(`Deleted label ${name}.`);
}
