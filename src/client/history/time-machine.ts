// The time machine: a task, a list or everything as it was, moment by moment, its differences from now in words, and
// restoring one value, one task with its descendants, or all of it. A lazy part; it lives as long as its dialog. The
// past is computed in travel.ts, put into words in telling.ts and restored by restoring.ts;
// web/dialogs/time-machine.tsx draws it.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action, Verdict } from '#sync/rows/operation.ts';
import { todayOf } from '../clock/dates.ts';
import type { OpenDialog } from '../dialogs/open-dialog.ts';
import type { Program } from '../app/program.ts';
import { inTransactions, issueBatches } from '../commands/batches.ts';
import { within } from '../app/portions.ts';
import type { TimeMachineAction, TimeLineView, TimeMachineView } from './view.ts';
import { Bars } from './bars.ts';
import { HistoryFeed, scopesAbout } from './feed.ts';
import type { Gesture } from './gestures.ts';
import { Lines } from './lines.ts';
import { Days } from './moment-words.ts';
import type { Moment, Root } from './moments.ts';
import { PastRows } from './past-rows.ts';
import { inSteps, restoring, sendAway } from './restoring.ts';
import {
  type Chosen,
  momentAt,
  spokenMoment,
  summaryOf,
  tellBack,
  tellLine,
  tellMoment,
  titleOf,
  type Told,
} from './telling.ts';
import { Travel } from './travel.ts';
import { movedTo, type ListMove, moveOf } from '../dialogs/list-cursor.ts';
import { everySetting } from '../settings/catalog.ts';

const LEAP = 10;
/** Lines drawn around the active one, and how many more at a time. */
const WINDOW = 60;
/** Pages read for one more moment before the person is asked to go on. */
const PAGES_AT_ONCE = 6;
/** Milliseconds of comparing before a key is answered, and between two keys. */
const FIRST_MS = 4;
const PORTION_MS = 5;

/** Actions by pointer on visible lines: they do not wait for a search for a moment. */
const ABOUT_SEEN: ReadonlySet<TimeMachineAction['action']> = new Set(['goTo', 'choose', 'more']);

/** Actions by command. */
const BY_KEY: Readonly<Record<string, TimeMachineAction>> = {
  'options.choose': { action: 'bringBack' },
  'moments.older': { action: 'older' },
  'moments.newer': { action: 'newer' },
  'moments.muchOlder': { action: 'muchOlder' },
  'moments.muchNewer': { action: 'muchNewer' },
  'moments.differences': { action: 'differences' },
};

