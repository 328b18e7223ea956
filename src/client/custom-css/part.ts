// Custom CSS: a style sheet of the person's own, on this device. The dialog is lazy (lazy.ts), the page follows the settings
// (web/platform/custom-css.ts). Rules: docs/rules/custom-css.md.
import { definePart, type Part } from '../app/part.ts';
import { announced, define } from '../commands/define.ts';
import { ofDialog } from '../commands/options.ts';
import { type CssDraft, openCustomCss } from './lazy.ts';
import { changeSetting } from '../settings/changing.ts';
import { customCssOn } from './settings.ts';

/** Its dialog, the switch with a key that needs nothing on the screen, and the setting. */
export const customCssPart: Part<CssDraft> = definePart<CssDraft>({
  name: 'Custom CSS',
  create: () => ({ text: null }),
  commands: [
    define({
      id: 'look.customCss',
      title: 'Edit custom CSS',
      aliases: ['own css', 'style sheet', 'stylesheet', 'user styles', 'custom theme'],
      group: 'Settings',
      icon: 'palette',
      run: (program) => openCustomCss(program, program.part(customCssPart)),
    }),
    define({
      id: 'look.customCssOn',
      title: 'Turn custom CSS off or on',
      aliases: ['own css', 'style sheet', 'stylesheet', 'disable css'],
      group: 'Settings',
      icon: 'palette',
      titleNow: ({ settings }) => `Turn ${settings.get(customCssOn) ? 'off' : 'on'} custom CSS`,
      run: (program) => announced(changeSetting(program, customCssOn, !program.settings.get(customCssOn))),
    }),
    ofDialog('css.save', 'Save custom CSS'),
  ],
  keys: [
    { context: 'dialog.customCss', keys: 'Mod+Enter', command: 'css.save' },
    // The way out for somebody whose CSS hides everything.
    { context: 'global', keys: 'Shift+F4', command: 'look.customCssOn' },
  ],
  dialogs: { customCss: { name: 'Custom CSS' } },
  settings: [customCssOn],
});
