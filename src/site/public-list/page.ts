// The page of a public list, put together: what is shown, what keys and fingers do, and what is said about it.
import type { LinkMay, ShownList, ShownTask, StreamEvent } from '#wire/public-links.ts';
import { doneOf } from '#wire/shown-outline.ts';
import { editor, type Written } from './editor.ts';
import { element } from './elements.ts';
import { Following } from './following.ts';
import { actOf, keyOf, type Act } from './keys.ts';
import { ListState } from './list-state.ts';
import { Rows } from './rows.ts';
import { Sending, type Change, type Refused } from './sending.ts';
import { aboutText, keysDialog, statusText, unsavedBox } from './words.ts';

/** The parts of the document that the page works with. */
export interface PageParts {
  readonly list: HTMLElement;
  readonly about: HTMLElement;
  readonly status: HTMLElement;
  readonly empty: HTMLElement;
  readonly heading: HTMLElement;
  readonly live: HTMLElement;
  /** "2 of 8 done", and the part of the ring beside it. */
  readonly count: HTMLElement;
  readonly part: Element;
  readonly main: HTMLElement;
}

const NEW = 'new-';

const stay = (event: BeforeUnloadEvent) => event.preventDefault();

/** The page. */
export class PublicListPage {
  readonly #parts: PageParts;
  readonly #address: string;
  readonly #state = new ListState();
  readonly #rows: Rows;
  readonly #sending: Sending;
  readonly #following: Following;
  /** Heard while a new task is on its way: it would be shown twice. */
  #held: StreamEvent[] = [];
  #cursor: string | null = null;
  #isConnected = false;
  #isOver = false;
  #nick = '';
  readonly #tools: HTMLElement;

