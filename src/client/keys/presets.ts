// Presets: sets of keys to begin with. A preset is laid over the standard keys; a person's own keys are laid over that.
import { defaultBindings } from './default-keymap.ts';
import { emacs } from './emacs-keys.ts';
import type { PresetId } from './editor-view.ts';
import type { Binding } from './keymap.ts';
import { type Drop, layered, without } from './layers.ts';
import { vim } from './vim-keys.ts';

export interface Preset {
  readonly id: PresetId;
  readonly title: string;
  /** One or two sentences for the person who chooses. */
  readonly about: string;
  readonly grammar: 'vim' | null;
  /** Standard keys that it removes. */
  readonly takes: readonly Drop[];
  readonly bindings: readonly Binding[];
  /** Keys that its grammar reads in the outline, for lists of keys: the first key, and its effect. */
  readonly read: readonly { readonly keys: string; readonly title: string }[];
  /** Unbound keys of its model that take one more key: both are swallowed. */
  readonly waits: readonly string[];
  /** Keys of its model that this preset lacks: they do nothing. */
  readonly absent: readonly Missing[];
  /** Keys of its model with another effect here. */
  readonly otherwise: readonly Missing[];
}

export interface Missing {
  readonly keys: readonly string[];
  readonly title: string;
}

const standard: Preset = {
  id: 'standard',
  title: 'Standard',
  about: 'Arrow keys, single letters for common actions, g to go places.',
  grammar: null,
  takes: [],
  bindings: [],
  read: [],
  waits: [],
  absent: [],
  otherwise: [],
};

/** The presets, in the order in which they are offered. */
export const presets: readonly Preset[] = [standard, vim, emacs];

/** The preset of that id; the standard one for an unknown id. */
export function presetOf(id: string): Preset {
  return presets.find((preset) => preset.id === id) ?? standard;
}

/** Presets are constant: bindings computed from one are cached for good. */
const kept = {
  apple: new WeakMap<Preset, readonly Binding[]>(),
  other: new WeakMap<Preset, readonly Binding[]>(),
};

const made = (standardKeys: readonly Binding[], { takes, bindings }: Preset, apple: boolean) =>
  layered(without(standardKeys, takes, apple), bindings, apple);

/** Its bindings with the remaining standard ones, including those of parts, for one kind of keyboard. */
export function bindingsOf(preset: Preset, apple: boolean, ofParts: readonly Binding[]): readonly Binding[] {
  if (ofParts.length > 0) return made([...defaultBindings, ...ofParts], preset, apple);
  const known = apple ? kept.apple : kept.other;
  const all = known.get(preset) ?? made(defaultBindings, preset, apple);
  known.set(preset, all);
  return all;
}
