// The comments of a task as rows: reading them in order, and the changes that write, edit and remove them.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { CommentRow } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import { sharing } from '../sharing/part.ts';

/** Oldest first. */
export function commentsOf(program: Program, task: Id): readonly CommentRow[] {
  return program.replica
    .children(task)
    .filter((row) => row.type === 'comment' && !isTrashed(row))
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)) as CommentRow[];
}

/** Its author alone changes what a comment says. */
export function isOwn({ replica }: Program, { fields }: CommentRow): boolean {
  return (fields.author ?? 0) === replica.account;
}

/** Its author may remove a comment, and the owner of the list. */
export function canRemove(program: Program, row: CommentRow): boolean {
  const { replica } = program;
  if (row.scope === replica.scope || isOwn(program, row)) return true;
  const me = program.part(sharing).members.find(row.scope, replica.account);
  return me?.fields.role === 'owner';
}

/** Writes a comment under a task. The author is filled in where it is applied. */
export function commentAction(program: Program, task: Id, text: string): Action {
  return {
    a: 'create',
    id: program.replica.newId(),
    type: 'comment',
    fields: { text },
    place: { parent: task },
  };
}

/** Why a text cannot be a comment; null: it can. */
export function commentProblem(text: string): string | null {
  return [...text].length > limits.commentCodePoints
    ? `A comment can have up to ${limits.commentCodePoints.toLocaleString('en-US')} characters. Shorten it, or put it in the notes.`
    : null;
}
