// The operators of the search language: names, aliases, values and descriptions. The parser, completion, the
// explanation and the documentation read this one table.
import { scalarNames, sortFields } from '../model.ts';
import { eachScalar, scalarField } from '../task-fields.ts';
import type { DateField, Possession, SearchSortField, Trait } from './query.ts';

export type OperatorKind =
  | 'place'
  | 'label'
  | 'group'
  | 'person'
  | 'is'
  | 'has'
  | 'date'
  | 'scalar'
  | 'text'
  | 'meta'
  | 'sort'
  | 'limit'
  | 'view';

/** An operator of the search language. */
export interface Operator {
  readonly name: string;
  /** Names of the same operator in other programs. */
  readonly aliases: readonly string[];
  readonly kind: OperatorKind;
  readonly description: string;
  readonly example: string;
  /** Its values, if they can be listed. */
  readonly values: readonly string[];
}

/** The values of `is:`, with a description for completion. */
export const traits: Readonly<Record<Trait, string>> = {
  complete: 'completed',
  incomplete: 'not completed',
  cleared: 'completed and cleared',
  uncleared: 'completed, not cleared yet',
  overdue: 'due before now and not completed',
  due: 'due today or earlier and not completed',
  started: 'started, or without a start date',
  future: 'starting later',
  snoozed: 'snoozed now',
  repeating: 'repeating',
  bookmarked: 'bookmarked',
  shared: 'in a shared list',
  nested: 'under another task',
  parent: 'with subtasks',
  leaf: 'without subtasks',
  emailed: 'arrived by email',
  archived: 'in an archived list',
};

/** The values of `has:`, with a description for completion. */
export const possessions: Readonly<Record<Possession, string>> = {
  due: 'a due date',
  start: 'a start date',
  snooze: 'a snooze date',
  notes: 'notes',
  label: 'a label',
  ...eachScalar((_, { noun }) => noun),
  block: 'a time block',
  attachment: 'an attachment',
  assignee: 'somebody who does it',
  comment: 'a comment',
  link: 'a link',
  children: 'subtasks',
  metadata: 'metadata',
};

/** Other words for a trait. */
export const traitAliases: Readonly<Record<string, Trait>> = {
  completed: 'complete',
  done: 'complete',
  open: 'incomplete',
  todo: 'incomplete',
  active: 'incomplete',
  late: 'overdue',
  past: 'overdue',
  today: 'due',
  recurring: 'repeating',
  starred: 'bookmarked',
  subtask: 'nested',
  child: 'nested',
  deferred: 'future',
};

export const possessionAliases: Readonly<Record<string, Possession>> = {
  note: 'notes',
  blocks: 'block',
  labels: 'label',
  tag: 'label',
  tags: 'label',
  attachments: 'attachment',
  file: 'attachment',
  assigned: 'assignee',
  person: 'assignee',
  comments: 'comment',
  links: 'link',
  url: 'link',
  subtasks: 'children',
  child: 'children',
  date: 'due',
  deadline: 'due',
  meta: 'metadata',
};

/** What can be sorted by, under all its names. */
export const sortNames: Readonly<Record<string, SearchSortField>> = {
  ...Object.fromEntries([...sortFields, 'assignee' as const].map((field) => [field, field])),
  due: 'due-date',
  start: 'start-date',
  created: 'creation-date',
  title: 'alphabetically',
  name: 'alphabetically',
  assigned: 'assignee',
  person: 'assignee',
};

export const dateFields: readonly DateField[] = [
  'due',
  'start',
  'snoozed',
  'completed',
  'created',
  'updated',
  'block',
];

const DATE_VALUES = [
  'today',
  'tomorrow',
  'yesterday',
  '"this week"',
  'next-week',
  '<today',
  '>today',
  'none',
  'any',
];

function dates(name: DateField, aliases: readonly string[], what: string): Operator {
  return {
    name,
    aliases,
    kind: 'date',
    description: `${what}: a day (next-week), a comparison, a range (mon..fri), none or any`,
    example: `${name}:<=friday`,
    values: DATE_VALUES,
  };
}

