// Small device-only settings in localStorage. Where it is blocked they last as long as the page.

const PREFIX = 'posthaste.preference.';

/** Texts by key; null for a key that was never set. */
export interface Preferences {
  get(key: string): string | null;
  set(key: string, value: string): void;
}

/** Adds `prefix` to every key. Never throws: what cannot be stored lasts as long as the page. */
export function createPreferences(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  prefix: string = PREFIX,
): Preferences {
  const own = new Map<string, string>();
  return {
    get(key) {
      try {
        return storage.getItem(prefix + key) ?? own.get(key) ?? null;
      } catch {
        // Blocked or full: the page's own copy answers.
        return own.get(key) ?? null;
      }
    },
    set(key, value) {
      own.set(key, value);
      try {
        storage.setItem(prefix + key, value);
      } catch (error) {
        console.warn(`The preference ${key} is kept for this page only.`, error);
      }
    },
  };
}

/** Removes a preference for good, with the copy of the account it belonged to. */
export function forgetPreference(storage: Pick<Storage, 'removeItem'>, key: string): void {
  storage.removeItem(PREFIX + key);
}
