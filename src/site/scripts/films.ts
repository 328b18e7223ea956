// Plays the short recordings: once, when they come into view, and again by their button. For people who want
// no motion, only by the button. The button stays while a recording plays: it may have the focus, and it
// stops the recording.

const SEEN = 0.75;
const NEAR = '300px';

class Film {
  readonly #place: HTMLElement;
  readonly #button: HTMLButtonElement;
  /** While it plays or is held; below it stands its picture. */
  #video: HTMLVideoElement | null = null;
  #wasShown = false;
  #isHeld = false;

  constructor(place: HTMLElement, button: HTMLButtonElement) {
    this.#place = place;
    this.#button = button;
    button.hidden = false;
    button.addEventListener('click', () => this.#press());
  }

  enter(isStill: boolean): void {
    const mayBegin = !isStill && !this.#wasShown;
    if (!this.#isHeld && (this.#video || mayBegin)) this.#play();
  }

  leave(): void {
    this.#video?.pause();
  }

  #press(): void {
    this.#isHeld = this.#video !== null && !this.#isHeld;
    if (!this.#isHeld) return this.#play();
    this.#video?.pause();
    return this.#mark();
  }

  #play(): void {
    this.#wasShown = true;
    this.#video ??= this.#load();
    this.#video.play().catch((error: unknown) => {
      // Scrolling on, or holding it before it has begun, does not end it.
      if (!(error instanceof DOMException && error.name === 'AbortError')) this.#end();
    });
    this.#mark();
  }

  #load(): HTMLVideoElement {
    const isDark = this.#place.querySelector('.in-light')?.checkVisibility() === false;
    const video = document.createElement('video');
    video.src = this.#place.dataset[isDark ? 'filmDark' : 'film'] ?? '';
    video.muted = true;
    video.playsInline = true;
    video.ariaHidden = 'true';
    video.addEventListener('ended', () => this.#end());
    video.addEventListener('error', () => this.#end());
    this.#place.append(video);
    return video;
  }

  #end(): void {
    this.#video?.remove();
    this.#video = null;
    this.#isHeld = false;
    this.#mark();
  }

  #mark(): void {
    const isPlaying = this.#video !== null && !this.#isHeld;
    this.#place.classList.toggle('playing', isPlaying);
    const { playName, pauseName } = this.#button.dataset;
    this.#button.ariaLabel = (isPlaying ? pauseName : playName) ?? '';
  }
}

/** The captions of a film below it, where they cover nothing; over it only while it fills the screen. */
function leadCaptions(place: HTMLElement): void {
  const video = place.querySelector('video');
  const line = place.querySelector<HTMLElement>('[data-caption]');
  const track = video?.textTracks[0];
  if (!video || !line || !track) return;
  const choose = () => {
    track.mode = document.fullscreenElement === video ? 'showing' : 'hidden';
  };
  // Until then the captions are not fetched: the page is read first.
  video.addEventListener('play', choose, { once: true });
  video.addEventListener('fullscreenchange', choose);
  track.addEventListener('cuechange', () => {
    const cues = [...(track.activeCues ?? [])];
    line.textContent = cues.map((cue) => (cue instanceof VTTCue ? cue.text : '')).join(' ');
  });
}

/** Brings pictures that wait for it as they come near. */
function bringPictures(): void {
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        for (const picture of target.querySelectorAll<HTMLImageElement>('img[data-src]')) {
          picture.src = picture.dataset['src'] ?? '';
          delete picture.dataset['src'];
        }
      }
    },
    { rootMargin: NEAR },
  );
  for (const place of document.querySelectorAll('.film:has(img[data-src])')) watch.observe(place);
}

export function startFilms(): void {
  bringPictures();
  for (const place of document.querySelectorAll<HTMLElement>('.overview')) leadCaptions(place);
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const films = new Map<Element, Film>();
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) films.get(target)?.enter(still.matches);
        else films.get(target)?.leave();
      }
    },
    { threshold: SEEN },
  );
  for (const place of document.querySelectorAll<HTMLElement>('[data-film]')) {
    const button = place.querySelector<HTMLButtonElement>('.film-play');
    if (!button) continue;
    films.set(place, new Film(place, button));
    watch.observe(place);
  }
}
