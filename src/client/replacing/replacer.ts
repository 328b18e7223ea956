// Runs a person's regular expressions where an endless one can be stopped. Their meaning is in core/replace.ts; in a
// browser it is a worker (web/platform/input/replacer.ts).
import type { Replaced, ReplacePattern } from '#core/replace.ts';

/** The result of one run over many titles. */
export type ReplacerAnswer =
  /** One per title; null without a match. */
  | { readonly type: 'done'; readonly found: readonly (Replaced | null)[] }
  /** It exceeded the time limit, and was stopped. */
  | { readonly type: 'slow' }
  /** It could not be run at all. */
  | { readonly type: 'failed' };

/** Implemented by the platform. It must stop an expression that takes too long. */
export interface Replacer {
  /** One at a time. Never rejects. */
  run(pattern: ReplacePattern, titles: readonly string[]): Promise<ReplacerAnswer>;
  /** Stops the current run. */
  close(): void;
}
