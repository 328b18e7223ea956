// Macros to begin with: each does something that people do every week, and shows one thing that macros can do.
import type { MacroContent, Step } from './macro.ts';

const step = (command: string, words: Readonly<Record<string, string>> = {}): Step => ({
  type: 'command',
  command,
  answers: Object.fromEntries(Object.entries(words).map(([name, each]) => [name, { words: each }])),
  note: '',
});

function example(name: string, steps: readonly Step[], asked: readonly string[] = []): MacroContent {
  const variables = asked.map((variable) => ({ name: variable, value: '', isAsked: true }));
  return { name, steps, variables, takesLinks: false };
}

const LINES_OF_NOTES = `function updateVariables(variables, state) {
  const [task] = state.selectedTasks;
  const lines = (task?.notes ?? '').split('\\n').filter((line) => line.trim() !== '');
  return { ...variables, lines: lines.join('\\n') };
}
`;

/** In the order in which they are offered. */
export const examples: readonly MacroContent[] = [
  example('Move to tomorrow', [step('task.due', { value: 'tomorrow' })]),
  example('Plan for today', [
    step('task.due', { value: 'today' }),
    step('task.duration', { value: '25m' }),
    step('label.put', { name: 'Planned' }),
  ]),
  example(
    'Waiting for someone',
    [
      step('label.put', { name: 'Waiting' }),
      step('task.appendNotes', { text: 'Waiting for {{who}} since {{today}}.' }),
      step('task.snooze', { value: 'in 3 days' }),
    ],
    ['who'],
  ),
  example('Someday', [
    step('task.due', { value: 'none' }),
    step('task.start', { value: 'none' }),
    step('label.put', { name: 'Someday' }),
  ]),
  example('Done, and follow up in a week', [
    step('task.complete'),
    step('task.addTo', { list: 'Inbox', text: 'Follow up: {{selection.title}} in 1 week' }),
  ]),
  example('Complete and clear', [step('task.complete'), step('task.clear')]),
  example('Turn notes into subtasks', [
    { type: 'script', source: LINES_OF_NOTES, note: 'takes the lines of the notes' },
    step('task.addUnder', { text: '{{lines}}' }),
    step('task.setNotes', { text: 'These notes are the subtasks now.' }),
  ]),
  example(
    'New client',
    [
      step('list.create', { name: '{{client}}' }),
      step('task.addTo', { list: '{{client}}', text: 'Send the contract to {{client}} tomorrow' }),
      step('task.addTo', { list: '{{client}}', text: 'First meeting with {{client}} in 1 week' }),
      step('task.addTo', { list: '{{client}}', text: 'First invoice for {{client}} in 1 month' }),
    ],
    ['client'],
  ),
  example(
    'Plan a trip',
    [
      step('list.create', { name: 'Trip to {{place}}' }),
      step('task.addTo', { list: 'Trip to {{place}}', text: 'Book the way to {{place}} today' }),
      step('task.addTo', { list: 'Trip to {{place}}', text: 'Find somewhere to stay in {{place}} tomorrow' }),
      step('task.addTo', { list: 'Trip to {{place}}', text: 'Pack' }),
    ],
    ['place'],
  ),
  example('Weekly review', [
    step('selection.found', { query: 'is:overdue' }),
    step('task.due', { value: 'today' }),
    step('task.addTo', { list: 'Inbox', text: 'Review of the week, {{today}}' }),
    step('go.today'),
  ]),
];
