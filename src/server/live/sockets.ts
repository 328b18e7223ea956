// The live socket: `GET /live`, upgraded. Decides who may connect, keeps the connection honest (size, silence, backlog)
// and joins it to the hub. The socket never carries writes.
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { liveHelloSchema } from '#wire/sync.ts';
import { loadActor, type ActorPorts } from '../access/actor.ts';
import { authorise, type AccountActor } from '../access/authorise.ts';
import type { Config } from '../config.ts';
import type { ClientAddress } from '../http/client.ts';
import type { SessionCookie } from '../http/cookie.ts';
import { expectedOrigin } from '../http/origin.ts';
import type { Limiter } from '../limits/rates.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Hub, Listener } from './hub.ts';

const FRAME_BYTES = 64 * 1024;
const PING_MS = 25_000;
const SOCKETS_PER_ACCOUNT = 20;
/** A reader this far behind is cut off and pulls when it is back. */
const BACKLOG_BYTES = 1024 * 1024;
/** How often sessions are looked up again, for ends that no message told. */
const RECHECK_MS = 5_000;
/** And roles of those connected. */
const REFRESH_MS = 5 * 60_000;
const RECHECK_AT_ONCE = 500;
const CLOSE_CODES = { signed_out: 4_001, shutdown: 1_012 } as const;

export interface SocketPorts extends ActorPorts {
  readonly config: Config;
  readonly limiter: Limiter;
  readonly log: Logger;
  readonly cookie: SessionCookie;
  readonly hub: Hub;
  readonly accounts: Pick<Accounts, 'heal' | 'byId'>;
  readonly clientOf: (connection: string, forwarded: string | null) => ClientAddress;
}

export interface LiveSockets {
  /** Takes over the upgrades of a server. */
  attach(server: Server): void;
  /** Says goodbye to everybody and stops. */
  close(): Promise<void>;
}

type Entry =
  | { readonly ok: true; readonly actor: AccountActor }
  | { readonly ok: false; readonly status: number };

const first = (value: string | string[] | undefined) =>
  (Array.isArray(value) ? value.join(',') : value) ?? null;

function turnAway(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

export function createLiveSockets(ports: SocketPorts): LiveSockets {
  const { config, hub, limiter, log, sessions } = ports;
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: FRAME_BYTES });
  const silent = new Set<WebSocket>();
  let isClosing = false;

  function isAtLive(request: IncomingMessage): URL | null {
    const host = request.headers.host ?? '';
    if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(request.url ?? '', `http://${host}`)) return null;
    const url = new URL(request.url ?? '', `http://${host}`);
    const isOtherHost = config.appHost !== null ? url.host !== config.appHost : url.host === config.apiHost;
    return url.pathname === '/live' && !isOtherHost ? url : null;
  }

  async function enter(request: IncomingMessage): Promise<Entry> {
    const url = isAtLive(request);
    if (url === null) return { ok: false, status: 404 };
    if (isClosing) return { ok: false, status: 503 };
    if (request.headers.origin !== expectedOrigin(config.publicUrl, url)) return { ok: false, status: 403 };
    const client = ports.clientOf(
      request.socket.remoteAddress ?? '',
      first(request.headers['x-forwarded-for']),
    );
    if (!limiter.take('live_connect_ip', client.key).allowed) return { ok: false, status: 429 };
    const { actor } = await loadActor(ports, ports.cookie.read(request.headers.cookie ?? null), 'web');
    const rule = { type: 'account', kind: 'web' } as const;
    if (
      !authorise(actor, { type: 'route', rule, fromThisMachine: client.isThisMachine }).allowed ||
      actor.type !== 'account'
    )
      return { ok: false, status: 401 };
    if (hub.countOf(actor.account) >= SOCKETS_PER_ACCOUNT) return { ok: false, status: 429 };
    return { ok: true, actor };
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

  function join(socket: WebSocket, actor: AccountActor): void {
    const handle = hub.add(actor, listenerOf(socket));
    socket.on('pong', () => silent.delete(socket));
    socket.on('error', (error) => log.debug('socket_failed', errorDetail(error)));
    socket.on('close', () => {
      silent.delete(socket);
      handle.remove();
    });
    socket.on('message', (data, isBinary) => {
      const hello = isBinary ? null : readHello(data.toString());
      if (hello === null) return socket.close(1_008, 'not understood');
      handle.hello(hello).catch((error: unknown) => {
        log.error('hello_failed', errorDetail(error));
        socket.terminate();
      });
    });
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const entry = await enter(request);
    // The session may have ended, or the shutdown begun, while it was being looked up.
    if (!entry.ok || isClosing) return turnAway(socket, entry.ok ? 503 : entry.status);
    server.handleUpgrade(request, socket, head, (opened) => join(opened, entry.actor));
  }

  function ping(): void {
    for (const socket of server.clients) {
      if (silent.has(socket)) socket.terminate();
      else {
        silent.add(socket);
        socket.ping();
      }
    }
  }

  async function recheck(): Promise<void> {
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

  async function refresh(): Promise<void> {
    for (const number of hub.accounts()) {
      const account = await ports.accounts.byId(number);
      if (!account) continue;
      const roles = new Map((await ports.store.scopesOf(number)).map(({ scope, role }) => [scope, role]));
      hub.refresh(number, (actor) => ({ ...actor, roles }));
    }
  }

  const guarded = (event: string, work: () => Promise<void>) => () => {
    work().catch((error: unknown) => log.error(event, errorDetail(error)));
  };
  const timers: NodeJS.Timeout[] = [];

  return {
    attach(httpServer) {
      timers.push(
        setInterval(ping, PING_MS),
        setInterval(guarded('recheck_failed', recheck), RECHECK_MS),
        setInterval(guarded('refresh_failed', refresh), REFRESH_MS),
      );
      for (const timer of timers) timer.unref();
      httpServer.on('upgrade', (request, socket, head) => {
        socket.on('error', () => socket.destroy());
        upgrade(request, socket, head).catch((error: unknown) => {
          log.error('upgrade_failed', errorDetail(error));
          turnAway(socket, 500);
        });
      });
    },
    async close() {
      isClosing = true;
      for (const timer of timers) clearInterval(timer);
      hub.close();
      const closed = [...server.clients].map(
        (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
      );
      const grace = setTimeout(() => server.clients.forEach((socket) => socket.terminate()), 2_000);
      await Promise.all(closed);
      clearTimeout(grace);
      server.close();
    },
  };
}

function readHello(text: string) {
  try {
    const parsed = liveHelloSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    // Not JSON: the answer is the null.
    return null;
  }
}
