// Starting with the person's session: an entry in the folder that desktops look into.
import GLib from 'gi://GLib?version=2.0';
import Gio from 'gi://Gio?version=2.0';
import { readFile, writePrivate } from './disk.ts';

const folder = () => `${GLib.get_user_config_dir()}/autostart`;

/** Quoted as entries are: no shell reads it. */
const quoted = (path: string) =>
  `"${path.replaceAll(/[\\"`$]/g, (sign) => `\\${sign}`).replaceAll('%', '%%')}"`;

const entryOf = (main: string) => `[Desktop Entry]
Type=Application
Name=Posthaste
Exec=gjs -m ${quoted(main)} --hidden
Icon=posthaste
Terminal=false
X-GNOME-Autostart-enabled=true
`;

/** `name`: of the entry; `main`: the path of the program. */
export function createAutostart(name: string, main: string) {
  const path = () => `${folder()}/${name}.desktop`;
  return {
    async read(): Promise<boolean> {
      const content = await readFile(path());
      return content !== null && !/^Hidden=true$/m.test(new TextDecoder().decode(content));
    },
    /** False: it could not be written. */
    write(isOn: boolean): Promise<boolean> {
      if (isOn) return writePrivate(folder(), `${name}.desktop`, entryOf(main));
      try {
        return Promise.resolve(Gio.File.new_for_path(path()).delete(null));
      } catch {
        // There is none, or it isn't ours to remove.
        return Promise.resolve(!Gio.File.new_for_path(path()).query_exists(null));
      }
    },
  };
}
