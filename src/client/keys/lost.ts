// Keys of a preset that a browser tab reserves, with alternatives.
import type { Program } from '../app/program.ts';
import { choicesOf, effective } from './choices.ts';
import type { Binding } from './keymap.ts';
import { isLostInTab } from './reserved.ts';
import { keycapOf, parseKeys } from './stroke.ts';

/** Keys of the preset that the browser reserves here, each with an alternative; null: none. */
export function lostInTab(program: Program): string | null {
  const { apple, install } = program.platform;
  if (install.way() === 'installed') return null;
  const choices = choicesOf(program);
  const all = effective(choices, apple, program.parts.keys);
  const isLost = ({ keys }: Binding) => isLostInTab(parseKeys(keys, apple), apple);
  const gone = new Map(
    choices.preset.bindings
      .filter((binding) => binding.context === 'navigate' && isLost(binding))
      .map(({ keys, command }) => [keys, command]),
  );
  if (gone.size === 0) return null;
  const caps = (keys: string) =>
    parseKeys(keys, apple)
      .map((stroke) => keycapOf(stroke, apple))
      .join(' ');
  const each = [...gone].map(([keys, command]) => {
    const other = all.find((one) => one.command === command && one.context === 'navigate' && !isLost(one));
    return other ? `${caps(keys)} (${caps(other.keys)} does the same)` : caps(keys);
  });
  const verb = each.length === 1 ? 'doesn’t' : 'don’t';
  return `Browser tabs keep some keys: ${each.join(', ')} ${verb} work here. Install Posthaste to get them all.`;
}
