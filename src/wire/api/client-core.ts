// What every call of the public API's client (client.ts) has in common: the address, the token, and how refusals are told.
// It needs nothing but the types of the platform it runs on: how requests are sent is handed in.

export interface ApiRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The part of a fetch answer that is looked at. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export interface ApiClientOptions {
  /** Where the API answers: `https://host/api`, or a host of its own. */
  readonly url: string;
  readonly token?: string | undefined;
  /** `fetch`, or what stands in for it. */
  readonly send: (url: string, request: ApiRequest) => Promise<ApiResponse>;
}

/** What the server refused, or an answer that was none of the API's. */
export class ApiError extends Error {
  readonly status: number;
  /** Of a closed list; empty when the answer was not the API's. */
  readonly code: string;
  readonly field: string | null;
  /** Seconds until it is worth trying again; null: the server does not say. */
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
    // A page of some server in between: the status has to do.
    return {};
  }
}

/** Makes calls; the client of the API adds their names and types. */
export class ApiCaller {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  /** Rejects with an ApiError for whatever is no success, and with what `send` rejects with. */
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
