// Settings about what teaches keys.
import { toggle } from './setting.ts';

export const coachHints = toggle({
  key: 'coachHints',
  title: 'Hints about keys',
  aliases: ['coach', 'tips', 'teach', 'learn keys', 'shortcuts'],
  tab: 'General',
  scope: 'account',
  fallback: true,
});
