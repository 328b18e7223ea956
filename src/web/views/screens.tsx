// Stands in for an app that could not start. It works without one.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { Mark } from '../parts/brand.tsx';
import styles from './screens.module.css';

/** `reason` is shown as it is. Its button loads the page again. */
export function FailureScreen({ reason }: { readonly reason: string }) {
  return (
    <main className={styles.screen}>
      <title>Posthaste</title>
      <Mark size={40} />
      <h1 className={styles.title}>Posthaste couldn’t start</h1>
      <p className={styles.text}>{reason}</p>
      <p className={styles.text}>Nothing was deleted. Your tasks are where they were.</p>
      <button type="button" className={styles.button} onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}
