// The person's choice of keys: a preset, own keys over it, chords or not; the same on all devices, or for this one
// alone. Stored as settings; the running keymap follows them, wherever they change.
import type { Action } from '#sync/rows/operation.ts';
import type { Program } from '../app/program.ts';
import {
  accountKeys,
  accountPreset,
  deviceKeys,
  devicePreset,
  keysChords,
  keysHintDelay,
  keysSync,
} from '../settings/keys.ts';
import type { AnySetting } from '../settings/setting.ts';
import { KEPT, type Kept } from './kept.ts';
import type { Binding, Keymap } from './keymap.ts';
import { layered, without, withoutChords } from './layers.ts';
import { type OwnKeys, storedOwnKeys, writeOwnKeys } from './own-keys.ts';
import { bindingsOf, type Preset, presetOf } from './presets.ts';
import { parseKeys } from './stroke.ts';

export interface KeyChoices {
  readonly preset: Preset;
  readonly own: OwnKeys;
  readonly chords: boolean;
  /** The same choice on all devices. */
  readonly isSynced: boolean;
}

/** The keys this device uses by the current settings. */
export function choicesOf({ settings }: Program): KeyChoices {
  const isSynced = settings.get(keysSync);
  return {
    preset: presetOf(settings.get(isSynced ? accountPreset : devicePreset)),
    own: storedOwnKeys(settings.get(isSynced ? accountKeys : deviceKeys)),
    chords: settings.get(keysChords),
    isSynced,
  };
}

/** Every binding that counts. */
export function effective(
  { preset, own, chords }: KeyChoices,
  apple: boolean,
  ofParts: readonly Binding[],
): readonly Binding[] {
  const kept = without(bindingsOf(preset, apple, ofParts), own.drop, apple);
  const all = layered(kept, own.add, apple);
  return chords ? all : withoutChords(all);
}

/** Sets another preset or own keys: one undo if they follow the account. */
export function choose(
  program: Program,
  next: { readonly preset?: Preset; readonly own?: OwnKeys },
  label: string,
): void {
  const { settings } = program;
  if (!settings.get(keysSync)) {
    if (next.preset) settings.keep(devicePreset, next.preset.id);
    if (next.own) settings.keep(deviceKeys, writeOwnKeys(next.own) || null);
    return;
  }
  const actions: Action[] = [];
  if (next.preset) actions.push(...settings.actions(accountPreset, next.preset.id));
  if (next.own) actions.push(...settings.actions(accountKeys, writeOwnKeys(next.own) || null));
  if (actions.length > 0) program.change(actions, label);
}

/** Copies the current choice to this device. */
export function keepHere(program: Program): void {
  const { preset, own } = choicesOf(program);
  program.settings.keep(devicePreset, preset.id);
  program.settings.keep(deviceKeys, writeOwnKeys(own) || null);
}

/** Updates the keymap, and saves it for the next start. */
export function applyKeys(program: Program, keymap: Keymap): void {
  const choices = choicesOf(program);
  const { apple, preferences } = program.platform;
  const { preset } = choices;
  const waits = choices.chords ? preset.waits.map((keys) => parseKeys(keys, apple).join(' ')) : [];
  keymap.use(effective(choices, apple, program.parts.keys), preset.grammar, waits);
  const isStandard =
    choices.preset.id === 'standard' &&
    choices.chords &&
    choices.own.add.length + choices.own.drop.length === 0;
  const kept: Kept = {
    grammar: keymap.grammar,
    ...(waits.length === 0 ? {} : { waits }),
    rows: keymap.bindings.map(({ context, keys, command }) => [context, keys, command]),
  };
  const text = isStandard ? '' : JSON.stringify(kept);
  if ((preferences.get(KEPT) ?? '') !== text) preferences.set(KEPT, text);
  keymap.hintDelay = program.settings.get(keysHintDelay);
  program.labelKeys.invalidate();
}

/** Follows the settings from now on. Returns the cancellation. */
export function followChoices(program: Program, keymap: Keymap): () => void {
  const { settings } = program;
  const follow = () => {
    applyKeys(program, keymap);
    program.act(() => undefined);
  };
  applyKeys(program, keymap);
  const watched: readonly AnySetting[] = [
    accountPreset,
    devicePreset,
    accountKeys,
    deviceKeys,
    keysChords,
    keysSync,
    keysHintDelay,
  ];
  const stops = watched.map((setting) => settings.signal(setting).subscribe(follow));
  return () => {
    for (const stop of stops) stop();
  };
}
