// Settings of touch gestures.
import { choice } from './setting.ts';

/** The command of a swipe over a task. */
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
  { value: 'task.due', title: 'Sets its due date' },
  { value: 'task.move', title: 'Moves it to a list' },
  { value: 'label.pick', title: 'Gives it labels' },
  { value: 'task.delete', title: 'Deletes it' },
  { value: 'none', title: 'Does nothing' },
];

const swipe = (side: 'right' | 'left', fallback: Swipe) =>
  choice<Swipe>({
    key: side === 'right' ? 'swipeRight' : 'swipeLeft',
    title: `Swipe a task ${side}`,
    aliases: ['gesture', 'touch', 'finger', 'phone'],
    tab: 'Behavior',
    scope: 'device',
    fallback,
    choices,
  });

/** The command of a swipe to the right. */
export const swipeRight = swipe('right', 'task.complete');
/** The command of a swipe to the left. */
export const swipeLeft = swipe('left', 'task.snooze');

export const touchSettings = [swipeRight, swipeLeft];
