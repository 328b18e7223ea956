// What other parts of the app put into the palette: macros, guides, tabs of the settings. A part adds its own to
// `program.offerings` when it is there, and everything else (ranking, names of one's own, memory) follows.
import type { PaletteIcon } from './palette-view.ts';

export interface Offered {
  /** Stable for ever, an id of the document: `guide.labels`. */
  readonly id: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly hint: string;
  readonly keys?: readonly string[];
  /** Why it cannot be chosen now. */
  readonly unavailable?: string | null;
  /** Runs once the palette is closed. */
  readonly run: () => void;
}

export interface Offering {
  /** "Guides": the heading, and what is said of each to who listens. */
  readonly kind: string;
  readonly icon: PaletteIcon;
  /** The prefixes that it is listed under, as `>`. */
  readonly scopes: string;
  /** Points beside how well a title fits, negative for what is to stand behind commands. */
  readonly bonus: number;
  /** Asked each time the palette opens. */
  readonly offered: () => readonly Offered[];
}
