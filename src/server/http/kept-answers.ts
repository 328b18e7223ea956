// A short-lived cache of public answers, so that a popular page costs little more than its bytes. A cached answer went
// through the pipeline once, with every header; another request gets it if it equals the first in everything that the
// answer depends on.
// Not here: which routes allow it (route.ts), and browser caching (the routes themselves).
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '#sync/replica/ports.ts';
import type { Logger } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { acceptedEncoding } from './compress.ts';
import { isHeld } from './etag.ts';

export interface KeptAnswerPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** A request as Node reads it, as far as answers depend on it. */
export type AskedPlainly = Pick<IncomingMessage, 'headers'> &
  Partial<Pick<IncomingMessage, 'method' | 'url'>>;

/** How long a new build or release may go unnoticed. */
const FRESH_MS = 1_000;
/** While one request renews an answer, the others get the old one for at most this long. */
const STALE_MS = 1_000;
const MOST_ANSWERS = 500;
const MOST_BYTES = 32 * 1024 * 1024;
const LARGEST = 1024 * 1024;
const MOST_ACCEPTED = 200;
const ID_BYTES = 8;
const IDS_AT_ONCE = 256;

interface Kept {
  readonly template: string;
  /** Alternating names and values, without headers that differ between answers. */
  readonly headers: readonly string[];
  readonly etag: string | null;
  readonly body: Buffer;
  readonly madeAt: number;
  /** When a request was last sent to renew it. */
  renewedAt: number;
}

/** Requests whose answers depend on more than the key. */
const isSpecial = ({ method, headers }: AskedPlainly) =>
  method !== 'GET' || headers.range !== undefined || headers['if-modified-since'] !== undefined;

/** The cache of public answers, bounded by number and bytes. */
export class KeptAnswers {
  readonly #ports: KeptAnswerPorts;
  readonly #kept = new Map<string, Kept>();
  readonly #encodings = new Map<string, string>();
  readonly #random = Buffer.alloc(ID_BYTES * IDS_AT_ONCE);
  #randomAt = IDS_AT_ONCE;
  #bytes = 0;

  constructor(ports: KeptAnswerPorts) {
    this.#ports = ports;
  }

  /** Caches the answer to this request; send the returned one instead, since the body of the original was read. */
  async keep(incoming: AskedPlainly, template: string, response: Response): Promise<Response> {
    const key = this.#keyOf(incoming);
    if (key === null || isSpecial(incoming) || response.status !== 200 || response.headers.has('set-cookie'))
      return response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { headers, status } = response;
    const whole = new Response(bytes, { status, headers });
    if (bytes.length > LARGEST) return whole;
    this.#remember(key, {
      template,
      headers: [...headers].filter(([name]) => name !== 'x-request-id').flat(),
      etag: headers.get('etag'),
      body: Buffer.from(bytes),
      madeAt: this.#ports.clock.monotonic(),
      renewedAt: Number.NEGATIVE_INFINITY,
    });
    return whole;
  }

  /** Answers from the cache. False: nothing was done, the pipeline answers. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    if (this.#kept.size === 0 || isSpecial(incoming)) return false;
    const key = this.#keyOf(incoming);
    const kept = key === null ? undefined : this.#kept.get(key);
    if (!kept) return false;
    const now = this.#ports.clock.monotonic();
    if (!this.#holds(kept, now)) return false;
    const isKnown = kept.etag !== null && isHeld(incoming.headers['if-none-match'], kept.etag);
    const id = this.#nextId();
    const status = isKnown ? 304 : 200;
    const varying = isKnown
      ? ['x-request-id', id]
      : ['x-request-id', id, 'content-length', String(kept.body.length)];
    outgoing.writeHead(status, [...kept.headers, ...varying]);
    outgoing.end(isKnown ? undefined : kept.body);
    const ms = this.#ports.clock.monotonic() - now;
    const { template: route } = kept;
    this.#ports.metrics.request(route, status, ms / 1_000);
    this.#ports.log.request({ id, method: 'GET', route, status, ms, account: null, bytes: null });
    return true;
  }

  #holds(kept: Kept, now: number): boolean {
    const age = now - kept.madeAt;
    if (age <= FRESH_MS) return true;
    if (age > FRESH_MS + STALE_MS || now - kept.renewedAt > FRESH_MS) {
      kept.renewedAt = now;
      return false;
    }
    return true;
  }

  #remember(key: string, kept: Kept): void {
    const before = this.#kept.get(key);
    this.#bytes += kept.body.length - (before?.body.length ?? 0);
    this.#kept.set(key, kept);
    if (this.#kept.size <= MOST_ANSWERS && this.#bytes <= MOST_BYTES) return;
    this.#kept.clear();
    this.#bytes = 0;
  }

  /** Null: not a cached kind of request. Queries would make too many addresses. */
  #keyOf({ url = '', headers }: AskedPlainly): string | null {
    if (!url.startsWith('/') || url.includes('?')) return null;
    return `${headers.host ?? ''} ${this.#encodingOf(headers['accept-encoding'])} ${url}`;
  }

  /** Browsers send the same few headers: parsed ones are cached. */
  #encodingOf(header: string | string[] | undefined): string {
    const text = String(header ?? '');
    const known = this.#encodings.get(text);
    if (known !== undefined) return known;
    if (this.#encodings.size >= MOST_ACCEPTED) this.#encodings.clear();
    const found = `${acceptedEncoding(text) ?? ''},${acceptedEncoding(text, ['br', 'gzip']) ?? ''}`;
    this.#encodings.set(text, found);
    return found;
  }

  #nextId(): string {
    if (this.#randomAt >= IDS_AT_ONCE) {
      randomFillSync(this.#random);
      this.#randomAt = 0;
    }
    const from = this.#randomAt * ID_BYTES;
    this.#randomAt += 1;
    return this.#random.toString('hex', from, from + ID_BYTES);
  }
}
