// For tests of imports: files of text, and what was read of them as lines.
import assert from 'node:assert/strict';
import { lossWords } from '#core/formats/import/losses.ts';
import { readImport } from '#core/formats/import/read-import.ts';
import { wordsOf } from '#core/formats/import/settle.ts';
import type {
  ImportContext,
  ImportedFile,
  ImportedTask,
  ImportInput,
  ImportPorts,
} from '#core/formats/import/shape.ts';
import type { RepeatRule } from '#core/model.ts';

/** Noon of 22 November 2026 in Berlin. */
export const NOW = Date.UTC(2026, 10, 22, 11);

/** A person in Berlin. */
export const context = (ports: ImportPorts = {}): ImportContext => ({
  phrase: {
    now: NOW,
    zone: 'Europe/Berlin',
    order: 'dmy',
    hour12: false,
    dayStart: 0,
    weekStart: 1,
    nextWeek: 'first day',
    prefers: 'future',
    current: null,
    hours: { morning: 9, afternoon: 14, evening: 18, night: 21 },
  },
  ports,
});

/** A text in UTF-8. */
export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** What is read of files; fails the test when they cannot be read. */
export async function readFiles(files: readonly ImportInput[], ports?: ImportPorts): Promise<ImportedFile> {
  const read = await readImport(files, context(ports));
  assert.ok(read.ok, read.ok ? '' : read.problem);
  return read.value;
}

/** What is read of texts by name. */
export const readTexts = (texts: Readonly<Record<string, string>>) =>
  readFiles(Object.entries(texts).map(([name, text]) => ({ name, bytes: bytesOf(text) })));

/** Why files cannot be read; fails the test when they can. */
export async function problemOf(name: string, bytes: Uint8Array): Promise<string> {
  const read = await readImport([{ name, bytes }], context());
  assert.ok(!read.ok, 'it was read');
  return read.problem;
}

const moment = (at: number | null) =>
  at === null ? '?' : Temporal.Instant.fromEpochMilliseconds(at).toString().slice(0, 16);

const repeatOf = (rule: RepeatRule) => {
  const days = rule.metadata === null ? '' : ` ${JSON.stringify(Object.values(rule.metadata)[0])}`;
  const from = rule.from === 'completion' ? ' from completion' : '';
  return `every ${[rule.value, ...(rule.also ?? [])].join('+')} ${rule.unit}${days}${from}`;
};

function wordsOfTask(task: ImportedTask): string {
  const parts = [
    `${task.done === null ? '' : 'x '}${task.isHeading ? '## ' : ''}${task.title}`,
    ...(task.done?.at ? [`done ${moment(task.done.at)}`] : []),
    ...(task.createdAt === null ? [] : [`created ${moment(task.createdAt)}`]),
    ...(task.due === null ? [] : [`due ${wordsOf(task.due)}`]),
    ...(task.start === null ? [] : [`start ${wordsOf(task.start)}`]),
    ...(task.repeat === null ? [] : [repeatOf(task.repeat)]),
    ...(task.scalars.duration === undefined ? [] : [`${task.scalars.duration} min`]),
    ...(task.priority === null ? [] : [`priority ${task.priority}`]),
    ...task.labels.map((key) => `@${key.replace(/^\//, '')}`),
    ...task.reminders.map((one) =>
      'before' in one ? `remind -${one.before}` : `remind ${wordsOf(one.when)}`,
    ),
    ...Object.entries(task.metadata).map(([key, value]) => `${key}=${value}`),
    ...(task.isCollapsed ? ['collapsed'] : []),
    ...(task.isBookmarked ? ['bookmarked'] : []),
    ...(task.notes === '' ? [] : [`“${task.notes.replaceAll('\n', '⏎')}”`]),
  ];
  return parts.join(' | ').replace(' | ', parts.length > 1 ? ' | ' : '');
}

/** The lists and tasks as lines: the fields of a task after its title, separated by bars. */
export function say({ lists }: Pick<ImportedFile, 'lists'>): string {
  const said: string[] = [];
  const walk = (tasks: readonly ImportedTask[], level: number) => {
    for (const task of tasks) {
      said.push(`${'  '.repeat(level)}${wordsOfTask(task)}`);
      walk(task.children, level + 1);
    }
  };
  for (const list of lists) {
    const folders = list.folders.map(({ name }) => `${name}/`).join('');
    const marks = [
      ...(list.isInbox ? ['inbox'] : []),
      ...(list.archivedAt === null ? [] : [`archived ${moment(list.archivedAt)}`]),
      ...(list.isBookmarked ? ['bookmarked'] : []),
      ...(list.notes === '' ? [] : [`“${list.notes.replaceAll('\n', '⏎')}”`]),
    ];
    said.push([`${folders}${list.name}`, ...marks].join(' | '));
    walk(list.tasks, 1);
  }
  return said.join('\n');
}

/** The report in words, with examples. */
export const report = ({ losses, remarks }: ImportedFile) =>
  [...losses.map((loss) => [lossWords(loss), ...loss.examples].join(' · ')), ...remarks].join('\n');
