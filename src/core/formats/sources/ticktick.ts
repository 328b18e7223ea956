// Reads TickTick's backup: a table with lines above its headings, folders, sections, parents by id, and days as moments.
import { ok } from '../../result.ts';
import {
  type Format,
  lines,
  paragraphs,
  type RawDate,
  type RawList,
  rawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import { dayAt, zoneOr } from '../import/dates.ts';
import { headingRow, recordsOf } from '../import/given.ts';
import { nest } from '../import/nesting.ts';
import { spanMinutes } from '../import/recurrence.ts';
import { giveRule } from '../import/ruled.ts';
import { isInboxName } from './plain.ts';
import { wordTable } from '../word-table.ts';

type Row = Readonly<Record<string, string>>;

const NEEDED = ['list name', 'title', 'priority', 'status'];
const MARKS = ['is all day', 'kind', 'is check list', 'column name', 'folder name'];
const PRIORITIES: Readonly<Record<string, string>> = wordTable({
  1: 'p3',
  3: 'p2',
  5: 'p1',
  p1: 'p1',
  p2: 'p2',
  p3: 'p3',
});
const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?(?:[+-]\d\d:?\d\d|Z)$/;
const ITEM = /^[▫▪]/;
const USABLE_ID = /^(?!0+$)[\da-f]{2,40}$/i;

const cell = (row: Row, name: string) => (row[name] ?? '').trim();
const isTrue = (text: string) => text.toLowerCase() === 'true';

/** The zone that most rows have, for those without one. */
function usualZone(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const zone = zoneOr(cell(row, 'timezone'), '');
    if (zone !== '') counts.set(zone, (counts.get(zone) ?? 0) + 1);
  }
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one);
  return best?.[0] ?? '';
}

class Backup {
  readonly #tools: Tools;
  readonly #zone: string;
  readonly #writtenAt: number | null;
  readonly #seen = new Set<string>();

  constructor(tools: Tools, zone: string, writtenAt: number | null) {
    this.#tools = tools;
    this.#zone = zone;
    this.#writtenAt = writtenAt;
  }

