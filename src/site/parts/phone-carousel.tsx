// Four pictures of the app on a phone that take turns, in the visitor's theme; the last shows the other one. Without scripts they
// lie beside each other and are scrolled.
import type { SiteWorld } from '../world.ts';
import { PlayPause } from './mark.tsx';

const SLIDE_MS = 3_000;

const SLIDES: readonly (readonly [light: string, dark: string, words: string])[] = [
  ['phone-list', 'phone-list-dark', 'A list with its tasks, labels and dates'],
  ['phone-palette', 'phone-palette-dark', 'The command palette'],
  ['phone-date', 'phone-date-dark', 'Choosing a date in words'],
  ['phone-list-dark', 'phone-list', 'The same list in the other theme'],
];

/** Leaves out pictures that `world` does not have. */
export function PhoneCarousel({ world }: { readonly world: SiteWorld }) {
  const slides = SLIDES.flatMap(([lightFile, darkFile, words]) => {
    const [light, dark] = [lightFile, darkFile].map((name) => world.pictures[`images/${name}.png`]);
    return light && dark ? [{ light, dark, words }] : [];
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
        {slides.map(({ light, dark, words }, index) => (
          <div
            key={words}
            className="slide"
            role="group"
            aria-roledescription="slide"
            aria-label={`${index + 1} of ${slides.length}: ${words}`}
          >
            {[light, dark].map((picture) => (
              <img
                key={picture.src}
                className={picture === light ? 'in-light' : 'in-dark'}
                src={picture.src}
                width={248}
                height={Math.round((248 * picture.height) / picture.width)}
                alt={words}
                loading="lazy"
                decoding="async"
              />
            ))}
          </div>
        ))}
      </div>
      <div className="carousel-keys" data-carousel-keys="" hidden>
        <button type="button" data-pause="" aria-label="Pause">
          <PlayPause />
        </button>
        {slides.map(({ words }, index) => (
          <button key={words} type="button" data-slide={index} aria-label={words} />
        ))}
      </div>
    </div>
  );
}
