// Where people are, on its way to the other processes: a channel of its own, where everything may be lost. While one text is
// being sent the next ones are kept by list, and of every page only the newest place.
import { type PresenceNews, presenceNewsSchema } from '#wire/presence.ts';
import { MOST_BYTES } from './bus-news.ts';

type Page = PresenceNews['who'][number] | PresenceNews['gone'][number];

const keyOf = (page: Page) => ('page' in page ? `${page.account}/${page.page}` : `${page[0]}/${page[1]}`);

/** Both, of one list, as one; the later says more. */
function together(before: PresenceNews, after: PresenceNews): PresenceNews {
  const later = new Set([...after.who, ...after.gone].map(keyOf));
  const isStill = (page: Page) => !later.has(keyOf(page));
  return {
    ...after,
    who: [...before.who.filter(isStill), ...after.who],
    gone: [...before.gone.filter(isStill), ...after.gone],
    ...((before.asks ?? after.asks) && { asks: true }),
  };
}

/** What is too large for one text goes in several. */
function inParts(news: PresenceNews): readonly string[] {
  const text = JSON.stringify(news);
  if (text.length <= MOST_BYTES || news.who.length < 2) return text.length <= MOST_BYTES ? [text] : [];
  const half = Math.ceil(news.who.length / 2);
  const [first, second] = [news.who.slice(0, half), news.who.slice(half)];
  return [...inParts({ ...news, who: first }), ...inParts({ ...news, who: second, gone: [] })];
}

/** Sends places one text after the other. */
export class PresenceSender {
  readonly #waiting = new Map<string | null, PresenceNews>();
  readonly #send: (text: string) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #isSending = false;

  /** `onError`: what could not be sent is dropped; it is worth nothing later. */
  constructor(send: (text: string) => Promise<void>, onError: (error: unknown) => void) {
    this.#send = send;
    this.#onError = onError;
  }

  add(news: PresenceNews): void {
    const before = this.#waiting.get(news.scope);
    this.#waiting.set(news.scope, before ? together(before, news) : news);
    if (!this.#isSending) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isSending = true;
    try {
      for (const [scope, news] of this.#waiting) {
        this.#waiting.delete(scope);
        for (const text of inParts(news)) await this.#send(text);
      }
    } catch (error) {
      this.#waiting.clear();
      this.#onError(error);
    } finally {
      this.#isSending = false;
    }
  }
}

/** Null: it isn't about people. */
export function readPresence(text: string): PresenceNews | null {
  try {
    return presenceNewsSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // Not ours.
    return null;
  }
}
