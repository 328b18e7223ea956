// The notes of one task, as plain text. What is typed goes to the app at once; it decides when to save.
// Drawn seldom: the compiler's bookkeeping would weigh more than it saves.
'use no memo';

import { useLayoutEffect, useRef } from 'react';
import type { NotesView } from '#client/view.ts';
import { placeAfter, spliceOf } from '#sync/text-change.ts';
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

/** Makes the field hold the text, touching only what differs: caret and selection stay where they are in the words. */
function replaceIn(element: HTMLTextAreaElement, text: string): void {
  const splice = spliceOf(element.value, text);
  if (splice === null) return;
  const { selectionStart, selectionEnd, selectionDirection } = element;
  element.setRangeText(splice.insert, splice.at, splice.at + splice.remove);
  const start = placeAfter([splice], selectionStart);
  const end = selectionEnd === selectionStart ? start : placeAfter([splice], selectionEnd);
  element.setSelectionRange(start, end, selectionDirection);
}

function NotesPane({ notes }: { readonly notes: NotesView }) {
  const app = useApp();
  const area = useRef<HTMLTextAreaElement>(null);
  const { text } = notes;
  /** What the field holds as far as the app knows. */
  const shown = useRef(text);
  const isComposing = useRef(false);
  const show = (next: string) => {
    // Our own typing comes back equal; anything else is somebody else, another device or an undo.
    const element = area.current;
    if (!element || isComposing.current) return;
    replaceIn(element, next);
    shown.current = next;
  };
  const report = (value: string) => {
    const before = shown.current;
    shown.current = value;
    app.draftNotes(notes.taskId, value, before);
  };
  useLayoutEffect(() => show(text));
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
        onInput={(event) => report(event.currentTarget.value)}
        onCompositionStart={() => {
          isComposing.current = true;
        }}
        onCompositionEnd={(event) => {
          isComposing.current = false;
          report(event.currentTarget.value);
          show(app.view.notes.get()?.text ?? shown.current);
        }}
      />
      <Separator pane="notes" />
    </aside>
  );
}
