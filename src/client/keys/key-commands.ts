// Commands on keys: choosing a preset, syncing the choice, the printed list. The editor is keys/editor.ts.
import { choicesOf, choose, keepHere } from './choices.ts';
import { openKeyEditor } from './lazy.ts';
import { lostInTab } from './lost.ts';
import { presetOf, presets } from './presets.ts';
import { changeSetting } from '../settings/changing.ts';
import { keysSync } from '../settings/keys.ts';
import { announced, type Command, define, done } from '../commands/define.ts';

const group = 'Settings' as const;

/** The key editor, its printed list, presets, and whether keys follow the account. */
export const keyCommands: readonly Command[] = [
  define({
    id: 'help.keys',
    title: 'Keys',
    aliases: ['hotkeys', 'shortcuts', 'keyboard shortcuts', 'help', 'key bindings', 'keymap', 'record a key'],
    group: 'Application',
    run: (program) => openKeyEditor(program),
  }),
  define({
    id: 'keys.print',
    title: 'Key cheat sheet',
    aliases: ['print keys', 'hotkeys on paper', 'all shortcuts', 'reference card'],
    group: 'Application',
    run(program) {
      program.leaveText();
      program.dialog.show({ type: 'cheatSheet' });
      return done;
    },
  }),
  define({
    id: 'keys.preset',
    title: 'Choose a set of keys…',
    aliases: ['keymap', 'vim mode', 'emacs mode', 'standard', 'key bindings', 'hotkeys'],
    group,
    args: [
      {
        name: 'value',
        kind: 'choice',
        prompt: 'Which keys?',
        choices: presets.map(({ id, title }) => ({ value: id, title })),
      },
    ],
    chosen: (program) => choicesOf(program).preset.id,
    run(program, { value = '' }) {
      const preset = presetOf(value);
      choose(program, { preset }, `chose the ${preset.title} keys`);
      const lost = lostInTab(program);
      return announced(`${preset.title} keys. ? shows them.${lost === null ? '' : ` ${lost}`}`);
    },
  }),
  define({
    id: 'keys.sync',
    title: 'Toggle hotkey sync',
    aliases: ['hotkey sync', 'sync keys', 'key bindings'],
    group,
    titleNow: (program) =>
      choicesOf(program).isSynced
        ? 'Use separate keys on this device'
        : 'Use the same keys on all my devices',
    run(program) {
      const { isSynced } = choicesOf(program);
      // Nothing changes now on a device that goes its own way.
      if (isSynced) keepHere(program);
      return announced(changeSetting(program, keysSync, !isSynced));
    },
  }),
];
