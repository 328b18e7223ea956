// The dialogs of the app, as a part. A link or a notice may open one before the first screen has been idle.
import { definePart } from '../app/part.ts';
import { dialogFrames } from './dialog-view.ts';

/** Gives their frames; each is opened by the capability that it belongs to. */
export const appDialogs = definePart({ name: 'Dialogs', create: () => ({}), dialogs: dialogFrames });
