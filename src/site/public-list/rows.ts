// Draws the rows of a public list: one element per task, kept as long as the task is there, so that the cursor and what is being
// written stay where they are. Rows out of sight are not laid out (look.css).
import { whenText } from '#core/when-text.ts';
import type { LinkMay, ShownLabel, ShownTask } from '#wire/public-links.ts';
import type { OutlinedTask } from '#wire/shown-outline.ts';
import { element, withLinks } from './elements.ts';

const MOST_INDENT = 12;
/** Rows that are made before the page is shown for the first time, and with each step after it. */
const FIRST_ROWS = 300;
const STEP_ROWS = 1_000;
/** Rows that are laid out together at most. */
const MOST_IN_PART = 200;
/** The height of a row of one line, as long as nobody has seen it. */
const ROW_PIXELS = 40;
const SVG = 'http://www.w3.org/2000/svg';

interface Drawn {
  readonly row: HTMLElement;
  task: ShownTask;
  level: number;
  may: LinkMay;
}

function label({ name, color }: ShownLabel): HTMLElement {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('viewBox', '0 0 8 8');
  picture.setAttribute('aria-hidden', 'true');
  const dot = document.createElementNS(SVG, 'circle');
  for (const [key, value] of Object.entries({ cx: '4', cy: '4', r: '4', fill: color }))
    dot.setAttribute(key, value);
  picture.append(dot);
  return element('span', { class: 'label' }, picture, element('bdi', {}, name));
}

function facts({ due, start, repeats, labels = [] }: ShownTask): readonly Node[] {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const fact = (text: string) => element('span', { class: 'fact' }, text);
  const parts: Node[] = [
    ...(start ? [fact(`starts ${whenText(start, zone)}`)] : []),
    ...(due ? [fact(`due ${whenText(due, zone)}`)] : []),
    ...(repeats ? [fact('repeats')] : []),
    ...labels.map(label),
  ];
  if (parts.length === 0) return [];
  return [element('p', { class: 'facts' }, ...parts.flatMap((part) => [part, ' ']))];
}

function box({ id, isDone }: ShownTask, may: LinkMay): HTMLElement {
  if (!may.complete) return element('span', { class: 'box', 'aria-hidden': 'true' });
  return element('button', {
    class: 'box',
    type: 'button',
    role: 'checkbox',
    'aria-checked': isDone ? 'true' : 'false',
    'aria-labelledby': `t-${id}`,
    tabindex: -1,
  });
}

function content(task: ShownTask, may: LinkMay): readonly Node[] {
  const { title, notes, isDone } = task;
  const said = isDone && !may.complete ? [element('span', { class: 'unseen' }, 'Done: ')] : [];
  const name = title === '' ? [element('span', { class: 'untitled' }, 'Untitled')] : withLinks(title);
  const note =
    notes === undefined ? [] : [element('div', { class: 'notes', dir: 'auto' }, ...withLinks(notes))];
  return [
    box(task, may),
    element(
      'div',
      { class: 'words' },
      element('p', { class: 'title', dir: 'auto', id: `t-${task.id}` }, ...said, ...name),
      ...note,
    ),
    ...facts(task),
  ];
}

/** Brings the children of an element into this order; what is not named goes. What stands right is not touched. */
function arrange(parent: Element, wanted: readonly Element[]): void {
  let next = parent.firstChild;
  for (const child of wanted) {
    if (next !== null && next !== child && next.nextSibling === child) {
      // One that is to stand further down, or nowhere, is taken out, instead of moving all others past it.
      const moved: ChildNode = next;
      next = child;
      moved.remove();
    }
    if (next === child) next = child.nextSibling;
    else parent.insertBefore(child, next);
  }
  while (next !== null) {
    const rest: ChildNode = next;
    next = next.nextSibling;
    rest.remove();
  }
}

/**
 * The rows in parts that the browser lays out one by one. A part begins with a task whose id says so, and not after so many: so what
 * comes or goes changes one part, and not all after it.
 */
