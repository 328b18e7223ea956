// An answer that is a text, with its headers in plain values. It goes to Node as it is: building a Response of it, whose headers and body are
// read out again, costs as much as all else that HTTP does for a small request. Not here: what answers say (answer.ts).
import type { ServerResponse } from 'node:http';

/** Headers by lower-case name, as far as the pipeline reads and writes them. A `Headers` does it as well. */
export type HeaderBag = Pick<Headers, 'get' | 'has' | 'set' | 'append'>;

class PlainHeaders implements HeaderBag {
  readonly #values = new Map<string, string>();
  readonly #cookies: string[] = [];

  constructor(given: Readonly<Record<string, string>>) {
    for (const name in given) this.#values.set(name, given[name] ?? '');
  }

  get(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  append(name: string, value: string): void {
    if (name === 'set-cookie') this.#cookies.push(value);
    else this.#values.set(name, this.has(name) ? `${this.get(name)}, ${value}` : value);
  }

  /** One name and value after the other; each cookie for itself. */
  list(): [name: string, value: string][] {
    return [...this.#values, ...this.#cookies.map((value): [string, string] => ['set-cookie', value])];
  }
}

/** An answer that is a text. Header names are written in lower case. */
export class TextAnswer {
  readonly status: number;
  readonly headers: HeaderBag;
  readonly #headers: PlainHeaders;
  /** Compressed: bytes. */
  body: string | Uint8Array<ArrayBuffer>;

  constructor(text: string, status: number, headers: Readonly<Record<string, string>>) {
    this.body = text;
    this.status = status;
    this.#headers = new PlainHeaders(headers);
    this.headers = this.#headers;
  }

  /** Sends it, with its length. */
  sendTo(outgoing: ServerResponse): void {
    const { body } = this;
    this.#headers.set(
      'content-length',
      String(typeof body === 'string' ? Buffer.byteLength(body) : body.length),
    );
    outgoing.writeHead(this.status, this.#headers.list().flat());
    outgoing.end(body);
  }

  /** The same for callers that take nothing else. */
  toResponse(): Response {
    return new Response(this.body, { status: this.status, headers: this.#headers.list() });
  }
}
