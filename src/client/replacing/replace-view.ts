// View of the dialog of find and replace.
import type { Id } from '#core/ids.ts';
import type { ReplacePattern } from '#core/replace.ts';

export type ReplaceScope = 'selection' | 'here' | 'everything';

export interface ScopeChoice {
  readonly value: ReplaceScope;
  readonly title: string;
}

/** A piece of a title, before or after replacing. */
export interface FoundPart {
  readonly text: string;
  /** It is a match, or its replacement. */
  readonly isFound: boolean;
}

/** A title with a match, before and after replacing. */
export interface ReplaceRowView {
  readonly id: Id;
  /** The current title, split at the matches. */
  readonly parts: readonly FoundPart[];
  /** The new title, split at the replacements. */
  readonly after: readonly FoundPart[];
  readonly path: string;
  /** It is included, and will be replaced unless it has a problem. */
  readonly isIn: boolean;
  readonly problem: string | null;
}

/** An action in the dialog of find and replace. */
export type ReplaceAction =
  /** The changed parts of the pattern. */
  | { readonly action: 'say'; readonly said: Partial<ReplacePattern> }
  | { readonly action: 'scope'; readonly scope: ReplaceScope }
  | { readonly action: 'include'; readonly id: Id; readonly isIn: boolean }
  | { readonly action: 'more' | 'replace' };

/** The dialog of find and replace: the pattern, the scope and the matching titles. */
export interface ReplaceView extends ReplacePattern {
  readonly scopes: readonly ScopeChoice[];
  readonly scope: ReplaceScope;
  /** The first matching titles. */
  readonly rows: readonly ReplaceRowView[];
  readonly found: number;
  /** How many will be replaced. */
  readonly chosen: number;
  readonly isLooking: boolean;
  /** There is something to search for. */
  readonly isAsked: boolean;
  readonly problem: string | null;
  /** The problem would not occur with plain text. */
  readonly offersPlain: boolean;
}
