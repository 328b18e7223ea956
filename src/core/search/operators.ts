// The operators of the search language: names, aliases, values and what they mean. The parser, the completion, the
// explanation and the documentation read this one table.
import type { DateField, Possession, SortField, Trait } from './query.ts';

export type OperatorKind =
  | 'place'
  | 'label'
  | 'group'
  | 'is'
  | 'has'
  | 'date'
  | 'duration'
  | 'text'
  | 'meta'
  | 'sort'
  | 'limit'
  | 'view';

export interface Operator {
  readonly name: string;
  /** Names that other programs use for the same. */
  readonly aliases: readonly string[];
  readonly kind: OperatorKind;
  readonly description: string;
  readonly example: string;
  /** The values it takes, where they can be listed. */
  readonly values: readonly string[];
}

export const traits: Readonly<Record<Trait, string>> = {
  complete: 'completed',
  incomplete: 'not completed',
  cleared: 'completed and cleared away',
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
  parent: 'with tasks under it',
  leaf: 'without tasks under it',
  emailed: 'arrived by e-mail',
  archived: 'in an archived list',
};

export const possessions: Readonly<Record<Possession, string>> = {
  due: 'a due date',
  start: 'a start date',
  snooze: 'a snooze date',
  notes: 'notes',
  label: 'a label',
  duration: 'a duration',
  attachment: 'an attachment',
  link: 'a link',
  children: 'tasks under it',
  metadata: 'metadata',
};

/** Other words for the same trait. */
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
  labels: 'label',
  tag: 'label',
  tags: 'label',
  attachments: 'attachment',
  file: 'attachment',
  links: 'link',
  url: 'link',
  subtasks: 'children',
  child: 'children',
  date: 'due',
  deadline: 'due',
  meta: 'metadata',
};

export const sortFields: Readonly<Record<string, SortField>> = {
  'due-date': 'due-date',
  due: 'due-date',
  'start-date': 'start-date',
  start: 'start-date',
  'creation-date': 'creation-date',
  created: 'creation-date',
  alphabetically: 'alphabetically',
  title: 'alphabetically',
  name: 'alphabetically',
  label: 'label',
  duration: 'duration',
};

export const dateFields: readonly DateField[] = [
  'due',
  'start',
  'snoozed',
  'completed',
  'created',
  'updated',
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
  {
    name: 'duration',
    aliases: ['length', 'estimate'],
    kind: 'duration',
    description: 'how long it takes',
    example: 'duration:<=30m',
    values: ['<=15m', '<=30m', '>1h', 'none', 'any'],
  },
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
    description: 'the order of the results; add -desc to turn it round',
    example: 'sort:due-date-desc',
    values: ['due-date', 'start-date', 'creation-date', 'alphabetically', 'label', 'duration'],
  },
  {
    name: 'limit',
    aliases: ['top'],
    kind: 'limit',
    description: 'at most so many results',
    example: 'limit:10',
    values: [],
  },
  {
    name: 'disable',
    aliases: [],
    kind: 'view',
    description: 'leaves out tasks under a match (nested), or those shown twice (duplicates)',
    example: 'disable:nested',
    values: ['nested', 'duplicates'],
  },
  {
    name: 'enable',
    aliases: [],
    kind: 'view',
    description: 'shows tasks under a match (nested), or those shown twice (duplicates)',
    example: 'enable:duplicates',
    values: ['nested', 'duplicates'],
  },
];

const byName: ReadonlyMap<string, Operator> = new Map(
  operators.flatMap((operator) =>
    [operator.name, ...operator.aliases].map((name) => [name, operator] as const),
  ),
);

/** By any of its names, written in lower case. */
export function operatorNamed(name: string): Operator | undefined {
  return byName.get(name);
}

/** The nearest of some words, at most two letters away; null when none is near. */
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
