// Keys as they stand on the person's keyboard, one cap for each stroke. Decoration: names and help say them in words.
// Drawn seldom: the compiler's bookkeeping would weigh more than it saves.
'use no memo';

import styles from './keycap.module.css';

export function Keys({ caps }: { readonly caps: readonly string[] | undefined }) {
  if (!caps || caps.length === 0) return null;
  return (
    <span className={styles.keys} aria-hidden="true" data-ph="keys">
      {caps.map((cap, index) => (
        <kbd key={`${index}.${cap}`} className={styles.cap}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
