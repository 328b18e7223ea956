// Commands that change existing tasks: complete, reopen, edit, delete, restore; and duplicating a list.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task, TaskChanges } from '#wire/api/client.ts';
import type { Call, Command } from '../command.ts';
import { Failure, wrongUse } from '../failure.ts';
import { readInputText } from '../given-text.ts';
import { datesFor, plainLine, taskLine } from '../printing.ts';
import { fieldsOfWishes, wishesOf, wishOptions } from '../wishes.ts';

function tasksIn(call: Call): readonly string[] {
  if (call.words.length === 0) throw wrongUse('Which tasks? Type the ends of their ids.');
  return [...new Set(call.words.map((text) => call.seen.task(text)))];
}

/** Changes all of them or none. */
async function change(call: Call, ids: readonly string[], changes: TaskChanges): Promise<readonly Task[]> {
  const [only] = ids;
  const { tasks, warnings = [] } =
    ids.length === 1 && only
      ? await call.session.ask(async (client) => {
          const answer = await client.updateTask(only, changes);
          return { tasks: [answer.task], warnings: answer.warnings };
        })
      : await call.session.ask(async (client) => {
          const update_bodies = ids.map((id) => ({ todo_item_id: id, update_body: changes }));
          const answer = await client.updateItems({ update_bodies });
          return { tasks: answer.updated_todo_items, warnings: answer.warnings };
        });
  for (const warning of warnings) call.world.warn(plainLine(warning));
  call.seen.add(tasks);
  return tasks;
}

const namesOf = (tasks: readonly Task[]) =>
  tasks.length === 1 ? `‘${plainLine(tasks[0]?.title ?? '')}’` : `${tasks.length} tasks`;

/** A completed repeating task is not done: it has moved to its next date. */
function saidOfCompleting(call: Call, tasks: readonly Task[]): string {
  const showing = { dates: datesFor(call.world), isOutline: false, isDim: call.world.isTerminal };
  const rolled = tasks
    .filter(({ is_complete: done }) => !done)
    .map((task) => `Next: ${taskLine(task, showing)}`);
  return [`Completed ${namesOf(tasks)}.`, ...rolled].join('\n');
}

const complete: Command = {
  name: 'complete',
  aliases: ['done'],
  usage: '<task…>',
  summary: 'Complete tasks, all or none.',
  options: [{ name: 'clear', summary: 'clear them, too' }],
  sendsOutbox: true,
  async run(call) {
    const clears = call.has('clear') ? { is_cleared: true } : {};
    const tasks = await change(call, tasksIn(call), { is_complete: true, ...clears });
    call.show({ success: true, tasks }, saidOfCompleting(call, tasks));
  },
};

const reopen: Command = {
  name: 'reopen',
  usage: '<task…>',
  summary: 'Reopen completed tasks.',
  options: [],
  sendsOutbox: true,
  async run(call) {
    const tasks = await change(call, tasksIn(call), { is_complete: false });
    call.show({ success: true, tasks }, `Reopened ${namesOf(tasks)}.`);
  },
};

const remove: Command = {
  name: 'delete',
  aliases: ['rm'],
  usage: '<task…>',
  summary: 'Move tasks and their subtasks to the trash, all or none.',
  options: [],
  sendsOutbox: true,
  async run(call) {
    const ids = tasksIn(call);
    await call.session.ask((client) => client.deleteItems({ item_ids: ids }));
    const said =
      ids.length === 1 ? 'Moved one task to the trash.' : `Moved ${ids.length} tasks to the trash.`;
    call.show({ success: true, ids }, said);
  },
};

const restore: Command = {
  name: 'restore',
  usage: '<task…>',
  summary: 'Restore tasks from the trash, with everything deleted with them, all or none.',
  options: [],
  sendsOutbox: true,
  async run(call) {
    const { todo_items: tasks } = await call.session.ask((client) =>
      client.restoreItems({ item_ids: tasksIn(call) }),
    );
    call.seen.add(tasks);
    call.show({ success: true, tasks }, `Restored ${namesOf(tasks)}.`);
  },
};

