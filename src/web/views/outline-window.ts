// Keeps the outline's scroller and the app's idea of the first visible row in step, and tells the app how many rows fit.
// Works on the elements directly, before React draws: a key then costs one layout, and the list does not render.
import type { HeightOf, View } from '#client/app/view.ts';
import { whenIdle } from '../platform/world.ts';
import { phone, phoneHeights } from './touch/phone-heights.ts';

interface OutlineWindow {
  readonly scroller: HTMLElement;
  readonly grid: HTMLElement;
  /** As high as a plain row, and as wide as a title; rows follow it when density, pointer or text size change. */
  readonly probe: HTMLElement;
  /** Stands above the first row, and scrolls away with it. */
  readonly title: HTMLElement;
  readonly view: View;
}

/** Space under the last row, in rows: it must not stick to the edge, and a phone's button needs a place. */
const ROWS_BELOW = 2;
/** Space between the title and the first row, as in the stylesheet. */
const GAP = 6;

/** Screen readers go from row to row as they stand on the screen, whichever slots they are in: this tells them so. */
function ordering(grid: HTMLElement, { rows }: View): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    // Nothing is laid out for it, and no frame waits.
    whenIdle(() => {
      isAsked = false;
      const order = rows.order.get();
      if (order === null) grid.removeAttribute('aria-owns');
      else grid.setAttribute('aria-owns', order.map((line) => `row-${line}`).join(' '));
    });
  };
}

/** Answers the same function as long as nothing has changed that it depends on. */
function heightsOn(probe: HTMLElement): () => HeightOf | null {
  let known = '';
  let heightOf: HeightOf | null = null;
  return () => {
    if (!phone.matches) return null;
    const { font, columnGap, wordSpacing } = getComputedStyle(probe);
    const type = {
      font,
      wordSpacing: Number.parseFloat(wordSpacing),
      width: probe.offsetWidth,
      indent: Number.parseFloat(columnGap),
    };
    const on = JSON.stringify(type);
    if (on !== known) heightOf = phoneHeights(type, probe);
    known = on;
    return heightOf;
  };
}

class Following {
  readonly #on: OutlineWindow;
  readonly #heights: () => HeightOf | null;
  /** Space above the first row. */
  #above = GAP;
  #rowHeight: number;
  #height = 0;
  #scrollTop: number;
  #drawnExtent = -1;
  #gridHeight = 0;
  /** The first row on screen, as it was last followed. */
  #top = 0;
  #offset = 0;
  #isScrolling = false;

  constructor(on: OutlineWindow) {
    this.#on = on;
    this.#heights = heightsOn(on.probe);
    this.#rowHeight = on.probe.offsetHeight || 32;
    this.#scrollTop = on.scroller.scrollTop;
    this.#remember();
  }

