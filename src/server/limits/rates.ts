// The rate limits by name, their configuration by the operator (RATE_LIMITS), and the limiter that all endpoints ask.
import { failed, ok, type Result } from '#core/result.ts';
import type { Clock } from '#sync/replica/ports.ts';
import type { LimitJournal } from './journal.ts';
import type { SharedLimits } from './shared-limits.ts';
import { createWindows, type Refused, type Taken, type Window } from './window.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const windows = (...pairs: readonly (readonly [count: number, windowMs: number])[]): readonly Window[] =>
  pairs.map(([count, windowMs]) => ({ count, windowMs }));

/** Keyed by network address (`_ip`), by account, by mail address (`_address`), or by link, as the name says. */
export const defaultRates = {
  listing: windows([10, MINUTE], [200, HOUR]),
  reading: windows([60, MINUTE], [1_000, HOUR]),
  writing: windows([60, MINUTE], [1_000, HOUR]),
  sign_in_ip: windows([25, 5 * MINUTE]),
  sign_in_account: windows([25, HOUR]),
  sign_in_code: windows([10, HOUR], [40, 24 * HOUR]),
  uploading: windows([500, HOUR]),
  promo: windows([20, HOUR]),
  billing: windows([60, MINUTE], [600, HOUR]),
  proof: windows([60, 10 * MINUTE]),
  sign_up_ip: windows([5, 30 * MINUTE]),
  live_connect_ip: windows([60, MINUTE]),
  site_sign_up_ip: windows([5, HOUR]),
  site_sign_up_address: windows([1, 24 * HOUR]),
  site_lookup_ip: windows([30, MINUTE]),
  site_visit_ip: windows([30, MINUTE]),
  site_message_ip: windows([5, HOUR]),
  reset_ask_ip: windows([25, 5 * MINUTE]),
  letter_address: windows([5, 30 * MINUTE], [20, 24 * HOUR]),
  letter_account: windows([10, 30 * MINUTE], [40, 24 * HOUR]),
  alarm_address: windows([1, 24 * HOUR]),
  contact_address: windows([30, HOUR]),
  reset_use_ip: windows([25, 5 * MINUTE]),
  mail_address: windows([60, MINUTE]),
  mail_list: windows([60, MINUTE]),
  sharing: windows([60, MINUTE], [1_000, HOUR]),
  share_link: windows([50, 24 * HOUR]),
  join_link: windows([100, HOUR]),
  pairing: windows([60, MINUTE]),
  calendars: windows([120, MINUTE]),
  calendar_add: windows([10, MINUTE], [60, HOUR]),
  calendar_feed: windows([30, MINUTE]),
  copying: windows([300, MINUTE]),
  macro_runs: windows([10, 10 * SECOND], [1_000, HOUR]),
  public_read: windows([120, MINUTE]),
  public_write: windows([60, MINUTE]),
  public_write_link: windows([600, MINUTE]),
  public_add_link: windows([1_000, 24 * HOUR]),
} as const satisfies Readonly<Record<string, readonly Window[]>>;

/** The name of a rate limit, as in RATE_LIMITS. */
export type RateName = keyof typeof defaultRates;

/** Empty: nothing is limited. */
export type Rates = Partial<Readonly<Record<RateName, readonly Window[]>>>;

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR };

function parseWindow(text: string): Result<Window, string> {
  const match = /^(\d{1,9})\/(\d{0,5})([smh])$/.exec(text);
  const count = Number(match?.[1]);
  const windowMs = Number(match?.[2] || 1) * (UNITS[match?.[3] ?? ''] ?? 0);
  if (!match || count < 1 || windowMs < 1) return failed(`"${text}" isn't like 60/1m or 1000/1h`);
  return ok({ count, windowMs });
}

