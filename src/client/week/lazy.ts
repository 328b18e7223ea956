// Lazy part of the calendar beside the outline: only this file, part.ts and signals.ts are loaded with the commands.
import { lazyPart } from '../loading/lazy-part.ts';

/** What the calendar shows and what its keys do. Loaded when idle or first needed. */
export const lazyWeek = lazyPart('The calendar', () => import('./pane.ts'));
