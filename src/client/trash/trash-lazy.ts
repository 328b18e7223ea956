// Lazy part of the trash: the text of its lines, and emptying it.
import { lazyPart } from '../loading/lazy-part.ts';

/** The trash. Loaded when idle or when the trash is opened. */
export const trashPart = lazyPart('The trash', () => import('./trash.ts'));
