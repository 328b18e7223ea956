// The common part of all calls of the public API's client (client.ts): the address, the token, and errors. It needs
// only the types of its platform: the caller passes in how requests are sent.

/** A request as the client sends it. */
export interface ApiRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The part of a fetch response that the client reads. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** How a client reaches the API. `fetch` fits `send` on most platforms. */
export interface ApiClientOptions {
  /** Address of the API: `https://host/api`, or a host of its own. */
  readonly url: string;
  readonly token?: string | undefined;
  /** `fetch`, or a replacement for it. */
  readonly send: (url: string, request: ApiRequest) => Promise<ApiResponse>;
}

/** A refusal by the server, or an answer that is not the API's. */
export class ApiError extends Error {
  readonly status: number;
  /** From a closed list; empty when the answer was not the API's. */
  readonly code: string;
  readonly field: string | null;
  /** Seconds until a retry makes sense; null: the server does not say. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    refusal: { readonly message?: string; readonly code?: string; readonly field?: string | undefined },
    retryAfter: number | null,
  ) {
    super(refusal.message ?? `The server answered ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = refusal.code ?? '';
    this.field = refusal.field ?? null;
    this.retryAfter = retryAfter;
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    // A page of some proxy: the status has to do.
    return {};
  }
}

/** Sends calls; the client of the API adds their names and types. */
export class ApiCaller {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  /** Rejects with an ApiError for anything but success, and with the errors of `send`. */
  protected async call<T>(
    method: string,
    path: string,
    { body, query = {} }: { readonly body?: object; readonly query?: object } = {},
  ): Promise<T> {
    const { url, token, send } = this.#options;
    const asked = Object.entries(query)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
    const suffix = asked.length === 0 ? '' : `?${asked.join('&')}`;
    const response = await send(url.replace(/\/$/, '') + path + suffix, {
      method,
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = parsed(await response.text());
    if (response.status < 300 && answer['success'] === true) return answer as T;
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw new ApiError(response.status, answer, Number.isFinite(wait) ? wait : null);
  }
}
