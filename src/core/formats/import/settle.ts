// Settles what readers found: dates and repeats in words become dates and rules or stay in the notes, texts are fitted,
// labels gathered, ids made unique. Whatever finds no place is counted. Any depth, linear in the tasks.
import { readRepeat } from '../../dates/repeat-phrase.ts';
import { seriesStart } from '../../dates/repeat-start.ts';
import { english } from '../../dates/vocabulary.ts';
import { limits, type RepeatRule, scalarNames } from '../../model.ts';
import { reminderLimits, registerOf, type Reminder } from '../../reminders.ts';
import { readScalar } from '../../scalar-readers.ts';
import { fold } from '../../search/fold.ts';
import { scalarField, type ScalarValue } from '../../task-fields.ts';
import { isWhen, momentOf, type When } from '../../when.ts';
import { DateReader, floating, zoneOr } from './dates.ts';
import type { RawDate, RawFile, RawLabel, RawList, RawRepeat, RawTask, Tools } from './draft.ts';
import { paragraphs } from './draft.ts';
import { fitKey, fitMetadata, fitName, fitNotes, fitTitle, storable } from './fit.ts';
import type { ImportedLabel, ImportedList, ImportedTask } from './shape.ts';

type Draft = { -readonly [Name in keyof ImportedTask]: ImportedTask[Name] } & { children: Draft[] };

/** What the readers found, ready to be imported. */
export interface Settled {
  readonly lists: readonly ImportedList[];
  readonly labels: readonly ImportedLabel[];
  readonly hasIds: boolean;
  readonly tasks: number;
}

/** Ends that a repeat cannot hold here: "until 3 May", "for 3 weeks". */
const REPEAT_END = /\s+(?:until|till|ending|ends?(?: on)?)\s+(?!of\b).+?$|\s+for\s+\d+\s+\p{L}+$/iu;
const REPEAT_START = /\s+(?:starting|from|beginning)(?:\s+on)?\s+(.+)$/i;
const AFTER = /^after\s+(?=\d|an?\s)/i;
const IS_REPEAT =
  /^(?:every|ev\b|after\s+(?:\d+|an?)\s|daily|weekly|monthly|yearly|annually|quarterly|each\s)/i;
/** The title of a task that only has notes. */
const UNTITLED = 'Untitled';
const isSame = (one: When | null, other: When | null) =>
  one !== null && JSON.stringify(one) === JSON.stringify(other);

/** Whether words of a due date are a repeat, in English. */
export const isRepeatWords = (words: string) => IS_REPEAT.test(words.trim());

