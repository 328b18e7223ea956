// A person as a small disk: initials or an emoji on their color. Decoration: names stand beside it, or are said by what holds it.
// Its text is drawn by the style sheet, since the words beside it are what is read.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import type { PersonView } from '#client/sharing/sharing-view.ts';
import styles from './avatar.module.css';

/** `size` in pixels at the usual text size, with which it grows. */
export function Avatar({
  person: { text, color, ink },
  size = 22,
}: {
  readonly person: Pick<PersonView, 'text' | 'color' | 'ink'>;
  readonly size?: number;
}) {
  return (
    <span
      className={styles.avatar}
      data-ph="avatar"
      aria-hidden="true"
      data-text={text}
      style={{ '--person': color, '--ink': ink, '--size': `${size / 16}rem` } as React.CSSProperties}
    />
  );
}
