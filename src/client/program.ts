// The running client behind the App: holds the parts, issues changes with their undo, and derives everything drawn after
// each command. What can be done with it is commands/; keys are keyboard.ts.
import type { Id } from '#core/ids.ts';
import type { Action } from '#sync/operation.ts';
import type { ChangeCause, Engine, Issued, Replica, RowChange } from '#sync/replica-types.ts';
import type { AccountFailure, DeviceInfo, NotesField, Platform } from './app.ts';
import { Adrift } from './adrift.ts';
import type { ArgumentValues, CommandResult } from './commands/command.ts';
import type { TakenTasks } from './commands/taken.ts';
import type { Caret } from './editor.ts';
import { Editor, isBlank, quoted } from './editor.ts';
import type { DateContext } from './dates.ts';
import { clearByItself } from './clearing/door.ts';
import { Entry } from './entry/door.ts';
import { watchTime } from './clock/watch-time.ts';
import type { Clock } from './clock/clock.ts';
import { ListCounts } from './list-counts.ts';
import type { Finding } from './finding.ts';
import type { Held } from './held.ts';
import type { Later } from './later.ts';
import type { Lazy } from './lazy.ts';
import { expireLedger } from './ledger.ts';
import { moreNotes, taskText } from './long-text.ts';
import type { Offering } from './palette/offering.ts';
import { Messages, type SayOptions } from './messages.ts';
import { parsePlaceKey, type Place, placeKey } from './places.ts';
import { nameOf, RowFacts } from './row-facts.ts';
import type { OpenDialog } from './open-dialog.ts';
import { keptPrivate } from './labels/privacy.ts';
import { LabelKeys } from './labels/label-keys.ts';
import type { Link } from './markdown/links.ts';
import type { Keymap } from './keys/keymap.ts';
import type { Stroke } from './keys/stroke.ts';
import { RowsWindow } from './rows-view.ts';
import type { TaskIndex } from '#sync/query/task-index.ts';
import { Searching } from './searching.ts';
import { Sidebar } from './sidebar.ts';
import { dayStart, tabKey } from './settings/general.ts';
import { Settings } from './settings/settings.ts';
import { Smart } from './smart.ts';
import { sortedOutline } from './sorting/door.ts';
import { Reminders } from './reminders/door.ts';
import { Resuming } from './resuming.ts';
import { createSignal, type WritableSignal } from './signal.ts';
import { Hardcore } from './hardcore.ts';
import type { HistoryBook } from './history/book.ts';
import { Teaching } from './teaching/door.ts';
import { trashPart } from './trash-door.ts';
import { UndoHistory } from './undo.ts';
import type { PaletteActions } from './palette/palette-actions.ts';
import type { DialogView } from './dialog-view.ts';
import type { DragView } from './view.ts';
import { Workspace } from './workspace.ts';

export type Pane = 'outline' | 'sidebar' | 'notes' | 'search';

const SMALL = 5_000;
const RECOUNT_MS = 60;
const IDLE_MS = 300;
/** After this an answer of the server would have come. */
const SETTLED_MS = 10_000;

const SAFE = 'Your own look is left out. Open the app without “?safe” to have it again.';

export interface ChangeOptions {
  /** The undo group to join; absent: that of the running gesture. */
  readonly group?: Id;
  readonly atomic?: boolean;
  /** Whether joining a group names it anew; by default where the group was given. */
  readonly renames?: boolean;
  /** False: undo does not take it back (what is collapsed is no content). */
  readonly undoable?: boolean;
}

export interface ProgramPorts {
  readonly engine: Engine;
  readonly platform: Platform;
  readonly keymap: Keymap;
  /** Null: not known (yet). */
  readonly titleOf: (command: string) => string | null;
  /** Derives what is drawn; called after every command and change. */
  readonly draw: () => void;
  readonly run: (id: string, args?: ArgumentValues) => CommandResult;
  readonly palette: PaletteActions;
  readonly later: Lazy<Later>;
  readonly held: (program: Program) => Held;
}

