// Keys as they stand on the person's keyboard, one cap for each stroke. Decoration: names and help say them in words.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import styles from './keycap.module.css';

/** One cap per entry, hidden from screen readers. Nothing is drawn without caps. */
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

const KEY_WORD = /((?:^|(?<=\s))(?:[A-Z]-)+\S+)/;

/** A sentence with keys in it, as Emacs writes them: none is broken over two lines. */
export function KeyWords({ text }: { readonly text: string }) {
  return text.split(KEY_WORD).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className={styles.word}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}
