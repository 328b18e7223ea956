// The live socket: `GET /live`, upgraded. Decides who may connect, enforces limits of the connection (size, silence,
// backlog) and joins it to the hub. The socket never carries writes.
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { failed, ok, type Result } from '#core/result.ts';
import { isRecord } from '#core/json.ts';
import { type Here, hereSchema } from '#wire/presence.ts';
import { type LiveHello, liveHelloSchema } from '#wire/sync.ts';
import { loadActor, type ActorPorts } from '../access/actor.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { Config } from '../config.ts';
import type { ClientAddress } from '../http/client.ts';
import type { SessionCookie } from '../http/cookie.ts';
import { expectedOrigin } from '../http/origin.ts';
import type { Limiter } from '../limits/rates.ts';
import type { SharedLimits } from '../limits/shared-limits.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Hub, Listener } from './hub.ts';

const FRAME_BYTES = 64 * 1024;
const PING_MS = 25_000;
const SOCKETS_PER_ACCOUNT = 20;
/** A reader this far behind is disconnected and pulls when it is back. */
const BACKLOG_BYTES = 1024 * 1024;
/** How often sessions are checked again, for endings whose message was lost. */
const RECHECK_MS = 5_000;
/** How often roles of connected actors are refreshed. */
const REFRESH_MS = 5 * 60_000;
const RECHECK_AT_ONCE = 500;
/** How long peers may take to close after a goodbye. */
const GOODBYE_MS = 2_000;
const NOT_UNDERSTOOD = 1_008;
const CLOSE_CODES = { signed_out: 4_001, shutdown: 1_012 } as const;

export interface SocketPorts extends ActorPorts {
  readonly config: Config;
  readonly limiter: Limiter;
  readonly log: Logger;
  readonly cookie: SessionCookie;
  readonly hub: Hub;
  readonly metrics: Pick<Metrics, 'passedOver'>;
  /** Counts the sockets of an account with those of other processes; null: there are no others. */
  readonly seats: Pick<SharedLimits, 'sit' | 'leave'> | null;
  readonly clientOf: (connection: string, forwarded: string | null) => ClientAddress;
}

/** The WebSocket endpoint of a server. */
export interface LiveSockets {
  /** Takes over the upgrades of a server. */
  attach(server: Server): void;
  /** Reads the roles of these accounts again, and tells their connections what they may read from now on. */
  refresh(accounts: Iterable<number>): Promise<void>;
  /** Asks again who is still signed in and what everybody may read: messages about it may have been lost. */
  lookAgain(): Promise<void>;
  /** Says goodbye to all connections and stops. */
  close(): Promise<void>;
}

/** Who connects, or the HTTP status of the refusal. */
type Entry = Result<AccountActor, number>;

const first = (value: string | string[] | undefined) =>
  (Array.isArray(value) ? value.join(',') : value) ?? null;

