// Settings about what a finger does.
import { choice } from './setting.ts';

export type Swipe =
  | 'task.complete'
  | 'task.snooze'
  | 'task.due'
  | 'task.move'
  | 'label.pick'
  | 'task.delete'
  | 'none';

const choices: readonly { readonly value: Swipe; readonly title: string }[] = [
  { value: 'task.complete', title: 'Completes it' },
  { value: 'task.snooze', title: 'Snoozes it' },
  { value: 'task.due', title: 'Asks when it is due' },
  { value: 'task.move', title: 'Moves it to a list' },
  { value: 'label.pick', title: 'Gives it labels' },
  { value: 'task.delete', title: 'Deletes it' },
  { value: 'none', title: 'Does nothing' },
];

const swipe = (side: 'right' | 'left', fallback: Swipe) =>
  choice<Swipe>({
    key: side === 'right' ? 'swipeRight' : 'swipeLeft',
    title: `Swiping a task to the ${side}`,
    aliases: ['gesture', 'touch', 'finger', 'phone'],
    tab: 'Behavior',
    scope: 'device',
    fallback,
    choices,
  });

export const swipeRight = swipe('right', 'task.complete');
export const swipeLeft = swipe('left', 'task.snooze');

export const touchSettings = [swipeRight, swipeLeft];
