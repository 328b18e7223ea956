// Parses links into the app (`/app/open/…`, `web+posthaste:…`): strict and pure. Any page on the web may open one, so
// parts that are not understood are refused or dropped, and everything has a length limit. follow.ts carries them out.
import { checkoutParameter } from '#wire/billing.ts';
import { parseId, type Id } from '#core/ids.ts';
import { failed, ok, type Result } from '#core/result.ts';

/** A list, folder or task, by its id or by the names from the top of the lists down. */
export type LinkPlace =
  | { readonly type: 'id'; readonly id: Id }
  | { readonly type: 'path'; readonly names: readonly string[] };

/** `at`: milliseconds since the epoch; `words`: a phrase in everyday language. */
export type LinkDate = { readonly at: number } | { readonly words: string } | null;

export interface LinkTask {
  readonly place: LinkPlace | null;
  /** Empty: the person is asked for it. */
  readonly title: string;
  readonly notes: string;
  readonly due: LinkDate;
  readonly start: LinkDate;
  readonly duration: number | null;
  /** Exact names of labels. */
  readonly labels: readonly string[];
  readonly selects: boolean;
  readonly prepends: boolean;
  /** The person is asked where it goes. */
  readonly asks: boolean;
  /** Sentences about further parts of the link that are not understood. */
  readonly problems: readonly string[];
}

export type Link =
  | { readonly type: 'home' }
  | { readonly type: 'list'; readonly place: LinkPlace }
  | { readonly type: 'open task'; readonly id: Id }
  | { readonly type: 'task'; readonly task: LinkTask }
  | {
      readonly type: 'create';
      readonly kind: 'list' | 'folder';
      readonly name: string;
      readonly place: LinkPlace | null;
    }
  | { readonly type: 'selected' }
  | { readonly type: 'command'; readonly command: 'search.open' | 'go.inbox' | 'go.today' }
  /** A feature that this version does not have. */
  /** `checkout`: what a payment page leads back with; null: it doesn’t come from one. */
  | { readonly type: 'purchase'; readonly checkout: string | null }
  | { readonly type: 'promo'; readonly code: string }
  | { readonly type: 'invitation'; readonly token: string }
  /** The values of its variables by name. */
  | { readonly type: 'macro'; readonly id: Id; readonly values: Readonly<Record<string, string>> };

/** What a link asks for, or a sentence about why it cannot be read. */
type LinkResult = Result<Link, string>;

const MOST = {
  title: 1_000,
  notes: 20_000,
  value: 1_000,
  labels: 50,
  words: 200,
  names: 100,
  promo: 40,
  token: 200,
  unknown: 5,
  link: 64_000,
} as const;
/** Ten years in minutes. */
const LONGEST_MINUTES = 5_256_000;
/** The year 5138 in seconds: smaller numbers are not in milliseconds. */
const SECONDS_BELOW = 100_000_000_000;

/** All parameters of quick entry. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'title',
  'notes',
  'dueAtTimestamp',
  'dueAtQuery',
  'startsAtTimestamp',
  'startsAtQuery',
  'durationMinutes',
  'label',
  'shouldSelectItem',
  'shouldPrepend',
]);
/** Tracking parameters that mail programs and networks add to any link; they say nothing about a task. */
const TRACKING = /^(?:utm_.*|fbclid|gclid)$/i;

const VARIABLE = /^[A-Za-z_][\w-]{0,63}$/;
const PROTOCOL = /^(?:web\+)?posthaste:\/{0,2}/i;
const BASE = '/app/open';

/** Drops characters that cannot be stored, and cuts to a length. */
function clean(text: string | null, most: number): string {
  return [...(text ?? '').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')]
    .slice(0, most)
    .join('')
    .trim();
}

/** Present and not the word "false": the established boolean format of these links. */
const isYes = (value: string | null) => value !== null && value !== 'false';

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll('+', '%20'));
  } catch {
    return null;
  }
}

/** Names and values of a query, decoded; values that cannot be decoded are dropped. */
class Query {
  readonly #pairs: readonly (readonly [name: string, value: string])[];

  constructor(pairs: readonly (readonly [name: string, value: string])[]) {
    this.#pairs = pairs;
  }