/** Parses `default`, `off`, or figures for some rates: `listing=20/1m+400/1h,sign_up_ip=50/30m`. */
export function parseRates(text: string): Result<Rates, string> {
  if (text === 'default') return ok(defaultRates);
  if (text === 'off') return ok({});
  const rates: Record<string, readonly Window[]> = { ...defaultRates };
  for (const part of text.split(',')) {
    const [name = '', figures = '', ...rest] = part.trim().split('=');
    if (!Object.hasOwn(defaultRates, name) || rest.length > 0)
      return failed(`"${name}" is not one of ${Object.keys(defaultRates).join(', ')}`);
    const list: Window[] = [];
    for (const figure of figures.split('+')) {
      const parsed = parseWindow(figure);
      if (!parsed.ok) return parsed;
      list.push(parsed.value);
    }
    rates[name] = list;
  }
  return ok(rates);
}

/** Counts calls against the rate limits of this server. */
export interface Limiter {
  /**
   * Counts one call, unless it is over the limit. A rate without windows always allows. `figures`: limits for this key in
   * the syntax of RATE_LIMITS; unreadable ones count as absent.
   */
  take(rate: RateName, key: string, figures?: string | null): Promise<Taken | Refused>;
  giveBack(rate: RateName, key: string): Promise<void>;
}

/** Number of cached parsed figures of accounts. */
const KEPT_FIGURES = 1_000;
const UNLIMITED: Taken = { allowed: true, limit: 0, remaining: 0, resetMs: 0 };

/** Where a limiter counts besides in memory. */
export interface LimiterPorts {
  /** With it the limiter continues where the earlier process stopped, however that ended. */
  readonly journal?: LimitJournal | null;
  /** With it the limits hold over all processes. */
  readonly shared?: SharedLimits | null;
}

/** Counts in memory, and where else it is told to. */
export function createLimiter(
  rates: Rates,
  clock: Clock,
  { journal = null, shared = null }: LimiterPorts = {},
): Limiter {
  const byRate = new Map(
    Object.entries(rates).map(([name, list]) => [
      name,
      { windows: createWindows(list), longestMs: Math.max(...list.map(({ windowMs }) => windowMs)) },
    ]),
  );
  const read = new Map<string, Rates | null>();
  const now = clock.monotonic();
  const wallToMonotonic = now - clock.now();
  for (const { rate, key, times } of journal?.read() ?? []) {
    // A wall clock that was set back must not put calls into the future, where they would block for longer.
    const known = times.map((time) => Math.min(time + wallToMonotonic, now));
    byRate.get(rate)?.windows.restore({ key, times: known });
  }

  function own(figures: string): Rates | null {
    const known = read.get(figures);
    if (known !== undefined) return known;
    const parsed = parseRates(figures);
    const found = parsed.ok ? parsed.value : null;
    if (read.size >= KEPT_FIGURES) read.clear();
    read.set(figures, found);
    return found;
  }

  return {
    async take(rate, key, figures) {
      const rules = figures ? own(figures) : null;
      if (rules !== null && rules[rate] === undefined) return UNLIMITED;
      const known = byRate.get(rate);
      if (!known) return UNLIMITED;
      if (shared) {
        const list = rules?.[rate] ?? rates[rate] ?? [];
        const taken = await shared.attempt(
          (counters) => counters.take(shared.counted(rate, key), list),
          null,
        );
        // Alone for a while it goes on from what it has accepted so far.
        if (taken?.allowed === true) known.windows.take(key, clock.monotonic(), []);
        return taken ?? known.windows.take(key, clock.monotonic(), shared.part(list));
      }
      const taken = known.windows.take(key, clock.monotonic(), rules?.[rate]);
      if (taken.allowed) journal?.counted(rate, key, known.longestMs);
      return taken;
    },
    async giveBack(rate, key) {
      const known = byRate.get(rate);
      if (!known) return;
      known.windows.giveBack(key);
      journal?.givenBack(rate, key, known.longestMs);
      await shared?.attempt((counters) => counters.giveBack(shared.counted(rate, key)), undefined);
    },
  };
}
