// Registers that behave as parts of a set: labels (with mutually exclusive groups) and metadata entries.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { placeOf } from './row-reading.ts';
import type { Row } from './row.ts';

/** The labels of the same exclusive group that adding the label `register` replaces, as registers. */
export function labelsToReplace(
  state: { row(id: Id): Row | undefined },
  fields: Readonly<Record<string, unknown>>,
  register: string,
): string[] {
  if (!register.startsWith('label:')) return [];
  const group = exclusiveGroup(state, register);
  if (group === null) return [];
  return Object.keys(fields).filter(
    (other) =>
      other !== register &&
      other.startsWith('label:') &&
      fields[other] === true &&
      exclusiveGroup(state, other) === group,
  );
}

function exclusiveGroup(state: { row(id: Id): Row | undefined }, register: string): Id | null {
  const label = state.row(register.slice('label:'.length) as Id);
  const parent = label === undefined ? undefined : placeOf(label)?.parent;
  const group = parent === undefined ? undefined : state.row(parent);
  return group?.type === 'labelGroup' && group.fields.exclusive === true ? group.id : null;
}

/** Whether all metadata together, as JSON, exceeds the limit. */
export function metadataOverflows(fields: Readonly<Record<string, unknown>>): boolean {
  // What is sealed has another length than what is in it.
  const entries = Object.entries(fields).filter(
    ([name, value]) => name.startsWith('meta:') && typeof value === 'string',
  );
  if (entries.length === 0) return false;
  const map = Object.fromEntries(entries.map(([name, value]) => [name.slice('meta:'.length), value]));
  return JSON.stringify(map).length > limits.metadataCharacters;
}
