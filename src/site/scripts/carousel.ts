// Turns the pictures of a carousel while nobody looks closely: it stops on hover and focus, on its button, and for people who
// want no motion.

interface Slides {
  readonly at: () => number;
  readonly go: (to: number) => void;
}

/** The strip and its dots: they agree, however the strip was moved. */
function followSlides(
  strip: HTMLElement,
  slides: readonly HTMLElement[],
  dots: readonly HTMLElement[],
): Slides {
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let at = 0;
  let isGoing = false;
  const mark = (to: number) => {
    at = to;
    for (const [index, dot] of dots.entries()) dot.setAttribute('aria-current', String(index === at));
  };
  const go = (to: number) => {
    mark((to + slides.length) % slides.length);
    const slide = slides[at];
    // From the strip, which is positioned.
    const left = slide?.offsetLeft ?? 0;
    isGoing = Math.abs(strip.scrollLeft - left) > 1;
    strip.scrollTo({ left, behavior: still.matches ? 'instant' : 'smooth' });
  };
  strip.addEventListener('scrollend', () => {
    const distances = slides.map((slide) => Math.abs(slide.offsetLeft - strip.scrollLeft));
    // A finger has moved it.
    if (!isGoing) mark(distances.indexOf(Math.min(...distances)));
    isGoing = false;
  });
  mark(0);
  return { at: () => at, go };
}

function start(carousel: HTMLElement): void {
  const strip = carousel.querySelector<HTMLElement>('.carousel-slides');
  const keys = carousel.querySelector<HTMLElement>('[data-carousel-keys]');
  const pause = keys?.querySelector<HTMLButtonElement>('[data-pause]');
  const slides = [...carousel.querySelectorAll<HTMLElement>('.slide')];
  if (!strip || !keys || !pause || slides.length < 2) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const dots = [...keys.querySelectorAll<HTMLButtonElement>('[data-slide]')];
  const { at, go } = followSlides(strip, slides, dots);
  let isPaused = false;
  const setPaused = (next: boolean) => {
    isPaused = next;
    pause.setAttribute('aria-label', isPaused ? 'Play' : 'Pause');
    pause.classList.toggle('paused', isPaused);
  };
  const isWatched = () => carousel.matches(':hover') || carousel.contains(document.activeElement);
  keys.hidden = false;
  // What never moves need not be stopped.
  pause.hidden = still.matches;
  for (const [index, dot] of dots.entries())
    dot.addEventListener('click', () => {
      setPaused(true);
      go(index);
    });
  pause.addEventListener('click', () => setPaused(!isPaused));
  let isSeen = false;
  new IntersectionObserver((entries) => {
    isSeen = entries.some((entry) => entry.isIntersecting);
  }).observe(carousel);
  setInterval(() => {
    if (isSeen && !isPaused && !still.matches && !isWatched() && !document.hidden) go(at() + 1);
  }, Number(carousel.dataset['carousel']));
}

export function startCarousels(): void {
  for (const carousel of document.querySelectorAll<HTMLElement>('[data-carousel]')) start(carousel);
}
