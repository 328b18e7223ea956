// The running client behind the App: holds the parts, issues changes with their undo, and derives the views after each
// command. Commands on it are in commands/; keys are in keyboard.ts.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/rows/operation.ts';
import type { ChangeCause, Engine, Issued, Replica, RowChange } from '#sync/replica/replica-types.ts';
import type { AccountFailure, DeviceInfo, NotesField, Platform } from './app.ts';
import type { ArgumentValues, CommandResult } from '../commands/command.ts';
import type { Command } from '../commands/define.ts';
import type { Caret, EditorPorts } from '../text/editor.ts';
import { Editor, isBlank, quoted } from '../text/editor.ts';
import type { DateContext } from '../clock/dates.ts';
import { watchTime } from '../clock/watch-time.ts';
import type { Clock } from '../clock/clock.ts';
import { ListCounts } from '../outline/list-counts.ts';
import type { InputQueue } from '../loading/input-queue.ts';
import { moreNotes, taskText } from '../text/long-text.ts';
import { Messages, type SayOptions } from './messages.ts';
import { parsePlaceKey, type Place, placeKey } from './places.ts';
import { nameOf, RowFacts } from '../outline/row-facts.ts';
import { DialogSlot } from '../dialogs/dialog-slot.ts';
import { keptPrivate } from '../labels/privacy.ts';
import { LabelKeys } from '../labels/label-keys.ts';
import type { Link } from '#core/markdown/links.ts';
import type { Keymap } from '../keys/keymap.ts';
import type { KeyInput, Stroke } from '../keys/stroke.ts';
import { RowsWindow } from '../outline/rows-view.ts';
import { Sidebar } from '../outline/sidebar.ts';
import { dayStart, tabKey } from '../settings/first.ts';
import { Settings } from '../settings/settings.ts';
import { type Part, Parts } from './part.ts';
import { createSignal, type WritableSignal } from './signal.ts';
import { trashPart } from '../trash/trash-lazy.ts';
import { UndoHistory } from './undo.ts';
import type { PaletteActions } from '../palette/palette-actions.ts';
import type { OthersView } from '../presence/presence-view.ts';
import type { PeopleView, PersonView } from '../sharing/sharing-view.ts';
import type { DragView } from './view.ts';
import { Workspace } from './workspace.ts';
import { fieldOf } from '#sync/rows/row.ts';

/** The region of the screen that has the focus. */
export type Pane = 'outline' | 'sidebar' | 'notes' | 'search' | 'calendar';

const SMALL = 5_000;
const RECOUNT_MS = 60;
const IDLE_MS = 300;
/** Time by which the server would have answered; until then, nothing is reported as missing. */
const SETTLED_MS = 10_000;

const NO_WORDS: readonly string[] = [];

const SAFE = 'Your custom look is off. Open the app without “?safe” to get it back.';

/** How a change is grouped and recorded for undo, and whether it is atomic. */
export interface ChangeOptions {
  /** The undo group to join; absent: that of the running gesture. */
  readonly group?: Id;
  readonly atomic?: boolean;
  /** Whether joining a group changes its label; by default if `group` is given. */
  readonly renames?: boolean;
  /** Tasks are placed for everybody, also in a list that the person orders for themselves. */
  readonly forAll?: boolean;
  /** False: undo skips it (a collapsed state is no content). */
  readonly undoable?: boolean;
  /** It was typed or made before, and would be lost: no gate holds it back. */
  readonly rescues?: boolean;
}

/** Holds back new tasks and lists, and says why. A part puts it in place (plan/gate.ts). */
export interface Gate {
  /** Why nothing can be added, in sentences. */
  readonly why: string;
  /** Whether a command would add something. */
  holds(command: string): boolean;
  /** The result of a change that is held back; null: it isn't. */
  hold(actions: readonly Action[], options: ChangeOptions): Issued | null;
}

