// A proxy in front of several servers that does what deploy/compose/Caddyfile has Caddy do: asks each whether it is ready, hands requests to those
// that are, and tries another one where nobody takes the connection.
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

const HEALTH_MS = 1_000;
const HEALTH_TIMEOUT_MS = 2_000;
const FAIL_MS = 2_000;
const TRY_MS = 10_000;
const TRY_AGAIN_MS = 100;

/** Nobody took the connection: nothing was asked, and another one may be. */
const isRefused = (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED';

export class NodesProxy {
  /** Answers with a status from 500 on, by their status; 502 also where a server ended in the middle of one. */
  readonly failures = new Map<number, number>();
  requests = 0;
  readonly #upstreams: () => readonly string[];
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #isReady = new Map<string, boolean>();
  readonly #failedUntil = new Map<string, number>();
  #turn = 0;
  #isClosed = false;

  /** `upstreams`: addresses of all servers, also of those that are gone. */
  constructor(upstreams: () => readonly string[]) {
    this.#upstreams = upstreams;
    this.#server = createServer((from, to) => void this.#serve(from, to));
    this.#server.on('upgrade', (from: IncomingMessage, socket: Socket, head: Buffer) => {
      void this.#upgrade(from, socket, head);
    });
  }

  /** Resolves with its address. */
  async listen(): Promise<string> {
    void this.#look();
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #look(): Promise<void> {
    while (!this.#isClosed) {
      await Promise.all(
        this.#upstreams().map(async (address) => {
          const isReady = await fetch(`${address}/readyz`, {
            signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
          }).then(
            async (response) => {
              await response.arrayBuffer();
              return response.ok;
            },
            () => false,
          );
          this.#isReady.set(address, isReady);
        }),
      );
      await delay(HEALTH_MS);
    }
  }

  /** The next one in turn of those that are ready: a device changes with every request. */
  #choose(): string | null {
    const now = performance.now();
    const there = this.#upstreams().filter(
      (address) => this.#isReady.get(address) !== false && (this.#failedUntil.get(address) ?? 0) < now,
    );
    return there[(this.#turn += 1) % Math.max(1, there.length)] ?? null;
  }

  /** Until somebody takes it, or too long. */
  async #somewhere<T>(work: (address: string) => Promise<T>): Promise<T | null> {
    const late = performance.now() + TRY_MS;
    while (performance.now() < late) {
      const address = this.#choose();
      if (address !== null) {
        try {
          return await work(address);
        } catch (error) {
          if (!isRefused(error as NodeJS.ErrnoException)) return null;
          this.#failedUntil.set(address, performance.now() + FAIL_MS);
          continue;
        }
      }
      await delay(TRY_AGAIN_MS);
    }
    return null;
  }

  async #serve(from: IncomingMessage, to: ServerResponse): Promise<void> {
    this.requests += 1;
    const parts: Buffer[] = [];
    try {
      for await (const part of from) parts.push(part as Buffer);
    } catch {
      return void to.destroy();
    }
    const body = Buffer.concat(parts);
    const answer = await this.#somewhere(
      (address) =>
        new Promise<IncomingMessage>((resolve, reject) => {
          const { method, url, headers } = from;
          const asked = request(new URL(url ?? '/', address), { method, headers, agent: false });
          asked.on('response', resolve).on('error', reject);
          asked.end(body);
        }),
    );
    const status = answer?.statusCode ?? 502;
    if (status >= 500) this.failures.set(status, (this.failures.get(status) ?? 0) + 1);
    to.on('error', () => undefined);
    if (answer === null) return void to.writeHead(502).end();
    to.writeHead(status, answer.headers);
    answer.on('error', () => to.destroy());
    answer.pipe(to);
  }

  async #upgrade(from: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.on('error', () => undefined);
    const server = await this.#somewhere(async (address) => {
      const { hostname, port } = new URL(address);
      const opened = connect(Number(port), hostname);
      await once(opened, 'connect');
      return opened;
    });
    if (server === null) return void socket.destroy();
    server.on('error', () => undefined);
    const lines = [`${from.method} ${from.url} HTTP/1.1`];
    for (let at = 0; at < from.rawHeaders.length; at += 2)
      lines.push(`${from.rawHeaders[at]}: ${from.rawHeaders[at + 1]}`);
    server.write(`${lines.join('\r\n')}\r\n\r\n`);
    server.write(head);
    for (const [one, other] of [
      [socket, server],
      [server, socket],
    ] as const) {
      this.#sockets.add(one);
      one.pipe(other);
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }
}
