// Keys that are heard as well as seen: where what they do stands behind them, as in the help of a field.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { Keys } from './keycap.tsx';

const NAMES: Readonly<Record<string, string>> = {
  '↵': 'Enter',
  '⌫': 'Backspace',
  '⇥': 'Tab',
  '↑': 'Up',
  '↓': 'Down',
  '←': 'Left',
  '→': 'Right',
  '⌘': 'Command ',
  '⌃': 'Control ',
  '⌥': 'Option ',
  '⇧': 'Shift ',
  Esc: 'Escape',
  ',': 'Comma',
  '.': 'Period',
  '@': 'At sign',
};

/** "Ctrl+↵" as "Ctrl+Enter", "⌘↵" as "Command Enter". */
const nameOf = (cap: string) =>
  NAMES[cap] ?? cap.replaceAll(/[↵⌫⇥↑↓←→⌘⌃⌥⇧]/gu, (sign) => NAMES[sign] ?? sign);

/** As `Keys`, with their names for a screen reader. */
export function SaidKeys({ caps = [] }: { readonly caps: readonly string[] | undefined }) {
  return (
    <>
      <Keys caps={caps} />
      <span className="visually-hidden">{caps.map(nameOf).join(' ').replaceAll('  ', ' ')}</span>
    </>
  );
}
