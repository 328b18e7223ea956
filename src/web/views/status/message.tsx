// The message at the bottom: what just happened.
// Small: the React compiler's caching would cost more than it saves.
'use no memo';

import type { StatusView } from '#client/app/view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Keys } from '../../parts/keycap.tsx';
import styles from './status-bar.module.css';

/** What just happened, with the way back. */
export function Message({ status }: { readonly status: StatusView }) {
  const app = useApp();
  const { message } = status;
  const leave = () => app.holdMessage('pointer', false);
  if (!message) return <span className={styles.message} onPointerLeave={leave} />;
  return (
    <span
      className={styles.message}
      data-tone={message.tone}
      data-miss={message.isMiss}
      data-ph="message"
      data-lesson={message.text === '' || undefined}
      // A pointer that only rests where it comes up is not looking at it.
      onPointerMove={() => app.holdMessage('pointer', true)}
      onPointerLeave={leave}
      onFocus={() => app.holdMessage('focus', true)}
      onBlur={() => app.holdMessage('focus', false)}
    >
      <span key={message.text} className={styles.messageText}>
        {message.text}
      </span>
      {message.tally !== undefined && <span className={styles.tally}>{message.tally}</span>}
      {message.keys && (
        <span className={styles.lesson} data-ph="lesson">
          Next time: <Keys caps={message.keys} />
        </span>
      )}
      {message.undo && (
        <button type="button" className={styles.undo} tabIndex={-1} onClick={() => app.run('edit.undo')}>
          {message.tally === undefined ? 'Undo' : 'Undo last'}
          <Keys caps={app.keysOf('edit.undo')[0]} />
        </button>
      )}
    </span>
  );
}
