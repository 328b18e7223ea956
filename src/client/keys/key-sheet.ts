// Every key with what it does, grouped by where it counts: the cheat sheet as data.
import type { CommandInfo, KeyContext } from '../commands/command.ts';
import type { Binding, Keymap } from './keymap.ts';
import { presets } from './presets.ts';
import { parseKeys } from './stroke.ts';

export interface KeyGroup {
  readonly title: string;
  readonly rows: readonly {
    readonly id: string;
    readonly title: string;
    /** Each as one keycap per stroke. */
    readonly keys: readonly (readonly string[])[];
  }[];
}

const PLACES: readonly { readonly title: string; readonly contexts: readonly KeyContext[] }[] = [
  { title: 'Everywhere', contexts: ['global'] },
  { title: 'In the outline', contexts: ['empty', 'navigate'] },
  { title: 'While editing', contexts: ['edit', 'name'] },
  { title: 'In the sidebar', contexts: ['sidebar'] },
  { title: 'While writing notes', contexts: ['notes'] },
  { title: 'In search and dialogs', contexts: ['search', 'dialog'] },
  { title: 'In the palette', contexts: ['palette'] },
  { title: 'In the month of a date', contexts: ['month'] },
];

/** What the set reads by itself, before single keys count. */
function readBy(keymap: Keymap): readonly KeyGroup[] {
  return presets
    .filter(({ grammar }) => grammar !== null && grammar === keymap.grammar)
    .map(({ title, read }) => {
      const rows = read.map((line) => ({
        id: `read ${line.keys}`,
        title: line.title,
        keys: [keymap.keycaps(parseKeys(line.keys, keymap.apple))],
      }));
      return { title: `Read by ${title}`, rows };
    });
}

/** `keymap` decides for which kind of keyboard, and how keys are written. */
export function keySheet(
  bindings: readonly Binding[],
  keymap: Keymap,
  commands: ReadonlyMap<string, Pick<CommandInfo, 'title'>>,
): readonly KeyGroup[] {
  const here = bindings.filter(({ only }) => only === undefined || (only === 'apple') === keymap.apple);
  const places = PLACES.map(({ title, contexts }) => {
    const rows = new Map<string, (readonly string[])[]>();
    for (const { context, keys, command } of here) {
      if (!contexts.includes(context)) continue;
      const caps = keymap.keycaps(parseKeys(keys, keymap.apple));
      const known = rows.get(command) ?? [];
      rows.set(command, known);
      if (!known.some((other) => other.join(' ') === caps.join(' '))) known.push(caps);
    }
    return {
      title,
      rows: [...rows].map(([id, keys]) => ({ id, title: commands.get(id)?.title ?? id, keys })),
    };
  });
  return [...places, ...readBy(keymap)];
}
