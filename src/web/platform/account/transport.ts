// The network of the replication engine (the Transport port): fetch for data, a WebSocket that only says "there is more".
import type { Id } from '#core/ids.ts';
import { failed, ok } from '#core/result.ts';
import type {
  LiveListener,
  PartPage,
  ServerTrouble,
  Transport,
  TransportAnswer,
  TransportFailure,
} from '#sync/replica/ports.ts';
import { partFromWire } from '#sync/rows/codec.ts';
import {
  newsMessageSchema,
  partPageSchema,
  type SnapshotPlace,
  syncErrorCodes,
  type SyncResponse,
  syncResponseSchema,
} from '#wire/sync.ts';
import { callServer, codeOf, messageOf, type Reply } from './http.ts';
import { liveLine } from './live-line.ts';

const TIMEOUT_MS = 30_000;
const BUSY_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
const SERVER_ERROR = 500;
const NO_ROOM = 507;

function troubleOf(status: number): { readonly trouble?: ServerTrouble } {
  if (status < SERVER_ERROR) return {};
  return { trouble: status === NO_ROOM ? 'full' : 'failing' };
}

function failureOf(reply: Reply): TransportFailure {
  if (reply.type === 'none') return { type: 'offline' };
  const { status, body, retryAfterMs } = reply;
  if (status === 401) return { type: 'signedOut' };
  if (status === 429 || status >= SERVER_ERROR)
    return { type: 'busy', retryAfterMs: retryAfterMs || BUSY_MS, ...troubleOf(status) };
  const code = syncErrorCodes.find((known) => known === codeOf(body));
  // Another code is no verdict on what was sent (a proxy, a wrong origin): worth trying again, later.
  if (code === undefined || code === 'busy' || code === 'signed_out')
    return { type: 'busy', retryAfterMs: retryAfterMs || BUSY_MS };
  return { type: 'refused', code, message: messageOf(body) ?? `The server answered ${status}.` };
}

interface Schema<T> {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false };
}

/** A body of another shape is not this server's word: treated as no answer, and tried again. */
function read<T>(reply: Reply, schema: Schema<T>): TransportAnswer<T> {
  if (reply.type === 'none' || reply.status !== 200) return failed(failureOf(reply));
  const parsed = schema.safeParse(reply.body);
  return parsed.success ? ok(parsed.data) : failed({ type: 'busy', retryAfterMs: BUSY_MS });
}

/** Keeps one socket open, with growing and jittered pauses. Nothing depends on it: a poke may lie or be lost. */
function createLive(on: LiveListener): () => void {
  let socket: WebSocket | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** The server that says goodbye asks for it. */
  let pause = 0;
  let isStopped = false;

  function wait(): number {
    const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
    return longest * (0.5 + Math.random() / 2) + pause;
  }

  function onMessage(event: MessageEvent<unknown>): void {
    if (typeof event.data !== 'string') return;
    let json: unknown;
    try {
      json = JSON.parse(event.data);
    } catch {
      // Not JSON is not ours; the next pull brings whatever it meant.
      return;
    }
    const message = newsMessageSchema.safeParse(json);
    // What else is said is for those who listen for it.
    if (!message.success) return liveLine.heard(json);
    const { data } = message;
    if (data.type === 'poke') on.poke(data.scope, data.to);
    else if (data.type === 'delta') on.delta(data.changes);
    else if (data.type === 'left') on.poke(data.scope, Number.MAX_SAFE_INTEGER);
    else if (data.reason === 'signed_out') on.signedOut();
    else pause = data.after ?? 0;
  }

  function connect(): void {
    clearTimeout(retry);
    if (isStopped || socket) return;
    const url = new URL('/live', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const opened = new WebSocket(url);
    socket = opened;
    opened.addEventListener('open', () => {
      failures = pause = 0;
      opened.send(JSON.stringify({ type: 'hello', ...on.hello() }));
      on.open();
      liveLine.opened((text) => opened.send(text));
    });
    opened.addEventListener('message', onMessage);
    opened.addEventListener('close', () => {
      if (socket !== opened) return;
      socket = null;
      liveLine.closed();
      if (isStopped) return;
      retry = setTimeout(connect, wait());
      failures += 1;
    });
  }

  // A regained network or window is a good moment; the pause may have grown long.
  const soon = () => {
    if (document.visibilityState === 'hidden') return;
    failures = 0;
    connect();
  };
  window.addEventListener('online', soon);
  document.addEventListener('visibilitychange', soon);
  connect();
  return () => {
    isStopped = true;
    clearTimeout(retry);
    window.removeEventListener('online', soon);
    document.removeEventListener('visibilitychange', soon);
    socket?.close();
  };
}

export function createBrowserTransport(): Transport {
  return {
    async sync(request) {
      const reply = await callServer({
        method: 'POST',
        path: '/sync/v1',
        body: request,
        timeoutMs: TIMEOUT_MS,
      });
      return read<SyncResponse>(reply, syncResponseSchema);
    },
    async snapshot(scope: Id, { part, after }: SnapshotPlace): Promise<TransportAnswer<PartPage>> {
      const query = after === null ? `?part=${part}` : `?part=${part}&after=${after}`;
      const reply = await callServer({
        method: 'GET',
        path: `/snapshot/v1/${scope}${query}`,
        timeoutMs: TIMEOUT_MS,
      });
      const page = read(reply, partPageSchema);
      if (!page.ok) return page;
      return ok(partFromWire(page.value));
    },
    listen: createLive,
  };
}
