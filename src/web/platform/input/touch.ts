// Gestures of fingers that belong to no row: pulling the outline down makes a task, two fingers open the
// palette, pulling a sheet down closes it. Also watches the room that a virtual keyboard takes. Loaded where
// there may be fingers; each has another way.
import type { App } from '#client/app/app.ts';
import { isField, takesText } from './fields.ts';

/** So far the outline is pulled for a new task; px. */
const PULL = 64;
/** A quick tap of two fingers; ms, px. */
const TAP_MS = 250;
const TAP_SLACK = 10;
/** A sheet is taken by its top edge, and goes when it is drawn this far; px. */
const GRIP = 48;
const SHEET_DOWN = 96;
/** The keyboard is gone this long after the field has lost the focus. */
const KEYBOARD_MS = 250;

interface Touched {
  readonly x: number;
  readonly y: number;
  readonly time: number;
}

const pointOf = (event: TouchEvent): Touched => ({
  x: event.touches[0]?.clientX ?? 0,
  y: event.touches[0]?.clientY ?? 0,
  time: event.timeStamp,
});

const within = (target: EventTarget | null, selector: string) =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null;

function followPull(app: App, signal: AbortSignal): void {
  let from: (Touched & { readonly scroller: HTMLElement }) | null = null;
  let pulled = 0;
  const show = (scroller: HTMLElement, by: number) => {
    pulled = by;
    scroller.style.setProperty('--pull', `${Math.min(by, PULL * 1.5)}px`);
    scroller.toggleAttribute('data-pulled', by >= PULL);
  };
  document.addEventListener(
    'touchstart',
    (event) => {
      const scroller = within(event.target, '[data-ph=outline]');
      const isAtTop = scroller !== null && scroller.scrollTop <= 0 && event.touches.length === 1;
      const isElse = isField(event.target) || within(event.target, '[data-act=drag]') !== null;
      from = isAtTop && !isElse ? { ...pointOf(event), scroller } : null;
      pulled = 0;
    },
    { passive: true, signal },
  );
  document.addEventListener(
    'touchmove',
    (event) => {
      if (from === null) return;
      const { x, y } = pointOf(event);
      const [dx, dy] = [Math.abs(x - from.x), y - from.y];
      const isSwiped = from.scroller.querySelector('[data-swiped]') !== null;
      if (event.touches.length > 1 || isSwiped || (pulled === 0 && dx > dy && dx > TAP_SLACK)) {
        show(from.scroller, 0);
        from = null;
      } else if (dy > TAP_SLACK || pulled > 0) show(from.scroller, Math.max(0, dy));
    },
    { passive: true, signal },
  );
  const end = (isMeant: boolean) => {
    if (from === null) return;
    const isFar = pulled >= PULL;
    show(from.scroller, 0);
    from = null;
    const { mode, selected } = app.view.status.get();
    if (!isMeant || !isFar || mode === 'EDIT' || selected > 0) return;
    app.run('cursor.first');
    app.run('task.createAbove');
  };
  document.addEventListener('touchend', () => end(true), { passive: true, signal });
  document.addEventListener('touchcancel', () => end(false), { passive: true, signal });
}

function followTwoFingers(app: App, signal: AbortSignal): void {
  let from: Touched | null = null;
  document.addEventListener(
    'touchstart',
    (event) => {
      if (event.touches.length === 2) from = pointOf(event);
      else if (event.touches.length > 2) from = null;
    },
    { passive: true, signal },
  );
  document.addEventListener(
    'touchmove',
    (event) => {
      if (from === null) return;
      const { x, y } = pointOf(event);
      if (Math.hypot(x - from.x, y - from.y) > TAP_SLACK) from = null;
    },
    { passive: true, signal },
  );
  document.addEventListener(
    'touchend',
    (event) => {
      if (from === null || event.touches.length > 0) return;
      const isQuick = event.timeStamp - from.time <= TAP_MS;
      from = null;
      if (isQuick && app.view.palette.get() === null && app.view.dialog.get() === null)
        app.run('palette.open');
    },
    { passive: true, signal },
  );
}

/** Sheets are dialogs at the bottom edge of a phone; pages are none. */
function followSheets(app: App, signal: AbortSignal): void {
  const narrow = matchMedia('(width < 768px)');
  let from: (Touched & { readonly sheet: HTMLElement }) | null = null;
  document.addEventListener(
    'touchstart',
    (event) => {
      const sheet = narrow.matches ? within(event.target, '[data-ph=dialog]:not([data-page])') : null;
      const point = pointOf(event);
      const isGripped = sheet !== null && point.y - sheet.getBoundingClientRect().top <= GRIP;
      from = isGripped && event.touches.length === 1 ? { ...point, sheet } : null;
    },
    { passive: true, signal },
  );
  document.addEventListener(
    'touchmove',
    (event) => {
      if (from) from.sheet.style.translate = `0 ${Math.max(0, pointOf(event).y - from.y)}px`;
    },
    { passive: true, signal },
  );
  const end = (event: TouchEvent) => {
    if (from === null) return;
    const { sheet, y } = from;
    from = null;
    sheet.style.translate = '';
    const down = (event.changedTouches[0]?.clientY ?? y) - y;
    if (event.type === 'touchend' && down >= SHEET_DOWN) app.closeDialog();
  };
  document.addEventListener('touchend', end, { passive: true, signal });
  document.addEventListener('touchcancel', end, { passive: true, signal });
}

/** How much of the page the keyboard covers: only where the browser does not make the page smaller by itself. */
function followKeyboard(signal: AbortSignal): void {
  const { visualViewport } = window;
  if (!visualViewport) return;
  const root = document.documentElement;
  const measure = () => {
    const covered = takesText(document.activeElement)
      ? Math.max(0, Math.round(window.innerHeight - visualViewport.height - visualViewport.offsetTop))
      : 0;
    // A page that was made larger by pinching is not covered.
    const inset = visualViewport.scale > 1.01 ? 0 : covered;
    root.style.setProperty('--ph-keyboard', `${inset}px`);
    root.toggleAttribute('data-ph-keyboard', inset > 0);
  };
  const soon = () => setTimeout(measure, KEYBOARD_MS);
  visualViewport.addEventListener('resize', measure, { signal });
  visualViewport.addEventListener('scroll', measure, { signal });
  document.addEventListener('focusin', measure, { signal });
  document.addEventListener('focusout', soon, { signal });
}

/** Follows until what it returns is called. */
export function followTouch(app: App): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  followPull(app, signal);
  followTwoFingers(app, signal);
  followSheets(app, signal);
  followKeyboard(signal);
  return () => listening.abort();
}
