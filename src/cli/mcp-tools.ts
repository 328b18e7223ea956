// What agents can do, one tool each: checked by the schemas that the API checks with, carried out by its client. Answers leave
// out what is empty, for an agent pays for every word.
import * as z from 'zod/mini';
import type { Id } from '#core/ids.ts';
import type { ApiClient, List, NewTask, Task, TaskChanges } from '#wire/api/client.ts';
import { apiLimits, bulkCreateSchema, listTasksQuerySchema, updateTaskSchema } from '#wire/api/requests.ts';
import { apiIdSchema, noted } from '#wire/api/values.ts';
import { listName } from './names.ts';

export interface Tool<T = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodMiniType<T>;
  readonly isReading: boolean;
  run(input: T, hands: Hands): Promise<Readonly<Record<string, unknown>>>;
}

export interface Hands {
  readonly ask: <T>(work: (client: ApiClient) => Promise<T>) => Promise<T>;
  readonly newId: () => Id;
}

const tool = <T>(made: Tool<T>): Tool => made as Tool;

/** Says nothing to an agent: whose it is, and how it is kept in order. */
const INTERNAL = new Set([
  'label_ids',
  'user_id',
  'ordinal',
  'order_index',
  'todo_item_attachments',
  'notified_at',
  'snooze_count',
]);

function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function brief(thing: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(thing).filter(([name, value]) => !INTERNAL.has(name) && !isEmpty(value)),
  );
}

/** Labels are said by their names. */
const briefTask = (task: Task) => ({ ...brief(task), is_complete: task.is_complete });

const briefList = (list: List) => ({ ...brief(list), name: listName(list) });

const ids = z.array(apiIdSchema).check(z.minLength(1), z.maxLength(apiLimits.page));

const searchTasks = tool({
  name: 'search_tasks',
  title: 'Search tasks',
  description:
    'Find tasks by words and operators, by list, status or time of change; the latest changed first unless the query sorts. ' +
    'Operators: is:open is:completed is:due is:overdue due:<=friday due:none label:NAME list:NAME has:notes sort:due-date, ' +
    'joined by spaces, OR, - and parentheses. Without any argument: the tasks changed last.',
  input: z.object({
    ...listTasksQuerySchema.shape,
    limit: z.optional(
      noted(z.int().check(z.gte(1), z.lte(apiLimits.page)), { description: 'Unless said otherwise 50.' }),
    ),
  }),
  isReading: true,
  async run({ limit = 50, ...query }, { ask }) {
    const page = await ask((client) => client.listTasks({ ...query, limit: String(limit) }));
    return {
      tasks: page.tasks.map(briefTask),
      ...(page.next_cursor === null ? {} : { next_cursor: page.next_cursor }),
      ...(page.warnings === undefined ? {} : { warnings: page.warnings }),
    };
  },
});

const listLists = tool({
  name: 'list_lists',
  title: 'Show lists and labels',
  description:
    'All lists, folders and smart lists in the order of the sidebar, and all labels, with their ids.',
  input: z.object({}),
  isReading: true,
  async run(_, { ask }) {
    const { lists, labels } = await ask((client) => client.listTasks({ limit: '1' }));
    return { lists: lists.map(briefList), labels: labels.map(({ id, name }) => ({ id, name })) };
  },
});

const getTasks = tool({
  name: 'get_tasks',
  title: 'Read tasks',
  description: 'Tasks by their ids, with notes and dates. Ids that are not there are left out.',
  input: z.object({ ids }),
  isReading: true,
  async run({ ids: wanted }, { ask }) {
    const { todo_items: tasks } = await ask((client) => client.listItems({ item_ids: wanted.join(',') }));
    return { tasks: tasks.map(briefTask) };
  },
});

const createTasks = tool({
  name: 'create_tasks',
  title: 'Create tasks',
  description:
    'Make one or many tasks at once: all of them or none. Without list_id they go to the Inbox. To nest, give a task an id of ' +
    'your own (a UUID) and name it as parent_id of a later one. Days are timeless_due_at (2026-11-27), times due_at with an offset ' +
    'and time_zone. Everything can be taken back by the person in the app.',
  input: z.object({
    tasks: bulkCreateSchema.shape.create_bodies.check(z.minLength(1)),
    strict: bulkCreateSchema.shape.strict,
  }),
  isReading: false,
  async run({ tasks, strict }, { ask, newId }) {
    // With ids of ours the request may be sent again.
    const bodies = tasks.map((task) => ({ ...task, id: task.id ?? newId() }) as NewTask);
    const made = await ask((client) => client.createItems({ create_bodies: bodies, strict }));
    return { tasks: made.todo_items.map(briefTask), ...(made.warnings ? { warnings: made.warnings } : {}) };
  },
});

const { strict: _strict, ...changes } = updateTaskSchema.shape;

const updateTasks = tool({
  name: 'update_tasks',
  title: 'Change tasks',
  description:
    'Change one or many tasks at once: all of them or none. What is left out stays, null clears a date, list_id and parent_id ' +
    'move a task with what is under it.',
  input: z.object({
    updates: z
      .array(z.object({ id: apiIdSchema, changes: noted(z.object(changes), { id: 'Changes' }) }))
      .check(z.minLength(1), z.maxLength(apiLimits.bulk)),
    strict: updateTaskSchema.shape.strict,
  }),
  isReading: false,
  async run({ updates, strict }, { ask }) {
    const bodies = updates.map(({ id, changes: body }) => ({
      todo_item_id: id,
      update_body: body as TaskChanges,
    }));
    const done = await ask((client) => client.updateItems({ update_bodies: bodies, strict }));
    return {
      tasks: done.updated_todo_items.map(briefTask),
      ...(done.warnings ? { warnings: done.warnings } : {}),
    };
  },
});

const completeTasks = tool({
  name: 'complete_tasks',
  title: 'Complete tasks',
  description: 'Complete tasks, or reopen them. A repeating task moves to its next date instead.',
  input: z.object({
    ids,
    is_complete: z.optional(
      noted(z.boolean(), { description: 'False reopens. Unless said otherwise true.' }),
    ),
  }),
  isReading: false,
  async run({ ids: wanted, is_complete: isDone = true }, { ask }) {
    const bodies = wanted.map((id) => ({ todo_item_id: id, update_body: { is_complete: isDone } }));
    const done = await ask((client) => client.updateItems({ update_bodies: bodies }));
    return { tasks: done.updated_todo_items.map(briefTask) };
  },
});

const duplicateList = tool({
  name: 'duplicate_list',
  title: 'Duplicate a list',
  description: 'Copy a list with all its tasks, for instance one that serves as a template.',
  input: z.object({ list_id: apiIdSchema, name: z.optional(z.string()) }),
  isReading: false,
  async run({ list_id: id, name }, { ask }) {
    const { list } = await ask((client) => client.duplicateList(id, name === undefined ? {} : { name }));
    return { list: briefList(list) };
  },
});

export const tools: readonly Tool[] = [
  searchTasks,
  listLists,
  getTasks,
  createTasks,
  updateTasks,
  completeTasks,
  duplicateList,
];
