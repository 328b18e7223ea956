// The steps of the lesson, in order: what a first day needs. Each is done on the person's own tasks, and recognized
// wherever and however they do it.

export type StepId = 'add' | 'due' | 'complete' | 'today' | 'palette';

export interface Step {
  readonly id: StepId;
  readonly title: string;
  /** The text after the key; empty: none. */
  readonly after: string;
  /** Commands whose keys are shown. */
  readonly keys: readonly string[];
  /** The touch gesture that does it. */
  readonly touch: string;
}

export const steps: readonly Step[] = [
  {
    id: 'add',
    title: 'Write down something you have to do',
    after: 'Enter adds the next one, Esc stops.',
    keys: ['task.createBelow'],
    touch: 'Tap +, type it, then Done.',
  },
  {
    id: 'due',
    title: 'Say when, in words',
    after: 'In the title, as in “Call Ann tomorrow 5pm,” or here: type fri, then Enter.',
    keys: ['task.due'],
    touch: 'Type it in the title, like “tomorrow,” or tap a task, then Due.',
  },
  {
    id: 'complete',
    title: 'Complete a task',
    after: 'Undo takes it back.',
    keys: ['task.complete'],
    touch: 'Swipe a task to the right, or tap its box.',
  },
  {
    id: 'today',
    title: 'See what’s due',
    after: 'One key after the other.',
    keys: ['go.today'],
    touch: 'Tap Today.',
  },
  {
    id: 'palette',
    title: 'Find everything else by name',
    after: 'Type what you want, like theme, then Enter.',
    keys: ['palette.open'],
    touch: 'Tap the dots at the top right and type what you want.',
  },
];

/** What is said once every step is done. */
export const over: Omit<Step, 'id'> = {
  title: 'That’s all you need to start.',
  after: 'Every command is in the palette, and every key in the key list.',
  keys: ['palette.open', 'help.keys'],
  touch: 'Everything else is behind the dots at the top right.',
};
