// Resolves the labels of a request: ids take precedence over names, names match exactly, and unknown ones are reported.
import { parseId, type Id } from '#core/ids.ts';
import type { UpdateTask } from '#wire/api/requests.ts';
import type { Frame } from './frame.ts';

export interface LabelWish {
  /** All labels from now on; null: the present ones, with these added and removed. */
  readonly all: readonly Id[] | null;
  readonly added: readonly Id[];
  readonly removed: readonly Id[];
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
    ids.flatMap((text): Id[] => {
      const id = parseId(text);
      const label = id === null ? undefined : frame.label(id);
      if (!label) warnings.push(`There's no label with the id ${quoted(text)}.`);
      return label ? [label.row.id] : [];
    });
  const byName = (names: readonly string[]) =>
    names.flatMap((name): Id[] => {
      const label = frame.labelNamed(name);
      if (!label) warnings.push(`There's no label named ${quoted(name)}.`);
      return label ? [label.row.id] : [];
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

/** The resulting labels of a task that has `present` now. */
export function labelsAfter({ all, added, removed }: LabelWish, present: readonly Id[]): ReadonlySet<Id> {
  const labels = new Set([...(all ?? present), ...added]);
  for (const id of removed) labels.delete(id);
  return labels;
}
