// Lazy part of macros that programs run: what does a run. The part is part.ts.
import { lazyPart } from '../loading/lazy-part.ts';

/** Doing runs. Loaded when idle or first needed. */
export const lazyRuns = lazyPart('Macros of programs', () => import('./doing.ts'));
