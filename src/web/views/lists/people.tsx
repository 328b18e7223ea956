// The people of the open list, at the end of the header: their avatars, and the way to who they are.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { useApp } from '../../parts/app-context.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { useSignal } from '../../parts/use-signal.ts';
import styles from './people.module.css';

/** Nothing for a list that nobody else has. */
export function People() {
  const app = useApp();
  const people = useSignal(app.view.people);
  if (people === null) return null;
  return (
    <button
      type="button"
      className={styles.people}
      aria-label={`Shared with: ${people.words}`}
      title={people.words}
      data-ph="people"
      data-command="list.share"
      onClick={() => app.run('list.share')}
    >
      {people.shown.map((person) => (
        <Avatar key={person.account} person={person} />
      ))}
      {people.more > 0 && <span className={styles.more} data-more={`+${people.more}`} aria-hidden="true" />}
    </button>
  );
}
