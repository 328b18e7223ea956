// Sends what a visitor does, one after another, and again until the server has answered: each change may be sent more than once.
// Without a connection it waits in this page, and nowhere else.
import type { ShownTask, VisitorChange } from '#wire/public-links.ts';
import { changedTask, type Made } from './list-state.ts';
import type { Outgoing, Seals } from './seals.ts';

/** Why a change was not made, in words for the visitor. */
export interface Refused {
  readonly change: VisitorChange;
  readonly message: string;
}

/** What the sender tells the page. */
export interface SendingPorts {
  readonly address: string;
  /** Of an encrypted list. */
  readonly seals: Seals | null;
  /** What the visitor calls themselves; empty: nothing. */
  readonly nick: () => string;
  /** The server's id of a task of the page; null: it was never saved. */
  readonly serverId: (id: string) => string | null;
  readonly made: (change: VisitorChange, made: Made) => void;
  readonly refused: (refused: Refused) => void;
  /** The link shows nothing anymore. */
  readonly closed: (message: string) => void;
  /** The number of changes that wait changed, or whether there is a connection. */
  readonly changed: () => void;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
const PATIENCE_MS = 20_000;
/** Before what was merged anew goes out. */
const MERGED_MS = 50;
/** Who is told to come back later than this hears why at once. */
const LONGEST_WAIT_S = 120;

interface Answer {
  readonly task?: ShownTask | null;
  readonly at?: string;
  readonly message?: string;
  readonly code?: string;
}

/** The changes of this page that are on their way. */
export class Sending {
  readonly #ports: SendingPorts;
  readonly #waiting: VisitorChange[] = [];
  #isSending = false;
  #retryMs = FIRST_RETRY_MS;
  #timer = 0;
  /** The last attempt did not reach the server. */
  isCutOff = false;
  /** Why the server wants it to wait; null: it does not. */
  delay: string | null = null;

  constructor(ports: SendingPorts) {
    this.#ports = ports;
    addEventListener('online', () => this.nudge());
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether a new task is on its way, whose id is not known yet. */
  get isAdding(): boolean {
    return this.#waiting.some((change) => change.do === 'add');
  }

  /** A task as it is with what waits for it. */
  over(task: ShownTask): ShownTask {
    return this.#waiting.reduce(
      (over, change) => (change.do !== 'add' && change.id === task.id ? changedTask(over, change) : over),
      task,
    );
  }

  add(change: VisitorChange): void {
    this.#waiting.push(change);
    this.#ports.changed();
    this.#send();
  }

  /** There is a connection again: what waits for one is sent now. */
  nudge(): void {
    if (!this.isCutOff) return;
    this.#retryMs = FIRST_RETRY_MS;
    this.#send();
  }

  #send(): void {
    const [change] = this.#waiting;
    if (this.#isSending || change === undefined) return;
    clearTimeout(this.#timer);
    this.#isSending = true;
    void this.#attempt(change).then((isDone) => {
      this.#isSending = false;
      this.#ports.changed();
      if (isDone) {
        this.#retryMs = FIRST_RETRY_MS;
        this.#send();
        return;
      }
      this.#timer = window.setTimeout(() => this.#send(), this.#retryMs);
      this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    });
  }

  /** As the server knows it; null: it is about a task that was never saved. */
  #served(change: VisitorChange): VisitorChange | null {
    const nick = this.#ports.nick();
    const named = nick === '' ? {} : { nick };
    const { serverId } = this.#ports;
    if (change.do !== 'add') {
      const id = serverId(change.id);
      return id === null ? null : { ...change, ...named, id };
    }
    const { parent, after, ...rest } = change;
    const above = parent === undefined ? undefined : serverId(parent);
    // Where the task before it could not be made, it goes to the end.
    const before = after === undefined ? null : serverId(after);
    if (above === null) return null;
    const place = {
      ...(above === undefined ? {} : { parent: above }),
      ...(before === null ? {} : { after: before }),
    };
    return { ...rest, ...named, ...place };
  }

  #refuse(change: VisitorChange, message: string): true {
    this.#waiting.shift();
    this.#ports.refused({ change, message });
    return true;
  }

  /** False: to be tried again. */
  async #attempt(change: VisitorChange): Promise<boolean> {
    const served = this.#served(change);
    if (served === null) return this.#refuse(change, 'The task that this belongs to could not be saved.');
    const { seals } = this.#ports;
    const outgoing: Outgoing = seals === null ? { body: served } : await seals.outgoing(change, served);
    if ('refused' in outgoing) return this.#refuse(change, outgoing.refused);
    let response: Response;
    let answer: Answer;
    let made: Made;
    try {
      response = await fetch(`${this.#ports.address}/changes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(outgoing.body),
        credentials: 'omit',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      answer = (await response.json()) as Answer;
      const isSaid = response.ok || answer.code === 'moved';
      made =
        seals !== null && isSaid
          ? seals.answered(answer)
          : { task: answer.task ?? null, at: answer.at ?? '' };
    } catch {
      // No connection, or half an answer: the change may or may not have been made, and is sent again.
      this.isCutOff = true;
      this.delay = null;
      return false;
    }
    this.isCutOff = false;
    this.delay = null;
    if (response.ok) {
      this.#waiting.shift();
      this.#ports.made(change, made);
      return true;
    }
    if (seals !== null && answer.code === 'moved' && made.task !== null) {
      // Somebody else has changed the note meanwhile: with what they wrote it goes out once more.
      seals.again(change);
      this.#retryMs = MERGED_MS;
      return false;
    }
    const message = answer.message ?? 'That did not work.';
    if (response.status === 404) this.#ports.closed(message);
    // Too often, or the server is busy: it waits.
    const wait = Number(response.headers.get('retry-after') ?? 0);
    const isLater = response.status === 429 || response.status >= 500;
    if (!isLater || wait > LONGEST_WAIT_S) return this.#refuse(change, message);
    this.#retryMs = Math.max(this.#retryMs, wait * 1_000);
    this.delay = message;
    return false;
  }
}