  lists(rows: readonly Row[]): RawList[] {
    const order = (row: Row) => Number(cell(row, 'order')) || 0;
    const sorted = rows.toSorted((one, other) => order(one) - order(other));
    const flat = sorted.flatMap((row) => {
      if (Object.values(row).every((value) => value.trim() === '')) return [];
      return [{ value: { row, task: this.#task(row) }, id: idOf(row), parent: parentOf(row) }];
    });
    const tops = nest(flat, ({ task }) =>
      this.#tools.losses.add('orphan', 'parentId', 'top level', task.title),
    );
    const waiting = [...tops];
    for (let next = waiting.pop(); next; next = waiting.pop())
      for (const child of next.children) {
        next.value.task.children.push(child.value.task);
        waiting.push(child);
      }
    const lists = new Map<string, RawList>();
    // Lists in the order of the file.
    for (const row of rows) this.#listOf(row, lists);
    const sections = new Map<string, RawTask>();
    for (const { value } of tops) {
      const list = this.#listOf(value.row, lists);
      const column = cell(value.row, 'column name');
      const key = `${cell(value.row, 'folder name')}\n${cell(value.row, 'list name')}\n${column}`;
      let section = sections.get(key);
      if (column !== '' && !section) {
        section = rawTask({
          title: column,
          isHeading: true,
          id: `ticktick:column:${key.replaceAll('\n', '/')}`,
        });
        this.#tools.losses.add('heading', 'Column Name', 'task', column);
        sections.set(key, section);
        list.tasks.push(section);
      }
      (section?.children ?? list.tasks).push(value.task);
    }
    return [...lists.values()].filter(({ tasks }) => tasks.length > 0);
  }

  #listOf(row: Row, lists: Map<string, RawList>): RawList {
    const [folder, name] = [cell(row, 'folder name'), cell(row, 'list name')];
    const key = `${folder}\n${name}`;
    const known = lists.get(key);
    if (known) return known;
    const isInbox = folder === '' && (name === '' || isInboxName(name));
    const list = rawList({
      id: isInbox ? null : `ticktick:list:${folder}/${name}`,
      name: name || 'Inbox',
      isInbox,
      folders: folder === '' ? [] : [{ id: `ticktick:folder:${folder}`, name: folder }],
      writtenAt: this.#writtenAt,
    });
    lists.set(key, list);
    return list;
  }

  #task(row: Row): RawTask {
    const { losses } = this.#tools;
    const [title = '', ...rest] = cell(row, 'title').split(/\r\n?|\n/);
    const isChecklist =
      cell(row, 'kind').toUpperCase() === 'CHECKLIST' || /^(?:y|yes|true)$/i.test(cell(row, 'is check list'));
    const { notes, items } = isChecklist
      ? checklist(row['content'] ?? '')
      : { notes: row['content'] ?? '', items: [] };
    const zone = zoneOr(cell(row, 'timezone'), this.#zone);
    const status = cell(row, 'status');
    const isCancelled = status === '-1';
    const id = idOf(row);
    const task = rawTask({
      id: id === null || this.#seen.has(id) ? null : `ticktick:${id}`,
      title,
      notes: paragraphs(rest.join('\n').trim(), notes.trim()),
      done:
        status === '1' || status === '2' || isCancelled
          ? { at: when(cell(row, 'completed time'), zone) }
          : null,
      created: when(cell(row, 'created time'), zone),
      due: this.#date(row, 'due date', zone),
      start: this.#date(row, 'start date', zone),
      priority: PRIORITIES[cell(row, 'priority').toLowerCase()] ?? null,
      labels: (row['tags'] ?? '')
        .split(',')
        .flatMap((name) => (name.trim() === '' ? [] : [{ name: name.trim().replace(/^#/, '') }])),
      children: items,
    });
    if (id !== null) this.#seen.add(id);
    if (isCancelled) {
      task.labels.push({ name: 'cancelled' });
      losses.add('cancelled', 'Status', 'label', title);
    }
    if (cell(row, 'kind').toUpperCase() === 'NOTE') {
      task.labels.push({ name: 'note' });
      losses.add('not-completable', 'Kind', 'label', title);
    }
    if (task.due === null && task.start !== null && cell(row, 'repeat') !== '') {
      task.due = task.start;
      task.start = null;
    }
    this.#repeat(task, cell(row, 'repeat'));
    this.#remind(task, row);
    return task;
  }

  #repeat(task: RawTask, text: string): void {
    if (/ERULE|TT_SKIP|;X-/i.test(text) && !/^(?:RRULE:)?FREQ/i.test(text)) {
      task.notes = lines(task.notes, `Repeat: ${text}`);
      this.#tools.losses.add('repeat', 'Repeat', 'notes', text);
    } else giveRule(task, text, this.#tools);
  }

  #date(row: Row, name: string, zone: string): RawDate | null {
    const text = cell(row, name);
    if (text === '') return null;
    const inZone = zone === '' ? this.#tools.context.phrase.zone : zone;
    const isInstant = INSTANT.test(text);
    if (isTrue(cell(row, 'is all day'))) {
      const at = isInstant ? instant(text) : null;
      const day = at === null ? text.slice(0, 10) : dayAt(at, inZone);
      return day === null ? { words: text } : { words: day };
    }
    if (isInstant && isTrue(cell(row, 'is floating'))) {
      const at = instant(text);
      if (at !== null) {
        const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(inZone).toPlainDateTime();
        return { words: local.toString({ smallestUnit: 'minute' }) };
      }
    }
    return { words: text, zone };
  }

  #remind(task: RawTask, row: Row): void {
    const text = cell(row, 'reminder');
    if (text === '') return;
    const isDay = isTrue(cell(row, 'is all day'));
    for (const one of text.split(/[;\n,]/)) {
      const minutes = spanMinutes(one.replace(/^TRIGGER:/i, ''));
      const day = task.due && 'words' in task.due ? task.due.words : '';
      if (minutes !== null && minutes <= 0) task.reminders.push({ before: -minutes });
      else if (minutes !== null && isDay && minutes < 1_440 && /^\d{4}-\d\d-\d\d$/.test(day)) {
        const two = (value: number) => String(value).padStart(2, '0');
        task.reminders.push({
          when: { local: `${day}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}` },
        });
      } else this.#tools.losses.add('reminder', 'Reminder', 'nowhere', `${task.title}: ${one}`);
    }
  }
}

function idOf(row: Row): string | null {
  const id = cell(row, 'taskid');
  return USABLE_ID.test(id) ? id : null;
}

function parentOf(row: Row): string | null {
  const id = cell(row, 'parentid');
  return USABLE_ID.test(id) ? id : null;
}

function instant(text: string): number | null {
  try {
    return Temporal.Instant.from(text.replace(' ', 'T')).epochMilliseconds;
  } catch {
    // Digits that are no moment.
    return null;
  }
}

const when = (words: string, zone: string): RawDate | null => (words === '' ? null : { words, zone });

/** "▫open", "▪done", with text before them. */
function checklist(content: string): { readonly notes: string; readonly items: RawTask[] } {
  const all = content.split(/\r\n?|\n/);
  const items = all
    .filter((line) => ITEM.test(line))
    .map((line) =>
      rawTask({ title: line.slice(1).trim(), done: line.startsWith('▪') ? { at: null } : null }),
    );
  return { notes: all.filter((line) => !ITEM.test(line)).join('\n'), items };
}

/** TickTick's backup. */
export const ticktick: Format = {
  name: 'ticktick',
  title: 'TickTick backup',
  extensions: ['.csv'],
  detect: (file) => {
    if (file.magic !== 'other') return false;
    const at = headingRow(file.headRows, NEEDED);
    return at >= 0 && MARKS.some((mark) => headingRow(file.headRows, [mark]) === at);
  },
  read: (files, tools) => {
    const lists = files.flatMap((file) => {
      const { rows } = file.table;
      const records = recordsOf(rows, headingRow(rows.slice(0, 30), NEEDED));
      return new Backup(tools, usualZone(records), file.writtenAt).lists(records);
    });
    tools.remark('TickTick leaves attachments, comments, habits and the trash out of its backups.');
    return ok({ kind: 'TickTick', lists });
  },
};
