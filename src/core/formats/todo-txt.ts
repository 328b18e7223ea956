// Reads todo.txt: one task per line, with a priority, days, +projects, @contexts and key:value pairs.
import { ok } from '../result.ts';
import { draftOf, type ImportResult, type TaskDraft } from './imported.ts';
import { wordTable } from './word-table.ts';

const LINE_END = /\r\n?|\n/;
const DAY = String.raw`\d{4}-\d\d-\d\d`;
const DONE = new RegExp(`^x (?:(${DAY}) )?(?:(${DAY}) )?`);
const OPEN = new RegExp(String.raw`^(?:\(([A-Z])\) )?(?:(${DAY}) )?`);
const PAIR = /^([\p{L}\p{N}_-]+):(?!\/)([^\s:][^\s]*)$/u;
const STEP = /^(\+?)(\d{1,4})([dbwmy])$/;
const UNITS: Readonly<Record<string, string>> = wordTable({ d: 'day', w: 'week', m: 'month', y: 'year' });

/** "rec:1w" counts from completion, "rec:+1w" from the due date; null for repeats that do not exist here. */
function repeatOf(value: string): string | null {
  const [, strict, count = '', sign = ''] = STEP.exec(value) ?? [];
  const every = strict === '+' ? 'every' : 'every!';
  if (sign === 'b') return count === '1' ? `${every} weekday` : null;
  const unit = UNITS[sign];
  return unit === undefined ? null : `${every} ${count} ${unit}s`;
}

interface Pairs {
  due: string;
  start: string;
  repeat: string;
  id: string;
  under: string;
  readonly labels: string[];
  readonly others: string[];
}

function takePair(name: string, value: string, pairs: Pairs): void {
  const repeat = name === 'rec' ? repeatOf(value) : null;
  if (name === 'due') pairs.due = value;
  else if (name === 't') pairs.start = value;
  else if (repeat !== null) pairs.repeat = repeat;
  else if (name === 'pri') pairs.labels.push(`Priority ${value.toUpperCase()}`);
  else if (name === 'id') pairs.id = value;
  else if (name === 'p') pairs.under = value;
  else pairs.others.push(`${name}:${value}`);
}

interface ReadLine {
  readonly task: TaskDraft;
  readonly list: string | null;
  readonly id: string;
  readonly under: string;
}

function readLine(line: string): ReadLine {
  const done = line.startsWith('x ') ? DONE.exec(line) : null;
  const open = done === null ? OPEN.exec(line) : null;
  const rest = line.slice((done ?? open)?.[0].length ?? 0);
  const priority = open?.[1];
  const labels = priority === undefined ? [] : [`Priority ${priority}`];
  const pairs: Pairs = { due: '', start: '', repeat: '', id: '', under: '', labels, others: [] };
  const words: string[] = [];
  let list: string | null = null;
  for (const word of rest.split(/\s+/)) {
    const [, name, value] = PAIR.exec(word) ?? [];
    if (/^\+\S/.test(word) && list === null) list = word.slice(1);
    else if (/^[+@]\S/.test(word)) labels.push(word.slice(1));
    else if (name !== undefined && value !== undefined && /\p{L}/u.test(name)) takePair(name, value, pairs);
    else words.push(word);
  }
  const task = draftOf({
    // A space without width in front of a sign keeps it text.
    title:
      words
        .join(' ')
        .replaceAll(/\u200B(?=[+@:])/g, '')
        .trim() || rest.trim(),
    notes: pairs.others.join('\n'),
    isDone: done !== null,
    completed: done?.[1] ?? '',
    // The only day of a completed task is the day of its completion.
    created: done?.[2] ?? open?.[2] ?? '',
    due: pairs.due,
    repeat: pairs.repeat,
    start: pairs.start,
    labels: [...new Set(labels)],
  });
  return { task, list, id: pairs.id, under: pairs.under };
}

/** Reads any text and ends; linear in the text. */
export function parseTodoTxt(text: string): ImportResult {
  const lists = new Map<string | null, TaskDraft[]>();
  const byId = new Map<string, TaskDraft>();
  for (const line of text.split(LINE_END)) {
    if (line.trim() === '') continue;
    const { task, list, id, under } = readLine(line.trimEnd());
    const above = under === '' ? undefined : byId.get(under);
    const tops = lists.get(list) ?? [];
    if (above) above.children.push(task);
    else {
      tops.push(task);
      lists.set(list, tops);
    }
    if (id !== '') byId.set(id, task);
  }
  return ok({
    kind: 'todo.txt',
    lists: [...lists].map(([name, tasks]) => ({ name, tasks })),
    left: [],
  });
}
