// Follows a pointer that drags tasks: says to the app what it is over, draws where they would go, and scrolls where it
// nears an edge. What may go where is client/dragging.ts. Loaded when idle, or with the first press of a row.
import type { App } from '#client/app.ts';
import type { Id } from '#core/ids.ts';
import type { DragOver } from '#client/view.ts';
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

/** What is drawn while they are dragged: the line where they would go, and what they are, beside the pointer. */
class Picture {
  readonly #line = document.createElement('div');
  readonly #chip = document.createElement('div');
  #side: HTMLElement | null = null;

  constructor(grid: HTMLElement) {
    this.#line.className = styles.line ?? '';
    this.#line.dataset['ph'] = 'drop-line';
    this.#chip.className = styles.chip ?? '';
    this.#chip.dataset['ph'] = 'drag';
    for (const element of [this.#line, this.#chip]) element.setAttribute('aria-hidden', 'true');
    grid.append(this.#line);
    document.body.append(this.#chip);
    document.documentElement.dataset['phDragging'] = '';
  }

  draw({ view }: App): void {
    const drag = view.drag.get();
    const line = drag?.line ?? null;
    this.#chip.textContent = drag?.label === '' ? 'Untitled' : (drag?.label ?? '');
    this.#line.hidden = line === null;
    if (line) {
      this.#line.style.transform = `translateY(calc(${line.index} * var(--ph-row) - 1px))`;
      this.#line.style.setProperty('--drop-level', String(Math.min(line.level, 12) - 1));
      this.#line.dataset['level'] = String(line.level);
    }
    const side = drag?.side == null ? null : document.getElementById(`side-${drag.side}`);
    if (side === this.#side) return;
    this.#side?.removeAttribute('data-drop');
    side?.setAttribute('data-drop', '');
    this.#side = side;
  }

  follow(x: number, y: number): void {
    this.#chip.style.transform = `translate(${x + 14}px, ${y + 10}px)`;
  }

  end(): void {
    this.#line.remove();
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
    const gap = Math.round((within + scroller.scrollTop - ABOVE) / rowHeight);
    const isRight = getComputedStyle(scroller).direction === 'rtl';
    const across = (x - event.clientX) * (isRight ? -1 : 1);
    return { type: 'line', gap: Math.max(0, gap), level: level + Math.round(across / indent) };
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

/** A row was pressed: from here on the pointer may drag it. */
export function followPress(start: DragStart): void {
  const { app, event } = start;
  const listening = new AbortController();
  const { signal } = listening;
  const onMove = (moved: PointerEvent) => {
    if (moved.pointerId !== event.pointerId) return;
    const distance = Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY);
    if (distance < SLACK) return;
    listening.abort();
    // Buttons may have been let go outside the window.
    if (moved.buttons !== 1 || !app.drag.begin(start.id, start.at)) return;
    start.dragged();
    new Drag(start, moved);
  };
  window.addEventListener('pointermove', onMove, { signal });
  for (const type of ['pointerup', 'pointercancel'] as const)
    window.addEventListener(type, () => listening.abort(), { signal });
}
