// What the dot repeats of a title that was written: what came before what stood there, what came behind it, or all of it.

export interface Written {
  readonly where: 'before' | 'behind' | 'whole';
  readonly text: string;
}

/** Null: nothing was written, or something in the middle, which says nothing of other titles. */
export function writtenIn(before: string, after: string, isWhole: boolean): Written | null {
  if (before === after) return null;
  if (isWhole || before === '') return { where: 'whole', text: after };
  if (after.startsWith(before)) return { where: 'behind', text: after.slice(before.length) };
  if (after.endsWith(before)) return { where: 'before', text: after.slice(0, -before.length) };
  return null;
}

export function writeAgain({ where, text }: Written, title: string): string {
  if (where === 'whole') return text;
  return where === 'behind' ? title + text : text + title;
}
