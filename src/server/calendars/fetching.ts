// Fetches the file of a calendar from an address that a person gave: HTTPS to the public internet alone, each redirect looked at like
// the first address, with an end in time and in size. Not here: what is in the file (reading-worker.ts).
import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isIP } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { failed, ok, type Result } from '#core/result.ts';
import { AddressRefused, type EndpointGuard } from '../push/guard.ts';
import type { SourceProblem } from './problems.ts';

const REDIRECTS = 5;

/** What is known of the file already; null: nothing. */
export interface KnownFile {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What came. `same`: nothing changed since. */
export type Fetched =
  | { readonly type: 'same' }
  | ({ readonly type: 'file'; readonly bytes: Uint8Array<ArrayBuffer> } & KnownFile);

/** Why nothing came. `afterMs`: the earliest time at which the server wants to be asked again; 0: it said none. */
export interface FetchFailure {
  readonly problem: SourceProblem;
  readonly afterMs: number;
  /** Of the answer; absent: there was none. */
  readonly status?: number;
}

/** A question of WebDAV: XML, with XML for an answer. */
export interface DavCall {
  readonly method: 'PROPFIND' | 'REPORT';
  readonly depth: 0 | 1;
  readonly body: string;
}

/** Its answer. `at`: the address that gave it, after redirects. */
export interface DavReply {
  readonly at: URL;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface FetchingPorts {
  readonly guard: EndpointGuard;
  /** Of a whole fetch with its redirects. */
  readonly deadlineMs: number;
  readonly fileBytes: number;
  /** Additionally trusted certificates. */
  readonly ca?: string;
}

/** Fetches calendars. */
export interface Fetching {
  /** Why the address is refused before anything is asked; null: it isn't. */
  problem(address: URL): SourceProblem | null;
  /** Never rejects. */
  fetch(address: URL, known: KnownFile): Promise<Result<Fetched, FetchFailure>>;
  /** Asks a CalDAV server; redirects are followed with the password where the host is one of the same site. Never rejects. */
  send(address: URL, call: DavCall): Promise<Result<DavReply, FetchFailure>>;
  close(): void;
}

const failure = (problem: SourceProblem, afterMs = 0) => failed<FetchFailure>({ problem, afterMs });

function afterMs(answer: IncomingMessage): number {
  const said = answer.headers['retry-after'] ?? '';
  const seconds = Number(said);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(said) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

function problemOf(status: number): SourceProblem {
  if (status === 401 || status === 403 || status === 407) return 'sign_in';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'busy' : 'refused';
}

const nothing = () => undefined;

/** The content without its compression; null: one that nobody asked for. */
function plainOf(answer: IncomingMessage): Readable | null {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return answer;
  if (encoding === 'gzip') return pipeline(answer, createGunzip(), nothing);
  if (encoding === 'deflate') return pipeline(answer, createInflate(), nothing);
  return encoding === 'br' ? pipeline(answer, createBrotliDecompress(), nothing) : null;
}

async function bytesOf(answer: IncomingMessage, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const stream = plainOf(answer);
  if (stream === null) throw new Error('The answer is compressed in an unknown way.');
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > most) return null;
    parts.push(part);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What is not an answer to a question of WebDAV. */
function davProblemOf(status: number): SourceProblem {
  if (status === 401 || status === 407) return 'password';
  // A page, or something that doesn't know the question.
  if (status < 300 || status === 405 || status === 501) return 'not_dav';
  return status === 403 ? 'refused' : problemOf(status);
}

/** Endings under which strangers have their sites, by their shape: `co.uk`, `com.au`. */
const isShared = (ending: string) => /^[a-z]{1,3}\.[a-z]{2}$/.test(ending);

/**
 * Whether a password for one host may be given to another: the same, or one of its site (`caldav.` and `p42-caldav.icloud.com`).
 * Where it can't be told from its ending which site a host is of, only its own subdomains are.
 */
export function isOfSite(one: string, other: string): boolean {
  if (one === other) return true;
  if (isIP(one) !== 0 || isIP(other) !== 0 || one.startsWith('[') || other.startsWith('[')) return false;
  const above = one.slice(one.indexOf('.') + 1);
  const site = above.includes('.') && !isShared(above) ? above : one;
  return other === site || other.endsWith(`.${site}`);
}

function headersOf({ etag, lastModified }: KnownFile): Record<string, string> {
  return {
    accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'Posthaste-Calendar/1',
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

const bare = (address: URL): URL => {
  const url = new URL(address);
  url.hash = '';
  url.username = '';
  url.password = '';
  return url;
};

/** What a header holds, unless it is too long to be kept. */
const kept = (value: string | undefined): string | null =>
  value === undefined || value.length > 500 ? null : value;

interface Asking {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

class CalendarFetching implements Fetching {
  readonly #ports: FetchingPorts;
  readonly #agent: Agent;
  /** For calendars inside the networks of the operator. */
  readonly #plainAgent: PlainAgent;

  constructor(ports: FetchingPorts) {
    this.#ports = ports;
    const { guard, ca } = ports;
    const calls = { keepAlive: false, maxSockets: 8 };
    this.#agent = new Agent({ ...calls, lookup: guard.lookup, ...(ca === undefined ? {} : { ca }) });
    this.#plainAgent = new PlainAgent({ ...calls, lookup: guard.inside.lookup });
  }

  problem(address: URL): SourceProblem | null {
    if (address.protocol === 'http:' && this.#ports.guard.inside.mayBe(address.hostname)) return null;
    if (address.protocol !== 'https:') return 'not_https';
    return this.#ports.guard.problem(bare(address).href) === null ? null : 'private';
  }

  async fetch(address: URL, known: KnownFile): Promise<Result<Fetched, FetchFailure>> {
    const deadline = AbortSignal.timeout(this.#ports.deadlineMs);
    let at = address;
    try {
      for (let left = REDIRECTS; left >= 0; left -= 1) {
        const problem = this.problem(at);
        if (problem !== null) return failure(problem);
        const answer = await this.#ask(at, { headers: headersOf(known) }, deadline);
        const next = nextOf(answer, at);
        if (next === null) return await this.#read(answer);
        answer.destroy();
        if (isPlainer(at, next)) return failure('not_https');
        at = next;
      }
      return failure('redirects');
    } catch (error) {
      if (deadline.aborted) return failure('too_slow');
      return failure(error instanceof AddressRefused ? refusedAt(at) : 'unreachable');
    }
  }

  async send(address: URL, call: DavCall): Promise<Result<DavReply, FetchFailure>> {
    const deadline = AbortSignal.timeout(this.#ports.deadlineMs);
    const { method, body } = call;
    const headers = {
      ...headersOf({ etag: null, lastModified: null }),
      accept: 'application/xml, text/xml',
      depth: String(call.depth),
      'content-type': 'application/xml; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    };
    let at = address;
    try {
      for (let left = REDIRECTS; left >= 0; left -= 1) {
        const problem = this.problem(at);
        if (problem !== null) return failure(problem);
        const answer = await this.#ask(at, { method, headers, body }, deadline);
        const next = nextOf(answer, at);
        if (next === null) return await this.#readDav(answer, at);
        answer.destroy();
        // Looked at before it is refused for its site: that it is a private one is the better reason.
        const nextProblem = isPlainer(at, next) ? 'not_https' : this.problem(next);
        if (nextProblem !== null) return failure(nextProblem);
        if (!isOfSite(at.hostname, next.hostname)) return failure('elsewhere');
        at = withLogin(next, at);
      }
      return failure('redirects');
    } catch (error) {
      if (deadline.aborted) return failure('too_slow');
      return failure(error instanceof AddressRefused ? refusedAt(at) : 'unreachable');
    }
  }

  close(): void {
    this.#agent.destroy();
    this.#plainAgent.destroy();
  }

  async #readDav(answer: IncomingMessage, at: URL): Promise<Result<DavReply, FetchFailure>> {
    const status = answer.statusCode ?? 0;
    if (status !== 207) {
      answer.destroy();
      return failed({ problem: davProblemOf(status), afterMs: afterMs(answer), status });
    }
    const bytes = await bytesOf(answer, this.#ports.fileBytes);
    if (bytes !== null) return ok({ at, bytes });
    answer.destroy();
    return failure('too_large');
  }

  #ask(address: URL, asked: Asking, signal: AbortSignal): Promise<IncomingMessage> {
    const { username, password } = address;
    const auth =
      username === '' && password === ''
        ? {}
        : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` };
    return new Promise((resolve, reject) => {
      const { method = 'GET', headers, body } = asked;
      const took = (answer: IncomingMessage) => {
        // The deadline and a broken connection end the reading as well.
        answer.on('error', nothing);
        resolve(answer);
      };
      const options = { method, headers, signal, ...auth };
      const call =
        address.protocol === 'http:'
          ? plainRequest(bare(address), { ...options, agent: this.#plainAgent }, took)
          : request(bare(address), { ...options, agent: this.#agent }, took);
      call.on('error', reject);
      call.end(body);
    });
  }

  async #read(answer: IncomingMessage): Promise<Result<Fetched, FetchFailure>> {
    const status = answer.statusCode ?? 0;
    if (status !== 200) {
      answer.destroy();
      return status === 304 ? ok({ type: 'same' }) : failure(problemOf(status), afterMs(answer));
    }
    const bytes = await bytesOf(answer, this.#ports.fileBytes);
    if (bytes === null) {
      answer.destroy();
      return failure('too_large');
    }
    const { etag, 'last-modified': lastModified } = answer.headers;
    return ok({ type: 'file', bytes, etag: kept(etag), lastModified: kept(lastModified) });
  }
}

/** Whether going there would give up encryption. */
export const isPlainer = (from: URL, to: URL) => from.protocol === 'https:' && to.protocol === 'http:';

/** Without encryption only the networks of the operator are asked: for everything else there is HTTPS. */
const refusedAt = ({ protocol }: URL): SourceProblem => (protocol === 'http:' ? 'not_https' : 'private');

/** An address with the name and the password of another. */
export function withLogin(address: URL, { username, password }: Pick<URL, 'username' | 'password'>): URL {
  const url = bare(address);
  url.username = username;
  url.password = password;
  return url;
}

/** Where a redirect leads, without a password for the first address; null: it is none. */
function nextOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null {
  const { location } = headers;
  if (statusCode < 300 || statusCode > 399 || statusCode === 304 || location === undefined) return null;
  const next = new URL(location, from);
  if (next.protocol === 'webcal:') return new URL(next.href.replace(/^webcal/, 'https'));
  if (next.origin === from.origin && next.username === '') {
    next.username = from.username;
    next.password = from.password;
  }
  return next;
}

/** Fetches calendars within these limits. */
export const createFetching = (ports: FetchingPorts): Fetching => new CalendarFetching(ports);

/** An address as a person gives it: `webcal:` is HTTPS, and no scheme as well. Null: it is no address. */
export function addressFrom(text: string): URL | null {
  const trimmed = text.trim();
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed)
    ? trimmed.replace(/^webcals?:/i, 'https:')
    : `https://${trimmed}`;
  if (!URL.canParse(full) || /\s/.test(trimmed)) return null;
  const url = new URL(full);
  url.hash = '';
  return url.hostname === '' ? null : url;
}
