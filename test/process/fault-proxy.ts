// A TCP proxy that spoils connections: cuts requests and answers at a random byte, sends a request twice over two
// connections or again much later, holds bytes back, or leaves a connection half open for a while. What it does depends on its seed and on what
// arrives; that is TCP's business and differs from run to run.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { SeededRandom } from '../simulator/random.ts';

export const spoilings = [
  'request cut',
  'answer cut',
  'request sent twice',
  'request replayed',
  'request held back',
  'answer held back',
  'left half open',
] as const;
export type Spoiling = (typeof spoilings)[number];

/** How often each strikes; cuts are what is counted on. */
const usualWheel: readonly Spoiling[] = [
  'request cut',
  'request cut',
  'request cut',
  'answer cut',
  'answer cut',
  'answer cut',
  'request sent twice',
  'request replayed',
  'request held back',
  'answer held back',
  'left half open',
];

const LONGEST_HOLD_MS = 120;
/** After so long a request that was answered may come once more. */
const LONGEST_REPLAY_MS = 4_000;

export class FaultProxy {
  readonly counts = new Map<Spoiling, number>(spoilings.map((name) => [name, 0]));
  /** Requests that passed unharmed so far. */
  whole = 0;
  /** Likelihood that an exchange is spoilt. */
  level = 0.6;
  private readonly random: SeededRandom;
  private readonly port: number;
  private readonly wheel: readonly Spoiling[];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(port: number, random: SeededRandom, wheel: readonly Spoiling[] = usualWheel) {
    this.port = port;
    this.wheel = wheel;
    this.random = random;
    this.server = createServer((client) => this.accept(client));
  }

  get cuts(): number {
    return (this.counts.get('request cut') ?? 0) + (this.counts.get('answer cut') ?? 0);
  }

  /** Resolves with the address to talk to. */
  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private upstream(): Socket {
    return this.own(connect(this.port, '127.0.0.1'));
  }

  private own(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => this.sockets.delete(socket));
    // Whoever waits for the other end hears of it by the close that follows.
    socket.on('error', () => undefined);
    return socket;
  }

  private later(work: () => void, longestMs = LONGEST_HOLD_MS): void {
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        work();
      },
      this.random.between(1, longestMs),
    );
    this.timers.add(timer);
  }

  private accept(client: Socket): void {
    const server = this.upstream();
    this.own(client);
    const exchange = new Exchange(client, server);
    client.on('data', (chunk: Buffer) => this.onRequest(exchange, chunk));
    server.on('data', (chunk: Buffer) => this.onAnswer(exchange, chunk));
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }

  private draw(): Spoiling | null {
    return this.random.chance(this.level) ? this.random.pick(this.wheel) : null;
  }

  private strike(exchange: Exchange): void {
    if (exchange.fate === null) return;
    this.counts.set(exchange.fate, (this.counts.get(exchange.fate) ?? 0) + 1);
    exchange.fate = null;
  }

  private onRequest(exchange: Exchange, chunk: Buffer): void {
    const { client, server } = exchange;
    if (exchange.isAnswered) {
      // What comes after an answer is the next request of a connection that was kept.
      exchange.begin(this.draw());
      if (exchange.fate === null) this.whole += 1;
    }
    exchange.request.push(chunk);
    if (exchange.fate === 'request cut') {
      server.write(chunk.subarray(0, this.random.below(chunk.length)), () => exchange.end());
      this.strike(exchange);
      return;
    }
    if (exchange.fate === 'left half open') {
      // Nothing passes any more in either direction, until one side would give up.
      this.strike(exchange);
      client.pause();
      this.later(() => exchange.end());
      return;
    }
    if (exchange.fate === 'request held back') {
      this.strike(exchange);
      exchange.hold(client, server, chunk);
      this.later(() => exchange.release());
      return;
    }
    if (!exchange.held(server, chunk)) server.write(chunk);
  }

  private onAnswer(exchange: Exchange, chunk: Buffer): void {
    const { client, server } = exchange;
    exchange.isAnswered = true;
    if (exchange.fate === 'request sent twice' || exchange.fate === 'request replayed') {
      const longestMs = exchange.fate === 'request replayed' ? LONGEST_REPLAY_MS : LONGEST_HOLD_MS;
      this.strike(exchange);
      this.repeat(Buffer.concat(exchange.request), longestMs);
    }
    if (exchange.fate === 'answer cut') {
      client.write(chunk.subarray(0, this.random.below(chunk.length)), () => exchange.end());
      this.strike(exchange);
      return;
    }
    if (exchange.fate === 'answer held back') {
      this.strike(exchange);
      exchange.hold(server, client, chunk);
      this.later(() => exchange.release());
      return;
    }
    if (!exchange.held(client, chunk)) client.write(chunk);
  }

  /** The same bytes once more over a connection of their own; nobody reads the answer. */
  private repeat(request: Buffer, longestMs: number): void {
    this.later(() => {
      const again = this.upstream();
      again.on('data', () => again.end());
      again.write(request);
    }, longestMs);
  }
}

/** A connection and the request that is under way on it. */
class Exchange {
  readonly client: Socket;
  readonly server: Socket;
  fate: Spoiling | null = null;
  isAnswered = true;
  request: Buffer[] = [];
  private waiting: { readonly from: Socket; readonly to: Socket; readonly chunks: Buffer[] } | null = null;

  constructor(client: Socket, server: Socket) {
    this.client = client;
    this.server = server;
  }

  begin(fate: Spoiling | null): void {
    this.fate = fate;
    this.isAnswered = false;
    this.request = [];
  }

  /** From here on bytes in this direction wait for `release`. */
  hold(from: Socket, to: Socket, chunk: Buffer): void {
    this.waiting = { from, to, chunks: [chunk] };
  }

  /** True: the chunk waits with the others before it. */
  held(to: Socket, chunk: Buffer): boolean {
    if (this.waiting?.to !== to) return false;
    this.waiting.chunks.push(chunk);
    return true;
  }

  release(): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting !== null && waiting.to.writable) waiting.to.write(Buffer.concat(waiting.chunks));
  }

  end(): void {
    this.client.destroy();
    this.server.destroy();
  }
}
