// Derives the views besides the rows: header, empty screen, notes, status, focus. Called after every command; a signal
// is set only when its value differs.
import type { Id } from '#core/ids.ts';
import type { SyncState } from '#sync/replica/replica-types.ts';
import { isTrashed, placeOf } from '#sync/rows/row-reading.ts';
import { emptyOf } from './empty.ts';
import type { Keyboard } from '../keys/keyboard.ts';
import type { TokenView } from '../entry/entry-view.ts';
import { isTextMode, modeOf, paneModeOf } from './mode.ts';
import type { Program } from './program.ts';
import { asleepId, builtInOf } from '../search/built-in.ts';
import { lockedOf } from '#sync/rows/locked.ts';
import { nameOf } from '../outline/row-facts.ts';
import { createSignal } from './signal.ts';
import { sortAt, sortingPart } from '../sorting/part.ts';
import { statusPart } from '../dialogs/answers.ts';
import type {
  AlarmView,
  EmptyView,
  FocusView,
  HeaderView,
  NotesView,
  SearchView,
  StatusView,
} from './view.ts';
import { rowAndAbove } from '#sync/rows/ancestors.ts';
import { fieldOf } from '#sync/rows/row.ts';
import { smartLists } from '../search/smart-lists.ts';
import { mouseOff } from '../keys/hardcore.ts';
import { searching } from '../search/searching.ts';
import { findingOf } from '../search/searching.ts';
import type { alarmOf } from '../sync-status/alarm.ts';
import type { emptyWords } from './empty-words.ts';

/** Equality of plain data, for snapshots small enough to compare. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}

const NOWHERE = {
  title: '',
  trail: [],
  count: 0,
  done: 0,
  date: '',
  note: '',
  away: { snoozed: 0, unstarted: 0, showsSnoozed: false },
} as const;

const nothing: readonly TokenView[] = [];

/** States in which nothing waits for the network or the disk. */
const QUIET: ReadonlySet<SyncState['type']> = new Set(['synced', 'local', 'loading', 'detached']);

/** What is loaded after the first screen: the warning about tasks that are only on this device, and words for empty places. */
export type LaterWords = () => {
  readonly alarmOf: typeof alarmOf;
  readonly emptyWords: typeof emptyWords;
} | null;

export class Screen {
  readonly header = createSignal<HeaderView>({ ...NOWHERE, kind: 'inbox', sorted: '' }, same);
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
      recording: null,
      sync: { type: 'loading' },
    },
    same,
  );
  readonly alarm = createSignal<AlarmView | null>(null, same);
  readonly isMouseOff = createSignal(false);
  readonly visit = createSignal(0);
  readonly current = createSignal<string | null>(null);
  readonly recognized = createSignal<readonly TokenView[]>(nothing);
  readonly focus = createSignal<FocusView>({ pane: 'outline', id: null, edit: null });
  readonly #later: LaterWords;
  #focusRequests = -1;

  constructor(later: LaterWords) {
    this.#later = later;
  }

  draw(program: Program, keyboard: Keyboard): void {
    this.header.set({ ...headerOf(program), sorted: orderOf(program) });
    this.empty.set(emptyOf(program, this.#later()?.emptyWords ?? null));
    this.search.set(program.part(searching).view);
    this.notes.set(notesOf(program));
    this.status.set(statusOf(program, keyboard));
    this.isMouseOff.set(program.part(mouseOff).isMouseOff);
    this.#drawAlarm(program);
    if (program.dialog.get()?.type === 'sync') refreshSyncStatus(program);
    const { place, facts, results } = program.workspace;
    const list = place.type === 'task' ? program.workspace.listOf(place.id)?.id : undefined;
    const task = place.type === 'task' && facts.bookmarks.has(place.id) ? place.id : list;
    program.sidebar.sync({
      open:
        results === null
          ? (task ?? (place.type === 'list' ? place.id : null))
          : (program.sidebar.labelOf(program.query ?? '')?.id ?? null),
      renaming: program.editor.title?.field === 'name' ? program.editor.title.id : null,
    });
    this.visit.set(program.workspace.visits.position);
    this.current.set(this.#currentOf(program));
    this.recognized.set(program.editor.title?.tokens ?? nothing);
    this.#drawFocus(program);
  }

  #currentOf({ workspace, replica }: Program): string | null {
    const { place, results, inbox } = workspace;
    if (results !== null) return 'search.open';
    if (place.type !== 'list') return null;
    if (place.id === inbox) return 'go.inbox';
    const builtIn = builtInOf(replica.scope, place.id);
    return builtIn === null ? null : `go.${builtIn}`;
  }

  #drawAlarm(program: Program): void {
    const { engine, platform, replica, isSettled } = program;
    const alarm = this.#later()?.alarmOf ?? null;
    const state = engine.state.get();
    const notices = platform.device.notices.get();
    // This runs after every key, so facts are asked for only when they may matter.
    const isQuiet = QUIET.has(state.type);
    const before = this.alarm.get()?.text;
    // From the beginning, the status line shows the worst state.
    if (alarm === null || (isQuiet && notices.length === 0)) this.alarm.set(null);
    else this.alarm.set(alarm({ state, facts: engine.facts(), notices, now: replica.now(), isSettled }));
    const now = this.alarm.get()?.text;
    // news.ts announces a failing disk when the failure begins.
    if (now !== undefined && now !== before && state.type !== 'unsaved') program.messages.announce(now);
  }

  /** The same object as long as focus and caret stay; a new one puts the caret again. */
  #drawFocus(program: Program): void {
    const focus = focusOf(program);
    const { requests } = program.editor;
    const before = this.focus.get();
    const isAsked = requests !== this.#focusRequests;
    if (!isAsked && same(focus, before)) return;
    this.#focusRequests = requests;
    // The caret was placed for the same `edit` before, and has moved since.
    const isPut =
      !isAsked && focus.pane === 'outline' && before.pane === 'outline' && same(focus.edit, before.edit);
    this.focus.set(isPut ? { ...focus, edit: before.edit } : focus);
  }
}

