// What becomes what, by program, in words: the tables of the guides are made of it, and a test imports a sample of each row
// (test/import/mappings.test.ts). What the readers do is in sources/.

/** A line of such a table. */
export interface Mapping {
  readonly theirs: string;
  readonly ours: string;
}

const rows = (table: Readonly<Record<string, string>>): readonly Mapping[] =>
  Object.entries(table).map(([theirs, ours]) => ({ theirs, ours }));

/** By program. */
export const mappings = {
  todoist: rows({
    project: 'list, without the id in its file name; the Inbox goes to the Inbox',
    section: 'a task at the top level, with the section’s tasks under it',
    'task, subtask': 'task, in the same order and nesting',
    description: 'notes',
    comment: 'notes, with its day and author',
    'attached file': 'a link in the notes',
    'label `@errand`': 'label; one that is here with the same name is used',
    'priority p1 to p3': 'a label in the group *Priority*, where only one sticks',
    'due date': 'due date, in its time zone if it has a time',
    'recurring date `every monday`': 'repeat; the first date is the first one from today',
    '`every! monday`': 'repeat that counts from completion',
    deadline: 'due date; a date beside it becomes the start date',
    duration: 'duration',
    'assigned person': 'text in the notes',
    'collapsed task': 'collapsed task',
  }),
  things: rows({
    area: 'folder',
    project: 'list in the folder of its area',
    heading: 'a task at the top level, with its to-dos under it',
    'to-do': 'task',
    checklist: 'subtasks',
    notes: 'notes',
    tag: 'label; a parent tag becomes a label group',
    'When: a date': 'start date',
    Someday: 'a label *someday*, or a list Someday',
    Deadline: 'due date',
    reminder: 'reminder',
    'Logbook: completed': 'completed, at its moment',
    'Logbook: canceled': 'completed, with a label *cancelled*',
    Inbox: 'Inbox',
  }),
  workflowy: rows({
    item: 'task, with the same order and nesting',
    note: 'notes',
    'completed item': 'completed task',
    '`#tag`': 'label; one that is here with the same name is used',
    '`@person`': 'text in the title',
    date: 'due date',
    'link in a title': 'its text in the title, its address in the notes',
    'bold, italic': 'plain text in titles, Markdown in notes',
    mirror: 'in OPML a copy; in a backup a task that names the item',
    'starred item': 'bookmarked task, from a backup',
  }),
} as const;

/** A program with a table of its own. */
export type MappedProgram = keyof typeof mappings;
