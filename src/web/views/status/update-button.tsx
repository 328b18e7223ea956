// The way into a new version of the app, in the line at the bottom.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { useApp } from '../../parts/app-context.ts';
import { Keys } from '../../parts/keycap.tsx';
import { useSignal } from '../../parts/use-signal.ts';
import { updates } from '../../platform/updates.ts';
import styles from './status-bar.module.css';

/** A new version waits; it is taken when the person says so. */
export function UpdateButton() {
  const app = useApp();
  const words = useSignal(updates.ready);
  if (words === '') return null;
  return (
    <button
      type="button"
      className={styles.undo}
      data-ph="update"
      onClick={() => app.run('application.reload')}
    >
      {words}
      <Keys caps={app.keysOf('application.reload')[0]} />
    </button>
  );
}
