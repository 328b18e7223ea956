// Commands that only look: tasks by search or list, one task, lists and labels, and exporting.
import { resolve } from 'node:path';
import type { ListTasksQuery, Task, TasksAnswer } from '#wire/api/client.ts';
import type { Call, Command } from '../command.ts';
import { exported, exportFormats, isExportFormat } from '../exporting.ts';
import { wrongUse } from '../failure.ts';
import { listName, type KnownList, pathOf } from '../names.ts';
import { writeWhole } from '../private-folder.ts';
import { datesFor, inOrder, plainLine, taskLine, taskPage } from '../printing.ts';

const PAGE = 250;
const LIST = {
  name: 'list',
  short: 'l',
  value: 'list',
  summary: 'only in this list, folder or smart list',
} as const;

/** Pages until there are enough. */
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
  summary: 'Tasks, by the search language, by list, or all that are open.',
  details: [
    'Without --status a query finds what it says, and no query finds what is open. A list is shown in its own order, the rest',
    'with the latest change first. What stands in front of a task names it in other commands.',
  ],
  options: [
    LIST,
    { name: 'status', value: 'open|done|all', summary: 'only what is open, or done' },
    { name: 'limit', short: 'n', value: 'count', summary: 'at most so many; 50 unless said otherwise' },
    { name: 'all', short: 'a', summary: 'however many there are' },
  ],
  sendsOutbox: true,
  async run(call) {
    const query = call.words.join(' ');
    const status = call.option('status') ?? (query === '' ? 'open' : 'all');
    if (!/^(?:open|done|all)$/.test(status)) throw wrongUse('--status takes open, done or all.');
    const said = call.option('limit');
    if (said !== undefined && !/^[1-9]\d{0,6}$/.test(said))
      throw wrongUse('--limit takes a number from 1 on.');
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
  summary: 'Everything about one task.',
  options: [],
  sendsOutbox: true,
  async run(call) {
    const [text, ...more] = call.words;
    if (text === undefined || more.length > 0) throw wrongUse('Say one task, by the end of its id.');
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
  summary: 'Lists, folders and smart lists in the order of the sidebar.',
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
    const text = known.map(({ name }) => plainLine(name)).join('\n') || 'No labels.';
    call.show({ success: true, labels: answer.labels }, text);
  },
};

const exporting: Command = {
  name: 'export',
  usage: '',
  summary: 'Write tasks as Markdown, as an outline, or as JSON of the API.',
  details: [
    'Everything, or one list or folder, completed tasks included. The lossless copy, which can be imported again with everything',
    'in it, is the export of the app.',
  ],
  options: [
    LIST,
    { name: 'format', short: 'f', value: exportFormats.join('|'), summary: 'markdown unless said otherwise' },
    { name: 'output', short: 'o', value: 'file', summary: 'into this file, which only you can read' },
  ],
  sendsOutbox: true,
  async run(call) {
    const format = call.isJson ? 'json' : (call.option('format') ?? 'markdown');
    if (!isExportFormat(format)) throw wrongUse(`--format takes ${exportFormats.join(', ')}.`);
    const name = call.option('list');
    const place = name === undefined ? null : await call.names.list(name);
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
    const text = exported({ tasks, ...frame }, { format, place, zone: call.world.zone });
    const output = call.option('output');
    if (output === undefined) {
      call.world.print(text.replace(/\n$/, ''));
      return;
    }
    writeWhole(resolve(call.world.folder, output), text);
    call.show(
      { success: true, file: output, tasks: tasks.length },
      `Exported ${tasks.length} tasks to ${output}.`,
    );
  },
};

export const readingCommands: readonly Command[] = [list, show, lists, labels, exporting];