function partsOf(outline: readonly OutlinedTask[]): readonly (readonly OutlinedTask[])[] {
  const parts: OutlinedTask[][] = [];
  for (const each of outline) {
    const part = parts.at(-1);
    // The letters of an id are random: one in sixty-four.
    if (part === undefined || part.length >= MOST_IN_PART || each.task.id.charAt(3) === 'A')
      parts.push([each]);
    else part.push(each);
  }
  return parts;
}

/** The rows of the page. */
export class Rows {
  readonly list: HTMLElement;
  readonly #drawn = new Map<string, Drawn>();
  readonly #parts = new Map<string, HTMLElement>();
  /** The row whose content an editor has; it is drawn anew when that has gone. */
  editing: string | null = null;
  #tabbed: HTMLElement | undefined;
  #limit = FIRST_ROWS;
  #isGrowing = false;

  constructor(list: HTMLElement) {
    this.list = list;
  }

  row(id: string): HTMLElement | undefined {
    return this.#drawn.get(id)?.row;
  }

  idOf(node: EventTarget | null): string | null {
    const row = node instanceof Element ? node.closest<HTMLElement>('[data-id]') : null;
    return row?.dataset['id'] ?? null;
  }

  /** Shows these tasks; `cursor`: the one that keys are about. */
  draw(outline: readonly OutlinedTask[], may: LinkMay, cursor: string | null): void {
    const focused = document.activeElement;
    const home = this.idOf(focused);
    const shown = outline.slice(0, this.#limit);
    const ids = new Set(shown.map(({ task }) => task.id));
    for (const id of this.#drawn.keys()) if (!ids.has(id)) this.#drawn.delete(id);
    const parts = partsOf(shown);
    const before = new Map(this.#parts);
    this.#parts.clear();
    const elements = parts.map((part) => {
      const key = part[0]?.task.id ?? '';
      const made = before.get(key) ?? element('div', { class: 'part', role: 'presentation' });
      this.#parts.set(key, made);
      made.style.containIntrinsicSize = `auto ${part.length * ROW_PIXELS}px`;
      arrange(
        made,
        part.map((each) => this.#renewed(each, may)),
      );
      return made;
    });
    arrange(this.list, elements);
    this.tab(cursor);
    this.#focusAgain(focused, home);
    if (this.#limit < outline.length) this.#grow();
  }

  /** The row that the Tab key comes to. */
  tab(cursor: string | null): void {
    const row = cursor === null ? undefined : this.row(cursor);
    if (row === this.#tabbed) return;
    if (this.#tabbed) this.#tabbed.tabIndex = -1;
    if (row) row.tabIndex = 0;
    this.#tabbed = row;
  }

  /** What had the focus may have been moved or drawn anew. */
  #focusAgain(focused: Element | null, home: string | null): void {
    if (!(focused instanceof HTMLElement) || focused === document.activeElement) return;
    const row = home === null ? undefined : this.row(home);
    (focused.isConnected ? focused : row)?.focus({ preventScroll: true });
  }

  /** Asks to draw again, with more rows. */
  onGrown: () => void = () => undefined;

  #grow(): void {
    if (this.#isGrowing) return;
    this.#isGrowing = true;
    setTimeout(() => {
      this.#isGrowing = false;
      this.#limit += STEP_ROWS;
      this.onGrown();
    });
  }

  #renewed({ task, level }: OutlinedTask, may: LinkMay): HTMLElement {
    const { id, isDone } = task;
    const known = this.#drawn.get(id);
    if (known?.task === task && known.level === level && known.may === may) return known.row;
    const row = known?.row ?? element('div', { 'data-id': id, role: 'listitem', tabindex: -1 });
    row.className = isDone ? 'task done' : 'task';
    row.setAttribute('aria-level', String(level));
    row.dataset['level'] = String(Math.min(level, MOST_INDENT));
    if (this.editing !== id) {
      row.replaceChildren(...content(task, may));
      this.#drawn.set(id, { row, task, level, may });
    }
    return row;
  }
}
