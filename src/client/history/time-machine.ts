// The time machine: a task, a list or everything as it was, moment by moment, what differs from now in words, and bringing
// back one value, one task with what hung below it, or all of it. A lazy chunk; it lives as long as its dialog. How the
// past is reckoned is travel.ts, what bringing back comes to is restoring.ts; how it is drawn, web/dialogs/time-machine.tsx.
import type { Id } from '#core/ids.ts';
import { limits } from '#core/model.ts';
import type { Action } from '#sync/operation.ts';
import type { Row } from '#sync/row.ts';
import { isDone, placeOf } from '../children.ts';
import type { OpenDialog } from '../open-dialog.ts';
import type { Program } from '../program.ts';
import { nameOf } from '../row-facts.ts';
import type { TimeLineView, TimeMachineView } from './view.ts';
import { type Event, isSilent } from './change.ts';
import { type Difference, isHidden } from './differences.ts';
import { HistoryFeed } from './feed.ts';
import type { Gesture } from './gestures.ts';
import { relative } from './moment-words.ts';
import type { Root } from './moments.ts';
import { inSteps, restoring, sendAway } from './restoring.ts';
import { Travel } from './travel.ts';
import { changesText, changeText, detailOf, placeName, type Speaking } from './words.ts';

const PAGE_STEP = 8;
const LEAP = 10;
/** Lines that are drawn around the chosen one, and how many more at a time. */
const WINDOW = 60;
/** So many pages are read for one more moment before the person is asked to go on. */
const PAGES_AT_ONCE = 6;

/** What is chosen: a line, and of what happened to it since, one part (−1: all of it). */
interface Chosen {
  readonly index: number;
  readonly part: number;
}

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

const things = (count: number) => (count === 1 ? '1 thing' : `${count} things`);

const TYPES: Readonly<Record<string, string>> = {
  label: 'Label',
  labelGroup: 'Label group',
  attachment: 'Attachment',
};

function typeOf(row: Row | undefined): string | null {
  if (row?.type === 'list') return row.fields['listType'] === 'folder' ? 'Folder' : 'List';
  return row === undefined ? null : (TYPES[row.type] ?? null);
}

