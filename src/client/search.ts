// Live search over titles and notes: folded text per task, made when idle; a longer query narrows the previous hits.
// The search line itself and its place on screen are program.ts and screen.ts.
import type { Id } from '#core/ids.ts';
import { fold } from '#core/search/fold.ts';
import type { Replica, RowChange } from '#sync/replica-types.ts';
import type { Row } from '#sync/row.ts';
import { isDone, isShown } from './children.ts';

export function tokensOf(query: string): readonly string[] {
  return fold(query)
    .split(/\s+/)
    .filter((token) => token !== '');
}

function textOf(row: Row): string {
  const title = (row.fields.title as string | undefined) ?? '';
  const notes = (row.fields.notes as string | undefined) ?? '';
  return fold(notes === '' ? title : `${title}\n${notes}`);
}

export class SearchIndex {
  readonly #ids: Id[] = [];
  readonly #texts: string[] = [];
  readonly #shown: boolean[] = [];
  readonly #done: boolean[] = [];
  readonly #slots = new Map<Id, number>();
  /** Rows not read yet; null when all are in. */
  #unread: Iterator<Row> | null;
  #lastQuery = '';
  #lastSlots: readonly number[] = [];

  constructor(replica: Replica) {
    this.#unread = replica.all()[Symbol.iterator]();
  }

  get isReady(): boolean {
    return this.#unread === null;
  }

  get isStarted(): boolean {
    return this.#ids.length > 0;
  }

  /** Whether a task shows at all, as far as it decides itself. */
  isShown(id: Id): boolean {
    const slot = this.#slots.get(id);
    return slot !== undefined && this.#shown[slot] === true;
  }

  /** Reads up to so many rows on; for idle moments. */
  readSome(count: number): void {
    for (let left = count; left > 0 && this.#unread; left -= 1) {
      const next = this.#unread.next();
      if (next.done === true) this.#unread = null;
      else this.#put(next.value);
    }
  }

  apply(changes: readonly RowChange[]): void {
    for (const { id, before, after } of changes) {
      if ((after ?? before)?.type !== 'task') continue;
      const slot = this.#slots.get(id);
      const isSameText =
        before?.fields.title === after?.fields.title && before?.fields.notes === after?.fields.notes;
      if (slot !== undefined && (isSameText || !after)) this.#flag(slot, after);
      else if (after) {
        this.#put(after);
        this.#lastQuery = '';
      }
    }
  }

  /**
   * Tasks that contain every word of the query, open ones first; not more than `most`. `isHidden` excludes what lies
   * under the trash.
   */
  find(query: string, isHidden: ((id: Id) => boolean) | null, most = Number.POSITIVE_INFINITY): Id[] {
    this.readSome(Number.MAX_SAFE_INTEGER);
    const slots = this.#matching(query);
    const open: Id[] = [];
    const done: Id[] = [];
    for (const slot of slots) {
      if (open.length >= most) break;
      const id = this.#ids[slot];
      if (id === undefined || this.#shown[slot] !== true || isHidden?.(id) === true) continue;
      if (this.#done[slot] === true) done.push(id);
      else open.push(id);
    }
    const found = open.concat(done);
    return found.length > most ? found.slice(0, most) : found;
  }

  /** Whether a task belongs among the results of a query. */
  matches(id: Id, query: string): boolean {
    const slot = this.#slots.get(id);
    if (slot === undefined || this.#shown[slot] !== true) return false;
    const text = this.#texts[slot] ?? '';
    return tokensOf(query).every((token) => text.includes(token));
  }

  #matching(query: string): readonly number[] {
    const folded = fold(query);
    const tokens = tokensOf(query);
    if (tokens.length === 0) return [];
    const narrows = this.#lastQuery !== '' && folded.startsWith(this.#lastQuery);
    const found: number[] = [];
    const [first = '', ...others] = tokens;
    const take = (slot: number) => {
      const text = this.#texts[slot] ?? '';
      if (text.includes(first) && others.every((token) => text.includes(token))) found.push(slot);
    };
    if (narrows) for (const slot of this.#lastSlots) take(slot);
    else for (let slot = 0; slot < this.#texts.length; slot += 1) take(slot);
    this.#lastQuery = folded;
    this.#lastSlots = found;
    return found;
  }

  #put(row: Row): void {
    if (row.type !== 'task') return;
    let slot = this.#slots.get(row.id);
    if (slot === undefined) {
      slot = this.#ids.length;
      this.#slots.set(row.id, slot);
      this.#ids.push(row.id);
    }
    this.#texts[slot] = textOf(row);
    this.#flag(slot, row);
  }

  #flag(slot: number, row: Row | undefined): void {
    this.#shown[slot] = isShown(row);
    this.#done[slot] = isDone(row);
  }
}