class Settling {
  readonly #tools: Tools;
  readonly #dates: DateReader;
  readonly #labels = new Map<string, ImportedLabel>();
  readonly #ids = new Set<string>();
  readonly #listIds = new Set<string>();
  /** How often an id was there, so that many equal ones cost no more. */
  readonly #again = new Map<string, number>();
  hasIds = true;
  count = 0;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#dates = new DateReader(tools.context.phrase);
  }

  get labels(): readonly ImportedLabel[] {
    return [...this.#labels.values()];
  }

  /** The key of a label. A second look at the same one adds what the first did not know. */
  label(
    { name, group = null }: RawLabel,
    color: string | null = null,
    hotkey: string | null = null,
  ): string | null {
    const fitted = fitName(name);
    if (fitted.text === '') return null;
    if (fitted.rest !== '') this.#tools.losses.add('long-name', '', 'nowhere', name);
    const inGroup = group === null ? null : fitName(group).text || null;
    const key = `${inGroup === null ? '' : fold(inGroup)}/${fold(fitted.text)}`;
    const known = this.#labels.get(key);
    if (!known) this.#labels.set(key, { key, name: fitted.text, group: inGroup, color, hotkey });
    else if ((known.color === null && color !== null) || (known.hotkey === null && hotkey !== null))
      this.#labels.set(key, { ...known, color: known.color ?? color, hotkey: known.hotkey ?? hotkey });
    return key;
  }

  #idOf(id: string | null, seen: Set<string>, title: string): string | null {
    if (id === null) {
      this.hasIds = false;
      return null;
    }
    let unique = id;
    while (seen.has(unique)) {
      const again = (this.#again.get(id) ?? 1) + 1;
      this.#again.set(id, again);
      unique = `${id}#${again}`;
    }
    if (unique !== id) this.#tools.losses.add('duplicate', '', 'task', title);
    seen.add(unique);
    return unique;
  }

  list(raw: RawList, fileName: string): ImportedList {
    const { losses } = this.#tools;
    const named = fitName(raw.name ?? '');
    const name = named.text || fitName(fileName).text || 'Imported';
    if (named.rest !== '') losses.add('long-name', '', 'nowhere', named.text);
    if (raw.color !== null) losses.add('color', '', 'nowhere', name);
    const id = this.#idOf(raw.isInbox && raw.id === null ? `inbox` : raw.id, this.#listIds, name);
    const notes = fitNotes(raw.notes);
    if (notes.rest !== '') losses.add('long-text', '', 'nowhere', name);
    return {
      id,
      name,
      folders: raw.folders.map((folder) => ({ id: folder.id, name: fitName(folder.name).text || 'Folder' })),
      notes: notes.text,
      isInbox: raw.isInbox,
      archivedAt:
        raw.archived === null ? null : (this.#dates.moment(raw.archived, raw.writtenAt) ?? this.#now),
      isBookmarked: raw.isBookmarked,
      color: raw.color,
      tasks: this.#tasks(raw),
    };
  }

  get #now(): number {
    return this.#tools.context.phrase.now;
  }

  /** Without recursion, so that depth costs nothing. */
  #tasks(list: RawList): readonly ImportedTask[] {
    const root: Draft[] = [];
    const open: Draft[] = [];
    const waiting: { readonly raw: RawTask; readonly level: number }[] = [];
    const push = (tasks: readonly RawTask[], level: number) => {
      for (let at = tasks.length - 1; at >= 0; at -= 1) {
        const raw = tasks[at];
        if (raw) waiting.push({ raw, level });
      }
    };
    push(list.tasks, 1);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { raw, level } = next;
      if (level > limits.depth) this.#tools.losses.add('depth', '', 'moved up', raw.title);
      const task = this.#task(raw, list);
      open.length = Math.min(level, limits.depth, open.length + 1) - 1;
      (open.at(-1)?.children ?? root).push(task);
      open.push(task);
      this.count += 1;
      push(raw.children, level + 1);
    }
    return root;
  }

  #task(raw: RawTask, { writtenAt }: RawList): Draft {
    const { losses } = this.#tools;
    const title = fitTitle(raw.title);
    if (title.text.length + title.rest.length > 0 && title.rest.length > limits.titleCodePoints)
      losses.add('long-title', '', 'notes', title.text);
    const unread: string[] = [];
    const dates = this.#datesOf(raw, writtenAt, unread);
    const scalars = this.#scalars(raw, unread);
    const metadata = this.#metadata(raw, unread);
    const notes = fitNotes(paragraphs(title.rest, raw.notes, unread.join('\n')));
    if (notes.rest !== '') losses.add('long-text', '', 'nowhere', title.text);
    const doneAt = raw.done?.at ? this.#dates.moment(raw.done.at, writtenAt) : null;
    if (raw.done && doneAt === null) losses.add('completed-moment', '', 'now', title.text);
    return {
      id: this.#idOf(raw.id, this.#ids, title.text),
      title: title.text === '' && notes.text !== '' ? UNTITLED : title.text,
      notes: notes.text,
      done: raw.done === null ? null : { at: doneAt },
      createdAt: raw.created === null ? null : this.#dates.moment(raw.created, writtenAt),
      ...dates,
      scalars,
      priority: raw.priority,
      isHeading: raw.isHeading,
      labels: [...new Set(raw.labels.flatMap((label) => this.label(label) ?? []))],
      reminders: this.#reminders(raw, dates.due !== null),
      snooze: raw.snooze === null ? null : this.#dates.read(raw.snooze, writtenAt),
      metadata,
      isCollapsed: raw.isCollapsed,
      isBookmarked: raw.isBookmarked,
      children: [],
    };
  }

  #datesOf(
    raw: RawTask,
    writtenAt: number | null,
    unread: string[],
  ): { due: When | null; start: When | null; repeat: RepeatRule | null } {
    const take = (date: RawDate | null, label: string): When | null => {
      if (date === null || ('words' in date && date.words.trim() === '')) return null;
      const when = this.#dates.read(date, writtenAt);
      if (when === null) {
        const words = 'words' in date ? date.words.trim() : JSON.stringify(date.when);
        unread.push(`${label}: ${words}`);
        this.#tools.losses.add('date', label, 'notes', words);
      }
      return when;
    };
    const saysRepeat =
      raw.repeat === null && raw.due !== null && 'words' in raw.due && isRepeatWords(raw.due.words);
    let due = saysRepeat ? null : take(raw.due, 'Due');
    let start = take(raw.start, 'Start');
    const deadline = take(raw.deadline, 'Deadline');
    const said = saysRepeat ? raw.due : raw.repeat;
    const repeat = said === null ? null : this.#repeat(said, { raw, due, start, writtenAt }, unread);
    if (repeat !== null && due === null && start === null) due = repeat.first;
    // Some programs write the same date twice: such a task would be hidden until it is due.
    if (!raw.isOwn && isSame(start, due)) start = null;
    if (deadline !== null) ({ due, start } = this.#withDeadline({ due, start, deadline }, raw, unread));
    return { due, start, repeat: repeat?.rule ?? null };
  }

  #withDeadline(
    { due, start, deadline }: { due: When | null; start: When | null; deadline: When },
    raw: RawTask,
    unread: string[],
  ): { due: When | null; start: When | null } {
    if (due === null) return { due: deadline, start };
    if (isSame(due, deadline)) return { due, start };
    const { zone } = this.#tools.context.phrase;
    const repeats =
      raw.repeat !== null || (raw.due !== null && 'words' in raw.due && isRepeatWords(raw.due.words));
    if (start !== null || repeats || momentOf(deadline, zone) < momentOf(due, zone)) {
      unread.push(`Deadline: ${wordsOf(deadline)}`);
      this.#tools.losses.add('deadline', '', 'notes', raw.title);
      return { due, start };
    }
    this.#tools.losses.add('deadline', '', 'due', raw.title);
    return { due: deadline, start: due };
  }

  #repeat(
    said: RawDate | RawRepeat,
    {
      raw,
      due,
      start,
      writtenAt,
    }: { raw: RawTask; due: When | null; start: When | null; writtenAt: number | null },
    unread: string[],
  ): { readonly rule: RepeatRule; readonly first: When | null } | null {
    const { losses, context } = this.#tools;
    const today: When = { on: dayOfNow(context.phrase.now, context.phrase.zone) };
    if ('rule' in said) {
      if (due === null && start === null) losses.add('repeat-start', '', 'today', raw.title);
      return { rule: said.rule, first: today };
    }
    if (!('words' in said)) return null;
    const words = said.words.trim();
    if (words === '') return null;
    const read = this.#readRepeat(words, said, writtenAt);
    if (read === null) {
      unread.push(`Repeat: ${words}`);
      losses.add('repeat', '', 'notes', words);
      return null;
    }
    if (read.end !== '') {
      unread.push(`Repeat: ${words}`);
      losses.add('repeat-end', '', 'notes', words);
    }
    const first = read.first ?? today;
    if (due === null && start === null && read.isFirstComputed)
      losses.add('repeat-start', '', 'today', raw.title);
    return { rule: read.rule, first };
  }

  #readRepeat(
    words: string,
    { language = '', zone = '' }: { language?: string; zone?: string },
    writtenAt: number | null,
  ): { rule: RepeatRule; first: When | null; end: string; isFirstComputed: boolean } | null {
    if (language !== '' && !/^en\b/i.test(language)) return null;
    const { phrase } = this.#tools.context;
    const context = {
      ...phrase,
      zone: zoneOr(zone, phrase.zone),
      ...(writtenAt === null ? {} : { writtenAt }),
    };
    const end = REPEAT_END.exec(words)?.[0] ?? '';
    const open = end === '' ? words : words.slice(0, -end.length);
    const [whole = '', from] = REPEAT_START.exec(open) ?? [];
    const core = (whole === '' ? open : open.slice(0, -whole.length))
      .replace(AFTER, 'every! ')
      .replaceAll('@', ' at ');
    const [reading] = readRepeat(core, context, { vocabulary: english });
    if (!reading) return null;
    const starts = from === undefined ? null : this.#dates.read({ words: from, language, zone }, writtenAt);
    if (from !== undefined && starts === null) return null;
    const first = starts === null ? seriesStart(reading, null) : seriesStart(reading, starts);
    const isFloating = first !== null && zoneOr(zone, '') === '';
    return {
      rule: reading.rule,
      first: isFloating ? floating(first) : first,
      end: end.trim(),
      isFirstComputed: starts === null,
    };
  }

  #scalars(raw: RawTask, unread: string[]): ImportedTask['scalars'] {
    const scalars: Partial<Record<(typeof scalarNames)[number], ScalarValue>> = {};
    for (const name of scalarNames) {
      const words = raw.scalarWords?.[name]?.trim() ?? '';
      const value = words === '' ? null : readScalar(name, words);
      if (value !== null) scalars[name] = value;
      else if (words !== '') {
        unread.push(`${scalarField(name).title}: ${words}`);
        this.#tools.losses.add('duration', '', 'notes', words);
      }
    }
    const minutes = raw.duration === null ? 0 : Math.round(raw.duration);
    if (minutes > 0 && minutes <= MOST_MINUTES) scalars.duration = minutes;
    else if (minutes > MOST_MINUTES) {
      unread.push(`Duration: ${minutes} min`);
      this.#tools.losses.add('duration', '', 'notes', `${minutes} min`);
    }
    return scalars;
  }

  #metadata(raw: RawTask, unread: string[]): Readonly<Record<string, string>> {
    const kept: [string, string][] = [];
    for (const [name, value] of Object.entries(raw.metadata)) {
      // What was stored here fits as it is.
      const isFit = raw.isOwn && value.length <= limits.metadataCharacters;
      const [key, fitted] = isFit ? [name, storable(value)] : [fitKey(name), fitMetadata(value)];
      if (key !== null && fitted !== null) kept.push([key, fitted]);
      else if (value.trim() !== '') unread.push(`${name}: ${value.trim()}`);
    }
    return Object.fromEntries(kept);
  }

  #reminders(raw: RawTask, hasDue: boolean): readonly Reminder[] {
    const byRegister = new Map<string, Reminder>();
    const isHeld = (reminder: Reminder) =>
      // A reader may have put together a moment that does not exist.
      ('when' in reminder && isWhen(reminder.when)) ||
      ('before' in reminder &&
        hasDue &&
        Number.isInteger(reminder.before) &&
        reminder.before >= 0 &&
        reminder.before <= reminderLimits.beforeMinutes);
    for (const reminder of raw.reminders) {
      if (isHeld(reminder) && byRegister.size < reminderLimits.perTask)
        byRegister.set(registerOf(reminder), reminder);
      else this.#tools.losses.add('reminder', '', 'nowhere', raw.title);
    }
    return [...byRegister.values()];
  }
}

/** Ten years. */
const MOST_MINUTES = 5_256_000;

function dayOfNow(now: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** A date in digits, for notes. */
export function wordsOf(when: When): string {
  if ('on' in when) return when.on;
  if ('local' in when) return when.local.replace('T', ' ');
  const at = Temporal.Instant.fromEpochMilliseconds(when.at).toZonedDateTimeISO(when.zone);
  return `${at.toPlainDate().toString()} ${at.toPlainTime().toString().slice(0, 5)} ${when.zone}`;
}

/** Settles files; `nameOf` gives the name of a list that has none. */
export function settle(
  files: readonly { readonly raw: RawFile; readonly fallback: string }[],
  tools: Tools,
): Settled {
  const settling = new Settling(tools);
  for (const { raw } of files)
    for (const { color = null, hotkey = null, ...label } of raw.labels ?? [])
      settling.label(label, color, hotkey);
  const lists = files.flatMap(({ raw, fallback }) => raw.lists.map((list) => settling.list(list, fallback)));
  return { lists, labels: settling.labels, hasIds: settling.hasIds, tasks: settling.count };
}
