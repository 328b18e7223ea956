// Outgoing mail. A letter is on disk before anybody is told that it was sent; if a mail server is configured it is then
// handed over, with retries, else it stays in the outbox folder for the operator. Not here: the texts of letters, and
// incoming mail.
import { randomBytes } from 'node:crypto';
import nodemailer, { type Transporter } from 'nodemailer';
import PostalMime from 'postal-mime';
import type { Clock } from '#sync/replica/ports.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import { LETTER_ENDING, type Outbox } from './outbox.ts';

export interface Letter {
  /** One validated address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text; lines end in \n. */
  readonly text: string;
  /** Recipient of answers; absent: the sender. */
  readonly replyTo?: string;
}

/** The outbox of letters. A stored letter survives restarts. */
export interface Post {
  /** Resolves when the letter is safely stored; rejects when writing fails. */
  send(letter: Letter): Promise<void>;
  /** Number of letters waiting for the mail server. */
  waiting(): number;
  close(): Promise<void>;
}

export interface PostPorts {
  readonly outbox: Outbox;
  /** Null: letters stay in the outbox. */
  readonly smtpUrl: string | null;
  /** `Posthaste <posthaste@example.org>`. */
  readonly from: string;
  readonly clock: Clock;
  readonly log: Logger;
}

const MINUTE = 60_000;
const FIRST_RETRY_MS = MINUTE;
const LONGEST_RETRY_MS = 60 * MINUTE;
/** A letter that could not be handed over for so long is set aside. */
const GIVES_UP_MS = 3 * 24 * 60 * MINUTE;
/** For letters of other processes. */
const LOOKS_EVERY_MS = 5 * MINUTE;
const SMTP_TIMEOUT_MS = 30_000;

/** `<milliseconds>-<random>.eml`: the folder lists in the order of sending. */
const writtenAt = (name: string) => Number(name.split('-', 1)[0]);

function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  return code >= 500 && code < 600;
}

class OutboxPost implements Post {
  readonly #ports: PostPorts;
  readonly #composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  readonly #server: Transporter | null;
  #names: string[] = [];
  #retryMs = FIRST_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | null = null;
  #isClosed = false;

  constructor(ports: PostPorts) {
    this.#ports = ports;
    this.#server =
      ports.smtpUrl === null
        ? null
        : nodemailer.createTransport(ports.smtpUrl, { connectionTimeout: SMTP_TIMEOUT_MS } as object);
  }

  async open(): Promise<void> {
    if (!this.#server) return;
    this.#names = await this.#ports.outbox.written();
    this.#deliver();
  }

  async send({ to, subject, text, replyTo }: Letter): Promise<void> {
    const { outbox, from, clock, log } = this.#ports;
    const date = new Date(clock.now());
    const composed = await this.#composer.sendMail({
      from,
      to,
      subject,
      text,
      date,
      ...(replyTo === undefined ? {} : { replyTo }),
      disableUrlAccess: true,
      disableFileAccess: true,
    });
    const name = `${Math.round(clock.now())}-${randomBytes(8).toString('hex')}${LETTER_ENDING}`;
    await outbox.write(name, composed.message as Buffer);
    if (!this.#server) {
      log.info('mail_kept_in_outbox');
      return;
    }
    this.#names.push(name);
    this.#deliver();
  }

  waiting(): number {
    return this.#names.length;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#sending;
    this.#server?.close();
  }

  #deliver(): void {
    if (this.#sending || this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#sending = this.#deliverAll().finally(() => {
      this.#sending = null;
    });
  }

  #deliverAgain(inMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.#deliver(), inMs);
    this.#timer.unref();
  }

  async #deliverAll(): Promise<void> {
    this.#names = await this.#ports.outbox.written();
    for (let name = this.#names[0]; name !== undefined && !this.#isClosed; name = this.#names[0]) {
      const outcome = await this.#deliverOne(name);
      if (outcome === 'later') {
        this.#deliverAgain(this.#retryMs);
        this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
        return;
      }
      this.#retryMs = FIRST_RETRY_MS;
      this.#names = this.#names.filter((each) => each !== name);
      // Letters written meanwhile.
      if (this.#names.length === 0) this.#names = await this.#ports.outbox.written();
    }
    this.#deliverAgain(LOOKS_EVERY_MS);
  }

  async #deliverOne(name: string): Promise<'done' | 'later'> {
    const { outbox, clock, log } = this.#ports;
    try {
      const raw = await outbox.read(name);
      // Another server took it.
      if (raw === null) return 'done';
      const { from, to } = await PostalMime.parse(raw);
      const envelope = { from: from?.address ?? '', to: to?.flatMap(({ address }) => address ?? []) ?? [] };
      await this.#server?.sendMail({ envelope, raw });
      await outbox.remove(name);
      log.info('mail_sent');
      return 'done';
    } catch (error) {
      const isTooLate = clock.now() - writtenAt(name) > GIVES_UP_MS;
      log.error(isRefusal(error) ? 'mail_refused' : 'mail_not_sent', errorDetail(error));
      if (!isTooLate && !isRefusal(error)) return 'later';
      await outbox
        .putAside(name)
        .catch((failure: unknown) => log.error('mail_not_put_aside', errorDetail(failure)));
      return 'done';
    }
  }
}

/** Opens the outbox and sends waiting letters. */
export async function openPost(ports: PostPorts): Promise<Post> {
  const post = new OutboxPost(ports);
  await post.open();
  return post;
}

/** For a server without a disk: the letters stay in memory. */
export function createMemoryPost(): Post & { readonly letters: readonly Letter[] } {
  const letters: Letter[] = [];
  return {
    letters,
    send(letter) {
      letters.push(letter);
      return Promise.resolve();
    },
    waiting: () => 0,
    close: () => Promise.resolve(),
  };
}
