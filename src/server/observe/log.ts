// The log: one JSON line per request and per event. Only listed fields can be written, so callers cannot leak anything
// else. Bodies, titles, queries, addresses, tokens and cookies have no field.
import { DAY_MS } from '#core/time.ts';
import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '#sync/replica/ports.ts';
import type { LogLevel } from '../config.ts';

export interface RequestLine {
  readonly id: string;
  readonly method: string;
  /** The route's template, never the requested path. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly account: number | null;
  readonly bytes: number | null;
}

/** Fields of an event: numbers, and words from our own code. */
export interface EventDetail {
  readonly request?: string;
  readonly count?: number;
  readonly ms?: number;
  readonly version?: number;
  readonly port?: number;
  /** Id of a task or list, which reveals nothing of its content. */
  readonly row?: string;
  /** Name of an error's class or its system code. */
  readonly error?: string;
  /** Where it was thrown: function names and line numbers of our own files, without the message. */
  readonly stack?: string;
}

/** Writes log lines at or above the configured level. */
export interface Logger {
  request(line: RequestLine): void;
  debug(event: string, detail?: EventDetail): void;
  info(event: string, detail?: EventDetail): void;
  error(event: string, detail?: EventDetail): void;
}

export interface LogPorts {
  readonly level: LogLevel;
  readonly clock: Clock;
  readonly write: (line: string) => void;
}

const WEIGHT: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, error: 2, off: 3 };

/**
 * The loggable facts of a thrown value: its class, its system code, and where it came from. Not its message, which quotes
 * the data being processed.
 */
export function errorDetail(error: unknown): { readonly error: string; readonly stack?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = (error as NodeJS.ErrnoException).code;
  const name = error.constructor.name === 'Object' ? 'Error' : error.constructor.name;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const stack = frames
    .slice(0, 12)
    .map((line) => line.trim().replace(/(?:file:\/\/)?[^\s(]*?\/(src|node_modules|scripts|test)\//, '$1/'))
    .join(' | ');
  return { error: typeof code === 'string' ? `${name} ${code}` : name, stack };
}

const KEPT_PSEUDONYMS = 10_000;

/** Accounts appear under a pseudonym that changes every day, by a key that is never stored. */
function createPseudonyms(clock: Clock): (account: number) => string {
  let day = -1;
  let key = randomBytes(32);
  const kept = new Map<number, string>();
  return (account) => {
    const today = Math.floor(clock.now() / DAY_MS);
    if (today !== day) {
      day = today;
      key = randomBytes(32);
      kept.clear();
    }
    const known = kept.get(account);
    if (known !== undefined) return known;
    const made = createHmac('sha256', key).update(String(account)).digest('base64url').slice(0, 12);
    if (kept.size >= KEPT_PSEUDONYMS) kept.clear();
    kept.set(account, made);
    return made;
  };
}

/** A logger that writes JSON lines through `write`. */
export function createLogger({ level, clock, write }: LogPorts): Logger {
  const pseudonym = createPseudonyms(clock);
  const isWritten = (lineLevel: 'debug' | 'info' | 'error') => WEIGHT[lineLevel] >= WEIGHT[level];

  function line(lineLevel: 'debug' | 'info' | 'error', fields: Readonly<Record<string, unknown>>): void {
    if (!isWritten(lineLevel)) return;
    write(`${JSON.stringify({ time: new Date(clock.now()).toISOString(), level: lineLevel, ...fields })}\n`);
  }

  function event(lineLevel: 'debug' | 'info' | 'error', name: string, detail: EventDetail = {}): void {
    const { request, count, ms, version, port, row, error, stack } = detail;
    line(lineLevel, { event: name, request, count, ms, version, port, row, error, stack });
  }

  return {
    request({ id, method, route, status, ms, account, bytes }) {
      const lineLevel = status >= 500 ? 'error' : 'info';
      if (!isWritten(lineLevel)) return;
      line(lineLevel, {
        request: id,
        method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        account: account === null ? null : pseudonym(account),
        bytes,
      });
    },
    debug: (name, detail) => event('debug', name, detail),
    info: (name, detail) => event('info', name, detail),
    error: (name, detail) => event('error', name, detail),
  };
}
