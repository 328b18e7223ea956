// Open pages of public links: what is new in a list goes to each as server-sent events, with what its link shows and nothing else.
// A link that was changed, paused or deleted is looked up anew at once, and before anything is sent a second after the last look.
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { StreamEvent } from '#wire/public-links.ts';
import type { SealedEvent } from '#wire/public-page/sealed-links.ts';
import type { Bus } from '../live/bus.ts';
import type { ListWindow, ListWindows, WindowNews } from './list-window.ts';
import type { Closed, LinkStore, OpenLink } from './links.ts';

/** A page that reads slower than this is closed: it comes back and goes on where it was. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Longest time until a link is looked up again before something is sent. */
const TRUSTED_MS = 1_000;
/** News within so much time go together. */
const GATHER_MS = 50;
const BEAT_MS = 15_000;
/** More news than this are read anew. */
const MOST_NEWS = 1_000;

/** Pages that are open at once: of a link, of a link from one address, and of all. */
const MOST_OF_LINK = 500;
const MOST_OF_ADDRESS = 20;
const MOST_OF_ALL = 5_000;

/** As the list is, or sealed. */
type SentEvent = StreamEvent | SealedEvent;

/** What streams need. */
export interface StreamPorts {
  readonly links: Pick<LinkStore, 'again'>;
  readonly windows: ListWindows;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** What is new, as the link shows it. */
  readonly news: (link: OpenLink, window: ListWindow, news: WindowNews) => SentEvent & { type: 'news' };
  /** Name, logo and permissions as the page shows them; equal texts: nothing is different. */
  readonly head: (link: OpenLink, window: ListWindow) => SentEvent & { type: 'list' };
  readonly onError: (error: unknown) => void;
}

/** A page that comes, or comes back. */
export interface Arrival {
  readonly link: OpenLink;
  readonly window: ListWindow;
  /** Where it stands; null: it knows nothing. */
  readonly at: string | null;
  readonly address: string;
}

const encoder = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

class Page {
  readonly id: Id;
  readonly scope: Id;
  readonly address: string;
  readonly window: ListWindow;
  readonly body: ReadableStream<Bytes>;
  link: OpenLink;
  at: string;
  head: string;
  trustedUntil: number;
  readonly #control: { out: ReadableStreamDefaultController<Bytes> | null };

  constructor({ link, window, address }: Arrival, of: { head: string; until: number; left: () => void }) {
    this.id = link.visitor.link;
    this.scope = link.visitor.scope;
    this.address = address;
    this.window = window;
    this.link = link;
    this.at = window.at;
    this.head = of.head;
    this.trustedUntil = of.until;
    const control: { out: ReadableStreamDefaultController<Bytes> | null } = { out: null };
    this.#control = control;
    this.body = new ReadableStream<Bytes>(
      {
        start: (out) => {
          control.out = out;
        },
        cancel: () => {
          control.out = null;
          of.left();
        },
      },
      { highWaterMark: MOST_WAITING_BYTES, size: (part) => part?.byteLength ?? 0 },
    );
  }

  /** False: it is not there, or too slow. */
  say(text: string): boolean {
    const { out } = this.#control;
    if (out === null || (out.desiredSize ?? 0) <= 0) return false;
    out.enqueue(encoder.encode(text));
    return true;
  }

