// Writing in the list: the one field that may be open, for a title, notes, or a new task. What is in it is kept when its row goes.
import type { ShownTask, VisitorChange } from '#wire/public-links.ts';
import type { Id } from '#core/ids.ts';
import { editor, type Field, type Written } from './editor.ts';
import { type ListState, newId } from './list-state.ts';
import type { Rows } from './rows.ts';

const GONE = 'That task is gone.';

/** What writing needs of the page. */
export interface WriterPorts {
  readonly rows: Rows;
  readonly state: ListState;
  /** Shows a change at once, and sends it. */
  readonly change: (change: VisitorChange, task: ShownTask) => void;
  readonly draw: () => void;
  /** Moves the cursor, with the focus or without. */
  readonly moveTo: (id: string | null, focuses: boolean) => void;
  /** What could not be saved stays on the page. */
  readonly keep: (text: string, message: string) => void;
  /** What the key that ended writing does next. */
  readonly goOn: (by: 'below' | 'child' | 'notes') => void;
}

interface Open {
  readonly id: string;
  readonly field: Field;
  /** What it began with. */
  readonly was: string;
}

/** Nothing else has taken the focus meanwhile. */
const isFree = () => document.activeElement === document.body;

/** Opens the field, and takes it away. */
export class Writer {
  readonly #ports: WriterPorts;
  readonly #isMoved = () => this.#ports.rows.isDrawing;
  #open: Open | null = null;

  constructor(ports: WriterPorts) {
    this.#ports = ports;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** A field in the place of a title or of notes. */
  write(task: ShownTask, what: 'title' | 'notes'): void {
    if (this.#open !== null) return;
    const was = what === 'title' ? task.title : (task.notes ?? '');
    const label = what === 'title' ? 'Title' : `Notes of ${task.title || 'this task'}`;
    const { id } = task;
    const written = (end: Written) => this.#wrote(id, { what, was }, end);
    this.#show({ id, was, field: editor({ what, text: was, label, isMoved: this.#isMoved, written }) }, what);
  }

  /** An empty row at the place of the new task, which is made when it has a title; Enter then begins the next one. `home`: where the cursor is otherwise. */
  add(place: { readonly parent: string | null; readonly after?: string }, home: string | null): void {
    if (this.#open !== null) return;
    const { state, draw, moveTo, change } = this.#ports;
    const { parent, after } = place;
    const key = crypto.randomUUID() as Id;
    const id = newId(key);
    state.put([{ id, parent, key: state.keyFor(parent, after), title: '' }]);
    if (after !== undefined) state.stayBehind(id, after);
    draw();
    moveTo(id, true);
    const written = ({ text, by }: Written) => {
      this.#close();
      const task = state.task(id);
      const isBack = by !== 'elsewhere';
      if (text.trim() === '' || task === undefined) {
        state.remove([id]);
        const wasFree = isFree();
        // Before the row goes: drawing gives its focus to the cursor.
        moveTo(home, false);
        draw();
        moveTo(home, isBack && (wasFree || isFree()));
        return;
      }
      const where = { ...(parent === null ? {} : { parent }), ...(after === undefined ? {} : { after }) };
      change({ do: 'add', key, title: text, ...where }, { ...task, title: text });
      moveTo(id, isBack && isFree());
      this.#goOn(by);
    };
    const label = 'Title of the new task';
    const field = editor({ what: 'title', isNew: true, text: '', label, isMoved: this.#isMoved, written });
    this.#show({ id, was: '', field }, 'title');
  }

  /** Takes the field away when its row has gone, or is about to. What was written stays on the page. */
  leaveGone(): void {
    const open = this.#open;
    if (open === null || this.#ports.state.outline.some(({ task }) => task.id === open.id)) return;
    const isNew = this.#ports.state.serverId(open.id) === null;
    this.#ports.state.remove([open.id]);
    this.end(isNew ? 'The task that this was to be under is gone.' : GONE);
  }

  /** Takes the field away, and keeps what was written with the reason why it is not saved. */
  end(message: string): void {
    const open = this.#open;
    if (open === null) return;
    open.field.drop();
    this.#close();
    const text = open.field.text();
    if (text !== open.was && text.trim() !== '') this.#ports.keep(text, message);
  }

  #close(): void {
    this.#open = null;
    this.#ports.rows.editing = null;
  }

  #show(open: Open, what: 'title' | 'notes'): void {
    const row = this.#ports.rows.row(open.id);
    if (row === undefined) {
      // Of a very long list the last rows are still being made.
      if (this.#ports.state.serverId(open.id) === null) this.#ports.state.remove([open.id]);
      return;
    }
    this.#open = open;
    this.#ports.rows.editing = open.id;
    const { element } = open.field;
    const place = row.querySelector(`.${what}`);
    if (place) place.replaceWith(element);
    else row.querySelector('.words')?.append(element);
    row.querySelector('.tools')?.remove();
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
    element.scrollIntoView({ block: 'nearest' });
  }

  #wrote(
    id: string,
    { what, was }: { readonly what: 'title' | 'notes'; readonly was: string },
    { text, by }: Written,
  ): void {
    this.#close();
    const { state, change, draw, moveTo, keep } = this.#ports;
    const task = state.task(id);
    if (task === undefined) {
      if (text !== was && text.trim() !== '') keep(text, GONE);
      draw();
      return;
    }
    if (text !== was)
      change(
        what === 'title' ? { do: 'title', id, title: text } : { do: 'notes', id, was, notes: text },
        task,
      );
    // What was heard meanwhile is drawn now, too.
    state.put([{ ...(state.task(id) ?? task) }]);
    draw();
    moveTo(id, by !== 'elsewhere' && isFree());
    this.#goOn(by);
  }

  #goOn(by: Written['by']): void {
    if (by !== 'leaving' && by !== 'elsewhere') this.#ports.goOn(by);
  }
}
