// The name of what is open, large, over its rows, with how much of it is done: it scrolls away with them. The header says the
// name to those who hear it.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { countOf } from '#client/outline/count-words.ts';
import { useApp } from '../parts/app-context.ts';
import { Ring } from '../parts/ring.tsx';
import { useSignal } from '../parts/use-signal.ts';
import { lateHeader } from '../late/late-views.ts';
import styles from './place-title.module.css';

/** Draws nothing in the results of a search: the search line stands there. */
export function PlaceTitle() {
  const app = useApp();
  const header = useSignal(lateHeader(app.view.header));
  const people = useSignal(app.view.people);
  const { kind, title, count, done, date, note } = header;
  if (kind === 'search') return null;
  const all = done + (count ?? 0);
  const facts = [done > 0 ? `${done} of ${all} done` : countOf(header), date, people?.company].filter(
    Boolean,
  );
  return (
    <div className={styles.block} aria-hidden="true" data-ph="place">
      <div className={styles.name}>{title || 'Untitled'}</div>
      <div className={styles.facts}>
        {done > 0 && <Ring share={done / all} />}
        {facts.join(' · ')}
      </div>
      {note !== '' && <div className={styles.note}>{note}</div>}
    </div>
  );
}
