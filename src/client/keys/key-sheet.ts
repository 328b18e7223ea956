// The cheat sheet as data: every key with its command, grouped by context.
import type { CommandInfo, KeyContext } from '../commands/command.ts';
import type { Binding, Keymap } from './keymap.ts';
import { presets } from './presets.ts';
import { parseKeys } from './stroke.ts';

/** The keys of one context. */
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
  { title: 'In search and dialogs', contexts: ['search', 'dialog', 'list'] },
  { title: 'In the palette', contexts: ['palette'] },
  { title: 'In the calendar', contexts: ['month'] },
];

/** Keys that the grammar of the preset reads before single keys count. */
function readBy(keymap: Keymap): readonly KeyGroup[] {
  return presets
    .filter(({ grammar }) => grammar !== null && grammar === keymap.grammar)
    .map(({ title, read }) => {
      const rows = read.map((line) => ({
        id: `read ${line.keys}`,
        title: line.title,
        keys: [keymap.keycaps(parseKeys(line.keys, keymap.apple))],
      }));
      return { title: `${title}’s own keys`, rows };
    });
}

/** Keys of the preset's model that the preset lacks. */
function absentIn(keymap: Keymap): readonly KeyGroup[] {
  return presets
    .filter(({ grammar, absent }) => grammar !== null && grammar === keymap.grammar && absent.length > 0)
    .map(({ title, absent }) => {
      const rows = absent.map((line) => ({
        id: `absent ${line.keys.join(' ')}`,
        title: line.title,
        keys: line.keys.map((keys) => keymap.keycaps(parseKeys(keys, keymap.apple))),
      }));
      return { title: `Not in the ${title} set`, rows };
    });
}

/** `keymap` decides the kind of keyboard and the spelling of keys. */
export function keySheet(
  bindings: readonly Binding[],
  keymap: Keymap,
  commands: ReadonlyMap<string, Pick<CommandInfo, 'title'>>,
): readonly KeyGroup[] {
  const here = bindings.filter(({ only }) => only === undefined || (only === 'apple') === keymap.apple);
  const ofOneDialog = here.map(({ context }) => context).filter((context) => context.startsWith('dialog.'));
  const all = [...PLACES, { title: 'In one dialog', contexts: ofOneDialog }];
  const places = all.map(({ title, contexts }) => {
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
  return [...places, ...readBy(keymap), ...absentIn(keymap)];
}
