// The name and mark: an envelope in a hurry, over the striped edge of airmail.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import styles from './brand.module.css';

/** The envelope, as decoration. `size` in pixels at the usual text size, with which it grows. */
export function Mark({ size = 20 }: { readonly size?: number }) {
  return (
    <svg
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 20 20"
      fill="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect x="1" y="3.5" width="18" height="13" rx="2.5" className={styles.envelope} />
      <path d="m2.5 6 6.4 4.9a1.8 1.8 0 0 0 2.2 0L17.5 6" className={styles.flap} />
      <path d="M4 13.75h3.5M12.5 13.75H16" className={styles.flap} />
    </svg>
  );
}

/** The mark with the product's name beside it. */
export function Brand() {
  return (
    <div className={styles.brand}>
      <Mark />
      <span className={styles.name}>Posthaste</span>
    </div>
  );
}
