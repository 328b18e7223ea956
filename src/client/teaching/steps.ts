// What is learnt by doing, in order. The first five are those of a day's work; each is known by what the person does, wherever
// and however they do it.

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
  /** What to do, as the title of a task. */
  readonly title: string;
  /** What comes after the key; empty: nothing. */
  readonly after: string;
  /** Commands whose keys are shown. */
  readonly keys: readonly string[];
  /** How a finger does it. */
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
    after: 'Type something that you have to do, then Esc.',
    keys: ['task.createBelow'],
    touch: 'Tap +, type something that you have to do, then Done.',
  },
  {
    id: 'indent',
    title: 'Put a task under the one above',
    after: '',
    keys: ['task.indent'],
    touch: 'Hold a task until it is selected, then tap Indent.',
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
    title: 'Take that back',
    after: '',
    keys: ['edit.undo'],
    touch: 'Tap Undo.',
  },
  {
    id: 'due',
    title: 'Say when a task is due',
    after: 'Type fri, then Enter.',
    keys: ['task.due'],
    touch: 'Hold a task, tap Due, type fri.',
  },
  {
    id: 'snooze',
    title: 'Let a task sleep until another day',
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
    title: 'Run a command by its name',
    after: 'Type what you look for, such as theme, then Enter.',
    keys: ['palette.open'],
    touch: 'Tap Commands at the top right and type what you look for, such as theme.',
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
    title: 'Focus on one task, and leave it again',
    after: '',
    keys: ['task.focusIn', 'task.focusOut'],
    touch: 'Tap a task, then Focus; then go back.',
  },
  {
    id: 'chord',
    title: 'Press a first key and read what may follow',
    after: 'Wait a moment after the first.',
    keys: ['go.today'],
    touch: 'That one is for keyboards.',
  },
];

/** What a command that has been done shows to be known. */
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
