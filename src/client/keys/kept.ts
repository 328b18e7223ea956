// The last keymap of this device, if it differs from the standard one: available before anything is loaded, so that the
// first key is already the person's own. Written by choices.ts.
import type { KeyContext } from '../commands/command.ts';
import type { Platform } from '../app/app.ts';
import { defaultBindings } from './default-keymap.ts';
import { type Binding, Keymap } from './keymap.ts';

/** The preference that stores them. */
export const KEPT = 'keys';

/** The stored form: rows of context, keys and command. */
export interface Kept {
  readonly grammar: 'vim' | null;
  /** Unbound prefixes that take one more key (`Keymap.waits`); absent: none. */
  readonly waits?: readonly string[];
  readonly rows: readonly (readonly [context: KeyContext, keys: string, command: string])[];
}

/** The keymap to start with. */
export function startingKeymap(
  { preferences, apple }: Pick<Platform, 'preferences' | 'apple'>,
  ofParts: readonly Binding[],
): Keymap {
  const standard = [...defaultBindings, ...ofParts];
  const keymap = new Keymap(standard, apple);
  const text = preferences.get(KEPT);
  if (text === null || text === '') return keymap;
  try {
    const { grammar, rows, waits } = JSON.parse(text) as Kept;
    keymap.use(
      rows.map(([context, keys, command]) => ({ context, keys, command })),
      grammar === 'vim' ? grammar : null,
      waits,
    );
  } catch {
    // Damaged, or of another version: the settings are applied in a moment.
    keymap.use(standard, null);
  }
  return keymap;
}
