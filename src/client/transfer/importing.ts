// Creates many things at once: outline text and JSON documents become creations, in transactions small enough for every
// server, with pauses so that keys are answered. One undo takes all of it back.
import type { Id } from '#core/ids.ts';
import { type OutlineItem, parseOutlineText } from '#core/formats/outline-text.ts';
import type { Action, Position, Verdict } from '#sync/rows/operation.ts';
import { moreNotes, taskText } from '../text/long-text.ts';
import type { Program } from '../app/program.ts';
import { inTransactions, issueBatches } from '../commands/batches.ts';

/** A line with more than a title. */
export interface ItemToMake extends OutlineItem {
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch; absent: now. */
  readonly createdAt?: number;
  readonly children: readonly ItemToMake[];
}

export interface TextTarget {
  readonly first: Position;
  readonly now: number;
  /** Number of available levels; deeper lines go to the deepest one. */
  readonly levels: number;
  makeId(): Id;
}

/** Tasks for lines of text, in order, parents first. */
export function textToActions(text: string, target: TextTarget): readonly Action[] {
  return itemsToActions(parseOutlineText(text), target);
}

/** As `textToActions`, from parsed lines. */
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

/** The task, and subtasks for notes beyond the limit. */
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
    ...(item.createdAt === undefined ? {} : { createdAt: item.createdAt }),
  };
  return [task, ...moreNotes(id, text.rest, () => target.makeId())];
}

/** In its dialog; once that was closed, in the status line. */
function showProgress(program: Program, progress: number, isFirst: boolean): void {
  if (isFirst || program.dialog.get()?.type === 'import') {
    program.dialog.show({ type: 'import', busy: true, progress, problems: [] });
    return;
  }
  const text = `Adding in the background: ${Math.floor(progress * 100)} %`;
  program.messages.show({ text, undo: false, tone: 'info' }, { silent: true });
}

const REASONS: Readonly<Partial<Record<Verdict, string>>> = {
  limit: 'they’re too large or nested too deeply',
  badparent: 'their parent isn’t here',
  gone: 'their parent was permanently deleted',
  invalid: 'their content isn’t readable',
};

/** Why things could not be added, as the end of a sentence: ": they are too large". Empty when not known. */
export function whyNot(why: ReadonlySet<Verdict>): string {
  const reasons = [...why].flatMap((verdict) => REASONS[verdict] ?? []);
  return reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
}

/** Issues all actions, one transaction at a time, with progress. `done` gets the number of refused ones. */
export function issueInBatches(
  program: Program,
  actions: readonly Action[],
  job: {
    readonly label: string;
    readonly rescues?: boolean;
    readonly done: (refusedCount: number, why: ReadonlySet<Verdict>) => void;
  },
): void {
  issueBatches(program, {
    batches: inTransactions(actions),
    label: job.label,
    group: program.replica.newId(),
    atomic: true,
    rescues: job.rescues ?? false,
    progress: (made, isFirst) => showProgress(program, made / actions.length, isFirst),
    done(verdicts) {
      const refused = verdicts.filter((verdict) => verdict !== 'ok' && verdict !== 'exists');
      if (program.dialog.get()?.type === 'import') program.dialog.close();
      job.done(refused.length, new Set(refused));
    },
  });
}
