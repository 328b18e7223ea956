// What is known of a task or list beside its content: a list of names and values, and its id for the clipboard.
import { createElement } from 'react';
import type { DetailsView } from '#client/dialogs/dialog-view.ts';
import { notesPart } from '../notes/lazy.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import { useSignal } from '../parts/use-signal.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './labels.module.css';

export function Details({ details }: { readonly details: DetailsView }) {
  const app = useApp();
  return (
    <div className={styles.form}>
      <h2 className={styles.title} data-first="" tabIndex={-1}>
        {details.title}
      </h2>
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
        <Button onClick={() => app.run('task.copyId')}>Copy id</Button>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}

const ERRANDS: readonly (readonly [icon: IconName, name: string, command: string])[] = [
  ['pen', 'Edit', 'task.edit'],
  ['check', 'Complete', 'task.complete'],
  ['upcoming', 'Due', 'task.due'],
  ['moon', 'Snooze', 'task.snooze'],
  ['repeat', 'Repeat', 'task.repeat'],
  ['bell', 'Remind', 'task.remind'],
  ['label', 'Labels', 'label.pick'],
  ['folder', 'Move', 'task.move'],
  ['notes', 'Notes', 'notes.edit'],
  ['attachment', 'Files', 'file.show'],
  ['focus', 'Focus', 'task.focusIn'],
  ['trash', 'Delete', 'task.delete'],
];

/** What a finger that opened the task may want of it; each has a key. */
function Errands() {
  const app = useApp();
  return (
    <div className={own.errands} data-ph="errands">
      {ERRANDS.map(([icon, name, command]) => (
        <button
          key={command}
          type="button"
          className={own.errand}
          data-command={command}
          onClick={() => {
            app.closeDialog();
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
        <p className={styles.rule}>None. Programs that use the API keep data here.</p>
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
