// Settings about how the app looks. What they become on the page is web/platform/look.ts.
import { labelColors } from '../labels/colors.ts';
import { gradientProblem, readOwnTokens } from './own-look.ts';
import { choice, text } from './setting.ts';

export const theme = choice<'auto' | 'light' | 'dark'>({
  key: 'theme',
  title: 'Theme',
  aliases: ['dark mode', 'light mode', 'colours'],
  tab: 'Appearance',
  scope: 'device',
  fallback: 'auto',
  command: 'view.theme',
  choices: [
    { value: 'auto', title: 'As the system' },
    { value: 'light', title: 'Light' },
    { value: 'dark', title: 'Dark' },
  ],
});

/** `#rrggbb`, or empty: the app's own. */
export const accent = choice<string>({
  key: 'accent',
  title: 'Accent colour',
  aliases: ['highlight', 'color', 'selection'],
  tab: 'Appearance',
  scope: 'account',
  fallback: '',
  choices: [
    { value: '', title: 'Airmail blue' },
    ...labelColors.slice(1).map(({ name, value }) => ({ value, title: name })),
  ],
});

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

/** Per cent of the browser's own size. */
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

export const motion = choice<'system' | 'reduced'>({
  key: 'motion',
  title: 'Motion',
  aliases: ['animation', 'reduce motion', 'accessibility'],
  tab: 'Appearance',
  scope: 'device',
  fallback: 'system',
  choices: [
    { value: 'system', title: 'As the system' },
    { value: 'reduced', title: 'None' },
  ],
});

export const statusBar = choice<'shown' | 'hidden'>({
  key: 'statusBar',
  title: 'Status bar',
  aliases: ['bottom line', 'hide status', 'mode line', 'footer'],
  tab: 'Appearance',
  scope: 'device',
  fallback: 'shown',
  choices: [
    { value: 'shown', title: 'Always shown' },
    { value: 'hidden', title: 'Only when it has something to say' },
  ],
});

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
