// Reads one calendar of a CalDAV server, and later what is new of it: since a token where the server tells changes (RFC 6578), else by whether its
// marks are the same. What can't be told is read anew, and what is gone then is deleted.
import { createHash } from 'node:crypto';
import { calendarLimits, type CalendarEvent, type CalendarWindow } from '#core/calendar/events.ts';
import { beginningOf } from '#core/calendar/read-calendar.ts';
import { failed, ok, type Result } from '#core/result.ts';
import type { DavCall, FetchFailure } from '../fetching.ts';
import type { ReadResponse } from '../reading-worker.ts';
import type { Found, ReadPart } from '../sources.ts';
import { type DavClient, follow } from './client.ts';
import { askChanges, askEntries, askNamed, askState } from './requests.ts';

/** Entries of one question. */
const STEP = 50;
/** With more changes than these all of it is read. */
const MOST_CHANGES = 500;
const MOST_PAGES = 20;

/** What is known of a calendar since it was read; null: nothing. */
export interface DavState {
  /** Of all of it: it changes whenever anything does. */
  readonly mark: string | null;
  readonly syncToken: string | null;
}

/** What asking found. */
export type AskedCollection =
  | { readonly type: 'same'; readonly state: DavState }
  | {
      readonly type: 'some';
      readonly found: Extract<Found, { some: unknown }>;
      readonly state: DavState;
      readonly unread: number;
    }
  | {
      readonly type: 'all';
      readonly found: Extract<Found, { all: unknown }>;
      readonly state: DavState;
      readonly name: string;
      readonly unread: number;
      readonly isCut: boolean;
    };

type Asking<T> = Promise<Result<T, FetchFailure>>;

const propfind = (body: string): DavCall => ({ method: 'PROPFIND', depth: 0, body });
const report = (body: string): DavCall => ({ method: 'REPORT', depth: 1, body });

/** Answers that mean that the server can't tell, not that it can't be asked. */
const isNoTelling = ({ problem, status = 0 }: FetchFailure): boolean =>
  problem === 'too_large' ||
  status === 507 ||
  (status >= 400 && status < 500 && ![401, 404, 407, 410, 429].includes(status)) ||
  status === 501;

class Collection {
  readonly #client: DavClient;
  readonly #address: URL;
  readonly #window: CalendarWindow;
  #unread = 0;
  #isCut = false;

  constructor(client: DavClient, address: URL, window: CalendarWindow) {
    this.#client = client;
    this.#address = address;
    this.#window = window;
  }

  async sinceToken(token: string): Promise<AskedCollection | FetchFailure | null> {
    const changed = new Map<string, string>();
    const gone = new Set<string>();
    let from = token;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const asked = await this.#client.ask(this.#address, { ...report(askChanges(from)), depth: 0 });
      // A token that is too old, or a server that doesn't tell any longer.
      if (!asked.ok) return isNoTelling(asked.problem) ? null : asked.problem;
      const { responses, syncToken } = asked.value.answer;
      if (syncToken === null) return null;
      const isMore = responses.some(({ href, status }) => status === 507 && this.#isOwn(href));
      for (const { href, status } of responses) {
        const part = this.#part(href);
        if (part === null) continue;
        if (status === 404) {
          gone.add(part);
          changed.delete(part);
        } else if (status === null || status < 300) changed.set(part, href);
      }
      if (isMore && syncToken === from) return null;
      from = syncToken;
      if (changed.size > MOST_CHANGES) return null;
      if (!isMore) return await this.#changes(changed, gone, { mark: null, syncToken: from });
    }
    return null;
  }

