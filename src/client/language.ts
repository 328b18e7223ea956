// The door to the search language: loaded when idle or first wanted. Until it has come, a query is its words.
import { door } from './door.ts';

export const languagePart = door('The search language', async () => {
  const parts = await Promise.all([
    import('./query/language.ts'),
    import('./query/open-smart.ts'),
    import('./query/smart-actions.ts'),
    import('./highlight.ts'),
  ]);
  return { ...parts[0], ...parts[1], ...parts[2], ...parts[3] };
});

/** Whether a query says nothing but words to be found. */
export function isPlain(query: string): boolean {
  return !/["“”():|!&-]|\b(?:OR|AND|NOT)\b/u.test(query);
}
