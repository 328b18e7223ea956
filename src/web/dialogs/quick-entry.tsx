// Quick entry: the line, what was recognised in it as chips, notes, and the list it goes to. client/entry
// decides what is shown and what keys do.
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { QuickEntryView, TokenView } from '#client/entry/entry-view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import { MarkedLine } from '../parts/marked-line.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './quick-entry.module.css';

const LINE = 'quick-entry-line';
const focusLine = () => document.getElementById(LINE)?.focus();

function Chip({
  token,
  index,
  isNext,
}: {
  readonly token: TokenView;
  readonly index: number;
  /** Tab takes it. */
  readonly isNext: boolean;
}) {
  const app = useApp();
  const isSuggested = token.state === 'suggested';
  /** The chip goes, and the focus with it: back to the line. */
  const submit = (action: 'accept' | 'refuse') => {
    app.answer('quickEntry', { action, index });
    focusLine();
  };
  return (
    <li className={own.chip} data-state={token.state} data-ph="token">
      {isSuggested ? (
        <button type="button" className={own.complete} onClick={() => submit('accept')}>
          {isNext && <Keys caps={['Tab']} />}
          <Icon name="plus" size={12} />
          <span className="visually-hidden">Use </span>
          {token.said}
        </button>
      ) : (
        <span>{token.said}</span>
      )}
      <button
        type="button"
        className={own.refuse}
        aria-label={token.text === '' ? `Leave out ${token.said}` : `Keep “${token.text}” as words`}
        onClick={() => submit('refuse')}
      >
        <Icon name="close" size={12} />
      </button>
    </li>
  );
}

function Chips({ entry }: { readonly entry: QuickEntryView }) {
  const app = useApp();
  const { tokens, completions } = entry;
  if (tokens.length === 0 && completions.length === 0) return null;
  const next = completions.length > 0 ? undefined : tokens.find(({ state }) => state === 'suggested');
  return (
    <ul className={own.chips} aria-label="Recognised">
      {completions.map((name, index) => (
        <li key={name} className={own.chip} data-state="suggested" data-ph="completion">
          {index === 0 && <Keys caps={['Tab']} />}
          <button
            type="button"
            className={own.complete}
            onClick={() => {
              app.answer('quickEntry', { action: 'complete', index });
              focusLine();
            }}
          >
            {name}
          </button>
        </li>
      ))}
      {tokens.map((token, index) => (
        <Chip
          key={`${token.kind} ${token.state} ${token.said}`}
          token={token}
          index={index}
          isNext={token === next}
        />
      ))}
    </ul>
  );
}

/** On a phone a title wraps, as it will on its row. */
type LineField = HTMLInputElement | HTMLTextAreaElement;
const WRAPS = '(width < 768px) and (pointer: coarse)';

/** Keys of the line. True: the line has taken it. */
function useLineKeys(entry: QuickEntryView): (event: KeyboardEvent<LineField>) => void {
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
      if (!event.repeat) app.answer('quickEntry', { action: 'save' });
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

function Line({ entry }: { readonly entry: QuickEntryView }) {
  const app = useApp();
  const input = useRef<LineField>(null);
  const onKeyDown = useLineKeys(entry);
  const [wraps] = useState(() => matchMedia(WRAPS).matches);
  const { text, caret, put } = entry;
  useLayoutEffect(() => {
    const element = input.current;
    if (!element || element.value === text) return;
    element.value = text;
    element.setSelectionRange(caret, caret);
    // Only what the app asks for is put; typing comes back equal.
  }, [put, text, caret]);
  const typed = (element: LineField) =>
    app.answer('quickEntry', {
      action: 'type',
      // It wraps, and is one line all the same.
      text: element.value.replaceAll(/[\r\n]+/g, ' '),
      caret: element.selectionStart ?? element.value.length,
    });
  const props = {
    id: LINE,
    className: `${styles.input} ${own.line}`,
    'data-first': '',
    'aria-label': 'New task',
    'aria-describedby': 'quick-entry-help',
    placeholder: entry.example,
    autoComplete: 'off',
    autoCapitalize: 'sentences',
    enterKeyHint: 'done',
    defaultValue: text,
    onInput: (event: React.InputEvent<LineField>) => {
      // What an input method is still composing has not been said yet.
      if (event.nativeEvent instanceof InputEvent && event.nativeEvent.isComposing) return;
      typed(event.currentTarget);
    },
    onCompositionEnd: (event: React.CompositionEvent<LineField>) => typed(event.currentTarget),
    onKeyDown,
  } as const;
  return (
    <MarkedLine field={input} text={text} tokens={entry.tokens} className={own.marked}>
      {wraps ? (
        <textarea ref={input as RefObject<HTMLTextAreaElement | null>} rows={2} {...props} />
      ) : (
        <input ref={input as RefObject<HTMLInputElement | null>} type="text" {...props} />
      )}
    </MarkedLine>
  );
}

function Notes({ entry }: { readonly entry: QuickEntryView }) {
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
      className={`${styles.input} ${own.notes}`}
      aria-label="Notes"
      placeholder="Notes"
      rows={3}
      defaultValue={notes}
      onInput={(event) => app.answer('quickEntry', { action: 'notes', text: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.ctrlKey || event.metaKey))
          return;
        event.preventDefault();
        app.answer('quickEntry', { action: 'save' });
      }}
    />
  );
}

