// The lines of an opened smart list: its matches, each with the tasks under it. A task that matches by itself and also
// stands under a match is shown in both places, so a line is known by its number, and the cursor by the line it is on.
import type { Id } from '#core/ids.ts';
import type { RowChange } from '#sync/replica-types.ts';
import { isShown, placeOf } from '../children.ts';
import type { Outline, OutlineSource } from '../outline.ts';
import type { LiveList } from './live-list.ts';

interface Block {
  readonly ids: readonly Id[];
  readonly levels: readonly number[];
}

export interface SmartSource extends OutlineSource {
  readonly list: Id;
  /** Up to date; null when the list is gone. */
  live(): LiveList | null;
  /** As the settings say; the query decides where it says something. */
  nested(): boolean;
  duplicates(): boolean;
  /** The task whose title is being edited: it stays until it is left. */
  held(): Id | null;
}

export class SmartOutline implements Outline {
  readonly isTree = false;
  readonly list: Id;
  readonly #source: SmartSource;
  readonly #blocks = new Map<Id, Block>();
  #roots: readonly Id[] = [];
  #ids: Id[] = [];
  #levels: number[] = [];
  /** The match under which each line stands. */
  #owners: Id[] = [];
  #first: Map<Id, number> | null = null;
  /** The line that an id stands for which has several. */
  #near = 0;
  #mark = 0;
  /** The task that stays although it matches no more. */
  #kept: Id | null = null;

  constructor(source: SmartSource) {
    this.#source = source;
    this.list = source.list;
    this.#arrange();
  }

  get length(): number {
    return this.#ids.length;
  }

  get marked(): number {
    return this.#mark;
  }

  get showsNested(): boolean {
    return this.#source.live()?.asked.query.directives.nested ?? this.#source.nested();
  }

  mark(index: number): void {
    this.#mark = index;
  }

  prefer(index: number): void {
    this.#near = index;
  }

  at(index: number): Id | undefined {
    return this.#ids[index];
  }

  levelAt(index: number): number {
    return this.#levels[index] ?? 1;
  }

  /** What tells this line from others of the same task. */
  lineAt(index: number): string {
    const id = this.#ids[index] ?? '';
    const owner = this.#owners[index] ?? id;
    return owner === id ? id : `${owner}.${id}`;
  }

