// The system-wide key of quick entry, by Keybinder: on X11, and on Wayland for programs that run by XWayland alone.
import gi from 'gi';
import type Keybinder from 'gi://Keybinder?version=3.0';
import { acceleratorOf } from './accelerator.ts';

type Binder = typeof Keybinder;

/** Null: it is not installed, or there is no X server. GTK has to run by then. */
function loadBinder(): Binder | null {
  try {
    const binder = gi.require('Keybinder', '3.0');
    binder.init();
    return binder.supported() ? binder : null;
  } catch {
    // Then there is no such key.
    return null;
  }
}

/** Undefined: not asked for yet. */
let loaded: Binder | null | undefined;

function theBinder(): Binder | null {
  if (loaded === undefined) loaded = loadBinder();
  return loaded;
}

let taken: string | null = null;

/** As `Shell.takeKey`. */
export function takeKey(key: string | null, pressed: () => void): boolean {
  const binder = theBinder();
  if (binder !== null && taken !== null) binder.unbind(taken);
  taken = null;
  if (key === null) return true;
  const accelerator = acceleratorOf(key);
  if (binder === null || accelerator === null || !binder.bind(accelerator, pressed)) return false;
  taken = accelerator;
  return true;
}
