// Usage of commands and places, by frequency and query: reorders near-equals in the palette. Stored in the device's
// preferences.
import { DAY_MS } from '#core/time.ts';
import { readRecord } from '#core/json.ts';
import type { Platform } from '../app/app.ts';
import { fold } from '#core/search/fold.ts';

interface Used {
  /** Number of uses, halved every week. */
  n: number;
  /** Milliseconds since the epoch. */
  at: number;
}

interface Memory {
  readonly used: Record<string, Used>;
  /** Folded query → chosen item. */
  readonly queries: Record<string, { id: string; at: number }>;
  /** Command → how often its key was shown. */
  readonly taught: Record<string, number>;
  /** Context → items chosen there, last first. */
  readonly recent: Record<string, readonly string[]>;
}

const FADE_DAYS = 7;
const QUERY_DAYS = 30;
const KEPT = 300;
const KEY = 'palette';
const LESSONS = 5;
const RECENT_KEPT = 20;

function readMemory(text: string | null): Memory {
  const { used, queries, taught, recent } = readRecord(text) as Partial<Memory>;
  return { used: { ...used }, queries: { ...queries }, taught: { ...taught }, recent: { ...recent } };
}

function newest<T extends { readonly at: number }>(entries: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(entries)
      .toSorted(([, a], [, b]) => b.at - a.at)
      .slice(0, KEPT),
  );
}

export interface Choice {
  readonly query: string;
  readonly context: string;
  readonly now: number;
}

export class Usage {
  readonly #preferences: Platform['preferences'];
  #memory: Memory;

  constructor(preferences: Platform['preferences']) {
    this.#preferences = preferences;
    this.#memory = readMemory(preferences.get(KEY));
  }

  /** `context`: as returned by contextOf. */
  record(id: string, { query, context, now }: Choice): void {
    const before = this.#memory.used[id];
    const faded = before ? before.n * 2 ** (-(now - before.at) / (FADE_DAYS * DAY_MS)) : 0;
    const used = newest({ ...this.#memory.used, [id]: { n: faded + 1, at: now } });
    const folded = fold(query).trim();
    const queries =
      folded === '' ? this.#memory.queries : newest({ ...this.#memory.queries, [folded]: { id, at: now } });
    const earlier = this.#memory.recent[context] ?? [];
    const recent = {
      ...this.#memory.recent,
      [context]: [id, ...earlier.filter((other) => other !== id)].slice(0, RECENT_KEPT),
    };
    this.#keep({ ...this.#memory, used, queries, recent });
  }

  #keep(memory: Memory): void {
    this.#memory = memory;
    this.#preferences.set(KEY, JSON.stringify(memory));
  }

  /** Whether a command's key should still be shown; counts the showing. */
  teaches(command: string): boolean {
    const { taught } = this.#memory;
    const times = taught[command] ?? 0;
    if (times >= LESSONS) return false;
    this.#keep({ ...this.#memory, taught: { ...taught, [command]: times + 1 } });
    return true;
  }

  /** Score added by usage: enough to swap neighbors, never enough to beat a better kind of match. */
  score(id: string, now: number): number {
    const used = this.#memory.used[id];
    if (!used) return 0;
    const days = Math.max(0, now - used.at) / DAY_MS;
    return Math.min(120, 40 * Math.log2(1 + used.n * 2 ** (-days / FADE_DAYS)));
  }

  /** Whether this very query led there last time. */
  remembers(query: string, id: string, now: number): boolean {
    const known = this.#memory.queries[fold(query).trim()];
    return known?.id === id && now - known.at < QUERY_DAYS * DAY_MS;
  }

  /** Items chosen in a context, then those chosen anywhere; last first. */
  recent(context: string): readonly string[] {
    const here = this.#memory.recent[context] ?? [];
    const anywhere = Object.entries(this.#memory.used)
      .toSorted(([, a], [, b]) => b.at - a.at)
      .map(([id]) => id);
    return [...new Set([...here, ...anywhere])];
  }
}
