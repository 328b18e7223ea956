// Takes a picture of what is in the corner of the screen, under GJS: file, width, height.
imports.gi.versions.Gtk = '3.0';
imports.gi.versions.Gdk = '3.0';
const { Gtk, Gdk } = imports.gi;
const [file, width, height] = ARGV;
Gtk.init(null);
Gdk.pixbuf_get_from_window(Gdk.get_default_root_window(), 0, 0, Number(width), Number(height)).savev(
  file,
  'png',
  [],
  [],
);
