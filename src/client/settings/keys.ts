// Settings about keys. Which keys do what is kept beside them (keys/choices.ts) and changed in the editor of keys.
import { choice, text, toggle } from './setting.ts';

export const keysChords = toggle({
  key: 'keysChords',
  title: 'Keys pressed one after the other',
  aliases: ['chords', 'hotkeys', 'sequences', 'g i'],
  tab: 'Keys',
  scope: 'account',
  fallback: true,
});

export const keysSync = toggle({
  key: 'keysSync',
  title: 'Same keys on all my devices',
  aliases: ['hotkey sync', 'key bindings', 'hotkeys'],
  tab: 'Keys',
  scope: 'device',
  fallback: true,
  command: 'keys.sync',
});

/** Milliseconds; a negative number: never. */
export const keysHintDelay = choice<number>({
  key: 'keysHintDelay',
  title: 'Show what may follow a key',
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

/** The preset and the own keys, of the account and of this device: the editor of keys is where they are seen. */
export const accountPreset = choice<string>({
  ...hidden,
  key: 'keysPreset',
  scope: 'account',
  fallback: 'standard',
  choices: presetChoices,
});
export const devicePreset = choice<string>({
  ...hidden,
  key: 'keysPresetHere',
  scope: 'device',
  fallback: 'standard',
  choices: presetChoices,
});
export const accountKeys = text({ ...hidden, key: 'keysOwn', scope: 'account', fallback: '' });
export const deviceKeys = text({ ...hidden, key: 'keysOwnHere', scope: 'device', fallback: '' });
