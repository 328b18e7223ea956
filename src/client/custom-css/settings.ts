// What this device keeps of custom CSS: the text, and whether it applies. Never synced, imported or exported; read again
// before the first paint by web/public/theme-boot.js.
import { text, toggle } from '../settings/setting.ts';

/** Longest text that is kept. theme-boot.js has the same figure. */
export const mostCssCharacters = 100_000;

/** The style sheet. Changed in its dialog alone, so no list of settings has it. */
export const customCss = text({
  key: 'customCss',
  title: 'Custom CSS',
  tab: 'Appearance',
  scope: 'device',
  fallback: '',
  isLong: true,
  problem: (typed) =>
    typed.length > mostCssCharacters
      ? `That’s ${typed.length.toLocaleString('en-US')} characters. Custom CSS can have ${mostCssCharacters.toLocaleString('en-US')}.`
      : null,
});

/** Whether it applies. Off keeps the text. */
export const customCssOn = toggle({
  key: 'customCssOn',
  title: 'Custom CSS',
  help: 'Applies the CSS you wrote with “Edit custom CSS”. Off keeps the text.',
  tab: 'Appearance',
  aliases: ['own css', 'style sheet', 'stylesheet', 'styles'],
  scope: 'device',
  fallback: true,
  command: 'look.customCssOn',
});
