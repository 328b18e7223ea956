// Which of two memories of a file counts after a run was cut off while the file was written: that from before, or that of what was being
// written.
import type { Id } from '#core/ids.ts';
import { readFile } from './file.ts';
import { longMarkOf, markOf } from './line.ts';
import type { BaseList, BaseTask, Found, TwinMemory } from './ports.ts';

/** The memory of a list whose file was being written, task by task: what was written counts where it stands in the file. */
function settled(list: BaseList, texts: ReadonlyMap<string, string>): BaseList {
  const { next, ...old } = list;
  if (next === undefined) return old;
  const written = texts.get(next.list.path);
  const text = written ?? texts.get(old.path);
  if (text === undefined) return list;
  // With `next` it is saved again.
  if (text === next.text) return { ...next.list, next };
  const { blocks } = readFile(text, { now: 0, zone: 'UTC', labels: new Set() }, () => null);
  const raws = new Map(blocks.map(({ mark, raw }) => [mark, raw]));
  const rawOf = (id: Id) => raws.get(markOf(id)) ?? raws.get(longMarkOf(id));
  const later = new Map(next.list.tasks.map((task) => [task.id, task]));
  const earlier = new Set(old.tasks.map(({ id }) => id));
  const tasks = old.tasks.flatMap((task): BaseTask[] => {
    const after = later.get(task.id);
    // What was being taken out was not deleted by a person.
    if (after === undefined) return rawOf(task.id) === undefined ? [] : [task];
    // With the older memory, what was written looks typed on both sides, which loses nothing.
    return [rawOf(task.id) === after.raw ? after : task];
  });
  const added = next.list.tasks.filter(({ id, raw }) => !earlier.has(id) && rawOf(id) === raw);
  const { path, name, folder } = written === undefined ? old : next.list;
  return { ...old, path, name, folder, tasks: [...tasks, ...added], next };
}

/** The memory as it counts for these files. What is saved goes to both. */
export function rememberedWith(memory: TwinMemory, found: readonly Found[]): TwinMemory {
  const texts = new Map(found.flatMap(({ path, text }) => (text === null ? [] : [[path, text] as const])));
  const lists = new Map<Id, BaseList>();
  for (const [id, list] of memory.lists) lists.set(id, settled(list, texts));
  return {
    lists,
    given: memory.given,
    gone: memory.gone,
    get sent() {
      return memory.sent;
    },
    send: (tasks) => memory.send(tasks),
    async saveList(id, list) {
      await memory.saveList(id, list);
      if (list === null) lists.delete(id);
      else lists.set(id, list);
    },
    give: (ids) => memory.give(ids),
    leave: (ids) => memory.leave(ids),
  };
}
