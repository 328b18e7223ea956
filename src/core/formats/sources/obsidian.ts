// Reads tasks in Markdown with the signs of the Tasks plugin of Obsidian, and with fields of Dataview. Headings are
// sections; other text is no task.
import { ok } from '../../result.ts';
import {
  type Format,
  lines,
  rawList,
  type RawList,
  rawTask,
  type RawTask,
  type Tools,
} from '../import/draft.ts';
import { dayOf } from '../import/dates.ts';
import type { Given } from '../import/given.ts';
import { wordTable } from '../word-table.ts';

const ITEM = /^([\s>]*)(?:[-*+]|\d{1,9}[.)])\s+\[(.)\]\s+(.*)$/u;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const FENCE = /^[\s>]*(```|~~~)/;
const SIGN = /\s*(📅|📆|🗓|⏳|⌛|🛫|➕|✅|❌)\uFE0F?\s*(\d{4}-\d\d-\d\d)\s*$/u;
const OTHER = /\s*(🔁|🏁|🆔|⛔)\uFE0F?\s*([^🔁🏁🆔⛔📅📆🗓⏳⌛🛫➕✅❌🔺⏫🔼🔽⏬]{1,200}?)\s*$/u;
const PRIORITY = /\s*(🔺|⏫|🔼|🔽|⏬)\uFE0F?\s*$/u;
const BLOCK = /\s+\^([\w-]{1,60})$/;
const FIELD = /\s*[[(]([A-Za-z]{2,20})::\s*([^[\]()]{1,200})[\])]\s*$/;
const TAG = /(^|\s)#(?=[^\s#]*[^\d\s#])([^\s#!@$%^&*(),.?":{}|<>]+)/gu;
const PRIORITIES: Readonly<Record<string, string>> = wordTable({
  '🔺': 'highest',
  '⏫': 'high',
  '🔼': 'medium',
  '🔽': 'low',
  '⏬': 'lowest',
});
const FIELDS: Readonly<Record<string, string>> = wordTable({
  '📅': 'due',
  '📆': 'due',
  '🗓': 'due',
  '⏳': 'scheduled',
  '⌛': 'scheduled',
  '🛫': 'start',
  '➕': 'created',
  '✅': 'completion',
  '❌': 'cancelled',
  '🔁': 'repeat',
  '🏁': 'oncompletion',
  '🆔': 'id',
  '⛔': 'dependson',
});
const MOST_SIGNS = 30;
const DAYS: ReadonlySet<string> = new Set([
  'due',
  'scheduled',
  'start',
  'created',
  'completion',
  'cancelled',
]);
/** Every task of a file with this tag: it is the plugin's filter, not a label. */
const FILTER = 'task';

/** Takes the signs off the end of a line, in any order. */
function fieldsOf(text: string): { readonly title: string; readonly fields: ReadonlyMap<string, string> } {
  const fields = new Map<string, string>();
  const tags: string[] = [];
  let rest = text.trimEnd();
  for (let step = 0; step < MOST_SIGNS; step += 1) {
    const tail = rest.slice(-400);
    const sign = SIGN.exec(tail);
    const other = sign ? null : (FIELD.exec(tail) ?? OTHER.exec(tail));
    const mark = sign || other ? null : PRIORITY.exec(tail);
    const block = sign || other || mark ? null : BLOCK.exec(tail);
    const tag = sign || other || mark || block ? null : /\s+#[^\s#]+$/u.exec(tail);
    const [whole] = sign ?? other ?? mark ?? block ?? tag ?? [];
    if (whole === undefined) break;
    if (tag) tags.unshift(whole.trim());
    else if (mark) fields.set('priority', PRIORITIES[mark[1] ?? ''] ?? '');
    else if (!block) {
      const [, name = '', value = ''] = sign ?? other ?? [];
      const key = FIELDS[name] ?? name.toLowerCase();
      if (DAYS.has(key) && dayOf(value.trim()) === null) break;
      if (!fields.has(key)) fields.set(key, value.trim());
    }
    rest = rest.slice(0, rest.length - whole.length).trimEnd();
  }
  return { title: [rest, ...tags].join(' ').trim(), fields };
}

const NAMED: ReadonlySet<string> = new Set([
  ...DAYS,
  'priority',
  'repeat',
  'oncompletion',
  'id',
  'dependson',
]);

function taskOf(text: string, sign: string, tools: Tools): RawTask {
  const { losses } = tools;
  const { title: named, fields } = fieldsOf(text);
  const labels = [...named.matchAll(TAG)]
    .map(([, , name = '']) => ({ name }))
    .filter(({ name }) => name !== FILTER);
  const title =
    named
      .replaceAll(/(^|\s)#task(?=\s|$)/g, '')
      .replaceAll(/(?:\s+#[^\s#]+)+$/gu, '')
      .trim() || named;
  const on = (name: string) => {
    const day = fields.get(name);
    return day === undefined ? null : { words: day };
  };
  const isCancelled = sign === '-';
  const isDone = /[xX]/.test(sign) || isCancelled;
  const [start, scheduled] = [on('start'), on('scheduled')];
  const priority = fields.get('priority') ?? '';
  const task = rawTask({
    title,
    due: on('due'),
    start: start ?? scheduled,
    created: on('created'),
    done: isDone ? { at: on('completion') ?? on('cancelled') } : null,
    priority: priority === '' || priority === 'normal' ? null : priority,
    labels,
  });
  if (start && scheduled) {
    task.notes = lines(task.notes, `Scheduled: ${scheduled.words}`);
    losses.add('other', 'scheduled', 'notes', title);
  }
  const word = isCancelled
    ? 'cancelled'
    : sign === '/'
      ? 'in progress'
      : isDone || sign === ' '
        ? null
        : sign;
  if (word !== null) {
    task.labels.push({ name: word });
    losses.add(isCancelled ? 'cancelled' : 'status', `[${sign}]`, 'label', title);
  }
  const repeat = fields.get('repeat') ?? '';
  if (repeat !== '') {
    const words = repeat.replace(/\s+when done$/i, '');
    task.repeat = { words: words === repeat ? repeat : words.replace(/^every\b/i, 'every!'), language: 'en' };
  }
  for (const name of ['oncompletion', 'dependson', 'id'])
    if (fields.has(name)) {
      task.notes = lines(task.notes, `${name}: ${fields.get(name) ?? ''}`);
      losses.add(name === 'dependson' ? 'dependency' : 'other', name, 'notes', title);
    }
  for (const [name, value] of fields) if (!NAMED.has(name)) task.metadata[name] = value;
  return task;
}

/** Lines outside of front matter, code and comments. */
function* written(text: string): Generator<string> {
  const all = text.split(/\r\n?|\n/);
  let fence: string | null = null;
  let isComment = false;
  let from = 0;
  if (all[0] === '---') {
    const end = all.indexOf('---', 1);
    if (end > 0) from = end + 1;
  }
  for (const line of all.slice(from)) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined && (fence === null || fence === mark)) {
      fence = fence === null ? mark : null;
      continue;
    }
    if (fence !== null) continue;
    const marks = (line.match(/%%/g)?.length ?? 0) % 2 === 1;
    if (
      marks ||
      (!isComment && line.includes('<!--') && !line.includes('-->')) ||
      (isComment && line.includes('-->'))
    ) {
      isComment = !isComment;
      continue;
    }
    if (!isComment && !/^\s*(?:%%.*%%|<!--.*-->)\s*$/.test(line)) yield line;
  }
}

function readFile(file: Given, tools: Tools): RawList {
  const list = rawList({ name: file.title, writtenAt: file.writtenAt });
  let section: RawTask | null = null;
  let open: { readonly level: number; readonly task: RawTask }[] = [];
  let wasQuoted = false;
  for (const line of written(file.said)) {
    const [, heading] = HEADING.exec(line) ?? [];
    if (heading !== undefined) {
      section = rawTask({ title: heading, isHeading: true });
      open = [];
      continue;
    }
    const [whole, indent = '', sign = ' ', text = ''] = ITEM.exec(line) ?? [];
    if (whole === undefined) {
      const above = open.at(-1);
      const [, bullet] = /^[\s>]+(?:[-*+]\s+)?(.*)$/.exec(line) ?? [];
      if (above && bullet !== undefined && bullet !== '') above.task.notes = lines(above.task.notes, bullet);
      else if (line.trim() !== '') open = [];
      continue;
    }
    const isQuoted = indent.includes('>');
    if (isQuoted !== wasQuoted) open = [];
    wasQuoted = isQuoted;
    const level = [...indent.replace(/^.*>\s?/, '')].reduce((sum, one) => sum + (one === '\t' ? 4 : 1), 0);
    while ((open.at(-1)?.level ?? -1) >= level) open.pop();
    const task = taskOf(text, sign, tools);
    const above = open.at(-1)?.task;
    if (!above && section && section.children.length === 0) {
      list.tasks.push(section);
      tools.losses.add('heading', '#', 'task', section.title);
    }
    (above?.children ?? section?.children ?? list.tasks).push(task);
    open.push({ level, task });
  }
  return list;
}

/** Tasks in Obsidian's notes. */
export const obsidian: Format = {
  name: 'obsidian',
  title: 'Obsidian Tasks',
  extensions: ['.md'],
  detect: ({ said }) =>
    /^[\s>]*(?:[-*+]|\d+[.)])\s+\[.\]\s.*(?:📅|📆|🗓|⏳|⌛|🛫|➕|✅|❌|🔁|🔺|⏫|🔼|🔽|⏬|[[(](?:due|scheduled|start|created|completion|repeat|priority)::)/mu.test(
      said.slice(0, 200_000),
    ),
  read: (files, tools) =>
    ok({
      kind: 'Obsidian',
      lists: files.map((file) => readFile(file, tools)).filter(({ tasks }) => tasks.length > 0),
    }),
};
