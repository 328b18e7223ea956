// Visibility of a label: shared with everybody on a list, or private to the person. A private group has private labels
// only, so that none of them reveals the group. Labeled tasks are updated too; privacy.ts decides where the label is
// written.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { inBatches } from '../commands/rows.ts';
import { quoted } from '../text/editor.ts';
import type { Program } from '../app/program.ts';
import { groupOf, labelName, shelves } from './catalog.ts';
import { carries } from './label-scopes.ts';

/** Whether a label or group is private to the person; nothing is not. */
export const isPrivate = (row: Row | null): boolean => fieldOf(row, 'visibility') === 'private';

/** The resulting message, or why it is not possible. */
export interface VisibilityAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Makes a label, or a group with all its labels, private or shared: one undo. */
export function setVisibility(program: Program, row: Row, value: 'private' | 'shared'): VisibilityAnswer {
  const { replica } = program;
  const name = quoted(labelName(row));
  const group = row.type === 'label' ? groupOf(replica, row) : null;
  if (value === 'shared' && isPrivate(group)) {
    const text = `${name} is in the private group ${quoted(labelName(group ?? undefined))}. Share the group, or move the label out first.`;
    return { text, isError: true };
  }
  const labels = row.type === 'label' ? [row] : labelsOf(program, row.id);
  const did = `made ${row.type === 'label' ? 'label' : 'group'} ${name} ${value}`;
  const isDone = change(program, {
    labels,
    value,
    did,
    first: row.type === 'label' ? [] : [setOf(row, value)],
  });
  if (!isDone) return { text: 'You can’t do that here.', isError: true };
  return { text: sentence(row, labels.length, value), isError: false };
}

/** Makes a label private before it joins a private group; otherwise does nothing. */
export function hideFor(program: Program, label: Row, group: Row | null, did: string): void {
  if (isPrivate(group)) change(program, { labels: [label], value: 'private', did, first: [] });
}

function labelsOf({ replica }: Program, group: Id): readonly Row[] {
  return shelves(replica, replica.row(group)?.scope).find((shelf) => shelf.group?.id === group)?.labels ?? [];
}

function sentence(row: Row, labels: number, value: 'private' | 'shared'): string {
  const name = quoted(labelName(row));
  const who = value === 'private' ? 'private. Only you can see' : 'visible to everyone you share a list with';
  if (row.type === 'label') return value === 'private' ? `${name} is ${who} it.` : `${name} is ${who}.`;
  const all = labels === 0 ? name : `${name} and everything in it`;
  const are = labels === 0 ? 'is' : 'are';
  return value === 'private'
    ? `${all} ${are} ${who} ${labels === 0 ? 'it' : 'them'}.`
    : `${all} ${are} ${who}.`;
}

const setOf = (row: Row, value: 'private' | 'shared'): Action => ({
  a: 'set',
  id: row.id,
  field: 'visibility',
  value,
});

interface Change {
  readonly labels: readonly Row[];
  readonly value: 'private' | 'shared';
  readonly did: string;
  readonly first: readonly Action[];
}

function change(program: Program, { labels, value, did, first }: Change): boolean {
  const changing = labels.filter((label) => isPrivate(label) !== (value === 'private'));
  const carried = changing.flatMap(({ id }) =>
    [...program.replica.all()]
      .filter((task) => task.type === 'task' && carries(program, task, id))
      .map((task): Action => ({ a: 'set', id: task.id, field: `label:${id}`, value: true })),
  );
  const group = program.gestureOf();
  const actions = [...first, ...changing.map((label) => setOf(label, value))];
  if (actions.length === 0) return true;
  const { verdicts } = program.change(actions, did, { atomic: true, group });
  // Each label is marked by now, so that these writes go to the right row.
  if (carried.length > 0) inBatches(program, carried, did);
  return verdicts.every((verdict) => verdict === 'ok');
}
