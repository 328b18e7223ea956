// Settings of appearance. web/platform/look.ts applies them to the page.
import { labelColors } from '../labels/colors.ts';
import { gradientProblem, readOwnTokens } from './own-look.ts';
import { choice, text } from './setting.ts';

/** Light, dark, or the system's theme. */
export const theme = choice<'auto' | 'light' | 'dark'>({
  key: 'theme',
  title: 'Theme',
  aliases: ['dark mode', 'light mode', 'colours'],
  tab: 'Appearance',
  scope: 'device',
  fallback: 'auto',
  command: 'view.theme',
  choices: [
    { value: 'auto', title: 'Same as system' },
    { value: 'light', title: 'Light' },
    { value: 'dark', title: 'Dark' },
  ],
});

/** `#rrggbb`, or empty: the default accent. */
export const accent = choice<string>({
  key: 'accent',
  title: 'Accent color',
  aliases: ['highlight', 'color', 'selection'],
  tab: 'Appearance',
  scope: 'account',
  fallback: '',
  choices: [
    { value: '', title: 'Airmail blue' },
    ...labelColors.slice(1).map(({ name, value }) => ({ value, title: name })),
  ],
});

/** Height of rows. */
export const density = choice<'compact' | 'comfortable' | 'relaxed'>({
  key: 'density',
  title: 'Density',
  aliases: ['row height', 'spacing', 'compact'],
  tab: 'Appearance',
  scope: 'device',
  fallback: 'comfortable',
  choices: [
    { value: 'compact', title: 'Compact' },
    { value: 'comfortable', title: 'Comfortable' },
    { value: 'relaxed', title: 'Relaxed' },
  ],
});

/** Percentage of the browser's font size. */
export const fontSize = choice<number>({
  key: 'fontSize',
  title: 'Font size',
  aliases: ['text size', 'zoom', 'bigger', 'smaller'],
  tab: 'Appearance',
  scope: 'device',
  fallback: 100,
  choices: [
    { value: 90, title: 'Small' },
    { value: 100, title: 'Normal' },
    { value: 115, title: 'Large' },
    { value: 130, title: 'Very large' },
    { value: 150, title: 'Huge' },
  ],
});

/** Whether animations run; `system` follows the system's setting. */
export const motion = choice<'system' | 'reduced'>({
  key: 'motion',
  title: 'Motion',
  aliases: ['animation', 'reduce motion', 'accessibility'],
  tab: 'Appearance',
  scope: 'device',
  fallback: 'system',
  choices: [
    { value: 'system', title: 'Same as system' },
    { value: 'reduced', title: 'None' },
  ],
});

/** Whether the status bar is always shown, or only with a message. */
export const statusBar = choice<'shown' | 'hidden'>({
  key: 'statusBar',
  title: 'Status bar',
  aliases: ['bottom line', 'hide status', 'mode line', 'footer'],
  tab: 'Appearance',
  scope: 'device',
  fallback: 'shown',
  choices: [
    { value: 'shown', title: 'Always shown' },
    { value: 'hidden', title: 'Only when needed' },
  ],
});

/** Tokens of a custom theme, as `name: value` lines (docs/themes.md). */
export const ownTheme = text({
  key: 'ownTheme',
  title: 'Your own theme',
  aliases: ['colours', 'tokens', 'custom theme', 'fonts'],
  tab: 'Appearance',
  scope: 'account',
  fallback: '',
  isLong: true,
  problem: (typed) => readOwnTokens(typed).problem,
});

/** A CSS gradient behind the app; checked by `gradientProblem`. */
export const themeGradient = text({
  key: 'themeGradient',
  title: 'Theme gradient',
  aliases: ['background', 'background-image', 'wallpaper'],
  tab: 'Appearance',
  scope: 'account',
  fallback: '',
  problem: gradientProblem,
});

export const appearanceSettings = [
  theme,
  accent,
  density,
  fontSize,
  motion,
  statusBar,
  ownTheme,
  themeGradient,
];