/** What a thumb chooses and keys say in words. */
function Touches({ entry }: { readonly entry: QuickEntryView }) {
  const app = useApp();
  const choose = (text: string) => app.answer('quickEntry', { action: 'words', text });
  return (
    <div className={own.touches} role="group" aria-label="More about the task">
      <label className={own.choice}>
        <span>Due</span>
        <input
          className={`${styles.input} ${own.list}`}
          type="date"
          value={entry.dueOn}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </label>
      <label className={own.choice}>
        <span>Repeat</span>
        <select
          className={`${styles.input} ${own.list}`}
          value=""
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">Never</option>
          {entry.repeats.map((words) => (
            <option key={words}>{words}</option>
          ))}
        </select>
      </label>
      {!entry.showsNotes && (
        <Button onClick={() => app.answer('quickEntry', { action: 'notes', text: entry.notes })}>
          Notes
        </Button>
      )}
    </div>
  );
}

export function QuickEntry({ entry }: { readonly entry: QuickEntryView }) {
  const app = useApp();
  const choose = (action: 'label' | 'list', from: QuickEntryView['lists'], value: string) => {
    const chosen = from.find(({ id }) => id === value);
    if (chosen) app.answer('quickEntry', { action, id: chosen.id });
  };
  return (
    <form
      className={`${styles.form} ${own.entry}`}
      data-ph="quick-entry"
      onSubmit={(event) => {
        event.preventDefault();
        app.answer('quickEntry', { action: 'save' });
      }}
    >
      <h2 className={own.title}>Quick entry</h2>
      {entry.reason !== '' && (
        <p role="alert" className={styles.error} data-ph="entry-reason">
          {entry.reason}
        </p>
      )}
      <Line entry={entry} />
      <Chips entry={entry} />
      {entry.showsNotes && <Notes entry={entry} />}
      <Touches entry={entry} />
      <div className={own.foot}>
        <label className={own.choice}>
          <span>List</span>
          <select
            className={`${styles.input} ${own.list}`}
            value={entry.list ?? ''}
            onChange={(event) => choose('list', entry.lists, event.currentTarget.value)}
          >
            {entry.list === null && <option value="">Choose a list…</option>}
            {entry.lists.map(({ id, name }) => (
              <option key={id} value={id}>
                {name === '' ? 'Untitled' : name}
              </option>
            ))}
          </select>
        </label>
        {entry.labels.length > 0 && (
          <label className={own.choice}>
            <span>Label</span>
            <select
              className={`${styles.input} ${own.list}`}
              value=""
              onChange={(event) => choose('label', entry.labels, event.currentTarget.value)}
            >
              <option value="">Add one…</option>
              {entry.labels.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label className={own.choice}>
          <input
            type="checkbox"
            checked={entry.stays}
            onChange={(event) =>
              app.answer('quickEntry', { action: 'stays', checked: event.currentTarget.checked })
            }
          />
          <span>Keep adding</span>
        </label>
        <button type="submit" className={`${styles.button} ${styles.primary} ${own.add}`}>
          Add
        </button>
      </div>
      <p role="status" className={own.answer} data-ph="entry-answer">
        {entry.answer}
      </p>
      <p id="quick-entry-help" className={own.help}>
        <span>
          <Keys caps={['↵']} /> add
        </span>
        <span>
          <Keys caps={[app.platform.apple ? '⇧↵' : 'Shift+↵']} /> notes
        </span>
        <span>
          <Keys caps={['Tab']} /> accept the suggestion
        </span>
        <span>
          <Keys caps={['⌫']} /> right after it keeps the words
        </span>
        <span>“quoted” stays text</span>
      </p>
    </form>
  );
}
