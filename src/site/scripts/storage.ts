// What a browser remembers for the site, beside what it remembers for the app. Where storage is blocked nothing lasts longer than
// the page.

/** The choice of colours; the app keeps it under the same name. */
export const THEME = 'posthaste.preference.theme';

/** Null: nothing is remembered; undefined: nothing can be. */
export function remembered(key: string): string | null | undefined {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage is blocked: the answer says so.
    return undefined;
  }
}

/** `value` null: forgets it. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is blocked: it lasts as long as the page.
  }
}
