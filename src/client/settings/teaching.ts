// Settings of teaching keys.
import { toggle } from './setting.ts';

/** Whether the coach shows hints about keys. */
export const coachHints = toggle({
  key: 'coachHints',
  title: 'Key hints',
  aliases: ['coach', 'tips', 'teach', 'learn keys', 'shortcuts'],
  tab: 'Keys',
  scope: 'account',
  fallback: true,
});
