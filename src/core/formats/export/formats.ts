// The table of formats that tasks can be exported in: the app's commands, the command line, backups and the guide are made
// from it. What is lost in each is part of it, and a test reads every file back and compares.
import { dayOf } from '../../dates/keep-time.ts';
import { isInstantWhen, type When } from '../../when.ts';
import type { ExportedEntity, ExportSelection, NamedPeople } from '../exported.ts';
import { exportJson } from '../json.ts';
import { exportMarkdown } from '../markdown.ts';
import { priorityGroup, writeCalendar } from './calendar.ts';
import { writeCsv } from './csv.ts';
import { type Fate, type Fates, inNotes, inWords, leftOut, type Loss } from './fates.ts';
import { type ExportKind, exportKinds, type ExportName, exportNames } from './names.ts';
import { writeOpml } from './opml.ts';
import { writeOrg } from './org.ts';
import { letterOf, recOf, wordOf, writeTodoTxt } from './todo-txt.ts';
import { aboutLines, type OutList, type OutTask, outTree } from './tree.ts';

/** What an export is made of. */
export interface ExportInput {
  readonly entities: readonly ExportedEntity[];
  readonly selection: ExportSelection;
  readonly people?: NamedPeople;
  /** IANA zone of the person, in which moments have their days. */
  readonly zone: string;
}

/** A format that tasks can be exported in. */
export interface ExportFormat extends ExportKind {
  readonly name: ExportName;
  /** The text of a file. The same content gives the same text. */
  readonly write: (input: ExportInput) => string;
  readonly fates: Fates;
}

const treeOf = ({ entities, selection, people = new Map() }: ExportInput) =>
  outTree(entities, selection, people);

const taskKept = (fate: Fate<OutTask>): Fates['tasks'] => ({
  title: fate,
  notes: fate,
  nesting: fate,
  done: fate,
  doneAt: fate,
  createdAt: fate,
  due: fate,
  start: fate,
  snooze: fate,
  repeat: fate,
  duration: fate,
  labels: fate,
  groups: fate,
  reminders: fate,
  metadata: fate,
  isBookmarked: fate,
  isCollapsed: fate,
});
const listKept = (fate: Fate<OutList>): Fates['lists'] => ({
  list: fate,
  folders: fate,
  listNotes: fate,
  isShared: fate,
  archivedAt: fate,
  listBookmark: fate,
});
const othersAre = (fate: Fate<never>): Fates['others'] => ({
  about: fate,
  empty: fate,
  smart: fate,
  past: fate,
  settings: fate,
  trash: fate,
});

const marked: Loss<unknown> = { says: 'marked' };
/** What a program that reads titles as one line takes away. */
const trimmed: Loss<OutTask> = {
  says: 'yes, without spaces at the ends',
  when: ({ title }) => title !== title.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim(),
};
const withAbout: Loss<OutTask> = {
  says: 'yes, with the assignee, comments and file names below',
  when: (task) => aboutLines(task).length > 0,
};
/** A reminder before a due date that is not there never rings, and is not taken in. */
const ringing: Loss<OutTask> = {
  says: 'yes, but for those that never ring',
  when: ({ due, reminders }) => due === null && reminders.some((reminder) => 'before' in reminder),
};
const expanded: Loss<OutTask> = {
  says: 'yes, of tasks with subtasks',
  when: ({ hasChildren }) => !hasChildren,
};
const dated = { says: 'the day' } as const;

/** Formats of our own attributes and columns. */
const whole = (about: Fate<never>, notes: Fate<OutTask>): Fates => ({
  tasks: {
    ...taskKept('kept'),
    title: trimmed,
    notes,
    reminders: ringing,
    isCollapsed: expanded,
    isBookmarked: { says: 'yes, without its time', when: () => false },
  },
  lists: { ...listKept('kept'), isShared: marked },
  others: { ...othersAre(leftOut), about, empty: 'kept' },
});

const hasFraction = (when: When | null) => when !== null && isInstantWhen(when) && when.at % 1_000 !== 0;
const toTheSecond = (name: 'due' | 'start'): Loss<OutTask> => ({
  says: 'yes, to the second',
  when: ({ [name]: when }) => hasFraction(when),
});
const seconds = { says: 'to the second' } as const;

const calendarFates: Fates = {
  tasks: {
    ...taskKept('kept'),
    title: trimmed,
    notes: withAbout,
    doneAt: { ...seconds, when: ({ done }) => done !== null && done % 1_000 !== 0 },
    createdAt: { ...seconds, when: ({ createdAt }) => createdAt % 1_000 !== 0 },
    due: toTheSecond('due'),
    start: {
      says: 'yes; for us alone if it’s after the due date or of another kind',
      when: ({ start }) => hasFraction(start),
    },
    snooze: { says: 'yes, for us alone', when: () => false },
    repeat: {
      says: 'yes, as an RRULE where there is one; others as a comment, for us exactly',
      when: () => false,
    },
    duration: { says: 'yes, as an estimate', when: () => false },
    labels: { says: 'yes; those of a group *Priority* as the priority', when: () => false },
    groups: { says: 'yes, for us alone', when: () => false },
    reminders: {
      says: 'yes, as alarms; at days and floating times for us alone',
      when: (task) =>
        (ringing.when?.(task) ?? false) ||
        task.reminders.some((reminder) => 'when' in reminder && hasFraction(reminder.when)),
    },
    metadata: { says: 'yes, for us alone', when: () => false },
    isBookmarked: { says: 'yes, for us alone', when: () => false },
    isCollapsed: { ...expanded, says: 'yes, for us alone' },
  },
  lists: {
    ...listKept('kept'),
    list: { says: 'yes, for us alone: others see one calendar', when: () => false },
    folders: { says: 'yes, for us alone', when: () => false },
    listNotes: leftOut,
    isShared: { says: 'marked, for us alone' },
    archivedAt: leftOut,
    listBookmark: leftOut,
  },
  others: { ...othersAre(leftOut), about: inNotes },
};

