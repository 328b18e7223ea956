// The menus of a window: commands of the app, as its page says them, with what only the program does. Keys stand in them to be read: the page hears
// every key itself, so none runs twice.

/** `id`: a command of the app, or what the program does itself. `keys`: as the person types them; empty: none. */
export interface MenuItem {
  readonly id: string;
  readonly title: string;
  readonly keys: string;
}

/** Null: a line between two items. */
export interface Menu {
  readonly name: string;
  readonly items: readonly (MenuItem | null)[];
}

/** What the program does itself, besides commands of the app. */
export type OwnItem =
  | 'program.server'
  | 'program.close'
  | 'program.quit'
  | 'program.reload'
  | 'program.larger'
  | 'program.smaller'
  | 'program.actualSize'
  | 'program.menuBar';

const own = (id: OwnItem, title: string, keys = ''): MenuItem => ({ id, title, keys });

/** Below the app's own, by the name of their menu. */
const OWN: Readonly<Record<string, readonly (MenuItem | null)[]>> = {
  File: [
    own('program.server', 'Address of the server…', 'Ctrl+Shift+S'),
    null,
    own('program.close', 'Close the window'),
    own('program.quit', 'Quit'),
  ],
  View: [
    own('program.larger', 'Larger', 'Ctrl++'),
    own('program.smaller', 'Smaller', 'Ctrl+-'),
    own('program.actualSize', 'Actual size', 'Ctrl+0'),
    null,
    own('program.reload', 'Load the page anew', 'F5'),
    own('program.menuBar', 'Hide this menu bar'),
  ],
};

/** The menus of a page with the program's own items. */
export const wholeMenus = (menus: readonly Menu[]): readonly Menu[] =>
  menus.map(({ name, items }) => {
    const more = OWN[name] ?? [];
    return {
      name,
      items: more.length === 0 ? items : [...items, ...(items.length > 0 ? [null] : []), ...more],
    };
  });

/** What the tray offers. */
export const trayItems: readonly MenuItem[] = [
  { id: 'tray.open', title: 'Open Posthaste', keys: '' },
  { id: 'tray.quick', title: 'New task', keys: '' },
  { id: 'program.quit', title: 'Quit', keys: '' },
];

/** What the tray says of the tasks of today. */
export const trayTitle = (due: number): string => (due === 0 ? 'Posthaste' : `Posthaste: ${due} due`);

const STEP = 0.1;
const [SMALLEST, LARGEST] = [0.5, 3];

/** The next size of pages. `step`: 1, −1, or 0 for as it was. */
export function zoomed(zoom: number, step: number): number {
  if (step === 0) return 1;
  const next = Math.round((zoom + step * STEP) * 10) / 10;
  return Math.min(LARGEST, Math.max(SMALLEST, next));
}
