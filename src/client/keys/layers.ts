// Layers of keys: a preset over the standard ones, a person's own over both. The upper layer wins; colliding keys in
// its context are removed. Never a conflict, whatever was imported.
import type { KeyContext } from '../commands/command.ts';
import type { Binding } from './keymap.ts';
import { parseKeys, type Stroke } from './stroke.ts';

/** Keys of a context that are removed. */
export interface Drop {
  readonly context: KeyContext;
  readonly keys: string;
}

const counts = (only: Binding['only'], apple: boolean) => only === undefined || (only === 'apple') === apple;

/** The strokes are equal, or one begins with the other. */
export function collide(a: readonly Stroke[], b: readonly Stroke[]): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((stroke, at) => stroke === b[at]);
}

interface Placed {
  readonly binding: Binding;
  readonly strokes: readonly Stroke[];
}

/**
 * The lower bindings of this kind of keyboard, without those that collide with an upper one. Of two colliding upper
 * ones, the later wins.
 */
export function layered(
  base: readonly Binding[],
  over: readonly Binding[],
  apple: boolean,
): readonly Binding[] {
  const standing = new Set<Binding>();
  // Only keys of one context with the same first stroke can collide.
  const rivals = new Map<string, readonly Placed[]>();
  for (const binding of [...base, ...over]) {
    if (!counts(binding.only, apple)) continue;
    const strokes = parseKeys(binding.keys, apple);
    const beginning = `${binding.context} ${strokes[0]}`;
    const left: Placed[] = [];
    for (const below of rivals.get(beginning) ?? [])
      if (collide(below.strokes, strokes)) standing.delete(below.binding);
      else left.push(below);
    rivals.set(beginning, [...left, { binding, strokes }]);
    standing.add(binding);
  }
  return [...standing];
}

/** Removes these keys. */
export function without(
  bindings: readonly Binding[],
  drops: readonly Drop[],
  apple: boolean,
): readonly Binding[] {
  const gone = new Set(drops.map(({ context, keys }) => `${context} ${parseKeys(keys, apple).join(' ')}`));
  return bindings.filter(({ context, keys }) => !gone.has(`${context} ${parseKeys(keys, apple).join(' ')}`));
}

/** Keeps only single strokes. */
export function withoutChords(bindings: readonly Binding[]): readonly Binding[] {
  return bindings.filter(({ keys }) => !keys.includes(' '));
}
