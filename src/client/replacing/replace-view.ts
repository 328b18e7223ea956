// What the dialog of find and replace draws.
import type { Id } from '#core/ids.ts';

export interface ReplaceRowView {
  readonly id: Id;
  /** The title as it is, cut where something was found. */
  readonly parts: readonly { readonly text: string; readonly isFound: boolean }[];
  readonly after: string;
  readonly path: string;
  /** It will be replaced, unless it has a problem. */
  readonly isIn: boolean;
  readonly problem: string | null;
}

export interface ReplaceView {
  readonly find: string;
  readonly replacement: string;
  readonly isRegex: boolean;
  readonly matchCase: boolean;
  readonly wholeWords: boolean;
  readonly scopes: readonly { readonly value: string; readonly title: string }[];
  readonly scope: string;
  /** The first of what was found. */
  readonly rows: readonly ReplaceRowView[];
  readonly found: number;
  /** How many will be replaced. */
  readonly chosen: number;
  readonly isLooking: boolean;
  /** Something is sought. */
  readonly isAsked: boolean;
  readonly problem: string | null;
  /** Plain text would help. */
  readonly offersPlain: boolean;
}
