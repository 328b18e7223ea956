// The notes of one task or list beside the outline: read there, written in place. What is typed goes to the app at once; it
// decides when to save.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { createElement, useDeferredValue, useEffect, useState } from 'react';
import type { NotesView } from '#client/app/view.ts';
import { LOCKED_WHY } from '#client/outline/locked-words.ts';
import { loadNotes, type NotesPart, notesPart } from '../notes/lazy.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import { useSignal } from '../parts/use-signal.ts';
import styles from './notes.module.css';
import { PlainNotes } from './plain-notes.tsx';
import { Separator } from './touch/separator.tsx';

/** The notes; nothing while they are closed. */
export function Notes() {
  const app = useApp();
  const notes = useSignal(app.view.notes);
  return notes && <NotesPane notes={notes} />;
}

function NotesPane({ notes }: { readonly notes: NotesView }) {
  const app = useApp();
  const { title, isEditing, kind } = notes;
  return (
    <aside
      className={styles.pane}
      aria-label={kind === 'list' ? 'List details' : 'Task details'}
      data-ph="notes"
    >
      <div className={styles.head}>
        <span className={styles.name} aria-hidden="true">
          Notes
        </span>
        {isEditing && (
          <button
            type="button"
            className={styles.close}
            aria-label="Check or add a checkbox"
            title="Check or add a checkbox"
            data-command="notes.checkbox"
            onClick={() => app.run('notes.checkbox')}
          >
            <Icon name="check" />
          </button>
        )}
        <button
          type="button"
          className={styles.edit}
          data-ph={isEditing ? 'leave-notes' : 'edit-notes'}
          onClick={() => app.run(isEditing ? 'notes.leave' : 'notes.edit')}
        >
          {isEditing ? 'Done' : 'Edit'}{' '}
          <Keys caps={app.keysOf(isEditing ? 'notes.leave' : 'notes.edit')[0]} />
        </button>
        <button
          type="button"
          className={styles.close}
          aria-label="Close notes"
          data-command="notes.toggle"
          onClick={() => app.run('notes.toggle')}
        >
          <Icon name="close" />
        </button>
      </div>
      <h2 className={styles.title}>
        {title || 'Untitled'}
        {kind === 'list' && <span className={styles.kind}> list</span>}
      </h2>
      <Body key={notes.id} notes={notes} />
      <Separator pane="notes" />
    </aside>
  );
}

/** Where writing begins; null: where it was, at first the end. A new object each time that it is put. */
type Caret = { readonly at: number } | null;

/** Which field: it does not change while somebody writes in it. */
type Field = 'none' | 'plain' | 'rich';

function Body({ notes }: { readonly notes: NotesView }) {
  const part = useSignal(notesPart);
  const [caret, setCaret] = useState<Caret>(null);
  const { title, isEditing } = notes;
  const label = `Notes for ${title || (notes.kind === 'list' ? 'this list' : 'this task')}`;
  const [field, setField] = useState<Field>('none');
  if (isEditing && field === 'none') setField(part ? 'rich' : 'plain');
  if (!isEditing && field === 'plain' && part) setField('none');

  useEffect(() => {
    void loadNotes();
  }, [isEditing]);

  if (!part || field === 'plain') return <PlainNotes notes={notes} label={label} />;
  return (
    <>
      {field === 'rich' && createElement(part.NotesFieldHost, { notes, label, caret })}
      {isEditing && <Hints />}
      {!isEditing && <Reading part={part} notes={notes} onPress={setCaret} />}
    </>
  );
}

const HINTS = [
  ['notes.checkbox', 'checkbox'],
  ['notes.bold', 'bold'],
  ['notes.italic', 'italic'],
  ['notes.openLink', 'open link'],
] as const;

/** What may be done here, for who looks for it; all of it is in the list of keys. */
function Hints() {
  const app = useApp();
  return (
    <p className={styles.hints} data-ph="notes-hints">
      {HINTS.map(([command, does]) => (
        <span key={command} className={styles.hint}>
          <Keys caps={app.keysOf(command)[0]} /> {does}
        </span>
      ))}
      <span className={styles.hint}>
        <Keys caps={app.keysOf('help.keys').at(-1)} /> all keys
      </span>
    </p>
  );
}

function Reading({
  part,
  notes,
  onPress,
}: {
  readonly part: NotesPart;
  readonly notes: NotesView;
  readonly onPress: (caret: Caret) => void;
}) {
  const app = useApp();
  const { id } = notes;
  // Moving from task to task does not wait for long notes.
  const text = useDeferredValue(notes.text, '');
  const [toggle] = useState(() => (at: number) => {
    const stands = app.readNotes(id);
    if (stands !== null) app.putNotes(id, part.withBoxToggled(stands, at));
  });
  if (notes.isLocked)
    return (
      <p className={styles.locked} data-ph="notes-locked">
        <Icon name="lock" size={14} /> {LOCKED_WHY}
      </p>
    );
  if (notes.text === '')
    return (
      <button
        type="button"
        className={styles.empty}
        data-ph="write-notes"
        data-command="notes.edit"
        onClick={() => app.run('notes.edit')}
      >
        Write notes
      </button>
    );
  return (
    // The button above does the same by key.
    // oxlint-disable-next-line no-static-element-interactions, click-events-have-key-events
    <div
      className={styles.reading}
      onClick={(event) => {
        const isControl = event.target instanceof Element && event.target.closest('a, button');
        if (isControl || !document.getSelection()?.isCollapsed) return;
        const at = part.placeOfPress(event);
        onPress(at === null ? null : { at });
        app.run('notes.edit');
      }}
    >
      {createElement(part.NoteReading, { text, onToggle: toggle })}
    </div>
  );
}
