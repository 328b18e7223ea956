// A server with calendars of other programs, and what its tests ask of it.
import type { CalendarsBody, CalendarSource, CalendarWindowBody } from '#wire/calendars.ts';
import { createTestServer, type TestServer } from './harness.ts';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

export interface Answered {
  readonly status: number;
  readonly body: CalendarsBody & { readonly code?: string; readonly message?: string; readonly why?: string };
}

export interface CalendarWorld {
  readonly server: TestServer;
  /** Any call about calendars, below their path. */
  ask(cookie: string, method: string, path: string, body?: unknown): Promise<Answered>;
  add(cookie: string, address: string, more?: object): Promise<Answered>;
  list(cookie: string): Promise<readonly CalendarSource[]>;
  titles(cookie: string): Promise<readonly string[]>;
  /** Lets time pass, and asks what is due. Resolves with how many were asked. */
  poll(minutes?: number): Promise<number>;
}

/** `ca`: the certificate of the servers on this machine that may be asked. */
export async function calendarWorld(
  ca: string,
  patience: { readonly fetchMs?: number; readonly readMs?: number; readonly fileBytes?: number } = {},
): Promise<CalendarWorld> {
  const server = await createTestServer({
    environment: { CALENDAR_NETWORKS: '127.0.0.1/32' },
    pushCa: ca,
    calendarPatience: { fetchMs: 5_000, fileBytes: 200_000, ...patience },
  });
  async function ask(cookie: string, method: string, path: string, body?: unknown): Promise<Answered> {
    const answer = await server.ask(`/app/api/calendars${path}`, {
      method,
      cookie,
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, body: (await answer.json()) as Answered['body'] };
  }
  return {
    server,
    ask,
    add: (cookie, address, more = {}) => ask(cookie, 'POST', '', { address, ...more }),
    list: async (cookie) => (await ask(cookie, 'GET', '')).body.calendars,
    async titles(cookie) {
      const now = server.clock.now();
      const path = `/app/api/calendars/window?from=${now - 30 * DAY}&to=${now + 100 * DAY}`;
      const { calendars } = (await (await server.ask(path, { cookie })).json()) as CalendarWindowBody;
      return calendars.flatMap(({ events }) => events.map(({ title }) => title));
    },
    async poll(minutes = 16) {
      server.clock.pass(minutes * MINUTE);
      return await server.services.calendars.polling.round();
    },
  };
}
