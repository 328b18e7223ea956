// The SMTP server: accepts mail for lists and nothing else. Unknown recipients are refused while the sender is still
// connected, so nothing is ever bounced; a message is acknowledged only once it is on disk.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import type { Id } from '#core/ids.ts';
import type { Clock } from '#sync/replica/ports.ts';
import { mailLimits } from '#wire/mail-limits.ts';
import { MAIL_LAPSED } from '../billing/lapse.ts';
import type { createClientReader } from '../http/client.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { AdmissionDesk, AdmissionProblem, Recipient } from './admission.ts';
import { MessageScreen, type Objection } from './screen.ts';
import type { SealedDelivery } from './delivery.ts';
import type { Arrival, Spool, Spooled } from './spool.ts';

const MINUTE_MS = 60_000;
/** Limits for senders; tests use shorter ones. */
export const smtpLimits = {
  idleMs: 2 * MINUTE_MS,
  sessionMs: 10 * MINUTE_MS,
  connections: 50,
  connectionsPerAddress: 5,
  /** Delay before a wrong recipient is refused, to slow down guessing. */
  wrongMs: 500,
  wrongRecipients: 3,
  /** A sender that goes on beyond the largest message is disconnected here. */
  cutOffBytes: 2 * mailLimits.messageBytes,
} as const;
const RENEW_CERTIFICATE_MS = 60 * MINUTE_MS;
const CLOSE_MS = 2_000;

type SmtpLimits = { readonly [Name in keyof typeof smtpLimits]: number };

export interface SmtpServerPorts {
  readonly domain: string;
  readonly port: number;
  readonly host: string;
  /** PEM files; null: no encryption. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  readonly spool: Pick<Spool, 'begin'>;
  readonly desk: Pick<AdmissionDesk, 'isOpen' | 'admit'>;
  readonly clientOf: ReturnType<typeof createClientReader>;
  readonly newId: () => Id;
  readonly clock: Clock;
  readonly log: Logger;
  /** The message is in the spool; the sender is told next. */
  readonly taken: (arrival: Spooled) => void;
  /** Delivers to an encrypted list at once: such a message is on no disk before it is sealed. */
  readonly deliverSealed: (arrival: Arrival, raw: Uint8Array<ArrayBuffer>) => Promise<SealedDelivery>;
  readonly limits?: Partial<SmtpLimits>;
}

export interface SmtpServer {
  readonly port: number;
  /** Stops accepting connections, lets running messages finish, for at most two seconds. */
  close(): Promise<void>;
}

class SmtpAnswer extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

const answers: Readonly<Record<AdmissionProblem, readonly [number, string]>> = {
  unknown: [550, 'Nobody receives mail here'],
  lapsed: [550, MAIL_LAPSED],
  quota: [452, 'This list gets too much mail right now, try again later'],
  'too often': [450, 'Too much mail for this list at once, try again in a minute'],
};

const objections: Readonly<Record<Objection, readonly [number, string]>> = {
  'line ends': [550, 'Lines must end with CR and LF'],
  'automatic answer': [550, 'Automatic replies are not accepted'],
  loop: [554, 'This message is looping'],
};

/** What is said about a message to an encrypted list, unless it has become a task. */
const sealedAnswers: Readonly<Record<Exclude<SealedDelivery, 'task'>, readonly [number, string]>> = {
  files: [554, 'This list is end-to-end encrypted and takes text without files'],
  refused: [554, 'This list is end-to-end encrypted and cannot take this message'],
  nobody: answers.unknown,
};

/** Far more than a text takes, as plain text and as HTML. Such a message is held in memory. */
const SEALED_BYTES = 4 * 1_048_576;
const ACCEPTED = 'Accepted, it becomes a task';
const FULL = new SmtpAnswer(452, 'No room right now, try again later');
const LARGE = new SmtpAnswer(552, `Messages can have at most ${mailLimits.messageBytes} bytes`);

interface Session {
  readonly address: string;
  readonly late: ReturnType<typeof setTimeout>;
  wrong: number;
  recipient: Recipient | null;
}

type Answered = (error?: Error | null, message?: string) => void;

class RunningServer implements SmtpServer {
  readonly #ports: SmtpServerPorts;
  readonly #limits: SmtpLimits;
  readonly #sessions = new Map<string, Session>();
  readonly #byAddress = new Map<string, number>();
  readonly #server: SMTPServer;
  #renewing: ReturnType<typeof setInterval> | undefined;
  #port = 0;