export class Program {
  readonly engine: Engine;
  readonly platform: Platform;
  readonly replica: Replica;
  readonly clock: Clock;
  readonly workspace: Workspace;
  readonly undo: UndoHistory;
  readonly editor: Editor;
  readonly messages: Messages;
  /** Where commands go for a part of the app that may have to be loaded. */
  readonly held: Held;
  readonly counts: ListCounts;
  readonly sidebar: Sidebar;
  readonly rows: RowsWindow;
  readonly rowFacts: RowFacts;
  readonly searching: Searching;
  /** What comes after the first screen. */
  readonly rest: Lazy<Later>;
  readonly smart: Smart;
  readonly entry: Entry = new Entry(this);
  readonly adrift: Adrift = new Adrift(this);
  readonly #resuming: Resuming = new Resuming(this);
  /** What a link wants, until the person has said yes. */
  linkWaits: (() => void) | null = null;
  readonly reminders: Reminders;
  readonly palette: PaletteActions;
  /** Runs another command. */
  readonly run: ProgramPorts['run'];
  readonly settings: Settings;
  readonly drag: WritableSignal<DragView | null> = createSignal<DragView | null>(null);
  readonly dialog: WritableSignal<DialogView | null> = createSignal<DialogView | null>(null);
  /** The history on screen, while it is. */
  history: HistoryBook | null = null;
  /** What the server last said of the account's devices; null: not asked yet. */
  devices: readonly DeviceInfo[] | AccountFailure | null = null;
  /** What a command is called. */
  readonly titleOf: ProgramPorts['titleOf'];
  readonly labelKeys: LabelKeys;
  readonly teaching: Teaching;
  readonly hardcore: Hardcore;
  /** The dialog on screen that thinks for itself (labels, settings), while it is. */
  openDialog: OpenDialog | null = null;
  pane: Pane = 'outline';
  /** What parts of the app have put into the palette. */
  readonly offerings: Offering[] = [];
  /** Takes every key while keys are recorded; true: it was taken. */
  capture: ((stroke: Stroke) => boolean) | null = null;
  /** Nothing was done yet: while rows load, the cursor stays on the first. */
  isUntouched = true;
  /** Null: the search line is closed. */
  query: string | null = null;
  notesOpen = false;
  /** The list whose notes are being written, and where that was asked for; null: notes are those of the task at the cursor. */
  notesList: { readonly id: Id; readonly from: 'outline' | 'sidebar' } | null = null;
  notesField: NotesField | null = null;
  /** What was copied or cut last. */
  taken: TakenTasks | null = null;
  /** The links that were found last, of which one is asked for. */
  links: readonly Link[] = [];
  /** The person is ending the session here: that it is over is no news. */
  isLeaving = false;
  /** What is being put under Recovered is said by whoever puts it there. */
  isKeeping = false;
  /** The app has run long enough for what is missing to be missed. */
  isSettled = false;
  /** The next Tab leaves the outline instead of indenting. */
  tabPasses = false;
  /** The caret column that moving up and down from line to line tries to keep. */
  column: number | null = null;
  /** Open when the app was last closed. */
  readonly #wanted: Place | null;
  readonly #draw: () => void;
  #depth = 0;
  #gesture: Id | null = null;
  readonly #later: (() => void)[] = [];
  #isClosed = false;
  #lastCause: ChangeCause = 'load';
  #recount: (() => void) | null = null;
  readonly #unsubscribe: () => void;
  #stopClearing: () => void = () => undefined;