  static parse(text: string): Query {
    const pairs = text.split('&').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decode(name), decode(value.join('='))] as const;
    });
    return new Query(
      pairs.flatMap(([name, value]) => (name === null || value === null ? [] : [[name, value]])),
    );
  }

  get(name: string): string | null {
    return this.#pairs.find(([key]) => key === name)?.[1] ?? null;
  }

  get names(): readonly string[] {
    return [...new Set(this.#pairs.map(([name]) => name))];
  }

  all(name: string): readonly string[] {
    return this.#pairs.filter(([key]) => key === name).map(([, value]) => value);
  }
}

/** `id/…` or `path/…`; null: neither; undefined: absent. */
function readPlace(parts: readonly string[]): LinkPlace | null | undefined {
  const [kind, ...rest] = parts.filter((part) => part !== '');
  if (kind === undefined) return undefined;
  const names = rest.map(decode);
  if (names.length === 0 || names.length > MOST.names || names.some((name) => name === null || name === ''))
    return null;
  if (kind === 'path') return { type: 'path', names: names as string[] };
  const id = kind === 'id' && names.length === 1 ? parseId(names[0] ?? '') : null;
  return id === null ? null : { type: 'id', id };
}

/** A timestamp takes precedence over words, unless it is invalid: then `problems` gets a sentence. */
function readDate(query: Query, at: string, words: string, problems: string[]): LinkDate {
  const stamp = query.get(at);
  if (stamp !== null && stamp.trim() !== '') {
    const number = Number(stamp);
    const ms = Math.abs(number) < SECONDS_BELOW ? number * 1_000 : number;
    if (Number.isFinite(ms) && Math.abs(ms) <= 8.64e15) return { at: Math.round(ms) };
    problems.push(`“${clean(stamp, 40)}” isn’t a timestamp.`);
  }
  const said = clean(query.get(words), MOST.words);
  return said === '' ? null : { words: said };
}

function readMinutes(query: Query, problems: string[]): number | null {
  const said = query.get('durationMinutes');
  if (said === null || said.trim() === '') return null;
  const minutes = Number(said);
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= LONGEST_MINUTES) return minutes;
  problems.push(`“${clean(said, 40)}” isn’t a number of minutes.`);
  return null;
}

/** A misspelled parameter would silently lose a part of the task. */
function unknownIn(query: Query): readonly string[] {
  const unknown = query.names.filter((name) => name !== '' && !PARAMETERS.has(name) && !TRACKING.test(name));
  const named = unknown.slice(0, MOST.unknown);
  const more = unknown.length - named.length;
  return [
    ...named.map((name) => `Posthaste doesn’t know ‘${clean(name, 40)}’ in this link.`),
    ...(more > 0 ? [`It has ${more} more that ${more === 1 ? 'is' : 'are'} unknown.`] : []),
  ];
}

function readTask(place: LinkPlace | null, query: Query): LinkResult {
  const problems: string[] = [];
  const due = readDate(query, 'dueAtTimestamp', 'dueAtQuery', problems);
  const start = readDate(query, 'startsAtTimestamp', 'startsAtQuery', problems);
  const duration = readMinutes(query, problems);
  return ok({
    type: 'task',
    task: {
      place,
      title: clean(query.get('title'), MOST.title).replaceAll(/\s*\n\s*/g, ' '),
      notes: clean(query.get('notes'), MOST.notes),
      due,
      start,
      duration,
      labels: query.all('label').slice(0, MOST.labels),
      selects: isYes(query.get('shouldSelectItem')),
      prepends: isYes(query.get('shouldPrepend')),
      asks: false,
      problems: [...problems, ...unknownIn(query)],
    },
  });
}

/** A share from a phone or another program: a title, a text and an address. */
function readShared(query: Query): LinkResult {
  const [title, text, url] = ['title', 'text', 'url'].map((name) => clean(query.get(name), MOST.notes));
  const [first = '', ...rest] = [title, text, url].filter((part) => part !== undefined && part !== '');
  const read = readTask(
    null,
    new Query([
      ['title', first],
      ['notes', rest.join('\n')],
    ]),
  );
  return read.ok && read.value.type === 'task'
    ? ok({ type: 'task', task: { ...read.value.task, asks: true } })
    : read;
}

