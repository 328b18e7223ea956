// The bus between processes that share a PostgreSQL: LISTEN and NOTIFY on a dedicated connection. Only ids and versions are
// sent, batched for 25 ms. A lost connection is reopened; the next pull makes up for messages missed meanwhile.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import * as z from 'zod';
import { type PresenceNews, presenceNewsSchema } from '#wire/presence.ts';
import { idSchema } from '#wire/values.ts';
import type { Id } from '#core/ids.ts';
import { isRecord } from '#core/json.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import { createBus, type Bus, type BusMessage } from './bus.ts';

const CHANNEL = 'posthaste';
/** Of its own: earlier programs would take what they do not know there for something to fetch. */
const PRESENCE_CHANNEL = 'posthaste_presence';
const COALESCE_MS = 25;
/** PostgreSQL takes less than 8,000 bytes in one notification. */
const PAYLOAD_ENTRIES = 120;
const PAYLOAD_BYTES = 7_500;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 10_000;
const CONNECT_MS = 2_000;

const payloadSchema = z.object({
  node: z.string(),
  scopes: z.array(z.tuple([idSchema, z.int().min(0)])),
  sessions: z.array(idSchema),
  /** Accounts whose roles have changed; an earlier program leaves them out. */
  accounts: z.optional(z.array(z.int())),
  /** Accounts for whose devices a run of a macro waits; likewise. */
  runs: z.optional(z.array(z.int())),
  /** Accounts whose calendars have changed; likewise. */
  calendars: z.optional(z.array(z.int())),
  /** Accounts whose plans have changed; likewise. */
  plans: z.optional(z.array(z.int())),
});
type Payload = z.infer<typeof payloadSchema>;

/** What other processes have to say, as far as it is understood. */
interface Heard {
  readonly node: string;
  /** Null: nothing of it. */
  readonly payload: Payload | null;
  /** There was more, which a newer process means. */
  readonly hasMore: boolean;
}

export interface PostgresBusPorts {
  readonly url: string;
  readonly log: Logger;
}

class PostgresBus implements Bus {
  readonly isShared = true;
  readonly #ports: PostgresBusPorts;
  readonly #node = randomUUID();
  readonly #local = createBus();
  /** Waiting news: newest version by scope. */
  readonly #versions = new Map<Id, number>();
  readonly #sessions = new Set<Id>();
  readonly #accounts = new Set<number>();
  readonly #runs = new Set<number>();
  readonly #calendars = new Set<number>();
  readonly #plans = new Set<number>();
  /** The name under which this process tells of people; its own words come back to it. */
  #teller: string | null = null;
  #client: pg.Client | null = null;
  #isClosed = false;
  #retryMs = FIRST_RETRY_MS;
  #flushTimer: NodeJS.Timeout | undefined;
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(ports: PostgresBusPorts) {
    this.#ports = ports;
  }

