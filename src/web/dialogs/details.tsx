// What is known of a task or list beside its content: a list of names and values, and its id for the clipboard.
import { createElement } from 'react';
import type { DetailsView, TaskSheetView } from '#client/dialogs/dialog-view.ts';
import { notesPart } from '../notes/lazy.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { useSignal } from '../parts/use-signal.ts';
import { Button } from './button.tsx';
import { Facts } from './facts.tsx';
import { TaskSheet } from './task-sheet.tsx';
import styles from './dialog.module.css';
import own from './facts.module.css';

/** `sheet`: null for a list. Where a finger points, a task is a sheet that everything can be done from. */
export function Details({
  details,
  sheet,
}: {
  readonly details: DetailsView;
  readonly sheet: TaskSheetView | null;
}) {
  const app = useApp();
  if (sheet !== null && matchMedia('(pointer: coarse)').matches)
    return <TaskSheet details={details} sheet={sheet} />;
  return (
    <div className={styles.form}>
      <h2 className={styles.title} data-first="" tabIndex={-1}>
        {details.title}
      </h2>
      <Facts details={details} name="details" />
      {details.kind === 'list' && <ListNotes details={details} />}
      <div className={styles.actions}>
        <Button onClick={() => app.run('task.copyId')}>Copy id</Button>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}

function ListNotes({ details }: { readonly details: DetailsView }) {
  const app = useApp();
  const part = useSignal(notesPart);
  return (
    <>
      <h3 className={styles.label}>Notes</h3>
      {details.notes === '' && <p className={styles.rule}>None yet.</p>}
      {details.notes !== '' && (
        <div className={own.notes}>
          {part ? createElement(part.NoteReading, { text: details.notes, onToggle: null }) : details.notes}
        </div>
      )}
      <div>
        <Button
          onClick={() => {
            app.closeDialog();
            app.run('list.notes');
          }}
        >
          Edit notes <Keys caps={app.keysOf('list.notes')[0]} />
        </Button>
      </div>
    </>
  );
}
