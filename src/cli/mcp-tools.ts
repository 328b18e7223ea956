// The tools for agents, checked by the schemas of the API and executed by its client. Answers leave out empty fields, since
// an agent pays for every word.
import * as z from 'zod/mini';
import type { Comment, List, NewTask, Task, TaskChanges } from '#wire/api/client.ts';
import {
  apiLimits,
  bulkCreateSchema,
  createCommentSchema,
  createLabelSchema,
  createListSchema,
  createMacroRunSchema,
  listTasksQuerySchema,
  updateTaskSchema,
} from '#wire/api/requests.ts';
import { apiIdSchema, noted } from '#wire/api/values.ts';
import { calendarTools } from './calendar/tools.ts';
import type { LineReading } from './entry.ts';
import { type RunHands, runToEnd } from './macro-runs.ts';
import { listName } from './names.ts';
import type { Saying } from './saying.ts';

/** One tool as an agent sees it, and what it does. `run` rejects with a Failure. */
export interface Tool<T = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodMiniType<T>;
  readonly isReading: boolean;
  /** Removes something, if only to the trash. */
  readonly isRemoving?: true;
  run(input: T, hands: Hands): Promise<Readonly<Record<string, unknown>>>;
}

export interface Hands extends RunHands {
  /** Reads a line as `posthaste add` does: the task to create with that id, and what was read, in words. */
  readonly read: LineReading;
  /** The moment, the zone and the habits that words for dates are read in. */
  readonly saying: () => Saying;
}

const tool = <T>(made: Tool<T>): Tool => made as Tool;

/** Fields of no use to an agent: ownership and ordering. */
const INTERNAL = new Set([
  'label_ids',
  'user_id',
  'ordinal',
  'order_index',
  'todo_item_attachments',
  'notified_at',
  'snooze_count',
]);

/** Numbers that say nothing at 0. */
const COUNTS = new Set(['comment_count']);

