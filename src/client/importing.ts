// Puts many new things in: outline text and JSON documents become creations, in transactions that every server takes,
// with a pause between them so that keys are answered. One undo group takes all of it back.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { documentToCreates } from '#core/formats/json-import.ts';
import { parseJson } from '#core/formats/json-check.ts';
import { type OutlineItem, parseOutlineText } from '#core/formats/outline-text.ts';
import type { Action, Position } from '#sync/operation.ts';
import { checkRegister, registerNames } from '#wire/registers.ts';
import { moreNotes, taskText } from './long-text.ts';
import type { Program } from './program.ts';

export type ParsedImport =
  | { readonly ok: true; readonly actions: readonly Action[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface TextTarget {
  readonly first: Position;
  readonly now: number;
  makeId(): Id;
}

/** Tasks for lines of text, in order, parents first. */
export function textToActions(text: string, target: TextTarget): readonly Action[] {
  const actions: Action[] = [];
  interface Waiting {
    readonly item: OutlineItem;
    readonly place: Position;
  }
  const waiting: Waiting[] = [];
  const push = (items: readonly OutlineItem[], place: Position) => {
    for (const item of items.toReversed()) waiting.push({ item, place });
  };
  const top = parseOutlineText(text);
  let previous: Id | null = null;
  for (const item of top) {
    const place: Position =
      previous === null ? target.first : { parent: target.first.parent, after: previous };
    push([item], place);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const id = target.makeId();
      if (next.item === item) previous = id;
      actions.push(...tasksOf(next.item, { id, place: next.place, target }));
      push(next.item.children, { parent: id });
    }
  }
  return actions;
}

/** The task, and subtasks for what its notes do not hold. */
function tasksOf(
  item: OutlineItem,
  made: { id: Id; place: Position; target: TextTarget },
): readonly Action[] {
  const { id, place, target } = made;
  const text = taskText(item.title, item.notes);
  const status = item.done === true ? { status: { done: target.now } } : {};
  const task: Action = { a: 'create', id, type: 'task', fields: { ...text.fields, ...status }, place };
  return [task, ...moreNotes(id, text.rest, () => target.makeId())];
}

/** Creations for a document that was exported. Ids are kept where nothing here has them, else all are new. */
export function documentToActions(program: Program, text: string): ParsedImport {
  const parsed = parseJson(text, { names: registerNames, check: checkRegister });
  if (!parsed.ok) {
    const problems = parsed.problems.map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    );
    return { ok: false, problems };
  }
  const { replica } = program;
  const isKnown = parsed.document.entities.some(
    ({ id, type }) => type === 'task' && replica.row(id) !== undefined,
  );
  const creates = documentToCreates(parsed.document, {
    newIds: isKnown ? 'fresh' : 'keep',
    makeId: () => replica.newId(),
    scope: replica.scope,
  });
  const actions = creates.map(({ id, type, fields, parent, createdAt }): Action => {
    const place = parent === null ? {} : { place: { parent } };
    return { a: 'create', id, type, fields, createdAt, ...place };
  });
  return { ok: true, actions };
}

/** Issues all of it, a transaction at a time, and says how far it is. `done` hears how many were refused. */
export function issueInBatches(
  program: Program,
  actions: readonly Action[],
  job: { readonly label: string; readonly done: (refusedCount: number) => void },
): void {
  const group = program.replica.newId();
  let refusedCount = 0;
  const step = (from: number) => {
    const batch = actions.slice(from, from + limits.transactionOperations);
    const { verdicts } = program.change(batch, job.label, { group, atomic: true });
    refusedCount += verdicts.filter((verdict) => verdict !== 'ok' && verdict !== 'exists').length;
    const next = from + batch.length;
    if (next >= actions.length) {
      job.done(refusedCount);
      return;
    }
    program.dialog.set({ type: 'import', busy: true, progress: next / actions.length, problems: [] });
    program.later(() => step(next));
  };
  if (actions.length === 0) job.done(0);
  else step(0);
}
