// Sends what a visitor does, one after another, and again until the server has answered: each change may be sent more than once.
// Without a connection it waits in this page, and nowhere else.
import type { ShownTask, VisitorChange } from '#wire/public-links.ts';

/** A change as the page makes it; what is common to all is added when it is sent. */
export type Change = VisitorChange;

/** Why a change was not made, in words of the server. */
export interface Refused {
  readonly change: Change;
  readonly message: string;
}

/** What the sender tells the page. */
export interface SendingPorts {
  readonly address: string;
  /** What the visitor calls themselves; empty: nothing. */
  readonly nick: () => string;
  readonly made: (change: Change, task: ShownTask | null) => void;
  readonly refused: (refused: Refused) => void;
  /** The link shows nothing anymore. */
  readonly closed: (message: string) => void;
  /** The number of changes that wait changed, or whether there is a connection. */
  readonly changed: () => void;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
const PATIENCE_MS = 20_000;

interface Answer {
  readonly success: boolean;
  readonly task?: ShownTask | null;
  readonly message?: string;
}

/** The changes of this page that are on their way. */
export class Sending {
  readonly #ports: SendingPorts;
  readonly #waiting: Change[] = [];
  #isSending = false;
  #retryMs = FIRST_RETRY_MS;
  #timer = 0;
  /** The last attempt did not reach the server. */
  isCutOff = false;

  constructor(ports: SendingPorts) {
    this.#ports = ports;
    addEventListener('online', () => this.#send());
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether a new task is on its way, whose id is not known yet. */
  get isAdding(): boolean {
    return this.#waiting.some((change) => change.do === 'add');
  }

  add(change: Change): void {
    this.#waiting.push(change);
    this.#ports.changed();
    this.#send();
  }

  #send(): void {
    const [change] = this.#waiting;
    if (this.#isSending || change === undefined) return;
    clearTimeout(this.#timer);
    this.#isSending = true;
    void this.#attempt(change).then((isDone) => {
      this.#isSending = false;
      if (isDone) {
        this.#retryMs = FIRST_RETRY_MS;
        this.#waiting.shift();
        this.#ports.changed();
        this.#send();
        return;
      }
      this.#timer = window.setTimeout(() => this.#send(), this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
      this.#ports.changed();
    });
  }

  /** False: to be tried again. */
  async #attempt(change: Change): Promise<boolean> {
    const nick = this.#ports.nick();
    let response: Response;
    let answer: Answer;
    try {
      response = await fetch(`${this.#ports.address}/changes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(nick === '' ? change : { ...change, nick }),
        credentials: 'omit',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      answer = (await response.json()) as Answer;
    } catch {
      // No connection, or half an answer: the change may or may not have been made, and is sent again.
      this.isCutOff = true;
      return false;
    }
    this.isCutOff = false;
    if (response.ok) {
      this.#ports.made(change, answer.task ?? null);
      return true;
    }
    const message = answer.message ?? 'That did not work.';
    if (response.status === 404) this.#ports.closed(message);
    // Too often, or the server is busy: it waits.
    const wait = Number(response.headers.get('retry-after') ?? 0);
    const isLater = response.status === 429 || response.status >= 500;
    if (isLater && wait <= 120) {
      this.#retryMs = Math.max(this.#retryMs, wait * 1_000);
      return false;
    }
    this.#ports.refused({ change, message });
    return true;
  }
}
