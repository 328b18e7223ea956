// What is drawn of the palette.
import type { Id } from '#core/ids.ts';
import type { MonthView } from '../pickers/month.ts';

/** What an item of the palette is, as a picture. */
export type PaletteIcon =
  | 'inbox'
  | 'list'
  | 'folder'
  | 'smart'
  | 'bookmark'
  | 'task'
  | 'label'
  | 'command'
  | 'settings'
  | 'guide'
  | 'macro'
  | 'search'
  | 'plus'
  | 'undo';

export interface PaletteItemView {
  /** Stable, and an id of the document: `cmd.task.complete`, `list.<id>`. */
  readonly id: string;
  readonly title: string;
  /** Ranges of the title that matched, [start, end). */
  readonly matches: readonly (readonly [number, number])[];
  readonly hint: string;
  /** Keycaps of its binding: ["Mod+K"]. */
  readonly keys: readonly string[];
  /** Not null: shown dimmed, with this reason. */
  readonly unavailable: string | null;
  readonly heading: string | null;
  /** Absent: answers of a picker have none. */
  readonly icon?: PaletteIcon;
  /** Of a label: its colour. */
  readonly color?: string;
  /** Whether the tasks it is asked for have it already. */
  readonly state?: 'all' | 'some' | 'none';
  /** Among which things it is, for who listens: "Commands". */
  readonly kind?: string;
}

export interface PaletteView {
  readonly query: string;
  readonly prompt: string;
  /** Chips of the steps already answered. */
  readonly steps: readonly string[];
  readonly items: readonly PaletteItemView[];
  /** Index of the active item, −1 when there is none. */
  readonly active: number;
  /** What to know about the choice, as the dates a repeat would have; null when nothing. */
  readonly note: string | null;
  /** What the other keys do with the active item; null: nothing. */
  readonly second: { readonly verb: string; readonly keys: readonly string[] } | null;
  /** Accepts and asks again; null where no picker asks. */
  readonly stay: PaletteView['second'];
  readonly refine: { readonly verb: string; readonly keys: readonly string[] } | null;
  /** The task it is asked about: it opens beside its row. */
  readonly about: Id | null;
  /** Beside a question about a date. */
  readonly month: MonthView | null;
}
