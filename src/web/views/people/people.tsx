// The people of the open list, at the end of the header: their avatars, who of them is here now, and the way to sharing. Where there is
// little room the sign of people stands for them.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { useApp } from '../../parts/app-context.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useSignal } from '../../parts/use-signal.ts';
import styles from './people.module.css';

/** Nothing for a list that nobody else has. */
export function People() {
  const app = useApp();
  const people = useSignal(app.view.people);
  const others = useSignal(app.view.others);
  if (people === null) return null;
  const { words = '', here = null } = others ?? {};
  return (
    <button
      type="button"
      className={styles.people}
      title={words === '' ? people.words : `${people.words}\n${words}`}
      data-ph="people"
      data-command="list.share"
      onClick={() => app.run('list.share')}
    >
      <span className="visually-hidden">
        {`Shared with: ${people.words}${words === '' ? '' : `. ${words}`}`}
      </span>
      <span className={styles.avatars} aria-hidden="true">
        {people.shown.map((person) => (
          <span
            key={person.account}
            className={styles.person}
            data-here={here?.has(person.account) === true ? '' : undefined}
          >
            <Avatar person={person} />
          </span>
        ))}
        {people.more > 0 && <span className={styles.more} data-more={`+${people.more}`} />}
      </span>
      <span
        className={styles.share}
        data-here={here !== null && here.size > 0 ? '' : undefined}
        aria-hidden="true"
      >
        <Icon name="people" />
        <span className={styles.word}>Share</span>
      </span>
    </button>
  );
}
