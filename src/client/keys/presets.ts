// Sets of keys to begin with. A preset is laid over the standard keys; a person's own keys are laid over that.
import { defaultBindings } from './default-keymap.ts';
import { emacs } from './emacs-keys.ts';
import type { Binding } from './keymap.ts';
import { type Drop, layered, without } from './layers.ts';
import { vim } from './vim-keys.ts';

export interface Preset {
  readonly id: PresetId;
  readonly title: string;
  /** One or two sentences for who chooses. */
  readonly about: string;
  readonly grammar: 'vim' | null;
  /** Standard keys that are its own to read otherwise. */
  readonly takes: readonly Drop[];
  readonly bindings: readonly Binding[];
  /** What its grammar reads in the outline, for lists of keys: the first keys of it, and what they come to. */
  readonly read: readonly { readonly keys: string; readonly title: string }[];
}

export type PresetId = 'standard' | 'vim' | 'emacs';

const standard: Preset = {
  id: 'standard',
  title: 'Standard',
  about: 'Arrow keys, single letters for what is done often, g for going somewhere.',
  grammar: null,
  takes: [],
  bindings: [],
  read: [],
};

export const presets: readonly Preset[] = [standard, vim, emacs];

export function presetOf(id: string): Preset {
  return presets.find((preset) => preset.id === id) ?? standard;
}

/** Sets of keys do not change: what was made of one counts for good. */
const made = {
  apple: new WeakMap<Preset, readonly Binding[]>(),
  other: new WeakMap<Preset, readonly Binding[]>(),
};

/** Its keys with the standard ones that it leaves, for one kind of keyboard. */
export function bindingsOf(preset: Preset, apple: boolean): readonly Binding[] {
  const known = apple ? made.apple : made.other;
  const all =
    known.get(preset) ?? layered(without(defaultBindings, preset.takes, apple), preset.bindings, apple);
  known.set(preset, all);
  return all;
}
