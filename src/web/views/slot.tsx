// One pooled line of the outline. Its React key is the slot, so elements are reused while the window moves; the edit
// input is keyed by task, so that a reused slot never inherits text or caret.
// Slots keep what they drew by themselves; for the rest the React compiler's caching would cost more than it saves.
'use no memo';

import { memo, useLayoutEffect, useRef, useState } from 'react';
import type { App } from '#client/app/app.ts';
import { detailWords } from '#client/outline/row-words.ts';
import type { RowHeading, RowView } from '#client/app/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { MarkedLine } from '../parts/marked-line.tsx';
import { useSignal } from '../parts/use-signal.ts';
import { projectFocus } from './focus.ts';
import { isWrapped, phone } from './touch/phone-heights.ts';
import styles from './outline.module.css';

/** Deeper rows keep this indentation, so that the title stays readable, and show their level as a number. */
const DEEPEST_INDENT = 12;
const MOST_LABELS = 2;

function statesOf(row: RowView): string {
  return [
    row.done && 'complete',
    row.locked && 'locked',
    row.start !== null && 'future',
    row.snoozed !== null && 'snoozed',
    row.due?.overdue && 'overdue',
    row.selected && 'selected',
    row.unread && 'unread',
  ]
    .filter(Boolean)
    .join(' ');
}

function EditInput({ row, app }: { readonly row: RowView; readonly app: App }) {
  const input = useRef<HTMLTextAreaElement>(null);
  const { title } = row;
  // They stay as they are: React writes type, name and value of a field anew whenever its first text changes.
  // Where titles wrap, they do so while they are written. As it is used here, either element is like the other.
  const [[Field, initial]] = useState([phone.matches ? 'textarea' : ('input' as 'textarea'), title] as const);
  useLayoutEffect(() => {
    // What was typed comes back equal. A difference is an undo or another device: show it, keep the caret. What is drawn may
    // be older than what was typed meanwhile: keys that were held arrive faster than drawing.
    const element = input.current;
    const text = app.titleDraft(row.id) ?? title;
    if (!element || element.value === text) return;
    const caret = element.selectionStart;
    element.value = text;
    element.setSelectionRange(caret, caret);
  }, [app, row.id, title]);
  const type = ({ currentTarget, nativeEvent }: React.SyntheticEvent<HTMLTextAreaElement>) => {
    const { value, selectionStart } = currentTarget;
    // It wraps, and is one line all the same: what is put here comes back without line breaks. The end of a composition
    // says nothing of one.
    const { isComposing } = nativeEvent as { readonly isComposing?: boolean };
    app.draftTitle(row.id, value.replaceAll('\n', ' '), selectionStart, isComposing);
  };
  return (
    <MarkedLine field={input} text={title} tokens={row.tokens}>
      <Field
        ref={input}
        className={styles.input}
        data-ph="title-input"
        dir="auto"
        aria-label="Task title"
        aria-describedby={row.tokens.length > 0 ? `tokens-${row.line}` : undefined}
        enterKeyHint="next"
        autoComplete="off"
        autoCapitalize="sentences"
        spellCheck
        defaultValue={initial}
        onInput={type}
        onCompositionEnd={type}
      />
    </MarkedLine>
  );
}

/** What was recognized in the title while it is typed. Fingers take what is suggested from the bar (touch-bar.tsx). */
function Tokens({ row }: { readonly row: RowView }) {
  const suggested = row.tokens.find(({ state }) => state === 'suggested');
  return (
    <span id={`tokens-${row.line}`} className={styles.tokens} data-ph="tokens">
      <span className={styles.byFinger}>
        {suggested ? `Suggested: ${suggested.said}` : row.tokens.map(({ said }) => said).join(', ')}
      </span>
      <span className={styles.byKey}>
        {suggested ? 'Right arrow at the end accepts ' : 'Backspace right behind the words keeps them. '}
      </span>
      <kbd className={styles.tokenKey} aria-hidden="true">
        {suggested ? '→' : '⌫ words'}
      </kbd>
      {row.tokens.map((token) =>
        token === suggested ? (
          <button
            key={`${token.kind} ${token.said}`}
            type="button"
            className={styles.token}
            data-state={token.state}
            data-act="accept"
            aria-label={token.act}
            tabIndex={-1}
          >
            {token.said}
          </button>
        ) : (
          <span key={`${token.kind} ${token.said}`} className={styles.token} data-state={token.state}>
            {token.said}
          </span>
        ),
      )}
    </span>
  );
}

