// A sender of mail that says exactly what it is told to, byte by byte, for tests and measurements. No mail library: what is
// tried here is what none of them would send.
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

export interface SmtpReply {
  readonly code: number;
  readonly text: string;
}

/** The connection ended before an answer came. */
export class Hangup extends Error {}

export class SmtpClient {
  readonly #socket: Socket;
  readonly #replies: SmtpReply[] = [];
  readonly #waiting: PromiseWithResolvers<SmtpReply>[] = [];
  #text = '';
  #lines: string[] = [];
  #isOver = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isOver = true;
      for (const waiting of this.#waiting.splice(0)) waiting.reject(new Hangup('The server hung up'));
    });
  }

  /** Resolves after the greeting, and `EHLO` unless it is not wanted. */
  static async open(port: number, options: { readonly greet?: boolean } = {}): Promise<SmtpClient> {
    const socket = connect(port, '127.0.0.1');
    const client = new SmtpClient(socket);
    await once(socket, 'connect');
    const greeting = await client.reply();
    if (greeting.code !== 220) throw new Hangup(`${greeting.code} ${greeting.text}`);
    if (options.greet !== false) await client.say('EHLO sender.example.net');
    return client;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends bytes as they are. */
  send(bytes: string | Uint8Array): void {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Resolves when the connection took it, or is over. */
  sendAll(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => void this.#socket.write(bytes, () => resolve()));
  }

  /** The next answer. */
  reply(): Promise<SmtpReply> {
    const known = this.#replies.shift();
    if (known) return Promise.resolve(known);
    if (this.#isOver) return Promise.reject(new Hangup('The server hung up'));
    const waiting = Promise.withResolvers<SmtpReply>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  say(command: string): Promise<SmtpReply> {
    this.send(`${command}\r\n`);
    return this.reply();
  }

  /** `MAIL`, `RCPT`, `DATA` as far as each is taken; resolves with the first answer that is a refusal, or the last one. */
  async envelope(to: string, from = 'ada@example.net'): Promise<SmtpReply> {
    for (const command of [`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) {
      const reply = await this.say(command);
      if (reply.code >= 400 || command === 'DATA') return reply;
    }
    throw new Error('Impossible: DATA is the last command');
  }

  /** A whole message; dots at line starts are doubled, and nothing else is changed. */
  async deliver(to: string, message: string | Uint8Array, from?: string): Promise<SmtpReply> {
    const ready = await this.envelope(to, from);
    if (ready.code !== 354) {
      await this.say('RSET').catch(() => undefined);
      return ready;
    }
    const text = typeof message === 'string' ? message : Buffer.from(message).toString('latin1');
    const stuffed = text.replaceAll(/(^|\r\n)\./g, '$1..');
    await this.sendAll(Buffer.from(`${stuffed}${stuffed.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1'));
    return this.reply();
  }

  async quit(): Promise<void> {
    if (this.#isOver) return;
    this.#socket.end('QUIT\r\n');
    await once(this.#socket, 'close');
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    for (;;) {
      const end = this.#text.indexOf('\r\n');
      if (end < 0) return;
      const line = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      this.#lines.push(line.slice(4));
      if (line[3] === '-') continue;
      const reply = { code: Number(line.slice(0, 3)), text: this.#lines.join('\n') };
      this.#lines = [];
      const next = this.#waiting.shift();
      if (next) next.resolve(reply);
      else this.#replies.push(reply);
    }
  }
}

export interface MailParts {
  readonly subject?: string;
  readonly text?: string;
  readonly id?: string;
  readonly headers?: readonly string[];
}

let count = 0;

/** A plain message with lines as mail has them. */
export function plainMail({
  subject = 'Water the garden',
  text = '',
  id,
  headers = [],
}: MailParts = {}): string {
  count += 1;
  return [
    'From: Ada <ada@example.net>',
    `Subject: ${subject}`,
    `Message-ID: ${id ?? `<plain-${count}@example.net>`}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    ...headers,
    '',
    ...text.split('\n'),
    '',
  ].join('\r\n');
}
