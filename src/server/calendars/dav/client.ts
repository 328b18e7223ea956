// Asks a CalDAV server, and has its answers read in the thread. What is asked for is said by discovery.ts and collection.ts.
import type { CalendarWindow } from '#core/calendar/events.ts';
import { failed, ok, type Result } from '#core/result.ts';
import {
  type DavCall,
  type FetchFailure,
  type Fetching,
  isOfSite,
  isPlainer,
  withLogin,
} from '../fetching.ts';
import type { CalendarReader } from '../reader.ts';
import type { ReadAnswer } from '../reading-worker.ts';

/** An answer, and the address that gave it. */
export interface Answered {
  readonly at: URL;
  readonly answer: ReadAnswer;
}

/** Asks CalDAV servers. Addresses have the name and the password in them. */
export interface DavClient {
  /** Never rejects. Events of files in the answer are those of the window. */
  ask(address: URL, call: DavCall, window?: CalendarWindow): Promise<Result<Answered, FetchFailure>>;
}

const NO_WINDOW: CalendarWindow = { from: 0, to: 0, zone: 'UTC' };

/** Through the guard of addresses. */
export function createDavClient(ports: {
  readonly fetching: Fetching;
  readonly reader: CalendarReader;
}): DavClient {
  const { fetching, reader } = ports;
  return {
    async ask(address, call, window = NO_WINDOW) {
      const sent = await fetching.send(address, call);
      if (!sent.ok) return sent;
      const { at, bytes } = sent.value;
      const read = await reader.readDav({ bytes, window });
      return read.ok ? ok({ at, answer: read.value }) : failed({ problem: read.problem, afterMs: 0 });
    },
  };
}

/** The address that an answer names, with the password where its host may have it; null: it is none, of another site, or would give up encryption. */
export function follow(href: string, from: URL): URL | null {
  if (href === '' || !URL.canParse(href, from)) return null;
  const url = new URL(href, from);
  return isOfSite(from.hostname, url.hostname) && !isPlainer(from, url) ? withLogin(url, from) : null;
}
