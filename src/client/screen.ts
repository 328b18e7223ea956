// Derives what is drawn besides the rows: header, empty screen, notes, status, focus. Called after every command; a signal
// is told only when what it holds differs.
import type { Id } from '#core/ids.ts';
import type { SyncState } from '#sync/replica-types.ts';
import { placeOf } from '#sync/row-reading.ts';
import { emptyOf } from './empty.ts';
import type { Keyboard } from './keyboard.ts';
import type { Program } from './program.ts';
import { nameOf } from './row-facts.ts';
import { createSignal } from './signal.ts';
import { sortAt, sortingPart } from './sorting/door.ts';
import { saySort } from './sorting/sorts.ts';
import { statusPart } from './ledger.ts';
import type {
  AlarmView,
  EmptyView,
  FocusView,
  HeaderView,
  NotesView,
  SearchView,
  StatusView,
} from './view.ts';

/** Equality of plain data, for snapshots small enough to compare. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}

const NOBODY: HeaderView['away'] = { snoozed: 0, unstarted: 0 };

/** Nothing waits for the network or the disk. */
const QUIET: ReadonlySet<SyncState['type']> = new Set(['synced', 'local', 'loading', 'detached']);

export class Screen {
  readonly header = createSignal<HeaderView>(
    { title: '', trail: [], kind: 'inbox', count: 0, away: NOBODY, sorted: '' },
    same,
  );
  readonly empty = createSignal<EmptyView | null>(null, same);
  readonly search = createSignal<SearchView | null>(null, same);
  readonly notes = createSignal<NotesView | null>(null, same);
  readonly status = createSignal<StatusView>(
    {
      mode: 'NAV',
      selected: 0,
      pending: [],
      hints: [],
      message: null,
      tabMovesFocus: false,
      sync: { type: 'loading' },
    },
    same,
  );
  readonly alarm = createSignal<AlarmView | null>(null, same);
  readonly isMouseOff = createSignal(false);
  readonly visit = createSignal(0);
  readonly focus = createSignal<FocusView>({ pane: 'outline', id: null, edit: null });
  #focusRequests = -1;

  draw(program: Program, keyboard: Keyboard): void {
    this.header.set({ ...headerOf(program), sorted: orderOf(program) });
    this.empty.set(emptyOf(program));
    this.search.set(program.searching.view);
    this.notes.set(notesOf(program));
    this.status.set(statusOf(program, keyboard));
    this.isMouseOff.set(program.hardcore.isMouseOff);
    this.#drawAlarm(program);
    if (program.dialog.get()?.type === 'sync') refreshSyncStatus(program);
    const { place } = program.workspace;
    const { facts } = program.workspace;
    const list = place.type === 'task' ? program.workspace.listOf(place.id)?.id : undefined;
    const task = place.type === 'task' && facts.bookmarks.has(place.id) ? place.id : list;
    program.sidebar.sync({
      open: task ?? (place.type === 'list' ? place.id : null),
      renaming: program.editor.title?.field === 'name' ? program.editor.title.id : null,
    });
    this.visit.set(program.workspace.visits.position);
    this.#drawFocus(program);
  }

  #drawAlarm(program: Program): void {
    const { engine, platform, replica, isSettled, rest } = program;
    const state = engine.state.get();
    const notices = platform.device.notices.get();
    // Facts are asked for only when one of them may count: this runs after every key.
    const isQuiet = QUIET.has(state.type);
    const before = this.alarm.get()?.text;
    // The status line says the worst from the beginning.
    if (rest.now === null || (isQuiet && notices.length === 0)) this.alarm.set(null);
    else
      this.alarm.set(
        rest.now.alarmOf({ state, facts: engine.facts(), notices, now: replica.now(), isSettled }),
      );
    const now = this.alarm.get()?.text;
    // A disk that refuses is announced when it begins to (sync-news.ts).
    if (now !== undefined && now !== before && state.type !== 'unsaved') program.messages.announce(now);
  }

  /** The same object as long as focus and caret stay; a new one puts the caret again. */
  #drawFocus(program: Program): void {
    const focus = focusOf(program);
    const { requests } = program.editor;
    if (requests === this.#focusRequests && same(focus, this.focus.get())) return;
    this.#focusRequests = requests;
    this.focus.set(focus);
  }
}