const MINUTE = 60_000;
/** Org has minutes, and the clock of the zone shows some of them twice. */
function isOrgTime(when: When | null): boolean {
  if (when === null || 'on' in when) return true;
  if ('local' in when) return when.local.length === 16 || when.local.endsWith(':00');
  const wall = Temporal.Instant.fromEpochMilliseconds(when.at)
    .toZonedDateTimeISO(when.zone)
    .toPlainDateTime();
  return when.at % MINUTE === 0 && wall.toZonedDateTime(when.zone).epochMilliseconds === when.at;
}
const minutes = { says: 'to the minute' } as const;

const orgFates: Fates = {
  tasks: {
    ...taskKept('kept'),
    title: trimmed,
    notes: withAbout,
    doneAt: { ...minutes },
    createdAt: { ...minutes },
    due: { says: 'yes, to the minute', when: ({ due }) => !isOrgTime(due) },
    start: { says: 'yes, to the minute', when: ({ start }) => !isOrgTime(start) },
    repeat: { says: 'yes; what Org has no repeater for as a property', when: () => false },
    reminders: { ...ringing, says: 'yes; one of whole days as a warning, others as a property' },
    isCollapsed: expanded,
  },
  lists: { ...listKept('kept'), isShared: marked, archivedAt: { ...minutes } },
  others: { ...othersAre(leftOut), about: inNotes, empty: 'kept' },
};

const isWord = (name: string) => wordOf(name) === name;

const todoTxtFates: Fates = {
  tasks: {
    ...taskKept(leftOut),
    title: {
      says: 'yes, with single spaces',
      when: ({ title }) => title.trim() === '' || /\s{2,}|^\s|\s$|[^\S ]/u.test(title),
    },
    nesting: { says: 'yes, by `id:` and `p:`', when: () => false },
    done: 'kept',
    doneAt: dated,
    createdAt: dated,
    due: { says: 'the day', when: ({ due }) => due !== null && !('on' in due) },
    start: {
      says: 'the day, if it isn’t the due day',
      when: ({ start, due }) =>
        start !== null && (!('on' in start) || (due !== null && dayOf(due) === start.on)),
    },
    repeat: {
      says: 'days, weeks, months, years, weekdays',
      when: ({ repeat }) =>
        repeat !== null && (recOf(repeat) === null || repeat.missed !== 'skip' || repeat.anchorDay !== null),
    },
    labels: {
      says: 'yes, as `@label`, with `_` for spaces',
      when: (task) =>
        task.labels.some(
          ({ name, group }) => !isWord(name) || (group === priorityGroup && name !== letterOf(task)),
        ),
    },
    groups: {
      says: 'only *Priority*, with letters from A to Z',
      when: ({ labels }) => labels.some(({ group, name }) => group !== null || !isWord(name)),
    },
  },
  lists: {
    ...listKept(leftOut),
    list: { says: 'yes, as `+list`, with `_` for spaces', when: ({ name }) => !isWord(name) },
  },
  others: othersAre(leftOut),
};

const markdownFates: Fates = {
  tasks: {
    ...taskKept(inWords),
    title: trimmed,
    notes: { says: 'yes' },
    nesting: 'kept',
    done: 'kept',
    doneAt: leftOut,
    createdAt: leftOut,
    groups: leftOut,
    reminders: leftOut,
    metadata: leftOut,
    isBookmarked: leftOut,
    isCollapsed: leftOut,
  },
  lists: {
    ...listKept(leftOut),
    list: { says: 'as a heading' },
    folders: { says: 'as headings' },
    listNotes: { says: 'yes' },
    isShared: inWords,
    archivedAt: inWords,
  },
  others: { ...othersAre(leftOut), about: inWords, empty: inWords, smart: inWords },
};

const table: Readonly<Record<ExportName, Pick<ExportFormat, 'write' | 'fates'>>> = {
  json: {
    write: ({ entities, selection, people }) => exportJson(entities, selection, people),
    fates: {
      tasks: taskKept('kept'),
      lists: { ...listKept('kept'), isShared: marked },
      others: { ...othersAre('kept'), about: { says: 'yes; of files their names' } },
    },
  },
  markdown: {
    write: ({ entities, selection, people }) => exportMarkdown(entities, selection, people),
    fates: markdownFates,
  },
  csv: {
    write: (input) => writeCsv(treeOf(input)),
    fates: whole({ says: 'in a column' }, withAbout),
  },
  opml: {
    write: (input) => writeOpml(treeOf(input)),
    fates: whole(inNotes, withAbout),
  },
  ics: {
    write: (input) => writeCalendar(treeOf(input)),
    fates: calendarFates,
  },
  org: {
    write: (input) => writeOrg(treeOf(input), input.zone),
    fates: orgFates,
  },
  todotxt: {
    write: (input) => writeTodoTxt(treeOf(input), input.zone),
    fates: todoTxtFates,
  },
};

/** The format of this name. */
export function exportFormat(name: ExportName): ExportFormat {
  return { name, ...exportKinds[name], ...table[name] };
}

/** All formats; the first two are those to keep and to read. */
export const exportFormats: readonly ExportFormat[] = exportNames.map(exportFormat);
