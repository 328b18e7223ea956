// The app's engine over whichever of several servers is at hand: each request may go to another one, and the socket to yet another.
import { WebSocket } from 'ws';
import { partFromWire } from '#sync/rows/codec.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage } from '#sync/replica/memory-storage.ts';
import type { Clock, LiveListener, Random, Timers, Transport, TransportAnswer } from '#sync/replica/ports.ts';
import type { Engine } from '#sync/replica/replica-types.ts';
import { liveMessageSchema } from '#wire/live.ts';
import { registerChecks } from '#wire/registers.ts';
import type { SyncResponse, WirePartPage } from '#wire/sync.ts';
import type { SeededRandom } from '../../simulator/random.ts';
import type { SignedUp } from '../server-child.ts';
import type { SentOperation } from './witness.ts';

/** As patient as the app: on a busy machine an answer takes seconds. */
const PATIENCE_MS = 20_000;
const AGAIN_MS = 150;
/** Devices wait for less than people's do: the servers are back soon. */
const HURRY = 8;

/** Each device makes the Inbox; somebody else has written the same title since. */
const HARMLESS: ReadonlySet<string> = new Set(['exists', 'superseded']);

/** What a device brings back, another one may have brought back before. */
const isHarmless = ({ a }: SentOperation, verdict: string) =>
  HARMLESS.has(verdict) || (a === 'reoffer' && verdict === 'already');

const clock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
const random: Random = {
  fill: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
  fraction: () => Math.random(),
};
const timers: Timers = {
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs <= 0 ? 1 : delayMs / HURRY);
    return () => clearTimeout(timer);
  },
  soon: (work) => void setImmediate(work),
};

/** What was seen on the way between one device and the servers. */
export interface Seen {
  /** Operations that were acknowledged, by their ids. */
  readonly acknowledged: Map<string, SentOperation>;
  /** What contradicts what was said before. */
  readonly problems: string[];
  rollbacks: number;
}

export interface WireOptions {
  readonly random: SeededRandom;
  /** How long an answer may take. */
  readonly patienceMs?: number;
}

/** `addresses`: of the servers that are there now. */
export function createWire(
  addresses: () => readonly string[],
  { cookie }: SignedUp,
  { random: draw, patienceMs = PATIENCE_MS }: WireOptions,
) {
  const seen: Seen = { acknowledged: new Map(), problems: [], rollbacks: 0 };
  const reached = new Map<string, number>();
  let listener: LiveListener | null = null;
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | undefined;
  const somewhere = () => {
    const there = addresses();
    return there[draw.below(Math.max(1, there.length))] ?? null;
  };

  async function ask<T>(path: string, body?: unknown): Promise<TransportAnswer<T>> {
    const address = somewhere();
    if (address === null) return { ok: false, problem: { type: 'offline' } };
    try {
      const response = await fetch(`${address}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { origin: address, cookie, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(patienceMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) return { ok: true, value: JSON.parse(text) as T };
      if (response.status < 500 && response.status !== 429) seen.problems.push(`${response.status}: ${text}`);
      return { ok: false, problem: { type: 'busy', retryAfterMs: AGAIN_MS } };
    } catch {
      return { ok: false, problem: { type: 'offline' } };
    }
  }

  function connect(): void {
    clearTimeout(timer);
    const on = listener;
    const address = somewhere();
    const again = () => {
      if (listener !== null) timer = setTimeout(connect, AGAIN_MS);
    };
    if (on === null || address === null) return again();
    const opened = new WebSocket(`${address.replace('http', 'ws')}/live`, {
      headers: { origin: address, cookie },
    });
    socket = opened;
    opened.on('error', () => undefined);
    opened.on('close', again);
    opened.on('open', () => {
      opened.send(JSON.stringify({ type: 'hello', ...on.hello() }));
      on.open();
    });
    opened.on('message', (data: Buffer) => {
      const message = liveMessageSchema.safeParse(JSON.parse(data.toString()));
      if (!message.success || listener === null) return;
      if (message.data.type === 'poke') on.poke(message.data.scope, message.data.to);
      else if (message.data.type === 'delta') on.delta(message.data.changes);
    });
  }

  function look(request: Parameters<Transport['sync']>[0], { results, changes }: SyncResponse): void {
    const verdicts = new Map(results);
    for (const operation of request.ops as readonly (SentOperation & { readonly q: number })[]) {
      const { q, u } = operation;
      const verdict = verdicts.get(q);
      if (verdict === 'ok') seen.acknowledged.set(u, operation);
      else if (verdict !== undefined && !isHarmless(operation, verdict))
        seen.problems.push(`${operation.a} ${u}: ${verdict}`);
    }
    for (const { scope, to, rollback } of changes) {
      if (rollback !== undefined) seen.rollbacks += 1;
      else if (to < (reached.get(scope) ?? 0))
        seen.problems.push(`went back from ${reached.get(scope)} to ${to}`);
      reached.set(scope, to);
    }
  }

  const transport: Transport = {
    async sync(request) {
      const answer = await ask<SyncResponse>('/sync/v1', request);
      if (answer.ok) look(request, answer.value);
      return answer;
    },
    async snapshot(scope, { part, after }) {
      const place = after === null ? `part=${part}` : `part=${part}&after=${after}`;
      const page = await ask<WirePartPage>(`/snapshot/v1/${scope}?${place}`);
      return page.ok ? { ok: true, value: partFromWire(page.value) } : page;
    },
    listen(on) {
      listener = on;
      connect();
      return () => {
        listener = null;
        clearTimeout(timer);
        socket?.terminate();
      };
    },
  };
  return { transport, seen };
}

export async function openEngine({ scope, account }: SignedUp, transport: Transport): Promise<Engine> {
  const engine = createEngine(
    { storage: createMemoryStorage(), transport, clock, timers, random, checks: registerChecks },
    { scope, account },
  );
  await engine.open();
  await engine.loaded();
  return engine;
}
