// A task of a public link as a row of its page, the same for the server, which draws it first, and for the page, which goes on with it:
// nothing moves when the script takes over.
import { drawn, type Drawn, type DrawnElement, drawnText, hasSigns } from '#core/markdown/drawn.ts';
import { kerningOf } from '#core/markdown/long-words.ts';
import { plainColor } from '#core/model.ts';
import { type WallClock, whenText } from '#core/when-text.ts';
import type { ShownLabel, ShownTask } from '../public-links.ts';
import type { OutlinedTask } from './shown-outline.ts';

/** Levels with an indent of their own. */
const MOST_INDENT = 12;
/** Longer notes are shown as they were typed: reading them would hold up everybody else. */
const LONGEST_FORMATTED = 20_000;
const COLOR = /^#[0-9a-f]{6}$/i;

/** How rows are drawn. */
export interface RowLook {
  /** Whether the box is a button. */
  readonly canComplete: boolean;
  /** By which moments are told. */
  readonly clock: WallClock;
  /** Draws the Markdown of notes; null: nothing can yet, and they are shown as they were typed. */
  readonly note: ((text: string) => readonly Drawn[]) | null;
}

/** The attributes of a row. */
export const rowAttributes = (
  { task, level }: OutlinedTask,
  { canComplete }: Pick<RowLook, 'canComplete'>,
) => ({
  class: task.isDone ? 'task done' : 'task',
  role: 'listitem',
  'aria-labelledby': `t-${task.id}`,
  // Where the box says it, it is not part of the name.
  'aria-description': task.isDone && canComplete ? 'done' : undefined,
  'aria-level': String(level),
  'data-id': task.id,
  'data-level': String(Math.min(level, MOST_INDENT)),
});

function box({ id, isDone }: ShownTask, canComplete: boolean): Drawn {
  if (!canComplete) return drawn('span', { class: 'box', 'aria-hidden': 'true' });
  return drawn('button', {
    class: 'box',
    type: 'button',
    role: 'checkbox',
    'aria-checked': isDone ? 'true' : 'false',
    'aria-labelledby': `t-${id}`,
    tabindex: '-1',
  });
}

function label({ name, color }: ShownLabel): Drawn {
  // Style attributes are not allowed here; a color of a picture is.
  const fill = COLOR.test(color) ? color : plainColor;
  const circle = drawn('circle', { cx: '4', cy: '4', r: '4', fill });
  const dot = drawn('svg', { viewBox: '0 0 8 8', 'aria-hidden': 'true' }, [circle]);
  return drawn('span', { class: 'label' }, [dot, drawn('bdi', {}, [name])]);
}

function facts({ due, start, repeats, labels = [] }: ShownTask, clock: WallClock): readonly Drawn[] {
  const fact = (text: string) => drawn('span', { class: 'fact' }, [text]);
  const parts = [
    ...(start ? [fact(`starts ${whenText(start, clock)}`)] : []),
    ...(due ? [fact(`due ${whenText(due, clock)}`)] : []),
    ...(repeats ? [fact('repeats')] : []),
    ...labels.map(label),
  ];
  if (parts.length === 0) return [];
  return [
    drawn(
      'p',
      { class: 'facts' },
      parts.flatMap((part) => [part, ' ']),
    ),
  ];
}

const classOf = (name: string, text: string) => (kerningOf(text) === undefined ? name : `${name} long`);

/** Whether a note is shown as it was typed, or has to be read first. */
export const isTyped = (text: string): boolean => text.length > LONGEST_FORMATTED || !hasSigns(text);

function note(text: string, { note: read }: RowLook): DrawnElement {
  if (read !== null && !isTyped(text))
    return drawn('div', { class: classOf('notes', text), dir: 'auto' }, read(text));
  return drawn('div', { class: classOf('notes typed', text), dir: 'auto' }, drawnText(text));
}

/** What is in the row of a task. */
export function rowContent(task: ShownTask, look: RowLook): readonly Drawn[] {
  const { id, title, notes, isDone, isLocked } = task;
  const said = isDone && !look.canComplete ? [drawn('span', { class: 'unseen' }, ['Done: '])] : [];
  const none = isLocked === true ? 'Locked' : 'Untitled';
  const name = title === '' ? [drawn('span', { class: 'untitled' }, [none])] : drawnText(title);
  const heading = drawn('p', { class: classOf('title', title), dir: 'auto', id: `t-${id}` }, [
    ...said,
    ...name,
  ]);
  return [
    box(task, look.canComplete),
    drawn('div', { class: 'words' }, [heading, ...(notes === undefined ? [] : [note(notes, look)])]),
    ...facts(task, look.clock),
  ];
}
