// The contents of a list, a folder, a label or a task, under its chip: Tab leads here, and the query then searches only
// there.
import type { Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { foldQuery, prepare, rankFolded } from '../search/ranking.ts';
import { labelName } from '../labels/catalog.ts';
import { nameOf } from '../outline/row-facts.ts';
import { byScore, hint, type Item, type Reach, type Step } from './item.ts';
import { PlaceSource } from './place-source.ts';
import type { Among } from './task-source.ts';
import { isUnder } from '#sync/rows/ancestors.ts';
import { textIndexOf } from '../search/searching.ts';

const MOST = 50;

export class WithinStep implements Step {
  readonly labels: readonly string[];
  readonly prompt: string;
  readonly before = null;
  readonly question = null;
  readonly #reach: Reach;
  readonly #row: Row;

  constructor(reach: Reach, row: Row) {
    this.#reach = reach;
    this.#row = row;
    this.labels = [nameOf(row) || labelName(row)];
    this.prompt = this.#isFolder ? 'Which list in it?' : 'Which task in it?';
  }

  get #isFolder(): boolean {
    return fieldOf(this.#row, 'listType') === 'folder';
  }

  items(query: string): readonly Item[] {
    const isEmpty = query.trim() === '';
    if (this.#isFolder) return this.#orNothing(this.#lists(query), isEmpty);
    if (isEmpty && this.#row.type !== 'label') return this.#orNothing(this.#firstTasks(), isEmpty);
    this.#reach.tasks.begin(foldQuery(query), query, { among: this.#among() });
    return this.collect();
  }

  collect(): readonly Item[] {
    const { tasks } = this.#reach;
    return this.#orNothing(byScore(tasks.ranked()).slice(0, MOST), false);
  }

  #orNothing(found: readonly Item[], isEmpty: boolean): readonly Item[] {
    return found.length > 0 ? found : [hint(isEmpty ? 'It’s empty' : 'Nothing in it has that name')];
  }

  #lists(query: string): readonly Item[] {
    const { program } = this.#reach;
    const places = new PlaceSource(this.#reach);
    const folded = foldQuery(query);
    const ranked = program.replica.children(this.#row.id).flatMap((row) => {
      if (row.type !== 'list' || isTrashed(row)) return [];
      const hit = rankFolded(folded, prepare({ title: nameOf(row), aliases: [] }));
      return hit ? [{ item: places.item(row, hit.matches), score: hit.score }] : [];
    });
    return query.trim() === '' ? ranked.map(({ item }) => item) : byScore(ranked).slice(0, MOST);
  }

  /** In their order. */
  #firstTasks(): readonly Item[] {
    const { program, tasks } = this.#reach;
    return program.workspace.children
      .of(this.#row.id)
      .items.slice(0, MOST)
      .flatMap(({ id }) => {
        const row = program.replica.row(id);
        return row ? [tasks.item(row, [])] : [];
      });
  }

  #among(): Among {
    const { program } = this.#reach;
    const { id, type } = this.#row;
    if (type !== 'label') return { key: id, holds: (task) => this.#isUnder(task, id) };
    const one: ReadonlySet<Id> = new Set([id]);
    const search = textIndexOf(program);
    return {
      key: id,
      holds: (_, slot) => search.labelsAt(slot).includes(id) || search.hasOwnLabel(slot, one),
    };
  }

  #isUnder(task: Id, root: Id): boolean {
    const { replica } = this.#reach.program;
    return isUnder(task, root, (id) => replica.row(id));
  }
}