/** Seen once the task is done (outline.module.css). It is always there: to show it, nothing is laid out. */
const MARK = <Icon name="check" size={12} />;

/** What opens what is under a task and what completes it; in the trash, what it was. */
function Check({ row }: { readonly row: RowView }) {
  return (
    <span role="gridcell" className={styles.check}>
      {row.expanded !== null && (
        <span className={styles.toggle} data-act="toggle" aria-hidden="true">
          <Icon name="chevron" size={12} />
        </span>
      )}
      {row.kind === 'task' ? (
        <button
          type="button"
          className={styles.box}
          role="checkbox"
          aria-checked={row.done}
          aria-labelledby={`complete-word title-${row.line}`}
          tabIndex={-1}
          data-act="complete"
        >
          {MARK}
        </button>
      ) : (
        <span className={styles.kind}>
          <Icon name={row.kind} />
          <span className="visually-hidden">{row.kind === 'list' ? 'List' : 'Folder'}</span>
        </span>
      )}
    </span>
  );
}

/** The first ones by name, the rest as a number. */
function Labels({ labels }: Pick<RowView, 'labels'>) {
  const rest = labels.length - MOST_LABELS;
  return (
    <>
      {labels.slice(0, MOST_LABELS).map((label) => (
        <span
          key={label.id}
          className={styles.label}
          data-ph="label"
          style={{ '--ph-label': label.color } as React.CSSProperties}
        >
          {label.name}
        </span>
      ))}
      {rest > 0 && <span className={styles.moreLabels}>+{rest}</span>}
    </>
  );
}

/** What stands beside the title, for the eye; for the ear it is one sentence (row-words.ts). */
export function Meta({ row }: { readonly row: RowView }) {
  return (
    <span className={styles.shown} aria-hidden="true">
      {row.trashed !== null && (
        <span className={styles.trashed} data-ph="trashed">
          {row.trashed}
        </span>
      )}
      {row.childCount > 0 && (
        <span className={styles.count}>
          {row.childrenDone}/{row.childCount}
        </span>
      )}
      <Labels labels={row.labels} />
      {row.bookmarked && (
        <span className={styles.glyph} data-ph="bookmark">
          <Icon name="bookmark" size={14} />
        </span>
      )}
      {row.hasNotes && (
        <span className={styles.glyph}>
          <Icon name="notes" size={14} />
        </span>
      )}
      {row.hasFiles && (
        <span className={styles.glyph} data-ph="files">
          <Icon name="attachment" size={14} />
        </span>
      )}
      {row.comments > 0 && (
        <span className={styles.count} data-ph="comments">
          <Icon name="comment" size={14} /> {row.comments}
        </span>
      )}
      {row.snoozed !== null && <span className={styles.start}>{row.snoozed}</span>}
      {row.start !== null && <span className={styles.start}>{row.start}</span>}
      {row.planned !== null && <span className={styles.planned}>{row.planned}</span>}
      {row.duration !== null && <span className={styles.duration}>{row.duration}</span>}
      {row.reminds && (
        <span className={styles.glyph} data-ph="bell">
          <Icon name="bell" size={14} />
        </span>
      )}
      {row.repeats !== null && (
        <span className={styles.glyph} title={row.repeats || undefined} data-ph="repeat">
          <Icon name="repeat" size={14} />
        </span>
      )}
      {row.assignee !== null && (
        <span className={styles.glyph} data-former={row.assignee.isFormer || undefined} data-ph="assignee">
          <Avatar person={row.assignee} size={18} />
        </span>
      )}
      {row.path !== null && <span className={styles.path}>{row.path}</span>}
      {row.due !== null && row.dueTime !== '' ? (
        <span
          className={styles.rail}
          data-tone={row.snoozed === null ? row.dueTone : undefined}
          data-act="due"
          data-ph="due"
        >
          {row.dueTime ?? row.due.text}
        </span>
      ) : (
        row.path !== null && <span className={styles.rail} />
      )}
    </span>
  );
}

