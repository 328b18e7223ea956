// Which door has which limit, the way an operator changes that (RATE_LIMITS), and the limiter that all doors ask.
import type { Clock } from '#sync/ports.ts';
import type { LimitJournal } from './journal.ts';
import { createWindows, type Refused, type Taken, type Window } from './window.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const windows = (...pairs: readonly (readonly [count: number, windowMs: number])[]): readonly Window[] =>
  pairs.map(([count, windowMs]) => ({ count, windowMs }));

/** Keyed by address (`_ip`), by account, or by link, as the name says. */
export const defaultRates = {
  listing: windows([10, MINUTE], [200, HOUR]),
  reading: windows([60, MINUTE], [1_000, HOUR]),
  writing: windows([60, MINUTE], [1_000, HOUR]),
  sign_in_ip: windows([25, 5 * MINUTE]),
  sign_in_account: windows([25, HOUR]),
  uploading: windows([500, HOUR]),
  promo: windows([20, HOUR]),
  proof: windows([60, 10 * MINUTE]),
  sign_up_ip: windows([5, 30 * MINUTE]),
  live_connect_ip: windows([60, MINUTE]),
  site_sign_up_ip: windows([5, HOUR]),
  site_sign_up_address: windows([1, 24 * HOUR]),
  site_lookup_ip: windows([30, MINUTE]),
  site_visit_ip: windows([30, MINUTE]),
  site_message_ip: windows([5, HOUR]),
  reset_ask_ip: windows([25, 5 * MINUTE]),
  reset_ask_address: windows([5, 30 * MINUTE]),
  reset_use_ip: windows([25, 5 * MINUTE]),
  mail_address: windows([60, MINUTE]),
  mail_list: windows([60, MINUTE]),
} as const satisfies Readonly<Record<string, readonly Window[]>>;

export type RateName = keyof typeof defaultRates;

/** Empty: nothing is limited. */
export type Rates = Partial<Readonly<Record<RateName, readonly Window[]>>>;

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR };

function parseWindow(text: string): Window | string {
  const match = /^(\d{1,9})\/(\d{0,5})([smh])$/.exec(text);
  const count = Number(match?.[1]);
  const windowMs = Number(match?.[2] || 1) * (UNITS[match?.[3] ?? ''] ?? 0);
  if (!match || count < 1 || windowMs < 1) return `"${text}" is not like 60/1m or 1000/1h`;
  return { count, windowMs };
}

/** Reads `default`, `off`, or figures for some doors: `listing=20/1m+400/1h,sign_up_ip=50/30m`. The message says what is wrong. */
export function parseRates(text: string): Rates | string {
  if (text === 'default') return defaultRates;
  if (text === 'off') return {};
  const rates: Record<string, readonly Window[]> = { ...defaultRates };
  for (const part of text.split(',')) {
    const [name = '', figures = '', ...rest] = part.trim().split('=');
    if (!Object.hasOwn(defaultRates, name) || rest.length > 0)
      return `"${name}" is not one of ${Object.keys(defaultRates).join(', ')}`;
    const parsed = figures.split('+').map(parseWindow);
    const wrong = parsed.find((window) => typeof window === 'string');
    if (wrong !== undefined) return wrong;
    rates[name] = parsed.filter((window) => typeof window !== 'string');
  }
  return rates;
}

export interface Limiter {
  /**
   * Asks for one call and counts it. A door without a limit always allows. `figures` are the key's own limits, in the
   * words of RATE_LIMITS; what cannot be read of them counts as absent.
   */
  take(door: RateName, key: string, figures?: string | null): Taken | Refused;
  giveBack(door: RateName, key: string): void;
}

/** Different figures of accounts that are kept read. */
const KEPT_FIGURES = 1_000;
const UNLIMITED: Taken = { allowed: true, limit: 0, remaining: 0, resetMs: 0 };

/** With a journal the limiter goes on where an earlier one stopped, however that ended. */
export function createLimiter(rates: Rates, clock: Clock, journal: LimitJournal | null = null): Limiter {
  const doors = new Map(
    Object.entries(rates).map(([name, list]) => [
      name,
      { windows: createWindows(list), longestMs: Math.max(...list.map(({ windowMs }) => windowMs)) },
    ]),
  );
  const read = new Map<string, Rates | null>();
  const now = clock.monotonic();
  const wallToMonotonic = now - clock.now();
  for (const { door, key, times } of journal?.read() ?? []) {
    // A wall clock that was set back must not put calls into the future, where they would block for longer.
    const known = times.map((time) => Math.min(time + wallToMonotonic, now));
    doors.get(door)?.windows.restore({ key, times: known });
  }

  function own(figures: string): Rates | null {
    const known = read.get(figures);
    if (known !== undefined) return known;
    const parsed = parseRates(figures);
    const found = typeof parsed === 'string' ? null : parsed;
    if (read.size >= KEPT_FIGURES) read.clear();
    read.set(figures, found);
    return found;
  }

  return {
    take(door, key, figures) {
      const rules = figures ? own(figures) : null;
      if (rules !== null && rules[door] === undefined) return UNLIMITED;
      const known = doors.get(door);
      if (!known) return UNLIMITED;
      const taken = known.windows.take(key, clock.monotonic(), rules?.[door]);
      if (taken.allowed) journal?.counted(door, key, known.longestMs);
      return taken;
    },
    giveBack(door, key) {
      const known = doors.get(door);
      known?.windows.giveBack(key);
      if (known) journal?.givenBack(door, key, known.longestMs);
    },
  };
}
