// News of calendars on this device: the server says on the live socket that they changed, then they are read again and kept, and every tab
// of the browser hears that what is kept is new. Not here: reading and keeping (calendars-port.ts).
import type { CalendarsPort } from '#client/calendar/port.ts';
import { calendarsMessageSchema } from '#wire/live.ts';
import { liveLine } from '../account/live-line.ts';

const CHANNEL = 'posthaste-calendars';
/** A socket that opens again after less than this has missed next to nothing. */
const FRESH_MS = 60_000;

class KeptNews {
  readonly #listeners = new Set<() => void>();
  #channel: BroadcastChannel | null = null;
  #hangUp: () => void = () => undefined;
  #reading: Promise<unknown> | null = null;
  #isStale = false;

  /** The first listener begins to hear the server; after the last one nothing is heard. `port` reads. */
  listen(changed: () => void, port: Pick<CalendarsPort, 'kept' | 'read'>): () => void {
    if (this.#listeners.size === 0) this.#begin(port);
    // Each its own, so that one that is given twice is heard twice.
    const listener = () => changed();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  /** What is kept has changed, here. */
  tell(): void {
    this.#heard();
    this.#channel?.postMessage('kept');
  }

  #begin(port: Pick<CalendarsPort, 'kept' | 'read'>): void {
    if (typeof BroadcastChannel !== 'undefined') {
      this.#channel = new BroadcastChannel(CHANNEL);
      this.#channel.addEventListener('message', () => this.#heard());
    }
    this.#hangUp = liveLine.listen({
      heard: (message) => calendarsMessageSchema.safeParse(message).success && this.#read(port),
      opened: () => void this.#catchUp(port),
    });
    if (liveLine.isOpen) void this.#catchUp(port);
  }

  #end(): void {
    this.#hangUp();
    this.#channel?.close();
    this.#channel = null;
  }

  #heard(): void {
    for (const listener of this.#listeners) listener();
  }

  /** What was said while nobody listened. Who has no calendars asks for none. */
  async #catchUp(port: Pick<CalendarsPort, 'kept' | 'read'>): Promise<void> {
    const kept = await port.kept();
    const isOld = kept !== null && kept.sources.length > 0 && Date.now() - kept.readAt > FRESH_MS;
    if (isOld && this.#listeners.size > 0) this.#read(port);
  }

  /** One reading at a time; news that come meanwhile are read after it. */
  #read(port: Pick<CalendarsPort, 'read'>): void {
    if (this.#reading !== null) {
      this.#isStale = true;
      return;
    }
    this.#isStale = false;
    this.#reading = port.read().finally(() => {
      this.#reading = null;
      if (this.#isStale && this.#listeners.size > 0) this.#read(port);
    });
  }
}

/** The page's own. */
export const keptNews = new KeptNews();
