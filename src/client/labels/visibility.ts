// Who sees a label: everybody who shares a list, or the person alone. A private group has private labels only, so that none of
// them tells of the group. What carries a label goes along; where it is written then is privacy.ts.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import { inBatches } from '../commands/rows.ts';
import { quoted } from '../editor.ts';
import type { Program } from '../program.ts';
import { carries, groupOf, labelName, shelves } from './catalog.ts';

export const isPrivate = (row: Row | null): boolean => row?.fields.visibility === 'private';

/** What is said about it, or why it cannot be. */
export interface VisibilityAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Makes a label, or a group and all in it, private or shared: one undo. */
export function setVisibility(program: Program, row: Row, value: 'private' | 'shared'): VisibilityAnswer {
  const { replica } = program;
  const name = quoted(labelName(row));
  const group = row.type === 'label' ? groupOf(replica, row) : null;
  if (value === 'shared' && isPrivate(group)) {
    const text = `${name} is in the private group ${quoted(labelName(group ?? undefined))}: share the group, or take it out first.`;
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
  if (!isDone) return { text: 'That could not be done here.', isError: true };
  return { text: sentence(row, labels.length, value), isError: false };
}

/** What a label needs before it stands in a private group; nothing elsewhere. */
export function hideFor(program: Program, label: Row, group: Row | null, did: string): void {
  if (isPrivate(group)) change(program, { labels: [label], value: 'private', did, first: [] });
}

function labelsOf({ replica }: Program, group: Id): readonly Row[] {
  return shelves(replica).find((shelf) => shelf.group?.id === group)?.labels ?? [];
}

function sentence(row: Row, labels: number, value: 'private' | 'shared'): string {
  const name = quoted(labelName(row));
  const who = value === 'private' ? 'private: only you ever see' : 'seen by whoever shares a list';
  if (row.type === 'label') return value === 'private' ? `${name} is ${who} it.` : `${name} is ${who}.`;
  const all = labels === 0 ? name : `${name} and all in it`;
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
  // From here on each label is known to be private, or not: what carries it lands where it belongs.
  if (carried.length > 0) inBatches(program, carried, did);
  return verdicts.every((verdict) => verdict === 'ok');
}
