// The time machine: a task, a list or everything as it was, moment by moment, what differs from now in words, and bringing
// back one value, one task with what hung below it, or all of it. A lazy chunk; it lives as long as its dialog. How the
// past is reckoned is travel.ts, what it says telling.ts, what bringing back comes to restoring.ts; how it is drawn,
// web/dialogs/time-machine.tsx.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action } from '#sync/operation.ts';
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';
import { within } from '../portions.ts';
import type { TimeLineView, TimeMachineView } from './view.ts';
import { HistoryFeed } from './feed.ts';
import type { Gesture } from './gestures.ts';
import { Lines } from './lines.ts';
import type { Root } from './moments.ts';
import { inSteps, restoring, sendAway } from './restoring.ts';
import {
  type Chosen,
  spokenMoment,
  summaryOf,
  tellBack,
  tellLine,
  tellMoment,
  titleOf,
  type Told,
} from './telling.ts';
import { Travel } from './travel.ts';

const PAGE_STEP = 8;
const LEAP = 10;
/** Lines that are drawn around the chosen one, and how many more at a time. */
const WINDOW = 60;
/** So many pages are read for one more moment before the person is asked to go on. */
const PAGES_AT_ONCE = 6;
/** So long what differs is compared before the key is answered, and so long between two keys; milliseconds. */
const FIRST_MS = 4;
const PORTION_MS = 5;

/** Done by a pointer with what is seen: that is not put off until a moment is found. */
const ABOUT_SEEN: ReadonlySet<string> = new Set(['goTo', 'choose', 'more', 'undo']);

type Asked = Readonly<Record<string, string>>;

/** What is being brought back, in portions of one gesture. */
interface Job {
  readonly batches: readonly (readonly Action[])[];
  readonly label: string;
  readonly rest: string;
  readonly group: Id;
  readonly made: number;
  readonly failed: number;
}

function inBatches(actions: readonly Action[]): Action[][] {
  const batches: Action[][] = [];
  for (let from = 0; from < actions.length; from += limits.transactionOperations)
    batches.push(actions.slice(from, from + limits.transactionOperations));
  return batches;
}

