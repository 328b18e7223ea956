// The calls of the public API about what an account holds, by their names in wire/api/endpoints.ts. Not here: calls that only a server can
// answer (signing in, public links, runs of macros), which are server/api/.
import { BlockHandlers } from './blocks.ts';
import { CommentHandlers } from './comments.ts';
import { ExportHandlers } from './exporting.ts';
import type { HandlerContext } from './handler-context.ts';
import { LabelHandlers } from './labels.ts';
import { ListHandlers } from './lists.ts';
import { MacroLists } from './macros.ts';
import type { ApiAnswer, ApiCall } from './ports.ts';
import { TaskHandlers } from './tasks/tasks.ts';

/** Answers one call. */
export type Handler = (call: ApiCall) => Promise<ApiAnswer>;

/** The handlers of these calls over one context. */
export function apiCalls(context: HandlerContext) {
  const tasks = new TaskHandlers(context);
  const blocks = new BlockHandlers(context);
  const comments = new CommentHandlers(context);
  const lists = new ListHandlers(context);
  const labels = new LabelHandlers(context);
  const exports = new ExportHandlers(context);
  const macros = new MacroLists(context);
  return {
    createTask: (call) => tasks.create(call),
    listTasks: (call) => tasks.list(call),
    getTask: (call) => tasks.get(call),
    updateTask: (call) => tasks.update(call),
    deleteTask: (call) => tasks.remove(call),
    listComments: (call) => comments.list(call),
    createComment: (call) => comments.create(call),
    updateComment: (call) => comments.update(call),
    deleteComment: (call) => comments.remove(call),
    listBlocks: (call) => blocks.list(call),
    createBlock: (call) => blocks.create(call),
    updateBlock: (call) => blocks.update(call),
    deleteBlock: (call) => blocks.remove(call),
    listItems: (call) => tasks.withIds(call),
    createItems: (call) => tasks.bulkCreate(call),
    updateItems: (call) => tasks.bulkUpdate(call),
    deleteItems: (call) => tasks.bulkRemove(call),
    restoreItems: (call) => tasks.bulkRestore(call),
    listLists: (call) => lists.list(call),
    createList: (call) => lists.create(call),
    updateList: (call) => lists.update(call),
    deleteList: (call) => lists.remove(call),
    duplicateList: (call) => lists.duplicate(call),
    exportAccount: (call) => exports.read(call),
    listMacros: (call) => macros.list(call),
    listLabels: (call) => labels.list(call),
    createLabel: (call) => labels.create(call),
    updateLabel: (call) => labels.update(call),
    deleteLabel: (call) => labels.remove(call),
  } satisfies Readonly<Record<string, Handler>>;
}