export class TimeMachine implements OpenDialog {
  readonly type = 'timeMachine';
  readonly isTyping = false;
  readonly #program: Program;
  readonly #root: Root;
  readonly #title: string;
  readonly #feed: HistoryFeed;
  #travel: Travel;
  #gestures: readonly Gesture[] = [];
  #chosen: Chosen = { index: 0, part: -1 };
  #onlyDifferences = false;
  #extra = 0;
  #answer: TimeMachineView['answer'] = null;
  /** Rows have changed since the past was computed. */
  #isStale = false;
  /** Pages still to be read for a moment older than all known ones. */
  #wanted = 0;
  /** The operation before which to begin; null once it was found, or given up. */
  #sought: Id | null;
  /** Keys pressed during that search; they are replayed after it. */
  #held: TimeMachineAction[] = [];
  #isRestoring = false;
  #isComparing = false;
  /** The id chosen before: it may get its line again after comparing. */
  #awaited: Id | null = null;
  #bars: {
    readonly moments: readonly Moment[];
    readonly count: number;
    readonly today: string;
    readonly bars: Bars;
  } | null = null;
  readonly #unsubscribe: () => void;

  constructor(
    program: Program,
    root: Root,
    { at, before }: { readonly at: Id | null; readonly before: Id | null },
  ) {
    this.#sought = before;
    this.#wanted = before === null ? 0 : PAGES_AT_ONCE;
    this.#program = program;
    this.#root = root;
    const { replica } = program;
    const row = root === null ? undefined : replica.row(root);
    this.#title = root === null ? 'everything' : `“${titleOf(row) || 'an untitled task'}”`;
    this.#feed = new HistoryFeed(program, { scopes: scopesAbout(program, root) });
    this.#travel = new Travel(root, replica);
    this.#unsubscribe = replica.subscribe((_changes, cause) => this.#rowsChanged(cause === 'remote'));
    if (at !== null) this.#choose(at);
  }

  /** Reads the newest moments. Resolves once they are on screen. */
  async open(): Promise<void> {
    await this.#feed.open(() => this.#arrived());
  }

  leave(): void {
    this.#unsubscribe();
  }

  get #isSeeking(): boolean {
    return this.#wanted > 0 && (this.#sought !== null || this.#held.length > 0);
  }

  submit(action: TimeMachineAction): void {
    if (this.#goesOnSeeking(action.action)) {
      this.refresh();
      return;
    }
    if (this.#isSeeking && !ABOUT_SEEN.has(action.action)) {
      this.#held.push(action);
      return;
    }
    // Moving elsewhere ends the search; showing more lines does not.
    if (action.action !== 'more' && (this.#isSeeking || this.#sought !== null)) this.#stopSeeking();
    this.#freshen();
    this.#do(action);
    this.refresh();
  }

  byKey(command: string): TimeMachineAction | null {
    const to = moveOf(command);
    return to === null ? (BY_KEY[command] ?? null) : { action: 'move', to };
  }

  undo(): void {
    if (this.#isSeeking || this.#sought !== null) this.#stopSeeking();
    this.#freshen();
    this.#program.run('edit.undo');
    this.#say(this.#program.messages.current?.text ?? 'Undone.');
    this.refresh();
  }

  #do(action: TimeMachineAction): void {
    this.#answer = null;
    const { position } = this.#travel;
    switch (action.action) {
      case 'older':
        return this.#goTo(position + 1);
      case 'newer':
        return this.#goTo(position - 1);
      case 'muchOlder':
        return this.#goTo(position + LEAP);
      case 'muchNewer':
        return this.#goTo(position - LEAP);
      case 'goTo':
        return this.#goTo(action.position);
      case 'retry':
        return void this.#read();
      case 'differences':
        return this.#filter();
      case 'more':
        this.#extra += WINDOW;
        return;
      case 'bringBack':
        return this.#bringBack();
      case 'choose':
        this.#awaited = null;
        this.#chosen = { index: action.index, part: action.part ?? -1 };
        return;
      case 'move':
        this.#awaited = null;
        this.#move(action.to);
    }
  }

  /** A search that stopped short continues further back on request. */
  #goesOnSeeking(action: TimeMachineAction['action']): boolean {
    const isAsked = action === 'retry' || action === 'older' || action === 'muchOlder';
    if (!isAsked || this.#sought === null || this.#wanted > 0) return false;
    this.#answer = null;
    this.#wanted = PAGES_AT_ONCE;
    if (!this.#feed.isReading) void this.#read();
    return true;
  }

  #stopSeeking(): void {
    this.#sought = null;
    this.#wanted = 0;
    this.#held = [];
  }

  /** Replays keys pressed during a search, until one starts another. */
  #doHeld(): void {
    while (this.#wanted === 0) {
      const next = this.#held.shift();
      if (next === undefined) return;
      this.#do(next);
    }
  }

  refresh(): void {
    if (!this.#program.dialog.isOf(this)) return;
    this.#freshen();
    this.#program.dialog.show({ type: 'timeMachine', machine: this.#view() });
  }

  // Reading

  #read(isAnew = false): Promise<void> {
    return this.#feed.read(() => this.#arrived(), isAnew);
  }

  #arrived(): void {
    const program = this.#program;
    program.act(() => {
      if (!program.dialog.isOf(this)) return;
      this.#freshen();
      this.#takeIn();
      this.refresh();
    });
  }

  /** Adds older gestures; if newer ones came, recomputes everything. */
  #takeIn(): void {
    const known = this.#gestures;
    const all = this.#feed.gestures();
    const isLonger = known.every(({ key, events }, at) => {
      const now = all[at];
      return now?.key === key && now.events.length === events.length;
    });
    if (isLonger) {
      this.#gestures = all;
      this.#travel.add(all.slice(known.length));
    } else this.#anew();
    if (this.#wanted === 0 || this.#feed.isReading) return;
    const { moments, position } = this.#travel;
    const sought = moments.findIndex(({ gesture }) => gesture.events.some(({ u }) => u === this.#sought));
    if (sought >= 0) {
      this.#wanted = 0;
      this.#sought = null;
      this.#goTo(sought + 1);
      this.#doHeld();
    } else if (this.#sought === null && moments.length > position) {
      this.#wanted = 0;
      this.#goTo(position + 1);
      this.#doHeld();
    } else if (this.#feed.hasMore && !this.#feed.canRetry) {
      this.#wanted -= 1;
      if (this.#wanted > 0) {
        void this.#read();
        return;
      }
      this.#held = [];
      this.#say('No changes here so far. Keep going to read further back.');
    } else this.#notReached();
  }

  /** Queued keys are dropped without their moment: they might restore another one. */
  #notReached(): void {
    this.#wanted = 0;
    this.#held = [];
    // Retrying continues the search.
    if (this.#sought === null || this.#feed.canRetry) return;
    this.#sought = null;
    this.#say('There’s no record before that change.');
  }

  #rowsChanged(isRemote: boolean): void {
    const wasStale = this.#isStale;
    this.#isStale = true;
    if (wasStale) return;
    const program = this.#program;
    program.platform.after(0, () =>
      program.act(() => {
        if (!program.dialog.isOf(this)) return;
        // A remote change is in the server's history by now.
        if (isRemote && !this.#feed.isReading) void this.#read(true);
        this.refresh();
      }),
    );
  }

  #freshen(): void {
    if (this.#isStale) this.#anew();
  }

  /** Recomputes the past from the current rows, keeping the moment and the line. */
  #anew(): void {
    this.#isStale = false;
    const { position, moments } = this.#travel;
    const next = moments[position - 1]?.gesture.key;
    const line = this.#awaited ?? this.#lines.idAt(this.#chosen.index);
    this.#travel = new Travel(this.#root, this.#program.replica);
    this.#gestures = this.#feed.gestures();
    this.#travel.add(this.#gestures);
    const at = this.#travel.moments.findIndex(({ gesture }) => gesture.key === next);
    this.#travel.goTo(at + 1);
    this.#compare(line);
    if (line !== null) this.#choose(line);
  }

  // Moving

  #goTo(wanted: number): void {
    const { moments } = this.#travel;
    if (!Number.isFinite(wanted)) return;
    if (wanted > moments.length && this.#travel.position === moments.length) {
      if (this.#feed.hasMore && !this.#feed.isReading) {
        this.#wanted = PAGES_AT_ONCE;
        void this.#read();
      } else if (!this.#feed.isReading) this.#say('There’s no older record.');
      return;
    }
    const line = this.#awaited ?? this.#lines.idAt(this.#chosen.index);
    this.#travel.goTo(wanted);
    this.#extra = 0;
    this.#compare(line);
    this.#choose(line);
    this.#program.messages.announce(spokenMoment(this.#told));
  }

  /** Compares with now as far as a key may wait, the rest after it. `line`: the id chosen before. */
  #compare(line: Id | null): void {
    const isDone = this.#travel.compare(within(this.#program.replica, FIRST_MS));
    this.#awaited = isDone ? null : line;
    if (!isDone) this.#compareLater();
  }

  #compareLater(): void {
    if (this.#isComparing) return;
    this.#isComparing = true;
    const program = this.#program;
    program.later(() => {
      this.#isComparing = false;
      if (!program.dialog.isOf(this)) return;
      if (!this.#travel.compare(within(program.replica, PORTION_MS))) {
        this.#compareLater();
        return;
      }
      if (this.#awaited !== null) this.#choose(this.#awaited);
      this.#awaited = null;
      program.messages.announce(summaryOf(this.#travel));
      this.refresh();
    });
  }

  /** Keeps the chosen row if it is still there; else chooses its ancestor. */
  #choose(id: Id | null): void {
    const index = id === null ? 0 : this.#lines.indexOf(id);
    this.#chosen = { index: Math.max(0, index), part: -1 };
  }

  #filter(): void {
    this.#awaited = null;
    const line = this.#lines.idAt(this.#chosen.index);
    this.#onlyDifferences = !this.#onlyDifferences;
    this.#extra = 0;
    this.#choose(line);
  }

  #move(move: ListMove): void {
    const { index, part } = this.#chosen;
    const parts = this.#lines.partsOf(index).length;
    if (move === 'down' && part < parts - 1) this.#chosen = { index, part: part + 1 };
    else if (move === 'up' && part >= 0) this.#chosen = { index, part: part - 1 };
    else this.#chosen = { index: movedTo(index, this.#lines.length, move), part: -1 };
  }

  // Bringing back

  #bringBack(): void {
    if (this.#isRestoring) return;
    if (this.#travel.position === 0) {
      this.#say('This is now. Go back first.');
      return;
    }
    this.#travel.compare();
    const { index, part } = this.#chosen;
    const id = this.#lines.idAt(index);
    const kind = this.#lines.kindAt(index);
    const { comparing, roots } = this.#travel;
    const name = id === null ? 'everything' : `‘${titleOf(comparing.past.row(id) ?? comparing.now.row(id))}’`;
    const said = `brought back ${name} as it was`;
    if (part >= 0) {
      const { back = [] } = this.#lines.partsOf(index)[part] ?? {};
      this.#restore(inSteps(back, comparing), `brought back earlier values of ${name}`, 0);
      return;
    }
    if (kind === 'later' && id !== null) {
      this.#restore(inSteps(sendAway(id, comparing), comparing), `removed ${name} again`, 0);
      return;
    }
    const isWhole = kind === 'head';
    const below = isWhole ? roots : id === null ? [] : [id];
    const { steps, gone } = restoring(comparing, { self: id, roots: below, isWhole });
    this.#restore(steps, said, gone);
  }

  #restore(steps: readonly (readonly Action[])[], label: string, gone: number): void {
    const batches = steps.flatMap((step) => inTransactions(step));
    const rest = gone === 0 ? '' : ` ${counted(gone, 'item')} can’t come back (permanently deleted).`;
    if (batches.length === 0) {
      this.#say(gone === 0 ? 'Same as now.' : rest.trim());
      return;
    }
    this.#isRestoring = true;
    issueBatches(this.#program, {
      batches,
      label,
      group: this.#program.replica.newId(),
      rescues: true,
      // A dialog opened for it is closed in the same frame.
      atOnce: limits.transactionOperations + 1,
      done: (verdicts) => this.#restored(verdicts, label, rest),
    });
  }

  #restored(verdicts: readonly Verdict[], label: string, rest: string): void {
    this.#isRestoring = false;
    const failed = verdicts.filter((verdict) => verdict !== 'ok' && verdict !== 'already').length;
    const parts = failed === 0 ? '' : ` ${failed === 1 ? 'One part' : `${failed} parts`} couldn’t be.`;
    if (failed === verdicts.length) {
      this.#answer = { text: 'Can’t bring it back. What it belonged to is gone.', isError: true };
    } else {
      const text = `${label.slice(0, 1).toUpperCase()}${label.slice(1)}.${parts}${rest}`;
      this.#answer = { text, isError: false };
      this.#program.say(text, { undo: true });
    }
    this.refresh();
  }

  #say(text: string): void {
    this.#answer = { text, isError: false };
    this.#program.messages.announce(text);
  }

  // Showing

  get #lines(): Lines {
    return new Lines(this.#travel, this.#onlyDifferences);
  }

  get #told(): Told {
    const settings = everySetting(this.#program);
    const dates = this.#program.moment();
    return {
      travel: this.#travel,
      lines: this.#lines,
      feed: this.#feed,
      speaking: { replica: this.#program.replica, dates, settings },
      days: new Days(dates),
      rows: new PastRows(this.#travel, dates),
    };
  }

  /** Counting the days of all moments is too much for every key: they are counted when there are others, or it is another day. */
  #barsOf({ days, speaking: { dates } }: Told): Bars {
    const { moments } = this.#travel;
    const today = todayOf(dates).toString();
    const known = this.#bars;
    if (known?.moments === moments && known.count === moments.length && known.today === today)
      return known.bars;
    const times = moments.map(({ gesture }) => gesture.events[0]?.at ?? dates.now);
    this.#bars = { moments, count: moments.length, today, bars: new Bars(times, dates, days) };
    return this.#bars.bars;
  }

  #view(): TimeMachineView {
    const told = this.#told;
    const total = told.lines.length;
    const from = Math.max(0, this.#chosen.index - WINDOW);
    const to = Math.min(total, this.#chosen.index + WINDOW + this.#extra);
    const lines: TimeLineView[] = [];
    for (let index = from; index < to; index += 1) {
      const line = tellLine(index, this.#chosen, told);
      if (line) lines.push(line);
    }
    return {
      title: `Time machine for ${this.#title}`,
      isReading: this.#feed.isReading,
      note: this.#feed.note,
      canRetry: this.#feed.canRetry,
      count: this.#travel.moments.length,
      position: this.#travel.position,
      hasMore: this.#feed.hasMore,
      bars: this.#barsOf(told).view(momentAt(this.#travel)),
      ...tellMoment(told),
      onlyDifferences: this.#onlyDifferences,
      lines,
      above: from,
      below: total - to,
      back: tellBack(this.#chosen, told),
      answer: this.#answer,
    };
  }
}
