// Follows a pointer that drags tasks: tells the app what it is over, draws where they would go, and scrolls
// where it nears an edge. What may go where is client/outline/dragging.ts. Loaded when idle, or with the
// first press of a row.
import type { App } from '#client/app/app.ts';
import type { Id } from '#core/ids.ts';
import type { DragOver } from '#client/app/view.ts';
import { drawnRows, edgeAt, gapAt } from './gaps.ts';
import styles from './dragging.module.css';

export interface DragStart {
  readonly app: App;
  readonly grid: HTMLElement;
  readonly id: Id;
  /** Its line. */
  readonly at: number;
  readonly level: number;
  readonly event: PointerEvent;
  /** The press became a drag: it is no click any more. */
  readonly dragged: () => void;
}

/** So far a pressed pointer moves before it drags; px. */
const SLACK = 5;
/** Within this distance of an edge the outline scrolls; px. */
const EDGE = 36;
/** The fastest of it; px per frame. */
const FASTEST = 18;
/** Space above the first row, as in the stylesheet. */
const ABOVE = 6;

interface Measures {
  readonly rowHeight: number;
  readonly indent: number;
}

function measure(grid: HTMLElement): Measures {
  const probe = document.createElement('div');
  probe.className = styles.probe ?? '';
  grid.append(probe);
  const { offsetHeight, offsetWidth } = probe;
  probe.remove();
  return { rowHeight: offsetHeight || 32, indent: offsetWidth || 24 };
}

/** What is drawn while something is dragged: what it is, beside the pointer, and where it would go. */
class Picture {
  /** Null: it goes nowhere among the lines of the outline. */
  readonly #line: HTMLElement | null;
  readonly #chip = document.createElement('div');
  #side: HTMLElement | null = null;

  constructor(grid: HTMLElement | null) {
    this.#line = grid && document.createElement('div');
    if (grid && this.#line) {
      this.#line.className = styles.line ?? '';
      this.#line.dataset['ph'] = 'drop-line';
      this.#line.setAttribute('aria-hidden', 'true');
      grid.append(this.#line);
    }
    this.#chip.className = styles.chip ?? '';
    this.#chip.dataset['ph'] = 'drag';
    this.#chip.setAttribute('aria-hidden', 'true');
    document.body.append(this.#chip);
    document.documentElement.dataset['phDragging'] = '';
  }

  draw({ view }: App): void {
    const drag = view.drag.get();
    const line = drag?.line ?? null;
    this.#chip.textContent = drag?.label === '' ? 'Untitled' : (drag?.label ?? '');
    if (this.#line) {
      this.#line.hidden = line === null;
      if (line) {
        this.#line.style.transform = `translateY(calc(${edgeAt(drawnRows(view.rows), line.index)} * var(--ph-row) - 1px))`;
        this.#line.style.setProperty('--drop-level', String(Math.min(line.level, 12) - 1));
      }
    }
    const over = drag?.beside?.id ?? drag?.side ?? null;
    const side = over === null ? null : document.getElementById(`side-${over}`);
    if (side !== this.#side) this.#side?.removeAttribute('data-drop');
    side?.setAttribute('data-drop', drag?.beside?.part ?? 'into');
    this.#side = side;
  }

  follow(x: number, y: number): void {
    this.#chip.style.transform = `translate(${x + 14}px, ${y + 10}px)`;
  }

  end(): void {
    this.#line?.remove();
    this.#chip.remove();
    this.#side?.removeAttribute('data-drop');
    delete document.documentElement.dataset['phDragging'];
  }
}

/** One press, from the first move on. */
class Drag {
  readonly #start: DragStart;
  readonly #scroller: HTMLElement;
  readonly #picture: Picture;
  readonly #measures: Measures;
  readonly #rect: DOMRect;
  readonly #listening = new AbortController();
  readonly #stop: () => void;
  #at: { x: number; y: number };
  #frame = 0;

  constructor(start: DragStart, at: PointerEvent) {
    this.#start = start;
    const { app, grid, event } = start;
    this.#scroller = grid.parentElement ?? grid;
    this.#picture = new Picture(grid);
    this.#measures = measure(grid);
    this.#rect = this.#scroller.getBoundingClientRect();
    this.#at = { x: at.clientX, y: at.clientY };
    grid.setPointerCapture(event.pointerId);
    this.#stop = app.view.drag.subscribe(() => {
      if (app.view.drag.get() === null) this.#end();
      else this.#picture.draw(app);
    });
    const { signal } = this.#listening;
    const onMove = (moved: PointerEvent) => {
      this.#at = { x: moved.clientX, y: moved.clientY };
      this.#over();
    };
    grid.addEventListener('pointermove', onMove, { signal });
    grid.addEventListener('pointerup', () => app.drag.drop(), { signal });
    grid.addEventListener('pointercancel', () => app.drag.cancel(), { signal });
    const onLost = ({ target }: PointerEvent) => {
      // What a finger pressed had it before, and loses it to the grid.
      if (target === grid) app.drag.cancel();
    };
    grid.addEventListener('lostpointercapture', onLost, { signal });
    window.addEventListener('blur', () => app.drag.cancel(), { signal });
    this.#over();
    this.#frame = requestAnimationFrame(() => this.#scroll());
  }

  #over(): void {
    this.#picture.follow(this.#at.x, this.#at.y);
    this.#start.app.drag.over(this.#target());
  }

