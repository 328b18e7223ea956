// Puts many new things in: outline text and JSON documents become creations, in transactions that every server takes,
// with a pause between them so that keys are answered. One undo group takes all of it back.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import { type OutlineItem, parseOutlineText } from '#core/formats/outline-text.ts';
import type { Action, Position, Verdict } from '#sync/operation.ts';
import { moreNotes, taskText } from './long-text.ts';
import type { Program } from './program.ts';

/** A line with more than words. */
export interface ItemToMake extends OutlineItem {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly children: readonly ItemToMake[];
}

export interface TextTarget {
  readonly first: Position;
  readonly now: number;
  /** How many levels there may be; what lies deeper goes to the deepest one. */
  readonly levels: number;
  makeId(): Id;
}

/** Tasks for lines of text, in order, parents first. */
export function textToActions(text: string, target: TextTarget): readonly Action[] {
  return itemsToActions(parseOutlineText(text), target);
}

/** As `textToActions`, of lines that were read already. */
export function itemsToActions(top: readonly ItemToMake[], target: TextTarget): readonly Action[] {
  const actions: Action[] = [];
  interface Waiting {
    readonly item: ItemToMake;
    readonly place: Position;
    readonly level: number;
  }
  const waiting: Waiting[] = [];
  const push = (items: readonly ItemToMake[], place: Position, level: number) => {
    for (const item of items.toReversed()) waiting.push({ item, place, level });
  };
  let previous: Id | null = null;
  for (const item of top) {
    const place: Position =
      previous === null ? target.first : { parent: target.first.parent, after: previous };
    push([item], place, 1);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const id = target.makeId();
      if (next.item === item) previous = id;
      actions.push(...tasksOf(next.item, { id, place: next.place, target }));
      if (next.level < target.levels) push(next.item.children, { parent: id }, next.level + 1);
      else push(next.item.children, { parent: next.place.parent, after: id }, next.level);
    }
  }
  return actions;
}

/** The task, and subtasks for what its notes do not hold. */
function tasksOf(item: ItemToMake, made: { id: Id; place: Position; target: TextTarget }): readonly Action[] {
  const { id, place, target } = made;
  const text = taskText(item.title, item.notes);
  const status = item.done === true ? { status: { done: target.now } } : {};
  const task: Action = {
    a: 'create',
    id,
    type: 'task',
    fields: { ...text.fields, ...status, ...item.fields },
    place,
  };
  return [task, ...moreNotes(id, text.rest, () => target.makeId())];
}

/** In its dialog; once that was closed, in the status line. */
function showProgress(program: Program, progress: number, isFirst: boolean): void {
  if (isFirst || program.dialog.get()?.type === 'import') {
    program.dialog.set({ type: 'import', busy: true, progress, problems: [] });
    return;
  }
  const text = `Adding in the background: ${Math.floor(progress * 100)} %`;
  program.messages.show({ text, undo: false, tone: 'info' }, { silent: true });
}

const REASONS: Readonly<Partial<Record<Verdict, string>>> = {
  limit: 'they are too large or nested too deeply',
  badparent: 'what they belong under is not here',
  gone: 'what they belong under was deleted for good',
  invalid: 'their content is not understood',
};

/** Why things could not be added, as the end of a sentence: ": they are too large". Empty when it is not known. */
export function whyNot(why: ReadonlySet<Verdict>): string {
  const reasons = [...why].flatMap((verdict) => REASONS[verdict] ?? []);
  return reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
}

/** Issues all of it, a transaction at a time, and says how far it is. `done` hears how many were refused. */
export function issueInBatches(
  program: Program,
  actions: readonly Action[],
  job: { readonly label: string; readonly done: (refusedCount: number, why: ReadonlySet<Verdict>) => void },
): void {
  const group = program.replica.newId();
  let refusedCount = 0;
  const why = new Set<Verdict>();
  const step = (from: number) => {
    const batch = actions.slice(from, from + limits.transactionOperations);
    const { verdicts } = program.change(batch, job.label, { group, atomic: true });
    const refused = verdicts.filter((verdict) => verdict !== 'ok' && verdict !== 'exists');
    refusedCount += refused.length;
    for (const verdict of refused) why.add(verdict);
    const next = from + batch.length;
    if (next >= actions.length) {
      if (program.dialog.get()?.type === 'import') program.dialog.set(null);
      job.done(refusedCount, why);
      return;
    }
    showProgress(program, next / actions.length, from === 0);
    program.later(() => step(next));
  };
  if (actions.length === 0) job.done(0, why);
  else step(0);
}
