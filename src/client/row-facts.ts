// What one line of the outline says about its task. Kept per row while the row is the same object, because a move of the
// cursor derives every line on screen again.
import type { Id } from '#core/ids.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import type { RepeatRule } from '#core/model.ts';
import type { When } from '#core/when.ts';
import type { Row } from '#sync/row.ts';
import { seriesOf } from '#sync/completing.ts';
import { nameOf, isDone, placeOf } from '#sync/row-reading.ts';
import { isLivingLabel } from './labels/catalog.ts';
import type { TitleDraft } from './editor.ts';
import { type DateContext, DueDates } from './dates.ts';
import { languagePart } from './language.ts';
import { pickers } from './pickers/door.ts';
import { trashPart } from './trash-door.ts';
import type { RowView } from './view.ts';
import type { Workspace } from './workspace.ts';

export { nameOf };

interface OwnFacts {
  readonly title: string;
  readonly done: boolean;
  readonly hasNotes: boolean;
  readonly due: RowView['due'];
  readonly start: RowView['start'];
  readonly repeats: RowView['repeats'];
  readonly duration: RowView['duration'];
  readonly labels: RowView['labels'];
}

const noLabels: RowView['labels'] = [];
const noRanges: RowView['found'] = [];
const noTokens: RowView['tokens'] = [];

export class RowFacts {
  readonly #workspace: Workspace;
  #dates: DueDates;
  #own = new WeakMap<Row, OwnFacts>();

  /** How long what is in the trash stays there; null: nothing goes by itself. */
  trashDays: number | null = null;

  constructor(workspace: Workspace, context: DateContext) {
    this.#workspace = workspace;
    this.#dates = new DueDates(context);
  }

  /** Labels changed, or time moved on. */
  refresh(context: DateContext | null): void {
    this.#own = new WeakMap();
    if (context) this.#dates = new DueDates(context);
  }

  /** `words`: folded, to be shown as found. */
  rowAt(
    index: number,
    draft: Pick<TitleDraft, 'id' | 'text' | 'tokens'> | null,
    words: readonly string[],
  ): RowView {
    const { outline, selection, children, facts, replica } = this.#workspace;
    const id = outline.at(index);
    const row = id === undefined ? undefined : replica.row(id);
    if (!id || !row) throw new Error(`Impossible: no row on line ${index}`);
    const own = this.#ownFacts(row);
    const under = children.of(id);
    const position = outline.positionOf(id);
    const line = outline.lineAt?.(index) ?? id;
    const isWanted = selection.cursor === id || draft?.id === id;
    const isLine = isWanted && (outline.isTree || outline.indexOf(id) === index);
    return {
      id,
      index,
      level: outline.levelAt(index),
      kind: kindOf(row),
      // What is being typed stays in its field whatever arrives from elsewhere.
      title: draft?.id === id ? draft.text : own.title,
      found: words.length === 0 ? noRanges : (languagePart.now?.rangesOf(own.title, words) ?? noRanges),
      done: own.done,
      line,
      cursor: selection.cursor === id && isLine,
      selected: selection.has(id),
      editing: draft?.id === id && isLine,
      expanded:
        under.items.length === 0 || !(outline.showsNested ?? outline.isTree) ? null : !facts.isCollapsed(id),
      posInSet: position.index,
      setSize: position.size,
      childCount: under.items.length,
      childrenDone: under.done,
      hasNotes: own.hasNotes,
      hasFiles: facts.hasFiles(id),
      bookmarked: facts.bookmarks.has(id),
      due: own.due,
      start: own.start,
      snoozed: this.#snoozed(id),
      repeats: own.repeats,
      reminds: facts.reminds(id) && !own.done,
      duration: own.duration,
      labels: facts.ownLabelsOf(id).length === 0 ? own.labels : this.labelsOf(row),
      path: outline.isTree || outline.levelAt(index) > 1 ? null : this.path(row),
      trashed: this.#workspace.isTrash ? this.#trashText(row) : null,
      tokens: draft?.id === id && isLine ? draft.tokens : noTokens,
    };
  }

  /** Names of what is above a row, outermost first. */
  path(row: Row): string {
    const names: string[] = [];
    const { replica } = this.#workspace;
    // A completed occurrence stands where its task stands.
    const task = row.type === 'completion' ? replica.row(row.fields.task as Id) : row;
    for (let parent = placeOf(task)?.parent; parent !== undefined;) {
      const above = replica.row(parent);
      if (!above) break;
      names.push(nameOf(above));
      parent = placeOf(above)?.parent;
    }
    return names.toReversed().join(' › ');
  }

  #snoozed(id: Id): string | null {
    const until = this.#workspace.away.snoozedUntil(id);
    return until === null ? null : `snoozed until ${this.#dates.show(until).text}`;
  }

  #ownFacts(row: Row): OwnFacts {
    const known = this.#own.get(row);
    if (known) return known;
    const { fields } = row;
    const due = (fields.due as When | null | undefined) ?? null;
    const done = isDone(row);
    const shown = due === null ? null : this.#dates.show(due);
    const start = (fields.start as When | null | undefined) ?? null;
    const rule = (fields.repeat as RepeatRule | null | undefined) ?? null;
    const minutes = (fields.duration as number | null | undefined) ?? null;
    const facts: OwnFacts = {
      title: nameOf(row),
      done,
      hasNotes: ((fields.notes as string | undefined) ?? '') !== '',
      due: shown && done ? { ...shown, overdue: false } : shown,
      start: start === null || done ? null : this.#dates.starts(start),
      repeats: rule === null ? null : saidRepeat(rule, seriesOf(row) !== null),
      duration: minutes === null ? null : sayDuration(minutes),
      labels: this.labelsOf(row),
    };
    this.#own.set(row, facts);
    return facts;
  }

  #trashText({ fields }: Row): string | null {
    const deletion = fields.del as { readonly at: number } | null | undefined;
    return (deletion && trashPart.now?.trashText(deletion.at, this.trashDays, this.#dates.context)) ?? null;
  }

  /** In the order in which the task has them. */
  labelsOf(row: Row): RowView['labels'] {
    let labels: RowView['labels'][number][] | null = null;
    const add = (id: Id) => {
      const label = this.#workspace.replica.row(id);
      if (!isLivingLabel(this.#workspace.replica, label)) return;
      labels ??= [];
      labels.push({
        id: label.id,
        name: (label.fields.name as string | undefined) ?? '',
        color: (label.fields.color as string | undefined) ?? '#777e8a',
      });
    };
    for (const register of Object.keys(row.fields))
      if (register.startsWith('label:') && row.fields[register] === true) add(register.slice(6) as Id);
    for (const id of this.#workspace.facts.ownLabelsOf(row.id))
      if (row.fields[`label:${id}`] !== true) add(id);
    return labels ?? noLabels;
  }
}

function saidRepeat(rule: RepeatRule, differs: boolean): string {
  const said = pickers.now?.sayRepeat(rule) ?? '';
  return differs && said !== '' ? `${said}, this one differs` : said;
}

function kindOf(row: Row): RowView['kind'] {
  if (row.type === 'task' || row.type === 'completion') return 'task';
  return row.fields.listType === 'folder' ? 'folder' : 'list';
}
