// The contents of one line of the outline. Cached per row object, because a move of the cursor derives every line on
// screen again.
import type { Id } from '#core/ids.ts';
import { sayDuration } from '#core/dates/duration-words.ts';
import { plainColor, type RepeatRule } from '#core/model.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { registersOf, fieldOf, type Row } from '#sync/rows/row.ts';
import { seriesOf } from '#sync/rows/completing.ts';
import { nameOf, isDone } from '#sync/rows/row-reading.ts';
import { isLivingLabel } from '../labels/catalog.ts';
import type { TitleDraft } from '../text/editor.ts';
import { type DateContext, DueDates, type DueView } from '../clock/dates.ts';
import { languagePart } from '../search/language.ts';
import { trashPart } from '../trash/trash-lazy.ts';
import type { RowPerson, RowView } from '../app/view.ts';
import type { Workspace } from '../app/workspace.ts';
import { rowsAbove } from '#sync/rows/ancestors.ts';

export { nameOf };

interface OwnFacts {
  readonly title: string;
  readonly locked: boolean;
  readonly done: boolean;
  readonly hasNotes: boolean;
  readonly assignee: RowView['assignee'];
  readonly due: RowView['due'];
  /** Of the due date: 2026-11-27 and "17:00"; null: none. */
  readonly day: string | null;
  readonly time: string | null;
  readonly tone: RowView['dueTone'];
  readonly start: RowView['start'];
  readonly repeats: RowView['repeats'];
  readonly duration: RowView['duration'];
  readonly labels: RowView['labels'];
}

/** What the rows of an outline are read from: of a workspace, or of the past. */
export interface RowsAround {
  readonly replica: Pick<Workspace['replica'], 'row'>;
  readonly outline: Pick<
    Workspace['outline'],
    'at' | 'levelAt' | 'indexOf' | 'positionOf' | 'isTree' | 'showsNested' | 'lineAt' | 'headingAt' | 'dayAt'
  >;
  readonly selection: Pick<Workspace['selection'], 'cursor' | 'has'>;
  readonly children: Pick<Workspace['children'], 'of'>;
  readonly facts: Pick<
    Workspace['facts'],
    'isCollapsed' | 'hasFiles' | 'commentsOf' | 'reminds' | 'ownLabelsOf'
  > & {
    readonly bookmarks: Pick<ReadonlySet<Id>, 'has'>;
  };
  readonly away: Pick<Workspace['away'], 'snoozedUntil'>;
  readonly isTrash: boolean;
}

/** Days that are soon. */
const SOON = 7;

function toneOf({ overdue, ahead }: DueView): RowView['dueTone'] {
  if (overdue) return 'late';
  return ahead === 0 ? 'today' : ahead < SOON ? 'soon' : 'later';
}

/** Keeps the room of a person until it is known who it is. */
const somebody: RowPerson = { name: '', text: '', color: 'transparent', ink: '', isFormer: false };

const noLabels: RowView['labels'] = [];
const noRanges: RowView['found'] = [];
const noTokens: RowView['tokens'] = [];

/** Derives the view of a line from its row. Call `refresh` when labels or the time change. */
export class RowFacts {
  readonly #workspace: RowsAround;
  #dates: DueDates;
  #own = new WeakMap<Row, OwnFacts>();
  /** Null: not loaded yet. */
  #sayRepeat: ((rule: RepeatRule) => string) | null = null;

  /** Others changed it since the person saw it. Set by the part that knows it (unread/part.ts). */
  isUnread: (row: Row) => boolean = () => false;
  /** When time is planned for it, in words; null: no time is. Set by the part of time blocks (blocks/row-marks.ts). */
  planned: (row: Row) => string | null = () => null;
  /** "Thursday, November 26", and how full it is once that is known (planning/part.ts). */
  today: () => string = () => this.#dates.today;
  #personOf: (row: Row) => RowPerson | null = (row) =>
    fieldOf(row, 'assignee') === undefined ? null : somebody;

  /** Days that trashed rows are kept; null: forever. */
  trashDays: number | null = null;

  constructor(workspace: RowsAround, context: DateContext) {
    this.#workspace = workspace;
    this.#dates = new DueDates(context);
  }

  /** Labels changed, or time moved on. */
  refresh(context: DateContext | null): void {
    this.#own = new WeakMap();
    if (context) this.#dates = new DueDates(context);
  }

  /** The words of repeats are loaded: repeating lines use them from the next draw on. */
  sayWith(sayRepeat: (rule: RepeatRule) => string): void {
    this.#sayRepeat = sayRepeat;
    this.#own = new WeakMap();
  }

  /** Who people are is known from here on: lines show them from the next draw. The answer for one person is one object. */
  showPeople(personOf: (row: Row) => RowPerson | null): void {
    this.#personOf = personOf;
    this.#own = new WeakMap();
  }

