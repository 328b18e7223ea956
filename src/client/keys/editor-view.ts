// What the editor of keys shows, as plain data. How it is drawn is web/dialogs/key-editor.tsx.

export interface KeyOptionView {
  readonly id: string;
  /** The heading it stands under, on the first of each. */
  readonly heading: string | null;
  readonly title: string;
  /** One keycap per stroke; empty: nothing is bound. */
  readonly caps: readonly string[];
  /** It was made or changed by the person. */
  readonly isOwn: boolean;
  /** Why it may not work here: "Safari may keep this key to itself." */
  readonly warning: string | null;
}

export interface RecorderView {
  /** What the keys are for. */
  readonly title: string;
  readonly caps: readonly string[];
  /** False: keys were pressed, and wait to be saved. */
  readonly isListening: boolean;
  readonly instruction: string;
  /** What saving does to others, and what may keep the keys away. */
  readonly notes: readonly string[];
  /** Why they cannot be saved at all. */
  readonly problem: string | null;
}

export interface KeyEditorView {
  readonly presets: readonly { readonly id: string; readonly title: string }[];
  readonly preset: string;
  readonly about: string;
  readonly chords: boolean;
  readonly isSynced: boolean;
  readonly query: string;
  /** Found by pressing: the keys pressed so far. Null: found by words. */
  readonly sought: readonly string[] | null;
  readonly options: readonly KeyOptionView[];
  readonly active: number;
  readonly recorder: RecorderView | null;
  readonly canRemove: boolean;
  readonly canReset: boolean;
  readonly canResetAll: boolean;
  readonly answer: { readonly text: string; readonly isError: boolean } | null;
}
