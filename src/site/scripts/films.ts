// Plays the short recordings: once, when they come into view, and again by their button. Without motion only by the button.

const SEEN = 0.75;

function play(film: HTMLElement, button: HTMLButtonElement): void {
  if (film.querySelector('video')) return;
  const isDark = film.querySelector('.in-light')?.checkVisibility() === false;
  const video = document.createElement('video');
  video.src = film.dataset[isDark ? 'filmDark' : 'film'] ?? '';
  video.muted = true;
  video.playsInline = true;
  video.ariaHidden = 'true';
  button.hidden = true;
  const end = () => {
    video.remove();
    button.hidden = false;
  };
  // Below it stands the picture of its end.
  video.addEventListener('ended', end);
  video.addEventListener('error', end);
  film.append(video);
  video.play().catch(end);
}

export function startFilms(): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const films = [...document.querySelectorAll<HTMLElement>('[data-film]')];
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const button = target.querySelector<HTMLButtonElement>('.film-play');
        const video = target.querySelector('video');
        if (!isIntersecting) video?.pause();
        else if (video) void video.play();
        else if (button && !still.matches && !(target as HTMLElement).dataset['played']) {
          (target as HTMLElement).dataset['played'] = 'yes';
          play(target as HTMLElement, button);
        }
      }
    },
    { threshold: SEEN },
  );
  for (const film of films) {
    const button = film.querySelector<HTMLButtonElement>('.film-play');
    if (!button) continue;
    button.hidden = false;
    button.addEventListener('click', () => play(film, button));
    watch.observe(film);
  }
}
