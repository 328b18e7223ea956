// Creating labels and groups, checking their names, and commands on one label by name.
import { type Id, labelsRoot } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { CommandResult } from '../commands/command.ts';
import { announced, refused } from '../commands/define.ts';
import { quoted } from '../text/editor.ts';
import { fitName } from '../text/fitting.ts';
import type { Program } from '../app/program.ts';
import { allLabels, labelName, shelves } from './catalog.ts';
import { nextColor } from './colors.ts';
import { fieldOf } from '#sync/rows/row.ts';

type Kind = 'label' | 'group';

/** Whether two names are one, ignoring case, accents and spaces around them. */
export const same = (a: string, b: string): boolean => fold(a.trim()) === fold(b.trim());

/** The label of that name, ignoring case and accents; null: there is none. */
export function labelNamed(program: Program, name: string): Id | null {
  return allLabels(program.replica).find(({ row }) => same(labelName(row), name))?.row.id ?? null;
}

function groupNamed(program: Program, name: string): Id | null {
  const groups = shelves(program.replica).flatMap(({ group }) => group ?? []);
  return groups.find((group) => same(labelName(group), name))?.id ?? null;
}

/** Null: the name is free. `except`: the entity that may keep its name. */
export function nameProblem(program: Program, kind: Kind, name: string, except?: Id): string | null {
  if (name.trim() === '') return `A ${kind} needs a name.`;
  const taken = kind === 'label' ? labelNamed(program, name) : groupNamed(program, name);
  if (taken === null || taken === except) return null;
  return `There’s already a ${kind} ${quoted(labelName(program.replica.row(taken)))}.`;
}

/** An action that makes something. */
export type Create = Extract<Action, { a: 'create' }>;

/** The action that creates a label, in the least used color. Check the name with `nameProblem` first. */
export function newLabel(program: Program, name: string): Create {
  const [label] = newLabels(program, [name]) as [Create];
  return label;
}

/** One per name, in different colors as long as there are enough. */
export function newLabels(program: Program, names: readonly string[]): readonly Create[] {
  const { replica } = program;
  const used = allLabels(replica).map(({ row }) => fieldOf(row, 'color') ?? '');
  return names.map((name): Create => {
    const color = nextColor(used);
    used.push(color);
    const fields = { name: fitName(name.trim()).text, color };
    const place = { parent: labelsRoot(replica.scope) };
    return { a: 'create', id: replica.newId(), type: 'label', fields, place };
  });
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
