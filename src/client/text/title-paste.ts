// Pasting several lines into a title being edited: the first goes to the caret, the others become tasks beneath and
// below it. One undo takes all of it back; editing continues in the last one. A lazy part.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { type OutlineItem, parseOutlineText } from '#core/formats/outline-text.ts';
import type { Action } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { setCollapsed } from '../commands/folding.ts';
import { positionBelow } from '../commands/outline.ts';
import { inBatches } from '../commands/rows.ts';
import type { TitleDraft } from './editor.ts';
import { itemsToActions } from '../transfer/importing.ts';
import { moreNotes, taskText } from './long-text.ts';
import type { Program } from '../app/program.ts';
import type { TitlePaste } from '../app/app.ts';

/** Merges the first line into the title. */
function mergeFirst(program: Program, row: Row, item: OutlineItem, { draft, paste }: Merging): Action[] {
  const { replica } = program;
  const { text } = draft;
  const title = text.slice(0, paste.from) + item.title + text.slice(paste.to);
  const kept = fieldOf(row, 'notes') ?? '';
  const notes = [kept, item.notes ?? ''].filter((part) => part !== '').join('\n\n');
  const fitted = taskText(title, notes);
  const actions: Action[] = [];
  const set = (field: string, value: unknown) => actions.push({ a: 'set', id: row.id, field, value });
  if (fitted.fields.title !== fieldOf(row, 'title')) set('title', fitted.fields.title ?? null);
  if ((fitted.fields.notes ?? '') !== kept) set('notes', fitted.fields.notes ?? null);
  // The task was open, and stays so.
  if (text === '' && item.done === true) set('status', { done: replica.now() });
  return [...actions, ...moreNotes(row.id, fitted.rest, () => replica.newId())];
}

interface Merging {
  readonly draft: Readonly<TitleDraft>;
  readonly paste: TitlePaste;
}

function depthOf(program: Program, start: Id): number {
  return 1 + [...program.workspace.idsAbove(start)].length;
}

/** False if it is no list: the field then inserts it as text. */
export function pasteInTitle(program: Program, id: Id, paste: TitlePaste): boolean {
  const { editor, replica } = program;
  const items = parseOutlineText(paste.text);
  const [first] = items;
  const row = replica.row(id);
  const draft = editor.title;
  const isList = items.length > 1 || (first?.children.length ?? 0) > 0 || first?.notes !== undefined;
  if (!first || !row || !isList || draft?.id !== id || draft.field !== 'title') return false;
  editor.flush();
  const isBare = draft.fresh && draft.text === '';
  const group = isBare ? draft.group : replica.newId();
  const here = replica.row(id) ?? row;
  const made = { now: replica.now(), makeId: () => replica.newId() };
  const levels = Math.max(1, limits.depth - depthOf(program, id));
  const below = itemsToActions(items.slice(1), { ...made, first: positionBelow(program, here), levels });
  const beneath = itemsToActions(first.children, {
    ...made,
    first: { parent: id, at: 'start' },
    levels: Math.max(1, levels - 1),
  });
  editor.end();
  if (beneath.length > 0) setCollapsed(program, [id], false);
  const merged = mergeFirst(program, here, first, { draft, paste });
  const count = beneath.length + below.length + 1;
  const label = `pasted ${count} tasks`;
  program.act(() => inBatches(program, [...merged, ...beneath, ...below], label, group));
  const last = below.at(-1)?.id ?? beneath.at(-1)?.id;
  const next = last !== undefined && program.workspace.outline.has(last) ? last : id;
  program.moveTo(next);
  program.edit(next, 'end');
  program.say(count === 1 ? 'Pasted into the title and notes.' : `Pasted ${count} tasks.`, { undo: true });
  return true;
}
