// A note as it is read: elements made from what its Markdown says. Nothing in it is ever taken for HTML. Checkboxes are
// buttons, links lead out of the app.
import { Fragment, memo, startTransition, useEffect, useMemo, useState } from 'react';
import { type Block, type Inline, type Item, readNote } from '#core/markdown/reading.ts';
import { Icon } from '../parts/icon.tsx';
import { breakable, kerningOf } from '#core/markdown/long-words.ts';
import styles from './reading.module.css';

const SPAN = { strong: 'strong', emphasis: 'em', strike: 's' } as const;
const HEADING = ['h3', 'h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;

/** Of a long note what fits on a screen is drawn with the key, the rest once the person stays with it. */
const FIRST = 4_000;
const REST_MS = 250;
const STEP = 6_000;
const STEP_MS = 50;

type Toggle = ((at: number) => void) | null;

/** Each text knows where it stands in the note: a press puts the caret there. */
function Text({ part }: { readonly part: Inline }) {
  if (part.type === 'text')
    return breakable(part.text).map(({ text, at }) => (
      <Fragment key={at}>
        {at > 0 && <wbr />}
        <span data-at={part.at + at}>{text}</span>
      </Fragment>
    ));
  if (part.type === 'code') return <code data-at={part.at}>{part.text}</code>;
  if (part.type === 'link')
    return (
      <a href={part.address} target="_blank" rel="noopener noreferrer" title={part.address}>
        <Texts parts={part.parts} />
      </a>
    );
  const Span = SPAN[part.type];
  return (
    <Span>
      <Texts parts={part.parts} />
    </Span>
  );
}

function Texts({ parts }: { readonly parts: readonly Inline[] }) {
  return parts.map((part) => <Text key={part.at} part={part} />);
}

function plain(parts: readonly Inline[]): string {
  return parts.map((part) => ('text' in part ? part.text : plain(part.parts))).join('');
}

/** What a checkbox is about. */
function nameOf({ blocks: [first] }: Item): string {
  return first?.type === 'paragraph' ? plain(first.parts) : 'Checkbox';
}

function ListItem({ item, onToggle }: { readonly item: Item; readonly onToggle: Toggle }) {
  const { box, blocks } = item;
  if (box === null)
    return (
      <li>
        <Blocks blocks={blocks} onToggle={onToggle} />
      </li>
    );
  return (
    <li className={`${styles.task} ${box.isChecked ? styles.done : ''}`}>
      <button
        type="button"
        className={styles.box}
        role="checkbox"
        aria-checked={box.isChecked}
        aria-label={nameOf(item)}
        disabled={onToggle === null}
        onClick={() => onToggle?.(box.at)}
      >
        {box.isChecked && <Icon name="check" size={12} />}
      </button>
      <Blocks blocks={blocks} onToggle={onToggle} />
    </li>
  );
}

function List({ block, onToggle }: { readonly block: Block & { type: 'list' }; readonly onToggle: Toggle }) {
  const items = block.items.map((item, index) => (
    // oxlint-disable-next-line no-array-index-key -- a checkbox keeps the focus when the text before it changes
    <ListItem key={index} item={item} onToggle={onToggle} />
  ));
  return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
}

const One = memo(function One({ block, onToggle }: { readonly block: Block; readonly onToggle: Toggle }) {
  switch (block.type) {
    case 'heading': {
      const Heading = HEADING[block.level] ?? 'h6';
      return (
        <Heading data-level={block.level}>
          <Texts parts={block.parts} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Texts parts={block.parts} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} onToggle={onToggle} />
        </blockquote>
      );
    case 'list':
      return <List block={block} onToggle={onToggle} />;
    case 'code':
      return (
        // What is wider than the pane is scrolled to by keys too.
        // oxlint-disable-next-line no-noninteractive-tabindex
        <pre tabIndex={0} data-at={block.at}>
          {block.text}
        </pre>
      );
    case 'rule':
      return <hr />;
  }
});

function Blocks({ blocks, onToggle }: { readonly blocks: readonly Block[]; readonly onToggle: Toggle }) {
  // oxlint-disable-next-line no-array-index-key -- as above
  return blocks.map((block, index) => <One key={index} block={block} onToggle={onToggle} />);
}

/** `onToggle` gets the place of the checkbox in the text; null: they are only shown. */
export const NoteReading = memo(function NoteReading({
  text,
  onToggle,
}: {
  readonly text: string;
  readonly onToggle: Toggle;
}) {
  const [limit, setLimit] = useState(FIRST);
  const isPart = limit === FIRST && text.length > FIRST;
  const blocks = useMemo(() => readNote(isPart ? text.slice(0, FIRST) : text), [isPart, text]);
  useEffect(() => {
    if (limit >= text.length) return undefined;
    const timer = setTimeout(
      () => startTransition(() => setLimit(limit + STEP)),
      limit === FIRST ? REST_MS : STEP_MS,
    );
    return () => clearTimeout(timer);
  }, [limit, text]);
  return (
    <div className={styles.note} style={{ fontKerning: kerningOf(text) }} data-ph="note">
      <Blocks
        blocks={limit >= text.length ? blocks : blocks.filter(({ at }) => at < limit)}
        onToggle={onToggle}
      />
    </div>
  );
});

/** The place in the note of what was pressed; null where no text is. */
export function placeOfPress(event: { readonly clientX: number; readonly clientY: number }): number | null {
  const found = document.caretPositionFromPoint?.(event.clientX, event.clientY);
  const element = found?.offsetNode.parentElement?.closest<HTMLElement>('[data-at]');
  return found && element ? Number(element.dataset['at']) + found.offset : null;
}
