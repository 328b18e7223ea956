// The menu bar of a window, by GTK. Its items have no accelerators: keys are drawn beside their names, and F10 opens it.
import Gtk from 'gi://Gtk?version=3.0';
import type { Menu, MenuItem } from '../menus.ts';

const GAP = 32;

function drawItem({ title, keys }: MenuItem): Gtk.Box {
  const box = new Gtk.Box({ orientation: Gtk.Orientation.HORIZONTAL, spacing: GAP });
  box.pack_start(new Gtk.Label({ label: title, xalign: 0 }), true, true, 0);
  const hint = new Gtk.Label({ label: keys, xalign: 1 });
  hint.get_style_context().add_class('dim-label');
  box.pack_end(hint, false, false, 0);
  return box;
}

/** One menu bar; `chosen` is told the id of an item. */
export function createMenuBar(menus: readonly Menu[], chosen: (id: string) => void): Gtk.MenuBar {
  const bar = new Gtk.MenuBar();
  for (const { name, items } of menus) {
    const menu = new Gtk.Menu();
    for (const item of items) {
      if (item === null) {
        menu.append(new Gtk.SeparatorMenuItem());
        continue;
      }
      const drawn = new Gtk.MenuItem();
      drawn.add(drawItem(item));
      drawn.connect('activate', () => chosen(item.id));
      menu.append(drawn);
    }
    const top = new Gtk.MenuItem();
    top.add(new Gtk.Label({ label: name }));
    top.set_submenu(menu);
    bar.append(top);
  }
  return bar;
}
