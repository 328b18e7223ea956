// Consequences of a new key: which keys it takes, hides or is hidden by, and what may keep it from arriving. Shown as
// sentences before it is saved.
import type { KeyContext } from '../commands/command.ts';
import type { Binding, Keymap } from './keymap.ts';
import { collide } from './layers.ts';
import { placeName } from './place-names.ts';
import type { Preset } from './presets.ts';
import { takenBy } from './reserved.ts';
import { parseKeys, type Stroke } from './stroke.ts';

export interface Verdict {
  /** Why it cannot be bound; null: it can. */
  readonly problem: string | null;
  readonly notes: readonly string[];
}

export interface Wish {
  readonly context: KeyContext;
  readonly strokes: readonly Stroke[];
  readonly command: string;
  /** The binding it replaces, which is no conflict. */
  readonly replaced: Binding | null;
}

interface Known {
  readonly keymap: Keymap;
  readonly preset: Preset;
  readonly titleOf: (command: string) => string;
}

/** Contexts in which a letter is text. */
const TEXTS: ReadonlySet<KeyContext> = new Set(['edit', 'name', 'notes', 'search', 'palette', 'global']);

/** Why these strokes cannot be bound in that context to any command; null: they can. */
export function spellingProblem(
  { context, strokes }: Pick<Wish, 'context' | 'strokes'>,
  keymap: Keymap,
): string | null {
  const [first = ''] = strokes;
  const caps = keymap.keycaps(strokes).join(' ');
  if (TEXTS.has(context) && (first.length === 1 || first === 'Space' || /^Shift\+.$/.test(first)))
    return `${placeName(context)} ${caps} types text. Add Ctrl, Alt or ⌘, or use a function key.`;
  const isChord = strokes.length > 1;
  if (isChord && strokes.includes('Escape')) return 'Esc ends a key sequence, so it can’t be part of one.';
  return null;
}

function problemOf(wish: Wish, { keymap, preset }: Known): string | null {
  const { context, strokes } = wish;
  const problem = spellingProblem(wish, keymap);
  if (problem !== null) return problem;
  const [first = ''] = strokes;
  const own = preset.takes.some(
    (drop) => drop.context === context && collide(parseKeys(drop.keys, keymap.apple), strokes),
  );
  if (own) return `${preset.title} uses ${keymap.keycaps([first]).join('')} and what follows it.`;
  return null;
}

export function verdictOn(wish: Wish, known: Known): Verdict {
  const { keymap, titleOf } = known;
  const { context, strokes, command, replaced } = wish;
  const caps = keymap.keycaps(strokes).join(' ');
  const notes: string[] = [];
  for (const binding of keymap.bindings) {
    if (binding === replaced) continue;
    const others = parseKeys(binding.keys, keymap.apple);
    if (!collide(others, strokes)) continue;
    const title = titleOf(binding.command);
    const isSame = others.length === strokes.length;
    if (binding.context === context) {
      if (binding.command === command && isSame) notes.push(`${caps} already does that.`);
      else if (isSame) notes.push(`${caps} is “${title}” now. Saving replaces that.`);
      else notes.push(`${caps} hides ${keymap.keycaps(others).join(' ')} (“${title}”). Saving removes that.`);
    } else if (context === 'global' && isSame && binding.context !== 'empty')
      notes.push(`${placeName(binding.context)} ${caps} stays “${title}”.`);
    else if (binding.context === 'global' && isSame)
      notes.push(`Elsewhere, ${caps} stays “${title}”. There, it does this.`);
  }
  const taken = takenBy(strokes, keymap.apple);
  if (taken !== null) notes.push(warningOf(taken));
  return { problem: problemOf(wish, known), notes };
}

/** The warning as a sentence. */
export function warningOf({ by, isCertain }: { readonly by: string; readonly isCertain: boolean }): string {
  const name = by.charAt(0).toUpperCase() + by.slice(1);
  return isCertain ? `${name} uses this key.` : `${name} may use this key.`;
}
