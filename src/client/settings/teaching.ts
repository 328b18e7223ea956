// Settings about what teaches keys.
import { toggle } from './setting.ts';

export const coachHints = toggle({
  key: 'coachHints',
  title: 'Hints about keys',
  aliases: ['coach', 'tips', 'teach', 'learn keys', 'shortcuts'],
  tab: 'Keys',
  scope: 'account',
  fallback: true,
});
