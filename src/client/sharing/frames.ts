// The frames of the dialogs of sharing.
import type { DialogFrame } from '../dialogs/dialog-view.ts';

/** By type. */
export const sharingFrames = {
  share: { name: 'Share list', takesMouse: true },
  invitation: { name: 'Invitation', takesMouse: true },
  profile: { name: 'Your profile' },
} as const satisfies Readonly<Record<string, DialogFrame>>;
