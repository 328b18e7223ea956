// Four pictures of the app on a phone that take turns. Without scripts they lie beside each other and are scrolled.
import type { Picture, SiteWorld } from '../world.ts';
import { PlayPause } from './mark.tsx';

const SLIDE_MS = 3_000;

const SLIDES: readonly (readonly [file: string, words: string])[] = [
  ['images/phone-list.png', 'A list with its tasks, labels and dates'],
  ['images/phone-palette.png', 'The command palette'],
  ['images/phone-date.png', 'Choosing a date in words'],
  ['images/phone-dark.png', 'The same list in the dark'],
];

/** Leaves out pictures that `world` does not have. */
export function PhoneCarousel({ world }: { readonly world: SiteWorld }) {
  const slides = SLIDES.flatMap(([file, words]) => {
    const picture: Picture | undefined = world.pictures[file];
    return picture ? [{ picture, words }] : [];
  });
  if (slides.length === 0) return null;
  return (
    <div
      className="carousel"
      role="group"
      aria-roledescription="carousel"
      aria-label="Posthaste on a phone"
      data-carousel={SLIDE_MS}
    >
      <div className="carousel-slides" tabIndex={0}>
        {slides.map(({ picture, words }, index) => (
          <div
            key={picture.src}
            className="slide"
            role="group"
            aria-roledescription="slide"
            aria-label={`${index + 1} of ${slides.length}: ${words}`}
          >
            <img
              src={picture.src}
              width={248}
              height={Math.round((248 * picture.height) / picture.width)}
              alt={words}
              loading="lazy"
              decoding="async"
            />
          </div>
        ))}
      </div>
      <div className="carousel-keys" data-carousel-keys="" hidden>
        <button type="button" data-pause="" aria-label="Pause">
          <PlayPause />
        </button>
        {slides.map(({ picture, words }, index) => (
          <button key={picture.src} type="button" data-slide={index} aria-label={words} />
        ))}
      </div>
    </div>
  );
}
