// Draws the rows of a public list: one element per task, kept as long as the task is there, so that the cursor and what is being
// written stay where they are. Rows out of sight are not laid out (look.css). Many rows are drawn a few at a time: keys come in between.
import type { ShownTask } from '#wire/public-links.ts';
import { isTyped, rowAttributes, rowContent, type RowLook } from '#wire/public-page/shown-row.ts';
import { type OutlinedTask, type Part, partsOf } from '#wire/public-page/shown-outline.ts';
import { element, nodesOf, setAttributes } from './elements.ts';

/** Rows are drawn for so long at a time; the browser has as much again to do with them. */
const STEP_MS = 8;
/** The height of a row of one line, as long as nobody has seen it. */
const ROW_PIXELS = 40;

/** A row in the document. */
interface Drawn {
  readonly row: HTMLElement;
  /** What it shows; null: what the server drew. */
  shown: { readonly task: ShownTask; readonly level: number; readonly look: RowLook } | null;
  /** The task when the rows were drawn last. */
  heard: ShownTask | null;
}

/** A part in the document, and the rows that it was drawn with. */
interface DrawnPart {
  readonly made: HTMLElement;
  rows: readonly OutlinedTask[];
}

/** How rows are drawn. */
interface Drawing {
  readonly look: RowLook;
  /** The task that keys are about. */
  readonly cursor: string | null;
  /** All tasks may have changed. */
  readonly isAnew: boolean;
  /** Those that are different since the rows were drawn last, each in its place; null: any may stand elsewhere. */
  readonly changed: readonly OutlinedTask[] | null;
}

/** Brings the children of an element into this order; what is not named goes. What stands right is not touched. */
function arrange(parent: Element, wanted: readonly Element[]): void {
  let next = parent.firstChild;
  for (const child of wanted) {
    if (next !== null && next !== child && next.nextSibling === child) {
      // One that is to stand further down, or nowhere, is taken out, instead of moving all others past it.
      const moved: ChildNode = next;
      next = child;
      moved.remove();
    }
    if (next === child) next = child.nextSibling;
    else parent.insertBefore(child, next);
  }
  while (next !== null) {
    const rest: ChildNode = next;
    next = next.nextSibling;
    rest.remove();
  }
}

const showsSame = (some: readonly OutlinedTask[], others: readonly OutlinedTask[]): boolean =>
  some.length === others.length &&
  some.every(({ task, level }, at) => task === others[at]?.task && level === others[at]?.level);

/** Whether its notes are shown as they were typed until there is something that reads them. */
const isUnread = ({ notes }: ShownTask, look: RowLook): boolean =>
  look.note === null && notes !== undefined && !isTyped(notes);

/** The same in both, or as good as. */
const looksSame = (task: ShownTask, one: RowLook, other: RowLook): boolean =>
  one.canComplete === other.canComplete &&
  (one.note === other.note || isUnread(task, one) === isUnread(task, other));

/** The rows of the page. */
export class Rows {
  readonly list: HTMLElement;
  readonly #drawn = new Map<string, Drawn>();
  readonly #parts = new Map<string, DrawnPart>();
  /** Tasks that have no row yet. */
  readonly #waiting = new Set<string>();
  /** The row whose content an editor has; it is drawn anew when that has gone. */
  editing: string | null = null;
  /** Rows may be moved now: what has the focus loses it, and gets it back at the end. */
  isDrawing = false;
  #tabbed: HTMLElement | undefined;
  #look: RowLook | null = null;
  /** All rows are there and up to date. */
  #isWhole = false;
  #timer = 0;
  /** Some of the rest were drawn. */
  onGrown: () => void = () => undefined;
  /** Notes were drawn that nothing can read yet. */
  onUnread: () => void = () => undefined;

