// The fields of quick entry: the line that becomes the title, with its marks, and the notes under it.
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { QuickEntryView } from '#client/entry/entry-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { MarkedLine } from '../../parts/marked-line.tsx';
import type { Field } from '../../platform/input/fields.ts';
import { phone } from '../../views/touch/phone-heights.ts';
import own from './quick-entry.module.css';

const LINE = 'quick-entry-line';

/** Back to the line, from whatever was pressed. */
export const focusLine = () => document.getElementById(LINE)?.focus();

/** Keys of the line. True: the line has taken it. */
function useLineKeys(entry: QuickEntryView): (event: KeyboardEvent<Field>) => void {
  const app = useApp();
  return (event) => {
    if (event.nativeEvent.isComposing) return;
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const { selectionStart, selectionEnd } = event.currentTarget;
    const caret = selectionStart === selectionEnd ? (selectionStart ?? 0) : -1;
    if (key === 'Enter' && shiftKey) {
      event.preventDefault();
      app.answer('quickEntry', { action: 'notes', text: entry.notes });
    } else if (key === 'Enter') {
      event.preventDefault();
      if (!event.repeat) app.answer('quickEntry', { action: 'save', staysOpen: ctrlKey || metaKey });
    } else if (altKey || ctrlKey || metaKey || shiftKey) {
      return;
    } else if (key === 'Tab' && entry.tabAccepts) {
      event.preventDefault();
      app.answer('quickEntry', { action: 'tab' });
    } else if (key === 'Backspace' && (entry.restores || entry.refusable.includes(caret))) {
      event.preventDefault();
      app.answer('quickEntry', { action: 'back', caret });
    }
  };
}

/** The line. Typing in it is read as it is typed. */
export function Line({ entry }: { readonly entry: QuickEntryView }) {
  const app = useApp();
  const input = useRef<Field>(null);
  const onKeyDown = useLineKeys(entry);
  // On a phone a title wraps, as it will on its row.
  const [wraps] = useState(phone.matches);
  const { text, caret, put } = entry;
  useLayoutEffect(() => {
    const element = input.current;
    if (!element || element.value === text) return;
    element.value = text;
    element.setSelectionRange(caret, caret);
    // Only what the app asks for is put; typing comes back equal.
  }, [put, text, caret]);
  const typed = (element: Field) =>
    app.answer('quickEntry', {
      action: 'type',
      // It wraps, and is one line all the same.
      text: element.value.replaceAll(/[\r\n]+/g, ' '),
      caret: element.selectionStart ?? element.value.length,
    });
  const props = {
    id: LINE,
    className: own.line,
    'data-first': '',
    'aria-label': 'New task',
    'aria-describedby': 'quick-entry-help',
    placeholder: entry.example,
    autoComplete: 'off',
    autoCapitalize: 'sentences',
    enterKeyHint: 'done',
    defaultValue: text,
    onInput: (event: React.InputEvent<Field>) => {
      // What an input method is still composing has not been said yet.
      if (event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing) return;
      typed(event.currentTarget);
    },
    onCompositionEnd: (event: React.CompositionEvent<Field>) => typed(event.currentTarget),
    onKeyDown,
  } as const;
  return (
    <MarkedLine field={input} text={text} tokens={entry.tokens} className={own.marked}>
      {wraps ? (
        <textarea ref={input as RefObject<HTMLTextAreaElement | null>} rows={1} {...props} />
      ) : (
        <input ref={input as RefObject<HTMLInputElement | null>} type="text" {...props} />
      )}
    </MarkedLine>
  );
}

/** Notes of the task. Ctrl+Enter adds it, as in the line. */
export function Notes({ entry }: { readonly entry: QuickEntryView }) {
  const app = useApp();
  const field = useRef<HTMLTextAreaElement>(null);
  const { notes } = entry;
  useLayoutEffect(() => {
    field.current?.focus();
    // Added, and the next one is asked for.
    return focusLine;
  }, []);
  useLayoutEffect(() => {
    if (field.current && field.current.value !== notes) field.current.value = notes;
  }, [notes]);
  return (
    <textarea
      ref={field}
      className={own.notes}
      aria-label="Notes"
      placeholder="Notes"
      rows={1}
      defaultValue={notes}
      onInput={(event) => app.answer('quickEntry', { action: 'notes', text: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.ctrlKey || event.metaKey))
          return;
        event.preventDefault();
        app.answer('quickEntry', { action: 'save', staysOpen: true });
      }}
    />
  );
}
