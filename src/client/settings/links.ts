// What links from outside may do.
import { toggle } from './setting.ts';

export const linkSelection = toggle({
  key: 'linkSelection',
  title: 'Links may ask which tasks are selected',
  aliases: ['get-selected-tasks', 'url handlers', 'automation', 'scripts'],
  tab: 'Behavior',
  scope: 'device',
  fallback: false,
});
