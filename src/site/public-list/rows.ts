// Draws the rows of a public list: one element per task, kept as long as the task is there, so that the cursor and what is being
// written stay where they are. Rows out of sight are not laid out (look.css).
import type { ShownTask } from '#wire/public-links.ts';
import { type OutlinedTask, partsOf } from '#wire/shown-outline.ts';
import { rowAttributes, rowContent, type RowLook } from '#wire/shown-row.ts';
import { element, nodesOf, setAttributes } from './elements.ts';

/** Rows that are made before the page is shown for the first time, and with each step after it. */
const FIRST_ROWS = 300;
const STEP_ROWS = 1_000;
/** The height of a row of one line, as long as nobody has seen it. */
const ROW_PIXELS = 40;

interface Drawn {
  readonly row: HTMLElement;
  task: ShownTask;
  level: number;
  look: RowLook;
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

/** The rows of the page. */
export class Rows {
  readonly list: HTMLElement;
  readonly #drawn = new Map<string, Drawn>();
  readonly #parts = new Map<string, HTMLElement>();
  /** Rows of the server that stay where they are: somebody may have scrolled to them, or be reading them. */
  readonly #found = new Map<string, HTMLElement>();
  /** The row whose content an editor has; it is drawn anew when that has gone. */
  editing: string | null = null;
  /** Rows may be moved now: what has the focus loses it, and gets it back at the end. */
  isDrawing = false;
  #tabbed: HTMLElement | undefined;
  #limit: number;
  #isGrowing = false;

  constructor(list: HTMLElement) {
    this.list = list;
    for (const row of list.querySelectorAll<HTMLElement>('[data-id]'))
      this.#found.set(row.dataset['id'] ?? '', row);
    for (const part of list.querySelectorAll<HTMLElement>('.part')) {
      const first = this.idOf(part.firstElementChild);
      if (first !== null) this.#parts.set(first, part);
    }
    this.#limit = Math.max(FIRST_ROWS, this.#found.size);
  }

  row(id: string): HTMLElement | undefined {
    return this.#drawn.get(id)?.row;
  }

  idOf(node: EventTarget | null): string | null {
    const row = node instanceof Element ? node.closest<HTMLElement>('[data-id]') : null;
    return row?.dataset['id'] ?? null;
  }

  /** Shows these tasks; `cursor`: the one that keys are about. */
  draw(outline: readonly OutlinedTask[], look: RowLook, cursor: string | null): void {
    this.isDrawing = true;
    const focused = document.activeElement;
    const home = this.idOf(focused);
    const shown = outline.slice(0, this.#limit);
    const ids = new Set(shown.map(({ task }) => task.id));
    for (const id of this.#drawn.keys()) if (!ids.has(id)) this.#drawn.delete(id);
    const parts = partsOf(shown);
    const before = new Map(this.#parts);
    this.#parts.clear();
    const elements = parts.map(({ rows, look: partLook }) => {
      const key = rows[0]?.task.id ?? '';
      const made = before.get(key) ?? element('div', { role: 'presentation' });
      this.#parts.set(key, made);
      if (made.className !== partLook) made.className = partLook;
      made.style.containIntrinsicSize = `auto ${rows.length * ROW_PIXELS}px`;
      arrange(
        made,
        rows.map((each) => this.#renewed(each, look)),
      );
      return made;
    });
    arrange(this.list, elements);
    this.#found.clear();
    this.tab(cursor);
    this.#focusAgain(focused, home);
    this.isDrawing = false;
    if (this.#limit < outline.length) this.#grow();
  }

  /** The row that the Tab key comes to. */
  tab(cursor: string | null): void {
    const row = cursor === null ? undefined : this.row(cursor);
    if (row === this.#tabbed) return;
    if (this.#tabbed) this.#tabbed.tabIndex = -1;
    if (row) row.tabIndex = 0;
    this.#tabbed = row;
  }

  /** What had the focus may have been moved or drawn anew. */
  #focusAgain(focused: Element | null, home: string | null): void {
    if (!(focused instanceof HTMLElement) || focused === document.activeElement) return;
    const row = home === null ? undefined : this.row(home);
    (focused.isConnected ? focused : row)?.focus({ preventScroll: true });
  }

  /** Asks to draw again, with more rows. */
  onGrown: () => void = () => undefined;

  #grow(): void {
    if (this.#isGrowing) return;
    this.#isGrowing = true;
    setTimeout(() => {
      this.#isGrowing = false;
      this.#limit += STEP_ROWS;
      this.onGrown();
    });
  }

  #renewed({ task, level }: OutlinedTask, look: RowLook): HTMLElement {
    const { id } = task;
    const known = this.#drawn.get(id);
    if (known?.task === task && known.level === level && known.look === look) return known.row;
    const row = known?.row ?? this.#found.get(id) ?? element('div');
    setAttributes(row, rowAttributes({ task, level }, look));
    if (known === undefined) row.tabIndex = -1;
    if (this.editing !== id) {
      row.replaceChildren(...nodesOf(rowContent(task, look)));
      this.#drawn.set(id, { row, task, level, look });
    }
    return row;
  }
}
