// The list on the front page that answers keys, and the dialog that `?demo` opens. It is not the app: a dozen lines of list,
// kept in the page.

interface Row {
  title: string;
  level: number;
  isDone: boolean;
  element: HTMLElement;
}

const MOST_ROWS = 12;

class DemoList {
  readonly #list: HTMLElement;
  readonly #say: (text: string) => void;
  readonly #rows: Row[];
  #at: number;
  #input: HTMLInputElement | null = null;
  #made = 0;
  /** Tab leads on until another key was pressed here, as in the app: going through the page by Tab is not stopped here. */
  #isArmed = false;

  constructor(list: HTMLElement, say: (text: string) => void) {
    this.#list = list;
    this.#say = say;
    this.#rows = [...list.querySelectorAll<HTMLElement>('.demo-row')].map((element) => ({
      element,
      title: element.querySelector('.demo-title')?.textContent ?? '',
      level: element.classList.contains('level-2') ? 2 : 1,
      isDone: element.classList.contains('done'),
    }));
    this.#at = 2;
    list.addEventListener('keydown', (event) => this.#key(event));
    list.addEventListener('focus', () => this.#point());
    list.addEventListener('blur', () => (this.#isArmed = false));
    list.addEventListener('pointerdown', (event) => this.#press(event));
    this.#point();
  }

  #press(event: PointerEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const at = this.#rows.findIndex(({ element }) => target !== null && element.contains(target));
    if (at < 0 || this.#input?.contains(target)) return;
    this.#isArmed = true;
    this.#close();
    this.#at = at;
    if (target?.closest('.demo-box')) this.#toggle();
    this.#point();
  }

  #point(): void {
    for (const [index, { element }] of this.#rows.entries())
      element.setAttribute('aria-selected', String(index === this.#at));
    const current = this.#rows[this.#at];
    if (current) this.#list.setAttribute('aria-activedescendant', current.element.id);
  }

  #toggle(): void {
    const row = this.#rows[this.#at];
    if (!row) return;
    row.isDone = !row.isDone;
    row.element.classList.toggle('done', row.isDone);
    this.#say(`${row.title}: ${row.isDone ? 'completed' : 'open again'}`);
  }

  #indent(by: 1 | -1): void {
    const row = this.#rows[this.#at];
    if (!row || this.#at === 0) return;
    row.level = Math.min(2, Math.max(1, row.level + by));
    row.element.classList.toggle('level-2', row.level === 2);
    row.element.classList.toggle('level-1', row.level === 1);
  }

  #create(): void {
    const current = this.#rows[this.#at];
    if (!current || this.#rows.length >= MOST_ROWS) return this.#say('That’s enough for a demo.');
    const element = current.element.cloneNode(true) as HTMLElement;
    this.#made += 1;
    element.id = `${current.element.id}-${this.#made}`;
    element.classList.remove('done');
    for (const extra of element.querySelectorAll('.demo-label, .demo-due')) extra.remove();
    const title = element.querySelector<HTMLElement>('.demo-title');
    current.element.after(element);
    this.#rows.splice(this.#at + 1, 0, { element, title: '', level: current.level, isDone: false });
    this.#at += 1;
    this.#point();
    if (title) this.#edit(title);
    return undefined;
  }

  #edit(title: HTMLElement): void {
    const input = document.createElement('input');
    input.setAttribute('aria-label', 'New task');
    input.maxLength = 80;
    title.replaceChildren(input);
    this.#input = input;
    input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== 'Escape') return event.stopPropagation();
      event.preventDefault();
      event.stopPropagation();
      this.#close();
      this.#list.focus();
      this.#isArmed = true;
      if (event.key === 'Enter' && (this.#rows[this.#at]?.title ?? '') !== '') this.#create();
      return undefined;
    });
    input.addEventListener('blur', () => this.#close());
    input.focus();
  }

  /** Ends editing; a task without words goes. */
  #close(): void {
    const input = this.#input;
    if (!input) return;
    this.#input = null;
    const at = this.#rows.findIndex(({ element }) => element.contains(input));
    const row = this.#rows[at];
    if (!row) return;
    row.title = input.value.trim();
    if (row.title === '') {
      row.element.remove();
      this.#rows.splice(at, 1);
      this.#at = Math.max(0, at - 1);
    } else input.parentElement?.replaceChildren(row.title);
    this.#point();
  }

  #key(event: KeyboardEvent): void {
    // Ctrl+Enter makes a task in the app; here Enter alone does too.
    const isOfBrowser = event.ctrlKey && event.key !== 'Enter';
    if (isOfBrowser || event.metaKey || event.altKey || this.#input) return;
    if (event.key === 'Tab' && !this.#isArmed) return;
    const actions: Readonly<Record<string, () => void>> = {
      j: () => this.#move(1),
      ArrowDown: () => this.#move(1),
      k: () => this.#move(-1),
      ArrowUp: () => this.#move(-1),
      ' ': () => this.#toggle(),
      Enter: () => this.#create(),
      Tab: () => this.#indent(event.shiftKey ? -1 : 1),
      Escape: () => this.#list.blur(),
    };
    const action = actions[event.key];
    if (!action) return;
    this.#isArmed = true;
    event.preventDefault();
    if (event.key === 'Escape' && this.#list.closest('dialog')) return this.#list.closest('dialog')?.close();
    action();
    return undefined;
  }

  #move(by: 1 | -1): void {
    this.#at = Math.min(this.#rows.length - 1, Math.max(0, this.#at + by));
    this.#point();
  }
}

/** Makes the list in this place answer. */
function wake(demo: HTMLElement): void {
  const list = demo.querySelector<HTMLElement>('.demo-rows');
  const status = demo.querySelector('[data-demo-status]');
  if (!list || !status) return;
  new DemoList(list, (text) => {
    status.textContent = text;
  });
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** From its beginning, where motion is wanted; elsewhere it waits to be played. */
function playFilm(film: HTMLVideoElement): void {
  film.poster = film.dataset['poster'] ?? '';
  if (isStill()) return;
  film.muted = true;
  // A browser that plays nothing by itself leaves the button.
  film.play().catch(() => undefined);
}

/** Only where it can be seen: the dialog begins at its beginning, whatever fits into the window. */
function focusInside(dialog: HTMLElement, list: HTMLElement | null): void {
  if (!list) return;
  if (list.getBoundingClientRect().bottom <= dialog.getBoundingClientRect().bottom)
    list.focus({ preventScroll: true });
}

/**
 * `?demo` and its button open the dialog; closing it brings the address and the focus back. It has a list of its own: the one on the
 * page stays where it is.
 */
function startDialog(untouched: HTMLElement): void {
  const dialog = document.querySelector<HTMLDialogElement>('[data-demo-dialog]');
  const place = dialog?.querySelector('[data-demo-place]');
  if (!dialog || !place) return;
  const film = dialog.querySelector<HTMLVideoElement>('video[data-poster]');
  const open = () => {
    const demo = untouched.cloneNode(true) as HTMLElement;
    for (const row of demo.querySelectorAll('[id]')) row.id = `shown-${row.id}`;
    wake(demo);
    place.replaceChildren(demo);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    focusInside(dialog, demo.querySelector('.demo-rows'));
    if (film) playFilm(film);
  };
  const opener = document.querySelector<HTMLElement>('[data-open-demo]');
  opener?.addEventListener('click', (event) => {
    event.preventDefault();
    history.replaceState(history.state, '', '/?demo');
    open();
  });
  dialog.querySelector('[data-close]')?.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    film?.pause();
    place.replaceChildren();
    const url = new URL(location.href);
    url.searchParams.delete('demo');
    history.replaceState(history.state, '', url);
    // Opened by the address, there is nothing that the focus came from.
    if (document.activeElement === document.body) opener?.focus();
  });
  if (new URLSearchParams(location.search).has('demo')) open();
}

export function startDemo(): void {
  const demo = document.querySelector<HTMLElement>('[data-demo]');
  if (!demo) return;
  const untouched = demo.cloneNode(true) as HTMLElement;
  wake(demo);
  startDialog(untouched);
}
