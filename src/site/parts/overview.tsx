// The overview recording, 2 m 40 s, with its captions and its words to read. It is loaded when somebody plays it.
import type { Film, SiteWorld } from '../world.ts';

/** Null when there is none. */
export function filmOf({ media, transcript }: SiteWorld): Film | null {
  const [mp4, webm, poster, captions] = ['mp4', 'webm', 'avif', 'vtt'].map(
    (kind) => media[`overview.${kind}`],
  );
  if (mp4 === undefined || webm === undefined || poster === undefined || captions === undefined) return null;
  return { mp4, webm, poster, captions, transcript };
}

/** `isLate`: a script sets the poster, when the film comes into view. */
export function Overview({ film, isLate = false }: { readonly film: Film; readonly isLate?: boolean }) {
  const poster = isLate ? { 'data-poster': film.poster } : { poster: film.poster };
  return (
    <div className="overview">
      <video
        controls
        preload="none"
        playsInline
        width={1_280}
        height={720}
        aria-label="Overview of Posthaste, 2 m 40 s, no sound"
        {...poster}
      >
        <source src={film.mp4} type="video/mp4" />
        <source src={film.webm} type='video/webm; codecs="av01.0.05M.08"' />
        <track kind="captions" srcLang="en" label="English" src={film.captions} />
      </video>
      {/* Filled by a script, which takes the captions off the picture. */}
      <p className="caption" aria-hidden="true" data-caption="" />
      <details>
        <summary>Read it instead</summary>
        {film.transcript.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </details>
    </div>
  );
}