export class TimeMachine implements OpenDialog {
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
  /** Rows have changed since the past was reckoned. */
  #isStale = false;
  /** An older moment is wanted than is known; so many pages are read for it. */
  #wanted = 0;
  /** The operation before which to begin; null once it was found, or given up. */
  #sought: Id | null;
  /** Keys pressed while it is sought: they go on from there. */
  #held: Asked[] = [];
  #isRestoring = false;
  #isComparing = false;
  /** What was chosen: it may have its line again when all was compared. */
  #awaited: Id | null = null;
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
    this.#title = root === null ? 'everything' : `“${titleOf(row) || 'a task without a title'}”`;
    this.#feed = new HistoryFeed(program, { scope: row?.scope ?? replica.scope });
    this.#travel = new Travel(root, replica);
    this.#unsubscribe = replica.subscribe((_changes, cause) => this.#rowsChanged(cause === 'remote'));
    if (at !== null) this.#choose(at);
  }

  /** Reads the newest of it. Resolves when that is on screen. */
  async open(): Promise<void> {
    await this.#feed.open(() => this.#arrived());
  }

  leave(): void {
    this.#unsubscribe();
  }

  submit(values: Asked): void {
    const { action = '' } = values;
    if (this.#goesOnSeeking(action)) {
      this.refresh();
      return;
    }
    const isSeeking = this.#wanted > 0 && (this.#sought !== null || this.#held.length > 0);
    if (isSeeking && !ABOUT_SEEN.has(action)) {
      this.#held.push(values);
      return;
    }
    // Somebody goes elsewhere; seeing more of what is there is no such thing.
    if (action !== 'more' && (isSeeking || this.#sought !== null)) this.#stopSeeking();
    this.#freshen();
    this.#do(values);
    this.refresh();
  }

  #do(values: Asked): void {
    const { action = '', value = '' } = values;
    if (action !== 'undo') this.#answer = null;
    const { position } = this.#travel;
    if (action === 'older') this.#goTo(position + 1);
    else if (action === 'newer') this.#goTo(position - 1);
    else if (action === 'muchOlder') this.#goTo(position + LEAP);
    else if (action === 'muchNewer') this.#goTo(position - LEAP);
    else if (action === 'goTo') this.#goTo(Number(value));
    else if (action === 'retry') void this.#read();
    else if (action === 'differences') this.#filter();
    else if (action === 'more') this.#extra += WINDOW;
    else if (action === 'back') this.#bringBack();
    else if (action === 'undo') this.#undo();
    else {
      this.#awaited = null;
      if (action === 'choose') this.#chosen = { index: Number(value), part: Number(values.part ?? -1) };
      else this.#move(action);
    }
  }

  /** What was sought and not reached yet is looked for further back, when that is asked for. */
  #goesOnSeeking(action: string): boolean {
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

  /** What was pressed while a moment was sought, from there on, until the next one is. */
  #doHeld(): void {
    while (this.#wanted === 0) {
      const next = this.#held.shift();
      if (next === undefined) return;
      this.#do(next);
    }
  }

  refresh(): void {
    if (this.#program.openDialog !== this) return;
    this.#freshen();
    this.#program.dialog.set({ type: 'timeMachine', machine: this.#view() });
  }

  // Reading

  #read(isAnew = false): Promise<void> {
    return this.#feed.read(() => this.#arrived(), isAnew);
  }

  #arrived(): void {
    const program = this.#program;
    program.act(() => {
      if (program.openDialog !== this) return;
      this.#freshen();
      this.#takeIn();
      this.refresh();
    });
  }

  /** Older gestures are added to those known; where newer ones came, everything is reckoned anew. */
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
      this.#say('Nothing was changed here in what was read. Go on to read further back.');
    } else this.#notReached();
  }

  /** Keys that were to go on from a moment mean nothing without it: they might bring back another one. */
  #notReached(): void {
    this.#wanted = 0;
    this.#held = [];
    // Trying again goes on seeking it.
    if (this.#sought === null || this.#feed.canRetry) return;
    this.#sought = null;
    this.#say('What was before that change is not known here.');
  }

  #rowsChanged(isRemote: boolean): void {
    const wasStale = this.#isStale;
    this.#isStale = true;
    if (wasStale) return;
    const program = this.#program;
    program.platform.after(0, () =>
      program.act(() => {
        if (program.openDialog !== this) return;
        // What came from elsewhere is in the server's history by now.
        if (isRemote && !this.#feed.isReading) void this.#read(true);
        this.refresh();
      }),
    );
  }

  #freshen(): void {
    if (this.#isStale) this.#anew();
  }

  /** The past over what is there now; the same moment as before, and the same line. */
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
      } else if (!this.#feed.isReading) this.#say('Nothing older is known.');
      return;
    }
    const line = this.#awaited ?? this.#lines.idAt(this.#chosen.index);
    this.#travel.goTo(wanted);
    this.#extra = 0;
    this.#compare(line);
    this.#choose(line);
    this.#program.messages.announce(spokenMoment(this.#told));
  }

  /** Compares with now as far as a key may wait, the rest after it. `line`: what was chosen before. */
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
      if (program.openDialog !== this) return;
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

  /** What was chosen stays chosen while it is there; then what it was in. */
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

  #move(action: string): void {
    const { index, part } = this.#chosen;
    const last = this.#lines.length - 1;
    const parts = this.#lines.partsOf(index).length;
    if (action === 'down' && part < parts - 1) this.#chosen = { index, part: part + 1 };
    else if (action === 'up' && part >= 0) this.#chosen = { index, part: part - 1 };
    else {
      const to =
        {
          down: index + 1,
          up: index - 1,
          pageDown: index + PAGE_STEP,
          pageUp: index - PAGE_STEP,
          first: 0,
          last,
        }[action] ?? index;
      if (to !== index) this.#chosen = { index: Math.max(0, Math.min(last, to)), part: -1 };
    }
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
      this.#restore(inSteps(back, comparing), `brought back what ${name} was`, 0);
      return;
    }
    if (kind === 'later' && id !== null) {
      this.#restore(inSteps(sendAway(id, comparing), comparing), `took ${name} away again`, 0);
      return;
    }
    const isWhole = kind === 'head';
    const below = isWhole ? roots : id === null ? [] : [id];
    const { steps, gone } = restoring(comparing, { self: id, roots: below, isWhole });
    this.#restore(steps, said, gone);
  }

  #restore(steps: readonly (readonly Action[])[], label: string, gone: number): void {
    const batches = steps.flatMap((step) => inBatches(step));
    const rest = gone === 0 ? '' : ` ${counted(gone, 'thing')} cannot come back: gone for good.`;
    if (batches.length === 0) {
      this.#say(gone === 0 ? 'Nothing differs from now.' : rest.trim());
      return;
    }
    this.#isRestoring = true;
    this.#restoreOn({ batches, label, rest, group: this.#program.replica.newId(), made: 0, failed: 0 });
  }

  #restoreOn(job: Job): void {
    const program = this.#program;
    const [batch = [], ...others] = job.batches;
    const { verdicts } = program.change(batch, job.label, { group: job.group });
    const refused = verdicts.filter((verdict) => verdict !== 'ok' && verdict !== 'already').length;
    const made = job.made + batch.length;
    const failed = job.failed + refused;
    if (others.length > 0) {
      const next = { ...job, batches: others, made, failed };
      // What was opened for it is closed in the same frame.
      if (made <= limits.transactionOperations) this.#restoreOn(next);
      else program.later(() => this.#restoreOn(next));
      return;
    }
    this.#isRestoring = false;
    const parts = failed === 0 ? '' : ` ${failed === 1 ? 'One part' : `${failed} parts`} could not be.`;
    if (failed === made) {
      this.#answer = { text: 'It cannot be brought back: what it belongs to is gone.', isError: true };
    } else {
      const text = `${job.label.slice(0, 1).toUpperCase()}${job.label.slice(1)}.${parts}${job.rest}`;
      this.#answer = { text, isError: false };
      program.say(text, { undo: true });
    }
    this.refresh();
  }

  #undo(): void {
    this.#program.run('edit.undo');
    this.#say(this.#program.messages.current?.text ?? 'Undone.');
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
    const speaking = { replica: this.#program.replica, dates: this.#program.moment() };
    return { travel: this.#travel, lines: this.#lines, feed: this.#feed, speaking };
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
      title: `Time machine of ${this.#title}`,
      isReading: this.#feed.isReading,
      note: this.#feed.note,
      canRetry: this.#feed.canRetry,
      count: this.#travel.moments.length,
      position: this.#travel.position,
      hasMore: this.#feed.hasMore,
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
