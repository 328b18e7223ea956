// What was done, newest first, as sentences under their days: a page over the sheet with a field to find some, the list, and at
// the foot what the keys do with the chosen one. The field keeps the focus; arrows choose, Enter restores. client/history decides what is shown.
import { type ReactNode, useEffect, useRef } from 'react';
import type {
  HistoryDetail,
  HistoryEntryView,
  HistoryMark,
  HistoryView,
  Phrase,
} from '#client/history/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import { keysIn } from '../platform/input/options.ts';
import { Button } from './button.tsx';
import { CloseButton } from './close-button.tsx';
import styles from './dialog.module.css';
import { Glyph } from './glyph.tsx';
import own from './history.module.css';

/** The icon of a kind of change. */
export const MARKS: Readonly<Record<HistoryMark, ReactNode>> = {
  added: <Icon name="plus" />,
  moved: <Glyph name="into" />,
  deleted: <Icon name="trash" />,
  restored: <Icon name="undo" />,
  completed: <Icon name="check" />,
  reopened: <Icon name="undo" />,
  date: <Icon name="upcoming" />,
  snooze: <Icon name="clock" />,
  repeat: <Icon name="repeat" />,
  label: <Icon name="label" />,
  reminder: <Icon name="bell" />,
  notes: <Icon name="notes" />,
  bookmark: <Icon name="bookmark" />,
  setting: <Icon name="settings" />,
  edited: <Icon name="pen" />,
};

const optionId = (index: number) => `history-entry-${index}`;

function Piece({ phrase }: { readonly phrase: Phrase }) {
  if (phrase.kind === 'change')
    return (
      <>
        <span className="visually-hidden"> from </span>
        <s className={own.before}>{phrase.before}</s>
        <span className={own.arrow}>
          <span className="visually-hidden"> to </span>
          <Glyph name="arrow" size={13} />
        </span>
        <b className={own.thing}>{phrase.text}</b>
      </>
    );
  if (phrase.kind === 'label')
    return (
      <span className={own.label}>
        <i className={own.dot} style={phrase.color === null ? undefined : { background: phrase.color }} />
        {phrase.text}
      </span>
    );
  return phrase.kind === 'thing' ? <b className={own.thing}>{phrase.text}</b> : phrase.text;
}

/** A sentence of the history, with what it is about set apart. */
export function Sentence({ phrases }: { readonly phrases: readonly Phrase[] }) {
  return phrases.map((phrase, at) => <Piece key={`${at}.${phrase.text}`} phrase={phrase} />);
}

function Side({ name, text }: { readonly name: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <div>
      <dt className={styles.detail}>{name}</dt>
      <dd className={own.text}>{text === '' ? <span className={styles.detail}>Nothing</span> : text}</dd>
    </div>
  );
}

/** Old and new text of a change. */
export function Detail({ detail }: { readonly detail: HistoryDetail }) {
  return (
    <dl className={own.sides} data-ph="history-detail">
      <Side name={`${detail.name} before`} text={detail.before} />
      <Side name={`${detail.name} after`} text={detail.after} />
    </dl>
  );
}

/** What the sentence of the chosen entry leaves out. */
function Chosen({ entry }: { readonly entry: HistoryEntryView }) {
  const { parts, details } = entry;
  if (parts.length + details.length === 0) return null;
  return (
    <section className={own.chosen} aria-label="The chosen change" data-ph="history-chosen" tabIndex={-1}>
      {parts.length > 0 && (
        <ul>
          {parts.map((part, index) => (
            <li key={index}>
              <Sentence phrases={part} />
            </li>
          ))}
        </ul>
      )}
      {details.map((detail, index) => (
        <Detail key={`${index}.${detail.name}`} detail={detail} />
      ))}
    </section>
  );
}

function Entry({
  entry,
  index,
  isActive,
}: {
  readonly entry: HistoryEntryView;
  readonly index: number;
  readonly isActive: boolean;
}) {
  const app = useApp();
  const { mark, sentence, where, time, isUndo } = entry;
  return (
    <div
      id={optionId(index)}
      role="option"
      aria-selected={isActive}
      className={own.entry}
      data-ph="history-entry"
      onClick={() => app.answer('history', { action: 'choose', index })}
    >
      <span className={own.mark} data-mark={mark}>
        {MARKS[mark]}
      </span>
      <span className={own.sentence} data-ph="history-sentence">
        <Sentence phrases={sentence} />
      </span>
      <span className={own.where} data-ph="history-where">
        {isUndo && <span className={own.undo}>Undo</span>}
        {where}
      </span>
      <span className={own.time}>{time}</span>
    </div>
  );
}

interface Day {
  readonly name: string;
  readonly date: string;
  /** The index of its first entry among all. */
  readonly first: number;
  readonly entries: readonly HistoryEntryView[];
}

