// Settings about how the app looks. What they become on the page is web/platform/look.ts.
import { choice } from './setting.ts';

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

export const appearanceSettings = [theme, density, fontSize];
