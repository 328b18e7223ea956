// Reads the JSON of Google Tasks (Takeout and API), Microsoft To Do (Graph) and Trello (a board).
import { isRecord, type JsonRecord } from '../../json.ts';
import type { RepeatRule, Weekday } from '../../model.ts';
import { ok } from '../../result.ts';
import {
  type Format,
  lines,
  paragraphs,
  type RawDate,
  rawList,
  type RawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import { dayAt, zoneOr } from '../import/dates.ts';
import { unescapeHtml } from '../import/html.ts';
import { nest, withChildren } from '../import/nesting.ts';
import { isSet, numberIn, recordIn, recordsIn, textIn, textsIn } from '../import/records.ts';
import { isInboxName } from './plain.ts';
import { wordTable } from '../word-table.ts';

const date = (words: string): RawDate | null => (words === '' ? null : { words });

/* Google Tasks. Due dates are days, always; the order is a string. */

function googleTask(item: JsonRecord, tools: Tools): RawTask {
  const links = recordsIn(item, 'links')
    .map((link) => textIn(link, 'link'))
    .filter((link) => link !== '');
  for (const link of links) tools.losses.add('link', 'links', 'notes', link);
  return rawTask({
    id: `google:${textIn(item, 'id')}`,
    title: textIn(item, 'title'),
    notes: paragraphs(textIn(item, 'notes'), links.join('\n')),
    done: textIn(item, 'status') === 'completed' ? { at: date(textIn(item, 'completed')) } : null,
    created: date(textIn(item, 'created')),
    due: date(textIn(item, 'due').slice(0, 10)),
  });
}

function googleList(list: JsonRecord, title: string, tools: Tools): RawList {
  const items = recordsIn(list, 'items').filter((item) => {
    const isDeleted = isSet(item, 'deleted');
    if (isDeleted) tools.losses.add('tombstone', 'deleted', 'nowhere', textIn(item, 'title'));
    return !isDeleted;
  });
  const sorted = items.toSorted((one, other) => {
    const [first, second] = [textIn(one, 'position'), textIn(other, 'position')];
    return first < second ? -1 : first > second ? 1 : 0;
  });
  const flat = sorted.map((item) => ({
    value: googleTask(item, tools),
    id: textIn(item, 'id'),
    parent: textIn(item, 'parent'),
  }));
  const id = textIn(list, 'id');
  const tasks = withChildren(
    nest(flat, (task) => tools.losses.add('orphan', 'parent', 'top level', task.title)),
  );
  return rawList({ id: id === '' ? null : `google:list:${id}`, name: textIn(list, 'title') || title, tasks });
}

/** Google Tasks. */
export const google: Format = {
  name: 'google',
  title: 'Google Tasks',
  extensions: ['.json'],
  detect: ({ json }) => isRecord(json) && textIn(json, 'kind').startsWith('tasks#task'),
  read: (files, tools) =>
    ok({
      kind: 'Google Tasks',
      lists: files.flatMap(({ json, title }) => {
        if (!isRecord(json)) return [];
        if (textIn(json, 'kind') !== 'tasks#taskLists') return [googleList(json, title, tools)];
        return recordsIn(json, 'items').map((list) => googleList(list, title, tools));
      }),
    }),
};

/* Microsoft To Do. A due date is the local midnight of its day, in UTC. */

const WEEKDAYS: Readonly<Record<string, Weekday>> = wordTable({
  sunday: 'Sun',
  monday: 'Mon',
  tuesday: 'Tue',
  wednesday: 'Wed',
  thursday: 'Thu',
  friday: 'Fri',
  saturday: 'Sat',
});
const PLACES: Readonly<Record<string, number>> = wordTable({
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  last: -1,
});

function microsoftDay(value: JsonRecord, tools: Tools): RawDate | null {
  const text = textIn(value, 'dateTime');
  if (text === '') return null;
  const { zone } = tools.context.phrase;
  const day = text.slice(0, 10);
  const time = text.slice(11, 16);
  if (time === '00:00' || time === '') return { words: day };
  const from = zoneOr(textIn(value, 'timeZone'), 'UTC');
  try {
    const at = Temporal.PlainDateTime.from(text.slice(0, 19)).toZonedDateTime(from).epochMilliseconds;
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
    const isMidnight = local.hour === 0 && local.minute === 0;
    return { words: isMidnight ? (dayAt(at, zone) ?? day) : day };
  } catch {
    // Digits that are no day: they stay words.
    return { words: text };
  }
}

/** A moment with its zone beside it. */
function microsoftMoment(value: JsonRecord): RawDate | null {
  const text = textIn(value, 'dateTime').replace(/\.\d+$/, '');
  return text === '' ? null : { words: text, zone: zoneOr(textIn(value, 'timeZone'), 'UTC') };
}

function microsoftRule(pattern: JsonRecord): RepeatRule | null {
  const type = textIn(pattern, 'type');
  const value = numberIn(pattern, 'interval') ?? 1;
  if (!Number.isInteger(value) || value < 1) return null;
  const common = { from: 'due date', missed: 'skip', anchorDay: null } as const;
  const weekdays = textsIn(pattern, 'daysOfWeek').flatMap((day) => WEEKDAYS[day.toLowerCase()] ?? []);
  if (type === 'daily') return { value, unit: 'days', metadata: null, ...common };
  if (type === 'weekly')
    return { value, unit: 'weeks', metadata: weekdays.length > 0 ? { weekdays } : null, ...common };
  const day = numberIn(pattern, 'dayOfMonth') ?? 0;
  if (type === 'absoluteMonthly')
    return {
      value,
      unit: 'months',
      metadata: day >= 1 && day <= 31 ? { monthDays: [day] } : null,
      ...common,
    };
  if (type === 'absoluteYearly') return { value, unit: 'years', metadata: null, ...common };
  const place = PLACES[textIn(pattern, 'index').toLowerCase()];
  if (type === 'relativeMonthly' && value === 1 && place !== undefined && weekdays.length === 1)
    return { value: place, unit: 'nth-weekday', metadata: { weekdays }, ...common };
  return null;
}

const plainBody = (body: JsonRecord) => {
  const text = textIn(body, 'content');
  if (textIn(body, 'contentType') !== 'html') return text.trim();
  const broken = text.replaceAll(/<(?:br|\/p|\/div|\/li)\b[^<>]{0,1000}>/gi, '\n');
  return unescapeHtml(broken.replaceAll(/<[^<>]{0,4000}>/g, '')).trim();
};

function microsoftTask(item: JsonRecord, tools: Tools): RawTask {
  const { losses } = tools;
  const title = textIn(item, 'title');
  const status = textIn(item, 'status');
  const task = rawTask({
    id: `mstodo:${textIn(item, 'id')}`,
    title,
    notes: plainBody(recordIn(item, 'body')),
    done: status === 'completed' ? { at: microsoftMoment(recordIn(item, 'completedDateTime')) } : null,
    created: date(textIn(item, 'createdDateTime')),
    due: microsoftDay(recordIn(item, 'dueDateTime'), tools),
    start: microsoftDay(recordIn(item, 'startDateTime'), tools),
    priority:
      textIn(item, 'importance') === 'high' ? 'p1' : textIn(item, 'importance') === 'low' ? 'p3' : null,
    labels: textsIn(item, 'categories').map((name) => ({ name })),
    children: recordsIn(item, 'checklistItems').map((one) =>
      rawTask({
        id: textIn(one, 'id') === '' ? null : `mstodo:${textIn(one, 'id')}`,
        title: textIn(one, 'displayName'),
        created: date(textIn(one, 'createdDateTime')),
        done: isSet(one, 'isChecked') ? { at: date(textIn(one, 'checkedDateTime')) } : null,
      }),
    ),
  });
  const word = { waitingOnOthers: 'waiting', deferred: 'deferred', inProgress: 'in progress' }[status];
  if (word !== undefined) {
    task.labels.push({ name: word });
    losses.add('status', 'status', 'label', title);
  }
  const pattern = recordIn(recordIn(item, 'recurrence'), 'pattern');
  const rule = textIn(pattern, 'type') === '' ? null : microsoftRule(pattern);
  if (rule) task.repeat = { rule };
  else if (textIn(pattern, 'type') !== '') {
    task.notes = lines(task.notes, `Repeat: ${JSON.stringify(pattern)}`);
    losses.add('repeat', 'recurrence', 'notes', title);
  }
  const range = recordIn(recordIn(item, 'recurrence'), 'range');
  if (['endDate', 'numbered'].includes(textIn(range, 'type'))) {
    task.notes = lines(task.notes, `Repeat: ${JSON.stringify(range)}`);
    losses.add('repeat-end', 'range', 'notes', title);
  }
  const reminder = isSet(item, 'isReminderOn') ? microsoftMoment(recordIn(item, 'reminderDateTime')) : null;
  if (reminder && 'words' in reminder) {
    const { zone = 'UTC' } = reminder;
    try {
      const at = Temporal.PlainDateTime.from(reminder.words).toZonedDateTime(zone).epochMilliseconds;
      task.reminders.push({ when: { at, zone: tools.context.phrase.zone } });
    } catch {
      // Digits that are no moment: counted.
      losses.add('reminder', 'reminderDateTime', 'nowhere', title);
    }
  }
  for (const link of recordsIn(item, 'linkedResources')) {
    task.notes = lines(task.notes, textIn(link, 'webUrl'));
    losses.add('link', 'linkedResources', 'notes', title);
  }
  if (isSet(item, 'hasAttachments')) losses.add('attachment', 'hasAttachments', 'nowhere', title);
  return task;
}

const isMicrosoftTask = (item: JsonRecord | undefined) =>
  item !== undefined &&
  'title' in item &&
  ('importance' in item || 'status' in item) &&
  ('body' in item || 'isReminderOn' in item || 'createdDateTime' in item);
const microsoftLists = (json: unknown): readonly JsonRecord[] => {
  if (!isRecord(json)) return [];
  const inner = recordsIn(json, 'lists', 'value').filter((one) => Array.isArray(one['tasks']));
  return inner.length > 0 ? inner : [{ ...json, tasks: json['value'] }];
};

/** Microsoft To Do, as its interface (Graph) gives it. */
export const microsoft: Format = {
  name: 'mstodo',
  title: 'Microsoft To Do',
  extensions: ['.json'],
  detect: ({ json }) => microsoftLists(json).some((list) => isMicrosoftTask(recordsIn(list, 'tasks')[0])),
  read: (files, tools) =>
    ok({
      kind: 'Microsoft To Do',
      lists: files.flatMap(({ json, title }) =>
        microsoftLists(json).map((list) => {
          const id = textIn(list, 'id');
          const name = textIn(list, 'displayName') || title;
          return rawList({
            id: id === '' ? null : `mstodo:list:${id}`,
            name,
            isInbox: textIn(list, 'wellknownListName') === 'defaultList' || isInboxName(name),
            tasks: recordsIn(list, 'tasks').map((item) => microsoftTask(item, tools)),
          });
        }),
      ),
    }),
};

/* Trello. A board is a list, its lists are sections. */

const position = (record: JsonRecord) => numberIn(record, 'pos') ?? 0;
const sorted = (records: readonly JsonRecord[]) =>
  records.toSorted((one, other) => position(one) - position(other));

function groupedBy(records: readonly JsonRecord[], name: string): Map<string, JsonRecord[]> {
  const groups = new Map<string, JsonRecord[]>();
  for (const record of records) {
    const key = textIn(record, name);
    const group = groups.get(key);
    if (group) group.push(record);
    else groups.set(key, [record]);
  }
  return groups;
}

class Board {
  readonly #board: JsonRecord;
  readonly #tools: Tools;
  readonly #checklists: Map<string, JsonRecord[]>;
  readonly #labels: ReadonlyMap<string, JsonRecord>;
  readonly #members: ReadonlyMap<string, string>;
  readonly #comments = new Map<string, JsonRecord[]>();
  readonly #fields: ReadonlyMap<string, JsonRecord>;

  constructor(board: JsonRecord, tools: Tools) {
    this.#board = board;
    this.#tools = tools;
    this.#checklists = groupedBy(sorted(recordsIn(board, 'checklists')), 'idCard');
    this.#labels = new Map(recordsIn(board, 'labels').map((label) => [textIn(label, 'id'), label]));
    this.#members = new Map(
      recordsIn(board, 'members').map((member) => [
        textIn(member, 'id'),
        textIn(member, 'fullName', 'username'),
      ]),
    );
    this.#fields = new Map(recordsIn(board, 'customFields').map((field) => [textIn(field, 'id'), field]));
    for (const action of recordsIn(board, 'actions').toReversed()) {
      if (textIn(action, 'type') !== 'commentCard') continue;
      const card = textIn(recordIn(recordIn(action, 'data'), 'card'), 'id');
      const known = this.#comments.get(card);
      if (known) known.push(action);
      else this.#comments.set(card, [action]);
    }
  }

  list(): RawList {
    const { losses } = this.#tools;
    const cards = groupedBy(sorted(recordsIn(this.#board, 'cards')), 'idList');
    const tasks: RawTask[] = [];
    for (const column of sorted(recordsIn(this.#board, 'lists'))) {
      const title = textIn(column, 'name');
      const held = cards.get(textIn(column, 'id')) ?? [];
      cards.delete(textIn(column, 'id'));
      if (isSet(column, 'closed')) {
        losses.add('archived', 'lists', 'nowhere', title);
        for (const card of held) losses.add('archived', 'cards', 'nowhere', textIn(card, 'name'));
        continue;
      }
      losses.add('heading', 'lists', 'task', title);
      tasks.push(
        rawTask({
          id: `trello:list:${textIn(column, 'id')}`,
          title,
          isHeading: true,
          children: this.#cards(held),
        }),
      );
    }
    for (const rest of cards.values()) tasks.push(...this.#cards(rest));
    return rawList({
      id: `trello:board:${textIn(this.#board, 'id')}`,
      name: textIn(this.#board, 'name') || 'Trello',
      notes: textIn(this.#board, 'desc'),
      archived: isSet(this.#board, 'closed') ? { words: textIn(this.#board, 'dateClosed') } : null,
      tasks,
    });
  }

  #cards(cards: readonly JsonRecord[]): RawTask[] {
    return cards.flatMap((card) => {
      if (!isSet(card, 'closed')) return [this.#card(card)];
      this.#tools.losses.add('archived', 'cards', 'nowhere', textIn(card, 'name'));
      return [];
    });
  }

  #card(card: JsonRecord): RawTask {
    const { losses } = this.#tools;
    const id = textIn(card, 'id');
    const title = textIn(card, 'name');
    const attached = recordsIn(card, 'attachments').map((one) => {
      losses.add('attachment', 'attachments', 'notes', textIn(one, 'name'));
      const [name, url] = [textIn(one, 'name').replaceAll(/[[\]]/g, ''), textIn(one, 'url')];
      return name === '' || name === url ? url : `[${name}](${url})`;
    });
    const people = textsIn(card, 'idMembers').map((member) => this.#members.get(member) ?? member);
    if (people.length > 0) losses.add('assignee', 'idMembers', 'notes', title);
    const comments = (this.#comments.get(id) ?? []).map((action) => {
      const text = textIn(recordIn(action, 'data'), 'text');
      losses.add('comment', 'commentCard', 'notes', text);
      const who = textIn(recordIn(action, 'memberCreator'), 'fullName');
      return `${textIn(action, 'date').slice(0, 10)}${who === '' ? '' : `, ${who}`}: ${text}`;
    });
    const due = date(textIn(card, 'due'));
    const before = numberIn(card, 'dueReminder') ?? -1;
    if (isSet(card, 'isTemplate')) losses.add('row', 'isTemplate', 'task', title);
    return rawTask({
      id: `trello:${id}`,
      title,
      notes: paragraphs(
        textIn(card, 'desc'),
        attached.join('\n'),
        people.length > 0 ? `Assigned to ${people.join(', ')}` : '',
        ...comments,
      ),
      due,
      start: date(textIn(card, 'start')),
      done: isSet(card, 'dueComplete') ? { at: date(textIn(card, 'dateCompleted')) } : null,
      created: createdOf(id),
      labels: this.#labelsOf(card),
      reminders: due !== null && before >= 0 ? [{ before }] : [],
      metadata: this.#metadata(card),
      children: this.#items(id),
    });
  }

  #labelsOf(card: JsonRecord) {
    const held = recordsIn(card, 'labels');
    const all = held.length > 0 ? held : textsIn(card, 'idLabels').map((id) => this.#labels.get(id) ?? {});
    return all.flatMap((label) => {
      const name = textIn(label, 'name') || textIn(label, 'color');
      return name === '' ? [] : [{ name }];
    });
  }

  #metadata(card: JsonRecord): Record<string, string> {
    return Object.fromEntries(
      recordsIn(card, 'customFieldItems').flatMap((item) => {
        const field = this.#fields.get(textIn(item, 'idCustomField'));
        const name = field ? textIn(field, 'name') : '';
        const option = field
          ? recordsIn(field, 'options').find((one) => textIn(one, 'id') === textIn(item, 'idValue'))
          : undefined;
        const value = textIn(recordIn(option ?? item, 'value'), 'text', 'number', 'date', 'checked');
        if (name === '' || value === '') return [];
        this.#tools.losses.add('custom-field', name, 'metadata', value);
        return [[name, value]];
      }),
    );
  }

  /** One checklist is subtasks; of several each is a subtask with them. */
  #items(card: string): RawTask[] {
    const lists = this.#checklists.get(card) ?? [];
    const itemsOf = (list: JsonRecord) =>
      sorted(recordsIn(list, 'checkItems')).map((item) =>
        rawTask({
          id: `trello:${textIn(item, 'id')}`,
          title: textIn(item, 'name'),
          due: date(textIn(item, 'due')),
          done: textIn(item, 'state') === 'complete' ? { at: null } : null,
        }),
      );
    const [only] = lists;
    if (only && lists.length === 1) return itemsOf(only);
    return lists.map((list) =>
      rawTask({
        id: `trello:${textIn(list, 'id')}`,
        title: textIn(list, 'name'),
        isHeading: true,
        children: itemsOf(list),
      }),
    );
  }
}

/** The first eight digits of an id are its second. */
function createdOf(id: string): RawDate | null {
  const seconds = /^[\da-f]{24}$/i.test(id) ? Number.parseInt(id.slice(0, 8), 16) : 0;
  return seconds > 1_200_000_000 ? { when: { at: seconds * 1_000, zone: 'UTC' } } : null;
}

/** Trello. */
export const trello: Format = {
  name: 'trello',
  title: 'Trello board',
  extensions: ['.json'],
  detect: ({ json }) => isRecord(json) && Array.isArray(json['cards']) && Array.isArray(json['lists']),
  read: (files, tools) =>
    ok({
      kind: 'Trello',
      lists: files.flatMap(({ json }) => (isRecord(json) ? [new Board(json, tools).list()] : [])),
    }),
};