  /** Rows of the server stay where they are: somebody may have scrolled to them, or be reading them. */
  constructor(list: HTMLElement) {
    this.list = list;
    for (const row of list.querySelectorAll<HTMLElement>('[data-id]'))
      this.#drawn.set(row.dataset['id'] ?? '', { row, shown: null, heard: null });
    for (const part of list.querySelectorAll<HTMLElement>('.part')) {
      const first = this.idOf(part.firstElementChild);
      if (first !== null) this.#parts.set(first, { made: part, rows: [] });
    }
  }

  /** Nothing more is drawn. */
  end(): void {
    clearTimeout(this.#timer);
  }

  row(id: string): HTMLElement | undefined {
    return this.#drawn.get(id)?.row;
  }

  idOf(node: EventTarget | null): string | null {
    const row = node instanceof Element ? node.closest<HTMLElement>('[data-id]') : null;
    return row?.dataset['id'] ?? null;
  }

  /** Shows these tasks. What changed since the last time is drawn at once; where all of them may have, or their look, as many as there is time for. */
  draw(outline: readonly OutlinedTask[], drawing: Drawing): void {
    const { look, cursor, isAnew, changed } = drawing;
    clearTimeout(this.#timer);
    if (isAnew || look !== this.#look) this.#isWhole = false;
    this.#look = look;
    if (this.#isWhole && changed !== null) {
      this.#keepingFocus(() => {
        for (const each of changed) this.#redraw(each, look);
      });
      this.tab(cursor);
      return;
    }
    const parts = partsOf(outline);
    this.#keepingFocus(() => {
      const before = new Map(this.#parts);
      this.#parts.clear();
      const elements = parts.flatMap((part) => {
        const was = before.get(part.rows[0]?.task.id ?? '');
        const isKept = this.#isWhole && was !== undefined && showsSame(part.rows, was.rows);
        if (!isKept) return this.#drawPart(part, before, drawing);
        return [this.#part(part, before)];
      });
      this.#forgetAllBut(outline);
      arrange(this.list, elements);
      if (!this.#isWhole) this.#drawRest(this.#rest(parts, look), isAnew);
    });
    this.tab(cursor);
  }

  /** A row that stays where it is. */
  #redraw(each: OutlinedTask, look: RowLook): void {
    const { parentElement } = this.#renewed(each, look);
    const part = this.#parts.get(this.idOf(parentElement?.firstElementChild ?? null) ?? '');
    if (part) part.rows = part.rows.map((was) => (was.task.id === each.task.id ? each : was));
  }

  /** The part with those of its rows that are to stand there now; none: it is made later. */
  #drawPart(part: Part, before: ReadonlyMap<string, DrawnPart>, drawing: Drawing): readonly HTMLElement[] {
    const rows = part.rows.flatMap((each) => this.#now(each, drawing) ?? []);
    if (rows.length === 0) return [];
    const made = this.#part(part, before);
    arrange(made, rows);
    return [made];
  }

  /** Rows of tasks that have gone. */
  #forgetAllBut(outline: readonly OutlinedTask[]): void {
    if (this.#drawn.size + this.#waiting.size === outline.length) return;
    const ids = new Set(outline.map(({ task }) => task.id));
    for (const id of this.#drawn.keys()) if (!ids.has(id)) this.#drawn.delete(id);
    for (const id of this.#waiting) if (!ids.has(id)) this.#waiting.delete(id);
  }

  /** The row that the Tab key comes to. */
  tab(cursor: string | null): void {
    const row = cursor === null ? undefined : this.row(cursor);
    if (row === this.#tabbed) return;
    if (this.#tabbed) this.#tabbed.tabIndex = -1;
    if (row) row.tabIndex = 0;
    this.#tabbed = row;
  }

  /** What has the focus may be moved or drawn anew. */
  #keepingFocus(work: () => void): void {
    const focused = document.activeElement;
    const home = this.idOf(focused);
    this.isDrawing = true;
    work();
    if (focused instanceof HTMLElement && focused !== document.activeElement) {
      const row = home === null ? undefined : this.row(home);
      (focused.isConnected ? focused : row)?.focus({ preventScroll: true });
    }
    this.isDrawing = false;
  }

  /** The row as it is to stand there now; null: it is made later. */
  #now(each: OutlinedTask, { look, cursor, isAnew }: Drawing): HTMLElement | null {
    const { task } = each;
    const known = this.#drawn.get(task.id);
    const isLater = known
      ? !this.#isWhole && (isAnew || known.heard === task)
      : isAnew || this.#waiting.has(task.id);
    if (!isLater || task.id === cursor) return this.#renewed(each, look);
    if (known === undefined) {
      this.#waiting.add(task.id);
      return null;
    }
    if (known.heard === null) known.row.tabIndex = -1;
    known.heard = task;
    return known.row;
  }

  /** Draws as many as there is time for, and goes on after what the browser has to do meanwhile. */
  #drawRest(rest: Iterator<undefined>, isAtOnce: boolean): void {
    const end = performance.now() + STEP_MS;
    while (isAtOnce && !this.#isWhole && performance.now() < end) this.#isWhole = rest.next().done === true;
    if (this.#isWhole) return;
    this.#timer = window.setTimeout(() => {
      this.#keepingFocus(() => this.#drawRest(rest, true));
      this.onGrown();
    });
  }

  /** Draws the rows that are not there or not up to date, each when the next is asked for. All rows before it are in their place. */
  *#rest(parts: readonly Part[], look: RowLook): Generator<undefined, void> {
    let last: HTMLElement | null = null;
    for (const part of parts) {
      const known = this.#parts.get(part.rows[0]?.task.id ?? '');
      const made = known?.made ?? this.#part(part, this.#parts);
      if (known === undefined)
        this.list.insertBefore(made, last === null ? this.list.firstChild : last.nextSibling);
      last = made;
      let above: HTMLElement | null = null;
      for (const each of part.rows) {
        const shown = this.#drawn.get(each.task.id)?.shown;
        const row = this.#renewed(each, look);
        if (!row.isConnected) made.insertBefore(row, above === null ? made.firstChild : above.nextSibling);
        above = row;
        if (this.#drawn.get(each.task.id)?.shown !== shown) yield;
      }
    }
  }

  #part({ rows, look }: Part, known: ReadonlyMap<string, DrawnPart>): HTMLElement {
    const key = rows[0]?.task.id ?? '';
    const was = known.get(key);
    const made = was?.made ?? element('div', { role: 'presentation' });
    this.#parts.set(key, { made, rows });
    if (made.className !== look) made.className = look;
    if (was?.rows.length !== rows.length)
      made.style.containIntrinsicSize = `auto ${rows.length * ROW_PIXELS}px`;
    return made;
  }

  #renewed({ task, level }: OutlinedTask, look: RowLook): HTMLElement {
    const { id } = task;
    const known = this.#drawn.get(id);
    const was = known?.shown;
    if (known && was && was.task === task && was.level === level && looksSame(task, was.look, look))
      return known.row;
    const row = known?.row ?? element('div');
    const drawn = known ?? { row, shown: null, heard: null };
    this.#drawn.set(id, drawn);
    this.#waiting.delete(id);
    setAttributes(row, rowAttributes({ task, level }, look));
    if (drawn.heard === null) row.tabIndex = -1;
    drawn.heard = task;
    if (this.editing === id) return row;
    // What the server has read stays until it can be read here.
    if (isUnread(task, look)) this.onUnread();
    const isSame = !was || was.task.notes === task.notes;
    const read = isSame && isUnread(task, look) ? row.querySelector('.words > .notes:not(.typed)') : null;
    row.replaceChildren(...nodesOf(rowContent(task, look)));
    if (read !== null) row.querySelector('.words > .notes')?.replaceWith(read);
    drawn.shown = { task, level, look };
    return row;
  }
}