  indexOf(id: Id): number {
    if (this.#ids[this.#near] === id) return this.#near;
    if (!this.#first) {
      this.#first = new Map();
      for (let index = this.#ids.length - 1; index >= 0; index -= 1)
        this.#first.set(this.#ids[index] as Id, index);
    }
    return this.#first.get(id) ?? -1;
  }

  has(id: Id): boolean {
    return this.indexOf(id) >= 0;
  }

  positionOf(id: Id): { readonly index: number; readonly size: number } {
    const at = this.indexOf(id);
    if (this.levelAt(at) === 1) return { index: this.#roots.indexOf(id) + 1, size: this.#roots.length };
    const row = this.#source.replica.row(id);
    const parent = placeOf(row)?.parent;
    if (!row || parent === undefined) return { index: 1, size: 1 };
    const { children } = this.#source;
    return { index: children.indexOf(row) + 1, size: children.of(parent).items.length };
  }

  apply(): void {
    // What it shows is decided when the lists have looked: `update`.
  }

  /** The lists have looked at the changes. `isTouched`: this one's matches or their order may differ. */
  update(changes: readonly RowChange[], isTouched: boolean): void {
    let isOld = isTouched || (this.#kept !== null && this.#kept !== this.#source.held());
    for (const { before, after } of changes) {
      const row = after ?? before;
      if (row?.type === 'mine') isOld = this.#drop(row.fields.of as Id) || isOld;
      if (row?.type !== 'task' || !differs(before, after)) continue;
      for (const parent of new Set([placeOf(before)?.parent, placeOf(after)?.parent]))
        if (parent !== undefined) isOld = this.#drop(parent) || isOld;
      isOld = this.#drop(row.id) || isOld;
    }
    if (isOld) this.#arrange();
  }

  /** Something was collapsed or expanded, everywhere perhaps. */
  refold(): void {
    this.#blocks.clear();
    this.#arrange();
  }

  /** Forgets the lines of every match at or above a task. True when such a one is shown. */
  #drop(start: Id): boolean {
    let dropped = false;
    for (let id: Id | undefined = start; id !== undefined;) {
      if (this.#blocks.delete(id) || this.has(id)) dropped = true;
      id = placeOf(this.#source.replica.row(id))?.parent;
    }
    return dropped;
  }

  #arrange(): void {
    const cursor = this.#ids[this.#near];
    this.#roots = this.#wanted();
    const nested = this.showsNested;
    const ids: Id[] = [];
    const levels: number[] = [];
    const owners: Id[] = [];
    for (const root of this.#roots) {
      ids.push(root);
      levels.push(1);
      owners.push(root);
      if (!nested || this.#source.isCollapsed(root) || !this.#source.children.has(root)) continue;
      const block = this.#blockOf(root);
      for (let at = 0; at < block.ids.length; at += 1) {
        ids.push(block.ids[at] as Id);
        levels.push(block.levels[at] ?? 2);
        owners.push(root);
      }
    }
    this.#ids = ids;
    this.#levels = levels;
    this.#owners = owners;
    this.#first = null;
    if (cursor !== undefined) this.#near = this.#nearest(cursor);
  }

  /** The line of a task that is nearest to where it was. */
  #nearest(id: Id): number {
    const old = this.#near;
    if (this.#ids[old] === id) return old;
    for (let away = 1; away < this.#ids.length + old; away += 1) {
      if (this.#ids[old - away] === id) return old - away;
      if (this.#ids[old + away] === id) return old + away;
    }
    return old;
  }

  #wanted(): readonly Id[] {
    const list = this.#source.live();
    const matches = [...(list?.contents() ?? [])];
    const held = this.#source.held();
    const at = held === null ? -1 : this.#roots.indexOf(held);
    this.#kept = null;
    if (held !== null && at >= 0 && list?.has(held) !== true && isShown(this.#source.replica.row(held))) {
      matches.splice(Math.min(at, matches.length), 0, held);
      this.#kept = held;
    }
    const duplicates = list?.asked.query.directives.duplicates ?? this.#source.duplicates();
    if (duplicates || !this.showsNested) return matches;
    const all = new Set(matches);
    return matches.filter((id) => !this.#hasAbove(id, all));
  }

  #hasAbove(id: Id, among: ReadonlySet<Id>): boolean {
    let at = placeOf(this.#source.replica.row(id))?.parent;
    while (at !== undefined) {
      if (among.has(at)) return true;
      at = placeOf(this.#source.replica.row(at))?.parent;
    }
    return false;
  }

  #blockOf(root: Id): Block {
    const known = this.#blocks.get(root);
    if (known) return known;
    const ids: Id[] = [];
    const levels: number[] = [];
    const stack: { id: Id; level: number }[] = [];
    const open = (id: Id, level: number) => {
      if (this.#source.isCollapsed(id)) return;
      const { items } = this.#source.children.of(id);
      for (let at = items.length - 1; at >= 0; at -= 1)
        stack.push({ id: (items[at] as { id: Id }).id, level });
    };
    open(root, 2);
    for (let line = stack.pop(); line; line = stack.pop()) {
      ids.push(line.id);
      levels.push(line.level);
      open(line.id, line.level + 1);
    }
    const block = { ids, levels };
    this.#blocks.set(root, block);
    return block;
  }
}

function differs(before: RowChange['before'], after: RowChange['after']): boolean {
  const [a, b] = [placeOf(before), placeOf(after)];
  return isShown(before) !== isShown(after) || a?.parent !== b?.parent || a?.key !== b?.key;
}
