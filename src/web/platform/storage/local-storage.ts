// The small storage beside the database (localStorage), or its stand-in for as long as the page lives where a browser
// refuses it. Everything else asks for it here: merely naming localStorage throws in some browsers.

/** As much of localStorage as its stand-in offers. */
export type SmallStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function createPageStorage(): SmallStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

const PROBE = 'posthaste.probe';

function find(): SmallStorage {
  try {
    localStorage.setItem(PROBE, '1');
    localStorage.removeItem(PROBE);
    return localStorage;
  } catch {
    // Refused by the browser or full: what is kept here then lasts as long as the page, and the app says so.
    return createPageStorage();
  }
}

/** Chosen once, when the page starts. */
let chosen = find();

/** What an encrypted disk puts between (disk-seal/small-texts.ts). */
export function layer(over: (below: SmallStorage) => SmallStorage): void {
  chosen = over(chosen);
}

/** Writing may throw, when localStorage is full. */
export const smallStorage: SmallStorage = {
  getItem: (key) => chosen.getItem(key),
  setItem: (key, value) => chosen.setItem(key, value),
  removeItem: (key) => chosen.removeItem(key),
};
