// The strip that leads through the first keys: what to do, by which key or finger, and the way out. It takes no focus and
// covers nothing; what is done is done in the list itself.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import type { LessonView } from '#client/teaching/lesson-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { useSignal } from '../parts/use-signal.ts';
import styles from './lesson.module.css';

function Action({ command, name }: { readonly command: string; readonly name: string }) {
  const app = useApp();
  return (
    <button type="button" className={styles.action} onClick={() => app.run(command)}>
      {name}
      <span className={styles.caps}>
        <Keys caps={app.keysOf(command)[0]} />
      </span>
    </button>
  );
}

function Words({ lesson }: { readonly lesson: LessonView }) {
  const app = useApp();
  const bound = lesson.keys.flatMap((command) => {
    const caps = app.keysOf(command)[0];
    return caps ? [{ command, caps }] : [];
  });
  return (
    <>
      <span className={styles.byKey}>
        {bound.map(({ command, caps }, index) => (
          <span key={command} className={styles.key}>
            {index > 0 && <span>or</span>}
            <Keys caps={caps} />
          </span>
        ))}
        {lesson.after}
      </span>
      <span className={styles.byTouch}>{lesson.touch}</span>
    </>
  );
}

export function Lesson() {
  const app = useApp();
  const lesson = useSignal(app.view.lesson);
  if (!lesson) return null;
  const { at, total, title, isOver } = lesson;
  return (
    <section className={styles.lesson} aria-label="Lesson" data-ph="lesson">
      <p className={styles.text}>
        <span className={styles.at} data-over={isOver ? '' : undefined}>
          {at}
          <span aria-hidden="true">/</span>
          <span className="visually-hidden"> of </span>
          {total}
        </span>
        <span className={styles.steps}>
          <span className={styles.words}>
            <strong className={styles.title}>{title}</strong>
            <Words lesson={lesson} />
          </span>
          {lesson.all.map((step) => (
            <span
              key={step.title}
              className={styles.room}
              data-title={step.title}
              data-touch={step.touch}
              aria-hidden="true"
            />
          ))}
        </span>
      </p>
      <span className={styles.actions}>
        {isOver ? (
          <span className={styles.place} aria-hidden="true" />
        ) : (
          <Action command="lesson.skip" name="Skip" />
        )}
        <Action command="lesson.end" name={isOver ? 'Done' : 'End'} />
      </span>
    </section>
  );
}
