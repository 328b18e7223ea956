// The words of events: descriptions in plain text, and the addresses in them, that of a call first.
import { readMarkup } from '../formats/markup.ts';
import type { CalendarEvent } from './events.ts';

const MOST = 6;
const END_OF_LINE = /<\/(?:p|div|li|tr|h[1-6]|ul|ol|table|blockquote)>/gi;
const ITEM = /<li\b[^>]*>/gi;
const ADDRESS = /https?:\/\/[^\s<>"'\\]+/gi;
/** What stands behind an address in a sentence. */
const AFTER = /[.,;:!?)\]}*_]+$/;
/** Where people meet to talk, by the ends of names of servers. */
const CALLS = [
  'meet.google.com',
  'zoom.us',
  'zoom.com',
  'teams.microsoft.com',
  'teams.live.com',
  'webex.com',
  'whereby.com',
  'meet.jit.si',
  'gotomeeting.com',
  'chime.aws',
];

/** A description as text: many calendars write HTML. What links lead to stands behind it. */
export function plainDescription(text: string): string {
  const { words, addresses } = readMarkup(text.replaceAll(ITEM, '$&• ').replaceAll(END_OF_LINE, '$&\n'));
  const plain = words
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return [plain, ...addresses.filter((address) => !plain.includes(address))].join('\n').trim();
}

/** An address that an event names. */
export interface EventLink {
  readonly address: string;
  /** A call is held there. */
  readonly isCall: boolean;
}

const isCall = (address: string): boolean => {
  const { hostname, pathname } = new URL(address);
  return pathname !== '/' && CALLS.some((name) => hostname === name || hostname.endsWith(`.${name}`));
};

/** The addresses of its link, place and description, each once; those of calls first, and at most six. */
export function linksOf({ link, place, description }: CalendarEvent): readonly EventLink[] {
  const written = [link ?? '', place, description].flatMap((text) => text.match(ADDRESS) ?? []);
  const usable = written
    .map((address) => address.replace(AFTER, ''))
    .filter((address) => URL.canParse(address));
  const links = [...new Set(usable)].map((address): EventLink => ({ address, isCall: isCall(address) }));
  return links.toSorted((a, b) => Number(b.isCall) - Number(a.isCall)).slice(0, MOST);
}
