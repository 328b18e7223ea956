// How much of a list is done: a ring that fills, and a tick at the end.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import styles from './ring.module.css';

/** `share`: from 0 to 1. Decoration: the numbers beside it say the same. */
export function Ring({ share }: { readonly share: number }) {
  return (
    <svg className={styles.ring} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {share === 1 ? (
        <>
          <circle cx="8" cy="8" r="6.75" className={styles.full} />
          <path d="m5 8.3 2.1 2.1 4-4.6" className={styles.tick} />
        </>
      ) : (
        <>
          <circle cx="8" cy="8" r="6.4" className={styles.edge} />
          <circle
            cx="8"
            cy="8"
            r="2.05"
            className={styles.part}
            pathLength="1"
            strokeDasharray={`${share} 1`}
          />
        </>
      )}
    </svg>
  );
}
