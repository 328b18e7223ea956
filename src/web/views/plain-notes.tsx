// Notes as plain text: while what shows formatting is not loaded, and where it cannot be.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { useLayoutEffect, useRef } from 'react';
import type { NotesView } from '#client/app/view.ts';
import { placeAfter, spliceOf } from '#sync/rows/text-change.ts';
import { useApp } from '../parts/app-context.ts';
import styles from './notes.module.css';

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

export function PlainNotes({ notes, label }: { readonly notes: NotesView; readonly label: string }) {
  const app = useApp();
  const area = useRef<HTMLTextAreaElement>(null);
  const { id, text } = notes;
  /** What the field holds as far as the app knows. */
  const shown = useRef(text);
  const isComposing = useRef(false);
  const follow = () => {
    // Our own typing comes back equal; anything else is somebody else, another device or an undo.
    const element = area.current;
    if (!element || isComposing.current) return;
    const next = app.readNotes(id) ?? text;
    replaceIn(element, next);
    shown.current = next;
  };
  const report = (value: string) => {
    const before = shown.current;
    shown.current = value;
    app.draftNotes(id, value, before);
  };
  useLayoutEffect(follow);
  return (
    <textarea
      ref={area}
      id="notes-text"
      className={styles.text}
      aria-label={label}
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
        follow();
      }}
    />
  );
}
