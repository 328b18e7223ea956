// Where a person's expressions are run, so that one without an end can be stopped. What it means is core/replace.ts; in a
// browser it is a worker (web/platform/replacer.ts).
import type { Replaced, ReplacePattern } from '#core/replace.ts';

export type ReplacerAnswer =
  /** One for each title; null where nothing was found. */
  | { readonly type: 'done'; readonly found: readonly (Replaced | null)[] }
  /** It took longer than it may, and was stopped. */
  | { readonly type: 'slow' }
  /** It could not be run at all. */
  | { readonly type: 'failed' };

export interface Replacer {
  /** One at a time. Never rejects. */
  run(pattern: ReplacePattern, titles: readonly string[]): Promise<ReplacerAnswer>;
  /** Ends what runs. */
  close(): void;
}
