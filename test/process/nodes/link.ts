// A line between two machines, as a TCP proxy that can be cut, slowed, or left half open: then what is sent goes nowhere, and nobody is told.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** `open`: it carries. `cut`: connections end, and new ones are refused at once. `silent`: nothing passes, and nothing ends. */
export type LinkState = 'open' | 'cut' | 'silent';

/** A port of this machine, or the file of a socket. */
export type LinkEnd = number | string;

export class Link {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #timers = new Set<NodeJS.Timeout>();
  port = 0;
  #to: LinkEnd;
  #state: LinkState = 'open';
  #delayMs = 0;

  private constructor(to: LinkEnd) {
    this.#to = to;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async open(to: LinkEnd): Promise<Link> {
    const link = new Link(to);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    link.port = (link.#server.address() as AddressInfo).port;
    return link;
  }

  /** New connections lead there. Those that are there stay where they are. */
  lead(to: LinkEnd): void {
    this.#to = to;
  }

  /**
   * What was silent stays so: connections whose bytes vanished never carry anything again. They end for neither side before `cut`, or
   * `close`.
   */
  set(state: LinkState): void {
    this.#state = state;
    if (state === 'silent') for (const pair of this.#pairs) this.#silence(pair);
    if (state === 'cut') this.#end();
  }

  /** From now on everything takes so much longer to arrive, each way. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  async close(): Promise<void> {
    this.#end();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#server.close();
    await once(this.#server, 'close');
  }

  #end(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#pairs.clear();
  }

  #silence([client, server]: readonly [Socket, Socket]): void {
    for (const socket of [client, server]) {
      socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('end');
      // What comes is taken, as by the buffers of a network that does not deliver it.
      socket.resume();
    }
  }

  #accept(client: Socket): void {
    client.on('error', () => undefined);
    if (this.#state === 'cut') return void client.destroy();
    const server = typeof this.#to === 'string' ? connect(this.#to) : connect(this.#to, '127.0.0.1');
    server.on('error', () => undefined);
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    for (const [from, other] of [pair, [server, client] as const]) {
      const later = this.#lane();
      from.setNoDelay(true);
      from.on('data', (chunk: Buffer) => later(() => other.writable && other.write(chunk)));
      from.on('end', () => later(() => other.end()));
      from.on('close', () => {
        this.#pairs.delete(pair);
        later(() => other.destroy());
      });
    }
    if (this.#state === 'silent') this.#silence(pair);
  }

  /** One direction: everything in the order in which it came, also while the delay changes. */
  #lane(): (work: () => unknown) => void {
    let waiting = 0;
    let free = 0;
    return (work) => {
      const now = performance.now();
      if (this.#delayMs === 0 && waiting === 0) return void work();
      free = Math.max(free, now + this.#delayMs);
      waiting += 1;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        waiting -= 1;
        work();
      }, free - now);
      this.#timers.add(timer);
    };
  }
}
