// What a search costs a program that keeps nothing beside its rows: every task is turned into what a query asks of it, asked,
// and all that match are put in order. The question itself is the product's own.
import { plainContext } from '#core/dates/plain-context.ts';
import type { Id } from '#core/ids.ts';
import { compileQuery, type Names, type Subject } from '#core/search/evaluate.ts';
import { fold } from '#core/search/fold.ts';
import { parseQuery } from '#core/search/parse.ts';
import type { When } from '#core/when.ts';
import { fieldOf, type Row, type TaskRow } from '#sync/rows/row.ts';

const NOTHING: ReadonlyMap<string, string> = new Map();

export class PlainScan {
  readonly #tasks: readonly TaskRow[];
  readonly #rows: ReadonlyMap<Id, Row>;
  readonly #parents: ReadonlySet<Id>;

  constructor(rows: readonly Row[]) {
    this.#tasks = rows.filter((row) => row.type === 'task');
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.#parents = new Set(this.#tasks.map((row) => parentOf(row)));
  }

  find(text: string): Id[] {
    const query = parseQuery(text);
    const context = plainContext(Date.now(), 'UTC');
    const question = compileQuery(query, { names: this.#names(), context });
    const found = this.#tasks.filter((row) => {
      const { status } = row.fields;
      return status?.cleared === undefined && question.matches(this.#subjectOf(row));
    });
    const { sort } = query.directives;
    const key = (row: TaskRow): string | number =>
      sort?.field === 'alphabetically'
        ? fold(row.fields.title ?? '')
        : sort === null
          ? row.createdAt
          : timeOf(row.fields.due);
    const keyed = found.map((row) => ({ id: row.id, key: key(row) }));
    keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return keyed.map(({ id }) => id);
  }

  #names(): Names {
    const named = (type: Row['type'], name: string): ReadonlySet<Id> => {
      const ids = new Set<Id>();
      for (const row of this.#rows.values())
        if (row.type === type && fold(fieldOf(row, 'name') ?? '') === fold(name)) ids.add(row.id);
      return ids;
    };
    return {
      places: (_kind, name) => named('list', name),
      labels: (name) => named('label', name),
      groupLabels: () => new Set(),
      people: () => new Set(),
    };
  }

  #subjectOf(row: TaskRow): Subject {
    const { fields } = row;
    const { status } = fields;
    return {
      id: row.id,
      title: fold(fields.title ?? ''),
      notes: fold(fields.notes ?? ''),
      completedAt: status?.done ?? null,
      isCleared: status?.cleared !== undefined,
      due: fields.due ?? null,
      start: fields.start ?? null,
      snooze: null,
      blocks: [],
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      scalars: fields,
      isRepeating: false,
      isBookmarked: false,
      isShared: false,
      isEmailed: false,
      isArchived: false,
      isNested: this.#rows.get(parentOf(row))?.type === 'task',
      hasChildren: this.#parents.has(row.id),
      hasAttachment: false,
      hasComment: false,
      assignee: fields.assignee ?? null,
      labels: Object.keys(fields)
        .filter((register) => register.startsWith('label:'))
        .map((register) => register.slice('label:'.length) as Id),
      metadata: NOTHING,
      isUnder: (ids) => {
        for (let at: Row | undefined = this.#rows.get(parentOf(row)); at; at = this.#rows.get(parentOf(at)))
          if (ids.has(at.id)) return true;
        return false;
      },
    };
  }
}

function parentOf(row: Row): Id {
  return fieldOf(row, 'place')?.parent as Id;
}

function timeOf(when: When | undefined): number {
  if (when === undefined) return Number.POSITIVE_INFINITY;
  if ('on' in when) return Date.parse(when.on);
  return 'at' in when ? when.at : Date.parse(when.local);
}
