// Where text beyond the limit goes: from the title into the notes, from the notes into subtasks named "More notes". The
// limits are applied in fitting.ts.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fitNotes, fitTitle } from './fitting.ts';

interface TaskText {
  readonly fields: { readonly title?: string; readonly notes?: string };
  /** Text that exceeds the notes too; usually empty. */
  readonly rest: string;
}

/** The fields of a task that hold all of `title`, followed by `notes`. */
export function taskText(title: string, notes = ''): TaskText {
  const line = fitTitle(title);
  const whole = [line.rest, notes].filter((part) => part !== '').join('\n\n');
  const { text, rest } = fitNotes(whole);
  return {
    fields: { ...(line.text === '' ? {} : { title: line.text }), ...(text === '' ? {} : { notes: text }) },
    rest,
  };
}

/** Subtasks with the rest of a task's notes, in order. */
export function moreNotes(task: Id, rest: string, makeId: () => Id): readonly Action[] {
  const actions: Action[] = [];
  for (let left = rest; left !== '';) {
    const part = fitNotes(left);
    const fields = { title: 'More notes', notes: part.text };
    actions.push({ a: 'create', id: makeId(), type: 'task', fields, place: { parent: task } });
    left = part.rest;
  }
  return actions;
}