  constructor(ports: SmtpServerPorts) {
    this.#ports = ports;
    this.#limits = { ...smtpLimits, ...ports.limits };
    this.#server = new SMTPServer(this.#options());
    // Broken connections; errors of the listener are handled in `open`.
    this.#server.on('error', (error) => ports.log.debug('mail_connection_broke', errorDetail(error)));
  }

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    const { port, host, certificate } = this.#ports;
    const { server } = this.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      this.#server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.#port = (server.address() as AddressInfo).port;
    if (certificate === null) return;
    // Certificates are renewed beside a running server.
    this.#renewing = setInterval(() => this.#renew(), RENEW_CERTIFICATE_MS);
    this.#renewing.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing);
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      for (const connection of this.#server.connections)
        if (this.#sessions.get(connection.id)?.recipient == null)
          connection.send(421, 'This server is shutting down');
    });
    for (const { late } of this.#sessions.values()) clearTimeout(late);
  }

  #options(): SMTPServerOptions {
    const { domain, certificate } = this.#ports;
    return {
      name: domain,
      size: mailLimits.messageBytes,
      logger: false,
      disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL', ...(certificate === null ? ['STARTTLS'] : [])],
      hideENHANCEDSTATUSCODES: false,
      disableReverseLookup: true,
      maxAllowedUnauthenticatedCommands: false,
      maxClients: this.#limits.connections,
      // The sender repeats the message for further recipients, so each is accepted or refused separately.
      maxRecipients: 1,
      maxCommandLength: 2_048,
      socketTimeout: this.#limits.idleMs,
      closeTimeout: CLOSE_MS,
      ...(certificate === null ? {} : this.#read(certificate)),
      onConnect: (session, done) => this.#connect(session, done),
      onClose: (session) => this.#leave(session),
      onMailFrom: (from, _session, done) => done(this.#sender(from.address)),
      onRcptTo: (to, session, done) => {
        const announced = Number((session.envelope.mailFrom || null)?.args?.['SIZE' as never] ?? 0) || 0;
        void this.#settle(this.#recipient(to.address, session, announced), done);
      },
      onData: (stream, session, done) => void this.#settle(this.#data(stream, session), done),
    };
  }

  #read({ cert, key }: { readonly cert: string; readonly key: string }) {
    return { cert: readFileSync(cert), key: readFileSync(key), minVersion: 'TLSv1.2' as const };
  }

