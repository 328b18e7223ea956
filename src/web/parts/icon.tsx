// Our own line icons: 16 px, stroke 1.5, drawn in the color of the text around them. Always decoration; names
// are text.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import type { LaterIcon } from './later-icons.ts';

const PATHS = {
  inbox:
    'M2.5 9.5 4.3 3.8a1 1 0 0 1 1-.8h5.4a1 1 0 0 1 1 .8l1.8 5.7v2.7a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V9.5Zm0 0h3l1 1.8h3l1-1.8h3',
  today:
    'M8 10.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM8 1.75v1m0 10.5v1M1.75 8h1m10.5 0h1M3.6 3.6l.7.7m7.4 7.4.7.7m0-8.8-.7.7m-7.4 7.4-.7.7',
  upcoming: 'M3.25 4.25h9.5v9h-9.5v-9Zm0 3h9.5M5.75 2.5v1.75m4.5-1.75v1.75',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  list: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.75 4h.01M2.75 8h.01M2.75 12h.01',
  folder: 'M2.25 4.25a1 1 0 0 1 1-1h3l1.5 1.75h5a1 1 0 0 1 1 1v5.75a1 1 0 0 1-1 1h-9.5a1 1 0 0 1-1-1v-7.5Z',
  smart: 'M2.5 3.5h11L9.5 8.4v4.1l-3-1.5V8.4l-4-4.9Z',
  bookmark: 'M4.5 2.75h7v10.5L8 10.5l-3.5 2.75V2.75Z',
  task: 'M8 13.75a5.75 5.75 0 1 0 0-11.5 5.75 5.75 0 0 0 0 11.5Z',
  trash: 'M2.75 4.25h10.5M6 4.25V2.75h4v1.5M4 4.25l.6 8a1 1 0 0 0 1 1h4.8a1 1 0 0 0 1-1l.6-8',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2',
  chevron: 'm6 3.75 4.25 4.25L6 12.25',
  plus: 'M8 3v10M3 8h10',
  check: 'm3.5 8.4 3 3 6-6.8',
  handle: 'M3 5.5h10M3 8h10M3 10.5h10',
  back: 'M10 3.75 5.75 8 10 12.25',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  notes: 'M3.5 3.5h9M3.5 6.5h9M3.5 9.5h9M3.5 12.5h5',
  repeat: 'M3 7.25a4.5 4.5 0 0 1 4.5-3.5h4m-2-2 2 2-2 2M13 8.75a4.5 4.5 0 0 1-4.5 3.5h-4m2 2-2-2 2-2',
  bell: 'M4 11.5V7a4 4 0 0 1 8 0v4.5m-9.25 0h10.5M6.75 13.5a1.5 1.5 0 0 0 2.5 0',
  cloud: 'M4.75 12.25a2.75 2.75 0 0 1-.3-5.48 3.75 3.75 0 0 1 7.27.73h.03a2.38 2.38 0 0 1 0 4.75h-7Z',
  offline:
    'M4.75 12.25a2.75 2.75 0 0 1-.3-5.48M7 4.1a3.75 3.75 0 0 1 4.72 3.4h.03a2.38 2.38 0 0 1 1.6 4.13M2.5 2.5l11 11',
  device:
    'M3.25 3.25h9.5a.75.75 0 0 1 .75.75v5.75a.75.75 0 0 1-.75.75h-9.5a.75.75 0 0 1-.75-.75V4a.75.75 0 0 1 .75-.75ZM6 13h4',
  attachment:
    'm12.75 7.5-4.9 4.9a3 3 0 0 1-4.25-4.24l5.3-5.3a2 2 0 0 1 2.83 2.82l-5.2 5.2a1 1 0 0 1-1.41-1.41l4.6-4.6',
  comment: 'M2.75 3.25h10.5v7.5H7l-2.75 2.5v-2.5h-1.5v-7.5Z',
  warning: 'M8 2.75 14 13H2L8 2.75Zm0 4v2.75m0 1.75v.01',
  keyboard:
    'M2.5 4h11a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1Zm1.75 2.5h.01m2.49 0h.01m2.49 0h.01m2.49 0h.01M5.25 9.5h5.5',
  settings:
    'M2.5 4.75h6m4 0h1m-11 6.5h1m4 0h6M10.5 6.5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5Zm-5 6.5a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5Z',
  sidebar: 'M3 3h10a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm3.25 0v10',
} as const;

/** An icon that `Icon` can draw. */
export type IconName = keyof typeof PATHS | LaterIcon;

const paths: Partial<Record<IconName, string>> = { ...PATHS };

/** Adds icons that the first screen does without. */
export function addIcons(icons: Readonly<Record<LaterIcon, string>>): void {
  Object.assign(paths, icons);
}

/** A drawing of 16 by 16 units in lines. `size` in pixels at the usual text size, with which it grows. */
export function LineDrawing({ path, size = 16 }: { readonly path: string; readonly size?: number }) {
  return (
    <svg
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  );
}

/** One of the icons of the app. `size` as of a `LineDrawing`. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return <LineDrawing path={paths[name] ?? ''} size={size} />;
}
