// Our mark, an envelope in a hurry, and the few line icons of the site.

export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true" className="mark">
      <rect x="1" y="3.5" width="18" height="13" rx="2.5" className="mark-paper" />
      <path d="m2.5 6 6.4 4.9a1.8 1.8 0 0 0 2.2 0L17.5 6" className="mark-line" />
      <path d="M4 13.75h3.5M12.5 13.75H16" className="mark-line" />
    </svg>
  );
}

const PATHS = {
  arrow: 'M3 8h10m-4-4 4 4-4 4',
  check: 'm3.5 8.4 3 3 6-6.8',
  download: 'M8 2.5v8m-3.25-3L8 10.75 11.25 7.5M3 13.25h10',
  outside:
    'M6 3.25H3.75a.5.5 0 0 0-.5.5v8.5a.5.5 0 0 0 .5.5h8.5a.5.5 0 0 0 .5-.5V10M9.25 3.25h3.5v3.5m0-3.5L7.5 8.5',
  warning: 'M8 2.75 14 13H2L8 2.75Zm0 4v2.75m0 1.75v.01',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2',
  play: 'M5 3.25v9.5L12.5 8 5 3.25Z',
  pause: 'M5.5 3.5v9m5-9v9',
  plus: 'M8 3v10M3 8h10',
  inbox: 'M2.5 9 4.3 3.5h7.4L13.5 9v3.5h-11V9Zm0 0H6l.8 1.5h2.4L10 9h3.5',
  today:
    'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 1.8v1M8 13.2v1M1.8 8h1m10.4 0h1M3.6 3.6l.7.7m7.4 7.4.7.7m0-8.8-.7.7m-7.4 7.4-.7.7',
  upcoming: 'M3 4h10v9H3V4Zm0 3h10M5.5 2.5V5m5-2.5V5',
  clock: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 5v3l2 1.5',
  lock: 'M4 7.5h8v6H4v-6Zm1.8 0V5.2a2.2 2.2 0 0 1 4.4 0v2.3',
  list: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.5 4h.01M2.5 8h.01M2.5 12h.01',
} as const;
export type IconName = keyof typeof PATHS;

/** A line icon in the color of the text, hidden from screen readers. `size` is in pixels. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** For a button that plays and stops: the style sheet shows the one that pressing it leads to. */
export function PlayPause() {
  return (
    <>
      <span className="while-running">
        <Icon name="pause" />
      </span>
      <span className="while-paused">
        <Icon name="play" />
      </span>
    </>
  );
}
