// The order of the label picker before anything is typed: what the tasks have, then group by group, then the other labels.
import type { Id } from '#core/ids.ts';
import type { LabelChoiceView, LabelSectionView } from './label-view.ts';

interface Sections {
  readonly choices: readonly LabelChoiceView[];
  readonly sections: readonly LabelSectionView[];
}

/** `onThem`: labels that stand first, under the heading `first`. */
export function inSections(
  choices: readonly LabelChoiceView[],
  onThem: ReadonlySet<Id>,
  first: string,
): Sections {
  const isOn = ({ id }: LabelChoiceView) => id !== null && onThem.has(id);
  const others = choices.filter((choice) => !isOn(choice));
  const groups = new Set(others.flatMap(({ group }) => group ?? []));
  const parts = [
    { title: first, isOneOf: false, of: choices.filter(isOn) },
    ...[...groups].map((title) => {
      const of = others.filter(({ group }) => group === title);
      return { title, isOneOf: of.some(({ exclusive }) => exclusive), of };
    }),
    { title: 'Labels', isOneOf: false, of: others.filter(({ group }) => group === null) },
  ].filter(({ of }) => of.length > 0);
  return {
    choices: parts.flatMap(({ of }) => of),
    sections: parts.map(({ title, isOneOf, of }) => ({ title, isOneOf, size: of.length })),
  };
}
