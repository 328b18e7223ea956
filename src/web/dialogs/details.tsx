// What is known of a task or list beside its content: a list of names and values, and its id for the clipboard.
import { createElement } from 'react';
import type { DetailsView } from '#client/view.ts';
import { notesPart } from '../notes/door.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { useSignal } from '../parts/use-signal.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './labels.module.css';

export function Details({ details }: { readonly details: DetailsView }) {
  const app = useApp();
  return (
    <div className={styles.form}>
      <h2 className={styles.title}>{details.title}</h2>
      {details.kind === 'task' && <Errands />}
      <dl className={own.facts} data-ph="details">
        {details.facts.map(({ name, text }) => (
          <div key={name} className={own.fact}>
            <dt className={styles.detail}>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {details.kind === 'task' ? <Metadata details={details} /> : <ListNotes details={details} />}
      <div className={styles.actions}>
        <Button isFirst onClick={() => app.run('task.copyId')}>
          Copy id
        </Button>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}

const ERRANDS: readonly (readonly [name: string, command: string])[] = [
  ['Edit', 'task.edit'],
  ['Complete', 'task.complete'],
  ['Due', 'task.due'],
  ['Snooze', 'task.snooze'],
  ['Repeat', 'task.repeat'],
  ['Remind', 'task.remind'],
  ['Labels', 'label.pick'],
  ['Move', 'task.move'],
  ['Notes', 'notes.edit'],
  ['Attachments', 'file.show'],
  ['Focus', 'task.focusIn'],
  ['Delete', 'task.delete'],
];

/** What a finger that opened the task may want of it; each has a key. */
function Errands() {
  const app = useApp();
  return (
    <div className={own.errands} data-ph="errands">
      {ERRANDS.map(([name, command]) => (
        <Button
          key={command}
          onClick={() => {
            app.closeDialog();
            app.run(command);
          }}
        >
          {name} <Keys caps={app.keysOf(command)[0]} />
        </Button>
      ))}
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

function Metadata({ details }: { readonly details: DetailsView }) {
  return (
    <>
      <h3 className={styles.label}>Metadata</h3>
      {details.metadata.length === 0 ? (
        <p className={styles.rule}>None. Programs that use the API keep theirs here.</p>
      ) : (
        <dl className={own.facts} data-ph="metadata">
          {details.metadata.map(({ name, text }) => (
            <div key={name} className={own.fact}>
              <dt className={styles.detail}>{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
