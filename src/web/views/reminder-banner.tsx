// What rings, with what can be done about it. It takes no focus: its keys begin with one that types nothing, and the buttons
// are for the pointer, the thumb and Tab.
'use no memo';

import type { ReminderBannerView } from '#client/app/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import styles from './reminder.module.css';

export function ReminderBanner({ shown }: { readonly shown: ReminderBannerView }) {
  const app = useApp();
  const { title, text, more, actions, kind } = shown;
  return (
    <section
      className={styles.banner}
      data-ph="reminder"
      data-kind={kind}
      aria-label={kind === 'ring' ? 'Reminder' : 'Notifications'}
    >
      <span className={styles.bell}>
        <Icon name="bell" size={20} />
      </span>
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        <p className={styles.text}>{text}</p>
        {more > 0 && <p className={styles.text}>{more === 1 ? '1 more ringing' : `${more} more ringing`}</p>}
      </div>
      <div className={styles.actions}>
        {actions.map(({ title: name, command }) => (
          <button key={command} type="button" className={styles.action} onClick={() => app.run(command)}>
            {name}
            <span className={styles.keys}>
              <Keys caps={app.keysOf(command)[0]} />
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}
