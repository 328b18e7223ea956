// The bus between processes that share a PostgreSQL: LISTEN and NOTIFY on a connection of its own. Only ids and versions
// travel; what happens within 25 ms travels together. A lost connection is opened again; what was missed meanwhile the
// next pull makes up for.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import * as z from 'zod';
import { idSchema } from '#wire/values.ts';
import type { Id } from '#core/ids.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import { createBus, type Bus, type BusMessage } from './bus.ts';

const CHANNEL = 'posthaste';
const COALESCE_MS = 25;
/** PostgreSQL takes less than 8,000 bytes in one notification. */
const PAYLOAD_ENTRIES = 120;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 10_000;
const CONNECT_MS = 2_000;

const payloadSchema = z.strictObject({
  node: z.string(),
  scopes: z.array(z.tuple([idSchema, z.int().min(0)])),
  sessions: z.array(idSchema),
});
type Payload = z.infer<typeof payloadSchema>;

export interface PostgresBusPorts {
  readonly url: string;
  readonly log: Logger;
}

/** Rejects when the database cannot be reached at the start. */
export async function createPostgresBus({ url, log }: PostgresBusPorts): Promise<Bus> {
  const node = randomUUID();
  const local = createBus();
  const versions = new Map<Id, number>();
  const sessions = new Set<Id>();
  let client: pg.Client | null = null;
  let isClosed = false;
  let retryMs = FIRST_RETRY_MS;
  let flushTimer: NodeJS.Timeout | undefined;
  let retryTimer: NodeJS.Timeout | undefined;

  function receive(text: string | undefined): void {
    const payload = readPayload(text);
    if (!payload || payload.node === node) return;
    for (const [scope, to] of payload.scopes) local.publish({ type: 'changed', scope, to });
    if (payload.sessions.length > 0) local.publish({ type: 'ended', sessions: payload.sessions });
  }

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: 'posthaste-bus',
      keepAlive: true,
    });
    fresh.on('notification', ({ payload }) => receive(payload));
    fresh.on('error', (error) => log.error('bus_lost', errorDetail(error)));
    fresh.on('end', () => {
      if (client !== fresh) return;
      client = null;
      reconnect();
    });
    await fresh.connect();
    await fresh.query(`LISTEN ${CHANNEL}`);
    client = fresh;
    retryMs = FIRST_RETRY_MS;
    if (versions.size + sessions.size > 0) scheduleFlush();
  }

  function reconnect(): void {
    if (isClosed || retryTimer) return;
    retryTimer = setTimeout(() => {
      retryTimer = undefined;
      connect().catch((error: unknown) => {
        log.error('bus_unreachable', errorDetail(error));
        retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
        reconnect();
      });
    }, retryMs);
  }

  function take(): Payload {
    const scopes = [...versions].slice(0, PAYLOAD_ENTRIES);
    const ended = [...sessions].slice(0, PAYLOAD_ENTRIES - scopes.length);
    for (const [scope] of scopes) versions.delete(scope);
    for (const id of ended) sessions.delete(id);
    return { node, scopes, sessions: ended };
  }

  async function flush(): Promise<void> {
    flushTimer = undefined;
    while (client && versions.size + sessions.size > 0) {
      const payload = take();
      try {
        await client.query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify(payload)]);
      } catch (error) {
        log.error('notify_failed', errorDetail(error));
        keep(payload);
        return;
      }
    }
  }

  /** Puts back what was not sent, unless something newer waits already. */
  function keep(payload: Payload): void {
    for (const [scope, to] of payload.scopes) versions.set(scope, Math.max(to, versions.get(scope) ?? 0));
    for (const id of payload.sessions) sessions.add(id);
  }

  function scheduleFlush(): void {
    flushTimer ??= setTimeout(() => void flush(), COALESCE_MS);
  }

  await connect();
  return {
    publish(message: BusMessage) {
      local.publish(message);
      if (message.type === 'changed')
        versions.set(message.scope, Math.max(message.to, versions.get(message.scope) ?? 0));
      else for (const id of message.sessions) sessions.add(id);
      scheduleFlush();
    },
    subscribe: (listener) => local.subscribe(listener),
    async close() {
      isClosed = true;
      clearTimeout(flushTimer);
      clearTimeout(retryTimer);
      await flush();
      const last = client;
      client = null;
      await last?.end();
      await local.close();
    },
  };
}

function readPayload(text: string | undefined): Payload | null {
  try {
    const parsed = payloadSchema.safeParse(JSON.parse(text ?? ''));
    return parsed.success ? parsed.data : null;
  } catch {
    // Somebody else's notification on our channel.
    return null;
  }
}
