// What was done, newest first: a field to filter by, the list, and for the chosen entry its state before and
// after, with a way to restore it. The field keeps the focus; arrows choose, Enter restores. client/history
// decides what is shown.
import { useEffect, useRef } from 'react';
import type { HistoryDetail, HistoryEntryView, HistoryView } from '#client/history/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './history.module.css';
import { keysIn } from '../platform/input/options.ts';

const optionId = (index: number) => `history-entry-${index}`;

function Side({ name, text }: { readonly name: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <div>
      <dt className={styles.detail}>{name}</dt>
      <dd className={own.text}>{text === '' ? <span className={styles.detail}>Nothing</span> : text}</dd>
    </div>
  );
}

function Detail({ detail }: { readonly detail: HistoryDetail }) {
  return (
    <dl className={own.sides} data-ph="history-detail">
      <Side name={`${detail.name} before`} text={detail.before} />
      <Side name={`${detail.name} after`} text={detail.after} />
    </dl>
  );
}

function Chosen({ entry }: { readonly entry: HistoryEntryView }) {
  const app = useApp();
  return (
    <section className={own.chosen} aria-label="The chosen change" data-ph="history-chosen">
      <p className={styles.detail}>
        {entry.exact}. {entry.who}.{entry.isUndo ? ' By undo.' : ''}
      </p>
      <div className={own.scroll} tabIndex={-1}>
        {entry.parts.length > 0 && (
          <ul>
            {entry.parts.map((part, index) => (
              <li key={`${index}.${part}`}>{part}</li>
            ))}
          </ul>
        )}
        {entry.details.map((detail, index) => (
          <Detail key={`${index}.${detail.name}`} detail={detail} />
        ))}
      </div>
      {entry.canBringBack ? (
        <Button onClick={() => app.answer('history', { action: 'bringBack' })}>
          Bring back {entry.details.length === 1 ? 'this value' : 'what was before'}{' '}
          <Keys caps={app.keysOf('options.choose')[0]} />
        </Button>
      ) : (
        <p className={styles.detail}>There’s nothing before it to bring back.</p>
      )}
      <Button onClick={() => app.answer('history', { action: 'travel' })}>
        As it was then <Keys caps={app.keysOf('history.travelTo')[0]} />
      </Button>
    </section>
  );
}

function Entries({ history }: { readonly history: HistoryView }) {
  const app = useApp();
  const { entries, active } = history;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, entries]);
  return (
    <div
      ref={list}
      id="history-entries"
      role="listbox"
      aria-label="Changes"
      className={own.list}
      tabIndex={-1}
    >
      {entries.map((entry, index) => (
        <div
          key={entry.id}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          className={own.entry}
          data-ph="history-entry"
          onClick={() => app.answer('history', { action: 'choose', index })}
        >
          <span className={own.what}>
            {entry.about !== null && <strong className={own.about}>{entry.about}</strong>} {entry.what}
          </span>
          <span className={own.when}>
            {entry.ago} · {entry.who}
          </span>
        </div>
      ))}
    </div>
  );
}

function emptyText({ isReading, isEmpty, filter }: HistoryView): string {
  if (isReading) return 'Reading the history…';
  return isEmpty
    ? 'No changes on record here. Esc goes back.'
    : `Nothing matches “${filter}”. Esc shows everything again.`;
}

export function History({ history }: { readonly history: HistoryView }) {
  const app = useApp();
  const { entries, active, filter, note, answer } = history;
  const chosen = entries[active];

  return (
    <div className={`${styles.form} ${own.history}`}>
      <h2 className={styles.title}>{history.title}</h2>
      {note !== null && (
        <p className={styles.rule} data-ph="history-note">
          {note}{' '}
          {history.canRetry && (
            <button
              type="button"
              className={own.again}
              onClick={() => app.answer('history', { action: 'retry' })}
            >
              Try again
            </button>
          )}
        </p>
      )}
      <input
        className={styles.input}
        data-first=""
        data-narrows=""
        type="text"
        role="combobox"
        aria-label="Find in the history"
        aria-expanded={entries.length > 0}
        aria-controls="history-entries"
        aria-activedescendant={chosen ? optionId(active) : undefined}
        autoComplete="off"
        placeholder="Find"
        value={filter}
        onChange={(event) => app.answer('history', { action: 'filter', text: event.target.value })}
        {...keysIn('dialog.history', 'list')}
      />
      <Entries history={history} />
      {!chosen && <p className={styles.rule}>{emptyText(history)}</p>}
      {chosen && <Chosen entry={chosen} />}
      <p
        role="status"
        className={answer?.isError === true ? styles.error : styles.rule}
        data-ph="history-answer"
      >
        {answer?.text ?? ''}
      </p>
      <div className={styles.actions}>
        {history.hasMore && (
          <Button disabled={history.isReading} onClick={() => app.answer('history', { action: 'more' })}>
            {history.isReading ? 'Reading…' : 'Read older changes'}
          </Button>
        )}
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}
