// Settings of links from outside.
import { toggle } from './setting.ts';

/** Whether links may ask which tasks are selected; off by default, because any site can open a link. */
export const linkSelection = toggle({
  key: 'linkSelection',
  title: 'Let links see which tasks are selected',
  aliases: ['get-selected-tasks', 'url handlers', 'automation', 'scripts'],
  tab: 'Behavior',
  scope: 'device',
  fallback: false,
});
