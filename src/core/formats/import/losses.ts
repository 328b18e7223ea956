// The report of an import: what the file holds that has no place here, how often, and where it goes instead.
import { counted } from '../../counted.ts';
import type { Loss, LossKind, LossTarget } from './shape.ts';

const MOST_EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 120;

/** A text as an example: one line, cut. */
export function exampleOf(text: string): string {
  const line = text
    .slice(0, EXAMPLE_CHARACTERS * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const signs = [...line];
  return signs.length > EXAMPLE_CHARACTERS ? `${signs.slice(0, EXAMPLE_CHARACTERS - 1).join('')}…` : line;
}

interface Counting {
  readonly what: LossKind;
  readonly field: string;
  readonly becomes: LossTarget;
  count: number;
  readonly examples: string[];
}

/** Counts what has no place here while files are read. */
export class Losses {
  readonly #byKey = new Map<string, Counting>();

  /** Counts one more. The example is a title, or the words that were not understood. */
  add(what: LossKind, field: string, becomes: LossTarget, example = ''): void {
    const key = `${what}\n${field}\n${becomes}`;
    let loss = this.#byKey.get(key);
    if (!loss) {
      loss = { what, field, becomes, count: 0, examples: [] };
      this.#byKey.set(key, loss);
    }
    loss.count += 1;
    if (loss.examples.length >= MOST_EXAMPLES || example === '') return;
    const shown = exampleOf(example);
    if (shown !== '' && !loss.examples.includes(shown)) loss.examples.push(shown);
  }

  /** Those that are gone first, then the most frequent ones. */
  get report(): readonly Loss[] {
    const rank = ({ becomes }: Loss) => (becomes === 'nowhere' ? 0 : 1);
    return [...this.#byKey.values()].toSorted(
      (one, other) => rank(one) - rank(other) || other.count - one.count,
    );
  }
}

/** What is counted: singular, plural. */
const WHAT: Readonly<Record<LossKind, readonly [one: string, many: string]>> = {
  archived: ['archived item', 'archived items'],
  assignee: ['assigned person', 'assigned people'],
  attachment: ['attachment', 'attachments'],
  author: ['author', 'authors'],
  cancelled: ['canceled task', 'canceled tasks'],
  color: ['color', 'colors'],
  column: ['value of an unknown column', 'values of an unknown column'],
  comment: ['comment', 'comments'],
  'completed-moment': ['completion without a time', 'completions without a time'],
  'custom-field': ['custom field', 'custom fields'],
  damaged: ['damaged part', 'damaged parts'],
  date: ['date that couldn’t be read', 'dates that couldn’t be read'],
  deadline: ['deadline beside a date', 'deadlines beside a date'],
  dependency: ['dependency', 'dependencies'],
  depth: ['task below the deepest level', 'tasks below the deepest level'],
  duplicate: ['item with the id of another', 'items with the id of another'],
  duration: ['duration that couldn’t be read', 'durations that couldn’t be read'],
  empty: ['empty item', 'empty items'],
  encoding: ['character that couldn’t be read', 'characters that couldn’t be read'],
  exception: ['exception of a repeat', 'exceptions of repeats'],
  file: ['file that isn’t tasks', 'files that aren’t tasks'],
  flag: ['flag', 'flags'],
  formatting: ['title with formatting', 'titles with formatting'],
  heading: ['heading or section', 'headings or sections'],
  'label-group': ['nested label', 'nested labels'],
  link: ['link in a title', 'links in titles'],
  location: ['place', 'places'],
  'long-name': ['name that is too long', 'names that are too long'],
  'long-text': ['text that is too long', 'texts that are too long'],
  'long-title': ['title that is too long', 'titles that are too long'],
  mention: ['mention of a person', 'mentions of people'],
  mirror: ['mirrored item', 'mirrored items'],
  'not-completable': ['item that can’t be completed there', 'items that can’t be completed there'],
  orphan: ['task whose parent isn’t in the file', 'tasks whose parent isn’t in the file'],
  other: ['other value', 'other values'],
  person: ['person', 'people'],
  priority: ['priority', 'priorities'],
  'project-date': ['date of a project', 'dates of projects'],
  'project-label': ['label of a project', 'labels of projects'],
  reminder: ['reminder', 'reminders'],
  repeat: ['repeat that couldn’t be read', 'repeats that couldn’t be read'],
  'repeat-end': ['end of a repeat', 'ends of repeats'],
  'repeat-start': ['repeat without its next date', 'repeats without their next date'],
  row: ['row of an unknown type', 'rows of an unknown type'],
  someday: ['item for someday', 'items for someday'],
  status: ['unknown status', 'unknown statuses'],
  tombstone: ['deleted item', 'deleted items'],
  trash: ['item in the trash', 'items in the trash'],
  year: ['date without a year', 'dates without a year'],
};

const BECOMES: Readonly<Record<LossTarget, string>> = {
  comment: 'a comment',
  created: 'the day of creation',
  due: 'the due date',
  folder: 'a folder',
  inbox: 'a task in the Inbox',
  label: 'a label',
  list: 'a list',
  'list notes': 'the notes of the list',
  metadata: 'metadata',
  'moved up': 'the deepest level',
  nowhere: 'left out',
  now: 'the time of the import',
  notes: 'the notes',
  open: 'an open task',
  start: 'the start date',
  subtask: 'subtasks',
  task: 'a task',
  title: 'the title',
  today: 'a due date computed from today',
  'top level': 'the top level',
};

/** A line of the report in words: "3 comments (note) → the notes". */
export function lossWords({ what, field, becomes, count }: Loss): string {
  const [one, many] = WHAT[what];
  const named = field === '' ? '' : ` (${field})`;
  return `${counted(count, one, many)}${named} → ${BECOMES[becomes]}`;
}
