// Follows the list: reads it, listens to what is new, and reads it now and then where listening is not possible. A page that is not
// looked at listens for a while only: browsers give a site few connections.
import type { ShownTasks, StreamEvent } from '#wire/public-links.ts';
import type { Seals } from './seals.ts';

/** Why the link shows nothing anymore. */
export interface Closing {
  readonly message: string;
  readonly isPaused: boolean;
  /** What stands in the place of the list's name; absent: that there is no list. */
  readonly title?: string;
}

/** What a server says that doesn’t answer. */
interface Refusal {
  readonly message: string;
  readonly isPaused?: undefined;
}

/** What following tells the page. */
export interface FollowingPorts {
  readonly address: string;
  /** Of an encrypted list. */
  readonly seals: Seals | null;
  readonly read: (list: ShownTasks) => void;
  /** `at`: the state that the event leads to. */
  readonly heard: (event: StreamEvent, at: string) => void;
  readonly closed: (closing: Closing) => void;
  /** Whether the page is up to date, as far as it can know, and why it is not, if the server says so. */
  readonly connected: (isConnected: boolean, reason?: string) => void;
}

const POLL_MS = 10_000;
const HIDDEN_MS = 30_000;
/** The server says something every 15 seconds. */
const PATIENCE_MS = 20_000;

/** Keeps the page up to date. */
export class Following {
  readonly #ports: FollowingPorts;
  #source: EventSource | null = null;
  #at = '';
  #timer = 0;
  #hiding = 0;
  #isOver = false;

  constructor(ports: FollowingPorts) {
    this.#ports = ports;
    addEventListener('online', () => void this.read());
    addEventListener('offline', () => ports.connected(false));
    // A page that the browser had kept for the way back may show a list that is not there anymore.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) void this.read();
    });
    document.addEventListener('visibilitychange', () => this.#looked());
  }

  /** Reads everything, and listens from there. */
  async read(): Promise<void> {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    // Nothing is heard meanwhile that the answer, which may be older, would take away again: it is heard from there on.
    this.#source?.close();
    this.#source = null;
    let reason: string | undefined;
    try {
      const response = await fetch(`${this.#ports.address}/tasks`, {
        credentials: 'omit',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const { seals } = this.#ports;
      const said = (await response.json()) as ShownTasks | Refusal;
      const answer: ShownTasks | Refusal | Closing =
        seals === null || !response.ok ? said : await seals.read(said);
      if ('tasks' in answer) {
        this.#at = answer.at;
        this.#ports.read(answer);
        this.#ports.connected(true);
        this.#listen();
        return;
      }
      if (answer.isPaused !== undefined) {
        this.over(answer);
        return;
      }
      if (response.status === 404 || response.status === 403) {
        this.over({ message: answer.message, isPaused: response.status === 403 });
        return;
      }
      reason = answer.message;
    } catch {
      // No connection: it is tried again.
    }
    this.#ports.connected(false, reason);
    this.#later();
  }

  over(closing: Closing): void {
    this.#isOver = true;
    this.#source?.close();
    clearTimeout(this.#timer);
    this.#ports.closed(closing);
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.read(), POLL_MS);
  }

  #listen(): void {
    if (this.#isOver || (this.#source !== null && this.#source.readyState !== EventSource.CLOSED)) return;
    const source = new EventSource(`${this.#ports.address}/stream?at=${encodeURIComponent(this.#at)}`);
    this.#source = source;
    source.addEventListener('open', () => this.#ports.connected(true));
    source.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      if (lastEventId !== '') this.#at = lastEventId;
      const said = JSON.parse(data) as StreamEvent;
      const event = this.#ports.seals?.event(said) ?? said;
      if (event.type === 'reload') void this.read();
      else this.#ports.heard(event, this.#at);
    });
    source.addEventListener('error', () => {
      if (source !== this.#source) return;
      this.#ports.connected(false);
      // Refused: the link may have ended, or there are too many listeners.
      if (source.readyState === EventSource.CLOSED) this.#later();
    });
  }

  #looked(): void {
    clearTimeout(this.#hiding);
    if (!document.hidden) {
      if (this.#source?.readyState === EventSource.CLOSED) this.#listen();
      return;
    }
    this.#hiding = window.setTimeout(() => this.#source?.close(), HIDDEN_MS);
  }
}
