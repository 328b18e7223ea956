// The repeatable part of a written title: text added before or after the existing one, or all of it.

export interface Written {
  readonly where: 'before' | 'behind' | 'whole';
  readonly text: string;
  /** Number of characters that were removed there first. */
  readonly cut: number;
}

/** Length of the common prefix of two texts. */
function agreeing(a: readonly string[], b: readonly string[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

/** Null: nothing was written, or something in the middle, which does not apply to other titles. */
export function writtenIn(before: string, after: string, isWhole: boolean): Written | null {
  if (before === after) return null;
  const [was, is] = [[...before], [...after]];
  const first = agreeing(was, is);
  const last = agreeing(was.slice(first).toReversed(), is.slice(first).toReversed());
  if (isWhole || (first === 0 && last === 0)) return { where: 'whole', text: after, cut: 0 };
  if (last === 0) return { where: 'behind', text: is.slice(first).join(''), cut: was.length - first };
  if (first > 0) return null;
  return { where: 'before', text: is.slice(0, -last).join(''), cut: was.length - last };
}

export function writeAgain({ where, text, cut }: Written, title: string): string {
  if (where === 'whole') return text;
  const letters = [...title];
  if (where === 'before') return text + letters.slice(cut).join('');
  return letters.slice(0, Math.max(0, letters.length - cut)).join('') + text;
}
