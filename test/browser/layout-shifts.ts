// What moves on a page that nobody has touched: `watchShifts` runs in it from the beginning.
import type { Page } from 'playwright-core';

/** Runs in the page: what moves, and from where to where. */
export const watchShifts = () => {
  interface Shift {
    readonly value: number;
    readonly sources: readonly {
      readonly node: Node | null;
      readonly previousRect: DOMRectReadOnly;
      readonly currentRect: DOMRectReadOnly;
    }[];
  }
  const shifts: string[] = [];
  Object.assign(globalThis, { shifts });
  const place = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}×${height}`;
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as unknown as Shift[])
      for (const { node, previousRect, currentRect } of sources) {
        const name = `${node?.nodeName ?? 'gone'} “${node?.textContent?.slice(0, 40) ?? ''}”`;
        shifts.push(`${value}: ${name} from ${place(previousRect)} to ${place(currentRect)}`);
      }
  }).observe({ type: 'layout-shift', buffered: true });
};

/** What has moved so far. */
export const shiftsOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { shifts: readonly string[] }).shifts);