function readPromo([part = '', ...rest]: readonly string[]): LinkResult {
  const code = clean(decode(part), MOST.promo);
  const isCode = rest.length === 0 && /^[\w-]+$/.test(code);
  return isCode ? ok({ type: 'promo', code }) : failed('This link has no promo code.');
}

/** Tokens are letters, digits, hyphens and underscores: nothing else of an address gets into a request. */
function readInvitation([part = '', ...rest]: readonly string[]): LinkResult {
  const token = decode(part) ?? '';
  const isToken = rest.length === 0 && token.length <= MOST.token && /^[\w-]+$/.test(token);
  return isToken
    ? ok({ type: 'invitation', token })
    : failed('This invitation link is incomplete. Ask the sender for it again.');
}

/** Values are text, however long the address is. */
function readMacro(place: LinkPlace | null | undefined, query: Query): LinkResult {
  if (place?.type !== 'id') return failed('A link to a macro needs its id.');
  const names = query.names.filter((name) => VARIABLE.test(name) && !TRACKING.test(name));
  const values = names
    .slice(0, MOST.names)
    .map((name) => [name, clean(query.get(name), MOST.value)] as const);
  return ok({ type: 'macro', id: place.id, values: Object.fromEntries(values) });
}

/** The id of a checkout gets into a request: letters, digits and underscores alone. */
function readCheckout(query: Query): string | null {
  const checkout = query.get(checkoutParameter) ?? '';
  return checkout.length <= MOST.token && /^\w+$/.test(checkout) ? checkout : null;
}

const COMMANDS: Readonly<Record<string, Extract<Link, { type: 'command' }>['command']>> = {
  search: 'search.open',
  inbox: 'go.inbox',
  today: 'go.today',
};

function readParts(parts: readonly string[], query: Query): LinkResult {
  const [head = '', ...rest] = parts;
  const place = readPlace(rest);
  const misplaced = failed('This link needs an id or a path.');
  // The files themselves arrive separately.
  if (head === '' || head === 'files') return ok({ type: 'home' });
  if (head === 'lists') return place ? ok({ type: 'list', place }) : misplaced;
  if (head === 'tasks')
    return place?.type === 'id'
      ? ok({ type: 'open task', id: place.id })
      : failed('A link to a task needs its id.');
  if (head === 'quick-entry') return place === null ? misplaced : readTask(place ?? null, query);
  if (head === 'share') return readShared(query);
  if (head === 'create-list' || head === 'create-folder') {
    if (place === null) return misplaced;
    const name = clean(query.get('name'), MOST.title).replaceAll(/\s*\n\s*/g, ' ');
    const kind = head === 'create-list' ? 'list' : 'folder';
    return name === ''
      ? failed(`A link that creates a ${kind} needs a name.`)
      : ok({ type: 'create', kind, name, place: place ?? null });
  }
  if (head === 'get-selected-tasks') return ok({ type: 'selected' });
  if (head === 'purchase') return ok({ type: 'purchase', checkout: readCheckout(query) });
  if (head === 'enter-promo-code') return readPromo(rest);
  if (head === 'accept-list-invite') return readInvitation(rest);
  const command = COMMANDS[head];
  if (command !== undefined) return ok({ type: 'command', command });
  return head === 'run-macro' ? readMacro(place, query) : failed('Posthaste can’t read this link.');
}

/**
 * `address`: a path with its query below `/app/open`, or an address of our own protocol; `u` may hold one in the other.
 */
export function readLink(address: string): LinkResult {
  if (address.length > MOST.link) return failed('This link is too long.');
  const [path = '', ...rest] = address.split('?');
  const query = Query.parse(rest.join('?').split('#')[0] ?? '');
  if (PROTOCOL.test(path)) return readParts(path.replace(PROTOCOL, '').split('/'), query);
  const below = path === BASE ? '' : path.startsWith(`${BASE}/`) ? path.slice(BASE.length + 1) : null;
  if (below === null) return failed('Posthaste can’t read this link.');
  const inner = below === '' ? query.get('u') : null;
  // Only one level: links nested deeper are refused.
  if (inner !== null)
    return PROTOCOL.test(inner) ? readLink(inner) : failed('Posthaste can’t read this link.');
  return readParts(below.split('/'), query);
}
