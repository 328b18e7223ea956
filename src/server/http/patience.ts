// How long a request may take to arrive: half a minute, or for uploads as long as data keeps coming. Not here: headers, and
// idle connections (Node handles them).
import type { IncomingMessage } from 'node:http';

/** Time limits for arriving requests; tests use shorter ones. */
export interface PatienceLimits {
  /** For all of an ordinary body. */
  readonly bodyMs: number;
  /** An upload must bring this many bytes in each such span. */
  readonly stepMs: number;
  readonly stepBytes: number;
}

export const usualPatience: PatienceLimits = { bodyMs: 30_000, stepMs: 30_000, stepBytes: 64 * 1024 };

const TOO_SLOW = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Node's request, as far as it is known where routes are chosen. */
export type Arriving = Partial<Pick<IncomingMessage, 'complete' | 'destroyed'>> & object;

/** Cuts off requests that arrive too slowly. One for all connections of a server. */
export class Patience {
  readonly #limits: PatienceLimits;
  readonly #timers = new WeakMap<object, NodeJS.Timeout>();

  constructor(limits: PatienceLimits = usualPatience) {
    this.#limits = limits;
  }

  /** The whole request has to arrive in time from now on. */
  begin(request: IncomingMessage): void {
    if (request.complete) return;
    this.#set(
      request,
      // Of a request without a body nobody reads the end; its answer may take as long as it likes.
      setTimeout(() => request.complete || cutOff(request), this.#limits.bodyMs),
    );
    // "close" covers both the end of the request and of the connection.
    request.once('close', () => this.#end(request));
    request.once('end', () => this.#end(request));
  }

  /** Switches to the limits of an upload: data only has to keep coming. */
  allowUpload(request: Arriving): void {
    if (!this.#timers.has(request)) return;
    const arriving = request as IncomingMessage;
    const { stepMs, stepBytes } = this.#limits;
    let before = bytesOf(arriving);
    const look = () => {
      const now = bytesOf(arriving);
      if (now - before < stepBytes) cutOff(arriving);
      before = now;
    };
    this.#set(request, setInterval(look, stepMs));
  }

  #set(request: object, timer: NodeJS.Timeout): void {
    clearTimeout(this.#timers.get(request));
    timer.unref();
    this.#timers.set(request, timer);
  }

  #end(request: object): void {
    clearTimeout(this.#timers.get(request));
    this.#timers.delete(request);
  }
}

const bytesOf = ({ socket }: IncomingMessage) => socket.bytesRead;

/** As Node does where headers take too long. */
function cutOff({ socket }: IncomingMessage): void {
  if (socket.destroyed) return;
  socket.end(TOO_SLOW, () => socket.destroy());
}

/** Whether the connection ended before the whole request arrived: nobody receives the answer. */
export const isBrokenOff = (request: Arriving | undefined): boolean =>
  request?.destroyed === true && request.complete === false;
