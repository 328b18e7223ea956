// What a public link shows of a list: the tasks in the shape of its page, and the page's own name, logo and permissions.
import type { Id } from '#core/ids.ts';
import type { TaskRow } from '#sync/rows/row.ts';
import { linkPermissions, type LinkMay, type ShownList, type ShownTask } from '#wire/public-links.ts';
import { authorise } from '../access/authorise.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { ListWindow } from './list-window.ts';
import type { OpenLink } from './links.ts';
import { localIds, type LocalIds } from './local-ids.ts';
import { visibleFields } from './visible.ts';

const KEPT_LINKS = 1_000;
/** Whole lists that are kept as they were shown last: a page and its script ask for the same. */
const KEPT_LISTS = 20;

/** Shows lists by links. */
export class Showing {
  readonly #sealing: Pick<Sealing, 'sign'>;
  readonly #ids = new Map<Id, LocalIds>();
  readonly #lists = new Map<Id, { readonly of: string; readonly tasks: readonly ShownTask[] }>();

  constructor(sealing: Pick<Sealing, 'sign'>) {
    this.#sealing = sealing;
  }

  /** The ids that a link shows. */
  idsOf(link: Id): LocalIds {
    const known = this.#ids.get(link);
    if (known !== undefined) return known;
    if (this.#ids.size >= KEPT_LINKS) this.#ids.clear();
    const ids = localIds(link, this.#sealing);
    this.#ids.set(link, ids);
    return ids;
  }

  /** The name that visitors see. */
  nameOf(link: OpenLink, window: ListWindow): string {
    return link.name ?? window.name;
  }

  /** Name, logo and permissions. */
  list({ visitor, ...link }: OpenLink, window: ListWindow): ShownList {
    const permits = (what: keyof LinkMay) =>
      authorise(visitor, { type: 'link', what, link: visitor.link }).allowed;
    const may = Object.fromEntries(linkPermissions.map((what) => [what, permits(what)])) as LinkMay;
    return { name: link.name ?? window.name, logo: link.logo, may };
  }

  /** All tasks that the link shows. */
  all(link: OpenLink, window: ListWindow): readonly ShownTask[] {
    const { link: id, scope, may } = link.visitor;
    const of = [scope, window.at, ...may].join(' ');
    const known = this.#lists.get(id);
    if (known?.of === of) return known.tasks;
    const tasks = this.tasks(link, window, [...window.shown.keys()]);
    this.#lists.delete(id);
    this.#lists.set(id, { of, tasks });
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > KEPT_LISTS && oldest !== undefined) this.#lists.delete(oldest);
    return tasks;
  }

  /** These tasks, as far as the link shows them. */
  tasks({ visitor }: OpenLink, window: ListWindow, wanted: readonly Id[]): readonly ShownTask[] {
    const { link } = visitor;
    if (!authorise(visitor, { type: 'link', what: 'look', link }).allowed) return [];
    const rows = wanted.flatMap((id): readonly TaskRow[] => {
      const row = window.shown.get(id);
      return row === undefined ? [] : [row];
    });
    const ids = this.idsOf(link);
    const own = ids.shown(rows.map(({ id }) => id));
    const above = ids.shown(rows.map(({ fields }) => fields.place.parent));
    return rows.map((row, at) => {
      const parent = row.fields.place.parent === window.list ? null : (above[at] ?? null);
      return visibleFields(visitor, { row, id: own[at] ?? '', parent }, (id) => window.row(id));
    });
  }
}
