// The list on the front page that answers the app's keys. It is not the app: a small list that is kept in the page.
import { DemoClock } from './demo-clock.ts';
import { type Choice, Picker } from './demo-picker.ts';

const MOST_ROWS = 12;
const MOST_STEPS = 200;
const NO_ROOM = 'That’s enough for a demo.';

const titleOf = (row: Element) => row.querySelector('.demo-title')?.textContent ?? '';
const isApple = () => /^(?:mac|ios)$/.test(document.documentElement.dataset['os'] ?? '');

const CAPS: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowDown: '↓',
  ArrowUp: '↑',
  Enter: '↵',
  Escape: 'Esc',
};

/** Its rows are what stands in the document. */
export class DemoList {
  readonly #demo: HTMLElement;
  readonly #list: HTMLElement;
  readonly #say: (text: string) => void;
  readonly #clock: DemoClock;
  readonly #steps: { readonly rows: readonly Node[]; readonly at: number }[] = [];
  #at = 2;
  #made = 0;
  #input: HTMLInputElement | null = null;
  #picker: Picker | null = null;

  constructor(demo: HTMLElement, list: HTMLElement, say: (text: string) => void) {
    this.#demo = demo;
    this.#list = list;
    this.#say = say;
    this.#clock = new DemoClock(demo);
    list.addEventListener('keydown', (event) => this.#key(event));
    list.addEventListener('focus', () => this.#point());
    list.addEventListener('pointerdown', (event) => this.#press(event));
    this.#point();
  }

  get #rows(): readonly HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('.demo-row')];
  }

  get #current(): HTMLElement | undefined {
    return this.#rows[this.#at];
  }

  #press(event: PointerEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const at = this.#rows.findIndex((row) => target !== null && row.contains(target));
    if (at < 0 || this.#input?.contains(target)) return;
    this.#close();
    this.#point(at);
    if (target?.closest('.demo-box')) this.#toggle();
    this.#clock.tap(event);
  }

  #point(to = this.#at): void {
    const rows = this.#rows;
    this.#at = Math.max(0, Math.min(rows.length - 1, to));
    for (const [index, row] of rows.entries()) row.setAttribute('aria-selected', String(index === this.#at));
    this.#list.setAttribute('aria-activedescendant', this.#current?.id ?? '');
  }

  #keep(): void {
    this.#steps.push({ rows: this.#rows.map((row) => row.cloneNode(true)), at: this.#at });
    if (this.#steps.length > MOST_STEPS) this.#steps.shift();
  }

  #undo(): void {
    const step = this.#steps.pop();
    if (!step) return this.#say('Nothing to undo.');
    this.#list.replaceChildren(...step.rows);
    this.#point(step.at);
    return this.#say(`Undone. ${titleOf(this.#current ?? this.#list)}`);
  }

  #toggle(): void {
    const row = this.#current;
    if (!row) return;
    this.#keep();
    const isDone = row.classList.toggle('done');
    this.#say(`${titleOf(row)}: ${isDone ? 'completed' : 'open again'}`);
  }

  #create(): void {
    const current = this.#current;
    if (!current || this.#rows.length >= MOST_ROWS) return this.#say(NO_ROOM);
    this.#keep();
    const row = current.cloneNode(true) as HTMLElement;
    this.#made += 1;
    row.id = `demo-new-${this.#made}`;
    row.classList.remove('done');
    for (const extra of row.querySelectorAll('.demo-label, .demo-due')) extra.remove();
    current.after(row);
    this.#point(this.#at + 1);
    return this.#edit(row);
  }

