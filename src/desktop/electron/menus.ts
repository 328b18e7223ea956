// Menus and the tray of the Electron shell. Keys of the app stand in the menus without being taken: the page hears them itself. What edits text is the
// system's, as text fields of a Mac have it by their menu alone.
import { join } from 'node:path';
import { app, Menu, nativeImage, Tray } from 'electron';
import type { Menu as AppMenu, MenuItem } from '../menus.ts';
import type { TrayLook } from '../shell.ts';

type Template = Electron.MenuItemConstructorOptions;

const ofItem =
  (chosen: (id: string) => void) =>
  (item: MenuItem | null): Template => {
    if (item === null) return { type: 'separator' };
    const { id, title, keys } = item;
    return { label: keys === '' ? title : `${title}  (${keys})`, click: () => chosen(id) };
  };

const EDITING: readonly Template[] = [
  { type: 'separator' },
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'selectAll' },
];

/** The menus of one window; null: those that a Mac can't be without. */
export function createMenu(menus: readonly AppMenu[] | null, chosen: (id: string) => void): Electron.Menu {
  const template = (menus ?? []).map(({ name, items }): Template => {
    const submenu = items.map(ofItem(chosen));
    return { label: name, submenu: name === 'Edit' ? [...submenu, ...EDITING] : submenu };
  });
  const first: readonly Template[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [];
  const instead: readonly Template[] =
    menus === null && process.platform === 'darwin' ? [{ role: 'editMenu' }] : [];
  return Menu.buildFromTemplate([...first, ...instead, ...template]);
}

/** The icon in the tray as it is wanted now. */
export function followTray(tray: Tray | null, look: TrayLook | null): Tray | null {
  if (look === null) {
    tray?.destroy();
    return null;
  }
  const shown =
    tray ??
    new Tray(
      nativeImage.createFromPath(join(app.getAppPath(), 'app/icons/icon-192.png')).resize({ width: 18 }),
    );
  if (tray === null) shown.on('click', () => look.chosen(''));
  shown.setToolTip(look.title);
  shown.setContextMenu(Menu.buildFromTemplate(look.items.map(ofItem(look.chosen))));
  return shown;
}
