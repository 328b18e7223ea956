// Lazy part of time blocks: only this file and part.ts are loaded with the commands.
import { lazyPart } from '../loading/lazy-part.ts';

/** What commands do with time blocks, and their marks in rows. Loaded when idle or first needed. */
export const lazyBlocks = lazyPart('Time blocks', () => import('./changing.ts'));

/** That part, once it is loaded. */
export type BlocksModule = Awaited<ReturnType<typeof lazyBlocks.load>>;