export interface ProgramPorts {
  readonly engine: Engine;
  readonly platform: Platform;
  readonly keymap: Keymap;
  /** Loaded commands by id. */
  readonly commands: () => ReadonlyMap<string, Command>;
  /** Derives the views; called after every command and change. */
  readonly draw: () => void;
  readonly run: (id: string, args?: ArgumentValues) => CommandResult;
  readonly palette: PaletteActions;
  /** The parts of the first load; others are added once loaded. */
  readonly parts: readonly Part[];
  /** The notes editor; null: not loaded yet. */
  readonly notesEditor: EditorPorts['notesEditor'];
  readonly inputQueue: (program: Program) => InputQueue;
}

/**
 * The state that commands and parts act on. Changes go through `change` inside `act`, so that they are undone and drawn
 * as one gesture.
 */
export class Program {
  readonly engine: Engine;
  readonly platform: Platform;
  readonly replica: Replica;
  readonly clock: Clock;
  readonly workspace: Workspace;
  readonly undo: UndoHistory;
  readonly editor: Editor;
  readonly messages: Messages;
  /** Commands enter lazy parts through it. */
  readonly inputQueue: InputQueue;
  readonly counts: ListCounts;
  readonly sidebar: Sidebar;
  readonly rows: RowsWindow;
  readonly rowFacts: RowFacts;
  readonly keymap: Keymap;
  /** Words highlighted in titles as search matches. */
  foundWords: () => readonly string[] = () => NO_WORDS;
  /** What an order that is no sorting is called in the header. Set by the part that knows it (own-layer/part.ts). */
  orderWords: (place: Id) => string = () => '';
  readonly parts: Parts = new Parts(this);
  /** Null: everything may be added. */
  gate: Gate | null = null;
  /** Does what a question is about (a link, an import, an undo); null: none waits for its answer. */
  onConfirm: (() => void) | null = null;
  readonly palette: PaletteActions;
  /** Runs another command. */
  readonly run: ProgramPorts['run'];
  readonly settings: Settings;
  readonly drag: WritableSignal<DragView | null> = createSignal<DragView | null>(null);
  readonly people: WritableSignal<PeopleView | null> = createSignal<PeopleView | null>(null);
  readonly me: WritableSignal<PersonView | null> = createSignal<PersonView | null>(null);
  readonly others: WritableSignal<OthersView | null> = createSignal<OthersView | null>(null);
  readonly dialog = new DialogSlot();
  /** What is being recorded, in words; null: nothing is. Keys are told of by the keyboard. */
  recording: string | null = null;
  /** The account's devices as last reported by the server; null: not requested yet. */
  devices: readonly DeviceInfo[] | AccountFailure | null = null;
  readonly #commands: ProgramPorts['commands'];
  readonly labelKeys: LabelKeys;
  pane: Pane = 'outline';
  /** Takes every key while keys are recorded; true: it was taken. */
  capture: ((stroke: Stroke) => boolean) | null = null;
  /** Nothing was done yet: while rows load, the cursor stays on the first. */
  isUntouched = true;
  /** Null: the search line is closed. */
  query: string | null = null;
  notesOpen = false;
  /**
   * The list whose notes are being written, and the pane that asked for it; null: the notes are those of the task at
   * the cursor.
   */
  notesList: { readonly id: Id; readonly from: 'outline' | 'sidebar' } | null = null;
  notesField: NotesField | null = null;
  /** The links found last, for a command that asks which one to open. */
  links: readonly Link[] = [];
  /** The person is ending the session here, so its end needs no message. */
  isLeaving = false;
  /** The code that moves changes to Recovered reports it itself. */
  isKeeping = false;
  /** The app has run long enough to report what is missing. */
  isSettled = false;
  /** Parts of large changes that follow in later frames. */
  batchesLeft = 0;
  /** The next Tab leaves the outline instead of indenting. */
  tabPasses = false;
  /** The caret column that vertical movement tries to keep. */
  column: number | null = null;
  /** The place that was open when the app was last closed. */
  readonly #wanted: Place | null;
  readonly #draw: () => void;
  #depth = 0;
  #gesture: Id | null = null;
  readonly #later: (() => void)[] = [];
  #isClosed = false;
  #lastCause: ChangeCause = 'load';
  #recount: (() => void) | null = null;
  readonly #unsubscribe: () => void;