  #edit(row: HTMLElement): void {
    const input = document.createElement('input');
    input.ariaLabel = 'New task';
    input.maxLength = 80;
    row.querySelector('.demo-title')?.replaceChildren(input);
    this.#input = input;
    input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      const isEnd = event.key === 'Enter' || event.key === 'Escape';
      if (isEnd) {
        event.preventDefault();
        this.#close();
        this.#list.focus({ preventScroll: true });
        if (event.key === 'Enter' && row.isConnected) this.#create();
      }
      if (isEnd || event.key.length === 1) this.#time(event);
    });
    input.addEventListener('blur', () => this.#close());
    input.focus();
  }

  /** Ends editing; a task without words goes. */
  #close(): void {
    const input = this.#input;
    const row = input?.closest('.demo-row');
    if (!input || !row) return;
    this.#input = null;
    const title = input.value.trim();
    if (title === '') {
      row.remove();
      this.#steps.pop();
      this.#point(this.#at - 1);
    } else input.parentElement?.replaceChildren(title);
  }

  #pick(label: string, choices: readonly Choice[]): void {
    const place = this.#list.parentElement;
    if (!place) return;
    this.#picker = new Picker(place, {
      label,
      choices,
      onKey: (event, cap) => this.#clock.key(event, cap),
      onClose: (isLeft) => {
        this.#picker = null;
        if (!isLeft) this.#list.focus({ preventScroll: true });
      },
    });
  }

  #date(): void {
    const set = (words: string) => () => {
      const row = this.#current;
      if (!row) return;
      this.#keep();
      row.querySelector('.demo-due')?.remove();
      const due = document.createElement('span');
      due.className = 'demo-due';
      due.textContent = words;
      row.append(due);
      this.#say(`${titleOf(row)}: due ${words.toLowerCase()}`);
    };
    const words = ['Today', 'Tomorrow', 'Next week', 'Next month'];
    this.#pick(
      'When is it due?',
      words.map((each) => ({ words: each, choose: set(each) })),
    );
  }

  #snooze(): void {
    const set = (words: string) => () => {
      const row = this.#current;
      if (!row || this.#rows.length === 1) return this.#say(NO_ROOM);
      this.#keep();
      row.remove();
      this.#point();
      return this.#say(`Snoozed “${titleOf(row)}” until ${words.toLowerCase()}`);
    };
    const words = ['This evening', 'Tomorrow', 'Next week', 'Next month'];
    this.#pick(
      'Snooze until when?',
      words.map((each) => ({ words: each, choose: set(each) })),
    );
  }

  #search(): void {
    const choices = this.#rows.map((row, at) => ({ words: titleOf(row), choose: () => this.#point(at) }));
    this.#pick(`Search ${choices.length} tasks`, choices);
  }

  /** What the line of keys names, with the app's own names. */
  #palette(): void {
    const named = [...this.#demo.querySelectorAll<HTMLElement>('[data-demo-command]')];
    const choices = named.flatMap((each) => {
      const run = this.#commands[each.dataset['demoCommand'] ?? ''];
      const caps = each.querySelector('.demo-caps') ?? undefined;
      return run ? [{ words: each.dataset['title'] ?? '', caps, choose: run }] : [];
    });
    this.#pick('Type a command', choices);
  }

  readonly #commands: Readonly<Record<string, () => void>> = {
    'task.complete': () => this.#toggle(),
    'task.createBelow': () => this.#create(),
    'task.due': () => this.#date(),
    'task.snooze': () => this.#snooze(),
    'search.open': () => this.#search(),
    'edit.undo': () => this.#undo(),
  };

  readonly #keys: Readonly<Record<string, () => void>> = {
    j: () => this.#point(this.#at + 1),
    ArrowDown: () => this.#point(this.#at + 1),
    k: () => this.#point(this.#at - 1),
    ArrowUp: () => this.#point(this.#at - 1),
    ' ': () => this.#toggle(),
    d: () => this.#date(),
    s: () => this.#snooze(),
    '/': () => this.#search(),
    Enter: () => this.#create(),
    'Mod+Enter': () => this.#create(),
    'Mod+k': () => this.#palette(),
    'Mod+z': () => this.#undo(),
    Escape: () => this.#list.blur(),
  };

  #key(event: KeyboardEvent): void {
    if (event.altKey || this.#input || this.#picker) return;
    const isMod = event.metaKey || event.ctrlKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const answer = this.#keys[isMod ? `Mod+${key}` : key];
    if (!answer) return;
    event.preventDefault();
    answer();
    this.#time(event);
  }

  #time(event: KeyboardEvent): void {
    const cap = CAPS[event.key] ?? event.key.toUpperCase();
    if (!event.metaKey && !event.ctrlKey) this.#clock.key(event, cap);
    else this.#clock.key(event, isApple() ? `⌘${cap}` : `Ctrl+${cap}`);
  }
}
