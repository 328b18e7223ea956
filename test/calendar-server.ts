// A server of calendars of our own: HTTPS on this machine with a certificate made for it. What it answers at a path is said by the test.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from './push-service.ts';

/** An event as a calendar writes it. */
export interface SampleEvent {
  readonly uid: string;
  readonly title: string;
  /** `20261121T090000Z`, or `20261121` for a day. */
  readonly start: string;
  readonly end: string;
  readonly more?: readonly string[];
}

const property = (name: string, time: string) =>
  time.includes('T') ? `${name}:${time}` : `${name};VALUE=DATE:${time}`;

/** A calendar file with these events. */
export function calendarFile(events: readonly SampleEvent[], name = 'Work'): string {
  const entries = events.map(({ uid, title, start, end, more = [] }) =>
    [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      'DTSTAMP:20261101T000000Z',
      property('DTSTART', start),
      property('DTEND', end),
      `SUMMARY:${title}`,
      ...more,
      'END:VEVENT',
    ].join('\r\n'),
  );
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', `X-WR-CALNAME:${name}`];
  return [...head, ...entries, 'END:VCALENDAR', ''].join('\r\n');
}

type Answering = (response: ServerResponse, headers: IncomingHttpHeaders) => void;

export interface CalendarServer {
  /** PEM, to be trusted. */
  readonly ca: string;
  /** `https://127.0.0.1:port`. */
  readonly origin: string;
  /** Paths that were asked, in order. */
  readonly asked: string[];
  /** What a path answers from now on. Others answer 404. */
  at(path: string, answer: Answering): string;
  /** A file with its ETag: 304 for who has it. */
  file(path: string, text: string, etag?: string): string;
  close(): Promise<void>;
}

export async function startCalendarServer(): Promise<CalendarServer> {
  const { key, cert } = makeCertificate();
  const answers = new Map<string, Answering>();
  const asked: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers.get(path);
    if (answer) answer(response, request.headers);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = (path: string, answer: Answering) => {
    answers.set(path, answer);
    return `${origin}${path}`;
  };
  return {
    ca: cert,
    origin,
    asked,
    at,
    file: (path, text, etag) =>
      at(path, (response, headers) => {
        if (etag !== undefined && headers['if-none-match'] === etag) response.writeHead(304).end();
        else
          response
            .writeHead(200, { 'content-type': 'text/calendar', ...(etag === undefined ? {} : { etag }) })
            .end(text);
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
