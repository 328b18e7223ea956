// How much of a long list is drawn: opening and typing cost what is seen of it, not what it holds.
import { type RefObject, useEffect, useState } from 'react';

/** Items drawn at once: what fits on most screens. More are drawn when they come near. */
const DRAWN = 10;
/** How close to the last drawn item the choice, or the edge of the list, may come. */
const NEAR_ITEMS = 3;
const NEAR_PX = 150;

interface Contents {
  /** What was sought: with other words the list begins anew. */
  readonly of: string;
  readonly count: number;
  readonly active: number;
}

/** `drawn`: how many of the `count` items to draw. Call `growIfNear` whenever the list scrolls. */
export function useDrawn(
  list: RefObject<HTMLDivElement | null>,
  { of, count, active }: Contents,
): { readonly drawn: number; readonly growIfNear: () => void } {
  const [asked, setAsked] = useState({ of, reach: DRAWN });
  // Forgotten at once: coming back to the same words begins anew as well.
  if (asked.of !== of) setAsked({ of, reach: DRAWN });
  const drawn = Math.min(count, Math.max(asked.reach, active + 1 + NEAR_ITEMS));
  const isShort = drawn < count;
  const growIfNear = () => {
    const element = list.current;
    if (!element || !isShort) return;
    // Where the list grows upwards, it is scrolled by less than nothing.
    const left = element.scrollHeight - Math.abs(element.scrollTop) - element.clientHeight;
    if (left < NEAR_PX) setAsked({ of, reach: drawn + DRAWN });
  };
  useEffect(() => {
    const element = list.current;
    if (!element || !isShort) return undefined;
    // A tall screen shows more than the first ones, and could not be scrolled for them.
    let frame = 0;
    const observer = new ResizeObserver(() => {
      // In a frame of its own: drawing more changes the size that is being told.
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        if (element.scrollHeight <= element.clientHeight) setAsked({ of, reach: drawn + DRAWN });
      });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [list, isShort, of, drawn]);
  return { drawn, growIfNear };
}
