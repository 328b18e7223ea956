// Hardcore Mode on the page: no pointer to be seen, and what the mouse does is taken before anything hears of it. Never what a
// finger or a pen does, nor what assistive technology presses; never where a finger is what one has.
import type { App } from '#client/app/app.ts';

const TAKEN = [
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'click',
  'dblclick',
  'auxclick',
  'contextmenu',
  'wheel',
  'dragstart',
] as const;
/** Presses say of themselves what pressed; what they come to in old browsers does not. */
const isOfMouse = (event: Event, last: string) =>
  (event instanceof PointerEvent && event.pointerType !== '' ? event.pointerType : last) === 'mouse';

/** Follows the app until what it returns is called. */
export function followMouse(app: App): () => void {
  const { isMouseOff } = app.view;
  const fingers = matchMedia('(pointer: coarse)');
  let listening: AbortController | null = null;
  /** What pressed last. */
  let last = '';

  function take(event: Event): void {
    if (!event.isTrusted) return;
    if (event instanceof PointerEvent && event.type === 'pointerdown') last = event.pointerType;
    // A screen reader and the keys press without a count.
    const isPress = event.type === 'click' && event instanceof MouseEvent && event.detail === 0;
    const isWheel = event.type === 'wheel' || event.type === 'dragstart';
    if (isPress || (!isWheel && !isOfMouse(event, last))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === 'pointerdown') app.pressedInVain();
  }

  function apply(): void {
    const isOff = isMouseOff.get() && !fingers.matches;
    document.documentElement.toggleAttribute('data-ph-mouse-off', isOff);
    if (isOff === (listening !== null)) return;
    listening?.abort();
    listening = isOff ? new AbortController() : null;
    const signal = listening?.signal;
    if (signal)
      for (const type of TAKEN)
        window.addEventListener(type, take, { capture: true, passive: false, signal });
  }

  const stop = isMouseOff.subscribe(apply);
  fingers.addEventListener('change', apply);
  apply();
  return () => {
    stop();
    fingers.removeEventListener('change', apply);
    listening?.abort();
    document.documentElement.removeAttribute('data-ph-mouse-off');
  };
}
