// What has the keys. Keys, focus, status line and macros ask here, so that they cannot differ.
import type { TitleDraft } from '../text/editor.ts';
import type { Program } from './program.ts';

/** What has the keys where neither a dialog nor the palette is open. */
export type PaneMode =
  /** A title is being typed, or the name of a list in the sidebar. */
  | { readonly type: 'title' | 'name'; readonly draft: TitleDraft }
  | { readonly type: 'notes' | 'search' | 'sidebar' | 'outline' | 'calendar' };

/** What has the keys: exactly one of these. */
export type Mode = { readonly type: 'dialog' | 'palette' } | PaneMode;

/** What gets the keys when dialog and palette are closed. */
export function paneModeOf({ editor, pane }: Program): PaneMode {
  const draft = editor.title;
  return draft === null ? { type: pane } : { type: draft.field === 'name' ? 'name' : 'title', draft };
}

/** A dialog lies over the palette, and that over the panes. */
export function modeOf(program: Program): Mode {
  if (program.dialog.get() !== null) return { type: 'dialog' };
  return program.palette.isOpen ? { type: 'palette' } : paneModeOf(program);
}

/** Whether what is pressed is text. */
export function isTextMode({ type }: PaneMode): boolean {
  return !'outline sidebar calendar'.includes(type);
}