  /** `words`: folded words to highlight. */
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
      y: index,
      height: 1,
      head: 0,
      heading: outline.headingAt?.(index) ?? null,
      level: outline.levelAt(index),
      kind: kindOf(row),
      // Text being typed stays in its field, whatever arrives from elsewhere.
      title: draft?.id === id ? draft.text : own.title,
      locked: own.locked,
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
      comments: facts.commentsOf(id),
      assignee: own.assignee,
      bookmarked: facts.bookmarks.has(id),
      due: own.due,
      dueTone: own.tone,
      dueTime: own.day !== null && outline.dayAt?.(index) === own.day ? own.time : null,
      start: own.start,
      snoozed: this.#snoozed(id),
      repeats: own.repeats,
      reminds: facts.reminds(id) && !own.done,
      unread: this.isUnread(row),
      planned: this.planned(row),
      duration: own.duration,
      labels: facts.ownLabelsOf(id).length === 0 ? own.labels : this.labelsOf(row),
      path: outline.isTree || outline.levelAt(index) > 1 ? null : this.path(row),
      trashed: this.#workspace.isTrash ? this.#trashText(row) : null,
      tokens: draft?.id === id && isLine ? draft.tokens : noTokens,
    };
  }

  /** Who does a task; null: nobody whom its list knows. */
  personOf(row: Row): RowView['assignee'] {
    return this.#ownFacts(row).assignee;
  }

  /** When a task is due, in words; null: it has no date. */
  dueOf(row: Row): RowView['due'] {
    return this.#ownFacts(row).due;
  }

  /** Names of the ancestors of a row, outermost first. */
  path(row: Row): string {
    const names: string[] = [];
    const { replica } = this.#workspace;
    // A completed occurrence has the ancestors of its task.
    const task = row.type === 'completion' ? replica.row(row.fields.task) : row;
    for (const above of rowsAbove(task, (id) => replica.row(id))) names.push(nameOf(above));
    return names.toReversed().join(' › ');
  }

  #snoozed(id: Id): string | null {
    const until = this.#workspace.away.snoozedUntil(id);
    return until === null ? null : `snoozed until ${this.#dates.show(until).text}`;
  }

  #ownFacts(row: Row): OwnFacts {
    const known = this.#own.get(row);
    if (known) return known;
    const due = fieldOf(row, 'due') ?? null;
    const done = isDone(row);
    const shown = due === null ? null : this.#dates.show(due);
    const start = fieldOf(row, 'start') ?? null;
    const rule = fieldOf(row, 'repeat') ?? null;
    const minutes = fieldOf(row, 'duration') ?? null;
    const shut = lockedOf(row);
    const facts: OwnFacts = {
      title: nameOf(row),
      locked: (shut?.['title'] ?? shut?.['name']) !== undefined,
      done,
      hasNotes: (fieldOf(row, 'notes') ?? '') !== '',
      assignee: this.#personOf(row),
      due: shown && { text: shown.text, overdue: shown.overdue && !done },
      day: shown?.day ?? null,
      time: shown?.time ?? null,
      tone: shown === null || done ? 'done' : toneOf(shown),
      start: start === null || done ? null : this.#dates.starts(start),
      repeats: rule === null ? null : this.#repeats(rule, seriesOf(row) !== null),
      duration: minutes === null ? null : sayDuration(minutes),
      labels: this.labelsOf(row),
    };
    this.#own.set(row, facts);
    return facts;
  }

  #repeats(rule: RepeatRule, differs: boolean): string {
    const said = this.#sayRepeat?.(rule) ?? '';
    return differs && said !== '' ? `${said}, this one differs` : said;
  }

  #trashText(row: Row): string | null {
    const deletion = fieldOf(row, 'del');
    return (deletion && trashPart.now?.trashText(deletion.at, this.trashDays, this.#dates.context)) ?? null;
  }

  /** In the order in which the task has them. */
  labelsOf(row: Row): RowView['labels'] {
    let labels: RowView['labels'][number][] | null = null;
    const add = (id: Id) => {
      const label = this.#workspace.replica.row(id);
      if (!isLivingLabel(this.#workspace.replica, label)) return;
      labels ??= [];
      const name = fieldOf(label, 'name') ?? '';
      // A task that has just moved has a label and what stands for it, until the server has answered.
      if (label.scope !== row.scope && labels.some((other) => other.name === name)) return;
      labels.push({
        id: label.id,
        name,
        color: fieldOf(label, 'color') ?? plainColor,
      });
    };
    for (const register of Object.keys(row.fields))
      if (register.startsWith('label:') && registersOf(row)[register] === true) add(register.slice(6) as Id);
    for (const id of this.#workspace.facts.ownLabelsOf(row.id))
      if (registersOf(row)[`label:${id}`] !== true) add(id);
    return labels ?? noLabels;
  }
}

function kindOf(row: Row): RowView['kind'] {
  if (row.type === 'task' || row.type === 'completion') return 'task';
  return fieldOf(row, 'listType') === 'folder' ? 'folder' : 'list';
}
