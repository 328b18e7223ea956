// The bar leaves while one reads on and comes back when one scrolls up: never at the top, never while focus is inside.

/** Less than this is a trembling hand. */
const STEP_PX = 8;

export function watchBar(): void {
  const bar = document.querySelector<HTMLElement>('[data-bar]');
  if (!bar) return;
  let last = scrollY;
  const show = (isShown: boolean) => bar.classList.toggle('bar-away', !isShown);
  addEventListener(
    'scroll',
    () => {
      const moved = scrollY - last;
      if (Math.abs(moved) < STEP_PX) return;
      last = scrollY;
      bar.classList.toggle('bar-raised', scrollY > 0);
      show(moved < 0 || scrollY < bar.offsetHeight * 2 || bar.contains(document.activeElement));
    },
    { passive: true },
  );
  bar.addEventListener('focusin', () => show(true));
}
