// What a new key would do to the others: take it from one, hide longer ones, be hidden itself; and what may keep it from
// ever arriving. Said in sentences before it is saved.
import type { KeyContext } from '../commands/command.ts';
import type { Binding, Keymap } from './keymap.ts';
import { collide } from './layers.ts';
import { placeNames } from './place-names.ts';
import type { Preset } from './presets.ts';
import { takenBy } from './reserved.ts';
import { parseKeys, type Stroke } from './stroke.ts';

export interface Verdict {
  /** Why it cannot be. */
  readonly problem: string | null;
  readonly notes: readonly string[];
}

export interface Wish {
  readonly context: KeyContext;
  readonly strokes: readonly Stroke[];
  readonly command: string;
  /** What it replaces: no conflict. */
  readonly replaced: Binding | null;
}

interface Known {
  readonly keymap: Keymap;
  readonly preset: Preset;
  readonly titleOf: (command: string) => string;
}

/** Where a letter is text. */
const TEXTS: ReadonlySet<KeyContext> = new Set(['edit', 'name', 'notes', 'search', 'palette', 'global']);

/** Why no key can be spelled so there, whatever it is for; null: it can. */
export function spellingProblem(
  { context, strokes }: Pick<Wish, 'context' | 'strokes'>,
  keymap: Keymap,
): string | null {
  const [first = ''] = strokes;
  const caps = keymap.keycaps(strokes).join(' ');
  if (TEXTS.has(context) && (first.length === 1 || first === 'Space' || /^Shift\+.$/.test(first)))
    return `${placeNames[context]} ${caps} is text. Press it with Ctrl, Alt or ⌘, or a function key.`;
  const isChord = strokes.length > 1;
  if (isChord && strokes.includes('Escape')) return 'Esc ends a sequence of keys and cannot be part of one.';
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
  if (own) return `${keymap.keycaps([first]).join('')} belongs to ${preset.title}, with what follows it.`;
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
      if (binding.command === command && isSame) notes.push(`${caps} does that already.`);
      else if (isSame) notes.push(`${caps} is “${title}” now. Saving takes it away from there.`);
      else
        notes.push(`${caps} hides ${keymap.keycaps(others).join(' ')} (“${title}”). Saving takes that away.`);
    } else if (context === 'global' && isSame && binding.context !== 'empty')
      notes.push(`${placeNames[binding.context]} ${caps} stays “${title}”.`);
    else if (binding.context === 'global' && isSame)
      notes.push(`Elsewhere ${caps} stays “${title}”; there it does this instead.`);
  }
  const taken = takenBy(strokes, keymap.apple);
  if (taken !== null) notes.push(warningOf(taken));
  return { problem: problemOf(wish, known), notes };
}

/** As a sentence. */
export function warningOf({ by, isCertain }: { readonly by: string; readonly isCertain: boolean }): string {
  const name = by.charAt(0).toUpperCase() + by.slice(1);
  return isCertain ? `${name} keeps this key to itself.` : `${name} may keep this key to itself.`;
}