/** Redraws the open sync status dialog. */
function refreshSyncStatus(program: Program): void {
  const shown = program.dialog.get();
  const next = statusPart.now?.syncStatusDialog(program, 'sync');
  if (next && !same(shown, next)) program.dialog.show(next);
}

function focusOf(program: Program): FocusView {
  const mode = modeOf(program);
  switch (mode.type) {
    case 'palette': {
      const month = program.palette.view.get()?.month;
      return month?.isFocused === true ? { pane: 'palette', day: month.day } : { pane: 'palette' };
    }
    case 'sidebar':
    case 'name':
      return { pane: 'sidebar', id: program.sidebar.cursor, edit: mode.type === 'name' };
    case 'title': {
      const { id, put, wanted } = mode.draft;
      const text = put === null ? {} : { text: put };
      return { pane: 'outline', id, ...lineOf(program, id), edit: { caret: wanted, ...text } };
    }
    case 'outline': {
      const { cursor } = program.workspace;
      return { pane: 'outline', id: cursor, ...lineOf(program, cursor), edit: null };
    }
    default:
      return { pane: mode.type };
  }
}

function lineOf({ workspace }: Program, id: Id | null): { readonly line?: string } {
  const line = id === null ? undefined : workspace.outline.lineAt?.(workspace.outline.indexOf(id));
  return line === undefined || line === id ? {} : { line };
}

function trailOf(program: Program, start: Id | undefined): HeaderView['trail'] {
  const trail: { id: Id; name: string }[] = [];
  const { replica } = program;
  const row = start === undefined ? undefined : replica.row(start);
  for (const above of rowAndAbove(row, (id) => replica.row(id)))
    trail.push({ id: above.id, name: nameOf(above) });
  return trail.toReversed();
}

/** The order of the list in words; empty until those words are loaded. */
function orderOf(program: Program): string {
  const { place, results } = program.workspace;
  if (results !== null || place.type === 'trash') return '';
  const sort = sortAt(program, place.id);
  // Until the part is loaded, the list has its manual order.
  if (sort === null) return program.orderWords(place.id);
  return sortingPart.now?.saySort(sort) ?? '';
}

function headerOf(program: Program): Omit<HeaderView, 'sorted'> {
  const { workspace, replica, counts, rowFacts } = program;
  const { place, results } = workspace;
  if (results) {
    const count = findingOf(program).isRunning ? null : results.length;
    const label = program.sidebar.labelOf(program.query ?? '');
    return { ...NOWHERE, title: label === null ? 'Search' : nameOf(label), kind: 'search', count };
  }
  if (place.type === 'trash')
    return { ...NOWHERE, title: 'Trash', kind: 'trash', count: workspace.outline.length };
  const row = replica.row(place.id);
  const trail = trailOf(program, placeOf(row)?.parent);
  const { showsSnoozed } = workspace.away;
  const away = { ...workspace.away.countUnder(workspace.root), showsSnoozed };
  if (place.type === 'task') {
    const { items, done } = workspace.children.of(place.id);
    const due = row === undefined ? null : rowFacts.dueOf(row);
    const date = due === null ? '' : `Due ${due.text}`;
    return {
      ...NOWHERE,
      title: nameOf(row),
      trail,
      kind: 'task',
      count: items.length - done,
      done,
      date,
      away,
    };
  }
  const listType = fieldOf(row, 'listType') ?? 'inbox';
  const count =
    listType === 'folder'
      ? replica.children(place.id).filter((list) => !isTrashed(list)).length
      : listType === 'smart'
        ? program.part(smartLists).countOf(place.id)
        : counts.of(place.id);
  const isToday = builtInOf(replica.scope, place.id) === 'today';
  return {
    title: nameOf(row) || program.placeName,
    trail,
    kind: listType,
    count,
    done: listType === 'list' || listType === 'inbox' ? counts.doneOf(place.id) : 0,
    date: isToday ? rowFacts.today() : '',
    note: (fieldOf(row, 'notes') ?? '').trim().split('\n', 1).join(),
    away: isToday ? { ...away, snoozed: counts.countOfSmart(asleepId) ?? 0 } : away,
  };
}

function notesOf(program: Program): NotesView | null {
  const { notes } = program.editor;
  const row = notes ? program.replica.row(notes.id) : undefined;
  if (!notes || !row || notes.id !== (program.notesList?.id ?? program.workspace.cursor)) return null;
  const kind = row.type === 'list' ? 'list' : 'task';
  const isLocked = lockedOf(row)?.['notes'] !== undefined;
  const isEditing = program.pane === 'notes';
  return { id: row.id, kind, title: nameOf(row), text: notes.text, isEditing, isLocked };
}

function statusOf(program: Program, keyboard: Keyboard): StatusView {
  return {
    mode: isTextMode(paneModeOf(program)) ? 'EDIT' : 'NAV',
    selected: program.workspace.selection.size,
    pending: keyboard.pending,
    hints: keyboard.hints(),
    message: program.messages.current,
    tabMovesFocus: program.tabMovesFocus,
    recording: keyboard.recording ?? program.recording,
    sync: program.engine.state.get(),
  };
}
