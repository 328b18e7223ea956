// The bar hides while the visitor scrolls down and comes back on scrolling up. It never hides at the top, or
// while the focus is inside.

/** Less than this is a trembling hand. */
const STEP_PX = 8;

export function watchBar(): void {
  const bar = document.getElementById('bar');
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
