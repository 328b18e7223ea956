// Turns the pictures of a carousel while nobody looks closely: it stops on hover and focus, on its button, and for people who
// want no motion.

function start(carousel: HTMLElement): void {
  const strip = carousel.querySelector<HTMLElement>('.carousel-slides');
  const keys = carousel.querySelector<HTMLElement>('[data-carousel-keys]');
  const slides = [...carousel.querySelectorAll<HTMLElement>('.slide')];
  if (!strip || !keys || slides.length < 2) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const dots = [...keys.querySelectorAll<HTMLButtonElement>('[data-slide]')];
  const pause = keys.querySelector<HTMLButtonElement>('[data-pause]');
  let at = 0;
  let isPaused = false;
  const go = (to: number) => {
    at = (to + slides.length) % slides.length;
    const slide = slides[at];
    if (slide)
      strip.scrollTo({
        left: slide.offsetLeft - strip.offsetLeft,
        behavior: still.matches ? 'instant' : 'smooth',
      });
    for (const [index, dot] of dots.entries()) dot.setAttribute('aria-current', String(index === at));
  };
  const isWatched = () => carousel.matches(':hover') || carousel.contains(document.activeElement);
  keys.hidden = false;
  for (const [index, dot] of dots.entries())
    dot.addEventListener('click', () => {
      isPaused = true;
      go(index);
    });
  pause?.addEventListener('click', () => {
    isPaused = !isPaused;
    pause.setAttribute('aria-label', isPaused ? 'Play' : 'Pause');
    pause.classList.toggle('paused', isPaused);
  });
  let isSeen = false;
  new IntersectionObserver((entries) => {
    isSeen = entries.some((entry) => entry.isIntersecting);
  }).observe(carousel);
  setInterval(() => {
    if (isSeen && !isPaused && !still.matches && !isWatched() && !document.hidden) go(at + 1);
  }, Number(carousel.dataset['carousel']));
  go(0);
}

export function startCarousels(): void {
  for (const carousel of document.querySelectorAll<HTMLElement>('[data-carousel]')) start(carousel);
}