  async connect(): Promise<void> {
    const { url, log } = this.#ports;
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: 'posthaste-bus',
      keepAlive: true,
    });
    client.on('notification', ({ channel, payload }) => {
      if (channel === CHANNEL) this.#receive(payload);
      else this.#receivePresence(payload);
    });
    client.on('error', (error) => log.error('bus_lost', errorDetail(error)));
    client.on('end', () => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#reconnect();
    });
    await client.connect();
    try {
      await client.query(`LISTEN ${CHANNEL}`);
      await client.query(`LISTEN ${PRESENCE_CHANNEL}`);
    } catch (error) {
      await client.end();
      throw error;
    }
    this.#client = client;
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#isWaiting()) this.#scheduleFlush();
  }

  publish(message: BusMessage): void {
    if (message.type === 'presence') return void this.#tellPresence(message.news);
    this.#local.publish(message);
    if (message.type === 'changed') this.#keep({ scopes: [[message.scope, message.to]], sessions: [] });
    else if (message.type === 'ended') this.#keep({ scopes: [], sessions: [...message.sessions] });
    else if (message.type === 'roles')
      this.#keep({ scopes: [], sessions: [], accounts: [...message.accounts] });
    else if (message.type === 'runs') this.#keep({ scopes: [], sessions: [], runs: [message.account] });
    else if (message.type === 'calendars')
      this.#keep({ scopes: [], sessions: [], calendars: [message.account] });
    else if (message.type === 'plan') this.#keep({ scopes: [], sessions: [], plans: [message.account] });
    this.#scheduleFlush();
  }

  subscribe(listener: (message: BusMessage) => void): () => void {
    return this.#local.subscribe(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#flushTimer);
    clearTimeout(this.#retryTimer);
    await this.#flush();
    const client = this.#client;
    this.#client = null;
    await client?.end();
    await this.#local.close();
  }

  /** At once, as it is gathered already; what cannot be sent now is worth nothing later. */
  async #tellPresence(news: PresenceNews): Promise<void> {
    this.#teller = news.node;
    try {
      for (const part of inParts(news))
        await this.#client?.query('SELECT pg_notify($1, $2)', [PRESENCE_CHANNEL, part]);
    } catch (error) {
      this.#ports.log.debug('presence_not_told', errorDetail(error));
    }
  }

  #receivePresence(text: string | undefined): void {
    const news = readPresence(text);
    if (news !== null && news.node !== this.#teller) this.#local.publish({ type: 'presence', news });
  }

  #receive(text: string | undefined): void {
    const heard = readPayload(text);
    if (!heard || heard.node === this.#node) return;
    const {
      scopes = [],
      sessions = [],
      accounts = [],
      runs = [],
      calendars = [],
      plans = [],
    } = heard.payload ?? {};
    if (accounts.length > 0) this.#local.publish({ type: 'roles', accounts });
    for (const [scope, to] of scopes) this.#local.publish({ type: 'changed', scope, to });
    if (sessions.length > 0) this.#local.publish({ type: 'ended', sessions });
    // After the rows that it is about.
    for (const account of runs) this.#local.publish({ type: 'runs', account });
    for (const account of calendars) this.#local.publish({ type: 'calendars', account });
    for (const account of plans) this.#local.publish({ type: 'plan', account });
    if (heard.hasMore) this.#local.publish({ type: 'unknown' });
  }

  #reconnect(): void {
    if (this.#isClosed || this.#retryTimer) return;
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
      this.connect().catch((error: unknown) => {
        this.#ports.log.error('bus_unreachable', errorDetail(error));
        this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
        this.#reconnect();
      });
    }, this.#retryMs);
  }

  #scheduleFlush(): void {
    this.#flushTimer ??= setTimeout(() => void this.#flush(), COALESCE_MS);
  }

  async #flush(): Promise<void> {
    this.#flushTimer = undefined;
    while (this.#client && this.#isWaiting()) {
      const payload = this.#take();
      try {
        await this.#client.query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify(payload)]);
      } catch (error) {
        this.#ports.log.error('notify_failed', errorDetail(error));
        this.#keep(payload);
        return;
      }
    }
  }

  #take(): Payload {
    const scopes = [...this.#versions].slice(0, PAYLOAD_ENTRIES);
    const sessions = [...this.#sessions].slice(0, PAYLOAD_ENTRIES - scopes.length);
    for (const [scope] of scopes) this.#versions.delete(scope);
    for (const id of sessions) this.#sessions.delete(id);
    const accounts = [...this.#accounts].slice(0, PAYLOAD_ENTRIES - scopes.length - sessions.length);
    for (const account of accounts) this.#accounts.delete(account);
    const left = PAYLOAD_ENTRIES - scopes.length - sessions.length - accounts.length;
    const runs = [...this.#runs].slice(0, left);
    for (const account of runs) this.#runs.delete(account);
    const calendars = [...this.#calendars].slice(0, left - runs.length);
    for (const account of calendars) this.#calendars.delete(account);
    const plans = [...this.#plans].slice(0, left - runs.length - calendars.length);
    for (const account of plans) this.#plans.delete(account);
    return {
      node: this.#node,
      scopes,
      sessions,
      ...(accounts.length === 0 ? {} : { accounts }),
      ...(runs.length === 0 ? {} : { runs }),
      ...(calendars.length === 0 ? {} : { calendars }),
      ...(plans.length === 0 ? {} : { plans }),
    };
  }

  #isWaiting(): boolean {
    const waiting = [
      this.#versions,
      this.#sessions,
      this.#accounts,
      this.#runs,
      this.#calendars,
      this.#plans,
    ];
    return waiting.some(({ size }) => size > 0);
  }

  #keep({
    scopes,
    sessions,
    accounts = [],
    runs = [],
    calendars = [],
    plans = [],
  }: Omit<Payload, 'node'>): void {
    for (const [scope, to] of scopes) this.#versions.set(scope, Math.max(to, this.#versions.get(scope) ?? 0));
    for (const id of sessions) this.#sessions.add(id);
    for (const account of accounts) this.#accounts.add(account);
    for (const account of runs) this.#runs.add(account);
    for (const account of calendars) this.#calendars.add(account);
    for (const account of plans) this.#plans.add(account);
  }
}

/** Rejects when the database cannot be reached at the start. */
export async function createPostgresBus(ports: PostgresBusPorts): Promise<Bus> {
  const bus = new PostgresBus(ports);
  await bus.connect();
  return bus;
}

function readPayload(text: string | undefined): Heard | null {
  try {
    const json: unknown = JSON.parse(text ?? '');
    if (!isRecord(json) || typeof json['node'] !== 'string') return null;
    const { success, data } = payloadSchema.safeParse(json);
    const hasMore = !success || Object.keys(json).some((key) => !Object.hasOwn(payloadSchema.shape, key));
    return { node: json['node'], payload: data ?? null, hasMore };
  } catch {
    // Another program's notification on our channel.
    return null;
  }
}

/** What is too large for one notification goes in several. */
function inParts(news: PresenceNews): readonly string[] {
  const text = JSON.stringify(news);
  if (text.length <= PAYLOAD_BYTES || news.who.length < 2) return text.length <= PAYLOAD_BYTES ? [text] : [];
  const half = Math.ceil(news.who.length / 2);
  const [first, second] = [news.who.slice(0, half), news.who.slice(half)];
  return [...inParts({ ...news, who: first }), ...inParts({ ...news, who: second, gone: [] })];
}

function readPresence(text: string | undefined): PresenceNews | null {
  try {
    return presenceNewsSchema.safeParse(JSON.parse(text ?? '')).data ?? null;
  } catch {
    // Not ours.
    return null;
  }
}
