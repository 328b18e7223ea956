// Commands that only read: tasks by search or list, one task, lists and labels, and exporting.
import { resolve } from 'node:path';
import type { ListTasksQuery, Task, TasksAnswer } from '#wire/api/client.ts';
import type { Call, Command } from '../command.ts';
import { readAccount } from '../account.ts';
import { commandFormats, exported, isExportName, isToldFormat, told, type Told } from '../exporting.ts';
import { fileFailure, wrongUse } from '../failure.ts';
import { listName, type KnownList, pathOf } from '../names.ts';
import { writeWhole } from '../private-folder.ts';
import { datesFor, inOrder, plainLine, taskLine, taskPage } from '../printing.ts';

const PAGE = 250;
const LIST = {
  name: 'list',
  short: 'l',
  value: 'list',
  summary: 'only in this list, folder, or smart list',
} as const;

/** Reads pages until there are `most` tasks or no more. */
async function readTasks(call: Call, query: ListTasksQuery, most: number): Promise<readonly Task[]> {
  const tasks: Task[] = [];
  let cursor: string | null = null;
  do {
    const limit = String(Math.min(PAGE, most - tasks.length));
    const asked: ListTasksQuery = { ...query, limit, ...(cursor === null ? {} : { cursor }) };
    const page: TasksAnswer = await call.session.askPatiently((client) => client.listTasks(asked));
    call.names.keep(page);
    for (const warning of page.warnings ?? []) call.world.warn(plainLine(warning));
    tasks.push(...page.tasks);
    cursor = page.next_cursor;
  } while (cursor !== null && tasks.length < most);
  return tasks;
}

const list: Command = {
  name: 'list',
  aliases: ['ls', 'search'],
  usage: '[query…]',
  summary: 'List tasks by search, by list, or all open ones.',
  details: [
    'Without --status, a query finds what it says, and no query finds open tasks. A list keeps its own order. Everything else',
    'shows the latest change first. Use the id before a task to name it in other commands.',
  ],
  options: [
    LIST,
    { name: 'status', value: 'open|done|all', summary: 'only open or done tasks' },
    { name: 'limit', short: 'n', value: 'count', summary: 'at most this many; 50 by default' },
    { name: 'all', short: 'a', summary: 'no limit' },
  ],
  sendsOutbox: true,
  async run(call) {
    const query = call.words.join(' ');
    const status = call.option('status') ?? (query === '' ? 'open' : 'all');
    if (!/^(?:open|done|all)$/.test(status)) throw wrongUse('--status needs open, done, or all.');
    const said = call.option('limit');
    if (said !== undefined && !/^[1-9]\d{0,6}$/.test(said))
      throw wrongUse('--limit needs a number, 1 or more.');
    if (said !== undefined && call.has('all')) throw wrongUse('Use --limit or --all, not both.');
    const name = call.option('list');
    const place = name === undefined ? null : await call.names.list(name);
    const most = call.has('all') ? Number.POSITIVE_INFINITY : Number(said ?? 50);
    const found = await readTasks(
      call,
      {
        ...(query === '' ? {} : { query }),
        ...(place === null ? {} : { list_id: place.id }),
        ...(status === 'all' ? {} : { status: status === 'open' ? 'incomplete' : 'complete' }),
      },
      most,
    );
    call.seen.add(found);
    const isOutline = query === '' && (place?.list_type === 'list' || place?.list_type === 'inbox');
    const tasks = isOutline ? inOrder(found) : found;
    const showing = { dates: datesFor(call.world), isOutline, isDim: call.world.isTerminal };
    const lines = tasks.map((task) => taskLine(task, showing));
    call.show({ success: true, tasks }, lines.length === 0 ? 'No tasks.' : lines.join('\n'));
  },
};

const show: Command = {
  name: 'show',
  usage: '<task>',
  summary: 'Show everything about one task.',
  options: [],
  sendsOutbox: true,
  async run(call) {
    const [text, ...more] = call.words;
    if (text === undefined || more.length > 0) throw wrongUse('Which task? Type the end of its id.');
    const { task } = await call.session.ask((client) => client.getTask(call.seen.task(text)));
    call.seen.add([task]);
    const { lists } = await call.names.all();
    call.show({ success: true, task }, taskPage(task, lists, datesFor(call.world)));
  },
};

