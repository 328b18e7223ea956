// Reads the JSON that Things takes by its link (things:///json?data=…): to-dos and projects with headings as siblings.
import { isRecord, type JsonRecord } from '../../json.ts';
import { ok } from '../../result.ts';
import {
  type Format,
  type RawDate,
  rawList,
  type RawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import type { Given } from '../import/given.ts';
import { isSet, recordIn, recordsIn, recordsOfList, textIn, textsIn } from '../import/records.ts';
import { readJson } from '../../json.ts';

const LINK = /^\s*things:\/\/\/json\?(?:[^#]*&)?data=([^&#\s]+)/;

/** The list of items, given as JSON or as a link with it. */
function itemsIn(file: Given): readonly JsonRecord[] {
  const [, data] = LINK.exec(file.said.slice(0, 5_000_000)) ?? [];
  if (data === undefined) return recordsOfList(file.json);
  try {
    return recordsOfList(readJson(decodeURIComponent(data)));
  } catch {
    // Signs that are no encoding: no items.
    return [];
  }
}

const isItem = (record: JsonRecord | undefined) =>
  record !== undefined &&
  ['to-do', 'project'].includes(textIn(record, 'type')) &&
  isRecord(record['attributes']);

const date = (words: string): RawDate | null => (words === '' ? null : { words });

function whenOf(task: RawTask, when: string, tools: Tools): void {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)@(\d{1,2}:\d\d)$/.exec(when) ?? [];
  if (when === 'someday') {
    task.labels.push({ name: 'someday' });
    tools.losses.add('someday', 'when', 'label', task.title);
  } else if (day !== undefined && time !== undefined) {
    task.start = { words: day };
    task.reminders.push({ when: { local: `${day}T${time.padStart(5, '0')}` } });
  } else if (when === 'evening') task.start = { words: 'today' };
  else if (when !== 'anytime') task.start = date(when.replace('@', ' '));
}

/** Items of a checklist have none of their own. */
function taskOf(record: JsonRecord, tools: Tools, isChecked = false): RawTask {
  const said = recordIn(record, 'attributes');
  const isCancelled = isSet(said, 'canceled');
  const id = textIn(record, 'id');
  const task = rawTask({
    id: id === '' ? null : `things:${id}`,
    title: textIn(said, 'title'),
    notes: textIn(said, 'notes'),
    due: date(textIn(said, 'deadline')),
    created: date(textIn(said, 'creation-date')),
    done: isCancelled || isSet(said, 'completed') ? { at: date(textIn(said, 'completion-date')) } : null,
    labels: textsIn(said, 'tags').map((name) => ({ name })),
    children: isChecked ? [] : recordsIn(said, 'checklist-items').map((item) => taskOf(item, tools, true)),
  });
  if (isCancelled) {
    task.labels.push({ name: 'cancelled' });
    tools.losses.add('cancelled', 'canceled', 'label', task.title);
  }
  whenOf(task, textIn(said, 'when'), tools);
  return task;
}

function projectOf(record: JsonRecord, tools: Tools): RawList {
  const said = recordIn(record, 'attributes');
  const area = textIn(said, 'area');
  const id = textIn(record, 'id');
  const facts = ['when', 'deadline'].flatMap((name) =>
    textIn(said, name) === '' ? [] : [`${name}: ${textIn(said, name)}`],
  );
  for (const fact of facts) tools.losses.add('project-date', 'attributes', 'list notes', fact);
  for (const tag of textsIn(said, 'tags')) {
    facts.push(`tag: ${tag}`);
    tools.losses.add('project-label', 'tags', 'list notes', tag);
  }
  const list = rawList({
    id: id === '' ? null : `things:project:${id}`,
    name: textIn(said, 'title') || 'Project',
    folders: area === '' ? [] : [{ id: null, name: area }],
    notes: [textIn(said, 'notes'), facts.join('\n')].filter((part) => part !== '').join('\n\n'),
    archived: isSet(said, 'completed', 'canceled') ? { words: textIn(said, 'completion-date') } : null,
  });
  let heading: RawTask | null = null;
  for (const item of recordsIn(said, 'items')) {
    const task = taskOf(item, tools);
    if (textIn(item, 'type') === 'heading') {
      task.isHeading = true;
      if (isSet(recordIn(item, 'attributes'), 'archived')) task.done = { at: null };
      tools.losses.add('heading', 'heading', 'task', task.title);
      heading = task;
      list.tasks.push(task);
    } else (heading?.children ?? list.tasks).push(task);
  }
  return list;
}

/** Things' JSON. */
export const thingsJson: Format = {
  name: 'things-json',
  title: 'Things JSON',
  extensions: ['.json'],
  detect: (file) => {
    if (!/^\s*(?:\[|things:\/\/\/json\?)/.test(file.head)) return false;
    return isItem(itemsIn(file)[0]);
  },
  read: (files, tools) => {
    const lists: RawList[] = [];
    const byName = new Map<string, RawList>();
    const listOf = (name: string) => {
      const known = byName.get(name);
      if (known) return known;
      const list = rawList({ name: name || 'Inbox', isInbox: name === '' });
      byName.set(name, list);
      lists.push(list);
      return list;
    };
    for (const file of files)
      for (const item of itemsIn(file)) {
        if (textIn(item, 'operation') === 'update') tools.losses.add('row', 'operation', 'nowhere', 'update');
        else if (textIn(item, 'type') === 'project') lists.push(projectOf(item, tools));
        else if (textIn(item, 'type') === 'to-do') {
          const said = recordIn(item, 'attributes');
          listOf(textIn(said, 'list')).tasks.push(taskOf(item, tools));
        } else tools.losses.add('row', 'type', 'nowhere', textIn(item, 'type'));
      }
    return ok({ kind: 'Things', lists });
  },
};
