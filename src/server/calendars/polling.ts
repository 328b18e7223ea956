// Asks the addresses of calendars for what is new: every fifteen minutes, later after errors, each by one process at a time. What came is read
// in a thread and becomes the events of the calendar.
import { type CalendarWindow, coversWindow, type ReadCalendar, windowAround } from '#core/calendar/events.ts';
import { failed, ok, type Result } from '#core/result.ts';
import { DAY_MS } from '#core/time.ts';
import { calendarSourceLimits } from '#wire/calendars.ts';
import type { Fetched, FetchFailure, Fetching, KnownFile } from './fetching.ts';
import type { CalendarReader } from './reader.ts';
import { createDavClient } from './dav/client.ts';
import { askCollection, type AskedCollection, type DavState } from './dav/collection.ts';
import { type DavCalendar, discover } from './dav/discovery.ts';
import type { SourceProblem } from './problems.ts';
import { type CalendarSources, type Found, type Outcome, shortfallOf, type StoredSource } from './sources.ts';

const AT_ONCE = 4;
/** Longer than asking and reading take. */
const CLAIM_MS = 5 * 60_000;
const LONGEST_WAIT_MS = DAY_MS / 2;
const LOOK_MS = 30_000;

export interface PollingPorts {
  readonly sources: CalendarSources;
  readonly fetching: Fetching;
  readonly reader: CalendarReader;
  /** Null: no key opens it. */
  readonly addressOf: (source: StoredSource) => URL | null;
  /** Of an account; null: it is gone. */
  readonly emailOf: (account: number) => Promise<string | null>;
  /** Events of the account's calendars, or how one of them stands, are others than before. */
  readonly changed: (account: number) => void;
  /** Calendars of Google's are asked there; null: this server has no id at Google. */
  readonly google: { poll(source: StoredSource): Promise<boolean> } | null;
  readonly now: () => number;
  after(delayMs: number, work: () => void): () => void;
  onError(error: unknown): void;
}

/** What an address gave: events, or that nothing changed. */
export type Asked =
  | { readonly type: 'same' }
  | ({ readonly type: 'read'; readonly calendar: ReadCalendar } & KnownFile);

/** What a source's asking comes to: what is written of it, and of its events; null: they are the same. */
interface News {
  readonly outcome: Outcome;
  readonly found: Found | null;
}

type Asking = Promise<Result<News, FetchFailure>>;

/** How a calendar of a CalDAV server stands, as it is stored. */
export const stateOf = ({ mark, syncToken }: DavState) => ({ etag: mark, sync_token: syncToken });

const NOTHING_KNOWN: KnownFile = { etag: null, lastModified: null };

/** Asks due calendars. */
export class Polling {
  readonly #ports: PollingPorts;
  #cancel: (() => void) | null = null;
  #running: Promise<unknown> | null = null;
  #isStarted = false;

  constructor(ports: PollingPorts) {
    this.#ports = ports;
  }

