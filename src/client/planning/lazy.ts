// Lazy part of planning a day: only this file, part.ts and hours.ts are loaded with the commands.
import { lazyPart } from '../loading/lazy-part.ts';

/** The dialog that plans a day, and how full today is. Loaded when idle or first needed. */
export const lazyPlanning = lazyPart('Planning a day', () => import('./dialog.ts'));