function listLine(list_: KnownList, all: readonly KnownList[]): string {
  const depth = pathOf(list_, all).length - 1;
  const marks = { list: '', inbox: '', folder: '/', smart: ' (smart)' }[list_.list_type];
  const archived = list_.archived_at === null ? '' : ' (archived)';
  return `${'  '.repeat(depth)}${plainLine(listName(list_)) || 'Untitled'}${marks}${archived}`;
}

const lists: Command = {
  name: 'lists',
  usage: '',
  summary: 'Lists, folders, and smart lists, in sidebar order.',
  options: [],
  sendsOutbox: true,
  async run(call) {
    const answer = await call.session.ask((client) => client.listTasks({ limit: '1' }));
    const { lists: known } = call.names.keep(answer);
    call.show({ success: true, lists: answer.lists }, known.map((each) => listLine(each, known)).join('\n'));
  },
};

const labels: Command = {
  name: 'labels',
  usage: '',
  summary: 'Labels.',
  options: [],
  sendsOutbox: true,
  async run(call) {
    const answer = await call.session.ask((client) => client.listTasks({ limit: '1' }));
    const known = call.names.keep(answer).labels;
    // Lists have labels of the same name of their own.
    const text = [...new Set(known.map(({ name }) => plainLine(name)))].join('\n') || 'No labels.';
    call.show({ success: true, labels: answer.labels }, text);
  },
};

/** All tasks of the account, or of a list, with the lists and labels around them. */
async function toldTasks(call: Call, place: KnownList | null): Promise<Told> {
  const tasks: Task[] = [];
  let cursor: string | null = null;
  let frame: Pick<TasksAnswer, 'lists' | 'labels'> = { lists: [], labels: [] };
  do {
    const asked: ListTasksQuery = {
      ...(place === null ? {} : { list_id: place.id }),
      ...(cursor === null ? {} : { cursor }),
    };
    const page: TasksAnswer = await call.session.askPatiently((client) => client.listTasks(asked));
    frame = page;
    tasks.push(...page.tasks);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { tasks, lists: frame.lists, labels: frame.labels };
}

async function exportText(call: Call, format: string): Promise<string> {
  const name = call.option('list');
  const place = name === undefined ? null : await call.names.list(name);
  if (isToldFormat(format)) return told(await toldTasks(call, place), format, place);
  if (!isExportName(format)) throw wrongUse(`--format needs ${commandFormats.join(', ')}.`);
  const isSmart = place?.list_type === 'smart';
  const found = isSmart
    ? new Map((await toldTasks(call, place)).tasks.map(({ id, list_id: list }) => [id, list]))
    : null;
  const account = await readAccount(call.session);
  if (!account.isOfOneMoment)
    call.world.warn('Tasks changed while they were read: parts of the export are of different moments.');
  return exported(account, { format, place, found, zone: call.world.zone });
}

const exporting: Command = {
  name: 'export',
  usage: '',
  summary: 'Export tasks: as JSON to keep, as Markdown to read, or for another program.',
  details: [
    'Everything, or one list or folder, including completed tasks. JSON has everything, and the app imports it again. “outline” is what',
    'import reads, “api” is the JSON of the API. What the other formats leave out is in the guide: /guides/exporting.',
  ],
  options: [
    LIST,
    { name: 'format', short: 'f', value: commandFormats.join('|'), summary: 'markdown by default' },
    { name: 'output', short: 'o', value: 'file', summary: 'write to this file, which only you can read' },
  ],
  sendsOutbox: true,
  async run(call) {
    const format = call.option('format') ?? (call.isJson ? 'api' : 'markdown');
    if (call.isJson && format !== 'api' && call.option('output') === undefined)
      throw wrongUse('With --json, the format is api. Leave out --format, or name a file with --output.');
    if (!commandFormats.includes(format)) throw wrongUse(`--format needs ${commandFormats.join(', ')}.`);
    const text = await exportText(call, format);
    const output = call.option('output');
    if (output === undefined) {
      call.world.print(text.replace(/\r?\n$/, ''));
      return;
    }
    const path = resolve(call.world.folder, output);
    try {
      writeWhole(path, text);
    } catch (error) {
      throw fileFailure(error, path);
    }
    const bytes = Buffer.byteLength(text);
    call.show({ success: true, file: output, format, bytes }, `Exported to ${output}.`);
  },
};

/** The commands list, show, lists, labels and export. */
export const readingCommands: readonly Command[] = [list, show, lists, labels, exporting];
