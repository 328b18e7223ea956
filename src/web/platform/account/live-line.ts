// Where the live socket (transport.ts) meets what it carries besides rows: what people in shared lists see of each other
// (presence-port.ts), runs of macros (macro-runs-port.ts), and news of calendars (calendars/calendar-news.ts). A page has one socket, or none.
interface LineListener {
  /** A message that says nothing of rows; each listener reads what is its own. */
  heard(message: unknown): void;
  opened?(): void;
  closed?(): void;
}

/** The socket of this page, as far as they need it. */
class LiveLine {
  #send: ((text: string) => void) | null = null;
  readonly #listeners = new Set<LineListener>();

  /** This page has the socket. */
  get isOpen(): boolean {
    return this.#send !== null;
  }

  opened(send: (text: string) => void): void {
    this.#send = send;
    for (const listener of this.#listeners) listener.opened?.();
  }

  heard(message: unknown): void {
    for (const listener of this.#listeners) listener.heard(message);
  }

  closed(): void {
    if (this.#send === null) return;
    this.#send = null;
    for (const listener of this.#listeners) listener.closed?.();
  }

  /** Without a socket it is lost. */
  send(text: string): void {
    this.#send?.(text);
  }

  /** Returns the unsubscription. */
  listen(on: LineListener): () => void {
    this.#listeners.add(on);
    return () => this.#listeners.delete(on);
  }
}

/** The page's own. */
export const liveLine = new LiveLine();
