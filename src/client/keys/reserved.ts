// Keys that are taken before the app gets them, as data: the editor warns of them, the list of keys names them, and a
// test demands a second way for every command with only such keys. Known cases only; nothing is detected.
import type { Stroke } from './stroke.ts';

export interface Reserved {
  /** As pressed on that system. */
  readonly strokes: readonly Stroke[];
  readonly on: 'apple' | 'other' | 'both';
  /** Fits into "… keeps this key to itself". */
  readonly by: string;
  /** It never arrives; else it only may not. */
  readonly isCertain: boolean;
  /** An installed app does get it. */
  readonly inTab?: true;
}

export const reserved: readonly Reserved[] = [
  {
    strokes: ['Ctrl+n', 'Ctrl+t', 'Ctrl+w', 'Ctrl+Shift+n', 'Ctrl+Shift+t', 'Ctrl+Shift+w'],
    on: 'other',
    by: 'a browser tab (an installed app gets it)',
    isCertain: true,
    inTab: true,
  },
  {
    strokes: ['Meta+n', 'Meta+t', 'Meta+w', 'Shift+Meta+n', 'Shift+Meta+t', 'Shift+Meta+w', 'Meta+q'],
    on: 'apple',
    by: 'a browser tab (an installed app gets it)',
    isCertain: true,
    inTab: true,
  },
  { strokes: ['Meta+l', 'Meta+r'], on: 'apple', by: 'Safari', isCertain: false },
  { strokes: ['Meta+z'], on: 'apple', by: 'Safari after you close a tab', isCertain: false },
  { strokes: ['Meta+h', 'Meta+m', 'Meta+Tab', 'Meta+Space'], on: 'apple', by: 'macOS', isCertain: true },
  {
    strokes: ['Ctrl+ArrowUp', 'Ctrl+ArrowDown'],
    on: 'apple',
    by: 'macOS (Mission Control)',
    isCertain: false,
  },
  {
    strokes: ['Alt+e', 'Alt+u', 'Alt+i', 'Alt+n', 'Alt+`'],
    on: 'apple',
    by: 'a layout that starts accents with it (English ones do)',
    isCertain: false,
  },
  { strokes: ['Alt+Tab', 'Alt+F4', 'Ctrl+Alt+Delete'], on: 'other', by: 'the system', isCertain: true },
  { strokes: ['Alt+Space', 'Ctrl+Escape'], on: 'other', by: 'the system', isCertain: false },
  { strokes: ['Ctrl+Space'], on: 'both', by: 'an input method (Chinese, Japanese)', isCertain: false },
  { strokes: ['Ctrl+.', 'Ctrl+,'], on: 'both', by: 'an input method (Chinese, Japanese)', isCertain: false },
  { strokes: ['Ctrl+Shift+v'], on: 'other', by: 'a browser that pastes plain text', isCertain: false },
  { strokes: ['Shift+Meta+v'], on: 'apple', by: 'a browser that pastes plain text', isCertain: false },
  { strokes: ['F11'], on: 'both', by: 'the system or the browser (full screen)', isCertain: false },
  { strokes: ['F12'], on: 'other', by: 'the browser’s developer tools', isCertain: false },
];

/** The reservation of the first stroke on this kind of keyboard; null: none is known. */
export function takenBy(strokes: readonly Stroke[], apple: boolean): Reserved | null {
  const [first] = strokes;
  const here = apple ? 'apple' : 'other';
  return (
    reserved.find(
      (one) => (one.on === 'both' || one.on === here) && first !== undefined && one.strokes.includes(first),
    ) ?? null
  );
}

/** A browser tab never passes the first stroke on; an installed app gets it. */
export function isLostInTab(strokes: readonly Stroke[], apple: boolean): boolean {
  return takenBy(strokes, apple)?.inTab === true;
}