/** Opens title and notes in the person's editor. Null: nothing changed. */
async function inEditor(call: Call, task: Task): Promise<TaskChanges | null> {
  const { environment, launch } = call.world;
  const [editor = 'vi', ...words] = (environment['VISUAL'] || environment['EDITOR'] || 'vi').split(' ');
  const folder = mkdtempSync(join(tmpdir(), 'posthaste-'));
  const file = join(folder, 'task.md');
  const before = `${task.title}\n\n${task.notes}`.trimEnd();
  writeFileSync(file, `${before}\n`, { mode: 0o600 });
  const code = await launch(editor, [...words, file]);
  const after = readFileSync(file, 'utf8').trimEnd();
  if (code !== 0)
    throw new Failure('unexpected', `${editor} ended with ${code}. What was written is in ${file}`);
  if (after === before) {
    rmSync(folder, { recursive: true });
    return null;
  }
  const [title = '', ...notes] = after.split('\n');
  const changes = { title, notes: notes.join('\n').trim() };
  try {
    await change(call, [task.id], changes);
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure('unexpected', String(error));
    throw new Failure(failure.kind, `${failure.message}\nWhat was written is in ${file}`);
  }
  rmSync(folder, { recursive: true });
  return changes;
}

async function wishedChanges(call: Call): Promise<TaskChanges> {
  const { world } = call;
  const wishes = wishesOf(call);
  const saying = { at: world.now(), zone: world.zone, locale: world.locale };
  const added: string[] = [];
  for (const name of wishes.labels) added.push((await call.names.label(name)).id);
  const removed: string[] = [];
  for (const name of call.all('unlabel')) removed.push((await call.names.label(name)).id);
  const notes = call.option('notes');
  const title = call.option('title');
  return {
    ...(title === undefined ? {} : { title }),
    ...(notes === undefined ? {} : { notes: notes === '-' ? (await readInputText(world)).trimEnd() : notes }),
    ...fieldsOfWishes(wishes, saying),
    ...(wishes.list === undefined ? {} : { list_id: (await call.names.list(wishes.list)).id }),
    ...(added.length === 0 ? {} : { add_label_ids: added }),
    ...(removed.length === 0 ? {} : { remove_label_ids: removed }),
  };
}

const edit: Command = {
  name: 'edit',
  usage: '<task…>',
  summary: "Change tasks. Without options, edit one task's title and notes in your editor.",
  details: ["Dates take the app's words, and none. VISUAL or EDITOR sets the editor."],
  options: [
    { name: 'title', value: 'text', summary: 'a new title' },
    { name: 'notes', short: 'n', value: 'text', summary: 'new notes; - reads them from the input' },
    ...wishOptions,
    { name: 'unlabel', value: 'label', isRepeatable: true, summary: 'a label to remove' },
  ],
  sendsOutbox: true,
  async run(call) {
    const ids = tasksIn(call);
    const changes = await wishedChanges(call);
    if (Object.keys(changes).length > 0) {
      const tasks = await change(call, ids, changes);
      call.show({ success: true, tasks }, `Changed ${namesOf(tasks)}.`);
      return;
    }
    const [id, ...more] = ids;
    if (id === undefined || more.length > 0)
      throw wrongUse('Add what to change, or name one task for the editor.');
    const { task } = await call.session.ask((client) => client.getTask(id));
    const changed = await inEditor(call, task);
    call.show(
      { success: true, changed: changed !== null },
      changed === null ? 'Nothing was changed.' : `Changed ‘${plainLine(changed.title ?? '')}’.`,
    );
  },
};

const duplicate: Command = {
  name: 'duplicate',
  usage: '<list>',
  summary: 'Duplicate a list with its tasks.',
  options: [{ name: 'name', value: 'text', summary: 'the name of the copy' }],
  sendsOutbox: true,
  async run(call) {
    const text = call.words.join(' ');
    if (text === '') throw wrongUse('Which list?');
    const { id } = await call.names.list(text);
    const name = call.option('name');
    const { list } = await call.session.ask((client) =>
      client.duplicateList(id, name === undefined ? {} : { name }),
    );
    call.show({ success: true, list }, `Made the list ‘${plainLine(list.name)}’.`);
  },
};

/** The commands complete, reopen, edit, delete, restore and duplicate. */
export const changingCommands: readonly Command[] = [complete, reopen, edit, remove, restore, duplicate];
