// The steps of the lesson, in order. The first five cover a day's work; each is recognized by the person's action,
// wherever and however they do it.

export type StepId =
  | 'move'
  | 'add'
  | 'indent'
  | 'complete'
  | 'undo'
  | 'due'
  | 'snooze'
  | 'label'
  | 'palette'
  | 'go'
  | 'focus'
  | 'chord';

export interface Step {
  readonly id: StepId;
  /** The instruction, as the title of a task. */
  readonly title: string;
  /** The text after the key; empty: none. */
  readonly after: string;
  /** Commands whose keys are shown. */
  readonly keys: readonly string[];
  /** The touch gesture that does it. */
  readonly touch: string;
}

export const firstSteps = 5;

export const steps: readonly Step[] = [
  {
    id: 'move',
    title: 'Go down and up the list',
    after: '',
    keys: ['cursor.down', 'cursor.up'],
    touch: 'Tap another task.',
  },
  {
    id: 'add',
    title: 'Add a task of your own',
    after: 'Type something you have to do, then Esc.',
    keys: ['task.createBelow'],
    touch: 'Tap +, type something you have to do, then Done.',
  },
  {
    id: 'indent',
    title: 'Put a task under the one above',
    after: '',
    keys: ['task.indent'],
    touch: 'Hold a task until it’s selected, then tap Indent.',
  },
  {
    id: 'complete',
    title: 'Complete a task',
    after: '',
    keys: ['task.complete'],
    touch: 'Swipe a task to the right, or tap its box.',
  },
  {
    id: 'undo',
    title: 'Undo that',
    after: '',
    keys: ['edit.undo'],
    touch: 'Tap Undo.',
  },
  {
    id: 'due',
    title: 'Set a due date',
    after: 'Type fri, then Enter.',
    keys: ['task.due'],
    touch: 'Hold a task, tap Due, type fri.',
  },
  {
    id: 'snooze',
    title: 'Snooze a task',
    after: 'Choose when it comes back.',
    keys: ['task.snooze'],
    touch: 'Swipe a task to the left.',
  },
  {
    id: 'label',
    title: 'Give a task a label',
    after: 'Type a name, then Enter.',
    keys: ['label.pick'],
    touch: 'Hold a task, tap Label, type a name.',
  },
  {
    id: 'palette',
    title: 'Find a command by name',
    after: 'Type what you want, like theme, then Enter.',
    keys: ['palette.open'],
    touch: 'Tap Commands at the top right and type what you want, like theme.',
  },
  {
    id: 'go',
    title: 'Go to another list',
    after: '',
    keys: ['go.inbox', 'go.list'],
    touch: 'Tap Browse, then a list.',
  },
  {
    id: 'focus',
    title: 'Focus on one task, then go back',
    after: '',
    keys: ['task.focusIn', 'task.focusOut'],
    touch: 'Tap a task, then Focus; then go back.',
  },
  {
    id: 'chord',
    title: 'Show what comes after a key',
    after: 'Press the first key and wait.',
    keys: ['go.today'],
    touch: 'You need a keyboard for this one.',
  },
];

/** The step that a command completes. */
const LEARNT: Readonly<Record<string, StepId>> = {
  'task.indent': 'indent',
  'task.complete': 'complete',
  'edit.undo': 'undo',
  'task.due': 'due',
  'task.snooze': 'snooze',
  'task.focusOut': 'focus',
};

export function learntBy(command: string): StepId | null {
  if (/^cursor\.(?:down|up)/.test(command)) return 'move';
  if (/^go\.(?:inbox|list|today|upcoming)$/.test(command)) return 'go';
  return LEARNT[command] ?? null;
}