  #remember(): void {
    const { rows } = this.#on.view;
    this.#top = rows.top.get();
    this.#offset = rows.offset.get();
  }

  #pixelsOf(y: number): number {
    return y === 0 ? 0 : this.#above + y * this.#rowHeight;
  }

  #scrollTo(next: number): void {
    if (Math.abs(next - this.#scrollTop) < 0.5) return;
    this.#scrollTop = next;
    this.#on.scroller.scrollTop = next;
  }

  /** Follows the app's decision, once the grid is high enough; the person's own scrolling ends between rows. */
  #followTop(): void {
    const { rows } = this.#on.view;
    const next = rows.offset.get();
    const pixels = this.#pixelsOf(next);
    if (this.#isScrolling || next === this.#offset) return;
    if (pixels > 0 && pixels + this.#height > this.#above + this.#gridHeight) return;
    // The first row is the same, and the ones above it have grown or shrunk.
    const isSame = rows.top.get() === this.#top;
    this.#scrollTo(isSame ? this.#scrollTop + (next - this.#offset) * this.#rowHeight : pixels);
    this.#remember();
  }

  readonly place = (): void => {
    const { view, grid } = this.#on;
    const { extent, offset } = view.rows;
    // Scrolling needs a layout, and is free of one only as long as nothing has changed.
    this.#followTop();
    if (extent.get() === this.#drawnExtent) return;
    this.#drawnExtent = extent.get();
    // The remainder lets the last possible first row stand exactly at the top edge.
    const whole = (this.#drawnExtent + ROWS_BELOW) * this.#rowHeight + (this.#height % this.#rowHeight);
    this.#gridHeight = Math.max(whole, offset.get() * this.#rowHeight + this.#height);
    grid.style.height = `${this.#gridHeight}px`;
    this.#followTop();
  };

  /** A half visible first row is still the app's first row: bring the one that has the cursor wholly into view. */
  readonly #reveal = (): void => {
    const { focus, rows } = this.#on.view;
    const at = focus.get();
    // Not measured yet: the first measurement does it.
    if (this.#height === 0 || at.pane !== 'outline' || !at.id) return;
    const row = rows.drawnAs(at.line ?? at.id);
    if (row === null) return;
    const above = this.#pixelsOf(row.y - row.head);
    const below = this.#above + (row.y + row.height) * this.#rowHeight;
    if (above < this.#scrollTop) this.#scrollTo(above);
    else if (below > this.#scrollTop + this.#height) this.#scrollTo(below - this.#height);
  };

  /** After React has drawn the rows of this turn. */
  readonly revealSoon = (): void => queueMicrotask(this.#reveal);

  readonly scrolled = (): void => {
    const { scroller, view } = this.#on;
    if (scroller.scrollTop === this.#scrollTop) return;
    this.#scrollTop = scroller.scrollTop;
    this.#isScrolling = true;
    const moved = view.rows.scrolledTo(Math.max(0, this.#scrollTop - this.#above + 0.5) / this.#rowHeight);
    this.#isScrolling = false;
    this.#remember();
    if (moved !== 0) this.#scrollTo(this.#scrollTop + moved * this.#rowHeight);
    this.place();
  };

  readonly resized = (): void => {
    const { scroller, probe, title, view } = this.#on;
    if (scroller.clientHeight === 0) return;
    if (this.#height === 0) this.revealSoon();
    const before = this.#rowHeight;
    this.#rowHeight = probe.offsetHeight || before;
    this.#height = scroller.clientHeight;
    this.#above = GAP + title.offsetHeight;
    this.#drawnExtent = -1;
    view.rows.resize(Math.max(1, (this.#height - GAP) / this.#rowHeight), this.#heights());
    if (before !== this.#rowHeight) this.#scrollTo(this.#pixelsOf(view.rows.offset.get()));
    this.place();
    // Shown again, the scroller stands where the browser remembers it from before it was hidden.
    if (Math.abs(scroller.scrollTop - this.#scrollTop) >= 1) scroller.scrollTop = this.#scrollTop;
  };
}

/** Starts following; the returned function stops it. */
export function createOutlineWindow(on: OutlineWindow): () => void {
  const { scroller, grid, probe, title, view } = on;
  const { rows } = view;
  const following = new Following(on);
  const { place, revealSoon, scrolled, resized } = following;
  const observer = new ResizeObserver(resized);
  for (const element of [scroller, probe, title]) observer.observe(element);
  scroller.addEventListener('scroll', scrolled, { passive: true });
  const stops = [rows.extent, rows.offset].map((signal) => signal.subscribe(place));
  const counted = () => grid.setAttribute('aria-rowcount', String(rows.count.get()));
  stops.push(rows.count.subscribe(counted));
  stops.push(rows.order.subscribe(ordering(grid, view)), view.focus.subscribe(revealSoon));
  stops.push(() => observer.disconnect());
  stops.push(() => scroller.removeEventListener('scroll', scrolled));
  place();
  counted();
  return () => stops.forEach((stop) => stop());
}
