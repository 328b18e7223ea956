// Marks the words recognized in a line of text, behind the field that holds the text: a field cannot show parts of its
// text differently. The marks take no room and no events, so nothing moves when they come and go.
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import type { TokenView } from '#client/entry/entry-view.ts';
import type { Field } from '../platform/input/fields.ts';
import styles from './marked-line.module.css';

/** The text in pieces: between the marks, and in them. */
function pieces(text: string, tokens: readonly TokenView[]): readonly ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { at, text: words, kind, state } of tokens) {
    if (at === null || at < end) continue;
    parts.push(
      text.slice(end, at),
      <mark key={at} className={styles.mark} data-kind={kind} data-state={state} data-ph="token-mark">
        {text.slice(at, at + words.length)}
      </mark>,
    );
    end = at + words.length;
  }
  return [...parts, text.slice(end)];
}

function scrollAlong(marks: RefObject<HTMLElement | null>, field: RefObject<Field | null>): void {
  if (!marks.current || !field.current) return;
  marks.current.scrollLeft = field.current.scrollLeft;
  marks.current.scrollTop = field.current.scrollTop;
}

function Marks({
  field,
  text,
  tokens,
}: {
  readonly field: RefObject<Field | null>;
  readonly text: string;
  readonly tokens: readonly TokenView[];
}) {
  const marks = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const input = field.current;
    const follow = () => scrollAlong(marks, field);
    input?.addEventListener('scroll', follow);
    return () => input?.removeEventListener('scroll', follow);
  }, [field]);
  useLayoutEffect(() => {
    // Only a line longer than its field is scrolled: asking costs a layout.
    if (text.length > LONG) scrollAlong(marks, field);
  });
  return (
    <span ref={marks} className={styles.marks} dir="auto" aria-hidden="true">
      <span className={styles.text}>{pieces(text, tokens)}</span>
    </span>
  );
}

/** Shorter lines fit into every field that is wider than a phone’s. */
const LONG = 30;

/** The field that is its child, with marks behind the words of `tokens` in `text`. `field`: the same field. */
export function MarkedLine({
  field,
  text,
  tokens,
  className = '',
  children,
}: {
  readonly field: RefObject<Field | null>;
  readonly text: string;
  readonly tokens: readonly TokenView[];
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <span className={`${styles.line} ${className}`}>
      {tokens.some(({ at }) => at !== null) && <Marks field={field} text={text} tokens={tokens} />}
      {children}
    </span>
  );
}
