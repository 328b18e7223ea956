// Views of the key editor. It is drawn by web/dialogs/key-editor.tsx.
import type { ListMove } from '../dialogs/list-cursor.ts';

/** The name of a set of keys to begin with. */
export type PresetId = 'standard' | 'vim' | 'emacs';

/** One line of a sheet of keys: what is done, and by which keys. */
export interface KeyRow {
  readonly id: string;
  readonly title: string;
  /** Each as one keycap per stroke. */
  readonly keys: readonly (readonly string[])[];
  /** A key of it is the person’s own. */
  readonly isOwn: boolean;
  /** The keys do the two things of the title, in that order; otherwise each of them does the same. */
  readonly isPair: boolean;
}

/** Lines of a sheet of keys under one heading. */
export interface KeyGroup {
  readonly title: string;
  readonly rows: readonly KeyRow[];
}

/** One line of the key editor: a binding, a command without a key, a label, or a part of the grammar. */
export interface KeyOptionView {
  readonly id: string;
  /** The heading, on the first line under it. */
  readonly heading: string | null;
  readonly title: string;
  /** One keycap per stroke; empty: nothing is bound. */
  readonly caps: readonly string[];
  /** It was made or changed by the person. */
  readonly isOwn: boolean;
  /** Why it may not work here: "Safari may keep this key to itself." */
  readonly warning: string | null;
}

/** The recorder of new keys. */
export interface RecorderView {
  /** The command or label that the keys are for. */
  readonly title: string;
  readonly caps: readonly string[];
  /** False: keys were pressed, and wait to be saved. */
  readonly isListening: boolean;
  readonly instruction: string;
  /** Effects of saving on other keys, and possible obstacles. */
  readonly notes: readonly string[];
  /** Why the keys cannot be saved; null: they can. */
  readonly problem: string | null;
  /** The offer to swap the two keys; null: there is nothing to swap. */
  readonly swap: string | null;
}

/** An action on the active line. `again`: records other keys instead of those waiting to be saved. */
export type KeyLineAction = 'record' | 'add' | 'again' | 'remove' | 'reset';

/** An action in the key editor. */
export type KeyEditorAction =
  | { readonly action: 'move'; readonly to: ListMove }
  | { readonly action: 'choose'; readonly id: string }
  | { readonly action: 'filter'; readonly text: string }
  /** Switches between filtering by pressed keys and by words. */
  | { readonly action: 'byKey' }
  /** From the sheet to the list of every key and command. */
  | { readonly action: 'list' }
  | { readonly action: 'preset'; readonly preset: PresetId }
  | { readonly action: 'chords'; readonly isOn: boolean }
  | { readonly action: 'sync' | 'export' | 'import' | 'resetAll' }
  | { readonly action: KeyLineAction }
  /** On the recorded keys. */
  | { readonly action: 'save' | 'swap' | 'cancel' };

/** The key editor: the presets, the sheet or the filtered lines and, while recording, the recorder. */
export interface KeyEditorView {
  /** The keys that most days need, in place of the lines. Null: something is sought, changed or recorded. */
  readonly sheet: readonly KeyGroup[] | null;
  readonly presets: readonly { readonly id: PresetId; readonly title: string }[];
  readonly preset: PresetId;
  readonly about: string;
  readonly chords: boolean;
  readonly isSynced: boolean;
  readonly query: string;
  /** The keys pressed as a filter so far. Null: filtered by words. */
  readonly sought: readonly string[] | null;
  readonly options: readonly KeyOptionView[];
  readonly active: number;
  readonly recorder: RecorderView | null;
  readonly canRemove: boolean;
  readonly canReset: boolean;
  readonly canResetAll: boolean;
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
}
