// What the + of a phone offers when it is held.
// Drawn once: the React compiler's caching would cost more than it saves.
'use no memo';

import { useRef } from 'react';
import { useApp } from '../../parts/app-context.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import styles from './add-menu.module.css';

const OFFERED: readonly (readonly [icon: IconName, name: string, command: string])[] = [
  ['plus', 'New task here', 'task.createBelow'],
  ['inbox', 'Quick entry', 'task.quickEntry'],
  ['list', 'New list', 'list.create'],
  ['notes', 'From the clipboard', 'task.paste'],
];

/** A native popover, found by its id `add-menu`: the + opens it, Back and a choice close it. */
export function AddMenu() {
  const app = useApp();
  const menu = useRef<HTMLDivElement>(null);
  return (
    <div ref={menu} id="add-menu" className={styles.menu} popover="auto" role="group" aria-label="Make">
      {OFFERED.map(([icon, name, command]) => (
        <button
          key={command}
          type="button"
          className={styles.item}
          onClick={() => {
            menu.current?.hidePopover();
            app.run(command);
          }}
        >
          <Icon name={icon} size={20} />
          {name}
        </button>
      ))}
    </div>
  );
}
