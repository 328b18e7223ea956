// One loud line above everything while something endangers what was typed, with what can be done about it.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { useSignal } from '../parts/use-signal.ts';
import styles from './alarm.module.css';

export function Alarm() {
  const app = useApp();
  const alarm = useSignal(app.view.alarm);
  if (!alarm) return null;
  return (
    <section
      className={styles.alarm}
      data-tone={alarm.tone}
      data-ph="alarm"
      aria-label={alarm.tone === 'calm' ? 'Offer' : 'Warning'}
    >
      <Icon name={alarm.tone === 'calm' ? 'device' : 'warning'} size={16} />
      <p className={styles.text}>{alarm.text}</p>
      <div className={styles.actions}>
        {alarm.actions.map(({ title, command, args }) => (
          <button key={title} type="button" className={styles.action} onClick={() => app.run(command, args)}>
            {title}
          </button>
        ))}
      </div>
    </section>
  );
}
