// The keys that this device worked with last, where they are not the standard ones: known before anything is loaded, so
// that the first key is already the person's own. Made and kept up to date by choices.ts.
import type { KeyContext } from '../commands/command.ts';
import type { Platform } from '../app.ts';
import { defaultBindings } from './default-keymap.ts';
import { Keymap } from './keymap.ts';

/** The preference that holds them. */
export const KEPT = 'keys';

/** What is kept: rows of context, keys and command. */
export interface Kept {
  readonly grammar: 'vim' | null;
  readonly rows: readonly (readonly [context: KeyContext, keys: string, command: string])[];
}

/** The keys to begin with. */
export function startingKeymap({ preferences, apple }: Pick<Platform, 'preferences' | 'apple'>): Keymap {
  const keymap = new Keymap(defaultBindings, apple);
  const text = preferences.get(KEPT);
  if (text === null || text === '') return keymap;
  try {
    const { grammar, rows } = JSON.parse(text) as Kept;
    keymap.use(
      rows.map(([context, keys, command]) => ({ context, keys, command })),
      grammar === 'vim' ? grammar : null,
    );
  } catch {
    // Damaged, or of another version: what the settings say follows in a moment.
    keymap.use(defaultBindings, null);
  }
  return keymap;
}
