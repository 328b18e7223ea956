// The page of a public list, put together: what is shown, what keys and fingers do, and what is said about it.
import type { WallClock } from '#core/when-text.ts';
import type {
  LinkMay,
  ShownList,
  ShownTask,
  ShownTasks,
  StreamEvent,
  VisitorChange,
} from '#wire/public-links.ts';
import { doneOf } from '#wire/public-page/shown-outline.ts';
import type { RowLook } from '#wire/public-page/shown-row.ts';
import { aboutText, visitorBar } from '#wire/public-page/shown-words.ts';
import { element, nodesOf } from './elements.ts';
import { type Closing, Following } from './following.ts';
import { actOf, keyOf, type Act } from './keys.ts';
import { changedTask, ListState, type Made, newId } from './list-state.ts';
import { NoteReader } from './note-reader.ts';
import { Rows } from './rows.ts';
import type { Seals } from './seals.ts';
import { Sending, type Refused } from './sending.ts';
import { doneText, keysDialog, statusText, unsavedBox } from './words.ts';
import { Writer } from './writer.ts';

/** The parts of the document that the page works with. */
export interface PageParts {
  readonly list: HTMLElement;
  readonly about: HTMLElement;
  readonly status: HTMLElement;
  /** Says what was done, for who cannot see it. */
  readonly said: HTMLElement;
  readonly empty: HTMLElement;
  readonly heading: HTMLElement;
  readonly live: HTMLElement;
  /** "2 of 8 done", and the part of the ring beside it. */
  readonly count: HTMLElement;
  readonly part: Element;
  readonly main: HTMLElement;
}

/** An event, and the state of the list that it leads to. */
interface Heard {
  readonly event: StreamEvent;
  readonly at: string;
}

const stay = (event: BeforeUnloadEvent) => event.preventDefault();
const LOCKED = 'This task is locked: the key in this address doesn’t open all of it.';
/** Why the page shows the list no more. */
const OVER = {
  ended: 'This link was deleted. Ask the person who shared it with you.',
  paused: 'The person who shares this list paused the link. It may work again later.',
  outdated:
    'The list has a new key since this link was made, so the link has ended. Ask the person who shared it with you for a new one.',
} as const;
const MINUTE_MS = 60_000;
/** A held key repeats faster than this. */
const REST_MS = 150;
/** News are drawn so often at most. */
const NEWS_MS = 150;
/** What the clocks here show: by what a date knows by itself, because anything more takes long to begin with. */
const clockHere: WallClock = ({ at }) =>
  new Date(at - new Date(at).getTimezoneOffset() * MINUTE_MS).toISOString();

/** The page. */
export class PublicListPage {
  readonly #parts: PageParts;
  readonly #address: string;
  readonly #state = new ListState();
  readonly #rows: Rows;
  readonly #sending: Sending;
  readonly #following: Following;
  readonly #writer: Writer;
  /** Heard while a new task is on its way: it would be shown twice. */
  #held: Heard[] = [];
  readonly #notes = new NoteReader(() => this.#draw());
  #look: RowLook = { canComplete: false, clock: clockHere, note: null };
  #cursor: string | null = null;
  /** Where the cursor was: when its task goes, the next one has it. */
  #cursorAt = 0;
  /** When the rows were drawn last, and what draws the news that have come since. */
  #drawnAt = -NEWS_MS;
  #waitingNews = 0;
  /** Steps of a held key that are not made yet, and the frame that makes them. */
  #steps = 0;
  /** Ends when the key does. Until then no row has tools, which would move all rows below with each step. */
  #resting = 0;
  #walking = 0;
  #isConnected = false;
  /** Why there is no connection, in words of the server. */
  #reason: string | null = null;
  #isOver = false;
  /** A visitor's own name would be read by the server of an encrypted list. */
  readonly #hasNick: boolean;
  #nick = '';
  readonly #tools: HTMLElement;
  /** Told once, when keys can be answered. */
  #answer: () => void;

