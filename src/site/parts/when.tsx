// What is said only where the operator has set something, and what is said otherwise: marks that the server reads.
import type { ReactNode } from 'react';
import { conditionMarks, type SiteCondition } from '#wire/site-conditions.ts';

/** Never inside another of its kind, and not in what React takes over. */
export function When({
  has,
  children,
  otherwise,
}: {
  readonly has: SiteCondition;
  readonly children?: ReactNode;
  readonly otherwise?: ReactNode;
}) {
  const marks = conditionMarks(has);
  return (
    <>
      {marks.begin}
      {children}
      {otherwise === undefined ? null : marks.otherwise}
      {otherwise}
      {marks.end}
    </>
  );
}

/** The same inside an attribute. */
export function textWhen(has: SiteCondition, text: string, otherwise = ''): string {
  const marks = conditionMarks(has);
  return `${marks.begin}${text}${marks.otherwise}${otherwise}${marks.end}`;
}
