// Places in the palette: lists, folders, smart lists and bookmarked tasks, found by their names and those of their
// ancestors ("work/inv").
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isArchived } from '#sync/rows/row-reading.ts';
import type { Program } from '../app/program.ts';
import { type FoldedQuery, type Prepared, prepare, type Range, rankFolded } from '../search/ranking.ts';
import { nameOf } from '../outline/row-facts.ts';
import type { PaletteIcon } from './palette-view.ts';
import { closing, type Item, itemOf, type Ranked, type Reach, type Source } from './item.ts';
import { rowsAbove } from '#sync/rows/ancestors.ts';

const BOOKMARKED = 40;

interface Place {
  readonly row: Row;
  readonly prepared: Prepared;
}

/** Names of a row's ancestors, outermost first. */
export function namesAbove({ replica }: Program, row: Row): readonly string[] {
  return [...rowsAbove(row, (id) => replica.row(id))].map(nameOf).toReversed();
}

/** The kind of a place, and its icon. */
export function kindOfPlace(row: Row): { readonly icon: PaletteIcon; readonly name: string } {
  if (row.type === 'task') return { icon: 'bookmark', name: 'Bookmark' };
  const listType = fieldOf(row, 'listType');
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

  /** Smart lists, which are saved searches. */
  searches(): readonly Item[] {
    return this.#all
      .filter(({ row }) => fieldOf(row, 'listType') === 'smart')
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
      ...(fieldOf(row, 'listType') === 'smart' ? {} : { refine: { verb: 'look inside', run: within } }),
    });
  }

  #moveHere(row: Row): Item['second'] {
    const { program, commands, run } = this.#reach;
    const listType = fieldOf(row, 'listType');
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
