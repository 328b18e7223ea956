// The outline without rows: a drawing, one sentence, one key. The drawing comes with the rest.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { createElement, useLayoutEffect } from 'react';
import type { EmptyView } from '#client/app/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { useSignal } from '../parts/use-signal.ts';
import { projectFocus } from './focus.ts';
import styles from './empty.module.css';
import { PlaceTitle } from './place-title.tsx';
import { restViews } from './rest-views.ts';

/** Also what else leads on, for the pointer, the thumb and Tab. */
function Others({ others }: Pick<EmptyView, 'others'>) {
  const app = useApp();
  if (others.length === 0) return null;
  return (
    <ul className={styles.others}>
      {others.map(({ command, title }) => (
        // Its place is kept until its name is here: what stands there already does not move.
        <li key={command} className={title === null ? styles.awaited : undefined}>
          <button
            type="button"
            className={styles.other}
            data-command={command}
            onClick={() => app.run(command)}
          >
            <Keys caps={app.keysOf(command)[0]} />
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}

export function Empty() {
  const app = useApp();
  const empty = useSignal(app.view.empty);
  const views = useSignal(restViews);
  const command = empty?.command ?? null;
  const title = empty?.title ?? null;
  // The button comes and goes while the app's idea of focus stays the same: "the outline, no row".
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.id === 'outline') projectFocus(app.view);
  }, [app, command, title]);
  if (!empty) return null;
  // Enter does it in every empty place, whatever key it has elsewhere.
  const keys = app.keysOf('outline.leadOn')[0];
  return (
    <div className={styles.empty} data-ph="empty">
      <div className={styles.place}>
        <PlaceTitle />
      </div>
      <svg
        className={styles.drawing}
        width="128"
        height="96"
        viewBox="0 0 128 96"
        aria-hidden="true"
        focusable="false"
      >
        {views && createElement(views.EmptyDrawing, { name: empty.drawing })}
      </svg>
      <h2 className={styles.heading}>{empty.heading}</h2>
      <p className={styles.text}>{empty.text}</p>
      <div className={styles.ways}>
        <button
          type="button"
          id="outline-empty"
          // It has the focus from the beginning, and what presses it waits with it for its name.
          className={title === null ? `${styles.button} ${styles.unnamed}` : styles.button}
          aria-label={title === null ? empty.heading : undefined}
          onClick={() => (command === null ? undefined : app.run(command))}
        >
          <Keys caps={keys} />
          {title}
        </button>
        <Others others={empty.others} />
      </div>
    </div>
  );
}
