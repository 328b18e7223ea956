// The notes of one task, as plain text. What is typed goes to the app at once; it decides when to save.
import { useLayoutEffect, useRef } from 'react';
import type { NotesView } from '#client/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { useSignal } from '../parts/use-signal.ts';
import styles from './notes.module.css';
import { Separator } from './separator.tsx';

export function Notes() {
  const app = useApp();
  const notes = useSignal(app.view.notes);
  return notes && <NotesPane key={notes.taskId} notes={notes} />;
}

function NotesPane({ notes }: { readonly notes: NotesView }) {
  const app = useApp();
  const area = useRef<HTMLTextAreaElement>(null);
  const { text } = notes;
  useLayoutEffect(() => {
    // Our own typing comes back equal; anything else is another device or an undo.
    const element = area.current;
    if (!element || element.value === text) return;
    const caret = Math.min(element.selectionStart, text.length);
    element.value = text;
    element.setSelectionRange(caret, caret);
  }, [text]);
  return (
    <aside className={styles.pane} aria-label="Task details" data-ph="notes">
      <div className={styles.head}>
        <h2 className={styles.title}>{notes.title || 'Untitled'}</h2>
        <button
          type="button"
          className={styles.close}
          aria-label="Close notes"
          onClick={() => app.run('notes.toggle')}
        >
          <Icon name="close" />
        </button>
      </div>
      <textarea
        ref={area}
        id="notes-text"
        className={styles.text}
        aria-label={`Notes of ${notes.title || 'this task'}`}
        placeholder="Write notes"
        defaultValue={text}
        spellCheck
        onInput={(event) => app.draftNotes(notes.taskId, event.currentTarget.value)}
      />
      <Separator pane="notes" />
    </aside>
  );
}
