// The field in which a visitor writes a title or notes, in the row that it is about. Leaving it keeps what was written, as in the app.
import { element } from './elements.ts';

/** What is written, and how the field was left: with the focus on its way to something else, or by what comes next. */
export interface Written {
  readonly text: string;
  readonly by: 'leaving' | 'elsewhere' | 'below' | 'child' | 'notes';
}

/** A field that is to be written in. */
export interface Writing {
  readonly what: 'title' | 'notes';
  /** Of a task that is being made: Enter makes it and begins the next one. */
  readonly isNew?: boolean;
  readonly text: string;
  /** What the field is called. */
  readonly label: string;
  /** Whether its row is being moved: the field loses the focus by that, and gets it back. */
  readonly isMoved: () => boolean;
  readonly written: (written: Written) => void;
}

/** A field that is open. */
export interface Field {
  readonly element: HTMLTextAreaElement;
  /** What stands in it. */
  text(): string;
  /** From now on nothing is written by it, however it is left. */
  drop(): void;
}

const LONGEST_TITLE = 4_000;

/** How a key ends writing; undefined: it does not. Enter in notes is a line of theirs. */
function endOf(
  event: KeyboardEvent,
  { what, isNew = false }: Pick<Writing, 'what' | 'isNew'>,
): Written['by'] | undefined {
  if (event.isComposing) return undefined;
  if (event.key === 'Escape') return 'leaving';
  if (event.key !== 'Enter') return undefined;
  if (what === 'notes') return undefined;
  if (event.ctrlKey) return 'below';
  if (event.altKey) return 'child';
  if (event.shiftKey) return 'notes';
  return isNew ? 'below' : 'leaving';
}

/** The field; `written` is called once, when it is left. */
export function editor({ what, isNew = false, text, label, isMoved, written }: Writing): Field {
  const field = element('textarea', {
    class: `edit ${what}`,
    rows: what === 'title' ? 1 : 4,
    'aria-label': label,
    enterkeyhint: what === 'notes' ? 'enter' : isNew ? 'next' : 'done',
    dir: 'auto',
    ...(what === 'title' ? { maxlength: LONGEST_TITLE } : {}),
  });
  field.value = text;
  let isOver = false;
  const read = () => (what === 'title' ? field.value.replaceAll(/\s*\n\s*/g, ' ') : field.value);
  const end = (by: Written['by']) => {
    if (isOver) return;
    isOver = true;
    written({ text: read(), by });
  };
  field.addEventListener('keydown', (event) => {
    event.stopPropagation();
    const by = endOf(event, { what, isNew });
    if (by === undefined) return;
    event.preventDefault();
    end(by);
  });
  field.addEventListener('blur', ({ relatedTarget }) => {
    if (!isMoved()) end(relatedTarget === null ? 'leaving' : 'elsewhere');
  });
  return {
    element: field,
    text: read,
    drop() {
      isOver = true;
    },
  };
}
