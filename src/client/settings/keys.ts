// Settings of keys. The bindings are stored beside them (keys/choices.ts) and changed in the key editor.
import { choice, text, toggle } from './setting.ts';

/** Whether keys pressed one after the other (chords) are bound. */
export const keysChords = toggle({
  key: 'keysChords',
  title: 'Key sequences',
  aliases: ['chords', 'hotkeys', 'sequences', 'g i'],
  tab: 'Keys',
  scope: 'account',
  fallback: true,
});

/** Whether this device uses the keys of the account or its own. */
export const keysSync = toggle({
  key: 'keysSync',
  title: 'Sync hotkeys',
  aliases: ['hotkey sync', 'key bindings', 'hotkeys'],
  tab: 'Keys',
  scope: 'device',
  fallback: true,
  command: 'keys.sync',
});

/** Delay of the hint panel in milliseconds; negative: never shown. */
export const keysHintDelay = choice<number>({
  key: 'keysHintDelay',
  title: 'Show what comes after a key',
  aliases: ['chord hints', 'which key', 'delay'],
  tab: 'Keys',
  scope: 'account',
  fallback: 400,
  choices: [
    { value: 0, title: 'At once' },
    { value: 400, title: 'After a moment' },
    { value: 1_500, title: 'After a while' },
    { value: -1, title: 'Never' },
  ],
});

export const keySettings = [keysChords, keysSync, keysHintDelay];

const hidden = { tab: 'Keys', title: 'Keys' } as const;
const presetChoices = ['standard', 'vim', 'emacs'].map((value) => ({ value, title: value }));

/** The preset and own keys, of the account and of this device; they are shown in the key editor. */
export const accountPreset = choice<string>({
  ...hidden,
  key: 'keysPreset',
  scope: 'account',
  fallback: 'standard',
  choices: presetChoices,
});
/** The preset of this device, while its keys are not synced. */
export const devicePreset = choice<string>({
  ...hidden,
  key: 'keysPresetHere',
  scope: 'device',
  fallback: 'standard',
  choices: presetChoices,
});
/** Own keys of the account, as `writeOwnKeys` writes them; empty: none. */
export const accountKeys = text({ ...hidden, key: 'keysOwn', scope: 'account', fallback: '' });
/** Own keys of this device, while its keys are not synced; empty: none. */
export const deviceKeys = text({ ...hidden, key: 'keysOwnHere', scope: 'device', fallback: '' });