/** What a row is called; labels and files too. */
function titleOf(row: Row | undefined): string {
  if (row === undefined) return '';
  const name = row.fields['name'];
  return nameOf(row) || (typeof name === 'string' ? name : '');
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
  /** The operation before which to begin; null once it was found. */
  #sought: Id | null;
  #isRestoring = false;
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

  submit(values: Readonly<Record<string, string>>): void {
    const { action = '', value = '' } = values;
    this.#freshen();
    if (action !== 'undo') this.#answer = null;
    this.#sought = null;
    const { position } = this.#travel;
    if (action === 'older') this.#goTo(position + 1);
    else if (action === 'newer') this.#goTo(position - 1);
    else if (action === 'muchOlder') this.#goTo(position + LEAP);
    else if (action === 'muchNewer') this.#goTo(position - LEAP);
    else if (action === 'goTo') this.#goTo(Number(value));
    else if (action === 'retry') void this.#read();
    else if (action === 'differences') this.#filter();
    else if (action === 'more') this.#extra += WINDOW;
    else if (action === 'choose') this.#chosen = { index: Number(value), part: Number(values.part ?? -1) };
    else if (action === 'back') this.#bringBack();
    else if (action === 'undo') this.#undo();
    else this.#move(action);
    this.refresh();
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
    } else if (this.#sought === null && moments.length > position) {
      this.#wanted = 0;
      this.#goTo(position + 1);
    } else if (this.#feed.hasMore && !this.#feed.canRetry) {
      this.#wanted -= 1;
      if (this.#wanted > 0) void this.#read();
      else this.#say('Nothing was changed here in what was read. Go on to read further back.');
    } else this.#wanted = 0;
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
    const line = this.#idAt(this.#chosen.index);
    this.#travel = new Travel(this.#root, this.#program.replica);
    this.#gestures = this.#feed.gestures();
    this.#travel.add(this.#gestures);
    const at = this.#travel.moments.findIndex(({ gesture }) => gesture.key === next);
    this.#travel.goTo(at + 1);
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
    const line = this.#idAt(this.#chosen.index);
    this.#travel.goTo(wanted);
    this.#extra = 0;
    this.#choose(line);
    this.#program.messages.announce(this.#spoken());
  }

  /** What was chosen stays chosen while it is there; then what it was in. */
  #choose(id: Id | null): void {
    const index = id === null ? 0 : this.#indexOf(id);
    this.#chosen = { index: Math.max(0, index), part: -1 };
  }

  #filter(): void {
    const line = this.#idAt(this.#chosen.index);
    this.#onlyDifferences = !this.#onlyDifferences;
    this.#extra = 0;
    this.#choose(line);
  }

  #move(action: string): void {
    const { index, part } = this.#chosen;
    const last = this.#length - 1;
    const parts = this.#partsOf(index).length;
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

  // Lines: what it is about, the outline then, what came since

  get #lineCount(): number {
    return this.#onlyDifferences ? this.#travel.around.length : this.#travel.length;
  }

  get #length(): number {
    return 1 + this.#lineCount + this.#travel.later.length;
  }

  #kindAt(index: number): TimeLineView['kind'] {
    if (index === 0) return 'head';
    return index <= this.#lineCount ? 'line' : 'later';
  }

  #idAt(index: number): Id | null {
    if (index <= 0) return this.#root;
    const lines = this.#lineCount;
    if (index > lines) return this.#travel.later[index - 1 - lines] ?? null;
    return (this.#onlyDifferences ? this.#travel.around[index - 1] : this.#travel.at(index - 1)?.id) ?? null;
  }

  #indexOf(id: Id): number {
    const line = this.#onlyDifferences ? this.#travel.around.indexOf(id) : this.#travel.indexOf(id);
    if (line >= 0) return line + 1;
    const later = this.#travel.later.indexOf(id);
    return later < 0 ? 0 : 1 + this.#lineCount + later;
  }

  #partsOf(index: number): readonly Difference[] {
    const id = this.#idAt(index);
    return id === null || this.#kindAt(index) === 'later' ? [] : this.#travel.differences(id);
  }

  // Bringing back

  #bringBack(): void {
    if (this.#isRestoring) return;
    if (this.#travel.position === 0) {
      this.#say('This is now. Go back first.');
      return;
    }
    const { index, part } = this.#chosen;
    const id = this.#idAt(index);
    const kind = this.#kindAt(index);
    const { comparing, roots } = this.#travel;
    const name = id === null ? 'everything' : `‘${titleOf(comparing.past.row(id) ?? comparing.now.row(id))}’`;
    const said = `brought back ${name} as it was`;
    if (part >= 0) {
      const { back = [] } = this.#partsOf(index)[part] ?? {};
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
    const rest = gone === 0 ? '' : ` ${things(gone)} cannot come back: gone for good.`;
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

  #speaking(): Speaking {
    return { replica: this.#program.replica, dates: this.#program.moment() };
  }

  /** What a gesture did, when, and by whom. */
  #told(
    gesture: Gesture,
    speaking: Speaking,
  ): { readonly what: string; readonly when: string; readonly who: string } {
    const newest = gesture.events.at(-1) as Event;
    const { locale, now } = speaking.dates;
    const changes = gesture.changes.filter((change) => !isSilent(change, speaking.replica));
    const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    return {
      what: changesText(changes, speaking),
      when: relative(Math.min(0, newest.at - now), ago),
      who: this.#feed.who(newest),
    };
  }

  #exact(at: number, { dates: { locale, zone } }: Speaking): string {
    return new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: zone,
    }).format(at);
  }

  /** The moment in a sentence for those who do not see it. */
  #spoken(): string {
    const { when, next, summary } = this.#momentView(this.#speaking());
    return `${when}. ${next} ${summary}`;
  }

  #momentView(speaking: Speaking): Pick<TimeMachineView, 'when' | 'next' | 'summary'> {
    const { position, moments } = this.#travel;
    const newest = moments[0];
    if (position === 0) {
      const last = newest ? this.#told(newest.gesture, speaking) : null;
      const next = last
        ? `Done last: ${last.what} (${last.when}, ${last.who}).`
        : this.#feed.isReading
          ? 'Reading the history…'
          : 'Nothing was done here that is still known.';
      return { when: 'Now', next, summary: '' };
    }
    const { gesture } = moments[position - 1] as { gesture: Gesture };
    const told = this.#told(gesture, speaking);
    const at = (gesture.events[0] as Event).at;
    return {
      when: `Until ${this.#exact(at, speaking)}`,
      next: `Done then: ${told.what} (${told.when}, ${told.who}).`,
      summary: this.#summary(),
    };
  }

  #summary(): string {
    const { differingCount, later, root } = this.#travel;
    const own = root !== null && this.#travel.differences(root).length > 0 ? 1 : 0;
    const count = differingCount + own;
    const differs =
      count === 0 ? '' : count === 1 ? '1 thing differs from now' : `${count} things differ from now`;
    const came = later.length === 0 ? '' : `${things(later.length)} came since`;
    const both = [differs, came].filter((text) => text !== '').join(', ');
    return both === '' ? 'Nothing differs from now.' : `${both}.`;
  }

  #line(index: number, speaking: Speaking): TimeLineView | null {
    const id = this.#idAt(index);
    const kind = this.#kindAt(index);
    const { comparing } = this.#travel;
    const row = id === null ? undefined : (kind === 'later' ? comparing.now : comparing.past).row(id);
    if (id === null && index > 0) return null;
    const isActive = index === this.#chosen.index;
    const found = this.#partsOf(index);
    const said = found.map(({ change }) => this.#since(change, speaking));
    return {
      id: id ?? speaking.replica.scope,
      kind,
      index,
      level: kind === 'line' && id !== null ? this.#travel.levelOf(id) + 1 : kind === 'head' ? 1 : 2,
      type: kind === 'head' ? null : typeOf(row),
      title: id === null ? 'Everything' : titleOf(row),
      isDone: row?.type === 'task' && isDone(row),
      active: isActive && this.#chosen.part < 0,
      since: kind === 'later' && id !== null ? [this.#before(id, speaking)] : said,
      parts: isActive
        ? found.map(({ change }, at) => ({
            text: said[at] ?? '',
            detail: detailOf(change, speaking),
            active: this.#chosen.part === at,
          }))
        : [],
    };
  }

  /** Where something was that stands here only now. */
  #before(id: Id, { replica }: Speaking): string {
    const { past } = this.#travel.comparing;
    const was = past.row(id);
    if (was === undefined) return 'Not there yet';
    if (isHidden(was, past)) return 'In the trash then';
    const place = placeName(placeOf(was)?.parent ?? null, replica);
    return place.startsWith('under ') ? `Then ${place}` : `Then in ${place}`;
  }

  #since(change: Difference['change'], speaking: Speaking): string {
    if (change.kind === 'deleted' && change.field === 'forever') return 'Gone for good';
    return changeText(change, speaking);
  }

  #backText(): string | null {
    if (this.#travel.position === 0) return null;
    const { index, part } = this.#chosen;
    const found = this.#partsOf(index);
    if (part >= 0) return (found[part]?.back.length ?? 0) > 0 ? 'Bring back this value' : null;
    const kind = this.#kindAt(index);
    if (kind === 'later') return 'Take it away again';
    if (kind === 'head') return this.#root === null ? 'Bring back everything' : 'Bring back all of it';
    const id = this.#idAt(index);
    const below = id !== null && this.#travel.comparing.past.children(id).length > 0;
    return below ? 'Bring back this and what was below it' : 'Bring back this';
  }

  #view(): TimeMachineView {
    const speaking = this.#speaking();
    const total = this.#length;
    const from = Math.max(0, this.#chosen.index - WINDOW);
    const to = Math.min(total, this.#chosen.index + WINDOW + this.#extra);
    const lines: TimeLineView[] = [];
    for (let index = from; index < to; index += 1) {
      const line = this.#line(index, speaking);
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
      ...this.#momentView(speaking),
      onlyDifferences: this.#onlyDifferences,
      lines,
      above: from,
      below: total - to,
      back: this.#backText(),
      answer: this.#answer,
    };
  }
}