function turnAway(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

class WebSockets implements LiveSockets {
  readonly #ports: SocketPorts;
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: FRAME_BYTES,
  });
  readonly #silent = new Set<WebSocket>();
  readonly #timers: NodeJS.Timeout[] = [];
  #isClosing = false;

  constructor(ports: SocketPorts) {
    this.#ports = ports;
  }

  attach(httpServer: Server): void {
    this.#timers.push(
      setInterval(() => this.#ping(), PING_MS),
      setInterval(() => void this.#guard('recheck_failed', () => this.#recheck()), RECHECK_MS),
      setInterval(() => void this.refresh(this.#ports.hub.accounts()), REFRESH_MS),
    );
    for (const timer of this.#timers) timer.unref();
    httpServer.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      this.#upgrade(request, socket, head).catch((error: unknown) => {
        this.#ports.log.error('upgrade_failed', errorDetail(error));
        turnAway(socket, 500);
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#ports.hub.close();
    const closed = [...this.#server.clients].map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    );
    const grace = setTimeout(() => this.#server.clients.forEach((socket) => socket.terminate()), GOODBYE_MS);
    await Promise.all(closed);
    clearTimeout(grace);
    this.#server.close();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const entry = await this.#enter(request);
    // The shutdown may have begun while the session was being looked up.
    if (!entry.ok || this.#isClosing) return turnAway(socket, entry.ok ? 503 : entry.problem);
    const { account } = entry.value;
    if (!(await this.#sit(account))) return turnAway(socket, 429);
    let isJoined = false;
    if (!this.#isClosing && !socket.destroyed)
      this.#server.handleUpgrade(request, socket, head, (opened) => {
        isJoined = true;
        this.#join(opened, entry.value);
      });
    if (isJoined) return;
    this.#leave(account);
    if (this.#isClosing) turnAway(socket, 503);
  }

  async #sit(account: number): Promise<boolean> {
    const { hub, seats } = this.#ports;
    if (seats === null) return hub.countOf(account) < SOCKETS_PER_ACCOUNT;
    return await seats.sit(account, SOCKETS_PER_ACCOUNT);
  }

  /** The others see that this process has gone, if it closes. */
  #leave(account: number): void {
    if (!this.#isClosing) void this.#ports.seats?.leave(account, SOCKETS_PER_ACCOUNT);
  }

  async #enter(request: IncomingMessage): Promise<Entry> {
    const { config, limiter, cookie } = this.#ports;
    const url = liveUrl(request, config);
    if (url === null) return failed(404);
    if (this.#isClosing) return failed(503);
    if (request.headers.origin !== expectedOrigin(config.publicUrl, url)) return failed(403);
    const forwarded = first(request.headers['x-forwarded-for']);
    const client = this.#ports.clientOf(request.socket.remoteAddress ?? '', forwarded);
    if (!(await limiter.take('live_connect_ip', client.key)).allowed) return failed(429);
    const { actor } = await loadActor(this.#ports, cookie.read(request.headers.cookie ?? null), 'web');
    const rule = { type: 'account', kind: 'web' } as const;
    const decision = authorise(actor, { type: 'route', rule, fromThisMachine: client.isThisMachine });
    if (!decision.allowed || actor.type !== 'account') return failed(401);
    return ok(actor);
  }

  #join(socket: WebSocket, actor: AccountActor): void {
    const { hub, log, metrics } = this.#ports;
    const handle = hub.add(actor, listenerOf(socket));
    socket.on('pong', () => this.#silent.delete(socket));
    socket.on('error', (error) => log.debug('socket_failed', errorDetail(error)));
    socket.on('close', () => {
      this.#silent.delete(socket);
      handle.remove();
      this.#leave(actor.account);
    });
    socket.on('message', (data: Buffer, isBinary) => {
      const message = isBinary ? null : readMessage(data.toString());
      if (message === null) return socket.close(NOT_UNDERSTOOD, 'not understood');
      if (message === 'unknown') return metrics.passedOver();
      if (message.type === 'here') return handle.here(message);
      handle.hello(message).catch((error: unknown) => {
        log.error('hello_failed', errorDetail(error));
        socket.terminate();
      });
    });
  }

  /** Disconnects peers that did not answer the last ping. */
  #ping(): void {
    for (const socket of this.#server.clients) {
      if (this.#silent.has(socket)) {
        socket.terminate();
        continue;
      }
      this.#silent.add(socket);
      socket.ping();
    }
  }

  async #recheck(): Promise<void> {
    const { hub, sessions } = this.#ports;
    const open = [...hub.sessions()];
    for (let at = 0; at < open.length; at += RECHECK_AT_ONCE) {
      const asked = open.slice(at, at + RECHECK_AT_ONCE);
      const alive = await sessions.alive(asked);
      const over = asked.filter((id) => !alive.has(id));
      if (over.length === 0) continue;
      sessions.forget(over);
      hub.endSessions(over);
    }
  }

  async lookAgain(): Promise<void> {
    await this.#guard('recheck_failed', () => this.#recheck());
    await this.refresh(this.#ports.hub.accounts());
  }

  refresh(accounts: Iterable<number>): Promise<void> {
    return this.#guard('refresh_failed', () => this.#refresh(accounts));
  }

  async #refresh(accounts: Iterable<number>): Promise<void> {
    const { hub, store } = this.#ports;
    for (const account of accounts) {
      if (hub.countOf(account) === 0) continue;
      const roles = new Map((await store.scopesOf(account)).map(({ scope, role }) => [scope, role]));
      hub.refresh(account, (actor) => ({ ...actor, roles }));
    }
  }

  async #guard(event: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#ports.log.error(event, errorDetail(error));
    }
  }
}

/** Live sockets for a hub; nothing is accepted before `attach`. */
export function createLiveSockets(ports: SocketPorts): LiveSockets {
  return new WebSockets(ports);
}

/** The URL of the live socket, if the request is for it and on a host that serves it. */
function liveUrl({ headers, url: path = '' }: IncomingMessage, { appHost, apiHost }: Config): URL | null {
  const base = `http://${headers.host ?? ''}`;
  if (!/^http:\/\/[\w.:[\]-]+$/.test(base) || !URL.canParse(path, base)) return null;
  const url = new URL(path, base);
  const isOtherHost = appHost === null ? url.host === apiHost : url.host !== appHost;
  return url.pathname === '/live' && !isOtherHost ? url : null;
}

function listenerOf(socket: WebSocket): Listener {
  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > BACKLOG_BYTES) socket.terminate();
      else socket.send(text);
    },
    end: (reason) => socket.close(CLOSE_CODES[reason], reason),
  };
}

/** `unknown`: a message of a type that only newer clients know, or of a newer form; null: no message at all. */
function readMessage(text: string): LiveHello | Here | 'unknown' | null {
  try {
    const json: unknown = JSON.parse(text);
    const type = isRecord(json) && typeof json['type'] === 'string' ? json['type'] : null;
    if (type === 'hello') return liveHelloSchema.safeParse(json).data ?? null;
    if (type === 'here') return hereSchema.safeParse(json).data ?? 'unknown';
    return type === null ? null : 'unknown';
  } catch {
    // Not JSON: the answer is null.
    return null;
  }
}