  /** Fetches and reads an address of somebody's. Never rejects. */
  async ask(
    account: number,
    address: URL,
    known: KnownFile = NOTHING_KNOWN,
  ): Promise<Result<Asked, FetchFailure>> {
    const { fetching, reader } = this.#ports;
    const fetched: Result<Fetched, FetchFailure> = await fetching.fetch(address, known);
    if (!fetched.ok) return fetched;
    if (fetched.value.type === 'same') return ok({ type: 'same' });
    const { bytes, etag, lastModified } = fetched.value;
    const read = await reader.read({ bytes, window: await this.#windowOf(account, address) });
    if (!read.ok) return failed({ problem: read.problem, afterMs: 0 });
    return ok({ type: 'read', calendar: read.value, etag, lastModified });
  }

  /** Asks a calendar of a CalDAV server. Never rejects. */
  async askCollection(
    account: number,
    address: URL,
    known: DavState | null = null,
  ): Promise<Result<AskedCollection, FetchFailure>> {
    const window = await this.#windowOf(account, address);
    return await askCollection(createDavClient(this.#ports), address, known, window);
  }

  /** The calendars that an address of a CalDAV server leads to. Never rejects. */
  async discover(address: URL): Promise<Result<readonly DavCalendar[], FetchFailure>> {
    return await discover(createDavClient(this.#ports), address);
  }

  /** Asks everything that is due now. Resolves with how many were asked. */
  async round(): Promise<number> {
    const { sources, now } = this.#ports;
    const left = [...(await sources.due(now(), AT_ONCE * 8))];
    let asked = 0;
    const work = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        if (!(await sources.claim(next, now() + CLAIM_MS))) continue;
        asked += 1;
        await this.#poll(next);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await sources.purge(now());
    return asked;
  }

  /** Asks one calendar now, because somebody wants it; one that is being asked already is not asked twice. */
  async again(source: StoredSource): Promise<void> {
    const { sources, now } = this.#ports;
    if (await sources.claim(source, Math.round(now()) + CLAIM_MS)) await this.#poll(source);
  }

  start(): void {
    this.#isStarted = true;
    this.#wait();
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#cancel?.();
    await this.#ports.reader.close();
    this.#ports.fetching.close();
    await this.#running;
  }

  #wait(): void {
    this.#cancel = this.#ports.after(LOOK_MS, () => {
      this.#running = this.round()
        .catch((error: unknown) => this.#ports.onError(error))
        .finally(() => {
          this.#running = null;
          if (this.#isStarted) this.#wait();
        });
    });
  }

  async #poll(source: StoredSource): Promise<void> {
    const { sources, addressOf, changed, google, now } = this.#ports;
    if (source.kind === 'google') {
      if (await (google === null ? this.#withoutGoogle(source) : google.poll(source)))
        changed(source.account);
      return;
    }
    const address = addressOf(source);
    const isFresh = source.last_ok !== null && coversWindow(source.expanded_at, now());
    const news: Result<News, FetchFailure> =
      address === null
        ? failed({ problem: 'sealed', afterMs: 0 })
        : await (source.kind === 'caldav' ? this.#collection : this.#file)(source, address, isFresh);
    const at = Math.round(now());
    if (!news.ok) {
      const { problem, afterMs } = news.problem;
      const failures = source.failures + 1;
      const backOff = Math.min(calendarSourceLimits.pollMs * 2 ** (failures - 1), LONGEST_WAIT_MS);
      // A password that is wrong stays wrong, and too many tries lock accounts.
      const waitMs = problem === 'password' ? DAY_MS : Math.max(backOff, Math.min(afterMs, LONGEST_WAIT_MS));
      await sources.finish(source, { problem, failures, next_poll: at + waitMs }, null);
      if (source.problem !== problem) changed(source.account);
      return;
    }
    const { outcome, found } = news.value;
    const good = { last_ok: at, next_poll: at + calendarSourceLimits.pollMs, problem: null, failures: 0 };
    const hasChanged = await sources.finish(source, { ...good, ...outcome }, found);
    if (hasChanged || source.problem !== null) changed(source.account);
  }

  /** What is read now, by whom: one signs in at a calendar by an email address, often. */
  async #windowOf(account: number, { username }: URL): Promise<CalendarWindow> {
    const { emailOf, now } = this.#ports;
    const own = [await emailOf(account), decodeURIComponent(username)];
    const addresses = own.flatMap((address) =>
      address?.includes('@') === true ? [address.toLowerCase()] : [],
    );
    return windowAround(now(), 'UTC', addresses);
  }

  /** Its operator took Google from this server. Resolves with whether that is new. */
  async #withoutGoogle(source: StoredSource): Promise<boolean> {
    const { sources, now } = this.#ports;
    const problem: SourceProblem = 'no_google';
    const failures = source.failures + 1;
    await sources.finish(source, { problem, failures, next_poll: Math.round(now()) + LONGEST_WAIT_MS }, null);
    return source.problem !== problem;
  }

  readonly #file = async (source: StoredSource, address: URL, isFresh: boolean): Asking => {
    const known = isFresh ? { etag: source.etag, lastModified: source.last_modified } : NOTHING_KNOWN;
    const answer = await this.ask(source.account, address, known);
    if (!answer.ok) return answer;
    if (answer.value.type === 'same') return ok({ outcome: {}, found: null });
    const { calendar, etag, lastModified } = answer.value;
    const file = { etag, last_modified: lastModified, expanded_at: Math.round(this.#ports.now()) };
    return ok({ outcome: { ...file, ...shortfallOf(calendar) }, found: calendar });
  };

  readonly #collection = async (source: StoredSource, address: URL, isFresh: boolean): Asking => {
    const known = isFresh ? { mark: source.etag, syncToken: source.sync_token } : null;
    const answer = await this.askCollection(source.account, address, known);
    if (!answer.ok) return answer;
    const asked = answer.value;
    const state = stateOf(asked.state);
    if (asked.type === 'same') return ok({ outcome: state, found: null });
    if (asked.type === 'some')
      return ok({ outcome: { ...state, unread: Math.max(source.unread, asked.unread) }, found: asked.found });
    const whole = { expanded_at: Math.round(this.#ports.now()), ...shortfallOf(asked) };
    return ok({ outcome: { ...state, ...whole }, found: asked.found });
  };
}
