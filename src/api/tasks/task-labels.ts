// Resolves the labels of a request: ids take precedence over names, names match exactly, and unknown ones are reported. Every
// shared list has labels of its own, so that an id or a name comes to the label that stands for it where the task is.
import { parseId, type Id } from '#core/ids.ts';
import type { UpdateTask } from '#wire/api/requests.ts';
import { isPartlySealed } from '../sealed-reads.ts';
import type { Frame, FramedLabel } from '../frame.ts';
import { problem, type Problem } from '../problem.ts';

/** A label that a request names: those that it can mean, the likeliest first. */
interface NamedLabel {
  /** Named by its id. */
  readonly exact: FramedLabel | null;
  readonly namesakes: readonly FramedLabel[];
}

export interface LabelWish {
  /** All labels from now on; null: the present ones, with these added and removed. */
  readonly all: readonly NamedLabel[] | null;
  readonly added: readonly NamedLabel[];
  readonly removed: readonly NamedLabel[];
  readonly warnings: readonly string[];
}

type LabelFields = Pick<
  UpdateTask,
  | 'label_ids'
  | 'label_names'
  | 'add_label_ids'
  | 'add_label_names'
  | 'remove_label_ids'
  | 'remove_label_names'
>;

const quoted = (text: string) => JSON.stringify(text.slice(0, 100));

export function readLabels(input: LabelFields, frame: Frame): LabelWish {
  const warnings: string[] = [];
  const byId = (ids: readonly string[]) =>
    ids.flatMap((text): NamedLabel[] => {
      const id = parseId(text);
      const exact = id === null ? undefined : frame.label(id);
      if (!exact) warnings.push(`There's no label with the id ${quoted(text)}.`);
      return exact ? [{ exact, namesakes: frame.labelsNamed(exact.name) }] : [];
    });
  const byName = (names: readonly string[]) =>
    names.flatMap((name): NamedLabel[] => {
      const namesakes = frame.labelsNamed(name);
      if (namesakes.length === 0) warnings.push(`There's no label named ${quoted(name)}.`);
      return namesakes.length === 0 ? [] : [{ exact: null, namesakes }];
    });
  const chosen = (ids?: readonly string[] | null, names?: readonly string[] | null) =>
    ids ? byId(ids) : names ? byName(names) : null;
  return {
    all: chosen(input.label_ids, input.label_names),
    added: chosen(input.add_label_ids, input.add_label_names) ?? [],
    removed: chosen(input.remove_label_ids, input.remove_label_names) ?? [],
    warnings,
  };
}

/** Labels named in an account whose names only its devices can read; null: there are none, or all were found. */
export function hiddenNamesProblem(input: LabelFields, frame: Frame): Problem | null {
  if (!frame.labels.some(({ row }) => isPartlySealed(row))) return null;
  for (const field of ['label_names', 'add_label_names', 'remove_label_names'] as const)
    if ((input[field] ?? []).some((name) => frame.labelsNamed(name).length === 0))
      return problem('encrypted', `Names of labels are end-to-end encrypted. Send their ids.`, field);
  return null;
}

/** Where a task is, and what it has. */
export interface LabeledTask {
  readonly scope: Id;
  readonly present: readonly Id[];
}

/** Whether a label goes on tasks of this scope as it is: a private one goes with its person everywhere. */
const fits = ({ row, isPrivate }: FramedLabel, scope: Id) => row.scope === scope || isPrivate;

/** The labels to put on a task. One of another list is given as it is: the server makes its counterpart. */
function meant({ exact, namesakes }: NamedLabel, { scope, present }: LabeledTask): readonly Id[] {
  if (exact !== null && (fits(exact, scope) || present.includes(exact.row.id))) return [exact.row.id];
  const worn = namesakes.filter(({ row }) => present.includes(row.id));
  if (worn.length > 0) return worn.map(({ row }) => row.id);
  const best =
    namesakes.find(({ row }) => row.scope === scope) ??
    namesakes.find(({ isPrivate }) => isPrivate) ??
    exact ??
    namesakes[0];
  return best === undefined ? [] : [best.row.id];
}

/** The labels to take off: by a name all that are called so. */
function unwanted({ exact, namesakes }: NamedLabel, { scope, present }: LabeledTask): readonly Id[] {
  const isItself = exact !== null && (fits(exact, scope) || present.includes(exact.row.id));
  return isItself ? [exact.row.id] : namesakes.map(({ row }) => row.id);
}

/** The resulting labels of a task. */
export function labelsAfter({ all, added, removed }: LabelWish, task: LabeledTask): ReadonlySet<Id> {
  const labels = new Set([
    ...(all?.flatMap((label) => meant(label, task)) ?? task.present),
    ...added.flatMap((label) => meant(label, task)),
  ]);
  for (const id of removed.flatMap((label) => unwanted(label, task))) labels.delete(id);
  return labels;
}
