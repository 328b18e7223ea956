// View of the palette.
import type { Id } from '#core/ids.ts';
import type { MonthView } from '../pickers/month.ts';

/** The icon of a palette item. */
export type PaletteIcon =
  | 'attachment'
  | 'back'
  | 'badge'
  | 'bar'
  | 'bell'
  | 'bold'
  | 'bolt'
  | 'bookmark'
  | 'box'
  | 'broom'
  | 'check'
  | 'clock'
  | 'close'
  | 'cloud'
  | 'code'
  | 'collapse'
  | 'command'
  | 'comment'
  | 'copy'
  | 'cut'
  | 'day'
  | 'device'
  | 'down'
  | 'due'
  | 'expand'
  | 'export'
  | 'eye'
  | 'focus'
  | 'folder'
  | 'forward'
  | 'guide'
  | 'history'
  | 'import'
  | 'inbox'
  | 'indent'
  | 'info'
  | 'italic'
  | 'key'
  | 'keyboard'
  | 'label'
  | 'leave'
  | 'link'
  | 'list'
  | 'macro'
  | 'mail'
  | 'moon'
  | 'move'
  | 'notes'
  | 'offline'
  | 'open'
  | 'outdent'
  | 'palette'
  | 'pane'
  | 'paste'
  | 'pen'
  | 'people'
  | 'person'
  | 'play'
  | 'plus'
  | 'print'
  | 'quote'
  | 'redo'
  | 'reload'
  | 'repeat'
  | 'replace'
  | 'rewind'
  | 'right'
  | 'rows'
  | 'search'
  | 'select'
  | 'settings'
  | 'shield'
  | 'sidebar'
  | 'skip'
  | 'smart'
  | 'snooze'
  | 'sort'
  | 'star'
  | 'start'
  | 'strike'
  | 'sun'
  | 'swipe'
  | 'target'
  | 'task'
  | 'timer'
  | 'trash'
  | 'type'
  | 'under'
  | 'undo'
  | 'unfocus'
  | 'up'
  | 'week';

/** One item of the palette's list. */
export interface PaletteItemView {
  /** Stable, and an id of the document: `cmd.task.complete`, `list.<id>`. */
  readonly id: string;
  readonly title: string;
  /** Ranges of the title that matched, [start, end). */
  readonly matches: readonly (readonly [number, number])[];
  readonly hint: string;
  /** Keycaps of its binding: ["Mod+K"]. */
  readonly keys: readonly string[];
  /** The reason why it is shown dimmed; null: it is available. */
  readonly unavailable: string | null;
  readonly heading: string | null;
  /** Absent: answers of a picker have none. */
  readonly icon?: PaletteIcon;
  /** For a label: its color. */
  readonly color?: string;
  /** Whether the target tasks have it already. */
  readonly state?: 'all' | 'some' | 'none';
  /** Its kind, for screen readers: "Commands". */
  readonly kind?: string;
}

/** The open palette: its query, the answered steps and the items. */
export interface PaletteView {
  readonly query: string;
  readonly prompt: string;
  /** Chips of the steps already answered. */
  readonly steps: readonly string[];
  readonly items: readonly PaletteItemView[];
  /** Index of the active item, −1 when there is none. */
  readonly active: number;
  /** A note on the active item, such as the dates of a repeat; null: none. */
  readonly note: string | null;
  /** The other action on the active item; null: none. */
  readonly second: { readonly verb: string; readonly keys: readonly string[] } | null;
  /** Accepts and asks again; null if no picker is asking. */
  readonly stay: PaletteView['second'];
  readonly refine: { readonly verb: string; readonly keys: readonly string[] } | null;
  /** The task it asks about: the palette opens beside its row. */
  readonly about: Id | null;
  /** What the command that asks will change: the title of a task, "3 tasks"; null: it is about no task. */
  readonly subject: string | null;
  /** The answer is one of the items: typing only narrows them. */
  readonly isChosen: boolean;
  /** Shown beside a question about a date. */
  readonly month: MonthView | null;
}
