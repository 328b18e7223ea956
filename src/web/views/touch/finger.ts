// Follows a finger on a row: holding selects, and moving sideways swipes the task, which shows what letting
// go would do. Loaded when idle. All of it can be done otherwise: by checkbox, by the bar for selected tasks,
// by command.
import type { App } from '#client/app/app.ts';
import type { Id } from '#core/ids.ts';
import { type Swipe, swipeLeft, swipeRight } from '#client/settings/touch.ts';
import styles from './finger.module.css';

export interface FingerStart {
  readonly app: App;
  readonly grid: HTMLElement;
  readonly id: Id;
  /** Its line. */
  readonly at: number;
  readonly act: string | null;
  readonly event: PointerEvent;
  /** It became something else than a tap. */
  readonly taken: () => void;
}

const HOLD_MS = 350;
/** A finger that is held trembles; px. */
const STILL = 10;
/** So far a finger moves before it swipes; px. */
const LOCK = 12;
/** So near an edge of the screen swipes belong to the system; px. */
const EDGE = 32;
const LONGEST_SETTLING_MS = 300;
/** Sideways, not down. */
const SLOPE = 1.5;
/** Let go beyond this share of the row, or this fast, it counts; px per ms. */
const FAR = 0.35;
const FAST = 0.5;
const NEAREST = 24;

const NAMES: Readonly<Record<Exclude<Swipe, 'none'> | 'task.restore', string>> = {
  'task.complete': 'Complete',
  'task.snooze': 'Snooze',
  'task.due': 'Due',
  'task.move': 'Move',
  'label.pick': 'Label',
  'task.delete': 'Delete',
  'task.restore': 'Restore',
};

type Action = keyof typeof NAMES;

function actionsOf(app: App): { readonly right: Action | null; readonly left: Action | null } {
  if (app.view.header.get().kind === 'trash') return { right: 'task.restore', left: null };
  const of = (swipe: Swipe): Action | null => (swipe === 'none' ? null : swipe);
  return { right: of(app.setting(swipeRight).get()), left: of(app.setting(swipeLeft).get()) };
}

/** What stands under the row while it is moved. */
class Lane {
  readonly #row: HTMLElement;
  readonly #element = document.createElement('div');

  constructor(grid: HTMLElement, row: HTMLElement) {
    this.#row = row;
    this.#element.className = styles.lane ?? '';
    this.#element.setAttribute('aria-hidden', 'true');
    this.#element.dataset['ph'] = 'swipe';
    this.#element.style.transform = row.style.transform;
    grid.prepend(this.#element);
    row.dataset['swiped'] = '';
  }

  show(dx: number, action: Action | null, counts: boolean): void {
    // Against nothing it only gives a little.
    this.#row.style.translate = `${action === null ? dx / 6 : dx}px 0`;
    this.#element.textContent = action === null ? '' : NAMES[action];
    this.#element.dataset['side'] = dx > 0 ? 'right' : 'left';
    this.#element.toggleAttribute('data-counts', counts);
    this.#element.dataset['action'] = action ?? '';
  }

  end(): void {
    const row = this.#row;
    this.#element.remove();
    delete row.dataset['swiped'];
    row.dataset['settling'] = '';
    row.style.translate = '';
    const settled = () => delete row.dataset['settling'];
    row.addEventListener('transitionend', settled, { once: true });
    // Where nothing moves, nothing ends.
    setTimeout(settled, LONGEST_SETTLING_MS);
  }
}

/** One finger, from the press until it leaves. */
export function followFinger({ app, grid, id, at, act, event, taken }: FingerStart): void {
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
  if (!row) return;
  const listening = new AbortController();
  const { signal } = listening;
  const from = { x: event.clientX, y: event.clientY, time: event.timeStamp };
  const isAtEdge = from.x < EDGE || from.x > window.innerWidth - EDGE;
  const { left, right } = actionsOf(app);
  const isSwipeable = !isAtEdge && (left !== null || right !== null);
  let lane: Lane | null = null;
  let hold =
    act === null
      ? setTimeout(() => {
          taken();
          navigator.vibrate?.(10);
          app.pressRow(id, { shift: false, mod: true, at });
          end();
        }, HOLD_MS)
      : undefined;

  const counts = (dx: number, time: number): boolean => {
    const far = Math.abs(dx);
    return far >= row.offsetWidth * FAR || (far >= NEAREST && far / Math.max(1, time - from.time) >= FAST);
  };

  function end(): void {
    clearTimeout(hold);
    hold = undefined;
    lane?.end();
    lane = null;
    listening.abort();
  }

  function onMove(moved: PointerEvent): void {
    if (moved.pointerId !== event.pointerId) return;
    const [dx, dy] = [moved.clientX - from.x, moved.clientY - from.y];
    if (Math.hypot(dx, dy) > STILL) clearTimeout(hold);
    if (lane === null) {
      if (!isSwipeable || Math.abs(dx) < LOCK || Math.abs(dx) <= SLOPE * Math.abs(dy) || row === null) return;
      taken();
      grid.setPointerCapture(event.pointerId);
      lane = new Lane(grid, row);
    }
    lane.show(dx, dx > 0 ? right : left, counts(dx, moved.timeStamp));
  }

  function onUp(released: PointerEvent): void {
    if (released.pointerId !== event.pointerId) return;
    const dx = released.clientX - from.x;
    const action = dx > 0 ? right : left;
    const isMeant = lane !== null && action !== null && counts(dx, released.timeStamp);
    end();
    if (!isMeant || action === null) return;
    app.pressRow(id, { shift: false, mod: false, at });
    app.run(action);
  }

  grid.addEventListener('pointermove', onMove, { signal });
  grid.addEventListener('pointerup', onUp, { signal });
  grid.addEventListener('pointercancel', end, { signal });
}
