// The meaning of names in a query: lists, folders and tasks by name, path or id, labels and their groups. Ignores case
// and accents, and everything in the trash.
import { parseId, type Id } from '#core/ids.ts';
import type { Names } from '#core/search/evaluate.ts';
import { fold } from '#core/search/fold.ts';
import type { RowChange } from '../replica/replica-types.ts';
import { fieldOf, type Row } from '../rows/row.ts';
import { isShown, isTrashed, nameOf, placeOf } from '../rows/row-reading.ts';
import type { World } from './world.ts';

const NOTHING: ReadonlySet<Id> = new Set();

export class ReplicaNames implements Names {
  readonly #world: World;
  /** Names resolved so far; valid until something is added, removed or renamed. */
  readonly #known = new Map<string, ReadonlySet<Id>>();
  /** Folded names and paths in that cache: a task with the name of a part of one may matter. */
  readonly #spoken = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Takes in changes of rows. */
  apply(changes: readonly RowChange[]): void {
    if (this.#known.size === 0 || !changes.some((change) => this.#matters(change))) return;
    this.#known.clear();
    this.#spoken.clear();
  }

  #matters({ before, after }: RowChange): boolean {
    const type = (after ?? before)?.type;
    if (type !== 'task') return type === 'list' || type === 'label' || type === 'labelGroup';
    if (isTrashed(before) !== isTrashed(after)) return true;
    const isMoved = placeOf(before)?.parent !== placeOf(after)?.parent;
    if (!isMoved && nameOf(before) === nameOf(after) && isShown(before) === isShown(after)) return false;
    if (isMoved && before !== undefined && after !== undefined) return true;
    return [before, after].some((row) => row !== undefined && this.#isSpoken(fold(nameOf(row))));
  }

  #isSpoken(name: string): boolean {
    for (const path of this.#spoken) if (path.includes(`/${name}/`)) return true;
    return false;
  }

  #remembered(kind: string, name: string, look: () => ReadonlySet<Id>): ReadonlySet<Id> {
    const wanted = fold(name.trim());
    const key = `${kind} ${wanted}`;
    let found = this.#known.get(key);
    if (!found) {
      this.#known.set(key, (found = look()));
      this.#spoken.add(`/${wanted}/`);
    }
    return found;
  }

  places(kind: 'in' | 'list' | 'folder', name: string): ReadonlySet<Id> {
    return this.#remembered(kind, name, () => this.#places(kind, name));
  }

  #places(kind: 'in' | 'list' | 'folder', name: string): ReadonlySet<Id> {
    const id = parseId(name);
    if (id !== null) return this.#placeOfId(kind, id);
    const wanted = fold(name.trim());
    const found = new Set<Id>();
    for (const row of this.#world.index.named.values()) {
      if (row.type === 'list' && isOfKind(row, kind) && this.#isCalled(row, wanted)) found.add(row.id);
    }
    if (kind === 'in') this.#addTasks(wanted, found);
    return found.size === 0 ? NOTHING : found;
  }

  labels(name: string): ReadonlySet<Id> {
    return this.#remembered('label', name, () => this.#labels(fold(name.trim())));
  }

  #labels(wanted: string): ReadonlySet<Id> {
    // Named by its id it is still a name: every shared list has a label of its own for it.
    const label = this.#world.index.named.get(wanted as Id);
    const name = label?.type === 'label' && !isTrashed(label) ? fold(nameOf(label)) || wanted : wanted;
    return this.#named('label', (row) => row.id === wanted || this.#isCalled(row, name));
  }

  groupLabels(name: string): ReadonlySet<Id> {
    return this.#remembered('group', name, () => this.#groupLabels(fold(name.trim())));
  }

  #groupLabels(wanted: string): ReadonlySet<Id> {
    const groups = this.#named('labelGroup', (row) => row.id === wanted || fold(nameOf(row)) === wanted);
    return this.#named('label', (row) => groups.has(placeOf(row)?.parent as Id));
  }

  people(name: string): ReadonlySet<number> {
    const wanted = fold(name.trim()).replace(/^@/, '');
    const { account } = this.#world;
    if (wanted === 'me') return new Set(account === 0 ? [] : [account]);
    const isMeant = (said: string) =>
      said.startsWith(wanted) || said.split(/\s+/).some((part) => part.startsWith(wanted));
    return new Set(
      [...this.#world.people()].flatMap((one) => (isMeant(fold(one.name)) ? [one.account] : [])),
    );
  }

  #named(type: Row['type'], holds: (row: Row) => boolean): ReadonlySet<Id> {
    const found = new Set<Id>();
    for (const row of this.#world.index.named.values()) {
      if (row.type === type && !isTrashed(row) && holds(row)) found.add(row.id);
    }
    return found;
  }

  #placeOfId(kind: 'in' | 'list' | 'folder', id: Id): ReadonlySet<Id> {
    const row = this.#world.replica.row(id);
    const fits = row?.type === 'list' ? isOfKind(row, kind) : row?.type === 'task' && kind === 'in';
    return row && fits && !this.#world.facts.isHidden(id) ? new Set([id]) : NOTHING;
  }

  /** Compares its name, or its path with slashes. */
  #isCalled(row: Row, wanted: string): boolean {
    if (row.type === 'list' && this.#world.facts.isHidden(row.id)) return false;
    const name = fold(nameOf(row));
    if (name === wanted) return true;
    if (!wanted.endsWith(`/${name}`) || name === '') return false;
    const parent = placeOf(row)?.parent;
    const above = parent === undefined ? undefined : this.#world.replica.row(parent);
    return above !== undefined && this.#isCalled(above, wanted.slice(0, -name.length - 1));
  }

  #addTasks(wanted: string, into: Set<Id>): void {
    const { index, facts } = this.#world;
    const last = wanted.slice(wanted.lastIndexOf('/') + 1);
    for (let slot = 0; slot < index.size; slot += 1) {
      const text = index.textAt(slot);
      if (!text.startsWith(wanted) && (last === '' || !text.startsWith(last))) continue;
      const row = index.rowAt(slot);
      if (row && index.isShown(row.id) && !facts.isHidden(row.id) && this.#isCalled(row, wanted))
        into.add(row.id);
    }
  }
}

function isOfKind(row: Row, kind: 'in' | 'list' | 'folder'): boolean {
  const isFolder = fieldOf(row, 'listType') === 'folder';
  if (fieldOf(row, 'listType') === 'smart') return false;
  return kind === 'in' || isFolder === (kind === 'folder');
}
