// The frame of the dialog of public links.
import type { DialogFrame } from '../dialogs/dialog-view.ts';

/** By type. */
export const linksFrames = {
  publicLinks: { name: 'Public links', takesMouse: true },
} as const satisfies Readonly<Record<string, DialogFrame>>;