  #target(): DragOver | null {
    const { x, y } = this.#at;
    const { left, right, top, bottom } = this.#rect;
    if (x < left || x > right || y < top - EDGE || y > bottom + EDGE) {
      const side = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-side]');
      return side ? { type: 'side', id: side.dataset['side'] as Id } : null;
    }
    const { event, level } = this.#start;
    const scroller = this.#scroller;
    const { rowHeight, indent } = this.#measures;
    const within = Math.max(top, Math.min(bottom, y)) - top;
    const drawn = drawnRows(this.#start.app.view.rows);
    const gap = gapAt(drawn, (within + scroller.scrollTop - ABOVE) / rowHeight);
    const isRight = getComputedStyle(scroller).direction === 'rtl';
    const across = (x - event.clientX) * (isRight ? -1 : 1);
    return { type: 'line', gap, level: level + Math.round(across / indent) };
  }

  /** Near an edge the outline moves on under the pointer. */
  #scroll(): void {
    const scroller = this.#scroller;
    const { x, y } = this.#at;
    const { left, right, top, bottom } = this.#rect;
    const up = top + EDGE - y;
    const down = y - (bottom - EDGE);
    const by = x < left || x > right ? 0 : up > 0 ? -up : Math.max(0, down);
    if (by !== 0) {
      const before = scroller.scrollTop;
      scroller.scrollTop += Math.sign(by) * Math.min(FASTEST, Math.ceil(Math.abs(by) / 3));
      if (scroller.scrollTop !== before) this.#over();
    }
    if (!this.#listening.signal.aborted) this.#frame = requestAnimationFrame(() => this.#scroll());
  }

  #end(): void {
    this.#listening.abort();
    this.#stop();
    cancelAnimationFrame(this.#frame);
    this.#picture.end();
    const { grid, event } = this.#start;
    if (grid.hasPointerCapture(event.pointerId)) grid.releasePointerCapture(event.pointerId);
  }
}

export interface ListDragStart {
  readonly app: App;
  readonly tree: HTMLElement;
  readonly id: Id;
  readonly event: PointerEvent;
}

/** How far from its edges a folder takes what is dragged into itself; share of its height. */
const RIM = 0.25;

class ListDrag {
  readonly #start: ListDragStart;
  readonly #picture = new Picture(null);
  readonly #listening = new AbortController();
  readonly #stop: () => void;

  constructor(start: ListDragStart, at: PointerEvent) {
    this.#start = start;
    const { app, tree, event } = start;
    tree.setPointerCapture(event.pointerId);
    this.#stop = app.view.drag.subscribe(() => {
      if (app.view.drag.get() === null) this.#end();
      else this.#picture.draw(app);
    });
    const { signal } = this.#listening;
    tree.addEventListener('pointermove', (moved) => this.#over(moved), { signal });
    tree.addEventListener('pointerup', () => app.drag.drop(), { signal });
    for (const type of ['pointercancel', 'lostpointercapture'] as const)
      tree.addEventListener(type, () => app.drag.cancel(), { signal });
    window.addEventListener('blur', () => app.drag.cancel(), { signal });
    this.#over(at);
  }

  #over({ clientX, clientY }: PointerEvent): void {
    const { app, tree } = this.#start;
    this.#picture.follow(clientX, clientY);
    const { top, bottom } = tree.getBoundingClientRect();
    if (clientY < top + EDGE / 2) tree.scrollTop -= FASTEST / 2;
    else if (clientY > bottom - EDGE / 2) tree.scrollTop += FASTEST / 2;
    const row = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-side]');
    if (!row) {
      app.drag.over(null);
      return;
    }
    const box = row.getBoundingClientRect();
    const share = (clientY - box.top) / box.height;
    const isFolder = row.querySelector('[data-kind=folder]') !== null;
    const middle = isFolder && share > RIM && share < 1 - RIM;
    const part = middle ? 'into' : share < 0.5 ? 'before' : 'after';
    app.drag.over({ type: 'beside', id: row.dataset['side'] as Id, part });
  }

  #end(): void {
    this.#listening.abort();
    this.#stop();
    this.#picture.end();
    const { tree, event } = this.#start;
    if (tree.hasPointerCapture(event.pointerId)) tree.releasePointerCapture(event.pointerId);
  }
}

/** Calls `begin` once the pointer that was pressed has moved far enough to drag. */
function onceDragged(event: PointerEvent, begin: (moved: PointerEvent) => void): void {
  const listening = new AbortController();
  const { signal } = listening;
  const onMove = (moved: PointerEvent) => {
    if (moved.pointerId !== event.pointerId) return;
    const distance = Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY);
    if (distance < SLACK) return;
    listening.abort();
    // Buttons may have been let go outside the window.
    if (moved.buttons === 1) begin(moved);
  };
  window.addEventListener('pointermove', onMove, { signal });
  for (const type of ['pointerup', 'pointercancel'] as const)
    window.addEventListener(type, () => listening.abort(), { signal });
}

/** A list of the sidebar was pressed: from here on the pointer may drag it. */
export function followListPress(start: ListDragStart): void {
  onceDragged(start.event, (moved) => {
    if (start.app.drag.begin(start.id, -1)) new ListDrag(start, moved);
  });
}

/** A row was pressed: from here on the pointer may drag it. */
export function followPress(start: DragStart): void {
  onceDragged(start.event, (moved) => {
    if (!start.app.drag.begin(start.id, start.at)) return;
    start.dragged();
    new Drag(start, moved);
  });
}
