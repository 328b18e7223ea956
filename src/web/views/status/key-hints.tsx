// What may follow the keys that were pressed, over the line at the bottom.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import type { StatusView } from '#client/app/view.ts';
import { useApp } from '../../parts/app-context.ts';
import { SaidKeys } from '../../parts/said-keys.tsx';
import styles from './status-bar.module.css';

const ROWS = 8;

/** What may follow the keys pressed. A line can be pressed instead of its key. */
export function KeyHints({ hints }: Pick<StatusView, 'hints'>) {
  const app = useApp();
  if (hints.length === 0) return null;
  return (
    <ul
      className={styles.hints}
      data-ph="hints"
      style={{ gridTemplateRows: `repeat(${Math.min(hints.length, ROWS)}, auto)` }}
    >
      {hints.map(({ stroke, keys, title }) => (
        <li key={stroke}>
          <button type="button" className={styles.hint} tabIndex={-1} onClick={() => app.pressHint(stroke)}>
            <SaidKeys caps={[keys]} /> {title}
          </button>
        </li>
      ))}
    </ul>
  );
}
