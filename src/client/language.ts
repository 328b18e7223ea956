// The door to the search language: loaded when idle or first wanted. Until it has come, a query is its words.
import { lazy } from './lazy.ts';

export const languagePart = lazy(async () => {
  const [language, actions] = await Promise.all([
    import('./query/language.ts'),
    import('./query/smart-actions.ts'),
  ]);
  return { ...language, ...actions, ...(await import('./highlight.ts')) };
});

/** Whether a query says nothing but words to be found. */
export function isPlain(query: string): boolean {
  return !/["“”():|!&-]|\b(?:OR|AND|NOT)\b/u.test(query);
}

/** For whoever needs everything at once. */
export async function loadLanguage(): Promise<void> {
  await languagePart.load();
}
