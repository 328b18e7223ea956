// A short recording of the app: a picture of it, in light and in dark, until a script plays it (scripts/films.ts).
import { PlayPause } from './mark.tsx';
import type { SiteWorld } from '../world.ts';

/** Nothing where it was not recorded. */
export function Recording({
  film,
  title,
  shows,
  width,
  height,
  world,
  isLate = false,
}: {
  /** Name of its files. */
  readonly film: string;
  /** What the button that plays it names. */
  readonly title: string;
  /** What it shows, for those who do not see it. */
  readonly shows: string;
  readonly width: number;
  readonly height: number;
  readonly world: SiteWorld;
  /** A script brings the picture when it is near: browsers bring what is lazy long before. */
  readonly isLate?: boolean;
}) {
  const file = (ending: string) => world.media[`${film}${ending}`];
  const play = `Play: ${title}`;
  const [light, dark] = [file('.webp'), file('-dark.webp')];
  if (light === undefined || dark === undefined) return null;
  const size = { width, height };
  const picture = (from: { readonly src: string } | { readonly 'data-src': string }, className: string) => (
    <img {...size} {...from} className={className} alt={shows} loading="lazy" decoding="async" />
  );
  const still = (src: string, className: string) =>
    isLate ? (
      <>
        {picture({ 'data-src': src }, className)}
        <noscript>{picture({ src }, className)}</noscript>
      </>
    ) : (
      picture({ src }, className)
    );
  return (
    <div className="film" data-film={file('.mp4')} data-film-dark={file('-dark.mp4')}>
      {still(light, 'in-light')}
      {still(dark, 'in-dark')}
      <button
        type="button"
        className="film-play"
        hidden
        aria-label={play}
        data-play-name={play}
        data-pause-name={`Pause: ${title}`}
      >
        <PlayPause />
      </button>
    </div>
  );
}