  #renew(): void {
    const { certificate, log } = this.#ports;
    try {
      if (certificate) this.#server.updateSecureContext(this.#read(certificate));
    } catch (error) {
      // The earlier certificate stays in use.
      log.error('mail_certificate_unread', errorDetail(error));
    }
  }

  async #settle(work: Promise<string | null>, done: Answered): Promise<void> {
    const answer = await work.catch((error: unknown) => {
      if (error instanceof SmtpAnswer) return error;
      this.#ports.log.error('mail_failed', errorDetail(error));
      return new SmtpAnswer(451, 'Something went wrong here, try again later');
    });
    if (typeof answer === 'string') done(null, answer);
    else done(answer);
  }

  #connect(session: SMTPServerSession, done: (error?: Error | null) => void): void {
    const address = this.#ports.clientOf(session.remoteAddress, null).key;
    const count = (this.#byAddress.get(address) ?? 0) + 1;
    if (count > this.#limits.connectionsPerAddress) {
      done(new SmtpAnswer(421, 'Too many connections from your address, try again later'));
      return;
    }
    this.#byAddress.set(address, count);
    const late = setTimeout(() => this.#cutOff(session.id, 'This took too long'), this.#limits.sessionMs);
    late.unref();
    this.#sessions.set(session.id, { address, late, wrong: 0, recipient: null });
    done();
  }

  #leave({ id }: SMTPServerSession): void {
    const session = this.#sessions.get(id);
    if (!session) return;
    clearTimeout(session.late);
    this.#sessions.delete(id);
    const count = (this.#byAddress.get(session.address) ?? 1) - 1;
    if (count === 0) this.#byAddress.delete(session.address);
    else this.#byAddress.set(session.address, count);
  }

  #cutOff(id: string, why: string): void {
    for (const connection of this.#server.connections) if (connection.id === id) connection.send(421, why);
  }

  #sender(address: string): SmtpAnswer | null {
    // Lists never send mail, so a bounce (empty sender) cannot be for one.
    if (address === '') return new SmtpAnswer(550, 'Lists do not send mail, so bounces are not accepted');
    return this.#ports.desk.isOpen() ? null : FULL;
  }

  async #recipient(address: string, { id }: SMTPServerSession, announced: number): Promise<null> {
    const session = this.#sessions.get(id);
    if (!session) throw FULL;
    session.recipient = null;
    const admission = await this.#ports.desk.admit(address, announced);
    if (admission.ok) {
      session.recipient = admission.value;
      return null;
    }
    if (admission.problem === 'unknown') {
      session.wrong += 1;
      await new Promise((resolve) => setTimeout(resolve, this.#limits.wrongMs));
      if (session.wrong >= this.#limits.wrongRecipients)
        throw new SmtpAnswer(421, 'Too many wrong recipients');
    }
    throw new SmtpAnswer(...answers[admission.problem]);
  }

  async #data(stream: SMTPServerDataStream, { id, envelope }: SMTPServerSession): Promise<string> {
    const session = this.#sessions.get(id);
    const recipient = session?.recipient;
    if (!session || !recipient || !this.#ports.desk.isOpen()) {
      stream.resume();
      throw FULL;
    }
    const { newId, clock, spool, taken } = this.#ports;
    const from = envelope.mailFrom ? envelope.mailFrom.address : '';
    const { isSealed, ...to } = recipient;
    const arrival = { ...to, id: newId(), from, at: Math.round(clock.now()) };
    if (isSealed) return this.#sealed(stream, arrival, { id, session });
    const incoming = await spool.begin(arrival).catch((error: unknown) => {
      stream.resume();
      throw error;
    });
    const objection = await this.#receive(stream, incoming, id);
    session.recipient = null;
    if (objection !== null) throw objection;
    const spooled = await incoming.keep();
    taken(spooled);
    return ACCEPTED;
  }

  /** Mail for an encrypted list: read and sealed before it is acknowledged, so that nothing of it has to wait anywhere. */
  async #sealed(
    stream: SMTPServerDataStream,
    arrival: Arrival,
    { id, session }: { readonly id: string; readonly session: Session },
  ): Promise<string> {
    const parts: Buffer[] = [];
    let bytes = 0;
    const incoming = {
      write(part: Buffer) {
        bytes += part.length;
        if (bytes <= SEALED_BYTES) parts.push(part);
        else parts.length = 0;
        return Promise.resolve();
      },
      drop: () => Promise.resolve(),
    };
    const objection = await this.#receive(stream, incoming, id);
    session.recipient = null;
    if (objection !== null) throw objection;
    if (bytes > SEALED_BYTES) throw new SmtpAnswer(...sealedAnswers.files);
    const delivered = await this.#ports.deliverSealed(arrival, Uint8Array.from(Buffer.concat(parts)));
    if (delivered === 'task') return ACCEPTED;
    throw new SmtpAnswer(...sealedAnswers[delivered]);
  }

  /** Null: all of it is in the file. */
  async #receive(
    stream: SMTPServerDataStream,
    incoming: { write(part: Buffer): Promise<void>; drop(): Promise<void> },
    session: string,
  ): Promise<SmtpAnswer | null> {
    const screen = new MessageScreen();
    let bytes = 0;
    try {
      for await (const part of stream as AsyncIterable<Buffer>) {
        bytes += part.length;
        if (bytes > this.#limits.cutOffBytes) this.#cutOff(session, 'This message is far too large');
        if (bytes > mailLimits.messageBytes) continue;
        screen.push(part);
        await incoming.write(part);
      }
    } catch (error) {
      await incoming.drop();
      throw error;
    }
    const objection = screen.objection();
    if (bytes <= mailLimits.messageBytes && objection === null) return null;
    await incoming.drop();
    return bytes > mailLimits.messageBytes || objection === null
      ? LARGE
      : new SmtpAnswer(...objections[objection]);
  }
}

/** Rejects, leaving nothing open, when the port is not available or the certificate not readable. */
export async function openSmtpServer(ports: SmtpServerPorts): Promise<SmtpServer> {
  const server = new RunningServer(ports);
  await server.open();
  return server;
}
