// One way of calling our own server: JSON both ways, a time limit, gzip for large bodies, and failures as values.
// What an answer means is the caller's business.

const GZIP_FROM_BYTES = 1_024;

export type Reply =
  /** There was no answer: no network, no server, or not in time. */
  | { readonly type: 'none' }
  | {
      readonly type: 'answer';
      readonly status: number;
      readonly body: unknown;
      readonly retryAfterMs: number;
    };

/** A call of the server that this app is of. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Sent as it is, instead of a body. */
  readonly blob?: Blob;
  readonly timeoutMs: number;
  /** Lets the request outlive the page. */
  readonly keepalive?: boolean;
}

async function gzip(text: string): Promise<Blob> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Response(stream).blob();
}

async function requestInit({ method, body, blob, timeoutMs, keepalive }: Call): Promise<RequestInit> {
  const base: RequestInit = {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    keepalive: keepalive ?? false,
    signal: AbortSignal.timeout(timeoutMs),
  };
  if (blob !== undefined) return { ...base, headers: { 'content-type': blob.type }, body: blob };
  if (body === undefined) return base;
  const text = JSON.stringify(body);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (text.length < GZIP_FROM_BYTES) return { ...base, headers, body: text };
  return { ...base, headers: { ...headers, 'content-encoding': 'gzip' }, body: await gzip(text) };
}

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
}

/** Sends one request. An error status is an answer; a network's or proxy's own page is `none`. */
export async function callServer(call: Call): Promise<Reply> {
  try {
    const response = await fetch(call.path, await requestInit(call));
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
    // A page where data should be is somebody else's: a sign-in page of a network, a proxy's apology.
    if (!isJson && response.status < 500) return { type: 'none' };
    const body: unknown = isJson ? await response.json() : null;
    return { type: 'answer', status: response.status, body, retryAfterMs: retryAfter(response) };
  } catch (error) {
    // Every way a fetch fails, broken JSON included, means that the server was not reached whole.
    if (error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError)
      return { type: 'none' };
    throw error;
  }
}

/** The text a refusal carries for people; null when it has none. */
export function messageOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('message' in body)) return null;
  return typeof body.message === 'string' && body.message !== '' ? body.message : null;
}

export function codeOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('code' in body)) return null;
  return typeof body.code === 'string' ? body.code : null;
}
