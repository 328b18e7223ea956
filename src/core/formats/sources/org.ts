// Reads Org: headlines as tasks, planning lines as dates, repeaters, properties, checkboxes; everything else stays in the
// notes.
import { ok } from '../../result.ts';
import type { RepeatRule } from '../../model.ts';
import {
  type Format,
  lines,
  type RawDate,
  rawList,
  type RawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import type { Given } from '../import/given.ts';
import { readExactMetadata, readExactReminders, readExactRule } from '../export/exact.ts';
import { orgCreator, orgGuard, repeaterOf } from '../export/org.ts';
import { ownDate, ownLabels } from './own.ts';

const HEADLINE = /^(\*+)\s+(.*)$/;
const TAGS = /\s+:((?:[\p{L}\p{N}_@#%]+:)+)\s*$/u;
const PRIORITY = /^\[#([A-Z\d]{1,2})\]\s*/;
const STAMP =
  /[<[](\d{4}-\d\d-\d\d)(?:\s+[^\s\d<>[\]+.-]+)?(?:\s+(\d{1,2}:\d\d)(?:-(\d{1,2}:\d\d))?)?((?:\s+(?:\.\+|\+\+|\+|--?)\d{1,4}[hdwmy])*)\s*[>\]]/u;
const PLANNING = /\b(SCHEDULED|DEADLINE|CLOSED):\s*([<[][^<>[\]]{0,200}[>\]])/g;
const DRAWER = /^\s*:([\w-]+):\s*(.*)$/;
const BOX = /^(\s*)[-+*]\s+\[([ xX-])\]\s+(.*)$/;
const LINK = /\[\[([^[\]]{1,2000})\](?:\[([^[\]]{1,1000})\])?\]/g;
const UNITS = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' } as const;
const UNIT = /^([hdwmy])$/;

interface Stamp {
  readonly date: RawDate;
  readonly repeat: RepeatRule | null;
  /** Minutes before which it is told. */
  readonly warning: number | null;
  readonly minutes: number | null;
}

function stampOf(text: string): Stamp | null {
  const [whole, day = '', time, until, marks = ''] = STAMP.exec(text) ?? [];
  if (whole === undefined) return null;
  const inDay = (clock: string) => Number(clock.split(':')[0]) * 60 + Number(clock.split(':')[1]);
  const minutes = time !== undefined && until !== undefined ? inDay(until) - inDay(time) : 0;
  const [, kind = '', count = '', unit = ''] = /(?:^|\s)(\.\+|\+\+|\+)(\d+)([hdwmy])/.exec(marks) ?? [];
  const [, days = '', span = ''] = /(?:^|\s)--?(\d+)([hdwmy])/.exec(marks) ?? [];
  const scale: Readonly<Record<string, number>> = { h: 60, d: 1_440, w: 10_080, m: 43_200, y: 525_600 };
  return {
    date: { words: time === undefined ? day : `${day}T${time.padStart(5, '0')}` },
    repeat: kind === '' ? null : ruleOf(kind, Number(count), unit),
    warning: days === '' ? null : Number(days) * (scale[span] ?? 0),
    minutes: minutes > 0 ? minutes : null,
  };
}

function ruleOf(kind: string, value: number, unit: string): RepeatRule | null {
  const [, known] = UNIT.exec(unit) ?? [];
  if (known === undefined || value < 1) return null;
  const name = UNITS[known as keyof typeof UNITS];
  return {
    value,
    unit: name,
    metadata: null,
    from: kind === '.+' ? 'completion' : 'due date',
    missed: kind === '+' ? 'every' : 'skip',
    anchorDay: null,
  };
}

const unlinked = (text: string) =>
  text.replaceAll(LINK, (_whole, url: string, words?: string) =>
    words === undefined ? url : `[${words}](${url})`,
  );

interface Open {
  readonly level: number;
  readonly task: RawTask;
  readonly tags: readonly string[];
  readonly isTask: boolean;
}

class Document {
  readonly #tools: Tools;
  readonly #list: RawList;
  readonly #open = new Set(['TODO']);
  readonly #done = new Set(['DONE']);
  #fileTags: readonly string[] = [];
  readonly #levels: Open[] = [];
  #drawer: string | null = null;
  #isBlock = false;
  /** Whether Posthaste wrote it: then its tags aren't inherited, and its texts are Markdown. */
  readonly #isOwn: boolean;
  #boxes: { readonly indent: number; readonly task: RawTask }[] = [];

  constructor(file: Given, tools: Tools) {
    this.#tools = tools;
    this.#list = rawList({ name: file.title, writtenAt: file.writtenAt });
    this.#isOwn = file.head.split(/\r\n?|\n/).includes(orgCreator);
    const sets = [...file.said.matchAll(/^#\+(?:TODO|SEQ_TODO|TYP_TODO):\s*(.*)$/gim)];
    for (const [, words = ''] of sets.slice(0, 50)) {
      const [first = '', second] = words.split('|');
      const names = (text: string) =>
        text
          .split(/\s+/)
          .map((word) => word.replace(/\(.*\)$/, ''))
          .filter((word) => word !== '');
      const before = names(first);
      const after = second === undefined ? before.splice(-1) : names(second);
      for (const word of before) this.#open.add(word);
      for (const word of after) this.#done.add(word);
    }
    for (const [, tags = ''] of file.said.matchAll(/^#\+FILETAGS:\s*(.*)$/gim))
      this.#fileTags = tags.split(':').filter((tag) => tag.trim() !== '');
    const [, title = ''] = /^#\+TITLE:\s*(.*)$/im.exec(file.head) ?? [];
    if (title.trim() !== '') this.#list.name = title.trim();
  }

  read(text: string): readonly RawList[] {
    for (const line of text.split(/\r\n?|\n/)) {
      const [whole, stars = '', rest = ''] = this.#isBlock ? [] : (HEADLINE.exec(line) ?? []);
      if (whole !== undefined) this.#headline(stars.length, rest);
      else this.#line(line);
    }
    return this.#isOwn ? ownLists(this.#list) : [this.#list];
  }

  #headline(level: number, text: string): void {
    this.#drawer = null;
    this.#boxes = [];
    while ((this.#levels.at(-1)?.level ?? 0) >= level) this.#levels.pop();
    const above = this.#levels.at(-1);
    const [word = ''] = text.split(/\s+/, 1);
    const isDone = this.#done.has(word);
    const isTask = isDone || this.#open.has(word);
    let title = isTask ? text.slice(word.length).trim() : text;
    const tags =
      TAGS.exec(title)?.[1]
        ?.split(':')
        .filter((tag) => tag !== '') ?? [];
    title = title.replace(TAGS, '').trim();
    if (this.#isOwn) {
      this.#ownHeadline({ level, title, tags, isDone, isTask });
      return;
    }
    const priority = PRIORITY.exec(title)?.[1] ?? null;
    title = title.replace(PRIORITY, '').replace(/^COMMENT\s+/, '');
    const inherited = [...new Set([...(above?.tags ?? this.#fileTags), ...tags])];
    const isArchived = inherited.includes('ARCHIVE');
    const links = [...title.matchAll(LINK)].map(([, url = '']) => url);
    const plain = title.replaceAll(LINK, (_whole, url: string, words?: string) => words ?? url);
    const task = rawTask({
      title: plain,
      notes: links.filter((url) => !plain.includes(url)).join('\n'),
      done: isDone || isArchived ? { at: null } : null,
      priority,
      isHeading: !isTask,
      labels: inherited.filter((tag) => tag !== 'ARCHIVE').map((name) => ({ name })),
    });
    if (isDone && /^CANCEL|^KILL|^ABORT|^WONT/i.test(word)) {
      task.labels.push({ name: 'cancelled' });
      this.#tools.losses.add('cancelled', word, 'label', plain);
    } else if (isTask && word !== 'TODO' && word !== 'DONE') {
      task.labels.push({ name: word });
      this.#tools.losses.add('status', word, 'label', plain);
    }
    if (!isTask) this.#tools.losses.add('heading', '*', 'task', plain);
    if (isArchived) this.#tools.losses.add('archived', 'ARCHIVE', 'task', plain);
    (above?.task.children ?? this.#list.tasks).push(task);
    this.#levels.push({ level, task, tags: inherited, isTask });
  }

  #ownHeadline({
    level,
    title,
    tags,
    isDone,
    isTask,
  }: Pick<Open, 'level' | 'tags' | 'isTask'> & { readonly title: string; readonly isDone: boolean }): void {
    const above = this.#levels.at(-1);
    const bare = title.startsWith(orgGuard) ? title.slice(1) : title;
    const task = rawTask({
      title: bare.endsWith(orgGuard) ? bare.slice(0, -1) : bare,
      done: isDone ? { at: null } : null,
      labels: tags.map((name) => ({ name })),
      isOwn: true,
    });
    (above?.task.children ?? this.#list.tasks).push(task);
    this.#levels.push({ level, task, tags, isTask });
  }

  #line(line: string): void {
    const owner = this.#levels.at(-1)?.task;
    if (/^\s*#\+(?:begin|end)_/i.test(line)) {
      this.#isBlock = /begin_/i.test(line);
      if (this.#isOwn && owner) return;
    }
    if (!owner) {
      if (line.trim() !== '' && !/^\s*#(?:\+|\s|$)/.test(line) && !/-\*-.*-\*-/.test(line))
        this.#list.notes = lines(this.#list.notes, line);
      return;
    }
    if (this.#isBlock) {
      // A comma keeps a line in a block from meaning more.
      const inside = this.#isOwn ? line.replace(/^,(?=,*(?:\*|#\+))/, '') : line;
      owner.notes = this.#isOwn && owner.notes === '' ? inside : `${owner.notes}\n${inside}`;
      return;
    }
    if (this.#takesDrawer(line, owner) || this.#takesPlanning(line, owner) || this.#takesBox(line, owner))
      return;
    if (line.trim() === '' && owner.notes === '') return;
    const said = this.#isOwn ? line : unlinked(line);
    owner.notes = owner.notes === '' ? said : `${owner.notes}\n${said}`;
  }

  #takesDrawer(line: string, owner: RawTask): boolean {
    const [whole, name = '', value = ''] = DRAWER.exec(line) ?? [];
    if (this.#drawer === null) {
      if (whole === undefined || value !== '') {
        if (!/^\s*CLOCK:/.test(line)) return false;
        this.#tools.losses.add('other', 'CLOCK', 'nowhere', owner.title);
        return true;
      }
      this.#drawer = name.toUpperCase();
      return true;
    }
    if (name.toUpperCase() === 'END' && value === '') this.#drawer = null;
    else if (this.#drawer === 'PROPERTIES' && whole !== undefined)
      (this.#isOwn ? ownProperty : property)(owner, name, value.trim());
    else if (line.trim() !== '') this.#tools.losses.add('other', this.#drawer, 'nowhere', line);
    return true;
  }

  #takesPlanning(line: string, owner: RawTask): boolean {
    if (!/^\s*(?:SCHEDULED|DEADLINE|CLOSED):/.test(line)) return false;
    for (const [, name = '', text = ''] of line.matchAll(PLANNING)) {
      const stamp = stampOf(text);
      if (stamp === null) {
        owner.notes = lines(owner.notes, `${name}: ${text}`);
        this.#tools.losses.add('date', name, 'notes', text);
      } else this.#plan(owner, name, stamp);
    }
    return true;
  }

  #plan(owner: RawTask, name: string, stamp: Stamp): void {
    if (name === 'CLOSED') {
      if (owner.done) owner.done.at = stamp.date;
      return;
    }
    if (name === 'SCHEDULED') owner.start = stamp.date;
    else owner.due = stamp.date;
    if (stamp.minutes !== null) owner.duration = stamp.minutes;
    if (stamp.repeat !== null && (owner.repeat === null || name === 'DEADLINE'))
      owner.repeat = { rule: stamp.repeat };
    if (stamp.warning === null) return;
    if (name === 'DEADLINE') owner.reminders.push({ before: stamp.warning });
    else this.#tools.losses.add('reminder', name, 'nowhere', owner.title);
  }

  #takesBox(line: string, owner: RawTask): boolean {
    const [whole, indent = '', sign = '', text = ''] = BOX.exec(line) ?? [];
    if (whole === undefined) return false;
    while ((this.#boxes.at(-1)?.indent ?? -1) >= indent.length) this.#boxes.pop();
    const task = rawTask({ title: unlinked(text), done: /x/i.test(sign) ? { at: null } : null });
    if (sign === '-') this.#tools.losses.add('status', '[-]', 'open', text);
    (this.#boxes.at(-1)?.task ?? owner).children.push(task);
    this.#boxes.push({ indent: indent.length, task });
    return true;
  }
}

function property(owner: RawTask, name: string, value: string): void {
  if (value === '') return;
  const [, hours, minutes] = /^(\d{1,5}):(\d\d)$/.exec(value) ?? [];
  if (name.toLowerCase() === 'effort' && hours !== undefined)
    owner.duration = Number(hours) * 60 + Number(minutes);
  else if (name.toUpperCase() === 'ID') owner.id = `org:${value}`;
  else if (name.toUpperCase() === 'CREATED') owner.created = stampOf(value)?.date ?? null;
  else owner.metadata[name.toLowerCase()] = value;
}

const zoned = (date: RawDate | null, zone: string): RawDate | null =>
  date !== null && 'words' in date ? { ...date, zone } : date;

/** Properties that only our files have. The others are read as of any file. */
function ownProperty(owner: RawTask, name: string, value: string): void {
  switch (name) {
    case 'ID':
      owner.id = `posthaste:${value}`;
      return;
    case 'DEADLINE_ZONE':
      owner.due = zoned(owner.due, value);
      return;
    case 'SCHEDULED_ZONE':
      owner.start = zoned(owner.start, value);
      return;
    case 'SNOOZED':
      owner.snooze = ownDate(value);
      return;
    case 'REPEAT_RULE':
      owner.repeat = ownRule(owner.repeat, value);
      return;
    case 'LABELS':
      owner.labels.push(...ownLabels(value));
      return;
    case 'REMINDERS':
      owner.reminders.push(...readExactReminders(value));
      return;
    case 'METADATA':
      owner.metadata = { ...readExactMetadata(value), ...owner.metadata };
      return;
    case 'BOOKMARKED':
      owner.isBookmarked = value === 'yes';
      return;
    case 'COLLAPSED':
      owner.isCollapsed = value === 'yes';
      return;
    case 'REPEATS':
    case 'SHARED':
      return;
    default:
      property(owner, name, value);
  }
}

/** The rule beside a repeater, unless somebody changed that. */
function ownRule(read: RawTask['repeat'], text: string): RawTask['repeat'] {
  const rule = readExactRule(text);
  if (rule === null) return read;
  const shown = read !== null && 'rule' in read ? repeaterOf(read.rule) : null;
  return shown === repeaterOf(rule) ? { rule } : read;
}

/** The headlines that stand for folders and lists. What is in no list is in one with the name of the file. */
function ownLists(file: RawList): readonly RawList[] {
  const lists: RawList[] = [];
  const waiting = file.tasks.toReversed().map((task) => ({ task, folders: [] as RawList['folders'] }));
  const loose: RawTask[] = [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { task, folders } = next;
    const { kind } = task.metadata;
    if (kind === 'folder') {
      const path = [...folders, { id: null, name: task.title }];
      for (const child of task.children.toReversed()) waiting.push({ task: child, folders: path });
    } else if (kind === 'list' || kind === 'inbox') {
      const { archived = '' } = task.metadata;
      lists.push({
        ...rawList({ name: task.title, folders, notes: task.notes, tasks: task.children }),
        id: task.id,
        isInbox: kind === 'inbox',
        archived: archived === '' ? null : (stampOf(archived)?.date ?? null),
        isBookmarked: task.isBookmarked,
        writtenAt: file.writtenAt,
      });
    } else loose.push(task);
  }
  return loose.length === 0 && lists.length > 0 ? lists : [...lists, { ...file, tasks: loose }];
}

/** Org. */
export const org: Format = {
  name: 'org',
  title: 'Org',
  extensions: ['.org'],
  detect: ({ head }) => {
    const headlines = head.match(/^\*+ \S/gm)?.length ?? 0;
    const signs =
      /^\*+ (?:TODO|DONE|NEXT|WAITING)\b|^\s*(?:SCHEDULED|DEADLINE|CLOSED):\s*[<[]|^#\+(?:TITLE|TODO|STARTUP|FILETAGS|AUTHOR)|^\s*:PROPERTIES:\s*$/im;
    return headlines > 0 && (signs.test(head) || /^\*{2,} \S/m.test(head));
  },
  read: (files, tools) =>
    ok({ kind: 'Org', lists: files.flatMap((file) => new Document(file, tools).read(file.said)) }),
};
