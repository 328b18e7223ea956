// The time machine in words: the current moment, the differences from now, and each of its lines.
import { counted } from '#core/counted.ts';
import type { Id } from '#core/ids.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';
import { isDone, placeOf } from '#sync/rows/row-reading.ts';
import { nameOf } from '../outline/row-facts.ts';
import { type Event, isSilent } from './change.ts';
import { type Difference, isHidden } from './differences.ts';
import type { HistoryFeed } from './feed.ts';
import type { Gesture } from './gestures.ts';
import type { Lines } from './lines.ts';
import { type Days, relative } from './moment-words.ts';
import type { PastRows } from './past-rows.ts';
import { predicateOf, sentenceOf, spoken } from './sentences.ts';
import type { Travel } from './travel.ts';
import type { TimeLineView, TimeMachineView } from './view.ts';
import { detailOf, placeName, type Speaking } from './words.ts';

/** The active line, and one of its changes (−1: all of them). */
export interface Chosen {
  readonly index: number;
  readonly part: number;
}

/** The context of these texts. */
export interface Told {
  readonly travel: Travel;
  readonly lines: Lines;
  readonly feed: Pick<HistoryFeed, 'isReading' | 'who' | 'actor' | 'accountOf'>;
  readonly speaking: Speaking;
  readonly days: Days;
  readonly rows: PastRows;
}

const TYPES: Readonly<Record<string, string>> = {
  label: 'Label',
  labelGroup: 'Label group',
  attachment: 'Attachment',
  comment: 'Comment',
};

function typeOf(row: Row | undefined): string | null {
  if (row?.type === 'list') return row.fields['listType'] === 'folder' ? 'Folder' : 'List';
  return row === undefined ? null : (TYPES[row.type] ?? null);
}

/** Name of a row, including labels and files; what a comment says. */
export function titleOf(row: Row | undefined): string {
  if (row === undefined) return '';
  const name = fieldOf(row, 'name') ?? fieldOf(row, 'text');
  return nameOf(row) || (typeof name === 'string' ? name : '');
}

interface GestureWords {
  readonly what: string;
  readonly when: string;
  readonly who: string;
}

/** A gesture with more changes than this is not described again for every key. */
const MANY = 200;
const toldBefore = new WeakMap<Gesture, string>();

/** "you completed Call Ada" */
function whatOf(gesture: Gesture, { feed, speaking }: Told): string {
  const known = toldBefore.get(gesture);
  if (known !== undefined) return known;
  const changes = gesture.changes.filter((change) => !isSilent(change, speaking.replica));
  const last = gesture.events.at(-1) as Event;
  const [actor, account] = [feed.actor(last), feed.accountOf(last)];
  const said =
    changes.length === 0
      ? 'nothing on record'
      : spoken(sentenceOf(changes, { actor, account, own: null }, speaking).phrases);
  const what = `${said.slice(0, 1).toLowerCase()}${said.slice(1)}`;
  if (gesture.changes.length > MANY) toldBefore.set(gesture, what);
  return what;
}

/** A gesture's changes, time and author. */
function gestureWords(gesture: Gesture, told: Told): GestureWords {
  const newest = gesture.events.at(-1) as Event;
  const { locale, now } = told.speaking.dates;
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    what: whatOf(gesture, told),
    when: relative(Math.min(0, newest.at - now), ago),
    who: told.feed.who(newest),
  };
}

/** When the next change came; null: this is now. */
export function momentAt({ moments, position }: Pick<Travel, 'moments' | 'position'>): number | null {
  return moments[position - 1]?.gesture.events[0]?.at ?? null;
}

export function tellMoment(told: Told): Pick<TimeMachineView, 'when' | 'whenShort' | 'next' | 'summary'> {
  const { travel, feed, days } = told;
  const { position, moments } = travel;
  const at = momentAt(travel);
  if (at === null) {
    const newest = moments[0];
    const last = newest ? gestureWords(newest.gesture, told) : null;
    const next = last
      ? `Last change: ${last.what} (${last.when}, ${last.who}).`
      : feed.isReading
        ? 'Reading the history…'
        : 'No changes on record here.';
    return { when: 'Now', whenShort: 'Now', next, summary: '' };
  }
  const { gesture } = moments[position - 1] as { gesture: Gesture };
  const { what, when, who } = gestureWords(gesture, told);
  return {
    when: days.whole(at),
    whenShort: days.brief(at),
    next: `Then ${what} (${when}, ${who}).`,
    summary: summaryOf(travel),
  };
}