  async whole(): Asking<AskedCollection> {
    const state = await this.state();
    if (!state.ok) return state;
    // First: what changes meanwhile is told the next time.
    const { name, ...known } = state.value;
    const entries = await this.#entries();
    if (!entries.ok) return entries;
    const { parts, marks } = entries.value;
    const isKnown = known.syncToken !== null || known.mark !== null;
    return ok({
      type: 'all',
      found: { all: this.#within(parts) },
      state: isKnown ? known : { mark: marks, syncToken: null },
      name,
      unread: this.#unread,
      isCut: this.#isCut,
    });
  }

  /** How the calendar says that it stands. */
  async state(): Asking<DavState & { readonly name: string }> {
    const asked = await this.#client.ask(this.#address, propfind(askState));
    if (!asked.ok) return asked;
    const { responses } = asked.value.answer;
    const own = responses.find(({ href }) => this.#isOwn(href)) ?? responses[0];
    const { name = '', syncToken = null, ctag, reports } = own?.properties ?? {};
    const tells = reports === undefined || reports.includes('sync-collection');
    return ok({ name, syncToken: tells ? syncToken : null, mark: ctag === undefined ? null : `c:${ctag}` });
  }

  /** The marks of all entries, as one. */
  async marks(): Asking<string> {
    const asked = await this.#client.ask(this.#address, report(askEntries(this.#window, false)));
    return asked.ok ? ok(this.#markOf(asked.value.answer.responses)) : asked;
  }

  #markOf(responses: readonly ReadResponse[]): string {
    const lines = responses.flatMap(({ href, properties }) => {
      const part = this.#part(href);
      return part === null ? [] : [`${part} ${properties.etag ?? ''}`];
    });
    return `d:${createHash('sha256').update(lines.toSorted().join('\n')).digest('base64url')}`;
  }

  async #entries(): Asking<{ readonly parts: readonly ReadPart[]; readonly marks: string }> {
    const call = report(askEntries(this.#window, true));
    let asked = await this.#client.ask(this.#address, call, this.#window);
    // All at once is too much for it: by name then.
    if (!asked.ok && isNoTelling(asked.problem))
      asked = await this.#client.ask(this.#address, report(askEntries(this.#window, false)));
    if (!asked.ok) return asked;
    const { responses } = asked.value.answer;
    this.#isCut ||= responses.length > calendarLimits.entries;
    const considered = responses.slice(0, calendarLimits.entries);
    const parts = this.#read(considered);
    const missing = considered.filter(
      ({ href, status, events }) => events === null && (status ?? 200) < 300 && this.#part(href) !== null,
    );
    const rest = await this.#named(missing.map(({ href }) => href));
    return rest.ok ? ok({ parts: [...parts, ...rest.value], marks: this.#markOf(responses) }) : rest;
  }

  async #changes(
    changed: ReadonlyMap<string, string>,
    gone: ReadonlySet<string>,
    state: DavState,
  ): Promise<AskedCollection | FetchFailure | null> {
    if (changed.size + gone.size === 0) return { type: 'same', state };
    const read = await this.#named([...changed.values()]);
    if (!read.ok) return read.problem;
    const found = new Set(read.value.map(({ part }) => part));
    const count = read.value.reduce((sum, { events }) => sum + events.length, 0);
    // Which of them can be shown is known with all the others.
    if (count > calendarLimits.events) return null;
    const without = [...gone, ...changed.keys()].filter((part) => !found.has(part));
    const some = [...read.value, ...without.map((part) => ({ part, events: [] }))];
    return { type: 'some', found: { some }, state, unread: this.#unread };
  }

  async #named(hrefs: readonly string[]): Asking<readonly ReadPart[]> {
    const parts: ReadPart[] = [];
    for (let at = 0; at < hrefs.length; at += STEP) {
      const call = report(askNamed(hrefs.slice(at, at + STEP)));
      const asked = await this.#client.ask(this.#address, call, this.#window);
      if (!asked.ok) return asked;
      parts.push(...this.#read(asked.value.answer.responses));
    }
    return ok(parts);
  }

  #read(responses: readonly ReadResponse[]): readonly ReadPart[] {
    return responses.flatMap(({ href, events, unread, isCut }) => {
      const part = this.#part(href);
      if (part === null || events === null) return [];
      this.#unread += unread;
      this.#isCut ||= isCut;
      return [{ part, events }];
    });
  }

  /** At most as many events as may be shown, the first ones. */
  #within(parts: readonly ReadPart[]): readonly ReadPart[] {
    const count = parts.reduce((sum, { events }) => sum + events.length, 0);
    if (count <= calendarLimits.events) return parts;
    this.#isCut = true;
    const first = new Set<CalendarEvent>(
      parts
        .flatMap(({ events }) => events)
        .toSorted((a, b) => beginningOf(a, 'UTC') - beginningOf(b, 'UTC'))
        .slice(0, calendarLimits.events),
    );
    return parts.map(({ part, events }) => ({ part, events: events.filter((event) => first.has(event)) }));
  }

  #isOwn(href: string): boolean {
    return (
      follow(href, this.#address)?.pathname.replace(/\/$/, '') === this.#address.pathname.replace(/\/$/, '')
    );
  }

  /** What a resource is called here; null: the calendar itself, or nothing of this server. */
  #part(href: string): string | null {
    const url = this.#isOwn(href) ? null : follow(href, this.#address);
    if (url === null) return null;
    try {
      return decodeURIComponent(url.pathname);
    } catch {
      // A name that is escaped in its own way.
      return url.pathname;
    }
  }
}

/** Asks a calendar. `known`: null reads all of it. The address has the name and the password in it. */
export async function askCollection(
  client: DavClient,
  address: URL,
  known: DavState | null,
  window: CalendarWindow,
): Asking<AskedCollection> {
  const collection = new Collection(client, address, window);
  if (known?.syncToken != null) {
    const since = await collection.sinceToken(known.syncToken);
    if (since !== null) return 'problem' in since ? failed(since) : ok(since);
  } else if (known?.mark?.startsWith('c:') === true) {
    const state = await collection.state();
    if (!state.ok) return state;
    if (state.value.mark === known.mark) return ok({ type: 'same', state: known });
  } else if (known?.mark != null) {
    const marks = await collection.marks();
    if (!marks.ok) return marks;
    if (marks.value === known.mark) return ok({ type: 'same', state: known });
  }
  return await collection.whole();
}
