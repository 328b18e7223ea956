// Where others are: their avatars over the right end of the rows that they are on. A layer of its own, so that no row is laid out
// anew or moves for it. What it says for the ear describes the row (`aria-describedby` in slot.tsx).
// Drawn when somebody else moves: the React compiler's caching would cost more than it saves.
'use no memo';

import type { OthersView } from '#client/presence/presence-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { useSignal } from '../../parts/use-signal.ts';
import styles from './others.module.css';

/** Beside the row in a slot; nothing where nobody is. */
function Mark({ index, others }: { readonly index: number; readonly others: OthersView }) {
  const row = useSignal(useApp().view.rows.slot(index));
  const there = row && others.on(row.id);
  if (!there) return null;
  const { people, more, words } = there;
  const [first] = people;
  return (
    <div
      className={styles.mark}
      data-ph="others"
      data-own={row.cursor ? '' : undefined}
      style={
        {
          transform: `translateY(calc(${row.y} * var(--ph-row)))`,
          height: `calc(${row.height} * var(--ph-row))`,
          '--person': first?.color,
          '--ink': first?.ink,
        } as React.CSSProperties
      }
    >
      <span id={`here-${row.line}`} className="visually-hidden">
        {words}
      </span>
      <span className={styles.people}>
        {people.map((person) => (
          <span key={person.account} className={styles.person} data-writes={person.writes ? '' : undefined}>
            <Avatar person={person} size={20} />
          </span>
        ))}
        {more > 0 && <span className={styles.more}>+{more}</span>}
      </span>
      {row.cursor && <span className={styles.names}>{people.map(({ name }) => name).join(', ')}</span>}
    </div>
  );
}

/** Over the rows of the outline. Nothing while nobody else is there. */
export function Others() {
  const { view } = useApp();
  const others = useSignal(view.others);
  const pool = useSignal(view.rows.pool);
  if (others === null) return null;
  return (
    <div className={styles.layer} aria-hidden="true">
      {Array.from({ length: pool }, (_, index) => (
        <Mark key={index} index={index} others={others} />
      ))}
    </div>
  );
}