const ADDRESS = /https?:\/\/[^\s<>"]+/;

/** An address looks like one; a command opens it. */
function Linked({ title }: Pick<RowView, 'title'>) {
  const [address = ''] = ADDRESS.exec(title) ?? [];
  const [before, after] = [title.slice(0, title.indexOf(address)), title.slice(title.indexOf(address))];
  return [
    before,
    <span key="link" className={styles.link}>
      {address}
    </span>,
    after.slice(address.length),
  ];
}

/** What was searched for stands out. */
function Title({ title, found }: Pick<RowView, 'title' | 'found'>) {
  if (title === '') return <span className={styles.untitled}>Untitled</span>;
  if (found.length === 0) return title.includes('://') ? <Linked title={title} /> : title;
  const parts: React.ReactNode[] = [];
  let at = 0;
  // By number: while a query is typed, the marks stay and only their text changes.
  for (const [index, [start, end]] of found.entries()) {
    parts.push(title.slice(at, start), <mark key={index}>{title.slice(start, end)}</mark>);
    at = end;
  }
  return [...parts, title.slice(at)];
}

/** For the eye: each row says its own date. */
function Heading({ row, heading }: { readonly row: RowView; readonly heading: RowHeading }) {
  return (
    <div
      className={styles.heading}
      aria-hidden="true"
      data-late={heading.isLate || undefined}
      data-ph="heading"
      style={{
        transform: `translateY(calc(${row.y - row.head} * var(--ph-row)))`,
        height: `calc(${row.head} * var(--ph-row))`,
      }}
    >
      <b>{heading.text}</b> {heading.detail === '' ? '' : `${heading.detail} ·`} {heading.count}
    </div>
  );
}

export const Slot = memo(function Slot({ index }: { readonly index: number }) {
  const app = useApp();
  const row = useSignal(app.view.rows.slot(index));
  const element = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    // The row with the cursor may have moved to this slot, or away from it while DOM focus stayed.
    if (row?.cursor || element.current?.contains(document.activeElement)) projectFocus(app.view);
  }, [app, row]);

  if (!row) return null;
  const { id, line } = row;
  const words = detailWords(row);
  const isDone = row.done && row.kind === 'task';
  const indent = Math.min(row.level, DEEPEST_INDENT) - 1;
  const lineOf = (
    <div
      ref={element}
      id={`row-${line}`}
      className={styles.row}
      role="row"
      tabIndex={row.cursor ? 0 : -1}
      aria-rowindex={row.index + 1}
      aria-level={row.level}
      aria-posinset={row.posInSet}
      aria-setsize={row.setSize}
      aria-expanded={row.expanded ?? undefined}
      aria-selected={row.selected}
      aria-labelledby={`title-${line} ${isDone ? (words === '' ? 'completed' : 'completed-and') : ''} meta-${line}`}
      aria-describedby={`here-${line}`}
      data-row={id}
      data-ph="task"
      data-ph-level={row.level}
      data-ph-state={statesOf(row)}
      data-wrapped={isWrapped(row.height) ? '' : undefined}
      data-ph-cursor={row.cursor ? '' : undefined}
      data-ph-selected={row.selected ? '' : undefined}
      style={
        {
          transform: `translateY(calc(${row.y} * var(--ph-row)))`,
          height: row.height === 1 ? undefined : `calc(${row.height} * var(--ph-row))`,
          paddingInlineStart: `calc(${indent} * var(--ph-indent))`,
          '--level': indent,
        } as React.CSSProperties
      }
    >
      <Check row={row} />
      <span role="gridcell" className={row.editing ? styles.writing : styles.titleCell}>
        {row.level > DEEPEST_INDENT && (
          <span className={styles.level} aria-hidden="true">
            {row.level}
          </span>
        )}
        <span id={`title-${line}`} className={styles.title} data-ph="title" dir="auto" hidden={row.editing}>
          {row.locked && <Icon name="lock" size={14} />}
          <Title title={row.title} found={row.found} />
        </span>
        {row.editing && <EditInput key={id} row={row} app={app} />}
        {row.tokens.length > 0 && <Tokens row={row} />}
      </span>
      <span role="gridcell" id={`meta-${line}`} className={styles.meta}>
        {words !== '' && (
          <>
            <span className="visually-hidden">{words}</span>
            <Meta row={row} />
          </>
        )}
      </span>
      {row.selected && (
        <span className={styles.handle} data-act="drag" aria-hidden="true">
          <Icon name="handle" />
        </span>
      )}
    </div>
  );
  return row.heading === null ? (
    lineOf
  ) : (
    <>
      <Heading row={row} heading={row.heading} />
      {lineOf}
    </>
  );
});
