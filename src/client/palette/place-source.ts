// Places in the palette: lists, folders, smart lists and bookmarked tasks, found by their names and by what they stand in
// ("work/inv").
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/row.ts';
import { isArchived, placeOf } from '#sync/row-reading.ts';
import type { Program } from '../program.ts';
import { type FoldedQuery, type Prepared, prepare, type Range, rankFolded } from '../ranking.ts';
import { nameOf } from '../row-facts.ts';
import type { PaletteIcon } from './palette-view.ts';
import { closing, type Item, itemOf, type Ranked, type Reach, type Source } from './item.ts';

const BOOKMARKED = 40;

interface Place {
  readonly row: Row;
  readonly prepared: Prepared;
}

/** Names of what a row stands in, outermost first. */
export function namesAbove({ replica }: Program, row: Row): readonly string[] {
  const names: string[] = [];
  for (
    let above = replica.row(placeOf(row)?.parent as Id);
    above;
    above = replica.row(placeOf(above)?.parent as Id)
  )
    names.push(nameOf(above));
  return names.toReversed();
}

/** What kind of place it is, and its picture. */
export function kindOfPlace(row: Row): { readonly icon: PaletteIcon; readonly name: string } {
  if (row.type === 'task') return { icon: 'bookmark', name: 'Bookmark' };
  const { listType } = row.fields;
  if (listType === 'folder') return { icon: 'folder', name: 'Folder' };
  if (listType === 'smart') return { icon: 'smart', name: 'Smart list' };
  return { icon: listType === 'inbox' ? 'inbox' : 'list', name: 'List' };
}

export class PlaceSource implements Source {
  readonly scopes = '@';
  readonly #reach: Reach;
  #places: readonly Place[] | null = null;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  refresh(): void {
    this.#places = null;
  }

  get #all(): readonly Place[] {
    const { program, names } = this.#reach;
    const { sidebar } = program;
    this.#places ??= [...sidebar.everything(), ...sidebar.bookmarkedTasks()].map((row) => ({
      row,
      prepared: prepare({
        title: nameOf(row),
        aliases: isArchived(row) ? ['archived'] : [],
        own: names.of(`list.${row.id}`),
        path: namesAbove(program, row),
      }),
    }));
    return this.#places;
  }

  find(query: FoldedQuery): readonly Ranked[] {
    const { bookmarks } = this.#reach.program.workspace.facts;
    return this.#all.flatMap(({ row, prepared }) => {
      const hit = rankFolded(query, prepared);
      if (!hit) return [];
      const item = this.item(row, hit.matches);
      const near = bookmarks.has(row.id) ? BOOKMARKED : 0;
      return [{ item, score: hit.score + near + this.#reach.habit(item.id) }];
    });
  }

  /** All of them, in their order. */
  every(): readonly Item[] {
    return this.#all.map(({ row }) => this.item(row, []));
  }

  /** Smart lists are searches that were kept. */
  searches(): readonly Item[] {
    return this.#all
      .filter(({ row }) => row.fields.listType === 'smart')
      .map(({ row }) => this.item(row, []));
  }

  item(row: Row, matches: readonly Range[]): Item {
    const { program, run } = this.#reach;
    const { icon, name } = kindOfPlace(row);
    const path = program.rowFacts.path(row);
    const move = this.#moveHere(row);
    const title = nameOf(row);
    const within = () => this.#reach.look(row);
    return itemOf({
      id: `list.${row.id}`,
      title,
      hint: path === '' ? name : `${name} in ${path}`,
      icon,
      kind: 'Places',
      matches,
      choose: closing(this.#reach, () => run('go.list', { list: row.id })),
      ...(move ? { second: move } : {}),
      ...(row.fields.listType === 'smart' ? {} : { refine: { verb: 'look inside', run: within } }),
    });
  }

  #moveHere(row: Row): Item['second'] {
    const { program, commands, run } = this.#reach;
    const { listType } = row.fields;
    if (row.type !== 'list' || listType === 'folder' || listType === 'smart') return undefined;
    if (commands.get('task.move')?.when(program) !== null) return undefined;
    const ids = program.workspace.targets();
    const whom = ids.length === 1 ? 'the task' : `${ids.length} tasks`;
    return {
      verb: `move ${whom} here`,
      run: closing(this.#reach, () => run('task.move', { list: row.id })),
    };
  }
}