function isEmpty(name: string, value: unknown): boolean {
  if (COUNTS.has(name)) return value === 0;
  if (value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function brief(thing: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(thing).filter(([name, value]) => !INTERNAL.has(name) && !isEmpty(name, value)),
  );
}

/** Labels are given by name only. */
const briefTask = (task: Task) => ({ ...brief(task), is_complete: task.is_complete });

const briefList = (list: List) => ({ ...brief(list), name: listName(list) });

const ids = z.array(apiIdSchema).check(z.minLength(1), z.maxLength(apiLimits.page));

const searchTasks = tool({
  name: 'search_tasks',
  title: 'Search tasks',
  description:
    'Find tasks by words and operators, by list, status, or time of change. The latest change comes first unless the query sorts. ' +
    'Operators: is:open is:completed is:due is:overdue due:<=friday due:none label:NAME list:NAME has:notes sort:due-date, ' +
    'joined by spaces, OR, -, and parentheses. Without arguments: the tasks changed last.',
  input: z.object({
    ...listTasksQuerySchema.shape,
    limit: z.optional(
      noted(z.int().check(z.gte(1), z.lte(apiLimits.page)), { description: '50 by default.' }),
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
  description: 'All lists, folders, and smart lists in sidebar order, and all labels, with their ids.',
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
  description: 'Tasks by id, with notes and dates. Unknown ids are listed in missing.',
  input: z.object({ ids }),
  isReading: true,
  async run({ ids: wanted }, { ask }) {
    const { todo_items: tasks } = await ask((client) => client.listItems({ item_ids: wanted.join(',') }));
    const found = new Set(tasks.map(({ id }) => id));
    const missing = wanted.filter((id) => !found.has(id.toLowerCase()));
    return { tasks: tasks.map(briefTask), ...(missing.length === 0 ? {} : { missing }) };
  },
});

const createTasks = tool({
  name: 'create_tasks',
  title: 'Create tasks',
  description:
    'Create one or more tasks, all or none. Titles stay as they are. Without list_id they go to the Inbox. To nest, give a task your own ' +
    'id (a UUID) and use it as parent_id of a later one. Days are timeless_due_at (2026-11-27), times are due_at with an offset ' +
    'and time_zone. The person can undo everything in the app.',
  input: z.object({
    tasks: bulkCreateSchema.shape.create_bodies.check(z.minLength(1)),
    strict: bulkCreateSchema.shape.strict,
  }),
  isReading: false,
  async run({ tasks, strict }, { ask, newId }) {
    // Our own ids make the request safe to send again.
    const bodies = tasks.map((task) => ({ ...task, id: task.id ?? newId() }) as NewTask);
    const made = await ask((client) => client.createItems({ create_bodies: bodies, strict }));
    return { tasks: made.todo_items.map(briefTask), ...(made.warnings ? { warnings: made.warnings } : {}) };
  },
});

const addTask = tool({
  name: 'add_task',
  title: 'Add a task in words',
  description:
    'Add one task in the person’s own words, read as the app reads them: dates, starts, snoozes, repeats, lengths, #labels, and @lists ' +
    'leave the title. The answer says in read what was understood. Use it to pass on what the person said, without working out ' +
    'the date yourself; literal keeps every word as the title. Without list_id, parent_id, or an @list it goes to the Inbox.',
  input: z.object({
    words: noted(z.string().check(z.minLength(1)), {
      description: 'Call Ann tomorrow 5pm for 45 min #phone',
    }),
    notes: z.optional(z.string()),
    list_id: z.optional(apiIdSchema),
    parent_id: z.optional(apiIdSchema),
    literal: z.optional(noted(z.boolean(), { description: 'true reads nothing. false by default.' })),
  }),
  isReading: false,
  async run({ words, notes = '', literal = false, list_id: list, parent_id: parent }, { ask, newId, read }) {
    const { bodies, understood, warnings } = await read(newId(), { words, notes, isLiteral: literal });
    const place = parent === undefined ? { list_id: list } : { parent_id: parent, list_id: undefined };
    const isPlaced = list !== undefined || parent !== undefined;
    const placed = bodies.map((body) => (isPlaced ? { ...body, ...place } : body) as NewTask);
    const made = await ask((client) => client.createItems({ create_bodies: placed }));
    const [task] = made.todo_items.map(briefTask);
    const said = [...warnings, ...(made.warnings ?? [])];
    return { task, read: understood, ...(said.length === 0 ? {} : { warnings: said }) };
  },
});

const { strict: _strict, ...changes } = updateTaskSchema.shape;

const updateTasks = tool({
  name: 'update_tasks',
  title: 'Change tasks',
  description:
    'Change one or more tasks, all or none. What you leave out stays, null clears a date, and list_id and parent_id ' +
    'move a task with its subtasks.',
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
    is_complete: z.optional(noted(z.boolean(), { description: 'false reopens. true by default.' })),
  }),
  isReading: false,
  async run({ ids: wanted, is_complete: isDone = true }, { ask }) {
    const bodies = wanted.map((id) => ({ todo_item_id: id, update_body: { is_complete: isDone } }));
    const done = await ask((client) => client.updateItems({ update_bodies: bodies }));
    return {
      tasks: done.updated_todo_items.map(briefTask),
      ...(done.warnings ? { warnings: done.warnings } : {}),
    };
  },
});

const ofTasks = z.object({ ids: z.array(apiIdSchema).check(z.minLength(1), z.maxLength(apiLimits.bulk)) });

const deleteTasks = tool({
  name: 'delete_tasks',
  title: 'Move tasks to the trash',
  description:
    'Move tasks and their subtasks to the trash, all or none. restore_tasks brings them back by the same ids. ' +
    'Otherwise they are permanently deleted after some weeks.',
  input: ofTasks,
  isReading: false,
  isRemoving: true,
  async run({ ids: wanted }, { ask }) {
    await ask((client) => client.deleteItems({ item_ids: wanted }));
    return { deleted: wanted };
  },
});

const restoreTasks = tool({
  name: 'restore_tasks',
  title: 'Restore tasks',
  description: 'Restore tasks from the trash by id, to where they were, with everything deleted with them.',
  input: ofTasks,
  isReading: false,
  async run({ ids: wanted }, { ask }) {
    const { todo_items: tasks } = await ask((client) => client.restoreItems({ item_ids: wanted }));
    return { tasks: tasks.map(briefTask) };
  },
});

/** A person without a name is known by number. */
const briefComment = ({
  user_name: name,
  user_id: user,
  mentioned_user_ids: _mentioned,
  ...rest
}: Comment) => ({
  ...rest,
  author: name ?? `person ${user}`,
});

const listComments = tool({
  name: 'list_comments',
  title: 'Read comments',
  description:
    'The comments of a task, oldest first, with their authors. comment_count of a task says whether there are any.',
  input: z.object({ task_id: apiIdSchema, cursor: z.optional(z.string()) }),
  isReading: true,
  async run({ task_id: task, cursor }, { ask }) {
    const page = await ask((client) => client.listComments(task, cursor === undefined ? {} : { cursor }));
    return {
      comments: page.comments.map(briefComment),
      ...(page.next_cursor === null ? {} : { next_cursor: page.next_cursor }),
    };
  },
});

const commentText = createCommentSchema.shape.text;

const addComment = tool({
  name: 'add_comment',
  title: 'Comment on a task',
  description:
    'Write a comment on a task, as the person whose token this is; everybody in a shared list reads it. @Name mentions a person of the ' +
    'list by their whole name.',
  input: z.object({ task_id: apiIdSchema, text: commentText }),
  isReading: false,
  async run({ task_id: task, text }, { ask, newId }) {
    const made = await ask((client) => client.createComment(task, { id: newId(), text }));
    return { comment: briefComment(made.comment) };
  },
});

const updateComment = tool({
  name: 'update_comment',
  title: 'Change a comment',
  description: "Give a comment a new text. Only the person's own comments can be changed.",
  input: z.object({ id: apiIdSchema, text: commentText }),
  isReading: false,
  async run({ id, text }, { ask }) {
    return { comment: briefComment((await ask((client) => client.updateComment(id, { text }))).comment) };
  },
});

const deleteComment = tool({
  name: 'delete_comment',
  title: 'Delete a comment',
  description: "Delete a comment of the person's own, or anybody's in a list that they own.",
  input: z.object({ id: apiIdSchema }),
  isReading: false,
  isRemoving: true,
  async run({ id }, { ask }) {
    await ask((client) => client.deleteComment(id));
    return { deleted: id };
  },
});

const listFields = createListSchema.shape;

const createList = tool({
  name: 'create_list',
  title: 'Create a list',
  description:
    'Create a list, a folder, or a smart list, which shows what its smart_list_query finds. parent_id is a folder. Without it, the list ' +
    'goes to the end of the top level.',
  input: z.object({
    name: listFields.name,
    list_type: listFields.list_type,
    parent_id: listFields.parent_id,
    notes: listFields.notes,
    smart_list_query: listFields.smart_list_query,
    strict: listFields.strict,
  }),
  isReading: false,
  async run(input, { ask, newId }) {
    const made = await ask((client) => client.createList({ ...input, id: newId() }));
    return { list: briefList(made.list), ...(made.warnings ? { warnings: made.warnings } : {}) };
  },
});

const labelFields = createLabelSchema.shape;

const createLabel = tool({
  name: 'create_label',
  title: 'Create a label',
  description:
    'Create a label, which goes on tasks by its exact name. Check list_lists first, because a second label with the same name only gets a warning.',
  input: z.object({
    name: labelFields.name,
    color_hex_string: labelFields.color_hex_string,
    strict: labelFields.strict,
  }),
  isReading: false,
  async run(input, { ask, newId }) {
    const made = await ask((client) => client.createLabel({ ...input, id: newId() }));
    const { id, name, color_hex_string: color } = made.label;
    return {
      label: { id, name, color_hex_string: color },
      ...(made.warnings ? { warnings: made.warnings } : {}),
    };
  },
});

const duplicateList = tool({
  name: 'duplicate_list',
  title: 'Duplicate a list',
  description: 'Copy a list with all its tasks, for example a template.',
  input: z.object({ list_id: apiIdSchema, name: z.optional(z.string()) }),
  isReading: false,
  async run({ list_id: id, name }, { ask }) {
    const made = await ask((client) => client.duplicateList(id, name === undefined ? {} : { name }));
    return { list: briefList(made.list), ...(made.warnings ? { warnings: made.warnings } : {}) };
  },
});

const listMacros = tool({
  name: 'list_macros',
  title: 'Show macros',
  description:
    'The person’s macros: sequences of commands that the app runs on tasks. variables are what a macro asks for. can_run is false where ' +
    'the person doesn’t let programs run it.',
  input: z.object({}),
  isReading: true,
  async run(_, { ask }) {
    return { macros: (await ask((client) => client.listMacros())).macros };
  },
});

const runFields = createMacroRunSchema.shape;

const runMacro = tool({
  name: 'run_macro',
  title: 'Run a macro',
  description:
    'Let an open device of the person run a macro on these tasks, or by default only say what it would change. Show the person the ' +
    'changes, and call it again with dry_run false if they agree. What was run is one undo in the app. state is done, stopped (message ' +
    'says why; what came before stays), expired (no device was open), or lost (the device went away; look at the tasks before you try again).',
  input: z.object({
    macro_id: runFields.macro_id,
    task_ids: runFields.task_ids,
    variables: runFields.variables,
    dry_run: z.optional(noted(z.boolean(), { description: 'false runs it. true by default.' })),
  }),
  isReading: false,
  isRemoving: true,
  async run({ macro_id, task_ids, variables, dry_run = true }, hands) {
    const run = await runToEnd(hands, { macro_id, task_ids, variables, dry_run });
    const { state, message, changes, ...rest } = run;
    return {
      state,
      ...(message === null ? {} : { message }),
      dry_run: rest.dry_run,
      changed: rest.changed_count,
      created: rest.created_count,
      deleted: rest.deleted_count,
      ...(changes.length === 0 ? {} : { changes }),
    };
  },
});

export const tools: readonly Tool[] = [
  searchTasks,
  listLists,
  getTasks,
  addTask,
  createTasks,
  updateTasks,
  completeTasks,
  deleteTasks,
  restoreTasks,
  listComments,
  addComment,
  updateComment,
  deleteComment,
  ...calendarTools,
  createList,
  createLabel,
  duplicateList,
  listMacros,
  runMacro,
];
