// Draws the rows of a public list: one element per task, kept as long as the task is there, so that the cursor and what is being
// written stay where they are. Rows out of sight cost the browser next to nothing (look.css).
import { whenText } from '#core/when-text.ts';
import type { LinkMay, ShownLabel, ShownTask } from '#wire/public-links.ts';
import type { OutlinedTask } from '#wire/shown-outline.ts';
import { element, withLinks } from './elements.ts';

const MOST_INDENT = 12;
/** Rows that are made before the page is shown for the first time, and with each step after it. */
const FIRST_ROWS = 300;
const STEP_ROWS = 1_000;
const SVG = 'http://www.w3.org/2000/svg';

interface Drawn {
  readonly row: HTMLLIElement;
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
      ...facts(task),
      ...note,
    ),
  ];
}

/** The rows of the page. */
export class Rows {
  readonly list: HTMLUListElement;
  readonly #drawn = new Map<string, Drawn>();
  /** The row whose content an editor has; it is drawn anew when that has gone. */
  editing: string | null = null;
  #limit = FIRST_ROWS;
  #isGrowing = false;

  constructor(list: HTMLUListElement) {
    this.list = list;
  }

  row(id: string): HTMLLIElement | undefined {
    return this.#drawn.get(id)?.row;
  }

  idOf(node: EventTarget | null): string | null {
    const row = node instanceof Element ? node.closest<HTMLLIElement>('li[data-id]') : null;
    return row?.dataset['id'] ?? null;
  }

  /** Shows these tasks; `cursor`: the one that keys are about. */
  draw(outline: readonly OutlinedTask[], may: LinkMay, cursor: string | null): void {
    const focused = document.activeElement;
    const home = this.idOf(focused);
    const shown = outline.slice(0, this.#limit);
    const ids = new Set(shown.map(({ task }) => task.id));
    if (this.#drawn.size === 0) this.list.replaceChildren();
    for (const [id, { row }] of this.#drawn) {
      if (ids.has(id)) continue;
      row.remove();
      this.#drawn.delete(id);
    }
    let next: ChildNode | null = this.list.firstChild;
    for (const each of shown) {
      const row = this.#renewed(each, may);
      row.tabIndex = each.task.id === cursor ? 0 : -1;
      // One that is to stand further down is taken out, instead of moving all others past it.
      if (next !== null && next !== row && next.nextSibling === row) {
        const moved: ChildNode = next;
        next = row;
        moved.remove();
      }
      if (next === row) next = row.nextSibling;
      else this.list.insertBefore(row, next);
    }
    this.#focusAgain(focused, home);
    if (this.#limit < outline.length) this.#grow();
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

  #renewed({ task, level }: OutlinedTask, may: LinkMay): HTMLLIElement {
    const { id, isDone } = task;
    const known = this.#drawn.get(id);
    if (known?.task === task && known.level === level && known.may === may) return known.row;
    const row = known?.row ?? element('li', { 'data-id': id });
    row.className = isDone ? 'task done' : 'task';
    row.setAttribute('aria-level', String(level));
    row.dataset['level'] = String(Math.min(level, MOST_INDENT));
    if (this.editing !== id) row.replaceChildren(...content(task, may));
    if (this.editing !== id) this.#drawn.set(id, { row, task, level, may });
    return row;
  }
}
