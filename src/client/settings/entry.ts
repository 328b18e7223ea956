// Settings of token recognition while a task is typed.
import { choice, toggle } from './setting.ts';

/** In the quick entry dialog. */
export const quickEntryTokens = choice<'auto' | 'suggest' | 'off'>({
  key: 'quickEntryTokens',
  title: 'Dates and labels in quick entry',
  aliases: ['natural language', 'tokens', 'date in title', 'inline'],
  tab: 'Behavior',
  scope: 'account',
  fallback: 'auto',
  choices: [
    { value: 'auto', title: 'Set automatically' },
    { value: 'suggest', title: 'Suggested' },
    { value: 'off', title: 'Off' },
  ],
});

/** In a line of a list. */
export const lineTokens = choice<'auto' | 'suggest' | 'off'>({
  key: 'lineTokens',
  title: 'Dates and labels in a list',
  aliases: ['natural language', 'tokens', 'date in title', 'inline'],
  tab: 'Behavior',
  scope: 'account',
  fallback: 'auto',
  choices: [
    { value: 'auto', title: 'Set automatically' },
    { value: 'suggest', title: 'Suggested' },
    { value: 'off', title: 'Off' },
  ],
});

/** Whether quick entry stays open after adding a task. */
export const keepAdding = toggle({
  key: 'keepAdding',
  title: 'Keep quick entry open',
  aliases: ['keep adding', 'add several', 'quick add'],
  tab: 'Behavior',
  scope: 'device',
  fallback: false,
});

export const entrySettings = [quickEntryTokens, lineTokens, keepAdding];
