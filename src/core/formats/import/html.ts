// Reads the little HTML of outliners, in which every typed sign is an entity, so every tag is markup: also stray and
// unclosed ones. Gives words, Markdown, addresses, dates and mentions. Linear in the text.
import { dayOf } from './dates.ts';
import { isWhen, type When } from '../../when.ts';
import { wordTable } from '../word-table.ts';

/** A date of an item, with the length if it has an end on the same day. */
export interface HtmlTime {
  readonly when: When;
  readonly minutes: number | null;
}

/** What a text with markup says. */
export interface HtmlText {
  /** Without markup. The words of `time` are left out, if other words remain. */
  readonly words: string;
  /** As Markdown, with its links. */
  readonly markdown: string;
  /** Each once, without those that are words already. */
  readonly addresses: readonly string[];
  /** The first date that can be held; other dates stay words. */
  readonly time: HtmlTime | null;
  /** Dates that stayed words. */
  readonly otherTimes: number;
  readonly mentions: readonly string[];
  readonly isFormatted: boolean;
}

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]{0,4000})?)\/?>/gi;
const ATTRIBUTE = /([\w-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos|nbsp));/gi;
const NAMED: Readonly<Record<string, string>> = wordTable({
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
});
const MARKS: Readonly<Record<string, string>> = wordTable({
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  s: '~~',
  strike: '~~',
  code: '`',
});
const USABLE = /^(?:https?|mailto|tel):[^\s<>]+$/i;

/** Decodes the entities of HTML once. */
export function unescapeHtml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
      ? String.fromCodePoint(code)
      : whole;
  });
}

function attributesIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      unescapeHtml(double ?? single ?? bare ?? ''),
    ]),
  );
}

const two = (text: string) => text.padStart(2, '0');

function timeOf(attributes: ReadonlyMap<string, string>): HtmlTime | null {
  const part = (side: 'start' | 'end', name: string) => attributes.get(side + name) ?? '';
  const day = (side: 'start' | 'end') =>
    `${part(side, 'year').padStart(4, '0')}-${two(part(side, 'month'))}-${two(part(side, 'day'))}`;
  const on = dayOf(day('start'));
  if (on === null) return null;
  const clock = (side: 'start' | 'end') => {
    const [hour, minute] = [part(side, 'hour'), part(side, 'minute') || '0'];
    return hour === '' ? null : `${two(hour)}:${two(minute)}`;
  };
  const [from, to] = [clock('start'), clock('end')];
  const hasEnd = part('end', 'year') !== '' || to !== null;
  const isSameDay = !hasEnd || part('end', 'year') === '' || day('end') === day('start');
  if (!isSameDay) return null;
  if (from === null) return to === null ? { when: on, minutes: null } : null;
  const when = { local: `${day('start')}T${from}` };
  if (!isWhen(when)) return null;
  const inDay = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const minutes = to === null ? null : inDay(to) - inDay(from);
  return minutes !== null && !(minutes > 0) ? null : { when, minutes };
}

interface Tag {
  readonly at: number;
  readonly end: number;
  readonly isEnd: boolean;
  readonly name: string;
  readonly attributes: string;
  /** It has its other half. */
  isPaired: boolean;
}

function tagsIn(text: string): readonly Tag[] {
  const open = new Map<string, Tag[]>();
  const tags: Tag[] = [];
  for (const { 0: whole, 1: slash = '', 2: name = '', 3: attributes = '', index } of text.matchAll(TAG)) {
    const tag: Tag = {
      at: index,
      end: index + whole.length,
      isEnd: slash !== '',
      name: name.toLowerCase(),
      attributes,
      isPaired: false,
    };
    tags.push(tag);
    const same = open.get(tag.name) ?? [];
    open.set(tag.name, same);
    const first = tag.isEnd ? same.pop() : undefined;
    if (!tag.isEnd) same.push(tag);
    else if (first) {
      first.isPaired = true;
      tag.isPaired = true;
    }
  }
  return tags;
}

/** Collects both outputs. */
class Scan {
  readonly words: string[] = [];
  readonly markdown: string[] = [];
  readonly addresses = new Set<string>();
  readonly mentions: string[] = [];
  time: HtmlTime | null = null;
  otherTimes = 0;
  isFormatted = false;
  /** Index in `words` and the number of parts of the words of the date. */
  #timeFrom = -1;
  timeWords: readonly [from: number, to: number] | null = null;
  #link: { address: string; from: number; marked: number } | null = null;

  add(part: string): void {
    this.words.push(part);
    this.markdown.push(part);
  }

  tag({ isEnd, name, attributes, isPaired }: Tag): void {
    const mark = MARKS[name];
    if (mark !== undefined) {
      this.isFormatted = true;
      if (isPaired) this.markdown.push(mark);
    } else if (name === 'br') this.add('\n');
    else if (name === 'a') this.#anchor(isEnd, attributes);
    else if (name === 'time') this.#timeTag(isEnd, attributes);
    else if (name === 'mention' && !isEnd) {
      const id = attributesIn(attributes).get('id') ?? '';
      this.mentions.push(id);
      this.add('@someone');
    } else if (name !== 'mention') this.isFormatted = true;
  }

  #anchor(isEnd: boolean, attributes: string): void {
    this.closeLink();
    if (isEnd) return;
    const address = (attributesIn(attributes).get('href') ?? '').trim();
    if (!USABLE.test(address)) return;
    this.addresses.add(address);
    this.#link = { address, from: this.words.length, marked: this.markdown.length };
  }

  closeLink(): void {
    if (this.#link === null) return;
    const { address, from, marked } = this.#link;
    const label = this.words.slice(from).join('').trim();
    const shown = this.markdown
      .slice(marked)
      .join('')
      .replaceAll(/[[\]]/g, String.raw`\$&`);
    const link = label === '' || label === address ? address : `[${shown}](${address})`;
    this.markdown.splice(marked, this.markdown.length, link);
    if (label === '') this.words.push(address);
    this.#link = null;
  }

  #timeTag(isEnd: boolean, attributes: string): void {
    if (isEnd) {
      if (this.#timeFrom >= 0) this.timeWords = [this.#timeFrom, this.words.length];
      this.#timeFrom = -1;
      return;
    }
    const time = timeOf(attributesIn(attributes));
    if (time === null || this.time !== null) this.otherTimes += 1;
    else {
      this.time = time;
      this.#timeFrom = this.words.length;
    }
  }
}

/** Reads a text with markup. Keeps every word, whatever the markup is. */
export function readHtml(text: string): HtmlText {
  const scan = new Scan();
  let at = 0;
  for (const tag of tagsIn(text)) {
    scan.add(unescapeHtml(text.slice(at, tag.at)));
    at = tag.end;
    scan.tag(tag);
  }
  scan.add(unescapeHtml(text.slice(at)));
  scan.closeLink();
  const all = scan.words.join('');
  const without = scan.timeWords === null ? all : withoutParts(scan.words, scan.timeWords);
  const words = tidy(without) === '' ? all : without;
  return {
    words: tidy(words),
    markdown: scan.markdown.join(''),
    addresses: [...scan.addresses].filter((address) => !all.includes(address)),
    time: scan.time,
    otherTimes: scan.otherTimes,
    mentions: scan.mentions,
    isFormatted: scan.isFormatted,
  };
}

const withoutParts = (parts: readonly string[], [from, to]: readonly [number, number]) =>
  [...parts.slice(0, from), ' ', ...parts.slice(to)].join('');

const tidy = (text: string) => text.replaceAll(/[ \t]{2,}/g, ' ').trim();
