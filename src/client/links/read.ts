// What a link into the app asks for (`/app/open/…`, `web+posthaste:…`): strict, and pure. Any page on the web may open one,
// so what is not understood is refused or dropped, and everything has a length. What is done about it is follow.ts.
import { parseId, type Id } from '#core/ids.ts';

/** A list, folder or task, by its id or by the names from the top of the lists down. */
export type LinkPlace =
  | { readonly type: 'id'; readonly id: Id }
  | { readonly type: 'path'; readonly names: readonly string[] };

/** `at`: milliseconds since the epoch; `words`: as a person says it. */
export type LinkDate = { readonly at: number } | { readonly words: string } | null;

export interface LinkTask {
  readonly place: LinkPlace | null;
  /** Empty: it is asked for. */
  readonly title: string;
  readonly notes: string;
  readonly due: LinkDate;
  readonly start: LinkDate;
  readonly duration: number | null;
  /** Exactly as the labels are called. */
  readonly labels: readonly string[];
  readonly selects: boolean;
  readonly prepends: boolean;
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
  /** Of parts that this version does not have. */
  | { readonly type: 'purchase' }
  | { readonly type: 'promo'; readonly code: string }
  | { readonly type: 'later'; readonly what: 'macro' | 'invitation' };

export type LinkResult =
  | { readonly ok: true; readonly link: Link }
  | { readonly ok: false; readonly problem: string };

const MOST = {
  title: 1_000,
  notes: 20_000,
  labels: 50,
  words: 200,
  names: 100,
  promo: 40,
  link: 64_000,
} as const;
/** Ten years of minutes. */
const LONGEST_MINUTES = 5_256_000;
/** Seconds of the year 5138: what is less is not in milliseconds. */
const SECONDS_BELOW = 100_000_000_000;

const PROTOCOL = /^web\+posthaste:\/{0,2}/i;
const BASE = '/app/open';

const fail = (problem: string): LinkResult => ({ ok: false, problem });
const open = (link: Link): LinkResult => ({ ok: true, link });

/** Without what cannot be stored, at most so long. */
function clean(text: string | null, most: number): string {
  return [...(text ?? '').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')]
    .slice(0, most)
    .join('')
    .trim();
}

/** Present and not the word "false": how these links have always said yes. */
const isYes = (value: string | null) => value !== null && value !== 'false';

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll('+', '%20'));
  } catch {
    return null;
  }
}

/** Names and values of a query, decoded; what cannot be decoded is dropped. */
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

  all(name: string): readonly string[] {
    return this.#pairs.filter(([key]) => key === name).map(([, value]) => value);
  }
}

/** `id/…` or `path/…`; null: neither; undefined: nothing was said. */
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

function readDate(query: Query, at: string, words: string): LinkDate | string {
  const stamp = query.get(at);
  if (stamp !== null && stamp.trim() !== '') {
    const number = Number(stamp);
    const ms = Math.abs(number) < SECONDS_BELOW ? number * 1_000 : number;
    return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15
      ? { at: Math.round(ms) }
      : `“${clean(stamp, 40)}” is no timestamp.`;
  }
  const said = clean(query.get(words), MOST.words);
  return said === '' ? null : { words: said };
}

function readTask(place: LinkPlace | null, query: Query): LinkResult {
  const due = readDate(query, 'dueAtTimestamp', 'dueAtQuery');
  const start = readDate(query, 'startsAtTimestamp', 'startsAtQuery');
  if (typeof due === 'string') return fail(due);
  if (typeof start === 'string') return fail(start);
  const minutes = query.get('durationMinutes');
  const duration = minutes === null || minutes.trim() === '' ? null : Number(minutes);
  if (duration !== null && (!Number.isInteger(duration) || duration < 1 || duration > LONGEST_MINUTES))
    return fail(`“${clean(minutes, 40)}” is no number of minutes.`);
  return open({
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
    },
  });
}

/** What a phone or another program shares: a title, a text and an address. */
function readShared(query: Query): LinkResult {
  const [title, text, url] = ['title', 'text', 'url'].map((name) => clean(query.get(name), MOST.notes));
  const [first = '', ...rest] = [title, text, url].filter((part) => part !== undefined && part !== '');
  return readTask(
    null,
    new Query([
      ['title', first],
      ['notes', rest.join('\n')],
    ]),
  );
}

function readPromo([part = '', ...rest]: readonly string[]): LinkResult {
  const code = clean(decode(part), MOST.promo);
  const isCode = rest.length === 0 && /^[\w-]+$/.test(code);
  return isCode ? open({ type: 'promo', code }) : fail('This link holds no promo code.');
}

const LATER: Readonly<Record<string, Extract<Link, { type: 'later' }>['what']>> = {
  'run-macro': 'macro',
  'accept-list-invite': 'invitation',
};

const COMMANDS: Readonly<Record<string, Extract<Link, { type: 'command' }>['command']>> = {
  search: 'search.open',
  inbox: 'go.inbox',
  today: 'go.today',
};

function readParts(parts: readonly string[], query: Query): LinkResult {
  const [head = '', ...rest] = parts;
  const place = readPlace(rest);
  const misplaced = fail('This link names its place by neither an id nor a path.');
  // The files themselves come beside the address.
  if (head === '' || head === 'files') return open({ type: 'home' });
  if (head === 'lists') return place ? open({ type: 'list', place }) : misplaced;
  if (head === 'tasks')
    return place?.type === 'id'
      ? open({ type: 'open task', id: place.id })
      : fail('A link to a task has its id.');
  if (head === 'quick-entry') return place === null ? misplaced : readTask(place ?? null, query);
  if (head === 'share') return readShared(query);
  if (head === 'create-list' || head === 'create-folder') {
    if (place === null) return misplaced;
    const name = clean(query.get('name'), MOST.title).replaceAll(/\s*\n\s*/g, ' ');
    const kind = head === 'create-list' ? 'list' : 'folder';
    return name === ''
      ? fail(`A link that makes a ${kind} has to say its name.`)
      : open({ type: 'create', kind, name, place: place ?? null });
  }
  if (head === 'get-selected-tasks') return open({ type: 'selected' });
  if (head === 'purchase') return open({ type: 'purchase' });
  if (head === 'enter-promo-code') return readPromo(rest);
  const command = COMMANDS[head];
  if (command !== undefined) return open({ type: 'command', command });
  const what = LATER[head];
  return what === undefined ? fail('This link is not understood.') : open({ type: 'later', what });
}

/** `address`: a path with its query below `/app/open`, or an address of our own protocol; in `u` the one may hold the other. */
export function readLink(address: string): LinkResult {
  if (address.length > MOST.link) return fail('This link is too long.');
  const [path = '', ...rest] = address.split('?');
  const query = Query.parse(rest.join('?').split('#')[0] ?? '');
  if (PROTOCOL.test(path)) return readParts(path.replace(PROTOCOL, '').split('/'), query);
  const below = path === BASE ? '' : path.startsWith(`${BASE}/`) ? path.slice(BASE.length + 1) : null;
  if (below === null) return fail('This link is not understood.');
  const inner = below === '' ? query.get('u') : null;
  // Once only: a link in a link in a link leads nowhere.
  if (inner !== null) return PROTOCOL.test(inner) ? readLink(inner) : fail('This link is not understood.');
  return readParts(below.split('/'), query);
}