  send(event: SentEvent): boolean {
    return this.say(`id: ${this.at}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  end(): void {
    this.#control.out?.close();
    this.#control.out = null;
  }
}

/** All pages that are open on this process. */
export class Streams {
  readonly #ports: StreamPorts;
  readonly #pages = new Map<Page, () => void>();
  readonly #waiting = new Set<Id>();
  readonly #unsubscribe: () => void;
  readonly #beat: NodeJS.Timeout;
  #gathering: NodeJS.Timeout | null = null;
  #isAsking = false;
  #isAskedAgain = false;
  #isClosed = false;

  constructor(ports: StreamPorts) {
    this.#ports = ports;
    this.#beat = setInterval(() => this.#askAll(), BEAT_MS).unref();
    this.#unsubscribe = ports.bus.subscribe((message) => {
      if (this.#pages.size === 0) return;
      if (message.type === 'changed') this.#note(message.scope);
      else if (message.type === 'link') this.#askFor(message.links);
      // Links are not named: all are looked up, by one question.
      else if (message.type === 'roles') this.#askAll();
      else if (message.type === 'missed') {
        this.#askAll();
        for (const { scope } of this.#pages.keys()) this.#note(scope);
      }
    });
  }

  /** Pages of a link that are open. */
  openOf(link: Id): number {
    return [...this.#pages.keys()].filter(({ id }) => id === link).length;
  }

  /** Null: there are too many. */
  open(arrival: Arrival): ReadableStream<Bytes> | null {
    const { link, window, at, address } = arrival;
    const pages = [...this.#pages.keys()].filter(({ id }) => id === link.visitor.link);
    const near = pages.filter((page) => page.address === address);
    const isFull = this.#pages.size >= MOST_OF_ALL || pages.length >= MOST_OF_LINK;
    if (this.#isClosed || isFull || near.length >= MOST_OF_ADDRESS) return null;
    const head = JSON.stringify(this.#ports.head(link, window));
    const until = this.#ports.clock.monotonic() + TRUSTED_MS;
    const page: Page = new Page(arrival, { head, until, left: () => this.#leave(page) });
    this.#pages.set(page, this.#ports.windows.hold(window.scope));
    // What is sent first shows that nothing between holds it back.
    page.say(`retry: 2000\n: open\n\n`);
    const missed = at === null ? null : window.since(at);
    if (missed === null) page.send({ type: 'reload' });
    else this.#tell(page, missed);
    return page.body;
  }

  /** Looks up the links of all open pages now. Resolves when those are told whose link is different. */
  async check(): Promise<void> {
    const ids = [...new Set([...this.#pages.keys()].map(({ id }) => id))];
    const now = this.#ports.clock.monotonic();
    const found = await this.#ports.links.again(ids);
    for (const page of this.#pages.keys()) this.#judge(page, found.get(page.id) ?? 'ended', now);
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    clearInterval(this.#beat);
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    for (const page of this.#pages.keys()) this.#leave(page);
  }

  #leave(page: Page): void {
    this.#pages.get(page)?.();
    this.#pages.delete(page);
    page.end();
  }

  /** Ends a page, or takes what its link is now. False: it has ended. */
  #judge(page: Page, link: OpenLink | Closed, now: number): boolean {
    const isOver = typeof link === 'string' || !page.window.isThere;
    if (isOver) {
      page.send({ type: 'over', why: typeof link === 'string' ? link : 'ended' });
      this.#leave(page);
      return false;
    }
    const hadLabels = page.link.visitor.may.has('labels');
    page.link = link;
    page.trustedUntil = now + TRUSTED_MS;
    const head = this.#ports.head(link, page.window);
    const text = JSON.stringify(head);
    if (text === page.head) {
      if (!page.say(': here\n\n')) this.#leave(page);
      return this.#pages.has(page);
    }
    page.head = text;
    const isShowingMore = hadLabels !== link.visitor.may.has('labels');
    if (!page.send(head) || (isShowingMore && !page.send({ type: 'reload' }))) this.#leave(page);
    return this.#pages.has(page);
  }

  #askAll(): void {
    if (this.#isAsking || this.#pages.size === 0) {
      if (this.#isAsking) this.#isAskedAgain = true;
      return;
    }
    this.#isAsking = true;
    this.check()
      .catch((error: unknown) => this.#ports.onError(error))
      .finally(() => {
        this.#isAsking = false;
        const again = this.#isAskedAgain;
        this.#isAskedAgain = false;
        if (again) this.#askAll();
      });
  }

  #askFor(links: readonly Id[]): void {
    if ([...this.#pages.keys()].some(({ id }) => links.includes(id))) this.#askAll();
  }

  #note(scope: Id): void {
    if (![...this.#pages.keys()].some((page) => page.scope === scope)) return;
    this.#waiting.add(scope);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      const scopes = new Set(this.#waiting);
      this.#waiting.clear();
      this.#news(scopes).catch((error: unknown) => this.#ports.onError(error));
    }, GATHER_MS).unref();
  }

  async #news(scopes: ReadonlySet<Id>): Promise<void> {
    const pages = [...this.#pages.keys()].filter(({ scope }) => scopes.has(scope));
    for (const window of new Set(pages.map((page) => page.window))) await window.look();
    const now = this.#ports.clock.monotonic();
    const isOld = (page: Page) => now >= page.trustedUntil || !page.window.isThere;
    const old = new Set(pages.filter(isOld).map(({ id }) => id));
    const found = await this.#ports.links.again([...old]);
    for (const page of pages) {
      if (!this.#pages.has(page)) continue;
      const link = old.has(page.id) ? (found.get(page.id) ?? 'ended') : page.link;
      const isOpen = !old.has(page.id) || this.#judge(page, link, now);
      const missed = isOpen ? page.window.since(page.at) : { changed: [], gone: [] };
      if (!isOpen) continue;
      if (missed === null) {
        page.at = page.window.at;
        if (!page.send({ type: 'reload' })) this.#leave(page);
      } else if (page.at !== page.window.at) this.#tell(page, missed);
      this.#renamed(page);
    }
  }

  #renamed(page: Page): void {
    const head = this.#ports.head(page.link, page.window);
    const text = JSON.stringify(head);
    if (text === page.head || !this.#pages.has(page)) return;
    page.head = text;
    if (!page.send(head)) this.#leave(page);
  }

  #tell(page: Page, news: WindowNews) {
    const count = news.changed.length + news.gone.length;
    page.at = page.window.at;
    if (count === 0) return;
    const event: SentEvent =
      count > MOST_NEWS ? { type: 'reload' } : this.#ports.news(page.link, page.window, news);
    if (!page.send(event)) this.#leave(page);
  }
}