  constructor(
    parts: PageParts,
    {
      address,
      answering,
      seals,
    }: { readonly address: string; readonly answering: () => void; readonly seals: Seals | null },
  ) {
    this.#parts = parts;
    this.#hasNick = seals === null;
    this.#address = address;
    this.#answer = () => {
      this.#answer = () => undefined;
      answering();
    };
    this.#rows = new Rows(parts.list);
    this.#rows.onGrown = () => this.#drawTools();
    this.#rows.onUnread = () => this.#notes.bring();
    this.#sending = new Sending({
      address,
      seals,
      nick: () => this.#nick,
      serverId: (id) => this.#state.serverId(id),
      made: (change, made) => this.#made(change, made),
      refused: (refused) => this.#refused(refused),
      closed: (message) => this.#following.over({ message, isPaused: false }),
      changed: () => this.#say(),
    });
    this.#following = new Following({
      address,
      seals,
      read: (list) => this.#read(list),
      heard: (event, at) => this.#heard({ event, at }),
      closed: (closing) => this.#closed(closing),
      connected: (isConnected, reason) => {
        this.#isConnected = isConnected;
        this.#reason = reason ?? null;
        if (isConnected) this.#sending.nudge();
        this.#say();
      },
    });
    this.#writer = new Writer({
      rows: this.#rows,
      state: this.#state,
      change: (change, task) => this.#change(change, task),
      draw: () => this.#draw(),
      moveTo: (id, focuses) => this.#moveTo(id, focuses),
      keep: (text, message) => this.#keepText(text, message),
      goOn: (act) => this.#do(act),
    });
    this.#tools = element('div', { class: 'tools', role: 'group', 'aria-label': 'This task' });
    this.#listen();
  }

  start(): void {
    void this.#following.read();
  }

  #listen(): void {
    const { list, main } = this.#parts;
    list.addEventListener('keydown', (event) => this.#key(event));
    document.addEventListener('keydown', (event) => this.#keyAnywhere(event));
    list.addEventListener('focusin', ({ target }) => this.#moveTo(this.#rows.idOf(target), false));
    list.addEventListener('click', (event) => this.#click(event));
    // The server drew what a visitor adds with, and they may have written their name already.
    this.#nick = this.#nickField()?.value.trim() ?? '';
    main.addEventListener('input', ({ target }) => {
      const nick = this.#nickField();
      if (nick !== null && target === nick) this.#nick = nick.value.trim();
    });
    main.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('.add') !== null)
        this.#writer.add({ parent: null }, this.#cursor);
    });
  }

  #nickField(): HTMLInputElement | null {
    return this.#parts.main.querySelector<HTMLInputElement>('.nick input');
  }

  #read(list: ShownTasks): void {
    // It is in what was read.
    this.#held = [];
    this.#state.replace(this.#known(list.tasks, list.at), list.at);
    this.#permit(list);
    this.#draw(true);
    this.#answer();
  }

  /** Tasks of the server, with what was done here and is not saved yet. */
  #known(tasks: readonly ShownTask[], at: string): readonly ShownTask[] {
    return this.#state.newest(tasks, at).map((task) => this.#sending.over(task));
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
    if (!wasSame) {
      about.replaceChildren(...nodesOf(aboutText(may)));
      this.#drawBar(may);
    }
    this.#drawTools();
  }

  /** What stands there stays where it is the same: somebody may be writing their name in it. */
  #drawBar(may: LinkMay): void {
    const { main } = this.#parts;
    const shown = main.querySelector('.visitor');
    const bar = element('div', {}, ...nodesOf(visitorBar(may, this.#hasNick))).firstElementChild;
    if (shown !== null && shown.isEqualNode(bar)) return;
    shown?.remove();
    if (bar === null) return;
    main.append(bar);
    const nick = this.#nickField();
    if (nick !== null) nick.value = this.#nick;
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

  #heard(heard: Heard): void {
    const { event } = heard;
    if (event.type === 'over') {
      this.#following.over({ message: OVER[event.why], isPaused: event.why === 'paused' });
    } else if (event.type === 'list') {
      this.#permit(event);
      this.#draw();
    } else if (this.#sending.isAdding) this.#held.push(heard);
    else this.#take(heard);
  }

  #take({ event, at }: Heard): void {
    if (event.type !== 'news') return;
    const gone = this.#state.stillGone(event.gone, at);
    this.#state.put(this.#known(event.tasks, at));
    this.#state.remove(gone);
    this.#drawNews();
  }

  /** The first at once; what comes right after it together, so that somebody who scrolls meanwhile is not held up. */
  #drawNews(): void {
    if (this.#waitingNews !== 0) return;
    const wait = this.#drawnAt + NEWS_MS - performance.now();
    if (wait <= 0) this.#draw();
    else
      this.#waitingNews = window.setTimeout(() => {
        this.#waitingNews = 0;
        this.#draw();
      }, wait);
  }

  /** `isAnew`: all tasks may have changed. */
  #draw(isAnew = false): void {
    const { outline, may } = this.#state;
    if (this.#isOver) return;
    this.#writer.leaveGone();
    this.#lookWith(may);
    const hadFocus = this.#parts.list.contains(document.activeElement);
    this.#placeCursor();
    const changed = this.#state.takeChanged();
    this.#drawnAt = performance.now();
    this.#rows.draw(this.#state.outline, { look: this.#look, cursor: this.#cursor, isAnew, changed });
    this.#parts.empty.hidden = outline.length > 0;
    this.#count();
    if (hadFocus && document.activeElement === document.body) this.#moveTo(this.#cursor);
    this.#drawTools();
  }

  /** Another look draws all rows anew. */
  #lookWith({ complete }: LinkMay): void {
    const { read } = this.#notes;
    if (this.#look.canComplete !== complete || this.#look.note !== read)
      this.#look = { ...this.#look, canComplete: complete, note: read };
  }

  /** On its task; when that has gone, on the one in its place. */
  #placeCursor(): void {
    const { outline } = this.#state;
    const at = outline.findIndex(({ task }) => task.id === this.#cursor);
    if (at >= 0) this.#cursorAt = at;
    else this.#cursor = outline[Math.min(this.#cursorAt, outline.length - 1)]?.task.id ?? null;
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
    // Of a very long list the last rows are still being made: this one is made now.
    if (this.#rows.row(id) === undefined) this.#draw();
    const row = this.#rows.row(id);
    if (row === undefined) return;
    if (focuses) {
      // Before the focus comes: what is measured for it is measured once.
      this.#drawTools(row);
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: 'nearest' });
    } else this.#drawTools();
  }

  /** A key that is held repeats whether or not its answer is drawn yet: so many steps are made at once as there were meanwhile. */
  #walk(by: number): void {
    clearTimeout(this.#resting);
    this.#resting = window.setTimeout(() => this.#stopWalking(), REST_MS);
    this.#steps += by;
    this.#walking ||= requestAnimationFrame(() => this.#arrive());
  }

  #stopWalking(): void {
    if (this.#resting === 0) return;
    this.#arrive();
    clearTimeout(this.#resting);
    this.#resting = 0;
    this.#drawTools();
    // They made the row higher: all of it stays above what a visitor adds with.
    this.#tools.parentElement?.scrollIntoView({ block: 'nearest' });
  }

  #arrive(): void {
    cancelAnimationFrame(this.#walking);
    this.#walking = 0;
    const steps = this.#steps;
    this.#steps = 0;
    if (steps === 0) return;
    const { outline } = this.#state;
    const at = outline.findIndex(({ task }) => task.id === this.#cursor);
    this.#moveTo(outline[Math.min(Math.max(at + steps, 0), outline.length - 1)]?.task.id ?? null);
  }

  /** What a finger can do with the task that the cursor is on. */
  #drawTools(focused: Element | null = document.activeElement): void {
    const id = this.#cursor;
    const row = id === null ? undefined : this.#rows.row(id);
    const { may } = this.#state;
    const isOpen = id !== null && this.#state.task(id)?.isLocked !== true;
    const isOn = row !== undefined && row.contains(focused) && !this.#writer.isOpen && this.#resting === 0;
    const acts: readonly (readonly [Act, string, boolean])[] = [
      ['edit', 'Edit', may.titles && isOpen],
      ['notes', 'Notes', may.notes && isOpen],
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
    const { target, key } = event;
    const act = actOf(keyOf(event), this.#state.may);
    if (event.repeat && (act === 'down' || act === 'up')) {
      event.preventDefault();
      this.#walk(act === 'down' ? 1 : -1);
      return;
    }
    this.#stopWalking();
    // They have keys of their own.
    if (target instanceof HTMLButtonElement && ['Enter', ' '].includes(key)) return;
    if (target instanceof HTMLAnchorElement && key === 'Enter') return;
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
    else if (act === 'below' && may.add)
      this.#writer.add({ parent: here?.parent ?? null, ...(here ? { after: here.id } : {}) }, this.#cursor);
    else if (here === undefined) return;
    else if (act === 'complete' && may.complete)
      this.#change({ do: here.isDone ? 'reopen' : 'complete', id: here.id }, here);
    else if (here.isLocked === true && (act === 'edit' || act === 'notes'))
      this.#parts.said.replaceChildren(LOCKED);
    else if (act === 'edit' && may.titles) this.#writer.write(here, 'title');
    else if (act === 'notes' && may.notes) {
      // What is written may have to be read.
      this.#notes.bring();
      this.#writer.write(here, 'notes');
    } else if (act === 'child' && may.add) this.#writer.add({ parent: here.id }, this.#cursor);
  }

  /** Shows a change at once, says and sends it. */
  #change(change: VisitorChange, task: ShownTask): void {
    const changed = changedTask(task, change);
    this.#state.put([changed]);
    this.#draw();
    this.#parts.said.replaceChildren(doneText(change, changed.title));
    this.#sending.add(change);
  }

  #made(change: VisitorChange, { task, at }: Made): void {
    const id = change.do === 'add' ? newId(change.key) : change.id;
    if (change.do === 'add' && task !== null) this.#state.know(id, task.id);
    this.#state.answered(id, { task, at });
    if (task === null) this.#state.remove([id]);
    else this.#state.put(this.#known([task], at));
    this.#settle();
  }

  /** What was heard while a task was added has its turn once that one has its place, or none. */
  #settle(): void {
    if (!this.#sending.isAdding) for (const heard of this.#held.splice(0)) this.#take(heard);
    this.#draw();
  }

  #refused({ change, message }: Refused): void {
    const text =
      change.do === 'title' || change.do === 'add' ? change.title : change.do === 'notes' ? change.notes : '';
    if (change.do === 'add') this.#state.remove([newId(change.key)]);
    this.#keepText(text, message);
    this.#settle();
    void this.#following.read();
  }

  /** Nothing that was written is lost: what could not be saved stays on the page. */
  #keepText(text: string, message: string): void {
    this.#parts.main.prepend(unsavedBox(text, message, () => this.#moveTo(this.#cursor)));
  }

  #say(): void {
    const { waiting, isCutOff, delay } = this.#sending;
    const reason = delay ?? this.#reason;
    const standing = { waiting, isCutOff, isConnected: this.#isConnected, reason };
    const text = this.#isOver ? '' : statusText(standing);
    // Who leaves now is asked first: what waits is in this page only.
    if (waiting > 0) addEventListener('beforeunload', stay);
    else removeEventListener('beforeunload', stay);
    const { status, live } = this.#parts;
    live.hidden = this.#isOver || !this.#isConnected;
    if (status.textContent !== text) status.textContent = text;
  }

  #closed({ message, isPaused, title: named }: Closing): void {
    if (this.#isOver) return;
    this.#writer.end('This was not saved.');
    this.#isOver = true;
    this.#rows.end();
    const title = named ?? (isPaused ? 'This list is paused' : 'There is no list here anymore');
    const { main, heading, about, count, said } = this.#parts;
    const kept = [...main.querySelectorAll('.unsaved')];
    heading.textContent = title;
    about.replaceChildren();
    said.replaceChildren();
    // There are no tasks to skip to.
    for (const gone of document.querySelectorAll('.logo, .skip')) gone.remove();
    document.querySelector<HTMLDialogElement>('dialog')?.close();
    count.parentElement?.remove();
    main.replaceChildren(...kept, element('p', { class: 'over', role: 'alert' }, message));
    document.title = title;
    this.#say();
    this.#answer();
  }
}
