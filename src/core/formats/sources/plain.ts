// Formats without a program of their own, through their existing readers: tables of any program, OPML, todo.txt, and
// lines of text as the last resort.
import { parseCsv } from '../csv.ts';
import { fileKind } from '../file-kind.ts';
import type { ImportedFile, ImportedTask, ImportResult } from '../imported.ts';
import { type OutlineItem, parseOutlineText } from '../outline-text.ts';
import { parseOpml } from '../opml.ts';
import { parseTodoTxt } from '../todo-txt.ts';
import { failed, ok } from '../../result.ts';
import {
  type Format,
  type RawDate,
  type RawFile,
  rawList,
  rawTask,
  type RawResult,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import type { Given } from '../import/given.ts';

const PRIORITY = /^(?:p[1-4]|Priority ([A-Z]))$/;
const INBOXES: ReadonlySet<string> = new Set(
  `inbox, eingang, posteingang, boîte de réception, bandeja de entrada, posta in arrivo, postvak in, inkorgen, innboks,
  indbakke, saapuneet, skrzynka spraw, входящие, インボックス, 收件箱, 收集箱, 收件匣, 관리함, gelen kutusu, caixa de entrada`
    .split(',')
    .map((word) => word.trim()),
);

/** Whether a list is the default list of other programs by its name, in their languages. */
export const isInboxName = (name: string) => INBOXES.has(name.trim().toLowerCase());

const date = (words: string, zone: string): RawDate | null => (words.trim() === '' ? null : { words, zone });

function taskOf(task: ImportedTask): RawTask {
  const { zone } = task;
  const priority = task.labels.flatMap((name) => {
    const found = PRIORITY.exec(name);
    return found ? [found[1] ?? name] : [];
  })[0];
  return rawTask({
    title: task.title,
    notes: task.notes,
    done: task.isDone ? { at: date(task.completed, zone) } : null,
    created: date(task.created, zone),
    due: date(task.due, zone),
    start: date(task.start, zone),
    deadline: date(task.deadline, zone),
    repeat: task.repeat === '' ? null : { words: task.repeat, zone },
    scalarWords: task.scalars,
    priority: priority ?? null,
    labels: task.labels.filter((name) => !PRIORITY.test(name)).map((name) => ({ name })),
  });
}

/** The same trees in another shape, without recursion. */
function copied<From extends { readonly children: readonly From[] }>(
  tops: readonly From[],
  make: (from: From) => RawTask,
): RawTask[] {
  const root: RawTask[] = [];
  const waiting: (readonly [readonly From[], RawTask[]])[] = [[tops, root]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [from, into] = next;
    for (const one of from) {
      const task = make(one);
      into.push(task);
      if (one.children.length > 0) waiting.push([one.children, task.children]);
    }
  }
  return root;
}

function fileOf(read: ImportedFile, file: Given, tools: Tools): RawFile {
  for (const sentence of read.left) tools.remark(sentence);
  return {
    kind: read.kind,
    lists: read.lists.map(({ name, tasks }) =>
      rawList({
        name: name ?? file.title,
        isInbox: isInboxName(name ?? file.title),
        tasks: copied(tasks, taskOf),
        writtenAt: file.writtenAt,
      }),
    ),
  };
}

/** Reads files one by one by a reader of text. */
function readEach(parse: (text: string) => ImportResult) {
  return (files: readonly Given[], tools: Tools): RawResult => {
    const read: RawFile[] = [];
    for (const file of files) {
      const parsed = parse(file.said);
      if (!parsed.ok) return failed(`: ${parsed.problem}`);
      read.push(fileOf(parsed.value, file, tools));
    }
    const [first] = read;
    return ok({ kind: first?.kind ?? '', lists: read.flatMap(({ lists }) => lists) });
  };
}

const isTableName = (name: string) => /\.(?:csv|tsv)$/i.test(name);

/** Tables with a row of headings, of any program. */
export const table: Format = {
  name: 'csv',
  title: 'CSV',
  extensions: ['.csv', '.tsv'],
  detect: (file) => {
    const several = file.headRows.some((row) => row.filter((cell) => cell.trim() !== '').length > 1);
    return (several || isTableName(file.name)) && !/^\s*[[{<]/.test(file.head) && parseCsv(file.head).ok;
  },
  read: readEach(parseCsv),
};

/** Outlines of any program. */
export const outline: Format = {
  name: 'opml',
  title: 'OPML',
  extensions: ['.opml', '.xml'],
  detect: ({ head }) => /<opml[\s>]/.test(head),
  read: readEach(parseOpml),
};

const TODO_LINE =
  /^(?:x \d{4}-\d\d-\d\d |\([A-Z]\) \S|\d{4}-\d\d-\d\d \S)|(?:^|\s)(?:due|t|rec|pri):\S|\s[+@]\p{L}\S*(?=\s|$)/u;
/** In a file that is called so, less is enough. */
const NAMED_LINE = /^(?:x \S|\([A-Z]\) |\d{4}-\d\d-\d\d \S)|\s(?:(?:due|t|rec):\S|[+@]\p{L})/u;
const BULLET = /^\s*(?:[-*+•]|\d+[.)])\s/;

/** todo.txt: at least half of its lines have its signs, and none a bullet. */
export const todoTxt: Format = {
  name: 'todotxt',
  title: 'todo.txt',
  extensions: ['.txt'],
  detect: ({ head, baseName }) => {
    const written = head.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
    const isNamed = /^(?:todo|done)\.txt$/i.test(baseName);
    const sign = isNamed ? NAMED_LINE : TODO_LINE;
    const signed = written.filter((line) => sign.test(line)).length;
    if (signed === 0 || written.some((line) => BULLET.test(line) || /^\s*[[{<#]/.test(line))) return false;
    return isNamed || signed * 2 >= written.length;
  },
  read: readEach(parseTodoTxt),
};

function itemOf({ title, notes = '', done }: OutlineItem): RawTask {
  return rawTask({ title, notes, done: done === true ? { at: null } : null });
}

/** Lines of text: an outline, a list, prose. */
export const text: Format = {
  name: 'text',
  title: 'Text',
  extensions: ['.txt', '.md', '.text', '.markdown'],
  detect: (file) => file.said.trim() !== '' && fileKind(file.name, file.said).type === 'lines',
  read: (files) =>
    ok({
      kind: 'Text',
      lists: files.map((file) =>
        rawList({
          name: file.title,
          tasks: copied(parseOutlineText(file.said), itemOf),
          writtenAt: file.writtenAt,
        }),
      ),
    }),
};
