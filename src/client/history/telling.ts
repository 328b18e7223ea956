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
import { relative } from './moment-words.ts';
import type { Travel } from './travel.ts';
import type { TimeLineView, TimeMachineView } from './view.ts';
import { changesText, changeText, detailOf, placeName, type Speaking } from './words.ts';

/** The active line, and one of its changes (−1: all of them). */
export interface Chosen {
  readonly index: number;
  readonly part: number;
}

/** The context of these texts. */
export interface Told {
  readonly travel: Travel;
  readonly lines: Lines;
  readonly feed: Pick<HistoryFeed, 'isReading' | 'who'>;
  readonly speaking: Speaking;
}

const TYPES: Readonly<Record<string, string>> = {
  label: 'Label',
  labelGroup: 'Label group',
  attachment: 'Attachment',
};

function typeOf(row: Row | undefined): string | null {
  if (row?.type === 'list') return row.fields['listType'] === 'folder' ? 'Folder' : 'List';
  return row === undefined ? null : (TYPES[row.type] ?? null);
}

/** Name of a row, including labels and files. */
export function titleOf(row: Row | undefined): string {
  if (row === undefined) return '';
  const name = fieldOf(row, 'name');
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

function whatOf(gesture: Gesture, speaking: Speaking): string {
  const known = toldBefore.get(gesture);
  if (known !== undefined) return known;
  const changes = gesture.changes.filter((change) => !isSilent(change, speaking.replica));
  const what = changesText(changes, speaking);
  if (gesture.changes.length > MANY) toldBefore.set(gesture, what);
  return what;
}

/** A gesture's changes, time and author. */
function gestureWords(gesture: Gesture, { feed, speaking }: Told): GestureWords {
  const newest = gesture.events.at(-1) as Event;
  const { locale, now } = speaking.dates;
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    what: whatOf(gesture, speaking),
    when: relative(Math.min(0, newest.at - now), ago),
    who: feed.who(newest),
  };
}

function exact(at: number, { dates: { locale, zone } }: Speaking): string {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).format(at);
}

export function tellMoment(told: Told): Pick<TimeMachineView, 'when' | 'next' | 'summary'> {
  const { travel, feed, speaking } = told;
  const { position, moments } = travel;
  const newest = moments[0];
  if (position === 0) {
    const last = newest ? gestureWords(newest.gesture, told) : null;
    const next = last
      ? `Last change: ${last.what} (${last.when}, ${last.who}).`
      : feed.isReading
        ? 'Reading the history…'
        : 'No changes on record here.';
    return { when: 'Now', next, summary: '' };
  }
  const { gesture } = moments[position - 1] as { gesture: Gesture };
  const { what, when, who } = gestureWords(gesture, told);
  const at = (gesture.events[0] as Event).at;
  return {
    when: `Until ${exact(at, speaking)}`,
    next: `Then: ${what} (${when}, ${who}).`,
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
  const { travel, lines, speaking } = told;
  const id = lines.idAt(index);
  const kind = lines.kindAt(index);
  const { comparing } = travel;
  const row = id === null ? undefined : (kind === 'later' ? comparing.now : comparing.past).row(id);
  if (id === null && index > 0) return null;
  const isActive = index === chosen.index;
  const found = lines.partsOf(index);
  const said = found.map(({ change }) => since(change, speaking));
  return {
    id: id ?? speaking.replica.scope,
    kind,
    index,
    level: kind === 'line' && id !== null ? travel.levelOf(id) + 1 : kind === 'head' ? 1 : 2,
    type: kind === 'head' ? null : typeOf(row),
    title: id === null ? 'Everything' : titleOf(row),
    isDone: row?.type === 'task' && isDone(row),
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

function since(change: Difference['change'], speaking: Speaking): string {
  if (change.kind === 'deleted' && change.field === 'forever') return 'Permanently deleted';
  return changeText(change, speaking);
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
