// A finger on the screen of a phone that is being recorded: its touches reach the app as a phone's do, and a dot shows where it is.
import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { must } from '#core/assert.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A touch of usual length; ms. Shorter than what selects a task. */
const TAP_MS = 130;
/** What moves so far does not tremble; px. */
const MEANT = 16;
/** Between two places of a finger that moves; ms. */
const STEP_MS = 16;

/** Draws the dot: runs in the page, once, and follows what the page hears. Styles are set by script, as the app's policy wants it. */
function drawDot(): void {
  const size = 36;
  const dot = document.createElement('div');
  dot.setAttribute('aria-hidden', 'true');
  // Above dialogs, which the browser shows above everything else.
  dot.popover = 'manual';
  Object.assign(dot.style, {
    position: 'fixed',
    inset: '0 auto auto 0',
    width: `${size}px`,
    height: `${size}px`,
    margin: '0',
    padding: '0',
    border: '2px solid #ffffff',
    borderRadius: '50%',
    background: 'rgb(17 24 38 / 45%)',
    boxShadow: '0 1px 6px rgb(0 0 0 / 40%)',
    pointerEvents: 'none',
    zIndex: '2147483647',
    transition: 'opacity 160ms',
    opacity: '0',
  });
  document.documentElement.append(dot);
  const move = ({ touches }: TouchEvent) => {
    const [touch] = touches;
    if (touch) dot.style.translate = `${touch.clientX - size / 2}px ${touch.clientY - size / 2}px`;
  };
  const options = { capture: true, passive: true };
  document.addEventListener(
    'touchstart',
    (event) => {
      if (dot.matches(':popover-open')) dot.hidePopover();
      dot.showPopover();
      dot.style.opacity = '1';
      move(event);
    },
    options,
  );
  document.addEventListener('touchmove', move, options);
  for (const type of ['touchend', 'touchcancel'])
    document.addEventListener(type, () => Object.assign(dot.style, { opacity: '0' }), options);
}

/** One finger. Times are in seconds. */
export class Finger {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Of a page whose context has touch; it must not be reloaded afterwards. */
  static async of(page: Page): Promise<Finger> {
    // What follows a finger comes when the app is idle, together with all that the first screen does without.
    await page.locator('[data-ph=palette] [role=status]').waitFor({ state: 'attached' });
    await page.evaluate(drawDot);
    return new Finger(await page.context().newCDPSession(page));
  }

  async tap(target: Locator): Promise<void> {
    await this.#put('touchStart', await middleOf(target));
    await pause(TAP_MS);
    await this.lift();
  }

  /** From one place to another, where it stays until `lift`. */
  async draw(from: Point, by: Partial<Point>, seconds: number): Promise<void> {
    const length = Math.hypot(by.x ?? 0, by.y ?? 0);
    const at = (way: number) => ({ x: from.x + (by.x ?? 0) * way, y: from.y + (by.y ?? 0) * way });
    // Together: a finger that waits for the page before it moves selects what it is on.
    await Promise.all([this.#put('touchStart', from), this.#put('touchMove', at(MEANT / length))]);
    const began = performance.now();
    for (let share = 0; share < 1;) {
      await pause(STEP_MS);
      share = Math.min(1, (performance.now() - began) / (seconds * 1_000));
      const way = Math.sin((Math.PI / 2) * share);
      await this.#put('touchMove', at(Math.max(way, MEANT / length)));
    }
  }

  async lift(): Promise<void> {
    await this.#session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  async #put(type: 'touchStart' | 'touchMove', point: Point): Promise<void> {
    await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints: [point] });
  }
}

export async function middleOf(target: Locator): Promise<Point> {
  await target.waitFor();
  const box = must(await target.boundingBox(), 'what is touched is drawn');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
