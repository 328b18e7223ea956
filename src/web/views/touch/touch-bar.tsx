// What a thumb reaches while tasks are selected or a title is written: the commands that keys and swipes have for it. Drawn only
// where the pointer is a finger.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { useApp } from '../../parts/app-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { useSignal } from '../../parts/use-signal.ts';
import { lateHeader, lateStatus } from '../../late/late-views.ts';
import styles from './touch-bar.module.css';

type Button = readonly [name: string, command: string];

const SELECTED: readonly Button[] = [
  ['Complete', 'task.complete'],
  ['Due', 'task.due'],
  ['Snooze', 'task.snooze'],
  ['Label', 'label.pick'],
  ['Move', 'task.move'],
  ['Indent', 'task.indent'],
  ['Outdent', 'task.outdent'],
  ['Up', 'task.moveUp'],
  ['Down', 'task.moveDown'],
  ['Repeat', 'task.repeat'],
  ['Remind', 'task.remind'],
  ['Delete', 'task.delete'],
  ['More', 'palette.task'],
];

const TRASHED: readonly Button[] = [
  ['Restore', 'task.restore'],
  ['More', 'palette.task'],
];

const WRITING: readonly Button[] = [
  ['Indent', 'task.indent'],
  ['Outdent', 'task.outdent'],
  ['Due', 'task.due'],
  ['Label', 'label.pick'],
  ['Move', 'task.move'],
  ['Repeat', 'task.repeat'],
  ['Note', 'notes.edit'],
];

function Buttons({ of }: { readonly of: readonly Button[] }) {
  const app = useApp();
  return of.map(([name, command]) => (
    <button
      key={command}
      type="button"
      className={styles.button}
      tabIndex={-1}
      onClick={() => app.run(command)}
    >
      {name}
    </button>
  ));
}

/**
 * What was recognized in the title: where a finger is, with room for it, and without taking any from the title. Pressed, it is
 * accepted, or kept as words if it counts.
 */
function Recognized() {
  const app = useApp();
  const tokens = useSignal(app.view.recognized);
  if (tokens.length === 0) return null;
  return (
    <div className={styles.recognized}>
      {tokens.map(({ kind, said, act, state }, index) => (
        <button
          key={`${kind} ${said}`}
          type="button"
          className={styles.token}
          data-ph="suggestion"
          aria-label={state === 'counts' ? `${said}: ${act}` : act}
          tabIndex={-1}
          onClick={() =>
            app.run(state === 'counts' ? 'edit.keepWords' : 'edit.accept', { by: String(index) })
          }
        >
          <span className={styles.pill} data-state={state}>
            {state === 'suggested' && <Icon name="plus" size={12} />}
            <span className={styles.words}>{said}</span>
            {state === 'counts' && <Icon name="close" size={12} />}
          </span>
        </button>
      ))}
    </div>
  );
}

/** Draws nothing while no task is selected and no title is written. */
export function TouchBar() {
  const app = useApp();
  const { selected } = useSignal(lateStatus(app.view.status));
  const focus = useSignal(app.view.focus);
  const { kind } = useSignal(lateHeader(app.view.header));
  const isWriting = focus.pane === 'outline' && focus.edit !== null;
  if (selected === 0 && !isWriting) return null;
  const isSelecting = !isWriting;
  return (
    <section
      className={styles.bar}
      aria-label={isSelecting ? 'Selected tasks' : 'Task you’re writing'}
      data-ph="touch-bar"
      data-kind={isSelecting ? 'selected' : 'writing'}
      // The focus stays in the title, and the keyboard on the screen.
      onMouseDown={(event) => event.preventDefault()}
    >
      {isSelecting && <span className={styles.count}>{selected}</span>}
      <div className={styles.buttons}>
        {isWriting && <Recognized />}
        <Buttons of={isWriting ? WRITING : kind === 'trash' ? TRASHED : SELECTED} />
      </div>
      {isWriting && (
        <button
          type="button"
          className={styles.done}
          aria-label="New task"
          tabIndex={-1}
          onClick={() => app.run('task.createBelow')}
        >
          <Icon name="plus" size={20} />
        </button>
      )}
      <button
        type="button"
        className={styles.done}
        tabIndex={-1}
        onClick={() => app.run(isSelecting ? 'outline.escape' : 'edit.leave')}
      >
        {isSelecting ? (
          <>
            <Icon name="close" size={20} />
            <span className="visually-hidden">Select none</span>
          </>
        ) : (
          'Done'
        )}
      </button>
    </section>
  );
}