/** All operators, in the order in which completion and the documentation list them. */
export const operators: readonly Operator[] = [
  {
    name: 'in',
    aliases: ['under', 'project'],
    kind: 'place',
    description: 'in a list or folder, or under a task, by name, path or id',
    example: 'in:Work/Reports',
    values: [],
  },
  {
    name: 'list',
    aliases: [],
    kind: 'place',
    description: 'in a list of this name',
    example: 'list:Inbox',
    values: [],
  },
  {
    name: 'folder',
    aliases: [],
    kind: 'place',
    description: 'in a list of this folder',
    example: 'folder:Work',
    values: [],
  },
  {
    name: 'label',
    aliases: ['tag', 'labels'],
    kind: 'label',
    description: 'with this label; none for tasks without any',
    example: 'label:High',
    values: ['none', 'any'],
  },
  {
    name: 'group',
    aliases: [],
    kind: 'group',
    description: 'with a label of this group',
    example: 'group:Priority',
    values: [],
  },
  {
    name: 'assignee',
    aliases: ['assigned', 'who'],
    kind: 'person',
    description: 'assigned to a person, by the beginning of a name; me, none or any',
    example: 'assignee:me',
    values: ['me', 'none', 'any'],
  },
  {
    name: 'is',
    aliases: [],
    kind: 'is',
    description: 'what a task is',
    example: 'is:overdue',
    values: Object.keys(traits),
  },
  {
    name: 'has',
    aliases: ['with'],
    kind: 'has',
    description: 'what a task has',
    example: 'has:notes',
    values: Object.keys(possessions),
  },
  dates('due', ['deadline', 'date'], 'due'),
  dates('start', ['starts', 'defer'], 'starting'),
  dates('snoozed', ['snooze'], 'snoozed until'),
  dates('completed', ['done'], 'completed'),
  dates('created', ['added'], 'created'),
  dates('updated', ['changed', 'modified'], 'changed'),
  dates('block', ['planned', 'blocks'], 'planned with a time block'),
  ...scalarNames.map((name): Operator => ({ name, kind: 'scalar', ...scalarField(name).operator })),
  {
    name: 'title',
    aliases: ['name'],
    kind: 'text',
    description: 'words in the title',
    example: 'title:"quarterly report"',
    values: [],
  },
  {
    name: 'notes',
    aliases: ['note', 'body'],
    kind: 'text',
    description: 'words in the notes',
    example: 'notes:invoice',
    values: [],
  },
  {
    name: 'meta',
    aliases: ['metadata'],
    kind: 'meta',
    description: 'a metadata entry, with or without its value',
    example: 'meta:ticket=42',
    values: [],
  },
  {
    name: 'sort',
    aliases: ['order'],
    kind: 'sort',
    description: 'the order of the results; add -desc to reverse it',
    example: 'sort:due-date-desc',
    values: [...sortFields, 'assignee'],
  },
  {
    name: 'limit',
    aliases: ['top'],
    kind: 'limit',
    description: 'the most results to show',
    example: 'limit:10',
    values: [],
  },
  {
    name: 'disable',
    aliases: [],
    kind: 'view',
    description: 'leaves out subtasks of a match (nested), or tasks shown twice (duplicates)',
    example: 'disable:nested',
    values: ['nested', 'duplicates'],
  },
  {
    name: 'enable',
    aliases: [],
    kind: 'view',
    description: 'shows subtasks of a match (nested), or tasks shown twice (duplicates)',
    example: 'enable:duplicates',
    values: ['nested', 'duplicates'],
  },
];

const byName: ReadonlyMap<string, Operator> = new Map(
  operators.flatMap((operator) =>
    [operator.name, ...operator.aliases].map((name) => [name, operator] as const),
  ),
);

/** The operator with this name or alias, in lower case. */
export function operatorNamed(name: string): Operator | undefined {
  return byName.get(name);
}

/** The candidate with the smallest edit distance, at most two; null when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  let best: { readonly word: string; readonly away: number } | null = null;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > 2) continue;
    const away = distance(word, candidate);
    if (away <= 2 && away < candidate.length && (best === null || away < best.away))
      best = { word: candidate, away };
  }
  return best?.word ?? null;
}

/** Edit distance (Levenshtein) by rows. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
