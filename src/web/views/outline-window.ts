// Keeps the outline's scroller and the app's idea of the first visible row in step, and tells the app how many rows fit.
// Works on the elements directly, before React draws: a key then costs one layout, and the list does not render.
import type { View } from '#client/app/view.ts';
import { whenIdle } from '../platform/world.ts';

interface OutlineWindow {
  readonly scroller: HTMLElement;
  readonly grid: HTMLElement;
  /** An element as high as a row; rows follow it when density, pointer or text size change. */
  readonly probe: HTMLElement;
  readonly view: View;
}

/** Space under the last row, in rows: it must not stick to the edge, and a phone's button needs a place. */
const ROWS_BELOW = 2;
/** Space above the first row, as in the stylesheet. */
const ABOVE = 6;

/** NaN when the row is not drawn. */
const drawnIndexOf = (line: string) =>
  Number(document.getElementById(`row-${line}`)?.dataset['index'] ?? Number.NaN);

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

/** Starts following; the returned function stops it. */
export function createOutlineWindow({ scroller, grid, probe, view }: OutlineWindow): () => void {
  const { rows } = view;
  let rowHeight = probe.offsetHeight || 32;
  let height = 0;
  let scrollTop = scroller.scrollTop;
  let drawnCount = -1;
  let gridHeight = 0;
  let top = rows.top.get();

  const offsetOf = (index: number) => (index === 0 ? 0 : ABOVE + index * rowHeight);
  const indexAt = (offset: number) => Math.max(0, Math.floor((offset - ABOVE + 0.5) / rowHeight));

  function scrollTo(next: number): void {
    if (Math.abs(next - scrollTop) < 0.5) return;
    scrollTop = next;
    scroller.scrollTop = next;
  }

  /** Follows the app's decision, once the grid is high enough; the person's own scrolling ends between rows. */
  function followTop(): void {
    const next = rows.top.get();
    const offset = offsetOf(next);
    if (next === top || (offset > 0 && offset + height > gridHeight)) return;
    scrollTo(offset);
    top = next;
  }

  function place(): void {
    // Scrolling needs a layout, and is free of one only as long as nothing has changed.
    followTop();
    if (rows.count.get() === drawnCount) return;
    drawnCount = rows.count.get();
    // The remainder lets the last possible first row stand exactly at the top edge.
    gridHeight = (drawnCount + ROWS_BELOW) * rowHeight + (height % rowHeight);
    grid.style.height = `${gridHeight}px`;
    grid.setAttribute('aria-rowcount', String(drawnCount));
    followTop();
  }

  /** A half visible first row is still the app's first row: bring the one that has the cursor wholly into view. */
  function reveal(): void {
    const focus = view.focus.get();
    // Not measured yet: the first measurement does it.
    if (height === 0 || focus.pane !== 'outline' || !focus.id) return;
    const index = drawnIndexOf(focus.line ?? focus.id);
    if (Number.isNaN(index)) return;
    const below = ABOVE + (index + 1) * rowHeight;
    if (offsetOf(index) < scrollTop) scrollTo(offsetOf(index));
    else if (below > scrollTop + height) scrollTo(below - height);
  }

  function onScroll(): void {
    if (scroller.scrollTop === scrollTop) return;
    scrollTop = scroller.scrollTop;
    top = indexAt(scrollTop);
    rows.scrolledTo(top);
  }

  // After React has drawn the rows of this turn.
  const revealSoon = () => queueMicrotask(reveal);
  const observer = new ResizeObserver(() => {
    if (scroller.clientHeight === 0) return;
    if (height === 0) revealSoon();
    const before = rowHeight;
    rowHeight = probe.offsetHeight || rowHeight;
    height = scroller.clientHeight;
    drawnCount = -1;
    scroller.style.setProperty('--ph-row-px', `${rowHeight}px`);
    rows.resize(Math.max(1, Math.floor((height - ABOVE) / rowHeight)));
    if (before !== rowHeight) scrollTo(offsetOf(rows.top.get()));
    place();
  });
  for (const element of [scroller, probe]) observer.observe(element);
  scroller.addEventListener('scroll', onScroll, { passive: true });
  const stops = [rows.count, rows.top].map((signal) => signal.subscribe(place));
  stops.push(rows.order.subscribe(ordering(grid, view)), view.focus.subscribe(revealSoon));
  stops.push(() => observer.disconnect());
  stops.push(() => scroller.removeEventListener('scroll', onScroll));
  place();
  return () => stops.forEach((stop) => stop());
}
