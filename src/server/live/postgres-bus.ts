// The line between processes that share a PostgreSQL: LISTEN and NOTIFY on a dedicated connection.
import { SERVER_PATIENCE, WatchedClient } from '../data/postgres/postgres-client.ts';
import { errorDetail, type Logger } from '../observe/log.ts';
import type { Bus } from './bus.ts';
import { type Channel, createSharedBus, type Line, type LineEvents } from './shared-bus.ts';

/** Presence and processes have their own: earlier programs would take what they do not know on the first for something to fetch. */
const CHANNELS: Readonly<Record<Channel, string>> = {
  news: 'posthaste',
  presence: 'posthaste_presence',
  nodes: 'posthaste_nodes',
};
const BY_NAME = new Map(Object.entries(CHANNELS).map(([channel, name]) => [name, channel as Channel]));
const CONNECT_MS = 2_000;

export interface PostgresBusPorts {
  readonly url: string;
  readonly log: Logger;
  readonly beatMs?: number;
}

async function openLine({ url, log }: PostgresBusPorts, on: LineEvents): Promise<Line> {
  const client = new WatchedClient({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'posthaste-bus',
    options: SERVER_PATIENCE,
  });
  client.on('notification', ({ channel, payload }) => {
    const known = BY_NAME.get(channel);
    if (known !== undefined) on.heard(known, payload ?? '');
  });
  client.on('error', (error) => log.error('bus_lost', errorDetail(error)));
  client.on('end', () => on.lost());
  await client.connect();
  try {
    for (const name of BY_NAME.keys()) await client.query(`LISTEN ${name}`);
  } catch (error) {
    await client.end();
    throw error;
  }
  // A connection takes one statement at a time.
  let last: Promise<unknown> = Promise.resolve();
  return {
    async send(channel, text) {
      const notify = () => client.query('SELECT pg_notify($1, $2)', [CHANNELS[channel], text]);
      await (last = last.then(notify, notify));
    },
    close: () => client.end(),
  };
}

/** Rejects when the database cannot be reached at the start. */
export function createPostgresBus(ports: PostgresBusPorts): Promise<Bus> {
  const { log, beatMs } = ports;
  return createSharedBus({
    open: (on) => openLine(ports, on),
    log,
    ...(beatMs === undefined ? {} : { beatMs }),
  });
}
