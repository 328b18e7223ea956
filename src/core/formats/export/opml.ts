// Writes OPML 2.0: folders, lists and tasks as nested outlines, with the attributes that outliners read, and others of our own,
// which sources/own-opml.ts reads.
import { exactMetadata, exactMoment, exactReminders, exactRule, exactWhen, joinNames } from './exact.ts';
import { fullNotes, type OutLabel, type OutList, type OutTask, type OutTree } from './tree.ts';

/** What stands in the head of our files. */
export const opmlGenerator = 'Posthaste';
// oxlint-disable-next-line no-control-regex -- XML has no place for these.
const IMPOSSIBLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/g;
const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

const escaped = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(IMPOSSIBLE, '')
    .replaceAll(/[&<>"\n\t]/g, (sign) => SIGNS[sign] ?? sign);

type Attributes = Readonly<Record<string, string>>;

const attributesText = (attributes: Attributes) =>
  Object.entries(attributes)
    .filter(([name, value]) => value !== '' || name === 'text')
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');

const labelText = ({ group, name }: OutLabel) => joinNames(group === null ? [name] : [group, name], '/');
const yes = (value: boolean) => (value ? 'true' : '');

function taskAttributes(task: OutTask): Attributes {
  const { id, title, done, due, start, snooze, repeat, duration, labels } = task;
  return {
    text: title,
    _note: fullNotes(task),
    _complete: yes(done !== null),
    created: exactMoment(task.createdAt),
    completed: done === null ? '' : exactMoment(done),
    due: due === null ? '' : exactWhen(due),
    start: start === null ? '' : exactWhen(start),
    snooze: snooze === null ? '' : exactWhen(snooze),
    repeat: repeat === null ? '' : exactRule(repeat),
    duration: duration === null ? '' : String(duration),
    labels: joinNames(labels.map(labelText), '; '),
    reminders: exactReminders(task.reminders),
    metadata: exactMetadata(task.metadata),
    bookmarked: yes(task.isBookmarked),
    collapsed: yes(task.isCollapsed),
    id,
  };
}

function listAttributes(list: OutList): Attributes {
  const { id, name, notes, isInbox, isShared, isBookmarked, archivedAt } = list;
  return {
    text: name,
    _kind: isInbox ? 'inbox' : 'list',
    _note: notes,
    shared: yes(isShared),
    archived: archivedAt === null ? '' : exactMoment(archivedAt),
    bookmarked: yes(isBookmarked),
    id,
  };
}

/** The outline of a tree. */
export function writeOpml({ name, lists }: OutTree): string {
  const lines: string[] = [];
  const open: string[] = [];
  const indent = () => '  '.repeat(Math.min(open.length, 20) + 2);
  const begin = (attributes: Attributes) => {
    lines.push(`${indent()}<outline${attributesText(attributes)}>`);
    open.push('');
  };
  const closeTo = (depth: number) => {
    while (open.length > depth) {
      open.pop();
      lines.push(`${indent()}</outline>`);
    }
  };
  let folders: readonly string[] = [];
  for (const list of lists) {
    let shared = 0;
    while (shared < folders.length && folders[shared] === list.folders[shared]) shared += 1;
    closeTo(shared);
    for (const folder of list.folders.slice(shared)) begin({ text: folder, _kind: 'folder' });
    ({ folders } = list);
    closeTo(folders.length);
    begin(listAttributes(list));
    for (const task of list.tasks) {
      closeTo(folders.length + 1 + task.level);
      begin(taskAttributes(task));
    }
    closeTo(folders.length);
  }
  closeTo(0);
  const head = [`    <title>${escaped(name)}</title>`, `    <generator>${opmlGenerator}</generator>`];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<opml version="2.0">',
    '  <head>',
    ...head,
    '  </head>',
    '  <body>',
    ...lines,
    '  </body>',
    '</opml>',
    '',
  ].join('\n');
}