  constructor(parts: PageParts, address: string) {
    this.#parts = parts;
    this.#address = address;
    this.#rows = new Rows(parts.list);
    this.#rows.onGrown = () => this.#draw();
    this.#sending = new Sending({
      address,
      nick: () => this.#nick,
      made: (change, task) => this.#made(change, task),
      refused: (refused) => this.#refused(refused),
      closed: (message) => this.#following.over(message),
      changed: () => this.#say(),
    });
    this.#following = new Following({
      address,
      read: (list) => this.#read(list.tasks, list),
      heard: (event) => this.#heard(event),
      closed: (message) => this.#closed(message),
      connected: (isConnected) => {
        this.#isConnected = isConnected;
        this.#say();
      },
    });
    this.#tools = element('div', { class: 'tools', role: 'group', 'aria-label': 'This task' });
    this.#listen();
  }

  start(): void {
    void this.#following.read();
  }

  #listen(): void {
    const { list } = this.#parts;
    list.addEventListener('keydown', (event) => this.#key(event));
    document.addEventListener('keydown', (event) => this.#keyAnywhere(event));
    list.addEventListener('focusin', ({ target }) => this.#moveTo(this.#rows.idOf(target), false));
    list.addEventListener('click', (event) => this.#click(event));
  }

  #read(tasks: readonly ShownTask[], list: ShownList): void {
    const pending = this.#state.outline.map(({ task }) => task).filter(({ id }) => id.startsWith(NEW));
    this.#state.replace([...tasks, ...(this.#sending.isAdding ? pending : [])]);
    this.#permit(list);
    this.#draw();
  }

  #permit({ name, logo, may }: ShownList): void {
    const { heading, about } = this.#parts;
    const wasSame = JSON.stringify(may) === JSON.stringify(this.#state.may);
    this.#state.name = name;
    this.#state.may = may;
    this.#showLogo(logo);
    const shown = name === '' ? 'Untitled list' : name;
    if (heading.textContent !== shown) heading.textContent = shown;
    document.title = shown;
    about.replaceChildren(...aboutText(may));
    if (!wasSame) this.#drawBar(may);
    this.#drawTools();
  }

  /** Only where permissions change: somebody may be writing their name in it. */
  #drawBar(may: LinkMay): void {
    const { main } = this.#parts;
    main.querySelector('.visitor')?.remove();
    if (may.add || may.complete || may.titles || may.notes) main.append(this.#visitorBar(may));
  }

  #showLogo(logo: string | null): void {
    const shown = document.querySelector<HTMLImageElement>('.logo');
    if (logo === null) shown?.remove();
    else if (shown === null || new URL(shown.src).searchParams.get('v') !== logo) {
      const src = `${this.#address}/logo?v=${encodeURIComponent(logo)}`;
      const picture = element('img', { class: 'logo', alt: '', src });
      if (shown === null) this.#parts.heading.before(picture);
      else shown.replaceWith(picture);
    }
  }

  /** The button that adds a task, and what the visitor calls themselves. */
  #visitorBar({ add }: LinkMay): HTMLElement {
    const nick = element('input', {
      type: 'text',
      maxlength: 40,
      autocomplete: 'nickname',
      value: this.#nick,
    });
    nick.addEventListener('input', () => {
      this.#nick = nick.value.trim();
    });
    const name = element('label', { class: 'nick' }, 'Your name, if you like ', nick);
    const adding = element('button', { type: 'button', class: 'add' }, '+ Add something');
    adding.addEventListener('click', () => this.#addTask(null, undefined));
    return element('div', { class: 'visitor' }, ...(add ? [adding] : []), name);
  }

  #heard(event: StreamEvent): void {
    if (event.type === 'over') {
      this.#following.over(
        event.why === 'paused'
          ? 'Whoever shares this list has paused the link. It may work again later.'
          : 'This link was deleted. Ask whoever shared it with you.',
      );
    } else if (event.type === 'list') {
      this.#permit(event);
      this.#draw();
    } else if (this.#sending.isAdding) this.#held.push(event);
    else this.#take(event);
  }

  #take(event: StreamEvent): void {
    if (event.type !== 'news') return;
    this.#state.put(event.tasks);
    this.#state.remove(event.gone);
    this.#draw();
  }

  #draw(): void {
    if (this.#isOver) return;
    const { outline, may } = this.#state;
    const known = this.#cursor === null ? undefined : this.#state.task(this.#cursor);
    if (known === undefined) this.#cursor = outline[0]?.task.id ?? null;
    this.#rows.draw(outline, may, this.#cursor);
    this.#parts.empty.hidden = outline.length > 0;
    this.#count();
    this.#drawTools();
  }

  #count(): void {
    const { count, part } = this.#parts;
    const { text, percent } = doneOf(this.#state.outline.map(({ task }) => task));
    count.textContent = text;
    if (count.parentElement) count.parentElement.hidden = text === '';
    part.setAttribute('stroke-dasharray', `${percent} 100`);
  }

  #moveTo(id: string | null, focuses = true): void {
    if (id === null || this.#state.task(id) === undefined) return;
    this.#cursor = id;
    this.#rows.tab(id);
    const row = this.#rows.row(id);
    if (row === undefined) return;
    if (focuses) {
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: 'nearest' });
    }
    this.#drawTools();
  }

  /** What a finger can do with the task that the cursor is on. */
  #drawTools(): void {
    const id = this.#cursor;
    const row = id === null ? undefined : this.#rows.row(id);
    const { may } = this.#state;
    const isOn = row !== undefined && row.contains(document.activeElement) && this.#rows.editing === null;
    const acts: readonly (readonly [Act, string, boolean])[] = [
      ['edit', 'Edit', may.titles],
      ['notes', 'Notes', may.notes],
      ['below', 'New below', may.add],
    ];
    const shown = acts.filter(([, , is]) => is);
    if (!isOn || shown.length === 0) {
      if (!this.#tools.contains(document.activeElement)) this.#tools.remove();
      return;
    }
    if (this.#tools.parentElement === row && this.#tools.childElementCount === shown.length) return;
    this.#tools.replaceChildren(
      ...shown.map(([act, text]) =>
        element('button', { type: 'button', 'data-act': act, tabindex: -1 }, text),
      ),
    );
    row.append(this.#tools);
  }

  #click({ target }: MouseEvent): void {
    const id = this.#rows.idOf(target);
    if (id === null || !(target instanceof Element) || target.closest('a, textarea') !== null) return;
    const act = target.closest<HTMLElement>('[data-act]')?.dataset['act'] as Act | undefined;
    const isBox = target.closest('.box') !== null;
    this.#moveTo(id, !isBox);
    if (act !== undefined) this.#do(act);
    else if (isBox) this.#do('complete');
  }

  #key(event: KeyboardEvent): void {
    if (event.target instanceof HTMLButtonElement && ['Enter', ' '].includes(event.key)) return;
    const act = actOf(keyOf(event), this.#state.may);
    if (act === undefined || act === 'help') return;
    event.preventDefault();
    this.#do(act);
  }

  #keyAnywhere(event: KeyboardEvent): void {
    const { target } = event;
    const isWriting = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (isWriting || this.#isOver || event.defaultPrevented) return;
    if (keyOf(event) === '?') {
      event.preventDefault();
      keysDialog(this.#state.may);
    } else if (target === document.body && ['ArrowDown', 'ArrowUp'].includes(event.key)) {
      event.preventDefault();
      this.#moveTo(this.#cursor);
    }
  }

  #do(act: Act): void {
    const { outline, may } = this.#state;
    const at = outline.findIndex(({ task }) => task.id === this.#cursor);
    const here = outline[at]?.task;
    const step = (to: number) => this.#moveTo(outline[to]?.task.id ?? null);
    if (act === 'down') step(Math.min(at + 1, outline.length - 1));
    else if (act === 'up') step(Math.max(at - 1, 0));
    else if (act === 'first') step(0);
    else if (act === 'last') step(outline.length - 1);
    else if (act === 'below' && may.add) this.#addTask(here?.parent ?? null, here?.id);
    else if (here === undefined || here.id.startsWith(NEW)) return;
    else if (act === 'complete' && may.complete) this.#toggle(here);
    else if (act === 'edit' && may.titles) this.#write(here, 'title');
    else if (act === 'notes' && may.notes) this.#write(here, 'notes');
    else if (act === 'child' && may.add) this.#addTask(here.id, undefined);
  }

  #toggle(task: ShownTask): void {
    const { isDone, ...rest } = task;
    this.#change(
      { do: isDone ? 'reopen' : 'complete', id: task.id },
      isDone ? rest : { ...rest, isDone: true },
    );
  }

  /** Shows a change at once, and sends it. */
  #change(change: Change, task: ShownTask): void {
    this.#state.put([task]);
    this.#draw();
    this.#sending.add(change);
  }

  #write(task: ShownTask, what: 'title' | 'notes'): void {
    const row = this.#rows.row(task.id);
    if (row === undefined || this.#rows.editing !== null) return;
    const was = what === 'title' ? task.title : (task.notes ?? '');
    const label = what === 'title' ? 'Title' : `Notes of ${task.title || 'this task'}`;
    const field = editor({
      what,
      text: was,
      label,
      written: (written) => this.#wrote(task.id, { what, was }, written),
    });
    this.#tools.remove();
    this.#rows.editing = task.id;
    const place = row.querySelector(what === 'title' ? '.title' : '.notes');
    if (place) place.replaceWith(field);
    else row.querySelector('.words')?.append(field);
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  }

  #wrote(
    id: string,
    { what, was }: { readonly what: 'title' | 'notes'; readonly was: string },
    { text, by }: Written,
  ): void {
    this.#rows.editing = null;
    const task = this.#state.task(id);
    if (task !== undefined && text !== was) {
      const { notes: _notes, ...rest } = task;
      if (what === 'title') this.#change({ do: 'title', id, title: text }, { ...task, title: text });
      else this.#change({ do: 'notes', id, was, notes: text }, text === '' ? rest : { ...task, notes: text });
    } else if (task === undefined && text !== was) this.#keepText(text, 'That task is gone.');
    // What was heard meanwhile is drawn now, too.
    if (task !== undefined) this.#state.put([{ ...(this.#state.task(id) ?? task) }]);
    this.#draw();
    this.#moveTo(id, document.activeElement === document.body);
    this.#goOn(by);
  }

  /** What the key that ended writing does next. */
  #goOn(by: Written['by']): void {
    if (by === 'below' || by === 'child' || by === 'notes') this.#do(by);
  }

  /** An empty row at the place of the new task, which is made when it has a title. */
  #addTask(parent: string | null, after: string | undefined): void {
    if (this.#rows.editing !== null || after?.startsWith(NEW) || parent?.startsWith(NEW)) return;
    const key = crypto.randomUUID();
    const id = `${NEW}${key}`;
    const home = this.#cursor;
    this.#state.put([{ id, parent, key: this.#state.keyFor(parent, after), title: '' }]);
    this.#draw();
    this.#moveTo(id);
    const row = this.#rows.row(id);
    if (row === undefined) return;
    this.#rows.editing = id;
    const field = editor({
      what: 'title',
      text: '',
      label: 'Title of the new task',
      written: ({ text, by }) => {
        this.#rows.editing = null;
        if (text.trim() === '') {
          this.#state.remove([id]);
          this.#cursor = home;
          this.#draw();
          this.#moveTo(home, document.activeElement === document.body);
          return;
        }
        const task = this.#state.task(id);
        const place = { ...(parent === null ? {} : { parent }), ...(after === undefined ? {} : { after }) };
        if (task)
          this.#change({ do: 'add', key: key as never, title: text, ...place }, { ...task, title: text });
        this.#moveTo(id, document.activeElement === document.body);
        if (by === 'below') this.#next = parent;
      },
    });
    row.querySelector('.title')?.replaceWith(field);
    field.focus();
    field.scrollIntoView({ block: 'nearest' });
  }

  /** Where another new task is wanted, once the one before has its place. */
  #next: string | null | undefined = undefined;

  #made(change: Change, task: ShownTask | null): void {
    if (change.do === 'add') {
      const id = `${NEW}${change.key}`;
      const wasHere = this.#cursor === id;
      this.#state.remove([id]);
      if (task) this.#state.put([task]);
      if (wasHere && task) {
        const hadFocus = this.#rows.row(id)?.contains(document.activeElement) === true;
        this.#cursor = task.id;
        this.#draw();
        this.#moveTo(task.id, hadFocus || document.activeElement === document.body);
        if (this.#next !== undefined) this.#addTask(this.#next, task.id);
        this.#next = undefined;
      }
    } else if (task) this.#state.put([task]);
    else this.#state.remove([change.id]);
    for (const event of this.#held.splice(0)) this.#take(event);
    this.#draw();
  }

  #refused({ change, message }: Refused): void {
    const text =
      change.do === 'title' || change.do === 'add' ? change.title : change.do === 'notes' ? change.notes : '';
    if (change.do === 'add') this.#state.remove([`${NEW}${change.key}`]);
    this.#next = undefined;
    this.#keepText(text, message);
    this.#held = [];
    void this.#following.read();
  }

  /** Nothing that was written is lost: what could not be saved stays on the page. */
  #keepText(text: string, message: string): void {
    this.#parts.main.prepend(unsavedBox(text, message));
  }

  #say(): void {
    const { waiting, isCutOff } = this.#sending;
    const text = this.#isOver ? '' : statusText({ waiting, isCutOff, isConnected: this.#isConnected });
    // Who leaves now is asked first: what waits is in this page only.
    if (waiting > 0) addEventListener('beforeunload', stay);
    else removeEventListener('beforeunload', stay);
    const { status, live } = this.#parts;
    live.hidden = this.#isOver || !this.#isConnected;
    if (status.textContent !== text) status.textContent = text;
  }

  #closed(message: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const kept = [...this.#parts.main.querySelectorAll('.unsaved')];
    const field = this.#parts.list.querySelector('textarea');
    if (field && field.value !== '') kept.push(unsavedBox(field.value, 'This was not saved.'));
    this.#parts.heading.textContent = 'There is no list here anymore';
    this.#parts.about.replaceChildren();
    document.querySelector('.logo')?.remove();
    this.#parts.count.parentElement?.remove();
    this.#parts.main.replaceChildren(...kept, element('p', { class: 'over', role: 'alert' }, message));
    document.title = 'There is no list here anymore';
    this.#say();
  }
}
