// Where the chosen step or variable of the editor is once another device has changed the macro. Pure.
import type { MacroContent } from '../macro.ts';
import type { Spot } from './draft.ts';

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const listOf = (macro: MacroContent, kind: Spot['kind']): readonly unknown[] =>
  kind === 'step' ? macro.steps : kind === 'variable' ? macro.variables : [];

/** Its index now; null: it was removed. One that was only changed stays where it is. */
export function followed(before: MacroContent, after: MacroContent, { kind, index }: Spot): number | null {
  if (kind === 'macro') return 0;
  const [was, now] = [listOf(before, kind), listOf(after, kind)];
  const entry = was[index];
  if (isSame(entry, now[index])) return index;
  const at = now.findIndex((each) => isSame(each, entry));
  if (at >= 0) return at;
  return now.length < was.length ? null : index;
}
