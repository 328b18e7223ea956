// Stands in for an app that could not start. It knows no app.
// Drawn seldom: the compiler's bookkeeping would weigh more than it saves.
'use no memo';

import { Mark } from '../parts/brand.tsx';
import styles from './screens.module.css';

export function FailureScreen({ reason }: { readonly reason: string }) {
  return (
    <main className={styles.screen}>
      <title>Posthaste</title>
      <Mark size={40} />
      <h1 className={styles.title}>Posthaste could not start</h1>
      <p className={styles.text}>{reason}</p>
      <p className={styles.text}>Nothing was deleted. Your tasks are where they were.</p>
      <button type="button" className={styles.button} onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}