/** Neighboring entries of one day. */
function daysOf(entries: readonly HistoryEntryView[]): readonly Day[] {
  const starts = entries.flatMap(({ day }, at) => {
    const above = entries[at - 1]?.day;
    return above?.name === day.name && above.date === day.date ? [] : [at];
  });
  return starts.flatMap((first, at) => {
    const day = entries[first]?.day;
    return day === undefined ? [] : [{ ...day, first, entries: entries.slice(first, starts[at + 1]) }];
  });
}

function Entries({ history }: { readonly history: HistoryView }) {
  const { entries, active } = history;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
    // The name of the page stands above the first one.
    if (active === 0) list.current?.closest('[data-scroller]')?.scrollTo(0, 0);
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
      {daysOf(entries).map(({ name, date, first, entries: those }) => (
        <div key={`${first}.${name}`} role="group" aria-label={`${name} ${date}`.trim()} className={own.day}>
          <div className={own.dayName} data-ph="history-day" aria-hidden="true">
            {name} <span className={own.date}>{date}</span>
          </div>
          {those.map((entry, at) => (
            <Entry key={entry.id} entry={entry} index={first + at} isActive={first + at === active} />
          ))}
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

/** What can be done with the chosen entry, and with all of them. */
function Foot({ history }: { readonly history: HistoryView }) {
  const app = useApp();
  const { entries, active, answer } = history;
  const chosen = entries[active];
  return (
    <div className={own.foot}>
      {chosen && chosen.back !== null && (
        <Button onClick={() => app.answer('history', { action: 'bringBack' })}>
          {chosen.back} <Keys caps={app.keysOf('options.choose')[0]} />
        </Button>
      )}
      {chosen && chosen.back === null && (
        <p className={styles.detail}>There’s nothing before it to bring back.</p>
      )}
      {chosen && (
        <Button onClick={() => app.answer('history', { action: 'travel' })}>
          As it was then <Keys caps={app.keysOf('history.travelTo')[0]} />
        </Button>
      )}
      <p
        role="status"
        className={own.answer}
        data-tone={answer?.isError === true ? 'error' : undefined}
        data-ph="history-answer"
      >
        {answer?.text ?? ''}
      </p>
    </div>
  );
}

/** Where this page is, and the ways to other histories. A press leaves the focus where it is: in the field. */
function Bar({ history: { subject, ways } }: { readonly history: HistoryView }) {
  const app = useApp();
  return (
    <div className={own.bar}>
      <CloseButton icon="back" />
      <p className={own.trail} aria-hidden="true">
        <span className={own.from}>{subject}</span>
        <Icon name="chevron" size={12} />
        <b>History</b>
      </p>
      <div
        role="group"
        aria-label="History of"
        className={own.ways}
        onMouseDown={(event) => event.preventDefault()}
      >
        {ways.map(({ command, name, isCurrent }) => (
          <button
            key={command}
            type="button"
            className={own.way}
            aria-pressed={isCurrent}
            data-command={command}
            onClick={() => app.run(command)}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

function Finder({ history: { entries, active, filter } }: { readonly history: HistoryView }) {
  const app = useApp();
  return (
    <div className={own.finder}>
      <Icon name="search" size={14} />
      <input
        className={`${styles.input} ${own.find}`}
        data-first=""
        data-narrows=""
        type="text"
        role="combobox"
        aria-label="Find in the history"
        aria-expanded={entries.length > 0}
        aria-controls="history-entries"
        aria-activedescendant={entries[active] ? optionId(active) : undefined}
        autoComplete="off"
        placeholder="Find"
        value={filter}
        onChange={(event) => app.answer('history', { action: 'filter', text: event.target.value })}
        {...keysIn('dialog.history', 'list')}
      />
    </div>
  );
}

export function History({ history }: { readonly history: HistoryView }) {
  const app = useApp();
  const { entries, active, note, subject, extent, hasMore, isReading } = history;
  const chosen = entries[active];

  return (
    <div className={own.history} data-ph="history">
      <Bar history={history} />
      <div className={own.scroller} data-scroller="" tabIndex={-1}>
        <h2 className={own.title}>History</h2>
        <p className={own.facts} data-ph="history-facts">
          {[subject, extent].filter((fact) => fact !== '').join(' · ')}
        </p>
        {note !== null && (
          <p className={own.note} data-ph="history-note">
            {note}{' '}
            {history.canRetry && (
              <button
                type="button"
                className={styles.again}
                onClick={() => app.answer('history', { action: 'retry' })}
              >
                Try again
              </button>
            )}
          </p>
        )}
        <Finder history={history} />
        <Entries history={history} />
        {!chosen && <p className={own.empty}>{emptyText(history)}</p>}
        {hasMore && (
          <div className={own.older}>
            <Button disabled={isReading} onClick={() => app.answer('history', { action: 'more' })}>
              {isReading ? 'Reading…' : 'Read older changes'}
            </Button>
          </div>
        )}
      </div>
      {chosen && <Chosen entry={chosen} />}
      <Foot history={history} />
    </div>
  );
}