  constructor({ engine, platform, keymap, titleOf, draw, run, palette, later, held }: ProgramPorts) {
    this.engine = engine;
    this.run = run;
    this.platform = platform;
    this.replica = engine.replica;
    this.settings = new Settings(engine.replica, platform.preferences);
    this.hardcore = new Hardcore(this);
    this.#draw = draw;
    const after = (delayMs: number, work: () => void) =>
      platform.after(delayMs, () => {
        if (!this.#isClosed) this.act(work);
      });
    this.#wanted = parsePlaceKey(platform.preferences.get('place'));
    const { clock, away } = watchTime(this, (tasks) => this.#woke(tasks));
    this.clock = clock;
    this.workspace = new Workspace(this.replica, this.#wanted, away);
    this.undo = new UndoHistory(this.replica, engine.journal);
    this.messages = new Messages(after, () => this.#settle());
    this.editor = new Editor({
      replica: this.replica,
      after,
      notesEditor: () => later.now?.NotesEditor ?? null,
      commit: (actions, label, group) => this.change(actions, label, { group }).verdicts[0] === 'ok',
      say: (text) => this.say(text),
      keep: (action) => {
        this.isKeeping = true;
        this.engine.recover(action);
        this.isKeeping = false;
      },
    });
    this.counts = new ListCounts(this.replica, this.workspace.children);
    this.smart = new Smart(this);
    this.reminders = new Reminders(this);
    this.sidebar = new Sidebar(this.workspace, ({ id, fields }) =>
      fields.listType === 'smart' ? this.smart.countOf(id) : this.counts.of(id),
    );
    this.sidebar.show(platform.preferences.get('sidebar') !== 'hidden');
    this.rowFacts = new RowFacts(this.workspace, this.moment());
    this.titleOf = titleOf;
    this.labelKeys = new LabelKeys(this.replica, keymap);
    this.teaching = new Teaching(this, keymap);
    this.rest = later;
    this.held = held(this);
    this.searching = new Searching(this, later, after);
    this.workspace.smartOutline = (id) => this.smart.outlineOf(id);
    this.workspace.sortedOutline = (root) => sortedOutline(this, root);
    this.rows = new RowsWindow(() => ({
      length: this.workspace.outline.length,
      cursor: this.workspace.cursor,
      cursorIndex: this.workspace.cursorIndex,
      rowAt: (index) => this.rowFacts.rowAt(index, this.editor.title, this.searching.words),
    }));
    this.palette = palette;
    // What lies under a dialog is not read.
    this.dialog.subscribe(() => this.messages.hold('dialog', this.dialog.get() !== null));
    this.#unsubscribe = this.replica.subscribe((changes, cause) => this.#changed(changes, cause));
    after(IDLE_MS, () => {
      this.#loadUndo();
      this.reminders.wake();
      this.teaching.wake();
      this.#stopClearing = clearByItself(this);
    });
    if (platform.isSafe) after(0, () => this.say(SAFE));
    after(SETTLED_MS, () => {
      this.isSettled = true;
    });
  }

  get search(): TaskIndex {
    return this.searching.here.index;
  }

  get finding(): Finding {
    return this.searching.here.finding;
  }

  get tabMovesFocus(): boolean {
    return this.settings.get(tabKey) === 'moves';
  }

  /** Runs a piece of work as one gesture: one undo group, one drawing at its end. */
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

  /** Issues actions now and lets undo take them back under `label` ("completed ‘Plan launch’"). */
  change(asked: readonly Action[], label: string, options: ChangeOptions = {}): Issued {
    const { keepsLabels, privateLabels } = this.workspace.facts;
    const actions = keepsLabels ? keptPrivate(this.replica, privateLabels, asked) : asked;
    const group = options.group ?? this.gestureOf();
    const { cursor } = this.workspace;
    const atomic = options.atomic ?? false;
    const issued = this.replica.issue(actions, { group, atomic });
    const renames = options.renames ?? options.group !== undefined;
    if (options.undoable !== false) this.undo.record({ issued, label, group, cursor, renames });
    this.messages.clearOffer(this.undo.newest?.id);
    return issued;
  }

  /** The undo group that the running gesture writes to: its own, or that of a new task being typed. */
  gestureOf(): Id {
    const draft = this.editor.title;
    this.#gesture ??= draft?.fresh === true && this.#depth > 0 ? draft.group : this.replica.newId();
    return this.#gesture;
  }

  /** Runs work after this frame; closing the app runs at once what is left. */
  later(work: () => void): void {
    this.#later.push(work);
    this.platform.after(0, () => {
      const next = this.#later.shift();
      if (next && !this.#isClosed) this.act(next);
    });
  }

  /** Does at once what was put off. */
  catchUp(): void {
    for (let next = this.#later.shift(); next; next = this.#later.shift()) this.act(next);
  }

  /** Says something in the status line and to screen readers. */
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
      // Drawn again with what its lines say; without that part they say less.
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

  /** Shows what a query asks for; an empty one shows the open place again. */
  find(query: string, caret?: number): void {
    this.finding.find(query, caret);
  }

  get placeName(): string {
    const { place } = this.workspace;
    return place.type === 'trash' ? 'Trash' : nameOf(this.replica.row(place.id)) || 'Inbox';
  }

  /** What has no line in the open place leaves the cursor where it is. */
  moveTo(id: Id | null): void {
    if (id !== null && !this.workspace.outline.has(id)) return;
    this.workspace.selection.put(this.workspace.outline, id);
    this.rows.follow();
  }

  /** Puts a title or list name into editing. */
  edit(id: Id, caret: Caret, options: { readonly fresh?: boolean; readonly group?: Id } = {}): void {
    this.leaveText();
    this.editor.begin(id, caret, options);
    this.rows.follow();
  }

  /** Commits and leaves the text being edited; a new task left empty goes again. */
  leaveText(): void {
    this.entry.finish();
    const left = this.editor.end();
    if (left) this.#resuming.left(left);
    if (left?.field === 'name' && left.text !== left.original) this.#sayRenamed(left);
    if (!left?.fresh || !isBlank(left.text)) return;
    const row = this.replica.row(left.id);
    const isBare = row !== undefined && !row.fields.notes && !this.replica.children(left.id).length;
    const created = this.undo.newest;
    if (!isBare || created?.id !== left.group) return;
    const wasHere = this.workspace.cursor === left.id;
    this.undo.discard(left.group);
    if (wasHere && created.cursor !== null && this.workspace.outline.has(created.cursor))
      this.moveTo(created.cursor);
  }

  /** Adds a task that holds all of the text, the rest of a long one in its notes. */
  addToInbox(whole: string): Id {
    const { replica, workspace } = this;
    const id = replica.newId();
    const { fields, rest } = taskText(whole);
    const place = { parent: workspace.inbox };
    const task: Action = { a: 'create', id, type: 'task', fields, place };
    this.change([task, ...moreNotes(id, rest, () => replica.newId())], `added ${quoted(fields.title ?? '')}`);
    return id;
  }

  #sayRenamed({ id, original }: { readonly id: Id; readonly original: string }): void {
    const now = nameOf(this.replica.row(id));
    if (now === original) this.say(`A list needs a name: ${quoted(original)} keeps its own.`);
    else this.say(`Renamed ${quoted(original)} to ${quoted(now)}.`, { undo: true });
  }

  /** "‘Plan launch’", "3 tasks": how messages and undo name rows. */
  describe(ids: readonly Id[]): string {
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) return quoted(nameOf(this.replica.row(only)));
    return `${ids.length} tasks`;
  }

  /** Dates passed: rows read differently, and who was away may be back. */
  #woke(tasks: readonly Id[]): void {
    if (this.#isClosed) return;
    this.rowFacts.refresh(this.moment());
    this.show(this.workspace.away.reconsider(tasks));
    this.smart.tick();
    this.reminders.tick();
    if (this.#depth === 0) this.#settle();
  }

  /** Tasks come or go, of which nothing changed themselves. */
  show(seen: readonly RowChange[]): void {
    this.workspace.applySeen(seen);
    this.counts.apply(seen);
    this.smart.apply(seen);
  }

  /** Time moved on. */
  tick(): void {
    this.clock.check();
    this.rowFacts.refresh(this.moment());
    this.smart.tick();
    this.reminders.tick();
    this.#settle();
  }

  async close(): Promise<void> {
    this.act(() => {
      this.leaveText();
      this.adrift.end();
      this.editor.close();
    });
    this.catchUp();
    this.#isClosed = true;
    this.clock.close();
    this.#unsubscribe();
    this.#stopClearing();
    this.messages.clear();
    await this.engine.close();
  }

  /** What dates are read and said by, now. */
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
    this.searching.apply(changes);
    this.smart.apply(changes);
    this.reminders.apply(changes);
    this.teaching.apply(changes);
    this.searching.follow(changes);
    const touches = (type: string) => changes.some(({ before, after }) => (after ?? before)?.type === type);
    const isBookmark = this.workspace.facts.bookmarks.size > 0 && touches('task');
    if (touches('list') || touches('mine') || isBookmark) this.sidebar.invalidate();
    if (touches('label') || touches('labelGroup')) {
      this.rowFacts.refresh(null);
      this.labelKeys.invalidate();
      if (cause !== 'local') this.openDialog?.refresh();
    } else if (cause !== 'local' && touches('setting')) this.openDialog?.refresh();
    this.#lastCause = cause;
    // Last, for whoever hears of it looks at everything else.
    this.settings.apply(changes);
    if (cause === 'local') this.rows.follow();
    if (cause === 'load' && this.isUntouched) this.#awaitRows();
    this.editor.refresh();
    if (this.#depth === 0) this.#settle();
  }

  /** While rows load and nothing was done yet: the last place opens when it is here, the cursor stays on the first row. */
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

  /** Sets right what a change may have left behind, and draws. */
  #settle(): void {
    if (this.#depth > 0 || this.#isClosed) return;
    this.#depth += 1;
    const { place } = this.workspace;
    const typing = this.adrift.typing();
    // Committing what was typed is a change of its own.
    const isTheirs = this.#lastCause === 'remote';
    if (!this.workspace.exists(place) && this.engine.state.get().type !== 'loading') {
      this.open({ type: 'list', id: this.workspace.inbox });
      if (isTheirs) this.say('What was open has been deleted.');
    }
    if (this.pane === 'search' && this.query === null) this.pane = 'outline';
    this.smart.settle();
    this.workspace.settleOrder();
    this.#resuming.settle();
    this.adrift.endWhatWent(typing, isTheirs);
    this.#followNotes();
    if (this.sidebar.isDrawer) this.sidebar.show(this.pane === 'sidebar');
    if (this.counts.isStale) this.#recountSoon();
    this.#gesture = null;
    this.#depth -= 1;
    // Asked each time: the server may say so later, and an app that was left in the trash opens there.
    if (this.workspace.isTrash) this.rowFacts.trashDays = this.engine.facts().trashDays;
    this.rows.sync();
    this.reminders.settle();
    this.teaching.settle();
    this.#draw();
  }

  /** The notes pane shows the task at the cursor, or a list while its notes are written; what was typed for another is committed. */
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

  /** What was done before this start can be undone too. */
  #loadUndo(): void {
    void this.engine
      .loaded()
      .then(() => this.undo.load())
      .then(() => expireLedger(this))
      // Whoever undoes then tries again, and hears of it.
      .catch(() => undefined);
  }
}