/** The moment in a sentence, for screen readers. */
export function spokenMoment(told: Told): string {
  const { when, next, summary } = tellMoment(told);
  return `${when}. ${next} ${summary}`;
}

export function summaryOf(travel: Travel): string {
  if (!travel.isCompared) return 'Comparing with now…';
  const { differingCount, later, root } = travel;
  const own = root !== null && travel.differences(root).length > 0 ? 1 : 0;
  const count = differingCount + own;
  const differs = count === 0 ? '' : count === 1 ? '1 difference from now' : `${count} differences from now`;
  const came = later.length === 0 ? '' : `${counted(later.length, 'item')} added since`;
  const both = [differs, came].filter((text) => text !== '').join(', ');
  return both === '' ? 'Same as now.' : `${both}.`;
}

export function tellLine(index: number, chosen: Chosen, told: Told): TimeLineView | null {
  const { travel, lines, speaking, rows } = told;
  const id = lines.idAt(index);
  const kind = lines.kindAt(index);
  const { comparing } = travel;
  const row = id === null ? undefined : (kind === 'later' ? comparing.now : comparing.past).row(id);
  if (id === null && index > 0) return null;
  const isActive = index === chosen.index;
  const found = lines.partsOf(index);
  const said = found.map((difference) => since(difference, told));
  const is = id === null ? undefined : comparing.now.row(id);
  return {
    id: id ?? speaking.replica.scope,
    kind,
    index,
    level: kind === 'line' && id !== null ? travel.levelOf(id) + 1 : kind === 'head' ? 1 : 2,
    type: kind === 'head' ? null : typeOf(row),
    title: id === null ? 'Everything' : titleOf(row),
    isDone: row?.type === 'task' && isDone(row),
    row: kind === 'line' && id !== null ? rows.of(id) : null,
    isLost: kind === 'line' && (is === undefined || isHidden(is, comparing.now)),
    active: isActive && chosen.part < 0,
    since: kind === 'later' && id !== null ? [before(id, told)] : said,
    parts: isActive
      ? found.map(({ change }, at) => ({
          text: said[at] ?? '',
          detail: detailOf(change, speaking),
          active: chosen.part === at,
        }))
      : [],
  };
}

/** The former place of a row that is here only now. */
function before(id: Id, { travel, speaking }: Told): string {
  const { past } = travel.comparing;
  const was = past.row(id);
  if (was === undefined) return 'Not there yet';
  if (isHidden(was, past)) return 'Was in the trash';
  const place = placeName(placeOf(was)?.parent ?? null, speaking.replica);
  return place.startsWith('under ') ? `Was ${place}` : `Was in ${place}`;
}

/** "renamed from Cover to Choose a cover on Nov 24" */
function since(difference: Difference, { travel, speaking, days }: Told): string {
  const said = predicateOf(difference.change, speaking);
  const at = travel.changedAt(difference);
  return at === null ? said : `${said} ${days.on(at)}`;
}

/** The effect of Enter; null: none. */
export function tellBack({ index, part }: Chosen, { travel, lines }: Told): string | null {
  if (travel.position === 0) return null;
  if (part >= 0) return (lines.partsOf(index)[part]?.back.length ?? 0) > 0 ? 'Bring back this value' : null;
  const kind = lines.kindAt(index);
  if (kind === 'later') return 'Remove it again';
  if (kind === 'head') return travel.root === null ? 'Bring back everything' : 'Bring back all of it';
  const id = lines.idAt(index);
  const below = id !== null && travel.comparing.past.children(id).length > 0;
  return below ? 'Bring this back with everything in it' : 'Bring this back';
}
