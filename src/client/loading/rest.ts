// The rest: everything that the first keys do not need, such as the other commands, the palette, pasting, the list of
// keys. Loaded when the app is idle; input before that is queued (input-queue.ts) and replayed in order.
import { languagePart } from '../search/language.ts';
import { lazy } from './lazy.ts';
import { searchPart } from '../search/searching.ts';
import { pickers } from '../pickers/lazy.ts';

/** Loads the rest in one piece, so that commands find all of it or none. */
export const restPart = lazy(async () => {
  const [rest, { sayRepeat }] = await Promise.all([
    import('./rest-exports.ts'),
    // These pickers must open at once: the next key may follow within a hundredth of a second.
    pickers.load(),
    languagePart.load(),
    searchPart.load(),
  ]);
  return { ...rest, sayRepeat };
});

/** The exports of the rest. */
export type Rest = Awaited<ReturnType<typeof restPart.load>>;
