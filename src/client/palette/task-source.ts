// Tasks as items of the palette. task-finder.ts finds them.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';
import { isPlain } from '../search/language.ts';
import { within } from '../app/portions.ts';
import { type FoldedQuery, prepare, rankFolded } from '../search/ranking.ts';
import { nameOf } from '../outline/row-facts.ts';
import { closing, type Item, itemOf, type Ranked, type Reach } from './item.ts';
import { TaskFinder, wordsTest } from './task-finder.ts';
import { textIndexOf } from '../search/searching.ts';
import { findingOf } from '../search/searching.ts';

/** Milliseconds of searching within a key, and between two keys. */
const FIRST_MS = 4;
const PORTION_MS = 5;
const RANKED = 150;
/** A task is one of many: equal matches come below those of commands. */
const ONE_OF_MANY = -150;
/** Score of a task whose title does not match: its notes do, or an operator found it. */
const ELSEWHERE = 300;

/** Restricts which tasks are searched, in addition to the query. */
export interface Among {
  /** Distinguishes one restriction from another. */
  readonly key: string;
  holds(id: Id, slot: number): boolean;
}

const everywhere: Among = { key: '', holds: () => true };

export class TaskSource {
  readonly #reach: Reach;
  readonly #finder = new TaskFinder();
  /** Cached, because items are drawn again with every portion. */
  readonly #items = new Map<Id, Ranked>();
  #query: FoldedQuery | null = null;
  #isAsked = false;

  constructor(reach: Reach) {
    this.#reach = reach;
    reach.program.replica.subscribe(() => this.#finder.forget());
  }

  /** The search for the last query is still running. */
  get isRunning(): boolean {
    return this.#isAsked && !this.#finder.isDone;
  }

  /** The current query does not search for tasks. */
  rest(): void {
    this.#isAsked = false;
  }

  get revision(): number {
    return this.#finder.revision;
  }

  /** Searches for tasks as far as one key has time. Operators count if `reads` says so. */
  begin(
    query: FoldedQuery,
    text: string,
    options: { readonly among?: Among; readonly reads?: boolean } = {},
  ): void {
    const { program } = this.#reach;
    const { workspace } = program;
    const search = textIndexOf(program);
    const { among = everywhere, reads = false } = options;
    search.readSome(Number.MAX_SAFE_INTEGER);
    this.#query = query;
    this.#isAsked = true;
    this.#items.clear();
    const language = reads && !isPlain(text) ? findingOf(program).language : null;
    const isLeftOut = (id: Id, slot: number) => workspace.facts.isHidden(id) || !among.holds(id, slot);
    const asked = language
      ? { within: `?${text}`, text: '', test: language.ask(text).matches }
      : { within: among.key, text, test: wordsTest(search, text, isLeftOut) };
    this.#finder.begin(search, asked);
    this.#finder.step(within(program.replica, FIRST_MS));
  }

  goOn(): void {
    this.#finder.step(within(this.#reach.program.replica, PORTION_MS));
  }

  /** The results so far for the last query. */
  ranked(): readonly Ranked[] {
    const { program } = this.#reach;
    const query = this.#query;
    if (query === null || !this.#isAsked) return [];
    return this.#finder.slots.slice(0, RANKED).flatMap((slot) => {
      const id = textIndexOf(program).idAt(slot);
      const row = id === undefined ? undefined : program.replica.row(id);
      if (!row || id === undefined) return [];
      const known = this.#items.get(id);
      if (known) return [known];
      const hit = rankFolded(
        query,
        prepare({ title: nameOf(row), aliases: [], own: this.#reach.names.of(`task.${id}`) }),
      );
      const item = this.item(row, hit?.matches ?? []);
      const ranked = { item, score: (hit?.score ?? ELSEWHERE) + ONE_OF_MANY + this.#reach.habit(item.id) };
      this.#items.set(id, ranked);
      return [ranked];
    });
  }

  item(row: Row, matches: Item['matches']): Item {
    const { program } = this.#reach;
    const { id } = row;
    const title = nameOf(row);
    const inside = () => this.#reach.look(row);
    const hasMore = program.workspace.children.has(id);
    return itemOf({
      id: `task.${id}`,
      title,
      hint: program.rowFacts.path(row),
      icon: 'task',
      kind: 'Tasks',
      matches,
      choose: closing(this.#reach, () => this.#show(id)),
      second: { verb: 'focus on it', run: closing(this.#reach, () => program.open({ type: 'task', id })) },
      ...(hasMore ? { refine: { verb: 'look inside', run: inside } } : {}),
    });
  }

  /** Opens its list with the cursor on it. */
  #show(id: Id): void {
    const { program } = this.#reach;
    const { workspace } = program;
    workspace.hideResults();
    program.query = null;
    const list = workspace.listOf(id);
    if (list) program.open({ type: 'list', id: list.id }, id);
    if (workspace.cursor === id) return;
    // It is under a collapsed task: focus on its parent.
    const parent = workspace.parentOf(id);
    if (parent) program.open({ type: 'task', id: parent }, id);
  }
}
