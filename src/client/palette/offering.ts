// Palette items of other parts of the app: macros, guides, tabs of the settings. A part lists its own as
// `paletteSources`; ranking, aliases and history work for them as for the rest.
import type { PaletteIcon } from './palette-view.ts';

/** One item that a part offers in the palette. */
export interface Offered {
  /** Stable for ever, an id of the document: `guide.labels`. */
  readonly id: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly hint: string;
  readonly keys?: readonly string[];
  /** Why it cannot be chosen now; null or absent: it can. */
  readonly unavailable?: string | null;
  /** Runs after the palette has closed. */
  readonly run: () => void;
}

/** Items of one kind that a part offers, with their place in the palette. */
export interface Offering {
  /** "Guides": the heading, also read out with each item. */
  readonly kind: string;
  readonly icon: PaletteIcon;
  /** The prefixes under which it is listed, such as `>`. */
  readonly scopes: string;
  /** Added to the match score; negative for items behind commands. */
  readonly bonus: number;
  /** Called each time the palette opens. */
  readonly offered: () => readonly Offered[];
}