  constructor({
    engine,
    platform,
    keymap,
    commands,
    draw,
    run,
    palette,
    parts,
    notesEditor,
    inputQueue,
  }: ProgramPorts) {
    this.engine = engine;
    this.run = run;
    this.platform = platform;
    this.replica = engine.replica;
    this.settings = new Settings(engine.replica, platform.preferences);
    this.#draw = draw;
    this.#wanted = parsePlaceKey(platform.preferences.get('place'));
    const after = (delayMs: number, work: () => void) => this.after(delayMs, work);
    const { clock, away } = watchTime(this, (tasks) => this.#woke(tasks));
    this.clock = clock;
    this.workspace = new Workspace(this.replica, this.#wanted, away);
    this.undo = new UndoHistory(this.replica, engine.journal);
    this.messages = new Messages(after, () => this.#settle());
    this.editor = new Editor({
      replica: this.replica,
      after,
      notesEditor,
      commit: (actions, label, group) =>
        this.change(actions, label, { group, rescues: true }).verdicts[0] === 'ok',
      say: (text) => this.say(text),
      keep: (action) => {
        this.isKeeping = true;
        this.engine.recover(action);
        this.isKeeping = false;
      },
    });
    this.counts = new ListCounts(this.replica, this.workspace.children);
    this.sidebar = new Sidebar(this.workspace, this.counts);
    this.sidebar.show(platform.preferences.get('sidebar') !== 'hidden');
    this.rowFacts = new RowFacts(this.workspace, this.moment());
    this.#commands = commands;
    this.keymap = keymap;
    this.labelKeys = new LabelKeys(this.replica, keymap);
    this.inputQueue = inputQueue(this);
    this.rows = new RowsWindow(() => ({
      length: this.workspace.outline.length,
      cursor: this.workspace.cursor,
      cursorIndex: this.workspace.cursorIndex,
      hasHeadings: this.workspace.outline.headingAt !== undefined,
      rowAt: (index) => this.rowFacts.rowAt(index, this.editor.title, this.foundWords()),
    }));
    this.palette = palette;
    this.parts.add(parts);
    // The message under a dialog cannot be read.
    this.dialog.subscribe(() => this.messages.hold('dialog', this.dialog.get() !== null));
    this.#unsubscribe = this.replica.subscribe((changes, cause) => this.#changed(changes, cause));
    after(IDLE_MS, () => {
      this.#loadUndo();
      this.parts.idle();
    });
    if (platform.isSafe) after(0, () => this.say(SAFE));
    after(SETTLED_MS, () => {
      this.isSettled = true;
    });
  }

  /** Loaded commands by id: all of them soon after the first screen. */
  get commands(): ReadonlyMap<string, Command> {
    return this.#commands();
  }

  /** Title of a command. Null: not known (yet). */
  titleOf(command: string): string | null {
    return this.commands.get(command)?.title ?? null;
  }

  /** The running part. Throws where it is in no list of parts, or its list has not been loaded. */
  part<T extends object>(part: Part<T>): T {
    return this.parts.get(part);
  }

  /** Calls a hook of every part until one returns true. */
  tookKey(input: KeyInput, stroke: Stroke): boolean {
    for (const part of this.parts.hooks) if (part.press?.(input, stroke) === true) return true;
    return false;
  }

  /** Runs work after a delay as its own gesture, unless the app is closed by then. Returns its cancellation. */
  after(delayMs: number, work: () => void): () => void {
    return this.platform.after(delayMs, () => {
      if (!this.#isClosed) this.act(work);
    });
  }

  get tabMovesFocus(): boolean {
    return this.settings.get(tabKey) === 'moves';
  }

  /** Runs work as one gesture: one undo group, drawn once at its end. */
  act<T>(work: () => T): T {
    this.#depth += 1;
    try {
      return work();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) {
        this.#gesture = null;
        this.#settle();
      }
    }
  }

  /** Issues actions now, with undo under `label` ("completed ‘Plan launch’"). */
  change(asked: readonly Action[], label: string, options: ChangeOptions = {}): Issued {
    const held = this.gate?.hold(asked, options);
    if (held) return held;
    const { keepsLabels, privateLabels } = this.workspace.facts;
    const actions = keepsLabels ? keptPrivate(this.replica, privateLabels, asked) : asked;
    const group = options.group ?? this.gestureOf();
    const { cursor } = this.workspace;
    const issued = this.replica.issue(actions, { ...options, group });
    const renames = options.renames ?? options.group !== undefined;
    if (options.undoable !== false) this.undo.record({ issued, label, group, cursor, renames });
    // After what the command says.
    if (issued.verdicts.includes('forbidden')) for (const part of this.parts.hooks) part.forbidden?.(asked);
    this.messages.clearOffer(this.undo.newest?.id);
    return issued;
  }

  /** The undo group of the running gesture: its own, or that of a new task being typed. */
  gestureOf(): Id {
    const draft = this.editor.title;
    this.#gesture ??= draft?.fresh === true && this.#depth > 0 ? draft.group : this.replica.newId();
    return this.#gesture;
  }

  /** Runs work that goes on with an earlier gesture: its changes join that undo group. */
  within<T>(group: Id, work: () => T): T {
    return this.act(() => {
      this.#gesture = group;
      return work();
    });
  }

  /** Later changes in this gesture get an undo of their own. */
  endGesture(): void {
    this.#gesture = null;
  }

  /** Runs work after this frame; closing the app runs the remaining work at once. */
  later(work: () => void): void {
    this.#later.push(work);
    this.platform.after(0, () => {
      const next = this.#later.shift();
      if (next && !this.#isClosed) this.act(next);
    });
  }

  /** Runs the deferred work at once. */
  catchUp(): void {
    for (let next = this.#later.shift(); next; next = this.#later.shift()) this.act(next);
  }

  /** Shows a message in the status line and announces it. */
  say(text: string, options: SayOptions = {}): void {
    const tone = options.error === true ? 'error' : 'info';
    const undoes = this.undo.newest?.id ?? null;
    const { undo = false, brief = false, tally, isMiss } = options;
    const follows = this.undo.beforeNewest?.id;
    this.messages.show(
      { text, undo, tone, ...(isMiss ? { isMiss } : {}) },
      { brief, undoes, tally, follows },
    );
  }

  /** Opens a place and gives its outline the focus. */
  open(place: Place, cursor: Id | null = null): void {
    this.leaveText();
    this.query = null;
    if (place.type === 'trash') {
      // Redrawn with the full lines; without that part they show less.
      trashPart.load().then(
        () => this.act(() => undefined),
        () => undefined,
      );
    }
    this.workspace.open(place, cursor);
    this.#arrived();
  }

  /** Goes back or forward. False when there is nowhere to go. */
  step(by: 1 | -1): boolean {
    this.leaveText();
    if (!this.workspace.step(by)) return false;
    this.query = null;
    this.#arrived();
    return true;
  }

  #arrived(): void {
    this.platform.preferences.set('place', placeKey(this.workspace.place));
    this.pane = 'outline';
    this.rows.follow();
    this.messages.announce(this.placeName);
  }

  get placeName(): string {
    const { place } = this.workspace;
    return place.type === 'trash' ? 'Trash' : nameOf(this.replica.row(place.id)) || 'Inbox';
  }

  /** Moves the cursor. Without effect for an id that has no line in the open place. */
  moveTo(id: Id | null): void {
    if (id !== null && !this.workspace.outline.has(id)) return;
    this.workspace.selection.put(this.workspace.outline, id);
    this.rows.follow();
  }

  /** Whether a part keeps the title or name of a row from being written, or its notes; the part says why. */
  isKept(id: Id, register?: 'notes'): boolean {
    for (const part of this.parts.hooks) if (part.keeps?.(id, register) === true) return true;
    return false;
  }

  /** Starts editing a title or list name. */
  edit(id: Id, caret: Caret, options: { readonly fresh?: boolean; readonly group?: Id } = {}): void {
    this.leaveText();
    if (this.isKept(id)) return;
    this.editor.begin(id, caret, options);
    for (const part of this.parts.hooks) part.beganText?.();
    this.rows.follow();
  }

  /** Commits and leaves the text being edited; discards a new task left empty. */
  leaveText(): void {
    for (const part of this.parts.hooks) part.leaveText?.();
    const left = this.editor.end();
    if (left) for (const part of this.parts.hooks) part.leftText?.(left);
    if (left?.field === 'name' && left.text !== left.original) this.#sayRenamed(left);
    if (!left?.fresh || !isBlank(left.text)) return;
    const row = this.replica.row(left.id);
    const isBare = row !== undefined && !fieldOf(row, 'notes') && !this.replica.children(left.id).length;
    const created = this.undo.newest;
    if (!isBare || created?.id !== left.group) return;
    const wasHere = this.workspace.cursor === left.id;
    this.undo.discard(left.group);
    if (wasHere && created.cursor !== null && this.workspace.outline.has(created.cursor))
      this.moveTo(created.cursor);
  }

  /** Adds a task with all of the text; what exceeds a title goes into its notes. */
  addToInbox(whole: string): Id {
    const { replica, workspace } = this;
    const id = replica.newId();
    const { fields, rest } = taskText(whole);
    const place = { parent: workspace.inbox };
    const task: Action = { a: 'create', id, type: 'task', fields, place };
    const actions = [task, ...moreNotes(id, rest, () => replica.newId())];
    this.change(actions, `added ${quoted(fields.title ?? '')}`, { rescues: true });
    return id;
  }

  #sayRenamed({ id, original }: { readonly id: Id; readonly original: string }): void {
    const now = nameOf(this.replica.row(id));
    if (now === original) this.say(`Lists need a name. ${quoted(original)} keeps its old one.`);
    else this.say(`Renamed ${quoted(original)} to ${quoted(now)}.`, { undo: true });
  }

  /** "‘Plan launch’", "3 tasks": names rows in messages and undo labels. */
  describe(ids: readonly Id[]): string {
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) return quoted(nameOf(this.replica.row(only)));
    return `${ids.length} tasks`;
  }

  /** Dates passed: rows read differently, and hidden tasks may be back. */
  #woke(tasks: readonly Id[]): void {
    if (this.#isClosed) return;
    this.rowFacts.refresh(this.moment());
    this.show(this.workspace.away.reconsider(tasks));
    for (const part of this.parts.hooks) part.tick?.();
    if (this.#depth === 0) this.#settle();
  }

  /** Tasks were hidden or shown without a change of their own rows. */
  show(seen: readonly RowChange[]): void {
    this.workspace.applySeen(seen);
    this.counts.apply(seen);
    for (const part of this.parts.hooks) part.visibilityChanged?.(seen);
  }

  /** Time moved on. */
  tick(): void {
    this.clock.check();
    this.rowFacts.refresh(this.moment());
    for (const part of this.parts.hooks) part.tick?.();
    this.#settle();
  }

  async close(): Promise<void> {
    this.act(() => {
      this.leaveText();
      for (const part of this.parts.hooks) part.close?.();
      this.editor.close();
    });
    this.catchUp();
    this.#isClosed = true;
    this.clock.close();
    this.#unsubscribe();
    this.messages.clear();
    await this.engine.close();
  }

  /** The context for reading and formatting dates now. */
  moment(): DateContext {
    const { replica, platform, settings } = this;
    return {
      now: replica.now(),
      zone: platform.zone(),
      locale: platform.locale(),
      dayStart: settings.get(dayStart),
    };
  }

  #changed(changes: readonly RowChange[], cause: ChangeCause): void {
    this.clock.apply(changes);
    this.counts.apply(this.workspace.apply(changes));
    for (const part of this.parts.hooks) part.apply?.(changes, cause);
    for (const part of this.parts.hooks) part.applied?.(changes);
    const touches = (type: string) => changes.some(({ before, after }) => (after ?? before)?.type === type);
    const isBookmark = this.workspace.facts.bookmarks.size > 0 && touches('task');
    if (touches('list') || touches('mine') || isBookmark) this.sidebar.invalidate();
    if (touches('label') || touches('labelGroup')) {
      this.rowFacts.refresh(null);
      this.labelKeys.invalidate();
      if (cause !== 'local') this.dialog.refresh();
    } else if (cause !== 'local' && touches('setting')) this.dialog.refresh();
    this.#lastCause = cause;
    // Last: its listeners may look at everything else.
    this.settings.apply(changes);
    if (cause === 'local') this.rows.follow();
    if (cause === 'load' && this.isUntouched) this.#awaitRows();
    this.editor.refresh();
    if (this.#depth === 0) this.#settle();
  }

  /**
   * While rows load and nothing was done yet: opens the last place once it is here, and keeps the cursor on the first
   * row.
   */
  #awaitRows(): void {
    const wanted = this.#wanted;
    if (
      wanted !== null &&
      placeKey(wanted) !== placeKey(this.workspace.place) &&
      this.workspace.exists(wanted)
    ) {
      this.workspace.open(wanted);
    }
    this.moveTo(this.workspace.outline.at(0) ?? null);
  }

  /** Repairs state that a change may have invalidated, and draws. */
  #settle(): void {
    if (this.#depth > 0 || this.#isClosed) return;
    this.#depth += 1;
    const { place } = this.workspace;
    for (const part of this.parts.hooks) part.beforeSettle?.();
    // Committing typed text is itself a change.
    const isTheirs = this.#lastCause === 'remote';
    if (!this.workspace.exists(place) && this.engine.state.get().type !== 'loading') {
      this.open({ type: 'list', id: this.workspace.inbox });
      if (isTheirs) this.say('What you had open is gone.');
    }
    if (this.pane === 'search' && this.query === null) this.pane = 'outline';
    this.workspace.settleOrder();
    for (const part of this.parts.hooks) part.settle?.();
    this.#followNotes();
    if (this.sidebar.isDrawer) this.sidebar.show(this.pane === 'sidebar');
    if (this.counts.isStale) this.#recountSoon();
    this.#gesture = null;
    this.#depth -= 1;
    // Asked each time: the server may report it later, and an app left in the trash reopens there.
    if (this.workspace.isTrash) this.rowFacts.trashDays = this.engine.facts().trashDays;
    this.rows.sync();
    for (const part of this.parts.hooks) part.draw?.();
    this.#draw();
  }

  /**
   * The notes pane shows the task at the cursor, or a list while its notes are written; typing in other notes is
   * committed.
   */
  #followNotes(): void {
    const list = this.notesList;
    if (list !== null && (this.pane !== 'notes' || this.workspace.facts.isHidden(list.id)))
      this.notesList = null;
    const row = this.workspace.cursorRow;
    if (this.notesList !== null) this.editor.openNotes(this.notesList.id);
    else if (this.notesOpen && row?.type === 'task') this.editor.openNotes(row.id);
    else {
      this.editor.closeNotes();
      if (this.pane === 'notes') this.pane = 'outline';
    }
  }

  #recountSoon(): void {
    if (this.replica.size <= SMALL) this.counts.recount();
    else if (this.#recount === null) {
      this.#recount = this.platform.after(RECOUNT_MS, () => {
        this.#recount = null;
        if (this.#isClosed) return;
        this.counts.recount();
        this.#settle();
      });
    }
  }

  /** Changes made before this start can be undone too. */
  #loadUndo(): void {
    void this.engine
      .loaded()
      .then(() => this.undo.load())
      .then(() => {
        for (const part of this.parts.hooks) part.loaded?.();
      })
      // The next undo tries again and reports the failure.
      .catch(() => undefined);
  }
}