/** The open dialog follows what happens. */
function refreshSyncStatus(program: Program): void {
  const shown = program.dialog.get();
  const next = statusPart.now?.ledgerDialog(program, 'sync');
  if (next && !same(shown, next)) program.dialog.set(next);
}

function focusOf(program: Program): FocusView {
  if (program.dialog.get() !== null) return { pane: 'dialog' };
  if (program.palette.isOpen) {
    const month = program.palette.view.get()?.month;
    return month?.isFocused === true ? { pane: 'palette', day: month.day } : { pane: 'palette' };
  }
  const { title } = program.editor;
  if (program.pane === 'sidebar') {
    return { pane: 'sidebar', id: program.sidebar.cursor, edit: title?.field === 'name' };
  }
  if (program.pane === 'notes' || program.pane === 'search') return { pane: program.pane };
  if (title?.field === 'title') {
    const text = title.put === null ? {} : { text: title.put };
    return {
      pane: 'outline',
      id: title.id,
      ...lineOf(program, title.id),
      edit: { caret: title.wanted, ...text },
    };
  }
  const { cursor } = program.workspace;
  return { pane: 'outline', id: cursor, ...lineOf(program, cursor), edit: null };
}

function lineOf({ workspace }: Program, id: Id | null): { readonly line?: string } {
  const line = id === null ? undefined : workspace.outline.lineAt?.(workspace.outline.indexOf(id));
  return line === undefined || line === id ? {} : { line };
}

function trailOf(program: Program, start: Id | undefined): HeaderView['trail'] {
  const trail: { id: Id; name: string }[] = [];
  for (let id = start; id !== undefined;) {
    const row = program.replica.row(id);
    if (!row) break;
    trail.push({ id, name: nameOf(row) });
    id = placeOf(row)?.parent;
  }
  return trail.toReversed();
}

/** Until the words for it are here, nothing is said. */
function orderOf(program: Program): string {
  const { place, results } = program.workspace;
  if (results !== null || place.type === 'trash') return '';
  const sort = sortAt(program, place.id);
  // Until the part has come, the list stands as it was put by hand.
  return sort === null || !sortingPart.now ? '' : saySort(sort);
}

function headerOf(program: Program): Omit<HeaderView, 'sorted'> {
  const { workspace, replica, counts } = program;
  const { place, results } = workspace;
  if (results) {
    const count = program.finding.isRunning ? null : results.length;
    return { title: 'Search', trail: [], kind: 'search', count, away: NOBODY };
  }
  if (place.type === 'trash')
    return { title: 'Trash', trail: [], kind: 'trash', count: workspace.outline.length, away: NOBODY };
  const row = replica.row(place.id);
  const trail = trailOf(program, placeOf(row)?.parent);
  const away = workspace.away.countUnder(workspace.root);
  if (place.type === 'task') {
    const { items, done } = workspace.children.of(place.id);
    return { title: nameOf(row), trail, kind: 'task', count: items.length - done, away };
  }
  const listType = (row?.fields.listType as HeaderView['kind'] | 'list' | undefined) ?? 'inbox';
  const count =
    listType === 'folder'
      ? replica.children(place.id).length
      : listType === 'smart'
        ? program.smart.countOf(place.id)
        : counts.of(place.id);
  return { title: nameOf(row) || program.placeName, trail, kind: listType, count, away };
}

function notesOf(program: Program): NotesView | null {
  const { notes } = program.editor;
  const row = notes ? program.replica.row(notes.id) : undefined;
  if (!notes || !row || notes.id !== (program.notesList?.id ?? program.workspace.cursor)) return null;
  const kind = row.type === 'list' ? 'list' : 'task';
  return { id: row.id, kind, title: nameOf(row), text: notes.text, isEditing: program.pane === 'notes' };
}

function statusOf(program: Program, keyboard: Keyboard): StatusView {
  const isText = program.editor.title !== null || program.pane === 'notes' || program.pane === 'search';
  return {
    mode: isText ? 'EDIT' : 'NAV',
    selected: program.workspace.selection.size,
    pending: keyboard.pending,
    hints: keyboard.hints(),
    message: program.messages.current,
    tabMovesFocus: program.tabMovesFocus,
    sync: program.engine.state.get(),
  };
}
